"""Analysis: exact where it says so, by what the player knew, with luck that adds up."""

import itertools
import json
import math

import pytest

import cardgods
from cardgods import Random, load_game
from cardgods._core.games.commerce_quick import QuickPlay
from cardgods._core.walk import Cancel, playouts
from cardgods.agents import make_agent
from cardgods.analysis import Candidate, Decision, analyze
from cardgods.analysis.engine import events_of
from cardgods.analysis.judge import Judge, judge_for
from cardgods.analysis.sidecar import read_notes, write_analysis
from cardgods.errors import CardgodsError, ParameterError, SolveError
from cardgods.log import LogBuffer, Move, Seat, make_header, parse_log
from cardgods.play import TakeBack, play, since_last_decision
from cardgods.solve.encan import position_of, solve
from cardgods.solve.trones import at_state, deck_from_seed, solve_deal

WINS = {"cards": (2, 3, 4, 5, 6), "target": 11, "obole": True}
POINTS = {"variant": "goofspiel", "cards": (1, 2, 3, 4, 5), "payoff": "points"}
HALVES = {"variant": "goofspiel", "cards": (1, 2, 4, 5), "payoff": "points", "tie": "split"}
SMALL_TRONES = {"variant": "express"}


def played(game, agents, seed=1):
    """The log of a game between agents."""
    seats = [Seat(f"{agent} {i}", "agent", agent) for i, agent in enumerate(agents)]
    log = LogBuffer(make_header(game, seats, seed=seed))
    play(game.new_initial_state(turn_based=True), [make_agent(a, game) for a in agents], Random(seed), log)
    return parse_log(log.getvalue())


def states(log, game):
    """(event, state before it) for every event that stands."""
    state = game.new_initial_state(turn_based=True)
    for event in events_of(log):
        yield event, state.clone()
        state.apply_action(event.action)


@pytest.mark.parametrize("options", [WINS, POINTS, HALVES], ids=["wins", "points", "halves"])
@pytest.mark.parametrize("seed", range(4))
def test_luck_and_losses_of_a_solved_game_make_the_result(options, seed):
    game = load_game("encan", **options)
    found = analyze(played(game, ["greedy", "random"], seed))
    first, second = found.seats
    assert found.value == pytest.approx(solve(game).value, abs=1e-12)
    assert all(decision.exact for decision in found.decisions)
    assert first.result == pytest.approx(found.value + first.luck - first.loss + second.loss, abs=1e-9)
    whole = 1 if found.unit == "wins" else 0
    assert first.result + second.result == pytest.approx(whole, abs=1e-12)
    assert first.luck == pytest.approx(-second.luck, abs=1e-12)
    assert first.luck_error == 0


def test_every_decision_of_a_solved_game_is_that_of_a_fresh_solution():
    game = load_game("encan", **WINS)
    log = played(game, ["random", "greedy"], 3)
    judged = {decision.step: decision for decision in analyze(log).decisions}
    kinds = set()
    for event, state in states(log, game):
        if event.step not in judged:
            continue
        position = position_of(state)
        strategy = solve(game, position=position).strategy(position)
        kinds.add(strategy.kind)
        if strategy.kind == "bid":
            worths = {game.options.cards.index(c): x for c, x in strategy.worths[event.actor].items()}
        else:
            worths = {len(game.options.cards) + (word == "call"): x for word, x in strategy.values.items()}
        if event.actor:
            worths = {action: 1 - worth for action, worth in worths.items()}
        for move in judged[event.step].moves:
            assert move.worth == pytest.approx(worths[move.action], abs=1e-9)
        assert judged[event.step].loss == pytest.approx(max(worths.values()) - worths[event.action], abs=1e-9)
    assert kinds == {"bid", "window"}


def test_optimal_play_loses_nothing():
    found = analyze(played(load_game("encan", **WINS), ["exact", "exact"], 5))
    assert found.decisions
    assert [seat.loss for seat in found.seats] == pytest.approx([0, 0], abs=1e-9)
    assert not any(decision.mark for decision in found.decisions)


def test_the_luck_of_all_first_treasures_cancels():
    game = load_game("encan", **POINTS)
    gains = []
    for treasure in range(5):
        log = LogBuffer(make_header(game, [Seat("a", "human"), Seat("b", "human")]))
        state = game.new_initial_state(turn_based=True)
        log.append(-1, treasure)
        state.apply_action(treasure)
        (luck,) = analyze(parse_log(log.getvalue())).luck
        gains.append(luck.gains[0])
    assert any(gains)
    assert math.fsum(gains) == pytest.approx(0, abs=1e-12)


