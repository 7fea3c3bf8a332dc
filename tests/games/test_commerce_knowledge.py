"""What the players of Commerce know, and the worlds that they cannot tell from the true one."""

from itertools import combinations, pairwise

import pytest

import cardgods
from conftest import random_states, reference
from test_commerce import BUY, KNOCK, deal, play

module = reference("commerce")


def test_information_states_match_the_models_knowledge_over_many_games(rng):
    """One information state for each thing a player can know, over random prefixes of short games."""
    options = {"players": 3, "suits": 2, "ranks": 5, "deals": 2, "trade_cap": 3}
    game = cardgods.load_game("commerce", **options)
    known, states = [{}, {}, {}], [{}, {}, {}]
    for _ in range(300):
        model = module.Model(options)
        for state in random_states(game, rng):
            if len(state):
                model.apply(state.history()[-1])
            for p in range(3):
                key, fact = state.information_state(p), model.knowledge[p]
                assert known[p].setdefault(key, fact) == fact
                assert states[p].setdefault(fact, key) == key


def test_a_view_shows_no_other_hand_pile_or_stock(rng):
    game = cardgods.load_game("commerce", players=4)
    for state in random_states(game, rng):
        for player in (0, 2, -1):
            view = state.view(player)
            for other in range(4):
                if other != player:
                    assert view["rejected"][other] == []
                    assert view["open"] or view["hands"][other] == []


def long_game(rng, options, steps):
    """A random game that knocks seldom, cut off after so many actions."""
    state = cardgods.load_game("commerce", **options).new_initial_state()
    while not state.is_terminal() and len(state) < steps:
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng))
        else:
            action = rng.choice(state.legal_actions())
            state.apply_action(action if action != KNOCK or rng.below(12) == 0 else state.legal_actions()[0])
    return state


@pytest.mark.parametrize(
    "options",
    [{"players": 3}, {"players": 3, "suits": 3, "ranks": 5, "trade_cap": 20}, {"players": 12, "deals": 2}],
)
def test_resampling_keeps_what_is_known_in_long_games(rng, options):
    for steps in (40, 90, 150, 400, 2000):
        state = long_game(rng, options, steps)
        for player in range(min(4, state.num_players())):
            world = state.resample(player, rng)
            assert world.information_state(player) == state.information_state(player)
            assert cardgods.deserialize_state(world.serialize()) == world


def worlds(state, player):
    """All that can be hidden behind what a player knows: (hidden cards in order, hands at the end).

    Deals are taken as sets, so each world stands for the same number of histories.
    """
    steps = state.full_history()
    phases, shadow = [], state.game.new_initial_state()
    for _, action in steps:
        phases.append((shadow.view()["phase"], shadow.view()["turn"], shadow.current_player(), shadow.view()))
        shadow.apply_action(action)
    views = [*[v for _, _, _, v in phases[1:]], shadow.view()]
    n = state.num_players()
    first = 1 + 3 * n
    own = views[first - 1]["hands"][player]
    pack = [c for c in state.game.pack if c not in own]
    others = [p for p in range(n) if p != player]
    found = []

    def run(at, hands, stock, hidden, offer):
        if at == len(steps):
            found.append((hidden, tuple(tuple(sorted(hand)) for hand in hands)))
            return
        phase, turn, actor, _ = phases[at]
        action = steps[at][1]
        seen = actor == player or (phase == "draw" and turn == player)
        if phase == "discard":
            choices = [action] if seen else sorted(hands[turn])
            for card in choices if not seen or action in hands[turn] else []:
                rest = replaced(hands, turn, hands[turn] - {card})
                run(at + 1, rest, stock, hidden if seen else (*hidden, card), None)
        elif phase == "draw":
            for card in ([action] if seen else sorted(stock)) if not seen or action in stock else []:
                after = replaced(hands, turn, hands[turn] | {card})
                ended(at, after, stock - {card}, hidden if seen else (*hidden, card), None)
        elif phase == "offer":
            for card in [action] if seen else sorted(hands[turn]):
                if card in hands[turn]:
                    run(at + 1, hands, stock, hidden if seen else (*hidden, card), card)
        elif phase == "reply" and action != KNOCK:
            left = (turn + 1) % n
            if player == left and offer != steps[at - 1][1]:
                return
            both = seen or player == turn
            for card in [action] if both else sorted(hands[left]):
                if card in hands[left]:
                    after = replaced(hands, turn, hands[turn] - {offer} | {card})
                    after = replaced(after, left, hands[left] - {card} | {offer})
                    ended(at, after, stock, hidden if both else (*hidden, card), None)
        else:
            ended(at, hands, stock, hidden, offer)

    def ended(at, hands, stock, hidden, offer):
        if views[at]["open"] and [sorted(hand) for hand in hands] != views[at]["hands"]:
            return
        run(at + 1, hands, stock, hidden, offer)

    for a in combinations(pack, 3):
        for b in combinations([c for c in pack if c not in a], 3):
            hands = [None] * n
            hands[player] = frozenset(own)
            hands[others[0]], hands[others[1]] = frozenset(a), frozenset(b)
            run(first, tuple(hands), frozenset(pack) - set(a) - set(b), (), None)
    return found


