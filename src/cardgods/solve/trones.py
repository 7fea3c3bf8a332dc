"""Trois Trônes with open hands ("double dummy"): one deal solved exactly, or many for statistics.

All cards are known, the order of the pile included, and both players lay as well as can be. What that says
of play with hidden hands is told in docs/solving.md.

Example:
    >>> import cardgods
    >>> from cardgods.solve.trones import deck_from_seed, solve_deal, start
    >>> game = cardgods.load_game("trones", "express")
    >>> solution = solve_deal(start(game, deck_from_seed(game, 7)))
    >>> solution.winner
    0
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cardgods._core.rng import Random
from cardgods._core.solve.trones import OpenSolver
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.cards import card_name, cards_of, mask_of
from cardgods.errors import CardTextError, ParameterError, SolveError
from cardgods.games.trones import FRONT_NAMES, FRONTS, TronesGame
from cardgods.interval import Interval, wilson
from cardgods.play import event_stream
from cardgods.work import run

SHARD = 4096
"""Deals per solver: fixed, so that counts of nodes do not depend on the number of threads."""

Move = tuple[int, int]
"""A card and a front."""


@dataclass(frozen=True)
class OpenPosition:
    """A position of which every card is known.

    Attributes:
        hands: cards of each player.
        pile: cards to be drawn, the next one first.
        laid: cards on the table, per player and front.
        capacity: places per player and front.
        mover: the player on turn; the other is, if he can lay nothing.
    """

    hands: tuple[tuple[int, ...], tuple[int, ...]]
    pile: tuple[int, ...]
    laid: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
    capacity: int
    mover: int

    def __post_init__(self) -> None:
        fronts = [front for side in self.laid for front in side]
        cards = [*self.hands[0], *self.hands[1], *self.pile, *(card for front in fronts for card in front)]
        if any(not 0 <= card < 52 or card % 13 < 5 for card in cards):
            raise SolveError("impossible position: cards run from the sevens to the aces")
        try:
            mask_of(cards)
        except CardTextError as error:
            raise SolveError(f"impossible position: {error}") from None
        if not 1 <= self.capacity <= 3 or max(map(len, fronts)) > self.capacity:
            raise SolveError("impossible position: a front has 1 to 3 places and no more cards than places")
        if max(map(len, self.hands)) > 4:
            raise SolveError("impossible position: a hand holds 4 cards at most")
        if self.mover not in (0, 1):
            raise SolveError(f"impossible position: player {self.mover} cannot be on turn")


@dataclass(frozen=True)
class OpenSolution:
    """What a position comes to with all cards open.

    Attributes:
        winner: who wins with best play of both.
        mover: who is on turn; None if the game is over.
        moves: his moves.
        winning_moves: those after which he still wins; none if the other wins.
        line: best play to the end, as (player, card, front): the winner lays his first winning move, the
            loser the move that leaves the winner the fewest, the first of them.
        nodes: positions that the search for the winner looked at.
    """

    winner: int
    mover: int | None
    moves: tuple[Move, ...]
    winning_moves: tuple[Move, ...]
    line: tuple[tuple[int, int, int], ...]
    nodes: int

    def as_dict(self, lang: str = "en") -> dict[str, Any]:
        """The solution in plain values, moves as texts in a language."""
        return {
            "winner": self.winner,
            "mover": self.mover,
            "moves": [move_text(move, lang) for move in self.moves],
            "winning_moves": [move_text(move, lang) for move in self.winning_moves],
            "line": [{"player": p, "move": move_text((card, f), lang)} for p, card, f in self.line],
            "nodes": self.nodes,
        }


@dataclass(frozen=True)
class OpenStatistics:
    """Many random deals with all cards open.

    Attributes:
        deals: how many were solved.
        first_wins: those that player 0 wins.
        share: first_wins / deals.
        interval: where P(player 0 wins) lies, at the 95 % level (Wilson).
        nodes: positions looked at.
        seconds: time that passed.
    """

    deals: int
    first_wins: int
    share: float
    interval: Interval
    nodes: int
    seconds: float


def move_text(move: Move, lang: str = "en") -> str:
    """A card and a front in words."""
    return f"{card_name(move[0], lang)} {FRONT_NAMES[lang][move[1]]}"


# Deals ----------------------------------------------------------------------------------------------------


def cards_needed(game: TronesGame) -> int:
    """How many cards of a deck can come to be laid in a game."""
    options = game.options
    size = 4 * len(options.ranks)
    turns = min(2 * FRONTS * options.capacity, size)
    return min(size, 2 * options.hand + max(0, turns - 2))


def deck_from_seed(game: TronesGame, seed: int | str | bytes) -> list[int]:
    """The deck that ``cardgods.play.play`` deals from a seed, first card first."""
    rng = Random(seed)
    left = cards_of(game.deck_mask())
    return [left.pop(rng.spawn(event_stream(-1, i)).below(len(left))) for i in range(len(left))]


def start(game: TronesGame, deck: Sequence[int]) -> OpenPosition:
    """The start of a game with a given deck.

    Args:
        game: its rules.
        deck: cards in the order in which they are dealt and drawn: the whole deck, or as much of it as can
            come to be laid.

    Raises:
        SolveError: if the deck has other cards, one of them twice, or too few.
    """
    hand = game.options.hand
    wrong = [card for card in deck if not 0 <= card < 52 or not game.deck_mask() >> card & 1]
    if wrong:
        raise SolveError(f"the deck of {game} has no {_name(wrong[0])}")
    if len(deck) < cards_needed(game):
        raise SolveError(f"a deal of {game} needs {cards_needed(game)} cards, {len(deck)} are given")
    nothing = ((),) * FRONTS
    return OpenPosition(
        (tuple(deck[0 : 2 * hand : 2]), tuple(deck[1 : 2 * hand : 2])),
        tuple(deck[2 * hand :]),
        (nothing, nothing),
        game.options.capacity,
        0,
    )


def _name(card: int) -> str:
    return card_name(card) if 0 <= card < 52 else f"card {card}"


def at_state(state: State, pile: Sequence[int]) -> OpenPosition:
    """A state of the game with the order of the pile.

    Args:
        state: a state of Trois Trônes after the deal; a card due to be drawn is the first of the pile.
        pile: cards to be drawn, the next one first: all, or as many as can still come to be laid.

    Raises:
        SolveError: if the state is of another game, the deal is not over, or the pile does not fit it.
    """
    game = state.game
    if not isinstance(game, TronesGame):
        raise SolveError(f"{game} is not Trois Trônes")
    view = state.view()
    if view["phase"] == "deal":
        raise SolveError("the cards are not dealt yet at this state")
    strange = set(pile) - set(view["unseen"])
    if strange:
        raise SolveError(f"{_name(min(strange))} is not in the pile at this state")
    hands = [list(hand) for hand in view["hands"]]
    mover, rest = view["turn"], list(pile)
    drawing = view["phase"] == "draw"
    # The card drawn after one's last turn is never laid.
    wanted = sum(max(0, turns - 1) for turns in view["turns_left"])
    if drawing and view["turns_left"][mover]:
        wanted += 1
    if len(rest) < min(wanted, view["pile"]):
        raise SolveError(
            f"{min(wanted, view['pile'])} more cards of the pile are needed, {len(rest)} are known"
        )
    if drawing:
        if rest:
            hands[mover].append(rest.pop(0))
        mover = 1 - mover
    laid = tuple(tuple(tuple(front["cards"][p]) for front in view["fronts"]) for p in range(2))
    return OpenPosition(
        (tuple(hands[0]), tuple(hands[1])),
        tuple(rest),
        (laid[0], laid[1]),
        game.options.capacity,
        0 if mover is None else mover,
    )


# Solving --------------------------------------------------------------------------------------------------


def solve_deal(position: OpenPosition, line: bool = True) -> OpenSolution:
    """Solve one position exactly.

    Args:
        position: the cards.
        line: work out a line of best play too.
    """
    solver = OpenSolver()
    _set(solver, position)
    winner = solver.winner()
    nodes = solver.nodes
    mover = solver.mover()
    moves, winning = tuple(solver.moves()), tuple(solver.winning_moves())
    return OpenSolution(
        winner,
        mover if mover >= 0 else None,
        moves,
        winning if mover >= 0 else (),
        _line(solver, winner) if line else (),
        nodes,
    )


def _set(solver: OpenSolver, position: OpenPosition) -> None:
    masks = [[mask_of(front) for front in side] for side in position.laid]
    solver.set_deal(position.hands, position.pile, masks, position.capacity, position.mover)


def _line(solver: OpenSolver, winner: int) -> tuple[tuple[int, int, int], ...]:
    """Best play from where the solver stands; it is moved on to the end."""
    line = []
    while solver.mover() >= 0:
        player = solver.mover()
        move = solver.winning_moves()[0] if player == winner else _hardest(solver)
        line.append((player, *move))
        solver.lay(*move)
    return tuple(line)


def _hardest(solver: OpenSolver) -> Move:
    """The losing move that leaves the winner the fewest winning moves next."""
    best: tuple[int, Move] | None = None
    for move in solver.moves():
        replies = solver.winning_replies(*move)
        if best is None or replies < best[0]:
            best = replies, move
    assert best is not None
    return best[1]


def solve_deals(
    game: TronesGame,
    deals: int,
    seed: int | str | bytes = 0,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> OpenStatistics:
    """Solve many random deals.

    Deal number i is drawn from stream i of the seed, so the result depends on the seed alone.

    Args:
        game: its rules.
        deals: how many.
        seed: of the deals.
        threads: how many solve at once.
        progress: called with the deals done and all deals, now and then.

    Raises:
        ParameterError: if the number of deals is not from 1 to 10**12.
    """
    if not 1 <= deals <= 10**12:
        raise ParameterError(f"{deals} deals: from 1 to 10**12 can be solved")
    rng = Random(seed)
    deck, options = game.deck_mask(), game.options
    begun = time.perf_counter()

    def shard(first: int, cancel: Cancel) -> tuple[int, int]:
        solver = OpenSolver()
        count = min(SHARD, deals - first)
        wins = solver.first_wins(deck, options.capacity, options.hand, rng, first, count, cancel)
        return wins, solver.nodes

    def tell(done: int) -> None:
        if progress is not None:
            progress(min(done * SHARD, deals), deals)

    parts = run(shard, range(0, deals, SHARD), threads, tell)
    wins = sum(wins for wins, _ in parts)
    return OpenStatistics(
        deals,
        wins,
        wins / deals,
        wilson(wins, deals),
        sum(nodes for _, nodes in parts),
        time.perf_counter() - begun,
    )
