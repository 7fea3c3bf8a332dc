"""How much of Trois Trônes an agent gives away at least: a local best response, played against it.

Lisý and Bowling, "Equilibrium approximation quality of current no-limit poker bots" (2017): an opponent who
knows the agent's strategy keeps the weights of all hands that the agent may hold, and looks one move ahead.
It is a strategy like any other, so what it wins can be no more than what the best answer wins: a lower bound,
whatever its model of the agent and its look ahead are. Here it draws worlds by those weights; in each, after
every move, the game is played on for some moves and then solved with all cards open.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cardgods._core.autoplay import POLICY
from cardgods._core.games.trones import TronesState
from cardgods._core.rng import Random
from cardgods._core.solve.trones import deal_deck
from cardgods._core.solve.trones_beliefs import Beliefs
from cardgods._core.solve.trones_lookahead import Lookahead
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.agents import Agent
from cardgods.cards import cards_of
from cardgods.errors import AgentError, ParameterError
from cardgods.games.trones import FRONTS, TronesGame
from cardgods.interval import Mean
from cardgods.solve.trones_blueprint import PlayedTable

WORLDS = 400
DEPTH = 1
SLIP = 0.02
"""Share of its moves that an agent is thought to make at random, so that no hand is ruled out by a model that
may be wrong."""
MOST_ASKED = 60


@dataclass(frozen=True)
class LocalAnswer:
    """What a local best response won against an agent.

    Attributes:
        deals: deals, each played twice with the seats changed.
        as_first: share won as player 0.
        as_second: share won as player 1.
        value: mean of the two less 1/2; the exploitability is no less, but for the luck of the sample.
        interval: 95 % interval of the value, from the deals.
    """

    deals: int
    as_first: float
    as_second: float
    value: float
    interval: tuple[float, float]


class Responder:
    """Plays one game against an agent that it knows.

    Args:
        model: the agent, or another that is thought to play like it and is quicker to ask. Its strategy is
            used where it can be asked for (``distribution``) or is fixed; of one that draws random numbers,
            what it happens to choose when it is asked once.
        worlds: worlds drawn for a move.
        depth: moves that are played in a world after the one judged, before all cards are opened.
        slip: share of its moves that the agent is thought to make at random.
        most: hands that an agent in Python is asked about for a move.
    """

    def __init__(
        self,
        model: Agent,
        worlds: int = WORLDS,
        depth: int = DEPTH,
        slip: float = SLIP,
        most: int = MOST_ASKED,
    ) -> None:
        self._model = model
        self._worlds, self._depth = worlds, depth
        self._table: PlayedTable | None = getattr(model, "table", None)
        self._slip = slip
        self._most = most
        self._beliefs: Beliefs | None = None

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The move that wins most worlds; among equals the lowest."""
        assert isinstance(state, TronesState)
        if self._beliefs is None:
            self._beliefs = Beliefs(state, player)
        self._watch(state, player, rng)
        known, least = (None, 0.0) if self._table is None else (self._table.core, self._table.least)
        search = Lookahead(self._beliefs, rng, known, known, least)
        if len(search.moves()) > 1:
            search.run(self._worlds, Cancel(), self._depth)
        return search.moves()[0][0]

    def _watch(self, state: TronesState, player: int, rng: Random) -> None:
        assert self._beliefs is not None
        model: dict[str, Any] = {}
        if self._table is not None:
            model = {"model": self._table.core, "least": self._table.least}
        elif getattr(self._model, "reflex", None) != POLICY:
            ask = _asking(self._model, state, 1 - player)
            model = {"ask": ask, "most": self._most, "rng": rng}
        self._beliefs.advance(state, slip=self._slip, **model)


def _asking(agent: Agent, state: State, player: int) -> Callable[[int, list[list[int]], int], list[float]]:
    """What asks an agent for the probability of a move with each of some hands."""
    laid = [(actor, action) for actor, action in state.full_history() if actor >= 0]

    def ask(count: int, hands: list[list[int]], action: int) -> list[float]:
        found = []
        for hand in hands:
            there = state_after(state.game, laid[:count], hand, player)
            found.append(_chance(agent, there, player, action, f"{count}|{hand}"))
        return found

    return ask


def _chance(agent: Agent, state: State, player: int, action: int, seed: str) -> float:
    asked = getattr(agent, "distribution", None)
    if asked is not None:
        shares: dict[int, float] = asked(state, player)
        return shares.get(action, 0.0)
    return float(agent.choose(state, player, Random(seed)) == action)


def state_after(game: Any, laid: Sequence[tuple[int, int]], hand: Sequence[int], player: int) -> State:  # noqa: ANN401
    """A state that shows a player these moves and this hand, the other cards in any order that fits.

    Args:
        game: its rules.
        laid: (player, action) so far, in order.
        hand: the player's cards.
        player: who is on turn.
    """
    streams: list[list[int]] = [[action // FRONTS for who, action in laid if who == p] for p in range(2)]
    used = {*streams[0], *streams[1], *hand}
    spare = [card for card in cards_of(game.deck_mask()) if card not in used]
    streams[player] += hand
    streams[1 - player] += spare
    moves = iter(laid)
    got = [0, 0]
    state: State = game.new_initial_state(turn_based=True)
    while True:
        if state.is_chance_node():
            turn = state.view()["turn"]
            state.apply_action(streams[turn][got[turn]])
            got[turn] += 1
            continue
        move = next(moves, None)
        if move is None:
            return state
        state.apply_action(move[1])


def local_best_response(
    game: TronesGame,
    agent: Agent,
    deals: int,
    seed: int | str = 0,
    *,
    first: int = 0,
    model: Agent | None = None,
    progress: Callable[[int, int], None] | None = None,
    **how: Any,  # noqa: ANN401
) -> LocalAnswer:
    """Play a local best response against an agent.

    Args:
        game: any member of the family.
        agent: the agent.
        deals: how many; each is played twice.
        seed: of deals and choices.
        first: number of the first deal, so that a long run can be cut in pieces.
        model: how the agent is thought to play; as it does, if not given.
        progress: called with the deals played and wanted.
        how: parameters of :class:`Responder`.

    Raises:
        ParameterError: if there are fewer than two deals.
        AgentError: if the agent breaks the rules.
    """
    if deals < 2:
        raise ParameterError(f"{deals} deals: two are the least")
    wins = [0, 0]
    mean = Mean()
    for number in range(first, first + deals):
        won = [
            _won(game, agent, Responder(model or agent, **how), seat, f"{seed}", number) for seat in range(2)
        ]
        wins = [wins[seat] + won[seat] for seat in range(2)]
        mean.add(sum(won) / 2 - 0.5)
        if progress is not None:
            progress(number + 1 - first, deals)
    interval = mean.interval()
    assert interval is not None
    return LocalAnswer(deals, wins[0] / deals, wins[1] / deals, mean.value, interval)


def _won(game: TronesGame, agent: Agent, responder: Responder, seat: int, seed: str, number: int) -> bool:
    deck = iter(deal_deck(game.deck_mask(), Random(seed, number)))
    state = game.new_initial_state(turn_based=True)
    turn = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(next(deck))
            continue
        player = state.current_player()
        who: Agent = responder if player == seat else agent
        action = who.choose(state, player, Random(f"{seed} {number} {seat}", turn))
        if action not in state.legal_actions():
            raise AgentError(f"the agent chose {action}, which is not allowed")
        state.apply_action(action)
        turn += 1
    return state.returns()[seat] > 0
