"""Odds of Commerce: what knocking now is worth, exactly or by sampling.

Seats are counted from the dealer: 0 deals, 1 sits on his left and speaks first, players - 1 on his right.
Points are those of the deal, net of the ante of 1, payments for earlier buys left out.
"""

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cardgods._core import commerce_hands
from cardgods._core.rng import Random
from cardgods._core.solve import commerce_odds as core
from cardgods._core.walk import Cancel
from cardgods.cards import CARDS, card_name
from cardgods.errors import ParameterError
from cardgods.games.commerce import pack_cards
from cardgods.interval import Z95, Interval, wilson
from cardgods.work import run

CATEGORIES = ("nothing", "point", "sequence", "tricon")
EXACT_OPPONENTS = 3
"""More unknown hands than this are sampled, never counted."""
SHARD = 65536
"""Samples per random stream: fixed, so that results do not depend on the number of threads."""


@dataclass(frozen=True)
class Odds:
    """What a hand is worth if the deal is settled now.

    Attributes:
        players: how many hold a hand.
        seat: places to the left of the dealer.
        win: probability of taking the pot, ties decided by place.
        outright: probability of beating every other hand without the help of one's place.
        points: expected points of the deal, net of the ante.
        samples: deals drawn at random; None if all deals were counted.
        win_interval: where the win probability lies, at the 95 % level (Wilson); one point if counted.
        points_interval: the same for the points (normal, with one more deal at each extreme).
    """

    players: int
    seat: int
    win: float
    outright: float
    points: float
    samples: int | None
    win_interval: Interval
    points_interval: Interval


@dataclass(frozen=True)
class BuyOdds:
    """What a hand is worth if one card is exchanged for the top of the stock and the deal settled then.

    Attributes:
        discard: the card given up.
        odds: of the hand after the draw; the points include the price, 1 unless the dealer buys.
    """

    discard: int
    odds: Odds


@dataclass(frozen=True)
class Question:
    """A hand, where it stands and all that its holder knows; made and checked by :func:`question`.

    Attributes:
        hand: its three cards.
        seen: cards that nobody can hold any more.
        held: for each seat, the cards it is known to hold.
        pack: all cards of the pack.
        players: how many hold a hand.
        seat: places to the left of the dealer.
    """

    hand: tuple[int, ...]
    seen: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    pack: tuple[int, ...]
    players: int
    seat: int

    @property
    def unseen(self) -> int:
        """Mask of the cards that may be anywhere."""
        known = _mask(self.hand) | _mask(self.seen) | _mask(itertools.chain(*self.held))
        return _mask(self.pack) & ~known


def strength(hand: Sequence[int]) -> int:
    """Strength 0..64 of three different cards; the higher wins.

    Raises:
        ParameterError: if they are not three different cards.
    """
    try:
        a, b, c = hand
        return commerce_hands.strength(a, b, c)
    except ValueError:
        raise ParameterError(f"a hand has three different cards 0..51, not {list(hand)}") from None


def describe(strength: int) -> tuple[str, int, int]:
    """(category, value, number of cards) of a strength.

    The value is a point's total, or the rank 0..12 of a sequence's top card or of a tricon.
    """
    category, value, cards = commerce_hands.meaning(strength)
    return CATEGORIES[category], value, cards


def knock_odds(
    hand: Sequence[int],
    players: int = 3,
    seat: int = 1,
    *,
    seen: Sequence[int] = (),
    held: Mapping[int, Collection[int]] | None = None,
    pack: Sequence[int] | None = None,
    exact: bool | None = None,
    samples: int = 1_000_000,
    seed: int | str | bytes = 0,
    threads: int = 1,
) -> Odds:
    """The odds of knocking now against hands that are random as far as is known.

    Args:
        hand: three cards, 0..51.
        players: 2..12, this one included (two is no table of the game but a fair question).
        seat: places to the left of the dealer, 0 = dealer.
        seen: further cards that nobody can hold any more.
        held: cards that the player at a seat is known to hold.
        pack: cards of the pack; by default all 52.
        exact: count all deals instead of sampling; by default for up to four players, beyond which it is
            refused.
        samples: deals drawn if not counted.
        seed: seed of the sampling.
        threads: threads of the sampling; the result does not depend on it.

    Raises:
        ParameterError: if a card is unknown or named twice, or a number impossible.
    """
    q = question(hand, players, seat, seen, held, pack)
    if is_counted(players, exact, EXACT_OPPONENTS):
        return counted_odds(q)
    return sampled_odds(q, -1, samples, seed, threads)


