"""Agents for hidden hands: what they may know, what they must see, and how well they play exactly."""

import json

import pytest

import cardgods
from cardgods import Random
from cardgods._core.search.ismcts import Ismcts
from cardgods._core.search.policy import has_policy, policy_action
from cardgods._core.solve.trones_pimc import Pimc
from cardgods._core.walk import Cancel
from cardgods.agents import make_agent
from cardgods.agents.trones.pimc import PimcAgent
from cardgods.games.trones import force
from cardgods.play import play
from cardgods.solve.tree import Profile, best_responses, build_tree, profile_from_function
from cardgods.solve.trones_exploit import exploitability, state_at
from conftest import GAMES, TESTS, random_states

SPECS = ["greedy", "pimc:worlds=30", "ismcts:iterations=60", "ismcts:iterations=60,heuristic=off"]


def trones(variant="express", **options):
    return cardgods.load_game("trones", variant, **options)


def decisions(game, rng, games=1):
    """Every state of some random games at which a player acts."""
    for _ in range(games):
        for state in random_states(game, rng):
            if state.current_player() >= 0:
                yield state


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("variant", ["standard", "express"])
def test_choices_depend_on_nothing_hidden(spec, variant, rng):
    game = trones(variant)
    agent = make_agent(spec, game)
    seen = set()
    for state in decisions(game, rng):
        player = state.current_player()
        key = Random(len(state))
        choice = agent.choose(state, player, key)
        assert choice in state.legal_actions()
        assert agent.choose(state, player, Random(len(state))) == choice
        for _ in range(3):
            world = state.resample(player, rng)
            assert agent.choose(world, player, Random(len(state))) == choice
            seen.add(str(world.view()))
    assert len(seen) > 30


@pytest.mark.parametrize("name", GAMES)
def test_tree_search_plays_every_game(name):
    game = cardgods.load_game(name)
    agents = [make_agent("ismcts:iterations=12", game)] + [
        make_agent("random", game) for _ in range(game.num_players() - 1)
    ]
    state = play(game.new_initial_state(True), agents, Random(3))
    assert state.is_terminal()


def last_decisions(count):
    """Positions in which the last card is laid and some moves win, some lose: the table says all."""
    game = trones("express", hand=2)
    found = 0
    for i in range(10_000):
        state = game.new_initial_state(True)
        agents = [make_agent("random", game)] * 2
        states = []
        play(
            state,
            agents,
            Random(f"last{i}"),
            observer=lambda s, a, b, states=states: states.append(s.clone()),
        )
        before = next(s for s in reversed(states) if s.current_player() == 1)
        winning = [a for a in before.legal_actions() if before.child(a).returns()[1] > 0]
        if 0 < len(winning) < len(before.legal_actions()):
            found += 1
            yield before, winning
        if found == count:
            return


@pytest.mark.parametrize("spec", SPECS)
def test_a_last_card_that_wins_is_found(spec):
    agent = make_agent(spec, trones("express", hand=2))
    for state, winning in last_decisions(12):
        assert agent.choose(state, 1, Random(1)) in winning


