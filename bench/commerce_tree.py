"""Mini Commerce measured by the generic tree code: the learnt profile over the game's own states.

    python bench/commerce_tree.py [--rounds 300] [--checkpoint FILE]

The specialised solver learns and measures a profile; then :mod:`cardgods.solve.reached`, which knows nothing
of Commerce, walks all 369,600 deals (hands as sets, draws one by one), everything that the profile does with
positive probability, and for the best responses everything that one seat could do. Both have to say the same.
"""

import argparse
import time
from itertools import combinations
from pathlib import Path

import cardgods
from cardgods.solve.commerce_mini import SEATS, solve_mini
from cardgods.solve.commerce_tables import hand_classes
from cardgods.solve.reached import reached_best_response, reached_values

TOLERANCE = 1e-9


def deals(game, seat, own, weight):
    """All deals in which a seat gets a hand, each with the weight."""
    dealer = game.new_initial_state(turn_based=True).child(2)
    rest = [card for card in game.pack if card not in own]
    for one in combinations(rest, 3):
        for other in combinations([card for card in rest if card not in one], 3):
            hands = [one, other]
            hands.insert(seat, own)
            state = dealer.clone()
            for i in range(9):
                state.apply_action(hands[i % 3][i // 3])
            yield state, weight


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--checkpoint", type=Path)
    options = parser.parse_args()
    game = cardgods.load_game("commerce", "mini")
    solution = solve_mini(game, rounds=options.rounds, checkpoint=options.checkpoint)

    def policy(state, player):
        return solution.policy(state)

    begun = time.process_time()
    found = reached_values(
        (
            start
            for own in combinations(game.pack, 3)
            for start in deals(game, 0, own, 1 / solution.size.deals)
        ),
        policy,
    )
    print(f"values {found.values}: {found.positions:,} positions, {time.process_time() - begun:.0f} cpu-s")
    for seat, deviation in enumerate(solution.deviations):
        assert abs(found.values[seat] - deviation.value) < TOLERANCE
        begun = time.process_time()
        # one hand of those that a renaming of the suits makes equal stands for all
        starts = (
            start
            for own, count in hand_classes(game.pack)
            for start in deals(game, seat, own, count / solution.size.deals)
        )
        best = reached_best_response(starts, policy, seat)
        print(
            f"{SEATS[seat]}: best response {best.value:.12f}, specialised {deviation.best:.12f}, "
            f"gain {best.value - found.values[seat]:.5f}; {best.positions:,} positions, "
            f"{best.information_sets:,} information sets, {time.process_time() - begun:.0f} cpu-s",
            flush=True,
        )
        assert abs(best.value - deviation.best) < TOLERANCE


if __name__ == "__main__":
    main()
