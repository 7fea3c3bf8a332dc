"""Running core loops on threads so that results do not depend on their number and Ctrl-C is answered."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError, shown

_T = TypeVar("_T")
_R = TypeVar("_R")

POLL_SECONDS = 0.1
"""How long the waiting thread sleeps between looks for a signal."""


def run(
    task: Callable[[_T, Cancel], _R],
    items: Iterable[_T],
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[_R]:
    """Apply a task that releases the GIL to every item, on threads, and keep the order of the results.

    The calling thread only waits, so KeyboardInterrupt reaches it within :data:`POLL_SECONDS`; the tasks
    are then told to end through their Cancel flag and the interrupt goes on.

    Args:
        task: called with an item and the shared Cancel flag.
        items: the units of work; taken as threads become free.
        threads: how many run at once.
        progress: called from this thread with the number of finished items, now and then.

    Raises:
        ParameterError: if the number of threads is not 1 or more.
        KeyboardInterrupt: after all tasks have ended.
    """
    if type(threads) is not int or threads < 1:
        raise ParameterError(f"{shown(threads)} threads: at least one is needed")
    with interrupts() as pressed:
        results = _pooled(task, items, threads, progress, pressed)
    if pressed:
        raise KeyboardInterrupt
    return results


def _pooled(
    task: Callable[[_T, Cancel], _R],
    items: Iterable[_T],
    threads: int,
    progress: Callable[[int], None] | None,
    pressed: list[int],
) -> list[_R]:
    cancel = Cancel()
    results: dict[int, _R] = {}
    with ThreadPoolExecutor(max_workers=threads) as pool:
        try:
            for place, result in _finished(pool, task, items, threads, cancel, pressed):
                results[place] = result
                if progress is not None:
                    progress(len(results))
        except BaseException:
            cancel.set()
            raise
    return [results[place] for place in range(len(results))]


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Collect Ctrl-C in a list instead of raising it; who uses this looks at the list and raises.

    An exception raised at any instruction could fall into a callback of a thread pool, even as the pool is
    freed, and be lost there.
    """
    pressed: list[int] = []
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(previous):
        yield pressed
        return
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, previous)


def _finished(
    pool: ThreadPoolExecutor,
    task: Callable[[_T, Cancel], _R],
    items: Iterable[_T],
    threads: int,
    cancel: Cancel,
    pressed: list[int],
) -> Iterator[tuple[int, _R]]:
    source = enumerate(items)
    running: dict[Future[_R], int] = {}
    exhausted = False
    while running or not exhausted:
        while not exhausted and len(running) < 2 * threads:
            place, item = next(source, (-1, None))
            if place < 0:
                exhausted = True
            else:
                running[pool.submit(task, item, cancel)] = place  # type: ignore[arg-type]
        if pressed:
            raise KeyboardInterrupt
        done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()
