"""The Encan solver's work done elsewhere: any ``concurrent.futures.Executor`` and a shared folder.

A unit of work is a range of triples of one level. Whoever solves it finds the situations himself, from the
rules, reads the values of the level below from its file, and writes what he found to a file of his own, so
that a unit done twice, or half, does no harm. Values are added up as integers: the result is the same to the
last bit whoever did what, and in which order.
"""

import contextlib
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from cardgods._core.walk import Cancel
from cardgods.errors import MissingExtraError, ParameterError, SolveError
from cardgods.game import load_game
from cardgods.games.encan import EncanGame
from cardgods.solve.container import Container, write_container
from cardgods.solve.encan_position import EncanNode
from cardgods.solve.encan_sweep import EncanPlan, Progress, SweepReport, level_path, make_plan, open_level

UNIT_GAMES = 2_000_000
"""Matrix games in a unit: half a second of work or more."""
POLL_SECONDS = 0.2
MOST_BREAKS = 20
"""So often an executor may break down before that is an error."""

Factory = Callable[[], Executor]
"""Makes an executor, again if the last one has broken down."""


@dataclass(frozen=True)
class Unit:
    """A range of triples to solve.

    Attributes:
        folder: where the files lie, as the worker sees it.
        parameters: the options of the game.
        root: where the game begins.
        key: fingerprint of the two.
        turns: turns to come.
        first: first triple in the order of the work.
        end: behind the last one.
    """

    folder: str
    parameters: dict[str, Any]
    root: EncanNode
    key: str
    turns: int
    first: int
    end: int

    @property
    def path(self) -> Path:
        """The file of its result."""
        return Path(self.folder) / f"unit-{self.turns:02}-{self.first}-{self.end}.cgv"


# Where the work is done ------------------------------------------------------------------------------------


class _Workshop:
    """The plan that a process works on, and the level whose values it has at hand."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._plan: EncanPlan | None = None
        self._attached = 0

    def plan(self, unit: Unit) -> EncanPlan:
        """The unit's plan, with the values of the level below."""
        with self._lock:
            if self._plan is None or self._plan.key != unit.key:
                game = load_game("encan", **unit.parameters)
                assert isinstance(game, EncanGame)
                self._plan, self._attached = make_plan(game, unit.root), 0
                if self._plan.key != unit.key:
                    raise SolveError("this worker runs another version of the solver: update it")
            below = unit.turns - 1
            if below and self._attached != below:
                if self._attached:
                    self._plan.table.vectors.drop(self._attached)
                values = open_level(Path(unit.folder), below, unit.key).section("values")
                self._plan.table.vectors.attach(below, values)
                self._attached = below
            return self._plan


_WORKSHOP = _Workshop()


def solve_unit(unit: Unit) -> None:
    """Solve a unit and write its file, unless it is there already."""
    with contextlib.suppress(SolveError):
        _open_unit(unit)
        return
    sweep = _WORKSHOP.plan(unit).sweep
    values = bytearray(sweep.unit_bytes(unit.turns, unit.first, unit.end))
    games, routes, gap = sweep.run_apart(unit.turns, unit.first, unit.end, values, Cancel())
    meta = {"kind": "unit", "key": unit.key, "games": games, "routes": routes, "gap": gap}
    write_container(unit.path, meta, {"values": [values]})


def _open_unit(unit: Unit) -> Container:
    file = Container(unit.path)
    if file.meta.get("kind") != "unit" or file.meta.get("key") != unit.key:
        raise SolveError(f"{unit.path} belongs to another game, position or version: use another folder")
    file.section("values")
    return file


# Where it is handed out ------------------------------------------------------------------------------------


def run_apart(
    plan: EncanPlan, factory: Factory, folder: Path, progress: Progress | None = None
) -> SweepReport:
    """Run a plan on an executor.

    Args:
        plan: not yet run.
        factory: makes the executor, again if it breaks down.
        folder: seen by all workers under this name; levels and units are written there.
        progress: called from this thread with the number of games solved and of all.

    Raises:
        SolveError: if the folder cannot be used, or the executor breaks down again and again.
        KeyboardInterrupt: within a second of Ctrl-C.
    """
    with _Crew(factory) as crew:

        def run_level(k: int, report: SweepReport) -> None:
            _run_level(plan, crew, folder, k, report, progress)

        return plan.run_levels(run_level, progress, folder)


