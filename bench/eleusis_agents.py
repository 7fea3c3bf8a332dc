"""How the seekers of Eleusis do at one table, and what becomes of their Prophets.

Rounds under invented rules of levels 1 to 3, or under those of the library, seats turned from round to round.
For each agent: mean points of a round with their standard error, how often it became Prophet, how often it
was right to, and what that brought.

    python bench/eleusis_agents.py [--rounds 40] [--library]
        [--seats solver,deduce,greedy,random]
"""

import argparse
import collections
import statistics

import cardgods
from cardgods import Random
from cardgods.agents import make_agent
from cardgods.games.eleusis import DECLARE
from cardgods.rule import library
from cardgods.rule.generate import invent


def play_round(game, agents, rng):
    """Points by seat, and for each declaration: seat, cards in hand, whether he stood, his bonus, belief."""
    state = game.new_initial_state(turn_based=True)
    declared = []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng))
            continue
        player = state.current_player()
        action = agents[player].choose(state, player, rng)
        if action == DECLARE:
            declared.append((player, state.view()["hand_sizes"][player]))
        state.apply_action(action)
    view = state.view()
    points = [int(x) for x in state.returns()]
    found = []
    for place, (player, hand) in enumerate(declared):
        stood = place == len(declared) - 1 and view["prophet"] == player
        right, wrong = view["since_mark"] if stood else (0, 0)
        found.append((player, hand, stood, right + 2 * wrong))
    return points, found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=40)
    options.add_argument("--seats", default="solver,deduce,greedy,random")
    options.add_argument("--library", action="store_true", help="rules of the library, which deduce knows")
    given = options.parse_args()
    seats = given.seats.split(",")
    points, prophets = collections.defaultdict(list), collections.defaultdict(list)
    rng = Random("rules of the bench")
    rules = [entry.name for entry in library() if 1 <= entry.level <= 3]
    rng.shuffle(rules)
    if not given.library:
        rules = [invent(1 + number % 3, rng).rule.text for number in range(given.rounds)]
    for number in range(given.rounds):
        game = cardgods.load_game(
            "eleusis",
            rules=(rules[number % len(rules)],),
            rounds=1,
            players=len(seats) + 1,
            players_min=3,
            compensation=0,
        )
        turned = [seats[(number + k) % len(seats)] for k in range(len(seats))]
        agents = [make_agent(name, game) for name in (*turned, "random")]
        scores, found = play_round(game, agents, Random(f"round {number}"))
        for seat, name in enumerate(turned):
            points[name].append(scores[seat])
        for seat, *rest in found:
            prophets[turned[seat]].append(rest)
    for name, rows in sorted(points.items(), key=lambda each: -statistics.mean(each[1])):
        error = statistics.stdev(rows) / len(rows) ** 0.5
        print(f"{name:12} {statistics.mean(rows):6.1f} points +- {error:.1f}", end="")
        declared = prophets[name]
        if declared:
            stood = [bonus for _, true, bonus in declared if true]
            bonus = statistics.mean(stood) if stood else 0
            print(
                f"; {len(declared)} times Prophet, {len(stood)} stood (bonus {bonus:.1f} on average)",
                end="",
            )
        print()


if __name__ == "__main__":
    main()
