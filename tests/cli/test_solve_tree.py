"""cardgods solve tree: counts, methods, refusals, limits, checkpoints, profiles."""

import json

import pytest
from running import cardgods, refused

import cardgods as library
from cardgods.errors import SolveError
from cardgods.solve.explicit import Decision, End, ExplicitGame
from cardgods.solve.general import METHODS, solve
from cardgods.solve.tree import Profile, best_responses, build_tree, count_tree
from cardgods_cli.solve import tree as command

TINY = ("--cards", "1-3", "--target", 4, "--no-obole")
GAME = library.load_game("encan", cards=(1, 2, 3), target=4, obole=False)
VALUE = 2 * 17 / 72 - 1


def found(*words, code=0):
    result = cardgods("solve", "tree", "encan", *TINY, "--json", *words)
    assert result.code == code, result
    return json.loads(result.out)


def test_the_methods_are_those_of_the_library():
    assert sorted(command.METHODS) == sorted(METHODS)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_comes_to_the_value(method):
    target = 0.02 if method in ("mccfr", "cfr") else 1e-4
    record = found("--method", method, "--gain", target)
    assert record["reached"] is True
    assert max(record["gains"]) <= target
    low, high = record["bounds"]
    assert low - 1e-9 <= VALUE <= high + 1e-9
    assert record["values"][0] == pytest.approx(VALUE, abs=2 * target)
    assert record["exploitability"] == pytest.approx(sum(record["gains"]) / 2)
    assert record["information_sets"] == list(count_tree(GAME.new_initial_state()).information_sets)


def test_counting_is_all_that_is_asked():
    result = cardgods("solve", "tree", "encan", *TINY, "--count")
    size = count_tree(GAME.new_initial_state())
    assert result.code == 0
    assert f"{size.histories:,} histories, {size.terminals:,} ends" in result.out
    assert found("--count")["memory"] == size.memory() + size.solver_memory()
    assert "gains" not in found("--count")


def test_words_for_people():
    out = cardgods("solve", "tree", "encan", *TINY, "--gain", 0.001).out
    assert "iterations of pcfr+: returns, and with an exact best response" in out
    low, high = (float(word) for word in out.partition("is between ")[2].split(".\n")[0].split(" and "))
    assert low <= VALUE <= high <= low + 0.002


def test_what_does_not_fit_is_refused_with_its_counts():
    words = ("solve", "tree", "encan", "--cards", "1-4", "--target", "none", "--no-obole")
    assert "4,000 histories, " in refused(2, *words, "--histories", 4000).replace("4,001", "4,000")
    assert "MB, the limit is 0.1 MB: " in refused(2, *words, "--memory", 0.0001)
    assert "more than 1,000 histories" in refused(2, "solve", "tree", "eleusis", "--histories", 1000)


def test_a_limit_leaves_a_partial_result_and_says_so():
    record = found("--iterations", 10, "--gain", 0, code=8)
    assert record["reached"] is False
    assert record["iterations"] == 10
    assert max(record["gains"]) > 0
    out = cardgods("solve", "tree", "encan", *TINY, "--iterations", 10, "--gain", 0).out
    assert "The wanted gain of 0 at most was not reached." in out


@pytest.mark.parametrize("method", ["dcfr", "mccfr"])
def test_a_checkpoint_goes_on_as_if_nothing_had_been(method, tmp_path):
    file = ("--checkpoint", tmp_path / "state", "--method", method, "--gain", 0)
    found(*file, "--iterations", 20, code=8)
    part = found(*file, "--iterations", 45, code=8)
    whole = found("--method", method, "--gain", 0, "--iterations", 45, code=8)
    assert part["iterations"] == 45
    assert part["gains"] == whole["gains"]
    assert "belongs elsewhere" in refused(
        2, "solve", "tree", "encan", *TINY, "--method", "cfr", "--checkpoint", tmp_path / "state"
    )
    assert "nothing to keep" in refused(
        2, "solve", "tree", "encan", *TINY, "--method", "lp", "--checkpoint", tmp_path / "state"
    )


def test_the_written_profile_is_the_one_that_was_measured(tmp_path):
    record = found("--profile", tmp_path / "profile.jsonl")
    tree = build_tree(GAME.new_initial_state())
    profile = Profile(tree)
    rows = [json.loads(line) for line in (tmp_path / "profile.jsonl").read_text().splitlines()]
    for row in rows:
        state = tree.root.clone()
        for action in row["history"]:
            state.apply_action(action)
        assert state.current_player() == row["player"]
        assert list(map(int, row["actions"])) == state.legal_actions()
        number = tree.find(row["player"], state.information_state(row["player"]))
        profile.set(number, list(row["actions"].values()))
    assert len(rows) == len(tree)
    assert list(best_responses(profile).gains) == pytest.approx(record["gains"], abs=1e-12)


def test_bad_parameters_are_named():
    with pytest.raises(library.ParameterError, match=r"unknown method 'x': methods are cfr, cfr\+"):
        solve(GAME, "x")
    with pytest.raises(library.ParameterError, match="target nan"):
        solve(GAME, target=float("nan"))
    with pytest.raises(library.ParameterError, match="limit 0"):
        solve(GAME, limit=0)
    with pytest.raises(SolveError, match="no two-player zero-sum game"):
        solve(ExplicitGame(3, Decision(0, "start", [End([1, 0, 0]), End([0, 1, 1])])), "lp")


def test_what_no_theorem_covers_is_only_measured():
    game = ExplicitGame(3, Decision(0, "start", [End([1, 0, 0]), End([0, 1, 1])]))
    solution = solve(game)
    assert solution.bounds is None
    assert solution.best.values == pytest.approx((1, 0, 0), abs=1e-4)
