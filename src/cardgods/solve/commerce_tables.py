"""Tables of Commerce: the odds of knocking with every class of hands, as rows, CSV or JSON."""

import csv
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from cardgods._core.rng import Random
from cardgods._core.solve import commerce_odds as core
from cardgods._core.walk import Cancel
from cardgods.cards import card_name, mask_of
from cardgods.games.commerce import pack_cards
from cardgods.solve.commerce import (
    EXACT_OPPONENTS,
    Odds,
    counted_odds,
    describe,
    is_counted,
    question,
    strength,
    tallied,
)
from cardgods.work import run


@dataclass(frozen=True)
class TableRow:
    """All hands that differ by a renaming of the suits only.

    Attributes:
        cards: the first of them.
        hands: how many there are.
        strength: 0..64 (see :func:`describe`).
        odds: one entry a seat, ascending.
    """

    cards: tuple[int, int, int]
    hands: int
    strength: int
    odds: tuple[Odds, ...]


def hand_classes(pack: Sequence[int]) -> list[tuple[tuple[int, int, int], int]]:
    """Hands of a pack up to a renaming of its suits: (first hand, how many it stands for), ascending."""
    suits = sorted({card // 13 for card in pack})
    renamings = list(itertools.permutations(suits))
    place = {suit: i for i, suit in enumerate(suits)}
    counts: dict[tuple[int, int, int], int] = {}
    for hand in itertools.combinations(sorted(pack), 3):
        first = min(
            tuple(sorted(13 * names[place[card // 13]] + card % 13 for card in hand)) for names in renamings
        )
        a, b, c = first
        counts[a, b, c] = counts.get((a, b, c), 0) + 1
    return sorted(counts.items())


def knock_table(
    players: int,
    *,
    pack: Sequence[int] | None = None,
    exact: bool | None = None,
    samples: int = 100_000,
    seed: int | str | bytes = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[TableRow]:
    """The odds of knocking with every class of hands at every seat, nothing else being known.

    Args:
        players: 2..12.
        pack: cards of the pack; by default all 52.
        exact: as for :func:`knock_odds`.
        samples: deals drawn for each class if not counted; all seats share them.
        seed: seed of the sampling.
        threads: how many classes are worked on at once; the result does not depend on it.
        progress: called with the number of classes done.

    Raises:
        ParameterError: if a number is impossible.
    """
    cards = tuple(pack_cards(4, 13) if pack is None else pack)
    classes = hand_classes(cards)
    counted = is_counted(players, exact, EXACT_OPPONENTS)

    def row(item: tuple[int, tuple[tuple[int, int, int], int]], cancel: Cancel) -> TableRow:
        number, (hand, size) = item
        questions = [question(hand, players, seat, (), None, cards) for seat in range(players)]
        if counted:
            odds = [counted_odds(q) for q in questions if not cancel.is_set()]
        else:
            q, rng = questions[0], Random(seed, number)
            tallies = core.sample(mask_of(hand), q.unseen, [0] * players, -1, -1, samples, rng, cancel)
            odds = [tallied(players, seat, samples, tally) for seat, tally in enumerate(tallies)]
        return TableRow(hand, size, strength(hand), tuple(odds))

    return run(row, enumerate(classes), threads, progress)


Record = dict[str, str | int | float | None]


def table_records(rows: Sequence[TableRow]) -> Iterator[Record]:
    """One flat record for each class and seat, cards in the English short form with suit letters.

    Keys: cards, hands, category, value, size, players, seat, win, win_low, win_high, outright, points,
    points_low, points_high, samples (None if all deals were counted).
    """
    for row in rows:
        category, value, size = describe(row.strength)
        for odds in row.odds:
            yield {
                "cards": " ".join(card_name(card, ascii=True) for card in row.cards),
                "hands": row.hands,
                "category": category,
                "value": value,
                "size": size,
                "players": odds.players,
                "seat": odds.seat,
                "win": odds.win,
                "win_low": odds.win_interval[0],
                "win_high": odds.win_interval[1],
                "outright": odds.outright,
                "points": odds.points,
                "points_low": odds.points_interval[0],
                "points_high": odds.points_interval[1],
                "samples": odds.samples,
            }


def write_csv(rows: Sequence[TableRow], out: TextIO) -> None:
    """The records as CSV (RFC 4180 with line feeds), a heading first; no samples = counted."""
    records = list(table_records(rows))
    writer = csv.DictWriter(out, fieldnames=list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)


def write_json(rows: Sequence[TableRow], out: TextIO) -> None:
    """The records as a JSON array, one a line."""
    lines = (json.dumps(record) for record in table_records(rows))
    out.write("[\n" + ",\n".join(lines) + "\n]\n")
