"""Regret minimisation on trees and by samples, and linear programs."""

import doctest
import json
import math
import os
import signal
import stat
import threading
from array import array

import pytest
import slow_tree

import cardgods
import cardgods.solve.cfr
import cardgods.solve.general
import cardgods.solve.mccfr
from cardgods._core.search.cfr import PARTS, Minimiser
from cardgods._core.search.mccfr import Sampler
from cardgods._core.walk import Cancel
from cardgods.errors import MissingExtraError, ParameterError, SolveError
from cardgods.solve.cfr import ALGORITHMS, Algorithm, CfrSolver, algorithm_named, solve
from cardgods.solve.encan import solve as solve_encan
from cardgods.solve.explicit import Decision, End, ExplicitGame
from cardgods.solve.lp import solve_lp
from cardgods.solve.mccfr import SamplingSolver
from cardgods.solve.tree import best_responses, build_tree
from conftest import TESTS, label, small_games

ENCAN = json.loads((TESTS / "data" / "encan.json").read_text())["entries"]
TRONES = json.loads((TESTS / "data" / "trones.json").read_text())["nash"]
TINY_ENCAN = [e for e in ENCAN if len(e["cards"]) == 3 and "position" not in e]
SMALL_ENCAN = [
    e for e in ENCAN if "position" not in e and len(e["cards"]) == 4 and (not e["obole"] or e["target"] == 3)
]


def words(entry):
    return f"{entry['cards']},T={entry['target']},obole={entry['obole']}"


def encan_tree(entry):
    game = cardgods.load_game(
        "encan", cards=tuple(entry["cards"]), target=entry["target"], obole=entry["obole"]
    )
    return build_tree(game.new_initial_state())


def kuhn_tree(players=2):
    return build_tree(slow_tree.kuhn(players).new_initial_state())


# Against the definition in plain Python ---------------------------------------------------------------------


class SlowCfr:
    """Alternating counterfactual regret minimisation, written down from its definition."""

    def __init__(self, root, players, rule):
        self.root, self.players, self.rule = root, players, rule
        self.sets = {p: slow_tree.choices(root, p) for p in range(players)}
        self.regret = {key: [0.0] * n for sets in self.sets.values() for key, n in sets.items()}
        self.average = {key: [0.0] * len(regret) for key, regret in self.regret.items()}
        self.policy = {key: [1 / len(regret)] * len(regret) for key, regret in self.regret.items()}

    def gains(self, player):
        """Counterfactual gain of each action, and the player's own reach, by information set."""
        gains = {key: [0.0] * n for key, n in self.sets[player].items()}
        own = {}

        def visit(node, mine, others):
            if node.returns is not None:
                return node.returns[player]
            weights = node.chances if node.actor == -1 else slow_tree.probabilities(node, self.policy)
            acts = node.actor == player
            values = [
                visit(child, mine * (w if acts else 1), others * (1 if acts else w))
                for child, w in zip(node.children, weights, strict=True)
            ]
            here = sum(w * v for w, v in zip(weights, values, strict=True))
            if acts and node.key in gains:
                own[node.key] = mine
                for a, value in enumerate(values):
                    gains[node.key][a] += others * (value - here)
            return here

        visit(self.root, 1.0, 1.0)
        return gains, own

    def iterate(self, t):
        for player in range(self.players):
            gains, own = self.gains(player)
            for key, gain in gains.items():
                for a, x in enumerate(gain):
                    self.average[key][a] += t**self.rule.gamma * own[key] * self.policy[key][a]
                    regret = self.regret[key][a] + x
                    self.regret[key][a] = regret * kept(self.rule.alpha if regret > 0 else self.rule.beta, t)
                again = gain if self.rule.predictive else [0.0] * len(gain)
                positive = [max(0.0, r + x) for r, x in zip(self.regret[key], again, strict=True)]
                total = sum(positive)
                self.policy[key] = [x / total if total else 1 / len(gain) for x in positive]


def kept(exponent, t):
    if math.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return t**exponent / (t**exponent + 1)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("game", ["kuhn2", "kuhn3", "random1", "random2", "random3", "random4"])
