"""Encan solutions in files, and work that is interrupted, shared out or broken: the same to the last bit."""

import itertools
import os
import signal
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import distributed
import pytest

import cardgods
from cardgods.errors import MissingExtraError, ParameterError, SolveError
from cardgods.solve import encan_apart, encan_sweep
from cardgods.solve.container import Container, write_container
from cardgods.solve.encan import EncanPosition, load_solution, plan, solve
from cardgods.solve.encan_apart import executor_factory, solve_unit
from cardgods.solve.encan_sweep import level_path

NINE = cardgods.load_game("encan", cards=tuple(range(2, 11)), target=20, obole=False)
GAME = cardgods.load_game("encan", cards=tuple(range(2, 10)), target=20, obole=False)
SMALL = cardgods.load_game("encan", cards=tuple(range(2, 8)), target=12)
EXPRESS = cardgods.load_game("encan", variant="express", obole=True)
UNIT = 20_000


@pytest.fixture(scope="module")
def whole():
    return solve(GAME)


@pytest.fixture(scope="module")
def nine():
    return solve(NINE)


@pytest.fixture
def small_units(monkeypatch):
    monkeypatch.setattr(encan_apart, "UNIT_GAMES", UNIT)


def told(solution):
    """Everything a solution says without looking below the first turn; equal only to the last bit."""
    return (
        solution.value,
        solution.by_first_treasure,
        solution.matrix_games,
        solution.routes,
        solution.states,
        solution.certificate,
        repr(solution.strategy(solution.game.new_initial_state())),
    )


class Stop(Exception):
    pass


def stopping_at(share):
    def progress(done, total):
        if done >= share * total:
            raise Stop

    return progress


# Level files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0001, 0.3, 0.9])
def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path, whole, share):
    with pytest.raises(Stop):
        solve(GAME, folder=tmp_path, progress=stopping_at(share))
    assert list(tmp_path.glob("level-*.cgv"))
    finished = int(newest_level(tmp_path).stem[-2:])
    before = sum(level[-1] for turns, level in plan(GAME).levels.items() if turns <= finished)
    calls = []
    again = solve(GAME, folder=tmp_path, progress=lambda done, total: calls.append(done))
    assert told(again) == told(whole)
    assert calls[0] >= before > 0
    assert told(solve(GAME, folder=tmp_path)) == told(whole)
    assert not list(tmp_path.glob("*.part"))


def test_ctrl_c_leaves_whole_levels(tmp_path, whole):
    def press(done, total):
        if done > total // 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        solve(GAME, folder=tmp_path, threads=2, progress=press)
    assert told(solve(GAME, folder=tmp_path, threads=2)) == told(whole)


def newest_level(folder):
    return max(folder.glob("level-*.cgv"))


def test_levels_of_another_game_are_refused(tmp_path):
    solve(SMALL, folder=tmp_path)
    other = cardgods.load_game("encan", cards=tuple(range(2, 8)), target=13)
    with pytest.raises(SolveError, match="belongs to another game, position or version: use another folder"):
        solve(other, folder=tmp_path)
    state = SMALL.new_initial_state()
    state.apply_action(0)
    with pytest.raises(SolveError, match="belongs to another game"):
        solve(SMALL, position=state, folder=tmp_path)


def test_a_damaged_level_is_refused(tmp_path):
    solve(SMALL, folder=tmp_path)
    path = newest_level(tmp_path)
    data = bytearray(path.read_bytes())
    data[70] ^= 1
    path.write_bytes(data)
    with pytest.raises(SolveError, match="is damaged: part values has changed"):
        solve(SMALL, folder=tmp_path)


def test_a_folder_saves_memory(tmp_path, whole):
    work = plan(GAME)
    assert work.bytes_with_files < work.bytes_needed
    allowed = (work.bytes_with_files + work.bytes_needed) // 2
    with pytest.raises(SolveError, match=r"GB of memory, or with a folder for finished levels \(--resume\)"):
        solve(GAME, max_bytes=allowed)
    assert told(solve(GAME, max_bytes=allowed, folder=tmp_path)) == told(whole)
    with pytest.raises(SolveError, match="GB of memory at least"):
        plan(GAME, max_bytes=work.bytes_with_files - 1)