def test_a_game_too_large_to_solve_is_searched_until_it_is_not():
    log = played(load_game("encan"), ["greedy", "greedy"], 2)
    found = analyze(log)
    assert found.value is None
    exact = [decision.exact for decision in found.decisions]
    assert exact == sorted(exact)
    assert not exact[0]
    assert found.luck[0].errors[0] > 0


def test_playouts_agree_with_the_expectation_of_uniform_play():
    game = load_game("encan", variant="goofspiel", cards=(1, 2, 3), payoff="points")

    def expected(state):
        if state.is_terminal():
            return state.returns()[0]
        if state.current_player() == -1:
            return sum(p * expected(state.child(a)) for a, p in state.chance_outcomes())
        legal = state.legal_actions()
        return sum(expected(state.child(action)) for action in legal) / len(legal)

    state = game.new_initial_state(turn_based=True)
    for action in (1, 2, 0):
        state.apply_action(action)
    values, errors = Judge(game, b"key").sampled(state)
    assert errors[0] > 0
    assert abs(values[0] - expected(state)) < 5 * errors[0]
    assert values[0] == pytest.approx(-values[1])


@pytest.mark.parametrize("seed", [1, 2])
def test_given_away_is_what_the_open_cards_say(seed):
    game = load_game("trones", **SMALL_TRONES)
    log = played(game, ["random", "random"], seed)
    deck = deck_from_seed(game, seed)
    judged = {decision.step: decision for decision in analyze(log, players=[0, 1]).decisions}
    verdicts = set()
    for event, state in states(log, game):
        if event.step not in judged:
            continue
        drawn = sum(e.actor == -1 for e in events_of(log) if e.step < event.step)
        before = solve_deal(at_state(state, deck[drawn:]), line=False).winner
        child = state.child(event.action)
        after = (
            child.returns().index(1.0)
            if child.is_terminal()
            else solve_deal(at_state(child, deck[drawn:]), line=False).winner
        )
        assert judged[event.step].gave_away == (before == event.actor != after)
        verdicts.add(judged[event.step].gave_away)
    assert verdicts == {True, False}


def test_cards_that_nobody_saw_leave_it_open_what_was_given_away():
    game = load_game("trones", **SMALL_TRONES)
    log = played(game, ["greedy", "random"], 4)
    known = analyze(log)
    begun = LogBuffer(make_header(game, log.header.seats))
    for event in events_of(log)[:20]:
        begun.append(event.actor, event.action)
    unknown = analyze(parse_log(begun.getvalue()))
    assert not unknown.complete
    assert None not in [decision.gave_away for decision in known.decisions]
    pairs = list(zip(known.decisions, unknown.decisions, strict=False))
    assert all(b.gave_away in (None, a.gave_away) for a, b in pairs)
    assert None in [b.gave_away for _, b in pairs]


@pytest.mark.parametrize("name", ["trones", "commerce", "encan"])
def test_what_is_hidden_changes_no_worth(name):
    game = load_game(name) if name != "encan" else load_game("encan", **WINS)
    players = game.num_players()
    log = played(game, ["greedy"] + ["random"] * (players - 1), 6)
    judge = judge_for(game, log)
    looked = 0
    for event, state in states(log, game):
        if event.actor < 0 or len(state.legal_actions()) == 1 or looked == 6:
            continue
        looked += 1
        here = judge.candidates(state, event.actor)
        other = state.resample(event.actor, Random(looked))
        assert judge.candidates(other, event.actor) == here
    assert looked == 6


def test_verdicts_of_eleusis_are_counted_against_their_chances():
    game = load_game("eleusis", players=5, rounds=1, rules=["alternate-colours"])
    log = played(game, ["ai", "greedy", "greedy", "random", "random"], 2)
    found = analyze(log, players=[0])
    verdicts = claims = 0
    for event, state in states(log, game):
        if event.actor < 0:
            continue
        before, now = state.view(), state.child(event.action).view()
        longer = len(now["table"]) > len(before["table"])
        verdicts += longer and now["table"][-1]["kind"] in ("right", "wrong")
        claims += before["phase"] == "turn" and event.action == 53
    assert found.unit == "right"
    assert found.seats[0].result is None
    assert len(found.luck) == verdicts + claims
    for luck in found.luck:
        (gain,) = [gain for gain in luck.gains if gain] or [0.0]
        assert -1 <= gain <= 1
    assert any(luck.gains[0] for luck in found.luck)