def test_iterations_are_those_of_the_definition(algorithm, game):
    n = int(game[-1])
    state = (
        slow_tree.kuhn(n)
        if game.startswith("kuhn")
        else slow_tree.random_game(n, cardgods.Random(n + 3), spread=999_983)
    ).new_initial_state()
    tree = build_tree(state)
    solver = CfrSolver(tree, algorithm)
    slow = SlowCfr(slow_tree.grown(state), tree.players, ALGORITHMS[algorithm])
    for t in range(1, 7):
        solver.run(1)
        slow.iterate(t)
    current = solver.current_profile()
    for key, policy in slow.policy.items():
        assert current.get(tree.find(*key)) == pytest.approx(policy, abs=1e-11)
    for name, table in (("regret", slow.regret), ("average", slow.average)):
        for player in range(tree.players):
            _, first = tree.shape(player)
            values = doubles(solver._core.part(player, name))
            for k, number in enumerate(tree.sets_of(player)):
                wanted = table[player, tree.information_state(number)]
                assert list(values[first[k] : first[k + 1]]) == pytest.approx(wanted, abs=1e-11)


def doubles(data):
    values = array("d")
    values.frombytes(data)
    return values


# Convergence ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("algorithm", "iterations", "bound"), [
    ("cfr", 400, 4e-3), ("cfr+", 400, 4e-4), ("dcfr", 400, 6e-4), ("pcfr+", 400, 1e-6),
])  # fmt: skip
def test_kuhn_converges_to_its_value(algorithm, iterations, bound):
    solver = CfrSolver(kuhn_tree(), algorithm)
    solver.run(iterations)
    found = best_responses(solver.average_profile())
    assert found.exploitability < bound
    assert found.values[0] == pytest.approx(-1 / 18, abs=bound)


@pytest.mark.parametrize(
    "entry", TINY_ENCAN, ids=lambda e: f"{e['cards']},T={e['target']},obole={e['obole']}"
)
def test_sealed_bids_in_turn_are_worth_the_matrix_games(entry):
    """The tree has the bids in turn, the first hidden; the published values come from matrix games."""
    solution = solve(encan_tree(entry), target=1e-7)
    wanted = 2 * float(entry["value"]) - 1
    assert -solution.best.best[1] - 1e-12 <= wanted <= solution.best.best[0] + 1e-12
    assert solution.best.values[0] == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize(
    "entry", SMALL_ENCAN, ids=lambda e: f"{e['cards']},T={e['target']},obole={e['obole']}"
)
def test_four_cards_too(entry):
    solution = solve(encan_tree(entry), target=1e-4)
    wanted = 2 * float(entry["value"]) - 1
    assert -solution.best.best[1] - 1e-12 <= wanted <= solution.best.best[0] + 1e-12


@pytest.mark.parametrize(("ranks", "hand", "capacity"), [(1, 1, 1), (1, 2, 1), (1, 1, 2), (2, 1, 1)])
def test_hidden_hands_are_worth_what_was_published(ranks, hand, capacity):
    """The n highest ranks of the Trois Trônes deck; the values come from another program."""
    wanted = next(
        entry["value"]
        for entry in TRONES
        if (entry["ranks_count"], entry["hand"], entry["capacity"]) == (ranks, hand, capacity)
    )
    options = {"ranks": tuple(range(15 - ranks, 15)), "hand": hand, "capacity": capacity}
    tree = build_tree(cardgods.load_game("trones", **options).new_initial_state())
    solution = solve(tree, target=1e-5)
    assert -solution.best.best[1] - 1e-9 <= 2 * wanted - 1 <= solution.best.best[0] + 1e-9
    assert solution.best.values[0] == pytest.approx(2 * wanted - 1, abs=1e-5)


def test_goofspiel_is_worth_nothing_and_so_is_any_symmetric_game():
    for cards in (3, 4):
        tree = build_tree(slow_tree.goofspiel(cards).new_initial_state())
        assert solve(tree, target=1e-4).best.values[0] == pytest.approx(0, abs=1e-4)


