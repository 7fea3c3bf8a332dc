"""Games of optimal play with the Obole: how often and when it is called, and who wins.

    python bench/encan_obole.py SOLUTION.cgs [--games 400] [--seed 1]

The solution comes from `cardgods solve encan --out`. Play below the stored turns is solved on the way.
"""

import argparse
from collections import Counter

from cardgods import Random
from cardgods.agents.encan.exact import ExactAgent
from cardgods.interval import wilson
from cardgods.solve.encan import load_solution


def play(game, agent, rng):
    """The turn in which each player called, 0 for never, and whether player 0 won."""
    state = game.new_initial_state(True)
    called, turn, call = [0, 0], 0, len(game.options.cards) + 1
    while not state.is_terminal():
        player = state.current_player()
        if player < 0:
            turn += 1
            state.apply_action(state.sample_chance(rng))
            continue
        action = agent.choose(state, player, rng)
        if action == call:
            called[player] = turn
        state.apply_action(action)
    return called, state.returns()[0] > 0


def share(name, count, games):
    low, high = wilson(count, games)
    print(f"{name}: {count / games:.3f}, 95 % {low:.3f} to {high:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("solution")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    solution = load_solution(options.solution)
    agent = ExactAgent(solution)
    wins, turns = 0, (Counter(), Counter())
    for number in range(options.games):
        called, won = play(solution.game, agent, Random(options.seed, number))
        wins += won
        for player in range(2):
            turns[player][called[player]] += 1
    print(f"{options.games} games of {solution.game}, value {solution.value:.6f}")
    share("player 0 wins", wins, options.games)
    for player in range(2):
        share(f"player {player} calls", options.games - turns[player][0], options.games)
        spread = ", ".join(f"{turn}: {turns[player][turn]}" for turn in sorted(turns[player]) if turn)
        print(f"player {player} calls in turn {spread}")


if __name__ == "__main__":
    main()
