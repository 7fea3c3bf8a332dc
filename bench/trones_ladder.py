"""The ladder of Trois Trônes agents: win rates over duplicate deals, and exact exploitability.

    python bench/trones_ladder.py [--variant express|standard] [--games 20000] [--workers 1] [--rows TEXT]
    python bench/trones_ladder.py --blueprint FILE      # rows with the agent blueprint as well
    python bench/trones_ladder.py --exploit
    python bench/trones_ladder.py --answer [--blueprint FILE] [--games 20000]

Every deal is played twice with the seats changed; the interval is that of the mean over deals. `all-seeing`
looks at every card and lays a move that wins with all cards open, if there is one: no agent, but the bound of
what knowing the cards could bring. All random numbers follow from the seed, so a row comes out alike on any
machine and with any number of workers. With --answer a local best response plays against each agent: what it
wins is a lower bound on the agent's exploitability. `by` says whose strategy it takes the agent's to be.
"""

import argparse
import statistics
import time
from concurrent.futures import ProcessPoolExecutor

from cardgods import Random, load_game
from cardgods._core.solve.trones import OpenSolver, deal_deck
from cardgods.agents import make_agent
from cardgods.cards import mask_of
from cardgods.solve.trones import at_state
from cardgods.solve.trones_exploit import exploitability
from cardgods.solve.trones_lbr import Responder

ROWS = [
    ("greedy", "random"),
    ("pimc", "greedy"),
    ("ismcts", "greedy"),
    ("all-seeing", "greedy"),
    ("all-seeing", "pimc"),
]
SEARCH = "blueprint:worlds=400"
BLUEPRINT_ROWS = [(name, other) for name in ("blueprint", SEARCH) for other in ("greedy", "pimc", "ismcts")]
# agent, and whose strategy it is taken to be
ANSWERED = [("random", "random"), ("greedy", "greedy"), ("pimc", "greedy"), ("ismcts", "greedy")]
BLUEPRINT_ANSWERED = [("blueprint", "blueprint"), (SEARCH, "greedy")]
EXPLOITED = ["random", "greedy", "pimc:worlds=64", "pimc:worlds=400", "ismcts:iterations=500"]
SHARD = 250
SEED = "ladder 1"


class AllSeeing:
    """Lays a move that wins with all cards open, the greedy one if it does; the greedy one if none does."""

    def __init__(self, game, deck):
        self._quick = make_agent("greedy", game)
        self._solver = OpenSolver()
        self._deck = deck

    def choose(self, state, player, rng):
        quick = self._quick.choose(state, player, rng)
        drawn = sum(actor < 0 for actor, _ in state.full_history())
        at = at_state(state, self._deck[drawn:])
        masks = [[mask_of(front) for front in side] for side in at.laid]
        self._solver.set_deal(at.hands, at.pile, masks, at.capacity, at.mover)
        winning = [3 * card + front for card, front in self._solver.winning_moves()]
        return quick if quick in winning or not winning else winning[0]


def seat(name, game, deck, made, blueprint):
    if name == "all-seeing":
        return AllSeeing(game, deck)
    if name not in made:
        kind, _, rest = name.partition(":")
        file = [f"file={blueprint}"] if kind == "blueprint" else []
        parameters = ",".join([*file, *filter(None, [rest])])
        made[name] = make_agent(f"{kind}:{parameters}" if parameters else kind, game)
    return made[name]


def first_wins(game, deck, agents, seed):
    state = game.new_initial_state(turn_based=True)
    cards = iter(deck)
    turn = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(next(cards))
            continue
        player = state.current_player()
        state.apply_action(agents[player].choose(state, player, Random(seed, turn)))
        turn += 1
    return state.returns()[0] > 0


def shard(variant, names, first, pairs, blueprint):
    """Points of the first agent in each pair of games: 0, 1/2 or 1."""
    game = load_game("trones", variant)
    made, points = {}, []
    for i in range(first, first + pairs):
        deck = deal_deck(game.deck_mask(), Random(SEED, i))
        one, two = (seat(name, game, deck, made, blueprint) for name in names)
        wins = first_wins(game, deck, (one, two), f"{SEED} {i} a")
        wins += not first_wins(game, deck, (two, one), f"{SEED} {i} b")
        points.append(wins / 2)
    return points


def answers(variant, names, first, pairs, blueprint):
    """Points of a local best response in each pair of games against the first agent."""
    game = load_game("trones", variant)
    made, points = {}, []
    agent, model = (seat(name, game, None, made, blueprint) for name in names)
    for i in range(first, first + pairs):
        deck = deal_deck(game.deck_mask(), Random(SEED, i))
        wins = first_wins(game, deck, (Responder(model), agent), f"{SEED} {i} a")
        wins += not first_wins(game, deck, (agent, Responder(model)), f"{SEED} {i} b")
        points.append(wins / 2)
    return points


def measured(play, variant, names, games, pool, blueprint):
    """Mean of the points, half the width of its interval, games, seconds."""
    begun = time.time()
    pairs = games // 2
    starts = range(0, pairs, SHARD)
    parts = [pool.submit(play, variant, names, at, min(SHARD, pairs - at), blueprint) for at in starts]
    points = [value for part in parts for value in part.result()]
    assert len(points) == pairs
    error = 1.96 * statistics.pstdev(points) / pairs**0.5
    return statistics.fmean(points), error, 2 * pairs, time.time() - begun


def match(variant, names, games, pool, blueprint):
    mean, error, played, seconds = measured(shard, variant, names, games, pool, blueprint)
    print(
        f"{variant}: {names[0]} beats {names[1]} in {100 * mean:.2f} % +- {100 * error:.2f} "
        f"({played} games, {seconds:.0f} s)",
        flush=True,
    )


def answer(variant, names, games, pool, blueprint):
    mean, error, played, seconds = measured(answers, variant, names, games, pool, blueprint)
    print(
        f"{variant}: exploitability of {names[0]} (by {names[1]}) at least {mean - 0.5:.4f} +- {error:.4f} "
        f"({played} games, {seconds:.0f} s)",
        flush=True,
    )


def exploit(names):
    game = load_game("trones", ranks=(12, 13, 14), capacity=1, hand=2)
    for name in names:
        begun = time.process_time()
        found = exploitability(game, None if name == "random" else make_agent(name, game))
        print(
            f"{game}: {name} {found.value:.4f} (best answer as player 0 {found.as_first:.4f}, as player 1 "
            f"{found.as_second:.4f}; {found.asked} decisions, {time.process_time() - begun:.0f} s)",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--variant", default="express", choices=["express", "standard"])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rows", default="", help="only rows with this text")
    parser.add_argument("--exploit", action="store_true")
    parser.add_argument("--answer", action="store_true")
    parser.add_argument("--blueprint", default="", help="file of a blueprint of the variant")
    options = parser.parse_args()
    if options.exploit:
        exploit([name for name in EXPLOITED if options.rows in name])
        return
    with ProcessPoolExecutor(options.workers) as pool:
        rows, run = (ANSWERED, answer) if options.answer else (ROWS, match)
        if options.blueprint:
            rows = rows + (BLUEPRINT_ANSWERED if options.answer else BLUEPRINT_ROWS)
        for names in rows:
            if options.rows in " ".join(names):
                run(options.variant, names, options.games, pool, options.blueprint)


if __name__ == "__main__":
    main()
