"""Beliefs held against an enumeration of all worlds; local best responses against exact best answers."""

from itertools import permutations

import pytest

import cardgods
from cardgods import Random
from cardgods._core.search.policy import policy_action
from cardgods._core.solve.trones_beliefs import Beliefs
from cardgods._core.solve.trones_lookahead import Lookahead
from cardgods._core.walk import Cancel
from cardgods.agents import make_agent
from cardgods.cards import cards_of
from cardgods.errors import AgentError, IllegalActionError, ParameterError, SolveError
from cardgods.solve.trones_blueprint import BlueprintSolver
from cardgods.solve.trones_exploit import exploitability
from cardgods.solve.trones_lbr import Responder, local_best_response, state_after
from conftest import random_states

EXPRESS = cardgods.load_game("trones", "express")
TINY = cardgods.load_game("trones", ranks=(13, 14), capacity=1, hand=2)
SLIP = 0.1


def decisions(game, rng, games=1):
    for _ in range(games):
        for state in random_states(game, rng):
            if state.current_player() >= 0:
                yield state


# Beliefs


def enumerated(state, player, chance):
    """Probabilities of the other's hands: every order in which he could have got his cards, tried.

    Args:
        state: the state.
        player: who believes.
        chance: of (moves before, hand, action) that the other makes the move.
    """
    own = {a for a, h in zip(*streams(state, player), strict=True) if h}
    unseen = [card for card in cards_of(state.game.deck_mask()) if card not in own]
    places = sum(1 for h in streams(state, player)[1] if not h)
    weights = {}
    for order in permutations(unseen, places):
        weight, hand = followed(state, player, order, chance)
        if weight:
            weights[hand] = weights.get(hand, 0.0) + weight
    total = sum(weights.values())
    return {hand: weight / total for hand, weight in weights.items()}


def streams(state, player):
    """Cards dealt and drawn, in order, and whether each was the player's."""
    cards, owners = [], []
    twin = state.game.new_initial_state(turn_based=True)
    for action in state.history():
        if twin.is_chance_node():
            cards.append(action)
            owners.append(twin.view()["turn"] == player)
        twin.apply_action(action)
    return cards, owners


