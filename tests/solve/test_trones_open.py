"""The open-hand solver of Trois Trônes against published values and a plain search without any shortcut."""

import functools
import json

import pytest

import cardgods
from cardgods._core.solve.trones import OpenSolver, deal_deck
from cardgods._core.walk import Cancel
from conftest import TESTS

DATA = json.loads((TESTS / "data" / "trones.json").read_text())
RANKS = "23456789TJQKA"
SUITS = "CDHS"
TRUMPS = "DSC"
EMPTY = ((), (), ())


def card(text):
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])


def text_of(number):
    return RANKS[number % 13] + SUITS[number // 13]


def deck_of(ranks, rng):
    return deal_deck(sum(1 << (13 * suit + rank) for rank in ranks for suit in range(4)), rng)


def set_deal(solver, hands, pile, laid, capacity, mover):
    masks = [[sum(1 << c for c in front) for front in fronts] for fronts in laid]
    solver.set_deal(hands, pile, masks, capacity, mover)


def start(solver, deck, capacity, hand):
    hands = (deck[0 : 2 * hand : 2], deck[1 : 2 * hand : 2])
    set_deal(solver, hands, deck[2 * hand :], (EMPTY, EMPTY), capacity, 0)
    return hands


# A search that only knows the rules: no bounds, no order, no cards left out


def front_winner(mine, his, front):
    """Player 0 or 1, by the sheet's four steps."""
    trump = SUITS.index(TRUMPS[front])

    def value(c):
        return c % 13 + 2

    def total(cards):
        return sum(value(c) + (10 if c // 13 == trump else 0) for c in cards)

    steps = [
        (total(mine), total(his)),
        tuple(max((value(c) for c in cards if c // 13 == trump), default=0) for cards in (mine, his)),
        tuple(max(map(value, cards), default=0) for cards in (mine, his)),
    ]
    for a, b in steps:
        if a != b:
            return int(a < b)
    return 0


class Plain:
    """Minimax over one deal; hands, the pile's length, cards laid and the player on turn are the node."""

    def __init__(self, pile, capacity):
        self.pile = tuple(pile)
        self.capacity = capacity

    def can_lay(self, hands, laid, player):
        return bool(hands[player]) and any(len(front) < self.capacity for front in laid[player])

    def mover(self, hands, laid, player):
        return next((p for p in (player, 1 - player) if self.can_lay(hands, laid, p)), None)

    def after(self, hands, drawn, laid, player, c, front):
        hand = hands[player] - {c}
        if drawn < len(self.pile):
            hand |= {self.pile[drawn]}
            drawn += 1
        mine = tuple(tuple(sorted((*cs, c))) if f == front else cs for f, cs in enumerate(laid[player]))
        pair = [(hands[p], laid[p]) for p in (0, 1)]
        pair[player] = (hand, mine)
        return (pair[0][0], pair[1][0]), drawn, (pair[0][1], pair[1][1]), 1 - player

    def moves(self, hands, laid, player):
        open_fronts = [f for f in range(3) if len(laid[player][f]) < self.capacity]
        return [(c, f) for c in sorted(hands[player]) for f in open_fronts]

    @functools.cache  # noqa: B019
    def winner(self, hands, drawn, laid, player):
        player = self.mover(hands, laid, player)
        if player is None:
            firsts = [front_winner(laid[0][f], laid[1][f], f) for f in range(3)].count(0)
            return 0 if firsts >= 2 else 1
        for c, front in self.moves(hands, laid, player):
            if self.winner(*self.after(hands, drawn, laid, player, c, front)) == player:
                return player
        return 1 - player

    def winning_moves(self, hands, drawn, laid, player):
        return [
            (c, f)
            for c, f in self.moves(hands, laid, player)
            if self.winner(*self.after(hands, drawn, laid, player, c, f)) == player
        ]


# Published values


@pytest.fixture(scope="module")
def solver():
    return OpenSolver()


@pytest.mark.parametrize("row", DATA["open_hand"], ids=lambda row: row["id"])
def test_published_deals(solver, row):
    start(solver, [card(c) for c in row["deck_order"]], row["capacity"], row["hand"])
    assert solver.mover() == 0
    assert solver.winner() == row["winner"]
    moves = [f"{text_of(c)}@{front}" for c, front in solver.winning_moves()]
    assert sorted(moves) == sorted(row["winning_first_moves"])


@pytest.mark.parametrize("row", DATA["playouts"], ids=lambda row: row["id"])
def test_the_plain_search_scores_published_games(row):
    laid = [[[], [], []], [[], [], []]]
    for move in row["played"]:
        player, c, front = int(move[0]), card(move[2:4]), int(move[5])
        laid[player][front].append(c)
    winners = [front_winner(laid[0][f], laid[1][f], f) for f in range(3)]
    assert winners == row["front_winners"]


# Random deals


def shapes():
    """(ranks in the deck, capacity, hand, deals): a thousand deals and more, most of them tiny."""
    return [(1, 2, 1, 100), (1, 3, 2, 50), (2, 1, 1, 250), (2, 1, 2, 150), (2, 1, 3, 60), (2, 2, 1, 150),
            (2, 2, 2, 20), (2, 3, 1, 60), (2, 3, 4, 6), (3, 1, 1, 250), (3, 1, 3, 25), (3, 1, 4, 8),
            (3, 2, 1, 40), (4, 1, 4, 5), (3, 3, 2, 2)]  # fmt: skip


def test_there_are_enough_deals():
    assert sum(deals for *_, deals in shapes()) >= 1000


@pytest.mark.parametrize(("ranks", "capacity", "hand", "deals"), shapes())
def test_random_deals_agree_with_the_plain_search(solver, ranks, capacity, hand, deals):
    firsts = 0
    for i in range(deals):
        rng = cardgods.Random(f"plain-{ranks}-{capacity}-{hand}", i)
        deck = deck_of(sorted({5 + rng.below(8) for _ in range(40)})[:ranks], rng)
        hands = start(solver, deck, capacity, hand)
        plain = Plain(deck[2 * hand :], capacity)
        node = (frozenset(hands[0]), frozenset(hands[1])), 0, (EMPTY, EMPTY), 0
        assert solver.winner() == plain.winner(*node)
        assert solver.winning_moves() == plain.winning_moves(*node)
        firsts += solver.winner() == 0
    assert deals < 50 or 0 < firsts < deals


@pytest.mark.parametrize(("capacity", "hand", "left"), [(3, 4, 7), (3, 4, 6), (2, 3, 6), (3, 1, 10)])
def test_positions_late_in_full_games_agree_with_the_plain_search(solver, capacity, hand, left):
    for i in range(12):
        rng = cardgods.Random(f"late-{capacity}-{hand}", i)
        deck = deck_of(range(5, 13), rng)
        plain = Plain(deck[2 * hand :], capacity)
        node = (frozenset(deck[0 : 2 * hand : 2]), frozenset(deck[1 : 2 * hand : 2])), 0, (EMPTY, EMPTY), 0
        for _ in range(6 * capacity - left):
            c, front = rng.choice(plain.moves(node[0], node[2], node[3]))
            node = plain.after(*node, c, front)
        hands, drawn, laid, player = node
        set_deal(solver, [sorted(h) for h in hands], plain.pile[drawn:], laid, capacity, player)
        assert solver.winner() == plain.winner(*node)
        assert solver.winning_moves() == plain.winning_moves(*node)


def test_a_player_without_a_card_or_a_place_is_skipped(solver):
    # by hand, since the deals of the game never come to this: player 0 has no card, player 1 two
    for hands, pile, laid, mover in [
        ([[], [10, 25]], [], (EMPTY, ((9,), (), ())), 0),
        ([[7, 8, 11], [10]], [], (((9,), (), ()), EMPTY), 1),
        ([[7, 8], [10, 21]], [12], (((9,), (22,), (35,)), EMPTY), 0),
        ([[12], [11, 24]], [38, 5, 18], (EMPTY, EMPTY), 1),
    ]:
        plain = Plain(pile, 1 if len(laid[0][2]) else 2)
        node = tuple(map(frozenset, hands)), 0, laid, mover
        set_deal(solver, hands, pile, laid, plain.capacity, mover)
        assert solver.mover() == plain.mover(node[0], laid, mover)
        assert solver.winner() == plain.winner(*node)
        assert solver.winning_moves() == plain.winning_moves(*node[:3], solver.mover())


# What follows from a solution


@pytest.mark.parametrize(("capacity", "hand"), [(2, 3), (3, 4)])
def test_playing_on_keeps_the_winner_exactly_along_winning_moves(solver, capacity, hand):
    for i in range(40):
        rng = cardgods.Random("line", i)
        deck = deck_of(range(5, 13), rng)
        start(solver, deck, capacity, hand)
        while solver.mover() >= 0:
            player, before, winning = solver.mover(), solver.winner(), solver.winning_moves()
            assert bool(winning) == (before == player)
            move = rng.choice(solver.moves())
            solver.lay(*move)
            assert solver.winner() == (player if move in winning else 1 - player)
        assert solver.moves() == []


def test_a_small_table_changes_no_result():
    small, large = OpenSolver(1), OpenSolver(14)
    for i in range(300):
        deck = deck_of(range(5, 13), cardgods.Random("table", i))
        for solver in (small, large):
            start(solver, deck, 3, 4)
        assert small.winner() == large.winner()
    assert small.nodes >= large.nodes


# Many deals


def full_deck():
    return sum(0x1FE0 << (13 * suit) for suit in range(4))


def test_batches_are_the_deals_one_by_one(solver):
    rng = cardgods.Random(5)
    wins = 0
    for i in range(200):
        deck = deal_deck(full_deck(), rng.spawn(i))
        assert sorted(deck) == [c for c in range(52) if full_deck() >> c & 1]
        start(solver, deck, 2, 3)
        wins += solver.winner() == 0
    assert solver.first_wins(full_deck(), 2, 3, rng, 0, 200, Cancel()) == wins
    parts = [solver.first_wins(full_deck(), 2, 3, rng, at, 50, Cancel()) for at in range(0, 200, 50)]
    assert sum(parts) == wins


@pytest.mark.parametrize(
    ("capacity", "hand", "deals", "share", "error"),
    [(2, 3, 100_000, 0.5003, 0.003), (3, 4, 20_000, 0.4954, 0.007)],
)
def test_share_of_deals_that_the_first_player_wins(solver, capacity, hand, deals, share, error):
    # the published share has an error of its own: the difference of both has its square twice
    wins = solver.first_wins(full_deck(), capacity, hand, cardgods.Random(1), 0, deals, Cancel())
    assert abs(wins / deals - share) <= error * 2**0.5