@pytest.mark.parametrize("game", [GAME, SMALL, EXPRESS])
def test_levels_kept_as_triples_give_the_same_bits(tmp_path, monkeypatch, game):
    whole = solve(game)
    monkeypatch.setattr(encan_sweep, "KEEP_BYTES", 0)
    monkeypatch.setattr(encan_sweep, "SPLIT_BYTES", 0)
    work = plan(game)
    assert any(work.table.vectors.is_split(k) for k in work.levels)
    assert told(solve(work, threads=2)) == told(whole)
    with pytest.raises(Stop):
        solve(game, folder=tmp_path, progress=stopping_at(0.9))
    assert told(solve(game, folder=tmp_path)) == told(whole)
    # Files of triples are not taken for files of classes.
    monkeypatch.setattr(encan_sweep, "SPLIT_BYTES", 1 << 40)
    with pytest.raises(SolveError, match="another folder"):
        solve(game, folder=tmp_path)


def test_a_folder_that_cannot_be_one_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SolveError, match=r"cannot use .*file"):
        solve(SMALL, folder=tmp_path / "file")


# Executors --------------------------------------------------------------------------------------------------


def test_threads_and_processes_give_the_same_bits(tmp_path, nine, small_units):
    assert told(solve(NINE, threads=2)) == told(nine)
    assert told(solve(NINE, threads=2, executor="processes", folder=tmp_path)) == told(nine)
    assert not list(tmp_path.glob("unit-*"))


def test_any_executor_will_do(whole, small_units):
    asked = []

    class Counting(ThreadPoolExecutor):
        def submit(self, task, /, *words, **named):
            asked.append(words[0].path.name)
            return super().submit(task, *words, **named)

    assert told(solve(GAME, executor=lambda: Counting(2))) == told(whole)
    assert len(set(asked)) == len(asked) > 5


def test_a_dask_cluster_gives_the_same_bits(tmp_path, nine, small_units):
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0", protocol="inproc://"
    ) as cluster:
        solution = solve(NINE, executor=f"dask:{cluster.scheduler_address}", folder=tmp_path)
    assert told(solution) == told(nine)


def die_once(unit):
    """Solve a unit, except that whoever comes first ends his process in the middle."""
    mark = Path(unit.folder) / "died"
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        solve_unit(unit)
    else:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_changes_nothing(tmp_path, whole, small_units, monkeypatch):
    monkeypatch.setattr(encan_apart, "solve_unit", die_once)
    made = []

    def factory():
        made.append(ProcessPoolExecutor(1))
        return made[-1]

    assert told(solve(GAME, executor=factory, folder=tmp_path)) == told(whole)
    assert (tmp_path / "died").exists()
    assert len(made) == 2


def test_an_executor_that_always_breaks_is_an_error(tmp_path, small_units):
    class Broken(ThreadPoolExecutor):
        def submit(self, *_, **__):
            future = Future()
            future.set_exception(BrokenExecutor("gone"))
            return future

    with pytest.raises(SolveError, match="has broken down 21 times"):
        solve(GAME, executor=lambda: Broken(1), folder=tmp_path)


def test_a_unit_done_twice_does_no_harm(tmp_path, small_units):
    units = []

    class Keeping(ThreadPoolExecutor):
        def submit(self, task, unit):
            task(unit)
            units.append((unit, unit.path.read_bytes()))
            return super().submit(task, unit)

    solve(GAME, executor=lambda: Keeping(1), folder=tmp_path)
    last = max(unit.turns for unit, _ in units)
    for unit, data in units:
        if unit.turns == last and level_path(tmp_path, last - 1).exists():
            unit.path.write_bytes(data[:-1])
            solve_unit(unit)
            assert unit.path.read_bytes() == data