class Undoing:
    """Takes its second decision back once."""

    def __init__(self, agent):
        self.agent, self.done, self.count = agent, False, 0

    def choose(self, state, player, rng):
        self.count += 1
        if self.count == 3 and not self.done:
            self.done = True
            raise TakeBack(since_last_decision(state, player))
        return self.agent.choose(state, player, rng)


def test_what_was_taken_back_is_left_out_and_steps_count_it():
    game = load_game("encan", **WINS)
    log = LogBuffer(make_header(game, [Seat("a", "human"), Seat("b", "human")], seed=1))
    agents = [Undoing(make_agent("greedy", game)), make_agent("greedy", game)]
    play(game.new_initial_state(turn_based=True), agents, Random(1), log)
    log = parse_log(log.getvalue())
    found = analyze(log)
    moves = {n: r for n, r in enumerate(log.records, 1) if isinstance(r, Move)}
    assert len(found.decisions) < len(moves)
    for decision in found.decisions:
        assert moves[decision.step] == Move(decision.player, decision.action)


def test_one_seat_alone():
    log = played(load_game("encan", **WINS), ["greedy", "random"], 1)
    both, one = analyze(log), analyze(log, players=[1])
    assert [seat.player for seat in one.seats] == [1]
    assert one.decisions == tuple(d for d in both.decisions if d.player == 1)
    assert one.luck == both.luck
    with pytest.raises(ParameterError, match="no player 2"):
        analyze(log, players=[2])


@pytest.mark.parametrize(("name", "variant"), [("trones", "express"), ("commerce", "standard")])
def test_the_same_log_gives_the_same_analysis(name, variant):
    game = load_game(name, variant)
    log = played(game, ["greedy"] * game.num_players(), 8)
    assert analyze(log) == analyze(log)


def decision(losses, errors=None, unit="wins"):
    errors = errors or [0.0] * len(losses)
    moves = tuple(Candidate(i, 0.9 - loss, e) for i, (loss, e) in enumerate(zip(losses, errors, strict=True)))
    return Decision(1, 0, len(losses) - 1, "", "", moves, "", unit)


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0, ""), (0.019, ""), (0.02, "?!"), (0.05, "?"), (0.099, "?"), (0.1, "??"), (0.8, "??")],
)
def test_marks(loss, mark):
    assert decision([0, loss]).mark == mark
    for unit in ("points", "right"):
        assert decision([0, 5 * loss], unit=unit).mark == mark


def test_an_uncertain_loss_is_marked_by_what_is_sure_of_it():
    assert decision([0, 0.12], [0.03, 0.04]).mark == "?!"
    assert decision([0, 0.12], [0.03, 0.04]).error == pytest.approx(0.05)
    assert decision([0, 0.12], [None, None]).error is None
    assert decision([0, 1e-14]).best.action == 1
    assert decision([0, 1e-14]).error == 0


def test_a_view_and_another_game_s_solution_are_refused(tmp_path):
    log = played(load_game("encan", **WINS), ["greedy", "random"], 1)
    path = tmp_path / "other.cgs"
    solve(load_game("encan", **POINTS)).save(path)
    with pytest.raises(ParameterError, match="holds the solution of"):
        analyze(log, stored=str(path))
    with pytest.raises(SolveError):
        analyze(log, stored=str(tmp_path / "missing"))
    solve(load_game("encan", **WINS)).save(path)
    assert analyze(log, stored=str(path)) == analyze(log)
    with pytest.raises(CardgodsError, match="view"):
        analyze(parse_log(cardgods.log.derive(log, 0)))


def test_progress_goes_to_its_end():
    log = played(load_game("encan", **WINS), ["greedy", "random"], 1)
    calls = []
    analyze(log, progress=lambda done, total: calls.append((done, total)))
    assert [done for done, _ in calls] == list(range(1, len(events_of(log)) + 1))
    assert {total for _, total in calls} == {len(events_of(log))}