def buy_odds(
    hand: Sequence[int],
    players: int = 3,
    seat: int = 1,
    *,
    seen: Sequence[int] = (),
    held: Mapping[int, Collection[int]] | None = None,
    pack: Sequence[int] | None = None,
    exact: bool | None = None,
    samples: int = 1_000_000,
    seed: int | str | bytes = 0,
    threads: int = 1,
) -> list[BuyOdds]:
    """One-step look-ahead: each discard of a buy, as if the deal were settled right after it.

    Arguments are those of :func:`knock_odds`, but only up to three players are counted exactly by default
    (four take seconds).

    Returns:
        One entry a discard, best points first.

    Raises:
        ParameterError: as :func:`knock_odds`; also if no card is left to draw.
    """
    q = question(hand, players, seat, seen, held, pack, draws=1)
    counted = is_counted(players, exact, EXACT_OPPONENTS - 1)
    found = []
    for card in q.hand:
        if counted:
            odds = _mean([counted_odds(after) for after in _draws(q, card)])
        else:
            odds = sampled_odds(q, card, samples, seed, threads)
        found.append(BuyOdds(card, _less(odds, 0 if seat == 0 else 1)))
    return sorted(found, key=lambda buy: -buy.odds.points)


# Checks ---------------------------------------------------------------------------------------------------


def _name(card: int) -> str:
    return card_name(card) if 0 <= card < CARDS else f"card {card}"


