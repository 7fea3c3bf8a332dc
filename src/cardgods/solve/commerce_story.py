"""What one player of Commerce knows of the present deal, read from his information state."""

from dataclasses import dataclass, field
from typing import TypedDict

from cardgods.games.commerce import BUY, KNOCK, TRADE

HIDDEN = 55


class OddsArguments(TypedDict):
    """What ``cardgods.solve.commerce.knock_odds`` takes on what a player knows."""

    hand: list[int]
    players: int
    seat: int
    seen: list[int]
    held: dict[int, set[int]]


@dataclass
class Story:
    """The present deal as one player knows it.

    Attributes:
        dealer: who deals.
        phase: ``deal``, ``turn``, ``discard``, ``draw``, ``offer`` or ``reply``.
        turn: whose turn it is, None before the first.
        first_hand: the cards dealt to the player.
        hand: the cards he holds.
        discards: the cards he has discarded.
        trades: accepted trades since the last buy.
        buys: buys by anybody.
        opening_trades: accepted trades before the first buy.
        own_trades: pairs (card that left, card that came) of his trades.
        traded_after_buy: whether anybody has traded after a buy.
        known: cards that each other player surely holds: he got them from this one and has since given
            away nothing that this one did not see.
    """

    dealer: int
    players: int
    phase: str = "deal"
    turn: int | None = None
    dealt: int = 0
    first_hand: list[int] = field(default_factory=list)
    hand: set[int] = field(default_factory=set)
    discards: list[int] = field(default_factory=list)
    trades: int = 0
    buys: int = 0
    opening_trades: int = 0
    own_trades: list[tuple[int, int]] = field(default_factory=list)
    traded_after_buy: bool = False
    offer: int = HIDDEN
    known: dict[int, set[int]] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """The left neighbour of the player on turn."""
        assert self.turn is not None
        return (self.turn + 1) % self.players


def odds_arguments(story: Story, player: int) -> OddsArguments:
    """What the player knows, as arguments for the odds; seats there count from the dealer."""
    n = story.players
    return {
        "hand": sorted(story.hand),
        "players": n,
        "seat": (player - story.dealer) % n,
        "seen": story.discards,
        "held": {(other - story.dealer) % n: cards for other, cards in story.known.items() if cards},
    }


def read_story(information: bytes, player: int, players: int) -> Story:
    """The present deal (or the one just settled) from ``State.information_state(player)``."""
    events = memoryview(information).cast("H") if information else memoryview(b"").cast("H")
    if not events:
        return Story(-1, players)
    story = Story(events[0], players)
    at = 1
    while at < len(events):
        at = _step(story, events, at, player)
    return story


def _step(story: Story, events: "memoryview[int]", at: int, player: int) -> int:
    """Take in the event at a place; the place behind it."""
    event = events[at]
    if story.phase == "deal":
        _dealt(story, event, player)
    elif story.phase == "turn":
        if event == KNOCK:
            return _settled(story, at + 1)
        story.phase = "discard" if event == BUY else "offer"
        assert event in (BUY, TRADE)
    elif story.phase == "discard":
        _left_hand(story, story.turn, event, player)
        if story.turn == player:
            story.discards.append(event)
        story.phase = "draw"
    elif story.phase == "draw":
        return _drawn(story, events, at, player)
    elif story.phase == "offer":
        story.offer = event
        story.phase = "reply"
    else:
        return _answered(story, events, at, player)
    return at + 1


def _dealt(story: Story, event: int, player: int) -> None:
    if story.dealt == 0:
        story.first_hand, story.hand = [], set()
    if event != HIDDEN:
        story.first_hand.append(event)
        story.hand.add(event)
    story.dealt += 1
    if story.dealt == 3 * story.players:
        story.phase = "turn"
        story.turn = (story.dealer + 1) % story.players
        story.known = {p: set() for p in range(story.players) if p != player}


def _left_hand(story: Story, who: int | None, card: int, player: int) -> None:
    """A card leaves a hand; unseen, it may be any of it."""
    assert who is not None
    if who == player:
        story.hand.discard(card)
    else:
        story.known[who] = set()


def _drawn(story: Story, events: "memoryview[int]", at: int, player: int) -> int:
    if story.turn == player:
        story.hand.add(events[at])
    story.buys += 1
    story.trades = 0
    return _next(story, events, at + 1)


def _answered(story: Story, events: "memoryview[int]", at: int, player: int) -> int:
    back = events[at]
    if back == KNOCK:
        return _settled(story, at + 1)
    giver, taker = story.turn, story.left
    assert giver is not None
    width = 1
    if player == taker:
        width, offered = 2, events[at + 1]
        _swapped(story, giver, back, offered)
    elif player == giver:
        _swapped(story, taker, story.offer, back)
    else:
        story.known[giver] = set()
        story.known[taker] = set()
    story.trades += 1
    story.opening_trades += story.buys == 0
    story.traded_after_buy |= story.buys > 0
    return _next(story, events, at + width)


def _swapped(story: Story, other: int, gone: int, come: int) -> None:
    story.own_trades.append((gone, come))
    story.hand.discard(gone)
    story.hand.add(come)
    # what he gave is seen; whatever else he was known to hold he still holds
    story.known[other].discard(come)
    story.known[other].add(gone)


def _next(story: Story, events: "memoryview[int]", at: int) -> int:
    """The next turn, unless the hands are shown: 3 n cards follow then, or nothing at all would be legal."""
    remaining = len(events) - at
    if remaining and _is_showdown(story, events, at):
        return _settled(story, at)
    assert story.turn is not None
    story.turn = (story.turn + 1) % story.players
    story.phase = "turn"
    return at


def _is_showdown(story: Story, events: "memoryview[int]", at: int) -> bool:
    # a turn begins with buy, trade or knock, a showdown with a card
    return events[at] < BUY


def _settled(story: Story, at: int) -> int:
    """Skip the hands that are shown; the deal passes to the left."""
    story.phase = "deal"
    story.dealer = (story.dealer + 1) % story.players
    story.turn = None
    story.dealt = story.trades = story.buys = story.opening_trades = 0
    story.discards, story.own_trades = [], []
    story.traded_after_buy = False
    return at + 3 * story.players
