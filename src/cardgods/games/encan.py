"""L'Encan d'Hermès: options, presets and wording; the rules are told in docs/rules/encan.md."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from cardgods._core.games.encan import EncanRulesObject, EncanState
from cardgods._core.state import State
from cardgods.errors import ParameterError, shown
from cardgods.game import Game
from cardgods.handmade import flags, listed, pair, points_of, units_of
from cardgods.options import check_types, int_from, rule_option, whole_numbers

MAX_CARDS = 13
MAX_VALUE = 999
MAX_POINTS = 99999
FACES = {"en": {11: "J", 12: "Q", 13: "K", 14: "A"}, "fr": {11: "V", 12: "D", 13: "R", 14: "A"}}
PASS = {"en": "pass", "fr": "passe"}
CALL = {"en": "obole", "fr": "obole"}


def read_cards(text: str) -> tuple[int, ...]:
    """Card values from ``2-6`` or ``1,3,9`` or a mix of both.

    Raises:
        ValueError: if the text has another form.
    """
    values: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        first = int_from(low.strip())
        last = int_from(high.strip()) if dash else first
        if not 0 <= last - first < 100:
            raise ValueError(f"'{part.strip()}' is not a range of card values, such as 2-6")
        values.extend(range(first, last + 1))
    return tuple(values)


def read_target(text: str) -> int | None:
    """A target in points, or ``none``.

    Raises:
        ValueError: if the text is neither.
    """
    return None if text.lower() in ("none", "aucun", "aucune") else int_from(text)


@dataclass(frozen=True)
class EncanOptions:
    """Rule options of the Encan family; the defaults are the standard game."""

    cards: tuple[int, ...] = rule_option(
        tuple(range(2, 15)),
        help="values of the cards in each purse and of the treasures",
        help_fr="valeurs des cartes de chaque bourse et des trésors",
        parse=read_cards,
        form="2-6 or 1,3,9",
    )
    target: int | None = rule_option(
        20,
        help="score that wins at once, or none",
        help_fr="faveur qui gagne aussitôt, ou aucune",
        parse=read_target,
        form="a number of points, or none",
    )
    obole: bool = rule_option(
        True,
        help="each player may once take back the smallest card he has burnt",
        help_fr="chacun peut une fois reprendre la plus petite carte qu'il a brûlée",
    )
    tie: str = rule_option(
        "carry",
        help="where the lot goes when bids are equal",
        help_fr="ce que devient le lot quand les mises sont égales",
        choices=("carry", "discard", "split"),
    )
    payoff: str = rule_option(
        "win",
        help="what the players play for: the win (+1/-1) or the difference of scores",
        help_fr="l'enjeu : la victoire (+1/-1) ou l'écart des scores",
        choices=("win", "points"),
    )
    treasure_order: str = rule_option(
        "random",
        help="in which order the treasures come",
        help_fr="l'ordre des trésors",
        choices=("random", "descending", "ascending"),
    )
    tie_break: str = rule_option(
        "cascade",
        help="at equal scores: last treasure, gold left, then player 1 wins; or a draw; or player 1 wins",
        help_fr="à égalité : dernier trésor, or restant, puis le joueur 1 gagne ; ou nulle ; ou le joueur 1",
        choices=("cascade", "draw", "second"),
    )

    def __post_init__(self) -> None:
        check_types(self)
        object.__setattr__(self, "cards", _checked_cards(self.cards))
        target = self.target
        if target is not None and (type(target) is not int or not 1 <= target <= MAX_POINTS):
            raise ParameterError(
                f"option target: {shown(target)} is neither none nor a number of points "
                f"from 1 to {MAX_POINTS}"
            )


def _checked_cards(cards: Any) -> tuple[int, ...]:  # noqa: ANN401
    values = whole_numbers("cards", cards, MAX_CARDS)
    if values[0] < 1 or values[-1] > MAX_VALUE:
        raise ParameterError(f"option cards: values run from 1 to {MAX_VALUE}")
    return values


class EncanGame(Game):
    """L'Encan d'Hermès and its relatives, down to classic Goofspiel."""

    name = "encan"
    title: ClassVar[Mapping[str, str]] = {"en": "The Auction of Hermes", "fr": "L'Encan d'Hermès"}
    summary: ClassVar[Mapping[str, str]] = {
        "en": "a duel of sealed bids for treasures (2 players)",
        "fr": "un duel de mises scellées pour des trésors (2 joueurs)",
    }
    rules_version = 1
    presets: ClassVar[Mapping[str, EncanOptions]] = {
        "standard": EncanOptions(),
        "express": EncanOptions(cards=tuple(range(8, 15)), target=30, obole=False),
        "goofspiel": EncanOptions(
            cards=tuple(range(1, 14)), target=None, obole=False, tie="discard", tie_break="draw"
        ),
    }

    def _compile(self) -> EncanRulesObject:
        o = self.options
        return EncanRulesObject(o.cards, o.target, o.obole, o.tie, o.payoff, o.treasure_order, o.tie_break)

    def new_initial_state(self, turn_based: bool = False) -> EncanState:
        """The start of the game: full purses, nothing revealed."""
        return EncanState(self, self.rules, turn_based)

    def new_position(
        self,
        *,
        hands: Sequence[Sequence[int]],
        treasures_left: Sequence[int],
        treasure: int | None = None,
        scores: Sequence[float] = (0, 0),
        carry: int = 0,
        obole_used: Sequence[bool] = (False, False),
        burnt: Sequence[Sequence[int]] | None = None,
        passed: Sequence[bool] = (False, False),
        last_winner: int | None = None,
        turn_based: bool = False,
    ) -> EncanState:
        """A position at the start of a turn or with its treasure revealed.

        It need not be one that a game leads to: hands may differ in size, and cards be missing.

        Args:
            hands: card values in hand, a list for each player.
            treasures_left: values of the treasures not yet revealed.
            treasure: value of the revealed one; None before the reveal.
            scores: points of each player, halves too if lots are split.
            carry: points waiting from tied turns, which only ``tie=carry`` knows.
            obole_used: who has used his Obole.
            burnt: card values each has burnt; by default all that are not in hand.
            passed: who has passed in the present Obole window. Player 0 speaks first, so player 1 alone can
                have passed only if player 0 may not call.
            last_winner: who won the last treasure, None for a tie.
            turn_based: as in :meth:`new_initial_state`.

        Raises:
            ParameterError: if a card is unknown or stands in two places, or a value is impossible.
        """
        masks = [self._mask(hand, "hand") for hand in pair(hands, "hands")]
        pile = self._mask(treasures_left, "treasures_left")
        place = -1 if treasure is None else self._place(treasure, "treasure")
        gone = [~mask & (1 << len(self._places)) - 1 for mask in masks]
        if burnt is not None:
            gone = [self._mask(values, "burnt") for values in pair(burnt, "burnt")]
        scale = 2 if self.options.tie == "split" else 1
        units = [units_of(score, scale, MAX_POINTS) for score in pair(scores, "scores")]
        waiting = units_of(carry, scale, MAX_POINTS)
        used, silent = flags(obole_used, "obole_used"), flags(passed, "passed")
        if last_winner is not None and (type(last_winner) is not int or last_winner not in (0, 1)):
            raise ParameterError(f"impossible position: last_winner {shown(last_winner)} is not 0, 1 or None")
        self._check_cards(masks, gone, pile, place)
        self._check_points(max(units) / scale, waiting, place)
        self._check_passed(silent, place, bool(self.options.obole and gone[0] and not used[0]))
        setup = {
            "hands": [self._values(mask) for mask in masks],
            "treasures_left": self._values(pile),
            "treasure": None if place < 0 else self.options.cards[place],
            "scores": [points_of(score, scale) for score in units],
            "carry": points_of(waiting, scale),
            "obole_used": used,
            "burnt": [self._values(mask) for mask in gone],
            "passed": silent,
            "last_winner": last_winner,
        }
        state = EncanState(self, self.rules, turn_based, setup)
        winner = -1 if last_winner is None else last_winner
        state.set_up(masks, gone, pile, place, units, waiting, used, silent[0] | silent[1] << 1, winner)
        return state

    def _check_cards(self, hands: list[int], burnt: list[int], pile: int, treasure: int) -> None:
        if treasure >= 0 and pile >> treasure & 1:
            value = self.options.cards[treasure]
            raise ParameterError(f"impossible position: treasure {value} is among those left too")
        if any(a & b for a, b in zip(hands, burnt, strict=True)):
            raise ParameterError("impossible position: a card is both in hand and burnt")
        turns = pile.bit_count() + (treasure >= 0)
        if any(hand.bit_count() < turns for hand in hands):
            raise ParameterError(f"impossible position: {turns} turns to come with fewer cards in a hand")

    def _check_points(self, best: float, waiting: int, treasure: int) -> None:
        tie, target = self.options.tie, self.options.target
        if waiting and tie != "carry":
            raise ParameterError(f"impossible position: no points wait for a winner with tie={tie}")
        if treasure >= 0 and target is not None and best >= target:
            raise ParameterError("impossible position: a treasure is revealed after the target was reached")

    def _check_passed(self, passed: list[bool], treasure: int, first_may_call: bool) -> None:
        if any(passed) and treasure < 0:
            raise ParameterError("impossible position: somebody has passed before a treasure is revealed")
        if passed == [False, True] and first_may_call:
            raise ParameterError("impossible position: player 1 has passed before player 0 has spoken")

    @property
    def _places(self) -> dict[int, int]:
        return {value: place for place, value in enumerate(self.options.cards)}

    def _place(self, value: Any, where: str) -> int:  # noqa: ANN401
        try:
            return self._places[operator.index(value)]
        except (TypeError, KeyError):
            cards = list(self.options.cards)
            raise ParameterError(
                f"impossible position: {where} holds {shown(value)}, cards are {cards}"
            ) from None

    def _mask(self, values: Any, where: str) -> int:  # noqa: ANN401
        mask = 0
        for value in listed(values, where):
            bit = 1 << self._place(value, where)
            if mask & bit:
                raise ParameterError(f"impossible position: {where} holds {shown(value)} twice")
            mask |= bit
        return mask

    def _values(self, mask: int) -> list[int]:
        return [value for value, place in self._places.items() if mask >> place & 1]

    def min_utility(self) -> float:
        """-1 for the win, minus all treasures for points."""
        return -self.max_utility()

    def max_utility(self) -> float:
        """1 for the win, all treasures for points."""
        return 1.0 if self.options.payoff == "win" else float(sum(self.options.cards))

    def card_name(self, value: int, lang: str = "en") -> str:
        """A card value as players say it: 11..14 are J Q K A (V D R A in French) in purses up to the ace."""
        courts = FACES[lang] if self.options.cards[-1] <= 14 else {}
        return courts.get(value, str(value))

    def action_to_string(self, state: State, action: int, lang: str = "en") -> str:
        """A card of the purse or pile, or the words of the Obole window."""
        cards = self.options.cards
        if 0 <= action < len(cards):
            return self.card_name(cards[action], lang)
        if action == len(cards):
            return PASS[lang]
        if action == len(cards) + 1:
            return CALL[lang]
        raise ParameterError(f"action {shown(action)} does not exist: actions are 0..{len(cards) + 1}")

    def action_texts(self, state: State, action: int, lang: str) -> Sequence[str]:
        """The value in digits, and short words of the window."""
        cards = self.options.cards
        if action < len(cards):
            return (str(cards[action]),)
        return ("p",) if action == len(cards) else ("o", "call", "appel")


GAME = EncanGame