def test_three_players_find_an_equilibrium_of_kuhn():
    """No theorem promises it; here it does, and the gains say so."""
    solver = CfrSolver(kuhn_tree(3), "cfr+")
    solver.run(2000)
    found = best_responses(solver.average_profile())
    assert max(found.gains) < 1e-3
    assert sum(found.values) == pytest.approx(0, abs=1e-12)


def test_solve_reports_and_gives_up():
    seen = []
    tree = kuhn_tree()
    solution = solve(tree, target=1e-3, algorithm="cfr+", progress=lambda *args: seen.append(args))
    assert solution.iterations == seen[-1][0]
    assert max(solution.best.gains) == seen[-1][1] <= 1e-3
    with pytest.raises(SolveError, match="after 30 iterations a player still gains"):
        solve(tree, target=1e-12, limit=30)


# The same whatever happens on the way -----------------------------------------------------------------------


def state_of(solver):
    return [solver._core.part(p, name) for p in range(solver.tree.players) for name in PARTS]


@pytest.fixture(scope="module")
def wide():
    """A tree that is cut into several units."""
    return build_tree(
        cardgods.load_game("encan", cards=(1, 2, 3, 4), target=6).new_initial_state(), memory=1 << 30
    )


def test_threads_change_nothing(wide):
    solvers = [CfrSolver(wide) for _ in range(3)]
    for threads, solver in enumerate(solvers, 1):
        solver.run(3, threads=threads)
        assert solver.iterations == 3
    assert state_of(solvers[0]) == state_of(solvers[1]) == state_of(solvers[2])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_snapshot_goes_on_as_if_nothing_had_been(algorithm, tmp_path):
    tree = kuhn_tree(3)
    whole = CfrSolver(tree, algorithm)
    whole.run(20)
    part = CfrSolver(tree, algorithm)
    part.run(7)
    part.save(tmp_path / "a")
    again = CfrSolver.load(tmp_path / "a", tree)
    again.run(13)
    assert state_of(again) == state_of(whole)
    again.save(tmp_path / "b")
    whole.save(tmp_path / "c")
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b", "c"]


def test_snapshots_of_games_are_taken_up_by_a_tree_built_again(tmp_path):
    solver = CfrSolver(encan_tree(TINY_ENCAN[0]))
    solver.run(5)
    solver.save(tmp_path / "a")
    again = CfrSolver.load(tmp_path / "a", encan_tree(TINY_ENCAN[0]))
    assert state_of(again) == state_of(solver)
    with pytest.raises(SolveError, match="belongs elsewhere: its game is encan"):
        CfrSolver.load(tmp_path / "a", encan_tree(TINY_ENCAN[1]))
    with pytest.raises(SolveError, match="its kind is cfr, not mccfr"):
        SamplingSolver.load(tmp_path / "a", encan_tree(TINY_ENCAN[0]).root)


def test_damage_to_a_snapshot_is_seen(tmp_path):
    solver = CfrSolver(encan_tree(TINY_ENCAN[0]))
    solver.save(tmp_path / "a")
    data = (tmp_path / "a").read_bytes()
    for at in range(0, len(data), 97):
        bad = bytearray(data)
        bad[at] ^= 4
        (tmp_path / "b").write_bytes(bad)
        with pytest.raises(SolveError, match=r"damaged|holds no solver state"):
            CfrSolver.load(tmp_path / "b", solver.tree)
    for size in (0, 5, 20, 60, len(data) - 1):
        (tmp_path / "b").write_bytes(data[:size])
        with pytest.raises(SolveError, match=r"damaged|holds no solver state"):
            CfrSolver.load(tmp_path / "b", solver.tree)
    with pytest.raises(SolveError, match="cannot read"):
        CfrSolver.load(tmp_path / "none", solver.tree)
    with pytest.raises(SolveError, match="cannot write"):
        solver.save(tmp_path / "none" / "a")


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    solver = CfrSolver(encan_tree(TINY_ENCAN[0]))
    solver.save(tmp_path / "a")
    before = (tmp_path / "a").read_bytes()
    solver.run(1)

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SolveError, match=r"cannot write .*: No space left on device"):
        solver.save(tmp_path / "a")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == before
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) & 0o077 == 0


