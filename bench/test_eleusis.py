"""Eleusis in the core: random rounds, every one of them audited too; worlds; a deducing seeker."""

import pytest

import cardgods
from cardgods import Random
from cardgods._core.games.eleusis_audit import audit
from cardgods.agents import make_agent
from cardgods.play import play
from cardgods.rule import library
from cardgods.walk import playouts

ROUNDS = 20_000


def standard(rule, players=5):
    return cardgods.load_game("eleusis", rules=(rule,), rounds=1, players=players).new_initial_state()


@pytest.mark.parametrize(("rule", "decisions"), [("suit-or-rank", 1_497_358)])
def test_decisions_of_random_rounds(rate, rule, decisions):
    start = standard(rule)
    assert audit(start, ROUNDS, Random(1))[0] == decisions
    assert rate(lambda: playouts(start, ROUNDS, seed=1), decisions, rounds=3).games == ROUNDS


def test_a_hundred_thousand_rounds_over_the_whole_library(rate):
    starts = [(standard(entry.name, 5 + k % 4), entry.name) for k, entry in enumerate(library())]

    def run():
        found = [audit(start, 1613, Random(name)) for start, name in starts]
        return sum(f[0] for f in found), sum(f[2] for f in found)

    decisions, faults = rate(run, 62 * 1613, rounds=1)
    assert faults == 0
    assert decisions > 8_000_000


def test_worlds(rate):
    state = standard("suit-or-rank")
    rng = Random("worlds")
    while len(state) < 150:
        state.apply_action(
            state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        )

    def draw():
        return [state.resample(1, rng) for _ in range(1000)][-1]

    assert rate(draw, 1000).information_state(1) == state.information_state(1)


def test_deducing_seekers(rate):
    game = cardgods.load_game("eleusis", rules=("suit-or-rank",), rounds=1)

    def round_of_four():
        agents = [make_agent("deduce", game) for _ in range(5)]
        return play(game.new_initial_state(turn_based=True), agents, Random(4))

    assert rate(round_of_four, 1, rounds=3).is_terminal()
