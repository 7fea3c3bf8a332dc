"""Matches: the same deal for every rotation, the same match for any number of threads, failing agents."""

import pickle

import pytest

from cardgods import Random, load_game
from cardgods._core.autoplay import POLICY, UNIFORM, advance
from cardgods.agents import make_agent
from cardgods.arena import resume_match, run_match
from cardgods.arena.plan import Plan, entrants_of, rotations
from cardgods.arena.pool import outcomes
from cardgods.arena.referee import Referee
from cardgods.errors import AgentError, ParameterError, SolveError
from cardgods.log import ChanceOutcome, archive_entries, parse_log
from cardgods.play import TakeBack, play, play_unwatched
from conftest import games_with

SMALL = {
    "commerce": {"variant": "mini"},
    "eleusis": {"hand": 3, "rounds": 1, "rules": ("last.rank < rank",), "turn_cap": 20},
    "encan": {"variant": "express"},
    "trones": {"variant": "express"},
}


def small(name):
    options = dict(SMALL[name])
    return load_game(name, options.pop("variant", None), **options)


def plan_of(game, agents=None, games=6, seed="s"):
    entrants = entrants_of(agents or ["random"] * game.num_players())
    return Plan(game, entrants, rotations(len(entrants)), games, seed)


def logged(plan, threads=1, first=0):
    return list(outcomes(Referee(plan, logged=True), first, threads))


def draws(outcome):
    return [record.outcome for record in parse_log(outcome.log).records if isinstance(record, ChanceOutcome)]


@pytest.mark.parametrize("name", SMALL)
def test_all_rotations_play_the_same_deal(name):
    game = small(name)
    players = game.num_players()
    played = logged(plan_of(game, games=3 * players))
    deals = []
    for deal in range(3):
        drawn = [draws(outcome) for outcome in played[deal * players : (deal + 1) * players]]
        # How much is drawn depends on the play, in what order does not.
        shortest = min(map(len, drawn))
        assert shortest > 0
        assert len({tuple(cards[:shortest]) for cards in drawn}) == 1
        deals.append(tuple(drawn[0][:4]))
    assert len(set(deals)) > 1, "every deal was the same"


@pytest.mark.parametrize("name", SMALL)
def test_everybody_sits_on_every_seat_once_a_deal(name):
    game = small(name)
    players = game.num_players()
    result = run_match(game, ["random"] * players, 2 * players, seed=1)
    for standing in result.standings:
        assert [seat.games for seat in standing.by_seat] == [2] * players
    assert result.deals == 2


def test_what_a_game_leaves_open_is_settled_for_each_deal(tmp_path):
    options = {"players": 3, "players_min": 3, "hand": 3, "rounds": 2, "rules": ("ai", "odd"), "turn_cap": 10}
    game = load_game("eleusis", **options)
    path = tmp_path / "match"
    result = run_match(game, ["greedy", "random", "random"], 9, seed=1, log=path, threads=2)
    rules = [parse_log(entry.data).header.options["rules"] for entry in archive_entries(path)]
    assert all(len(pair) == 2 and pair[1] == "odd" for pair in rules)
    assert [rules[at : at + 3] == [rules[at]] * 3 for at in (0, 3, 6)] == [True] * 3
    assert len({pair[0] for pair in rules} - {"ai"}) == 3
    assert result.game == game
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert resume_match(path) == result
    assert path.read_bytes() == whole
    assert result == run_match(game, ["greedy", "random", "random"], 9, seed=1)


def test_the_agents_of_a_deal_draw_other_numbers_in_every_game():
    plan = plan_of(small("encan"), games=40)
    seeds = [seed for number in range(40) for seed in (*plan.seat_seeds(number), plan.deal_seed(number))]
    assert len(set(seeds)) == 2 * 40 + 20  # a deal's seed comes twice
    # Two random agents do not repeat the game with changed seats.
    pairs = run_match(plan.game, ["random", "random"], 400, seed=2).duels[0].pairs
    assert pairs[0] > 0
    assert pairs[4] > 0


def test_a_seed_of_an_agent_s_own_changes_its_play_and_nothing_else():
    game = small("trones")
    own = logged(plan_of(game, ["random:seed=5", "random"]))
    other = logged(plan_of(game, ["random:seed=6", "random"]))
    for one, two in zip(own, other, strict=True):
        shared = min(len(draws(one)), len(draws(two)))
        assert draws(one)[:shared] == draws(two)[:shared]
    assert [outcome.log for outcome in own] != [outcome.log for outcome in other]
    assert run_match(game, ["random:seed=5", "random"], 2, seed=1).standings[0].name == "random 1"


@pytest.mark.parametrize("name", SMALL)
def test_unwatched_games_are_those_of_the_game_loop(name):
    game = small(name)
    for kind in ("random", "greedy"):
        agents = [make_agent(kind, game)] + [make_agent("random", game)] * (game.num_players() - 1)
        for number in range(5):
            rngs = [Random(number, player) for player in range(len(agents))]
            watched, unwatched = (game.new_initial_state(turn_based=True) for _ in range(2))
            play(watched, agents, Random(number), agent_rngs=rngs)
            play_unwatched(unwatched, agents, Random(number), rngs)
            assert unwatched.full_history() == watched.full_history()
            assert unwatched.is_terminal()


