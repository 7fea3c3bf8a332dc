"""Shared by the benches."""

import pytest


@pytest.fixture
def rate(benchmark):
    """Time a function that does `work` units and note units per second beside the time."""

    def run(function, work, rounds=5):
        result = benchmark.pedantic(function, rounds=rounds, iterations=1, warmup_rounds=1)
        if benchmark.stats is not None:
            benchmark.extra_info["per_second"] = round(work / benchmark.stats.stats.median)
        return result

    return run