def followed(state, player, order, chance):
    """Weight of one order of the other's cards, and the hand that he then holds."""
    hand, weight, laid = set(), 1.0, []
    coming = iter(order)
    twin = state.game.new_initial_state(turn_based=True)
    for action in state.history():
        if twin.is_chance_node():
            if twin.view()["turn"] != player:
                hand.add(next(coming))
        elif twin.current_player() != player:
            if action // 3 not in hand:
                return 0.0, None
            weight *= chance(laid, sorted(hand), action)
            hand.remove(action // 3)
        if not twin.is_chance_node():
            laid = [*laid, (twin.current_player(), action)]
        twin.apply_action(action)
    return weight, frozenset(hand)


def greedy_chance(game, player):
    def chance(laid, hand, action):
        state = state_after(game, laid, hand, 1 - player)
        legal = state.legal_actions()
        return (1 - SLIP) * (policy_action(state, Random(1)) == action) + SLIP / len(legal)

    return chance


def test_beliefs_are_those_of_all_worlds(rng):
    compared = 0
    for state in decisions(TINY, rng, games=5):
        player = state.current_player()
        found = Beliefs(state, player)
        found.advance(state, slip=SLIP)
        wanted = enumerated(state, player, greedy_chance(TINY, player))
        got = {frozenset(hand): weight for hand, weight in found.weights()}
        assert got == pytest.approx(wanted)
        compared += len(got) > 1
    assert compared > 10


def test_beliefs_by_asking_are_those_of_a_known_strategy(rng):
    table = BlueprintSolver(TINY, "exact", seed=1)
    table.run(2000)
    for state in decisions(TINY, rng, games=3):
        player = state.current_player()
        known, asked = Beliefs(state, player), Beliefs(state, player)
        known.advance(state, table.core, slip=SLIP)

        def ask(count, hands, action, state=state, player=player):
            laid = [(actor, a) for actor, a in state.full_history() if actor >= 0][:count]
            there = [state_after(TINY, laid, hand, 1 - player) for hand in hands]
            return [table.policy(place).get(action, 0.0) for place in there]

        asked.advance(state, slip=SLIP, ask=ask)
        assert dict_of(asked) == pytest.approx(dict_of(known))


def dict_of(beliefs):
    return {tuple(hand): weight for hand, weight in beliefs.weights()}


def test_without_a_model_all_hands_are_alike(rng):
    for state in decisions(EXPRESS, rng):
        player = state.current_player()
        found = Beliefs(state, player)
        found.advance(state, slip=1.0)
        view = state.view(player)
        weights = found.weights()
        assert {card for hand, _ in weights for card in hand} == set(view["unseen"])
        assert sum(weight for _, weight in weights) == pytest.approx(1)
        # cards held for long were there to be laid before: so not all are alike after the first move
        if not any(actor == 1 - player for actor, _ in state.full_history()):
            assert max(weight for _, weight in weights) == pytest.approx(1 / len(weights))


def test_beliefs_depend_on_nothing_hidden(rng):
    for state in decisions(EXPRESS, rng):
        player = state.current_player()
        found = Beliefs(state, player)
        found.advance(state)
        for _ in range(3):
            world = state.resample(player, rng)
            other = Beliefs(world, player)
            other.advance(world)
            assert other.weights() == found.weights()


def test_beliefs_can_be_taken_further_or_made_anew(rng):
    for first in range(2):
        kept = None
        for state in decisions(EXPRESS, rng):
            if state.current_player() != first:
                continue
            kept = kept or Beliefs(state, first)
            kept.advance(state)
            fresh = Beliefs(state, first)
            fresh.advance(state)
            assert dict_of(kept) == pytest.approx(dict_of(fresh))


def test_beliefs_of_another_game_are_refused():
    state = next(decisions(EXPRESS, Random(1)))
    with pytest.raises(SolveError, match="another game than the beliefs"):
        Beliefs(state, 0).advance(next(decisions(TINY, Random(1))))


def test_few_hands_stand_for_many(rng):
    """Asked about some hands only, the weights are right on average."""
    state = next(s.clone() for s in decisions(EXPRESS, Random("few")) if s.current_player() == 1)

    def ask(count, hands, action):
        return [0.25 if max(hand) > 40 else 0.75 for hand in hands]

    exact = Beliefs(state, 1)
    exact.advance(state, ask=ask, slip=0.0)
    high = sum(weight for hand, weight in exact.weights() if 50 in hand)
    mean = 0.0
    for i in range(60):
        few = Beliefs(state, 1)
        few.advance(state, ask=ask, slip=0.0, most=40, rng=Random(i))
        mean += sum(weight for hand, weight in few.weights() if 50 in hand) / 60
    assert mean == pytest.approx(high, abs=0.02)


# Looking ahead


def test_lookahead_counts_worlds():
    state = [state.clone() for state in decisions(EXPRESS, Random("middle"))][5]
    player = state.current_player()
    beliefs = Beliefs(state, player)
    beliefs.advance(state)
    for depth in (0, 1, 20):
        search = Lookahead(beliefs, Random(1), every_move=True)
        assert search.run(30, Cancel(), depth) == 30
        assert search.run(20, Cancel(), depth) == 20
        moves = search.moves()
        assert sorted(action for action, _ in moves) == state.legal_actions()
        wins = [won for _, won in moves]
        assert wins == sorted(wins, reverse=True)
        assert 0 < max(wins) <= search.worlds == 50
    stopped = Cancel()
    stopped.set()
    assert search.run(10, stopped, 0) == 0
    with pytest.raises(IllegalActionError, match="is not to lay a card here"):
        Lookahead(Beliefs(state, player), Random(1))
    with pytest.raises(SolveError, match="there is no player -4 here"):
        Beliefs(state, -4)


# Local best responses


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_local_best_response_wins_no_more_than_the_best_answer(name):
    agent = make_agent(name, TINY)
    exact = exploitability(TINY, None if name == "random" else agent).value
    found = local_best_response(TINY, agent, 250, worlds=40)
    assert found.deals == 250
    assert found.value == pytest.approx((found.as_first + found.as_second - 1) / 2)
    low, high = found.interval
    assert low < found.value < high
    assert low <= exact
    if name == "random":
        assert low > 0.2


def test_a_weak_player_of_the_express_game_is_found_out():
    found = local_best_response(EXPRESS, make_agent("random", EXPRESS), 20, worlds=40, most=20)
    assert found.interval[0] > 0.3


@pytest.mark.parametrize("spec", ["pimc:worlds=8", "ismcts:iterations=20"])
def test_any_agent_can_be_answered(spec):
    agent = make_agent(spec, EXPRESS)
    modelled = local_best_response(EXPRESS, agent, 3, model=make_agent("greedy", EXPRESS), worlds=20)
    assert -0.5 <= modelled.value <= 0.5
    found = local_best_response(EXPRESS, agent, 3, worlds=20, most=8)
    assert found == local_best_response(EXPRESS, agent, 3, worlds=20, most=8)
    parts = [local_best_response(EXPRESS, agent, 2, worlds=20, most=8, first=first) for first in (0, 2)]
    assert sum(part.value for part in parts) / 2 == pytest.approx(
        local_best_response(EXPRESS, agent, 4, worlds=20, most=8).value
    )


def test_a_responder_keeps_to_what_it_may_know(rng):
    agent = make_agent("greedy", EXPRESS)
    for state in decisions(EXPRESS, rng):
        player = state.current_player()
        choice = Responder(agent, worlds=40).choose(state, player, Random(1))
        for _ in range(2):
            world = state.resample(player, rng)
            assert Responder(agent, worlds=40).choose(world, player, Random(1)) == choice


def test_what_cannot_be_measured_is_refused():
    agent = make_agent("greedy", EXPRESS)
    with pytest.raises(ParameterError, match="1 deals: two are the least"):
        local_best_response(EXPRESS, agent, 1)

    class Cheat:
        def choose(self, state, player, rng):
            return -1

    with pytest.raises(AgentError, match="chose -1, which is not allowed"):
        local_best_response(EXPRESS, Cheat(), 2, worlds=1, most=1)
