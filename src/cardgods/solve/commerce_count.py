"""How large a deal of Commerce is as a game tree: deals, histories and information sets, counted exactly.

Nothing of this walks the tree. What can happen next depends on the cards only through who may hold what, so
positions that differ by the names of the cards are counted once and multiplied.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import comb

from cardgods.errors import SolveError
from cardgods.games.commerce import CommerceGame

GONE = -1

Placing = tuple[int, ...]
"""Where each card that a player has given away may be now: a seat, or GONE."""
Family = frozenset[Placing]


@dataclass(frozen=True)
class DealSize:
    """The tree of one deal, the dealer being given.

    Attributes:
        deals: ways to deal the hands, the stock as a set.
        ends: histories of the deal from the first turn to its end, over all deals and draws.
        information_sets: of each seat in the order of play (the dealer last): points of decision that it can
            tell apart, its first hand as a set. Which action, which card, and the answer to an offer are
            decisions of their own.
    """

    deals: int
    ends: int
    information_sets: tuple[int, ...]


def deal_size(game: CommerceGame) -> DealSize:
    """The size of one deal of a variant.

    Raises:
        SolveError: if trades have no cap, so that the tree is infinite.
    """
    if not game.bounded:
        raise SolveError(f"{game} has no cap on trades, so its tree has no end")
    n, cards, cap = game.num_players(), len(game.pack), game.trade_cap
    deals = 1
    for left in range(cards, cards - 3 * n, -3):
        deals *= comb(left, 3)
    sets = tuple(_Counter(n, cap, seat).count(cards) for seat in range(n))
    return DealSize(deals, deals * _ends(cards - 3 * n, 0, cap), sets)


@cache
def _ends(stock: int, trades: int, cap: int) -> int:
    """Ends of a deal from a turn on: knock; three discards, each draw; three offers, refused or answered."""
    if stock == 0 or trades == cap:
        return 1
    bought = 3 * stock * _ends(stock - 1, 0, cap)
    return 1 + bought + 3 * (1 + 3 * _ends(stock, trades + 1, cap))


class _Counter:
    """Information sets of one seat."""

    def __init__(self, players: int, cap: int, seat: int) -> None:
        self.players = players
        self.cap = cap
        self.seat = seat
        self.below = cache(self._below)

    def count(self, cards: int) -> int:
        stock = cards - 3 * self.players
        return comb(cards, 3) * self.below(0, stock, 0, cards - 3, frozenset([()]))

    def _below(self, actor: int, stock: int, trades: int, unseen: int, family: Family) -> int:
        """From a turn of `actor` on, for one thing that the seat may know there.

        Args:
            actor: whose turn it is.
            stock: cards in the stock.
            trades: accepted trades in a row.
            unseen: cards that the seat has never held.
            family: all that may have become of the cards it has given away.
        """
        if stock == 0 or trades == self.cap:
            return 0
        left = (actor + 1) % self.players
        if actor == self.seat:
            # turn, discard and offer
            total = 3 + 3 * unseen * self._next(left, stock - 1, 0, unseen - 1, family)
            return total + self._exchanged(left, left, stock, trades, unseen, family)
        thrown = frozenset(_moved(p, kind, GONE) for p in family for kind in _kinds(p, actor))
        total = self._next(left, stock - 1, 0, unseen, thrown)
        if left == self.seat:
            return total + 1 + self._exchanged(actor, left, stock, trades, unseen, family)
        swapped = frozenset(
            _moved(_moved(p, kind, left), back, actor)
            for p in family
            for kind in _kinds(p, actor)
            for back in _kinds(p, left)
        )
        return total + self._next(left, stock, trades + 1, unseen, swapped)

    def _next(self, actor: int, stock: int, trades: int, unseen: int, family: Family) -> int:
        return self.below(actor, stock, trades, unseen, _sorted_marks(family))

    def _exchanged(self, giver: int, actor: int, stock: int, trades: int, unseen: int, family: Family) -> int:
        """After a trade with `giver`: three cards may go, and each card come that he may hold."""
        total = 0
        for ways, after, fresh in _received(family, giver, unseen):
            total += 3 * ways * self._next(actor, stock, trades + 1, unseen - fresh, after)
        return total


def _kinds(placing: Placing, seat: int) -> Iterator[int | None]:
    """What a card of a seat can be: one that was given away (its number), or any other (None)."""
    if placing.count(seat) < 3:
        yield None
    for number, place in enumerate(placing):
        if place == seat:
            yield number


def _moved(placing: Placing, number: int | None, to: int) -> Placing:
    return placing if number is None else (*placing[:number], to, *placing[number + 1 :])


def _received(family: Family, giver: int, unseen: int) -> Iterator[tuple[int, Family, int]]:
    """What can come from a seat: (how many cards, what is then possible, 1 if they were unseen)."""
    fresh = frozenset((*p, giver) for p in family if p.count(giver) < 3)
    if fresh and unseen:
        yield unseen, fresh, 1
    for number in range(len(next(iter(family)))):
        back = frozenset((*p[:number], *p[number + 1 :], giver) for p in family if p[number] == giver)
        if back:
            yield 1, back, 0


def _sorted_marks(family: Family) -> Family:
    """The family with the given cards in an order that depends on less than their names."""
    marks = len(next(iter(family)))
    order = sorted(range(marks), key=lambda number: (sorted(p[number] for p in family), number))
    return frozenset(tuple(p[number] for number in order) for p in family)