def test_ctrl_c_leaves_a_state_that_goes_on(wide, tmp_path):
    solver = CfrSolver(wide)
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        solver.run(10**6, threads=2)
    assert 0 < solver._core.passes < 10**6
    done = solver.iterations + 1
    solver.run(1)
    whole = CfrSolver(wide)
    whole.run(done)
    assert state_of(solver) == state_of(whole)


def test_ctrl_c_in_solve_keeps_a_checkpoint(wide, tmp_path):
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        solve(wide, target=0.0, checkpoint=tmp_path / "a")
    taken = CfrSolver.load(tmp_path / "a", wide)
    assert taken._core.passes > 0
    with pytest.raises(SolveError, match="its algorithm is"):
        solve(wide, algorithm="cfr", checkpoint=tmp_path / "a")
    found = solve(wide, target=0.5, checkpoint=tmp_path / "a")
    assert max(found.best.gains) <= 0.5


def test_threads_that_never_start_do_not_hang(wide):
    cancel = Cancel()
    solver = CfrSolver(wide)
    crew = cardgods.solve.cfr.Crew(solver._core, 2, 2)
    cancel.set()
    crew.run(0, cancel)  # the other thread never comes
    assert solver._core.passes == 0
    crew.run(1, cancel)
    assert solver._core.passes == 0


def test_bad_parameters_are_named():
    with pytest.raises(ParameterError, match=r"unknown algorithm 'x': algorithms are cfr, cfr\+, dcfr"):
        CfrSolver(kuhn_tree(), "x")
    with pytest.raises(ParameterError, match=r"gamma -1\.0"):
        algorithm_named("dcfr", gamma=-1)
    with pytest.raises(ParameterError, match="not a number"):
        algorithm_named("dcfr", alpha=math.nan)
    assert algorithm_named("dcfr", beta=0.5) == Algorithm(1.5, 0.5, 2.0)
    with pytest.raises(ParameterError, match="-1 iterations"):
        CfrSolver(kuhn_tree()).run(-1)
    with pytest.raises(ParameterError, match="0 threads"):
        CfrSolver(kuhn_tree()).run(1, threads=0)


# Samples ----------------------------------------------------------------------------------------------------


def exact_gains(tree, strategies, passes):
    """The counterfactual regrets that one exact pass adds, under given strategies."""
    core = Minimiser(tree, math.inf, math.inf, 0.0, False)
    parts = []
    for player in range(tree.players):
        empty = bytes(8 * tree.sequences(player))
        parts += [empty, empty, array("d", strategies[player]).tobytes()]
    core.restore(passes, parts)
    cardgods.solve.cfr.Crew(core, 1, 1).run(0, Cancel())
    return doubles(core.part(passes % tree.players, "regret"))


def matched(regrets):
    positive = [max(0.0, r) for r in regrets]
    return [x / sum(positive) if sum(positive) else 1 / len(regrets) for x in positive]