def replaced(hands, seat, hand):
    return (*hands[:seat], frozenset(hand), *hands[seat + 1 :])


def hidden_of(state, player):
    """The same pair for one state."""
    hidden = []
    shadow = state.game.new_initial_state()
    for actor, action in state.full_history():
        view = shadow.view()
        if view["turn"] not in (player, None) and actor != player and action < BUY:
            hidden.append(action)
        shadow.apply_action(action)
    return tuple(hidden), tuple(tuple(hand) for hand in state.view()["hands"])


SCRIPTS = [
    # (moves after the deal, player): told for hands 10c Jc Qc / Kc Ac 10d / Jd Qd Kd, the dealer 0, stock Ad
    ("trade Kc Jd trade Kc 10c", 1),
    ("trade Kc Jd trade Qd 10c trade Jc Jd trade Jc Kc", 2),
    ("trade Kc Jd trade Kc 10c trade Kc Ac trade 10d Qd trade 10d Jc", 1),
    ("trade Kc Jd trade Kc 10c trade Kc Ac trade 10d Qd trade 10d Jc", 0),
    ("trade Kc Jd trade Kc 10c knock", 1),
    ("trade Kc Jd trade Qd 10c trade Jc Jd knock", 2),
    ("trade Kc Jd trade Kc 10c trade Kc Ac buy 10d Ad", 2),
    ("trade Kc Jd trade Kc knock", 1),
]


@pytest.mark.parametrize(("moves", "player"), SCRIPTS)
def test_worlds_are_drawn_uniformly(moves, player, rng):
    game = cardgods.load_game("commerce", suits=2, ranks=5, deals=1, trade_cap=20)
    state = deal(game.new_initial_state().child(0), ["10c Jc Qc", "Kc Ac 10d", "Jd Qd Kd"])
    play(state, moves)
    fits = worlds(state, player)
    assert hidden_of(state, player) in fits
    assert len(set(fits)) == len(fits)
    draws = 800
    counts = dict.fromkeys(fits, 0)
    marginals = {}
    for _ in range(draws):
        world = hidden_of(state.resample(player, rng), player)
        counts[world] += 1
        for fact in facts(world):
            marginals[fact] = marginals.get(fact, 0) + 1
    expected = {}
    for world in fits:
        for fact in facts(world):
            expected[fact] = expected.get(fact, 0) + draws / len(fits)
    assert set(marginals) <= set(expected)
    chi2 = sum((marginals.get(f, 0) - e) ** 2 / e for f, e in expected.items())
    assert chi2 < len(expected) + 6 * (2 * len(expected)) ** 0.5 + 10


def facts(world):
    hidden, hands = world
    yield from enumerate(hidden)
    yield from (("held", seat, card) for seat, hand in enumerate(hands) for card in hand)
    yield from (("pair", a, b) for a, b in pairwise(hidden))
