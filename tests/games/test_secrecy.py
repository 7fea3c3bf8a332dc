"""Whatever a player is shown follows from what he has learnt: checked over the trees of small games.

No world is drawn at random here, so this does not lean on `State.resample`.
"""

import pytest

import cardgods
from conftest import label, random_states, small_games

NODES = 800


def shown(state, player):
    """All that the interface gives a player, his own choices in words included."""
    facts = [state.view(player), state.view(-1), state.observation(player), state.observation(-1)]
    facts += [state.current_player(), state.is_terminal()]
    if not state.is_chance_node():
        legal = state.legal_actions(player)
        facts += [legal, [[state.action_to_string(a, lang) for a in legal] for lang in ("en", "fr")]]
    return repr(facts)


@pytest.mark.parametrize(("name", "options"), small_games(), ids=label)
def test_what_is_shown_follows_from_what_was_learnt(name, options, rng):
    game = cardgods.load_game(name, **options)
    players = range(game.num_players())
    seen = [{} for _ in players]
    again = [0 for _ in players]
    nodes = 0

    def look(state):
        for p in players:
            # that others draw cards is seen, though not which
            key = state.information_state(p), len(state)
            now = shown(state, p)
            again[p] += key in seen[p]
            assert seen[p].setdefault(key, now) == now

    def walk(state):
        nonlocal nodes
        nodes += 1
        look(state)
        if nodes < NODES:
            for action in state.legal_actions():
                walk(state.child(action))

    walk(game.new_initial_state(turn_based=True))
    for _ in range(25):
        for state in random_states(game, rng):
            look(state)
    assert sum(again) > 100  # there were secrets to keep
