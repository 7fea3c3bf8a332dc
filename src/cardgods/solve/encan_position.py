"""Positions of the Encan family as the solver takes them."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from cardgods._core.games.encan import EncanState
from cardgods.errors import ParameterError, SolveError, shown
from cardgods.games.encan import EncanGame


@dataclass(frozen=True)
class EncanPosition:
    """A position at the start of a turn, in its Obole window, or at its bids.

    Attributes:
        hands: card values in hand, of each player.
        treasures_left: values of the treasures not yet revealed.
        treasure: value of the revealed one; None before the reveal.
        scores: points of each player.
        carry: points waiting from tied turns.
        obole_used: who has used his Obole.
        burnt: card values that each has burnt; None for all that are not in hand.
        passed: who has passed in the present window since the last call.
    """

    hands: tuple[Sequence[int], Sequence[int]]
    treasures_left: Sequence[int]
    treasure: int | None = None
    scores: tuple[float, float] = (0, 0)
    carry: int = 0
    obole_used: tuple[bool, bool] = (False, False)
    burnt: tuple[Sequence[int], Sequence[int]] | None = None
    passed: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class EncanNode:
    """The same in the masks and units of the core.

    Attributes:
        hands: mask of places for each player.
        burnt: mask of places for each player.
        used: bit p set if player p has used his Obole; 3 if there is none.
        pile: mask of the treasures not yet revealed.
        treasure: place of the revealed one, None before the reveal.
        scores: units of score.
        carry: units of score.
        scale: units of score in a point.
        passed: bit p set if player p has passed.
        order: the game's order of treasures.
    """

    hands: tuple[int, int]
    burnt: tuple[int, int]
    used: int
    pile: int
    treasure: int | None
    scores: tuple[int, int]
    carry: int
    scale: int
    passed: int
    order: str

    @property
    def turns(self) -> int:
        """Turns to come, the present one included."""
        return self.pile.bit_count() + (self.treasure is not None)

    @property
    def lead(self) -> float:
        """Points by which player 0 is ahead."""
        return (self.scores[0] - self.scores[1]) / self.scale

    @property
    def speaker(self) -> int | None:
        """Who speaks in the Obole window; None if it is closed."""
        for player in range(2):
            if self.burnt[player] and not (self.used | self.passed) >> player & 1:
                return player
        return None

    @property
    def first_bids(self) -> "EncanNode":
        """The next bids, if the first treasure that may come does and nobody calls."""
        node = self if self.treasure is not None else self.revealed(next(self.may_come()))
        while node.speaker is not None:
            node = node.passed_on()
        return node

    def may_come(self) -> Iterator[int]:
        """The places of the treasures of which one is revealed next, each with the same chance."""
        places = [place for place in range(self.pile.bit_length()) if self.pile >> place & 1]
        if self.order == "random":
            return iter(places)
        return iter(places[:1] if self.order == "ascending" else places[-1:])

    def revealed(self, place: int) -> "EncanNode":
        """After the reveal of a treasure."""
        return replace(self, pile=self.pile & ~(1 << place), treasure=place, passed=0)

    def called(self) -> "EncanNode":
        """After a call by who speaks."""
        player = self.speaker or 0
        card = self.burnt[player] & -self.burnt[player]
        hands, burnt = list(self.hands), list(self.burnt)
        hands[player] |= card
        burnt[player] ^= card
        return replace(
            self,
            hands=(hands[0], hands[1]),
            burnt=(burnt[0], burnt[1]),
            used=self.used | 1 << player,
            passed=0,
        )

    def passed_on(self) -> "EncanNode":
        """After a pass by who speaks."""
        return replace(self, passed=self.passed | 1 << (self.speaker or 0))


def position_of(state: EncanState) -> EncanPosition:
    """The position of a state; a bid that is still sealed does not show.

    Raises:
        SolveError: if the game is over.
    """
    view = state.view()
    if view["phase"] == "over":
        raise SolveError("the game is over here: there is nothing to solve")
    used = tuple(not available for available in view["obole"])
    passed = (False, False)
    if view["phase"] == "window" and view["speaker"] == 1:
        passed = (True, False)
    elif view["phase"] == "bid":
        passed = (True, True)
    return EncanPosition(
        hands=(tuple(view["hands"][0]), tuple(view["hands"][1])),
        treasures_left=tuple(view["treasures_left"]),
        treasure=view["treasure"],
        scores=(view["scores"][0], view["scores"][1]),
        carry=view["carry"],
        obole_used=(used[0], used[1]),
        burnt=(tuple(view["burnt"][0]), tuple(view["burnt"][1])),
        passed=passed,
    )


def node_of(game: EncanGame, position: EncanState | EncanPosition | EncanNode) -> EncanNode:
    """A position in the core's terms, checked.

    Raises:
        ParameterError: if it is impossible, or a state of another game.
        SolveError: if the game is over there.
    """
    if isinstance(position, EncanNode):
        return position
    if isinstance(position, EncanPosition):
        position = position_of(game.new_position(**asdict(position)))
    elif isinstance(position, EncanState):
        if position.game != game:
            raise ParameterError(f"this is a state of {position.game}, not of {game}")
        position = position_of(position)
    else:
        raise ParameterError(f"{shown(position)} is neither a state nor an EncanPosition")
    places = {value: place for place, value in enumerate(game.options.cards)}

    def mask(values: Sequence[int]) -> int:
        return sum(1 << places[value] for value in values)

    assert position.burnt is not None
    scale = 2 if game.options.tie == "split" else 1
    used = sum(bool(flag) << player for player, flag in enumerate(position.obole_used))
    return EncanNode(
        hands=(mask(position.hands[0]), mask(position.hands[1])),
        burnt=(mask(position.burnt[0]), mask(position.burnt[1])),
        used=used if game.options.obole else 3,
        pile=mask(position.treasures_left),
        treasure=None if position.treasure is None else places[position.treasure],
        scores=(int(position.scores[0] * scale), int(position.scores[1] * scale)),
        carry=int(position.carry * scale),
        scale=scale,
        passed=sum(bool(flag) << player for player, flag in enumerate(position.passed)),
        order=game.options.treasure_order,
    )