def test_unknown_executors_are_refused():
    with pytest.raises(ParameterError, match="executors are threads, processes, dask:ADDRESS"):
        solve(SMALL, executor="cloud")
    for workers in (0, -1):
        with (
            pytest.raises(ParameterError, match="at least one is needed"),
            executor_factory("processes", workers),
        ):
            pass


def test_a_missing_dask_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'cardgods\[dask\]'"):
        solve(SMALL, executor="dask:tcp://127.0.0.1:1")


# Stored solutions -------------------------------------------------------------------------------------------


def test_a_stored_solution_plays_as_the_fresh_one(tmp_path, rng):
    fresh = solve(SMALL)
    fresh.save(tmp_path / "small.cgs")
    stored = load_solution(tmp_path / "small.cgs")
    assert told(stored) == told(fresh)
    for _ in range(6):
        state = SMALL.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(rng))
                continue
            one, two = fresh.strategy(state), stored.strategy(state)
            assert one.value == pytest.approx(two.value, abs=1e-12)
            if state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(2)])
            else:
                state.apply_action(rng.choice(state.legal_actions()))


def test_only_the_top_is_stored(tmp_path, whole, monkeypatch):
    monkeypatch.setattr("cardgods.solve.encan_sweep.KEEP_BYTES", 10_000)
    solution = solve(GAME)
    solution.save(tmp_path / "top.cgs")
    assert (tmp_path / "top.cgs").stat().st_size < 30_000
    assert told(load_solution(tmp_path / "top.cgs")) == told(whole)


FLOORED = {
    "no Obole": {"cards": tuple(range(2, 10)), "target": 12, "obole": False},
    "Obole": {"cards": tuple(range(2, 9)), "target": 12, "obole": True},
    "no target": {"cards": tuple(range(2, 8)), "target": None, "obole": True},
    "points": {"variant": "goofspiel", "cards": tuple(range(1, 8)), "payoff": "points"},
    "halves": {"variant": "goofspiel", "cards": tuple(range(1, 8)), "payoff": "points", "tie": "split"},
    "in order": {"cards": tuple(range(2, 11)), "treasure_order": "descending", "obole": True},
}


@pytest.fixture
def low_floor(monkeypatch):
    """Small games keep as little as large ones do; the number of solutions that stood on a floor."""
    monkeypatch.setattr(encan_sweep, "KEEP_BYTES", 0)
    monkeypatch.setattr(encan_sweep, "FLOOR_BYTES", 100_000)
    monkeypatch.setattr(encan_sweep, "FLOOR_TURNS", 2)
    answers = []
    borrow = encan_sweep.EncanPlan.borrow

    def watched(self, whole):
        answers.append(borrow(self, whole))
        return answers[-1]

    monkeypatch.setattr(encan_sweep.EncanPlan, "borrow", watched)
    return answers


@pytest.mark.parametrize("options", FLOORED.values(), ids=FLOORED)
def test_live_solutions_stand_on_the_floor(tmp_path, rng, low_floor, options):
    game = cardgods.load_game("encan", **options)
    path = tmp_path / "game.cgs"
    solve(game).save(path)
    stored = load_solution(path)
    for _ in range(4):
        state = game.new_initial_state(turn_based=True)
        while not state.is_terminal():
            here, fresh = stored.strategy(state), solve(game, position=state).strategy(state)
            assert here.kind == fresh.kind
            assert here.value == pytest.approx(fresh.value, abs=1e-12)
            if here.worths is not None:
                for side, other in zip(here.worths, fresh.worths, strict=True):
                    assert side == pytest.approx(other, abs=1e-9)
            state.apply_action(rng.choice(state.legal_actions() or [a for a, _ in state.chance_outcomes()]))
    assert low_floor
    assert all(low_floor)


