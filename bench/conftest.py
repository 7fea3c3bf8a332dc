"""Shared by the benches."""

import pytest


@pytest.fixture
def rate(benchmark):
    """Time a function that does `work` units and note units per second beside the time."""

    def run(function, work, rounds=5, warmup=1):
        result = benchmark.pedantic(function, rounds=rounds, iterations=1, warmup_rounds=warmup)
        if benchmark.stats is not None:
            benchmark.extra_info["per_second"] = round(work / benchmark.stats.stats.median)
        return result

    return run
