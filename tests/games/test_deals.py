"""What each game deals from a seed: the same on every platform and in every version of these rules.

The lists are chance outcomes in order, as `cardgods play GAME --seed SEED` draws them. A change here makes
old seeds and the commitments of old logs worthless.
"""

import pytest

import cardgods
from cardgods.play import play

DEALS = [
    ("encan", "standard", 1, "8 10 0 4 9 1 6 12 5 3 2 11 7"),
    ("encan", "standard", 7, "11 12 1 9 7 8 3 10 4 5 0 6 2"),
    ("encan", "standard", "muse", "7 1 11 2 4 6 8 9 10 12 3 0 5"),
    ("encan", "express", 1, "4 5 0 2 6 1 3"),
    ("encan", "express", 7, "6 5 0 4 3 2 1"),
    ("encan", "express", "muse", "4 0 6 1 2 3 5"),
    ("trones", "standard", 1, "37 45 6 21 36 5 32 49 33 18 7 50 19 47 25 22 46 34 20 38 31 48 10 12 23"),
    ("trones", "standard", 7, "49 48 8 46 35 45 20 50 25 23 5 33 36 47 34 24 19 38 22 37 21 51 18 10 6"),
    ("trones", "standard", "muse", "33 8 47 10 20 31 25 32 44 50 35 5 51 21 22 36 9 18 49 34 37 12 48 23 46"),
    ("trones", "express", 1, "37 45 6 21 36 5 32 49 33 18 7 50 19 47 25 22 46"),
    ("trones", "express", 7, "49 48 8 46 35 45 20 50 25 23 5 33 36 47 34 24 19"),
    ("trones", "express", "muse", "33 8 47 10 20 31 25 32 44 50 35 5 51 21 22 36 9"),
    ("commerce", "standard", 1, "2 40 2 18 36 0 29 47 30 15 1 49 14 44 26 21 42 33 20 37 31 46 9 16"),
    ("commerce", "standard", 7, "2 48 6 44 34 43 17 49 26 24 1 31 36 47 38 27 20 42 28 37 23 50 30 12"),
    ("commerce", "standard", "muse", "1 6 43 8 16 26 25 28 39 48 32 1 51 18 21 33 7 15 47 30 35 13 46 23"),
    ("commerce", "mini", 1, "2 36 9 22 35 10 24 38 23 12 11 37"),
    ("commerce", "mini", 7, "2 38 10 36 25 35 12 37 22 23 9 24"),
    ("commerce", "mini", "muse", "1 10 37 11 22 24 25 35 36 38 12 9"),
    (
        "eleusis",
        "standard",
        1,
        "35 40 2 18 36 0 29 46 30 15 1 48 14 44 26 20 42 33 20 37 31 47 9 16 22 4 21 40 46 34 21 50 "
        "39 27 17 41 14 45 50 27 1 34 6 8 11 39 16 28 38 49 33 17 10 32 36 23 45 1 47 6",
    ),
    (
        "eleusis",
        "standard",
        7,
        "47 48 6 44 34 44 17 49 27 25 1 31 36 48 38 28 22 43 30 39 27 50 33 15 4 51 15 46 36 3 41 6 "
        "25 35 8 8 2 5 45 11 40 26 0 2 23 12 50 49 10 31 24 14 42 46 21 10 12 1 13 37",
    ),
    (
        "eleusis",
        "standard",
        "muse",
        "30 6 43 8 16 25 25 27 39 48 32 1 51 19 21 32 7 15 48 29 35 14 47 24 50 26 30 37 39 22 50 42 "
        "7 2 49 11 17 4 15 34 43 28 3 19 51 20 34 18 42 46 9 36 18 47 14 27 41 1 5 0",
    ),
]


class First:
    """Takes the first of the legal actions."""

    def choose(self, state, player, rng):
        return state.legal_actions()[0]


@pytest.mark.parametrize(("name", "variant", "seed", "deal"), DEALS, ids=lambda value: str(value)[:12])
def test_a_seed_deals_what_it_always_has(name, variant, seed, deal):
    # no target, so that every treasure comes
    game = cardgods.load_game(name, variant, **{"target": None} if name == "encan" else {})
    state = game.new_initial_state(turn_based=True)
    play(state, [First()] * game.num_players(), cardgods.Random(seed))
    outcomes = [action for actor, action in state.full_history() if actor == cardgods.PlayerId.CHANCE]
    wanted = [int(word) for word in deal.split()]
    assert outcomes[: len(wanted)] == wanted


@pytest.mark.parametrize("name", ["trones", "commerce", "eleusis"])
def test_the_first_deal_of_a_seed_depends_on_no_player(name):
    class Last(First):
        def choose(self, state, player, rng):
            return state.legal_actions()[-1]

    deals = []
    for agent in (First(), Last()):
        game = cardgods.load_game(name)
        state = game.new_initial_state(turn_based=True)
        play(state, [agent] * game.num_players(), cardgods.Random(5))
        history = state.full_history()
        first = next(i for i, (actor, _) in enumerate(history) if actor >= 0)
        deals.append(history[:first])
    assert deals[0] == deals[1] != []