@pytest.mark.parametrize(("players", "before"), [(2, 0), (2, 41), (3, 30), (3, 31), (3, 32)])
def test_sampled_regrets_are_the_exact_ones_on_average(players, before):
    state = slow_tree.kuhn(players).new_initial_state()
    tree = build_tree(state)
    base = Sampler(state, 5, 0.0, 1 << 24)
    base.run(before, Cancel())
    strategies = []
    for player in range(players):
        strategy = [1.0]
        for number in tree.sets_of(player):
            known = base.regrets(player, tree.information_state(number))
            strategy += matched(known or [0.0] * len(tree.actions(number)))
        strategies.append(strategy)
    player = before % players
    exact = exact_gains(tree, strategies, before)
    sets = [(tree.information_state(n), tree.actions(n)) for n in tree.sets_of(player)]
    old = [base.regrets(player, seen) or [0.0] * len(actions) for seen, actions in sets]
    parts, samples = base.dump(), 4000
    sums = [0.0] * len(exact)
    squares = [0.0] * len(exact)
    for seed in range(samples):
        one = Sampler(state, seed, 0.0, 1 << 24)
        one.restore(before, 0, parts)
        one.run(1, Cancel())
        s = 1
        for (seen, actions), was in zip(sets, old, strict=True):
            now = one.regrets(player, seen) or [0.0] * len(actions)
            for a in range(len(actions)):
                sums[s] += now[a] - was[a]
                squares[s] += (now[a] - was[a]) ** 2
                s += 1
    moved = 0
    for s in range(1, len(exact)):
        mean = sums[s] / samples
        error = math.sqrt(max(squares[s] / samples - mean**2, 0.0) / samples)
        assert abs(mean - exact[s]) <= 5 * error + 1e-9
        moved += abs(exact[s]) > 5 * error
    assert moved > 3


def test_samples_converge():
    state = slow_tree.goofspiel(3).new_initial_state()
    solver = SamplingSolver(state, seed=3)
    tree = build_tree(state)
    gaps = []
    for iterations in (100, 1900, 38_000):
        solver.run(iterations)
        gaps.append(best_responses(solver.profile(tree)).exploitability)
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 1e-3
    root = solver.root.clone()
    root.apply_action(0)
    told = solver.probabilities(root)
    assert list(told) == root.legal_actions()
    number = tree.find(0, root.information_state(0))
    assert list(told.values()) == pytest.approx(solver.profile(tree).get(number), abs=1e-12)
    assert set(solver.regrets(root)) == set(told)


@pytest.mark.parametrize(("name", "options"), small_games(), ids=label)
def test_samples_run_on_every_small_game(name, options):
    state = cardgods.load_game(name, **options).new_initial_state()
    solver = SamplingSolver(state, seed="small")
    solver.run(20)
    assert solver.nodes > 20 * state.num_players()
    assert solver.information_sets > 20
    rng = cardgods.Random(1)
    for _ in range(20):
        world = solver.root.clone()
        while not world.is_terminal():
            if world.is_chance_node():
                world.apply_action(world.sample_chance(rng))
                continue
            told = solver.probabilities(world)
            assert list(told) == world.legal_actions()
            assert sum(told.values()) == pytest.approx(1)
            world.apply_action(rng.choice([action for action, x in told.items() if x > 0]))


def test_the_strategy_where_no_sample_has_been_is_uniform():
    state = slow_tree.goofspiel(3).new_initial_state()
    solver = SamplingSolver(state)
    root = solver.root.clone()
    root.apply_action(2)
    assert solver.probabilities(root) == {0: 1 / 3, 1: 1 / 3, 2: 1 / 3}
    assert solver.regrets(root) is None
    assert best_responses(solver.profile(build_tree(state))).nash_conv == pytest.approx(4 / 3)


def test_samples_depend_on_seed_and_number_alone(tmp_path):
    state = cardgods.load_game("encan", "express").new_initial_state()
    whole, part, other = SamplingSolver(state, 4), SamplingSolver(state, 4), SamplingSolver(state, 5)
    whole.run(9)
    part.run(4)
    part.save(tmp_path / "a")
    part = SamplingSolver.load(tmp_path / "a", state, 4)
    part.run(5)
    assert part.nodes == whole.nodes
    assert part.information_sets == whole.information_sets > 1000
    assert part._core.dump() == whole._core.dump()
    part.save(tmp_path / "b")
    whole.save(tmp_path / "c")
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()
    other.run(9)
    assert other._core.dump() != whole._core.dump()
    with pytest.raises(SolveError, match="belongs elsewhere: its key"):
        SamplingSolver.load(tmp_path / "a", state, 5)
    with pytest.raises(SolveError, match="belongs elsewhere: its game is encan"):
        SamplingSolver.load(tmp_path / "a", cardgods.load_game("encan").new_initial_state(), 4)