def _run_level(
    plan: EncanPlan, crew: "_Crew", folder: Path, k: int, report: SweepReport, progress: Progress | None
) -> None:
    sweep = plan.sweep
    ranges = sweep.units(k, UNIT_GAMES)
    if len(ranges) == 1 or (k > 1 and not level_path(folder, k - 1).exists()):
        sweep.run(k, ranges[0][0], ranges[-1][1], Cancel())
        report.add(*sweep.tally(), plan.table.vectors.scale)
        return
    units = [
        Unit(str(folder.absolute()), plan.game.parameters(), plan.root, plan.key, k, first, end)
        for first, end in ranges
    ]
    games, routes, gap = 0, [0] * len(report.routes), 0.0
    for unit in crew.solve(units):
        file = _open_unit(unit)
        sweep.deliver(k, unit.first, unit.end, file.section("values"))
        unit.path.unlink(missing_ok=True)
        games += file.meta["games"]
        routes = [a + b for a, b in zip(routes, file.meta["routes"], strict=True)]
        gap = max(gap, file.meta["gap"])
        if progress is not None:
            progress(report.games + games, plan.matrix_games)
    sweep.tally()
    report.add(games, routes, gap, plan.table.vectors.scale)


class _Crew:
    """An executor that is made again when it breaks down."""

    def __init__(self, factory: Factory) -> None:
        self._factory = factory
        self._executor: Executor | None = None
        self._breaks = 0
        self._running: dict[Future[None], Unit] = {}

    def __enter__(self) -> "_Crew":
        return self

    def __exit__(self, *_: object) -> None:
        self._dismiss()

    def _dismiss(self) -> None:
        for future in self._running:
            future.cancel()
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        self._executor = None

    def solve(self, units: list[Unit]) -> Iterator[Unit]:
        """The units, as they are finished."""
        left = list(units)
        while left:
            try:
                for unit in self._once(left):
                    yield unit
                    left.remove(unit)
            except BrokenExecutor as error:
                self._breaks += 1
                self._dismiss()
                if self._breaks > MOST_BREAKS:
                    raise SolveError(f"the executor has broken down {self._breaks} times: {error}") from None

    def _once(self, units: list[Unit]) -> Iterator[Unit]:
        if self._executor is None:
            self._executor = self._factory()
        running = self._running = {}
        for unit in units:
            running[self._executor.submit(solve_unit, unit)] = unit
        while running:
            done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                unit = running.pop(future)
                future.result()
                yield unit


# Executors by name -----------------------------------------------------------------------------------------


def _watch(stop: Event) -> None:
    """In a worker process: end at once when the work is called off, or its owner is gone."""
    parent = os.getppid()

    def look() -> None:
        while not stop.is_set() and os.getppid() == parent:
            time.sleep(POLL_SECONDS)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()


@contextmanager
def executor_factory(name: str, workers: int = 1) -> Iterator[Factory]:
    """A factory of executors by name.

    Args:
        name: ``processes``, or ``dask:ADDRESS`` of a scheduler (``dask:tcp://host:8786``).
        workers: how many processes; a Dask cluster has its own.

    Raises:
        ParameterError: if there is no executor of that name, or no worker is allowed.
        MissingExtraError: if Dask is not installed.
    """
    if workers < 1:
        raise ParameterError(f"{workers} workers: at least one is needed")
    if name == "processes":
        context = multiprocessing.get_context("spawn")
        stop = context.Event()
        try:
            yield lambda: ProcessPoolExecutor(
                workers, mp_context=context, initializer=_watch, initargs=(stop,)
            )
        finally:
            stop.set()
    elif name.startswith("dask:"):
        with _dask_client(name.removeprefix("dask:")) as client:
            yield lambda: client.get_executor(pure=False)
    else:
        raise ParameterError(f"unknown executor '{name}': executors are threads, processes, dask:ADDRESS")


@contextmanager
def _dask_client(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError("dask is not installed: pip install 'cardgods[dask]'") from None
    try:
        client = Client(address)
    except (OSError, TimeoutError, ValueError) as error:
        raise ParameterError(f"no Dask scheduler at '{address}': {error}") from None
    try:
        yield client
    finally:
        client.close()
