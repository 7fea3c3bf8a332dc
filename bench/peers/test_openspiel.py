"""The same Goofspiel (13 cards, random order, win or loss) played by OpenSpiel and by this engine.

`make peers` prints the rates of both and their ratio, taken in turn in one run on one core.
"""

import time

import cardgods
from cardgods._core import walk as core
from cardgods._core.walk import Cancel

pyspiel = __import__("pyspiel")

CARDS = 13
RULES = {"num_cards": CARDS, "points_order": "random", "returns_type": "win_loss", "players": 2}
ROUNDS = 5


def rates(work, count):
    """Units per second of process time, best of some rounds; the work returns what it counted."""
    best = 0.0
    for _ in range(ROUNDS):
        begin = time.process_time()
        assert work() == count
        best = max(best, count / (time.process_time() - begin))
    return best


def report(title, ours, theirs):
    print(f"\n{title}: ours {ours:,.0f}/s, OpenSpiel {theirs:,.0f}/s, ratio {ours / theirs:,.1f}")


def uniform_game(state, rng, choice):
    steps = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(choice(state.legal_actions(), rng))
        else:
            state.apply_actions([choice(state.legal_actions(p), rng) for p in (0, 1)])
        steps += 1
    return steps


def choose(actions, rng):
    return actions[rng.below(len(actions))]


def our_playouts(games):
    state = cardgods.load_game("encan", "goofspiel").new_initial_state()
    core.playouts(state, games, cardgods.Random(1), Cancel())
    return games


def their_games(game, games):
    rng = cardgods.Random(2)
    for _ in range(games):
        uniform_game(game.new_initial_state(), rng, choose)
    return games


def their_bots(game, games):
    bots = [pyspiel.make_uniform_random_bot(p, p) for p in (0, 1)]
    for seed in range(games):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    return games


def first_and_last(new_state, games):
    """Steps without any random numbers, so that only legal actions and their application count."""
    steps = 0
    for _ in range(games):
        state = new_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.legal_actions()[-1])
            else:
                state.apply_actions([state.legal_actions(0)[0], state.legal_actions(1)[-1]])
            steps += 1
    return steps


def test_playouts_against_python():
    game = pyspiel.load_game("goofspiel", RULES)
    report(
        "random games, OpenSpiel driven from Python",
        rates(lambda: our_playouts(500_000), 500_000),
        rates(lambda: their_games(game, 500), 500),
    )


def test_playouts_against_native_bots():
    game = pyspiel.load_game("goofspiel", RULES)
    report(
        "random games, OpenSpiel's C++ bots",
        rates(lambda: our_playouts(500_000), 500_000),
        rates(lambda: their_bots(game, 3_000), 3_000),
    )


def test_playouts_against_native_search():
    """Rollouts inside its tree search, the fastest way to random games that it has."""
    turns = pyspiel.convert_to_turn_based(pyspiel.load_game("goofspiel", RULES))
    rollouts = 20_000

    def search():
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 7)
        bot = pyspiel.MCTSBot(turns, evaluator, 2.0, 1, 1, False, 7, False)
        state = turns.new_initial_state()
        state.apply_action(0)
        bot.step(state)
        return rollouts

    report(
        "random games, OpenSpiel's rollouts",
        rates(lambda: our_playouts(500_000), 500_000),
        rates(search, rollouts),
    )


def test_python_steps():
    game = pyspiel.load_game("goofspiel", RULES)
    ours = cardgods.load_game("encan", "goofspiel")
    steps = first_and_last(game.new_initial_state, 1)
    report(
        "steps from Python (legal actions and application)",
        rates(lambda: first_and_last(ours.new_initial_state, 1000), 26_000),
        rates(lambda: first_and_last(game.new_initial_state, 400), 400 * steps),
    )