def test_ctrl_c_between_samples_changes_nothing():
    state = cardgods.load_game("encan", cards=(1, 2, 3, 4)).new_initial_state()
    solver = SamplingSolver(state)
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        solver.run(10**9)
    solver.run(1)
    whole = SamplingSolver(state)
    whole.run(solver.iterations)
    assert whole._core.dump() == solver._core.dump()


def test_a_full_table_says_so_and_can_still_be_read():
    state = cardgods.load_game("encan").new_initial_state()
    solver = SamplingSolver(state, memory=500_000)
    with pytest.raises(SolveError, match=r"information sets after [\d,]+ samples fill the 0\.5 MB"):
        solver.run(10**6)
    assert solver._core.memory() < 2_000_000
    root = solver.root.clone()
    root.apply_action(0)
    assert sum(solver.probabilities(root).values()) == pytest.approx(1)


def test_sampling_refuses_what_it_cannot_do():
    state = slow_tree.kuhn(2).new_initial_state()
    with pytest.raises(ParameterError, match="gamma -1"):
        SamplingSolver(state, gamma=-1)
    with pytest.raises(ParameterError, match="-5 iterations"):
        SamplingSolver(state).run(-5)
    with pytest.raises(SolveError, match="the tree is of"):
        SamplingSolver(state).profile(kuhn_tree(3))


# Linear programs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "entry", TINY_ENCAN, ids=lambda e: f"{e['cards']},T={e['target']},obole={e['obole']}"
)
def test_programs_and_published_values_agree(entry):
    solution = solve_lp(encan_tree(entry))
    wanted = 2 * float(entry["value"]) - 1
    assert solution.value == pytest.approx(wanted, abs=1e-9)
    assert solution.best.exploitability < 1e-9


@pytest.mark.parametrize("options", [
    {"cards": (1, 2, 4), "target": 5},
    {"cards": (2, 3, 7), "target": None, "obole": False, "tie": "split", "payoff": "points"},
    {"cards": (1, 2, 3, 4), "target": None, "obole": False, "tie": "discard", "tie_break": "second",
     "treasure_order": "descending"},
    {"cards": (1, 3, 4), "target": None, "obole": False, "tie": "carry", "tie_break": "draw"},
])  # fmt: skip
def test_programs_and_the_solver_of_the_auction_family_agree(options):
    game = cardgods.load_game("encan", **options)
    exact = solve_encan(game).value
    wanted = exact if game.options.payoff == "points" else 2 * exact - 1
    solution = solve_lp(build_tree(game.new_initial_state()))
    assert solution.value == pytest.approx(wanted, abs=1e-9)
    assert solution.best.exploitability < 1e-9


def test_programs_certify_themselves_on_asymmetric_games():
    for seed in range(12):
        tree = build_tree(zero_sum(cardgods.Random(seed)).new_initial_state())
        solution = solve_lp(tree)
        assert solution.best.values[0] == pytest.approx(solution.value, abs=1e-9)
        assert solution.best.exploitability < 1e-9
        found = solve(tree, target=1e-5)
        assert found.best.values[0] == pytest.approx(solution.value, abs=1e-5)


def zero_sum(rng):
    def node(left):
        if left == 0:
            value = rng.below(9) - 4
            return End([value, -value])
        count = 2 + rng.below(2)
        return Decision(rng.below(2), (count, rng.below(3)), [node(left - 1) for _ in range(count)])

    return ExplicitGame(2, node(5))


def test_programs_refuse_other_games():
    with pytest.raises(SolveError, match="no two-player zero-sum game"):
        solve_lp(kuhn_tree(3))
    with pytest.raises(SolveError, match="no two-player zero-sum game"):
        solve_lp(build_tree(ExplicitGame(2, Decision(0, 0, [End([1, 1]), End([0, 0])])).new_initial_state()))


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "scipy.optimize", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'cardgods\[lp\]'"):
        solve_lp(kuhn_tree())


@pytest.mark.parametrize("module", [cardgods.solve.cfr, cardgods.solve.mccfr, cardgods.solve.general])
def test_examples(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
