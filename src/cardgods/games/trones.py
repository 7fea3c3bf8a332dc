"""La Guerre des Trois Trônes: options, presets and wording; the rules are told in docs/rules/trones.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardgods._core.games.trones import TronesRulesObject, TronesState
from cardgods._core.state import State
from cardgods.cards import CARDS, card_name, mask_of, parse_card, rank_of, suit_of
from cardgods.errors import ActionTextError, CardTextError, ParameterError, shown
from cardgods.game import Game
from cardgods.options import check_types, int_from, rule_option, whole_numbers

FRONTS = 3
LOWEST, HIGHEST = 7, 14
SIZES = {"capacity": 3, "hand": 4}
FRONT_NAMES = {"en": ("sky", "sea", "underworld"), "fr": ("ciel", "mer", "enfers")}
TRUMPS = (1, 3, 0)
"""Suit that is trump on each front: diamonds, spades, clubs."""
COURTS = {"j": 11, "v": 11, "q": 12, "d": 12, "k": 13, "r": 13, "a": 14}


def read_ranks(text: str) -> tuple[int, ...]:
    """Card ranks from ``7-14`` or ``J,Q,K,A`` or a mix of both.

    Raises:
        ValueError: if the text has another form.
    """
    ranks: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        first = _read_rank(low)
        last = _read_rank(high) if dash else first
        if not 0 <= last - first < 100:
            raise ValueError(f"'{part.strip()}' is not a range of ranks, such as 7-14")
        ranks.extend(range(first, last + 1))
    return tuple(ranks)


def _read_rank(text: str) -> int:
    word = text.strip().lower()
    return COURTS[word] if word in COURTS else int_from(word)


def force(card: int, front: int) -> int:
    """What a card counts on a front: its value 7 to 14, and 10 more if its suit is trump there."""
    return rank_of(card) + 2 + (10 if suit_of(card) == TRUMPS[front] else 0)


@dataclass(frozen=True)
class TronesOptions:
    """Rule options of Trois Trônes; the defaults are the standard game."""

    ranks: tuple[int, ...] = rule_option(
        tuple(range(LOWEST, HIGHEST + 1)),
        help="ranks in the deck, each in four suits (11 to 14 are J Q K A)",
        help_fr="rangs du paquet, chacun dans les quatre couleurs (11 à 14 : V D R A)",
        parse=read_ranks,
        form="7-14 or 10,J,A",
    )
    capacity: int = rule_option(
        3,
        help="places of each player on each front",
        help_fr="places de chaque joueur sur chaque front",
    )
    hand: int = rule_option(
        4,
        help="cards in hand",
        help_fr="cartes en main",
    )

    def __post_init__(self) -> None:
        check_types(self)
        object.__setattr__(self, "ranks", _checked_ranks(self.ranks))
        for name, most in SIZES.items():
            if not 1 <= getattr(self, name) <= most:
                raise ParameterError(f"option {name}: {shown(getattr(self, name))} is not from 1 to {most}")
        if self.hand > 2 * len(self.ranks):
            raise ParameterError(
                f"option hand: two hands of {self.hand} need more than the deck's {4 * len(self.ranks)} cards"
            )


def _checked_ranks(ranks: Any) -> tuple[int, ...]:  # noqa: ANN401
    numbers = whole_numbers("ranks", ranks, HIGHEST - LOWEST + 1)
    if numbers[0] < LOWEST or numbers[-1] > HIGHEST:
        raise ParameterError(f"option ranks: ranks run from {LOWEST} to {HIGHEST} (A)")
    return numbers


class TronesGame(Game):
    """La Guerre des Trois Trônes and its small relatives."""

    name = "trones"
    title: ClassVar[Mapping[str, str]] = {
        "en": "The War of the Three Thrones",
        "fr": "La Guerre des Trois Trônes",
    }
    summary: ClassVar[Mapping[str, str]] = {
        "en": "cards laid on three fronts, each with its own trump; two fronts win (2 players)",
        "fr": "des cartes posées sur trois fronts, chacun son atout ; deux fronts gagnent (2 joueurs)",
    }
    rules_version = 1
    presets: ClassVar[Mapping[str, TronesOptions]] = {
        "standard": TronesOptions(),
        "express": TronesOptions(capacity=2, hand=3),
    }
    options: TronesOptions

    def _compile(self) -> TronesRulesObject:
        return TronesRulesObject(self.deck_mask(), self.options.capacity, self.options.hand)

    def deck_mask(self) -> int:
        """The cards of the deck, as a mask."""
        return mask_of(13 * suit + rank - 2 for suit in range(4) for rank in self.options.ranks)

    def new_initial_state(self, turn_based: bool = False) -> TronesState:
        """The start of the game: nothing is dealt yet."""
        return TronesState(self, self.rules, turn_based)

    def min_utility(self) -> float:
        """A loss: -1."""
        return -1.0

    def max_utility(self) -> float:
        """A win: 1."""
        return 1.0

    def action_to_string(self, state: State, action: int, lang: str = "en") -> str:
        """A card and a front (``Q♥ sea``); at a chance node the card."""
        if state.is_chance_node():
            if not 0 <= action < CARDS:
                raise ParameterError(f"card {shown(action)} does not exist: cards are 0..{CARDS - 1}")
            return card_name(action, lang)
        if not 0 <= action < self.num_distinct_actions():
            raise ParameterError(
                f"action {shown(action)} does not exist: actions are 0..{self.num_distinct_actions() - 1}"
            )
        return f"{card_name(action // FRONTS, lang)} {FRONT_NAMES[lang][action % FRONTS]}"

    def string_to_action(self, state: State, text: str, lang: str = "en") -> int:
        """The action that a text names: a card as ``cardgods.cards.parse_card`` reads it, and a front.

        A front is its name, the beginning of it, or its number 1 to 3 from the left.

        Raises:
            ActionTextError: if it names none or more than one; the message lists what is allowed.
        """
        legal = state.legal_actions()
        chance = state.is_chance_node()
        try:
            action = parse_card(text, lang) if chance else _read_move(text, lang)
        except CardTextError as error:
            raise ActionTextError(str(error)) from None
        if action not in legal:
            allowed = ", ".join(self.action_to_string(state, a, lang) for a in legal) or "nothing any more"
            raise ActionTextError(f"{shown(text, 40)} is not possible here: {allowed}")
        return action


def _read_move(text: str, lang: str) -> int:
    card, _, front = text.strip().rpartition(" ")
    if not card:
        raise CardTextError(
            f"'{text.strip()[:30]}' is no move: a move is a card and a front ({', '.join(FRONT_NAMES[lang])})"
        )
    return FRONTS * parse_card(card, lang) + _read_front(front, lang)


def _read_front(text: str, lang: str) -> int:
    wanted = text.casefold()
    if wanted in ("1", "2", "3"):
        return int(wanted) - 1
    found = [f for f, name in enumerate(FRONT_NAMES[lang]) if name.startswith(wanted)]
    names = ", ".join(FRONT_NAMES[lang])
    if len(found) == 1:
        return found[0]
    if found:
        both = " or ".join(FRONT_NAMES[lang][f] for f in found)
        raise CardTextError(f"'{text}' could be {both}")
    raise CardTextError(f"'{text[:20]}' is no front: fronts are {names}, or 1, 2, 3")


GAME = TronesGame