def _mask(cards: Iterator[int] | Sequence[int]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def question(
    hand: Sequence[int],
    players: int,
    seat: int,
    seen: Sequence[int],
    held: Mapping[int, Collection[int]] | None,
    pack: Sequence[int] | None,
    draws: int = 0,
) -> Question:
    """A checked question; arguments as for :func:`knock_odds`.

    Args:
        hand: three cards.
        players: how many hold a hand.
        seat: places to the left of the dealer.
        seen: cards that nobody can hold any more.
        held: cards that each seat is known to hold.
        pack: cards of the pack; None = all 52.
        draws: cards that are drawn from the stock besides the hands.

    Raises:
        ParameterError: if a card is unknown or named twice, or a number impossible.
    """
    cards = tuple(pack_cards(4, 13) if pack is None else pack)
    if not 2 <= players <= 12:
        raise ParameterError(f"{players} players: the odds are for 2 to 12")
    if not 0 <= seat < players:
        raise ParameterError(
            f"seat {seat} does not exist: with {players} players, seats are 0..{players - 1}"
        )
    known = dict(held or {})
    if not all(0 <= place < players and place != seat for place in known):
        raise ParameterError(f"seat {seat} of {players} cannot know what seats {sorted(known)} hold")
    if len(hand) != 3:
        raise ParameterError(f"a hand has three cards, not {len(hand)}")
    if any(len(some) > 3 for some in known.values()):
        raise ParameterError("nobody holds more than three cards")
    named = [*hand, *seen, *itertools.chain(*known.values())]
    strange = [card for card in named if card not in cards]
    if strange:
        raise ParameterError(f"{_name(strange[0])} is not in the pack")
    twice = [card for card in named if named.count(card) > 1]
    if twice:
        raise ParameterError(f"{_name(twice[0])} is named twice")
    need = 3 * (players - 1) - sum(map(len, known.values())) + draws
    if len(cards) - len(named) < need:
        raise ParameterError(f"{len(cards) - len(named)} cards are left, the others need {need}")
    places = tuple(tuple(known.get(place, ())) for place in range(players))
    return Question(tuple(sorted(hand)), tuple(seen), places, cards, players, seat)


def is_counted(players: int, exact: bool | None, most: int) -> bool:
    """Whether all deals are to be counted: as asked, by default for up to `most` unknown hands.

    Raises:
        ParameterError: if counting is asked for with more than :data:`EXACT_OPPONENTS`.
    """
    if exact and players - 1 > EXACT_OPPONENTS:
        raise ParameterError(f"exact odds are for up to {EXACT_OPPONENTS + 1} players, not {players}")
    return players - 1 <= most if exact is None else exact


# Counting and sampling ------------------------------------------------------------------------------------


def counted_odds(q: Question) -> Odds:
    """The odds over all deals of one to three unknown hands."""
    n = q.players
    total, win, outright, same = core.exact(_mask(q.hand), q.unseen, [_mask(h) for h in q.held], q.seat)
    if q.seat:
        points = Fraction((n + 1) * win + same, total) - 1
    else:
        points = Fraction(n * win - (total - win - same) - (n - 1) * same, total) - 1
    p, x = win / total, float(points)
    return Odds(n, q.seat, p, outright / total, x, None, (p, p), (x, x))


def sampled_odds(q: Question, discard: int, samples: int, seed: int | str | bytes, threads: int) -> Odds:
    """The odds over sampled deals, a discard (-1 = none) exchanged for a drawn card before each.

    Raises:
        ParameterError: if there are no samples.
    """
    if samples < 1:
        raise ParameterError(f"{samples} samples: at least one is needed")
    shards = [(at // SHARD, min(SHARD, samples - at)) for at in range(0, samples, SHARD)]

    def shard(item: tuple[int, int], cancel: Cancel) -> tuple[int, int, int, int]:
        stream, size = item
        held = [_mask(h) for h in q.held]
        rng = Random(seed, stream)
        return core.sample(_mask(q.hand), q.unseen, held, q.seat, discard, size, rng, cancel)[0]

    parts = run(shard, shards, threads)
    win, outright, points, squares = (sum(part[i] for part in parts) for i in range(4))
    return tallied(q.players, q.seat, samples, (win, outright, points, squares))


def tallied(players: int, seat: int, samples: int, tally: tuple[int, int, int, int]) -> Odds:
    """The odds that sampled deals show, from their wins, outright wins, sum of points and of squares."""
    win, outright, points, squares = tally
    mean = points / samples
    # one more deal at each end keeps the interval honest where all sampled deals end alike
    spread = (squares + 2 * players**2) / (samples + 2) - (points / (samples + 2)) ** 2
    half = Z95 * math.sqrt(spread / samples)
    return Odds(
        players,
        seat,
        win / samples,
        outright / samples,
        mean,
        samples,
        wilson(win, samples),
        (mean - half, mean + half),
    )


def _draws(q: Question, discard: int) -> Iterator[Question]:
    kept = [card for card in q.hand if card != discard]
    unseen = q.unseen
    for card in q.pack:
        if unseen >> card & 1:
            yield Question((*kept, card), (*q.seen, discard), q.held, q.pack, q.players, q.seat)


def _mean(parts: list[Odds]) -> Odds:
    n = len(parts)
    win, outright, points = (
        math.fsum(getattr(part, name) for part in parts) / n for name in ("win", "outright", "points")
    )
    return Odds(parts[0].players, parts[0].seat, win, outright, points, None, (win, win), (points, points))


def _less(odds: Odds, price: int) -> Odds:
    low, high = odds.points_interval
    return Odds(
        odds.players,
        odds.seat,
        odds.win,
        odds.outright,
        odds.points - price,
        odds.samples,
        odds.win_interval,
        (low - price, high - price),
    )