@pytest.mark.parametrize("spec", SPECS[:3])
def test_on_the_last_front_the_card_that_counts_most_is_laid(spec, rng):
    game = trones("standard")
    agent = make_agent(spec, game)
    asked = 0
    for state in decisions(game, rng, games=4):
        player = state.current_player()
        fronts = {a % 3 for a in state.legal_actions()}
        if len(fronts) == 1:
            asked += 1
            choice = agent.choose(state, player, rng)
            f = choice % 3
            best = max(force(a // 3, f) for a in state.legal_actions())
            assert force(choice // 3, f) == best
    assert asked > 5


def test_greedy_wins_nineteen_of_twenty_games_against_random():
    game = trones()
    agents = make_agent("greedy", game), make_agent("random", game)
    wins = 0
    for i in range(1500):
        wins += play(game.new_initial_state(True), agents, Random(f"g{i}")).returns()[0] > 0
        wins += play(game.new_initial_state(True), agents[::-1], Random(f"g{i}")).returns()[1] > 0
    # 95.9 % over many games; four standard errors below
    assert wins / 3000 > 0.944


# The heuristic


def plain_greedy(view, player):
    """The heuristic from its description."""
    spread = [None, 16, 23, 28, 32, 36, 39]

    def chance(f, mine, his):
        front = view["fronts"][f]
        capacity = view["capacity"]
        free = 2 * capacity - len(mine) - len(his)
        lead = sum(force(c, f) for c in mine) - sum(force(c, f) for c in his)
        lead += 18 * (len(his) - len(mine))
        if not free:
            keys = [max((force(c, f) for c in cards), default=0) for cards in (mine, his)]
            level = keys[0] > keys[1] or (keys[0] == keys[1] and player == 0)
            return 1024 if lead > 0 or (lead == 0 and level) else 0
        assert front["trump"] in (0, 1, 3)
        return min(1024, max(0, 512 + int(1280 * lead / spread[free])))

    def worth(card, front):
        a, b, c = (
            chance(f, f_cards[player] + [card] * (f == front), f_cards[1 - player])
            for f, f_cards in (
                (f, view["fronts"][f]["cards"]) for f in (front, (front + 1) % 3, (front + 2) % 3)
            )
        )
        return a * b + a * c + b * c - 2 * ((a * b // 1024) * c)

    hand = view["hands"][player]
    open_fronts = [f for f in range(3) if view["fronts"][f]["room"][player]]
    best = None
    for card in hand:
        for f in open_fronts:
            others = [g for g in open_fronts if g != f]
            beaten = False
            for other in hand:
                better = force(other, f) >= force(card, f) and all(
                    force(other, g) <= force(card, g) for g in others
                )
                same = all(force(other, g) == force(card, g) for g in open_fronts)
                beaten |= other != card and better and (not same or other < card)
            if not beaten and (best is None or worth(card, f) > best[0]):
                best = worth(card, f), 3 * card + f
    return best[1]


@pytest.mark.parametrize(
    "options",
    [{"capacity": 3, "hand": 4}, {"capacity": 2, "hand": 3}, {"ranks": (7, 8, 9), "capacity": 1, "hand": 2}],
)
def test_the_heuristic_is_what_its_page_says(options, rng):
    game = trones("standard", **options)
    for state in decisions(game, rng, games=20):
        player = state.current_player()
        assert policy_action(state, rng) == plain_greedy(state.view(player), player)


def test_only_games_with_a_heuristic_have_one(rng):
    state = trones().new_initial_state()
    assert has_policy(state)
    with pytest.raises(cardgods.IllegalActionError, match="no player acts here"):
        policy_action(state, rng)
    other = cardgods.load_game("encan").new_initial_state()
    assert not has_policy(other)
    with pytest.raises(cardgods.SolveError, match="encan has no quick heuristic"):
        policy_action(other, rng)


# The searches


def middle(variant="standard", moves=5):
    states = [state.clone() for state in decisions(trones(variant), Random("middle"))]
    return states[moves]


def test_open_hand_search_counts_worlds():
    state = middle()
    search = Pimc(state, state.current_player(), Random(1), every_move=True)
    assert [wins for _, wins in search.moves()] == [0] * len(state.legal_actions())
    assert search.run(30, Cancel()) == 30
    assert search.run(20, Cancel()) == 20
    assert search.worlds == 50
    assert sorted(a for a, _ in search.moves()) == state.legal_actions()
    wins = [wins for _, wins in search.moves()]
    assert wins == sorted(wins, reverse=True)
    assert 0 < max(wins) <= 50
    assert set(dict(Pimc(state, state.current_player(), Random(1)).moves())) < set(state.legal_actions())


def test_left_out_moves_never_score_more(rng):
    for state in decisions(trones(), rng, games=2):
        player = state.current_player()
        every, few = Pimc(state, player, Random(1), every_move=True), Pimc(state, player, Random(1))
        # the second has drawn one world already, to see which moves it may leave out
        every.run(61, Cancel())
        few.run(60, Cancel())
        best = every.moves()[0][1]
        assert best - 1 <= few.moves()[0][1] <= best


def test_open_hand_search_is_for_the_player_on_turn(rng):
    state = trones().new_initial_state()
    with pytest.raises(cardgods.IllegalActionError, match="player 0 is not to lay a card here"):
        Pimc(state, 0, rng)


@pytest.mark.parametrize("heuristic", [True, False])
def test_tree_search_keeps_count(heuristic):
    state = middle()
    player = state.current_player()
    search = Ismcts(state, player, Random(1), 1.0, heuristic, -1.0, 1.0)
    assert search.run(300, Cancel()) == 300
    moves = search.moves()
    assert sum(visits for _, visits, _ in moves) == search.iterations == 300
    assert {action for action, _, _ in moves} == set(state.legal_actions())
    assert all(0 <= mean <= 1 for _, _, mean in moves)
    assert 300 < search.nodes < 300 * 60
    # every iteration leads to the state and on to the end
    turns_and_draws = 43 - len(state)
    assert 300 * 41 < search.steps <= 300 * (len(state) + turns_and_draws)


def test_tree_search_goes_on_when_its_memory_is_full():
    state = middle()
    small = Ismcts(state, state.current_player(), Random(1), 1.0, True, -1.0, 1.0, max_nodes=1024)
    small.run(2000, Cancel())
    assert small.nodes < 1024
    assert sum(visits for _, visits, _ in small.moves()) == 2000


@pytest.mark.parametrize("name", GAMES)
def test_tree_search_is_for_the_player_on_turn(name, rng):
    game = cardgods.load_game(name)
    state = game.new_initial_state(True)
    while True:
        for player in range(-4, game.num_players() + 1):
            if player != state.current_player() or player < 0:
                with pytest.raises(cardgods.IllegalActionError, match="is not on turn here"):
                    Ismcts(state, player, rng, 1.0, False, -1.0, 1.0)
        if state.is_terminal():
            break
        actions = state.legal_actions()
        state.apply_action(state.sample_chance(rng) if state.is_chance_node() else rng.choice(actions))


def test_searches_stop_at_the_flag():
    state = middle()
    cancel = Cancel()
    cancel.set()
    assert Ismcts(state, state.current_player(), Random(1), 1.0, True, -1.0, 1.0).run(1000, cancel) == 0
    assert Pimc(state, state.current_player(), Random(1)).run(1000, cancel) == 0


def test_tree_search_finds_the_only_good_bid():
    # one treasure left and a higher card in hand: only that card takes the lot
    game = cardgods.load_game("encan", cards=(2, 3, 4), target=None, obole=False, tie_break="second")
    state = game.new_position(hands=[[2, 4], [3, 2]], treasures_left=[4, 2], scores=[0, 0], turn_based=True)
    state.apply_action(2)
    search = Ismcts(state, 0, Random(1), 1.0, False, -1.0, 1.0)
    search.run(3000, Cancel())
    assert search.moves()[0][0] == 2


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pimc:worlds=0", "parameter worlds: 0 is not from 1"),
        ("pimc:worlds=5,seconds=1", "give worlds or seconds, not both"),
        ("pimc:seconds=0", r"parameter seconds: 0\.0 is not above 0"),
        ("ismcts:seconds=-1", "parameter seconds"),
        ("ismcts:iterations=5,seconds=1", "give iterations or seconds, not both"),
        ("ismcts:exploration=-1", "parameter exploration: -1"),
        ("ismcts:exploration=nan", "parameter exploration: nan"),
    ],
)
def test_impossible_budgets_are_refused(spec, message):
    with pytest.raises(cardgods.ParameterError, match=message):
        make_agent(spec, trones())


@pytest.mark.parametrize("spec", ["pimc:seconds=0.01", "ismcts:seconds=0.01"])
def test_a_budget_of_time_gives_a_move(spec):
    state = middle()
    assert (
        make_agent(spec, trones("standard")).choose(state, state.current_player(), Random(1))
        in state.legal_actions()
    )


def test_open_hand_agent_takes_the_heuristic_among_equals():
    game = trones("express", hand=2)
    agent = make_agent("pimc:worlds=1", game)
    assert isinstance(agent, PimcAgent)
    for state, winning in last_decisions(5):
        quick = policy_action(state, Random(1))
        assert quick not in winning or agent.choose(state, 1, Random(1)) == quick


# Exploitability


DATA = json.loads((TESTS / "data" / "trones.json").read_text())["nash"]
NASH = {(row["ranks_count"], row["hand"]): row for row in DATA if row["capacity"] == 1}


def tiny(ranks, hand):
    return trones("standard", ranks=tuple(range(15 - ranks, 15)), capacity=1, hand=hand)


@pytest.mark.parametrize(("ranks", "hand"), [(1, 1), (1, 2)])
def test_best_answers_agree_with_the_whole_tree(ranks, hand):
    game = tiny(ranks, hand)
    tree = build_tree(game.new_initial_state(True))
    found = exploitability(game, None)
    uniform = best_responses(Profile(tree))
    assert found.as_first == pytest.approx((uniform.best[0] + 1) / 2)
    assert found.as_second == pytest.approx((uniform.best[1] + 1) / 2)
    greedy = make_agent("greedy", game)
    profile = profile_from_function(tree, lambda state, player: greedy.choose(state, player, Random(1)))
    answers = best_responses(profile)
    found = exploitability(game, greedy)
    assert found.as_first == pytest.approx((answers.best[0] + 1) / 2)
    assert found.as_second == pytest.approx((answers.best[1] + 1) / 2)


@pytest.mark.parametrize(("ranks", "hand"), [(1, 1), (1, 2), (2, 1)])
@pytest.mark.parametrize("spec", ["random", "greedy", "pimc:worlds=20", "ismcts:iterations=40"])
def test_a_perfect_opponent_wins_no_less_than_the_value(ranks, hand, spec):
    game = tiny(ranks, hand)
    found = exploitability(game, None if spec == "random" else make_agent(spec, game))
    value, error = NASH[ranks, hand]["value"], NASH[ranks, hand]["error"] + 1e-9
    assert found.as_first >= value - error
    assert found.as_second >= 1 - value - error
    assert found.value == pytest.approx((found.as_first + found.as_second - 1) / 2)
    assert -1e-9 <= found.value < (0.5 if spec == "random" else 0.1)


def test_the_heuristic_is_hard_to_exploit():
    found = exploitability(tiny(2, 2), make_agent("greedy", tiny(2, 2)))
    assert found.value == pytest.approx(0.019494047619)
    assert found.as_first == pytest.approx(0.512797619048)


def test_a_large_game_is_refused():
    with pytest.raises(cardgods.SolveError, match="too large: capacity 1 and up to 16 cards"):
        exploitability(trones(), None)
    with pytest.raises(cardgods.SolveError, match="too large"):
        exploitability(trones("standard", ranks=tuple(range(7, 12)), capacity=1, hand=1), None)


def test_a_state_is_made_to_show_a_table(rng):
    game = tiny(3, 2)
    for state in decisions(game, rng, games=10):
        player = state.current_player()
        view = state.view(player)
        laid = [[sum(1 << c for c in front["cards"][p]) for front in view["fronts"]] for p in range(2)]
        other = state_at(game, laid, view["hands"][player], player)
        assert other.view(player) == view