def test_a_position_that_no_play_leads_to_does_without_the_floor(tmp_path, low_floor):
    game = cardgods.load_game("encan", **FLOORED["no Obole"])
    path = tmp_path / "game.cgs"
    solve(game).save(path)
    odd = EncanPosition((range(3, 10), range(2, 9)), [2, 3, 4, 6, 7, 8], 5, (1, 0), burnt=([2], [9]))
    fresh = solve(game, position=odd)
    assert load_solution(path).strategy(odd).value == pytest.approx(fresh.value, abs=1e-12)
    assert low_floor == [False]


def test_a_resumed_run_keeps_the_floor(tmp_path, low_floor):
    game = cardgods.load_game("encan", **FLOORED["Obole"])
    for name, folder in (("one", None), ("two", tmp_path / "levels"), ("three", tmp_path / "levels")):
        solve(game, folder=folder).save(tmp_path / name)
    data = [(tmp_path / name).read_bytes() for name in ("one", "two", "three")]
    assert data[0] == data[1] == data[2]
    floor, _ = Container(tmp_path / "one").meta["floor"]
    assert (tmp_path / "levels" / level_path(tmp_path, floor).name).exists()


def test_a_loaded_solution_is_saved_with_its_floor(tmp_path, low_floor):
    game = cardgods.load_game("encan", **FLOORED["Obole"])
    solve(game).save(tmp_path / "one")
    load_solution(tmp_path / "one").save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_floor_that_does_not_fit_is_refused(tmp_path, low_floor):
    game = cardgods.load_game("encan", **FLOORED["Obole"])
    solve(game).save(tmp_path / "one")
    file = Container(tmp_path / "one")
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_actions([0, 1])
    floored = [name for name in file.names() if name.startswith("floor ")]
    assert len(floored) == 9
    for name in floored:
        sections = {other: [bytes(file.section(other))] for other in file.names()}
        for changed in (sections[name][0][:-8], b"\xff" * len(sections[name][0])):
            if name in ("floor values", "floor pasts") and len(changed) == len(sections[name][0]):
                continue  # any numbers would do there, which is why sections have checksums
            write_container(tmp_path / "two", file.meta, sections | {name: [changed]})
            with pytest.raises(SolveError, match="does not fit"):
                load_solution(tmp_path / "two").strategy(state)


def test_every_changed_byte_of_a_solution_is_found(tmp_path):
    game = cardgods.load_game("encan", cards=(1, 2, 3), target=4)
    path = tmp_path / "tiny.cgs"
    solve(game).save(path)
    data = path.read_bytes()
    wanted = told(load_solution(path))
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :])
        try:
            assert told(load_solution(path)) == wanted
        except SolveError:
            continue
        assert data[place] == 0, "only the padding between sections may go unseen"
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(SolveError):
            load_solution(path)


def test_a_file_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "other"
    write_container(path, {"kind": "level"}, {"values": [b"abc", b"def"]})
    assert bytes(Container(path).section("values")) == b"abcdef"
    with pytest.raises(SolveError, match="holds no solution of the Encan family"):
        load_solution(path)
    with pytest.raises(SolveError, match="has no part codes"):
        Container(path).section("codes")
    with pytest.raises(SolveError, match="cannot read"):
        load_solution(tmp_path / "none")


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "kept"
    write_container(path, {"number": 1}, {})

    def failing():
        yield b"x"
        raise OSError(28, "No space left on device")

    with pytest.raises(SolveError, match=r"cannot write .*: No space left on device"):
        write_container(path, {"number": 2}, {"values": failing()})
    assert Container(path).meta == {"number": 1}
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_worths_are_those_of_the_matrix(whole):
    """No card is worth more than the value against optimal play; those that are bid are worth just that."""
    state = GAME.new_initial_state()
    state.apply_action(4)
    strategy = whole.strategy(state)
    for player, sign in ((0, 1), (1, -1)):
        for card, worth in strategy.worths[player].items():
            assert sign * (worth - strategy.value) <= 1e-12
            if strategy.bids[player][card] > 1e-9:
                assert worth == pytest.approx(strategy.value, abs=1e-10)
    assert len(list(itertools.chain(*strategy.worths))) == 16
