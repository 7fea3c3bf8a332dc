"""Time of one open-hand solve of Trois Trônes, deal by deal: median, mean, 99th percentile, worst.

python bench/trones_open.py [EXPRESS_DEALS STANDARD_DEALS]
"""

import statistics
import sys
import time

from cardgods import Random
from cardgods._core.solve.trones import OpenSolver, deal_deck

DECK = sum(0x1FE0 << (13 * suit) for suit in range(4))
NOBODY = [[0] * 3] * 2


def measure(name, capacity, hand, deals):
    solver = OpenSolver()
    times, moves = [], []
    wins = 0
    for i in range(deals):
        deck = deal_deck(DECK, Random(1, i))
        hands, pile = (deck[0 : 2 * hand : 2], deck[1 : 2 * hand : 2]), deck[2 * hand :]
        begun = time.process_time_ns()
        solver.set_deal(hands, pile, NOBODY, capacity, 0)
        wins += solver.winner() == 0
        solved = time.process_time_ns()
        solver.winning_moves()
        times.append((solved - begun) / 1e6)
        moves.append((time.process_time_ns() - begun) / 1e6)
    assert solver.nodes > deals
    for what, values in (("winner", times), ("winner and all winning moves", moves)):
        values.sort()
        print(
            f"{name} {what}: {deals} deals, median {statistics.median(values):.4f} ms, "
            f"mean {statistics.fmean(values):.4f} ms, 99 % under {values[int(deals * 0.99)]:.4f} ms, "
            f"worst {values[-1]:.2f} ms"
        )
    print(f"{name}: player 0 wins {wins / deals:.4f} +- {1.96 * (0.25 / deals) ** 0.5:.4f}")


if __name__ == "__main__":
    counts = [int(text) for text in sys.argv[1:]] or [100_000, 20_000]
    measure("express", 2, 3, counts[0])
    measure("standard", 3, 4, counts[1])