def test_the_core_needs_a_heuristic_to_play_it():
    state = small("encan").new_initial_state(turn_based=True)
    with pytest.raises(SolveError, match="no quick heuristic"):
        advance(state, [POLICY, UNIFORM], [Random(0).key] * 3, [0, 0, 0])
    assert len(state) == 0


@pytest.mark.parametrize("name", SMALL)
def test_threads_change_nothing(name):
    game = small(name)
    plan = plan_of(game, games=4 * game.num_players() + 1)
    one, two = logged(plan), logged(plan, threads=2)
    assert one == two
    assert logged(plan, threads=2, first=3) == one[3:]
    assert len(one) == plan.games


def test_factories_play_on_threads():
    game = small("encan")
    plan = plan_of(game, [Lowest, "greedy"], games=30)
    assert logged(plan) == logged(plan, threads=3)
    assert [entrant.name for entrant in plan.entrants] == ["Lowest", "greedy"]


class Lowest:
    def __init__(self, game):
        self.game = game

    def choose(self, state, player, rng):
        return state.legal_actions(player)[0]


class Failing(Lowest):
    """Fails in the third game, at its second decision."""

    games = 0

    def choose(self, state, player, rng):
        decisions = [actor for actor, _ in state.full_history()].count(player)
        self.games += decisions == 0
        return self.fail(state) if self.games == 3 and decisions == 1 else super().choose(state, player, rng)

    def fail(self, state):
        raise ValueError("no idea \ud800 \x1b[2J")


class Illegal(Failing):
    def fail(self, state):
        return 77


class TakesBack(Failing):
    def fail(self, state):
        raise TakeBack(1)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (Failing, "failed: ValueError: no idea"),
        (Illegal, "chose 77, which is not legal"),
        (TakesBack, "as no agent may here"),
    ],
)
def test_an_agent_that_fails_ends_the_match_and_is_named(agent, words):
    game = small("encan")
    played = logged(plan_of(game, [agent, "greedy"]))
    assert [outcome.failure is None for outcome in played] == [True, True, False]
    assert played[2].failure.startswith(f"game 2 (deal 1, seed s/1), seat 0 ({agent.__name__}): the agent of")
    assert words in played[2].failure
    unfinished = parse_log(played[2].log)
    assert not unfinished.complete
    assert unfinished.header.free["_stopped"] == played[2].failure
    assert len(unfinished.records) == 4  # a card, two bids, another card
    with pytest.raises(AgentError, match=r"game 2 .*seat 0") as error:
        run_match(game, [agent, "greedy"], 6, seed="s")
    assert error.value.exit_code == 7
    with pytest.raises(AgentError, match="game"):
        run_match(game, [agent, "greedy"], 60, seed="s", threads=2)


@pytest.mark.parametrize(("name", "options"), games_with())
def test_games_go_to_other_processes_as_they_are(name, options):
    game = load_game(name, **options)
    game.new_initial_state()  # whatever was compiled stays here
    back = pickle.loads(pickle.dumps(game))
    assert back == game
    assert back.variant == game.variant
    assert back.ruleset_digest() == game.ruleset_digest()


def test_a_process_that_dies_is_an_agent_s_failure(monkeypatch):
    monkeypatch.setattr("cardgods.arena.pool.sys.executable", "/bin/false")
    with pytest.raises(AgentError, match=r"games 0 to 0 has died \(exit code 1\)"):
        run_match(small("encan"), ["greedy", "random"], 4, threads=2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"agents": ["greedy"]}, "has 2 players, 1 agents are given"),
        ({"agents": ["greedy", "clever"]}, "unknown agent 'clever'"),
        ({"agents": ["greedy", "random:size=2"]}, "no parameter 'size'"),
        ({"agents": ["greedy", "human"]}, "unknown agent 'human'"),
        ({"game": load_game("eleusis", rules=("ask",)), "agents": ["random"] * 5}, "option rules"),
        ({"game": load_game("commerce", trade_cap=0), "agents": ["random"] * 3}, "can go on for ever"),
        ({"games": 0}, "0 games: from 1"),
        ({"games": 2.5}, "2.5 games"),
        ({"threads": 0}, "0 threads"),
        ({"seed": 1.5}, "an integer or a text"),
        ({"seed": "x" * 201}, "at most 200"),
        ({"seed": 10**200}, "at most 200 digits"),
        ({"seed": "\ud800"}, "lone surrogate"),
        ({"names": ["one"]}, "as many names"),
        ({"names": ["one", "one"]}, "all different"),
        ({"names": ["one", "x" * 5000]}, "at most 4096"),
    ],
)
def test_what_is_wrong_is_named_and_leaves_no_file(change, words, tmp_path):
    path = tmp_path / "match"
    values = {"game": small("encan"), "agents": ["greedy", "random"], "games": 2, "log": path, **change}
    with pytest.raises(ParameterError, match=words):
        run_match(**values)
    assert not path.exists()


def test_a_drawn_seed_is_told_and_plays_the_same_match_again():
    game = small("encan")
    first = run_match(game, ["random", "random"], 50)
    assert run_match(game, ["random", "random"], 50, seed=first.seed) == first
    assert run_match(game, ["random", "random"], 50) != first


def test_progress_is_told_of_every_game():
    told = []
    run_match(small("encan"), ["greedy", "random"], 5, seed=1, progress=lambda *at: told.append(at))
    assert told == [(n, 5) for n in range(1, 6)]