# The file beside the log ------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    log = played(load_game("encan", **WINS), ["random", "random"], 1)
    path = tmp_path / "kept.json"
    analysis = analyze(log)
    write_analysis(path, analysis)
    return log, path, analysis


def test_an_analysis_is_kept_and_read_again(kept):
    log, path, analysis = kept
    assert path.stat().st_mode & 0o077 == 0
    notes = read_notes(path, log)
    assert list(notes) == [decision.step for decision in analysis.decisions]
    for decided in analysis.decisions:
        note = notes[decided.step]
        assert (note.player, note.action, note.mark) == (decided.player, decided.action, decided.mark)
        assert note.best == decided.best.action
        assert note.loss == decided.loss


def test_a_note_of_another_log_is_refused(kept):
    _, path, _ = kept
    other = played(load_game("encan", **WINS), ["random", "random"], 2)
    with pytest.raises(ParameterError, match="another game"):
        read_notes(path, other)


DAMAGES = {
    "loss": [-1, None, "1e999", float("inf"), 10**400],
    "mark": ["!!", 3, None, ["?"]],
    "step": [-1, True, 1.5, 1 << 40, None],
    "best": ["1", None, 1 << 31],
    "player": [[], {}, -2],
    "gave_away": ["yes", 7],
}


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, values in DAMAGES.items() for v in values])
def test_a_damaged_file_is_refused(kept, field, value):
    log, path, _ = kept
    record = json.loads(path.read_text())
    record["decisions"][0][field] = value
    path.write_text(json.dumps(record))
    with pytest.raises(ParameterError, match="damaged"):
        read_notes(path, log)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff\xfe", b"[" * 200_000, b'{"format": "x"}'])
def test_what_is_no_analysis_is_refused(kept, tmp_path, data):
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(ParameterError, match="no analysis"):
        read_notes(path, kept[0])
    with pytest.raises(SolveError, match="cannot read"):
        read_notes(tmp_path, kept[0])


# What the core gained for it --------------------------------------------------------------------------------


def test_quick_playouts_follow_the_heuristic():
    game = load_game("trones", **SMALL_TRONES)
    state = game.new_initial_state(turn_based=True)
    greedy = make_agent("greedy", game)
    games = 400
    wins = sum(
        play(state.clone(), [greedy, make_agent("random", game)], Random(k)).returns()[0] > 0
        for k in range(games)
    )
    assert wins > 0.9 * games
    _, sums, won = playouts(state, 4000, Random(1), Cancel(), quick=True)
    assert sums[0] == -sums[1]
    assert won[0] + won[1] == 4000
    assert abs(won[0] / 4000 - 0.5) < 0.05
    _, uniform, _ = playouts(state, 4000, Random(1), Cancel())
    assert uniform != sums
    with pytest.raises(ValueError, match="no quick heuristic"):
        playouts(load_game("encan").new_initial_state(turn_based=True), 1, Random(1), Cancel(), quick=True)


def test_values_of_quick_play_are_those_of_its_matches():
    state = load_game("commerce").new_initial_state(turn_based=True)
    quick = QuickPlay(state, 0.3)
    found = quick.values(state, 500, Random(3), Cancel())
    assert found[0][0] * 500 == pytest.approx(quick.match(state, quick, 0, 500, Random(3), Cancel()))
    assert math.fsum(mean for mean, _ in found) == pytest.approx(0, abs=1e-9)
    totals = [quick.match(state, quick, 0, 1, Random(k), Cancel()) for k in range(2000)]
    spread = math.sqrt(sum(t * t for t in totals) / len(totals) - (sum(totals) / len(totals)) ** 2)
    assert found[0][1] == pytest.approx(spread / math.sqrt(499), rel=0.15)
    with pytest.raises(ValueError, match="2 games"):
        quick.values(state, 1, Random(1), Cancel())


def test_every_game_has_a_judge_that_can_say_what_it_says(name):
    game = load_game(name)
    log = played(load_game(name), ["random"] * game.num_players(), 1)
    judge = judge_for(game, log)
    states_seen = itertools.islice(states(log, game), 40)
    for event, state in states_seen:
        if event.actor >= 0 and len(state.legal_actions()) > 1:
            found = judge.candidates(state, event.actor)
            if found:
                assert {move.action for move in found[0]} <= set(state.legal_actions())
                worths = [move.worth for move in found[0]]
                assert worths == sorted(worths, reverse=True)
