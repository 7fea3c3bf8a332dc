"""L'Encan d'Hermès: options, presets and wording; the rules are told in docs/rules/encan.md."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from cardgods._core.games.encan import EncanRulesObject, EncanState
from cardgods._core.state import State
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.options import check_types, int_from, rule_option

MAX_CARDS = 13
MAX_VALUE = 999
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
        if target is not None and (type(target) is not int or not 1 <= target <= 99999):
            raise ParameterError(
                f"option target: {target!r} is neither none nor a number of points from 1 to 99999"
            )


def _checked_cards(cards: Any) -> tuple[int, ...]:  # noqa: ANN401
    if not isinstance(cards, (tuple, list, range)) or not all(type(value) is int for value in cards):
        raise ParameterError(f"option cards: {cards!r} is not a list of whole numbers")
    if not 1 <= len(cards) <= MAX_CARDS:
        raise ParameterError(f"option cards: {len(cards)} values given, a purse holds 1 to {MAX_CARDS}")
    if any(a >= b for a, b in itertools.pairwise(cards)):
        raise ParameterError("option cards: values must be distinct and ascend")
    if cards[0] < 1 or cards[-1] > MAX_VALUE:
        raise ParameterError(f"option cards: values run from 1 to {MAX_VALUE}")
    return tuple(cards)


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
        scores: Sequence[int] = (0, 0),
        carry: int = 0,
        obole_used: Sequence[bool] = (False, False),
        burnt: Sequence[Sequence[int]] | None = None,
        passed: Sequence[bool] = (False, False),
        last_winner: int | None = None,
        turn_based: bool = False,
    ) -> EncanState:
        """A position at the start of a turn or with its treasure revealed.

        Args:
            hands: card values in hand, a list for each player.
            treasures_left: values of the treasures not yet revealed.
            treasure: value of the revealed one; None before the reveal.
            scores: points of each player.
            carry: points waiting from tied turns.
            obole_used: who has used his Obole.
            burnt: card values each has burnt; by default all that are not in hand, less the smallest for
                a player who has used his Obole and holds one card more than there are treasures left.
            passed: who has passed in the present Obole window.
            last_winner: who won the last treasure, None for a tie.
            turn_based: as in :meth:`new_initial_state`.

        Raises:
            ParameterError: if a card is unknown or stands in two places, or a number is impossible.
        """
        masks = [self._mask(hand, "hand") for hand in hands]
        pile = self._mask(treasures_left, "treasures_left")
        place = -1 if treasure is None else self._places.get(treasure, -2)
        if len(masks) != 2 or place == -2 or (place >= 0 and pile >> place & 1):
            raise ParameterError(
                f"impossible position: treasure {treasure!r} with {list(treasures_left)} left"
            )
        full = (1 << len(self._places)) - 1
        gone = [full & ~mask for mask in masks] if burnt is None else [self._mask(b, "burnt") for b in burnt]
        if len(gone) != 2 or any(a & b for a, b in zip(masks, gone, strict=True)):
            raise ParameterError("impossible position: a card is both in hand and burnt")
        turns = pile.bit_count() + (place >= 0)
        if any(mask.bit_count() < turns for mask in masks):
            raise ParameterError(f"impossible position: {turns} turns to come with fewer cards in a hand")
        scale = 2 if self.options.tie == "split" else 1
        if min(*scores, carry) < 0 or max(*scores, carry) > 99999:
            raise ParameterError("impossible position: scores and carry run from 0 to 99999")
        setup = {
            "hands": [list(hand) for hand in hands],
            "treasures_left": list(treasures_left),
            "treasure": treasure,
            "scores": list(scores),
            "carry": carry,
            "obole_used": list(obole_used),
            "burnt": [[v for v, i in self._places.items() if mask >> i & 1] for mask in gone],
            "passed": list(passed),
            "last_winner": last_winner,
        }
        state = EncanState(self, self.rules, turn_based, setup)
        state.set_up(
            masks,
            gone,
            pile,
            place,
            [points * scale for points in scores],
            carry * scale,
            obole_used,
            sum(bool(flag) << player for player, flag in enumerate(passed)),
            -1 if last_winner is None else last_winner,
        )
        return state

    @property
    def _places(self) -> dict[int, int]:
        return {value: place for place, value in enumerate(self.options.cards)}

    def _mask(self, values: Sequence[int], where: str) -> int:
        places = self._places
        unknown = [value for value in values if value not in places]
        if unknown or len(set(values)) != len(values):
            raise ParameterError(
                f"impossible position: {where} holds {list(values)}, cards are {list(places)}"
            )
        return sum(1 << places[value] for value in values)

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
        raise ParameterError(f"action {action} does not exist: actions are 0..{len(cards) + 1}")

    def action_texts(self, state: State, action: int, lang: str) -> Sequence[str]:
        """The value in digits, and short words of the window."""
        cards = self.options.cards
        if action < len(cards):
            return (str(cards[action]),)
        return ("p",) if action == len(cards) else ("o", "call", "appel")


GAME = EncanGame
