"""Commerce: options, presets and wording; the rules are told in docs/rules/commerce.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from cardgods._core import commerce_hands
from cardgods._core.games.commerce import CommerceRulesObject, CommerceState
from cardgods._core.state import State
from cardgods.cards import RANK_NAMES, card_name, card_words, parse_card
from cardgods.errors import CardTextError, ParameterError, shown
from cardgods.game import Game
from cardgods.options import check_types, int_from, rule_option

BUY, TRADE, KNOCK = 52, 53, 54
WORDS = {
    "en": {BUY: "buy", TRADE: "trade", KNOCK: "knock"},
    "fr": {BUY: "acheter", TRADE: "troquer", KNOCK: "frapper"},
}
SHORT: dict[str, dict[int, tuple[str, ...]]] = {
    "en": {BUY: ("b",), TRADE: ("t",), KNOCK: ("k",)},
    "fr": {BUY: ("a", "achat"), TRADE: ("t", "troc"), KNOCK: ("f",)},
}
DEALS = {"en": "dealer", "fr": "donneur"}
MAX_DEALS = 100
MAX_CAP = 120


CATEGORIES = {
    "en": ("nothing", "point of {value} ({size} cards)", "sequence to {rank}", "tricon of {rank}"),
    "fr": ("rien", "point de {value} ({size} cartes)", "suite au {rank}", "brelan de {rank}"),
}


AUTO = "auto"
"""Instead of a number of deals or trades: the one that the number of players gives."""


def read_number(text: str) -> int | str:
    """A number, or ``auto``.

    Raises:
        ValueError: if the text is neither.
    """
    return AUTO if text.lower() == AUTO else int_from(text)


def pack_cards(suits: int, ranks: int) -> tuple[int, ...]:
    """The cards of a pack: the first `suits` suits with their highest `ranks` ranks, ascending."""
    return tuple(13 * suit + rank for suit in range(suits) for rank in range(13 - ranks, 13))


def hand_words(hand: Sequence[int], lang: str = "en") -> str:
    """What a hand of three cards is worth, in words: ``sequence to 8``."""
    a, b, c = hand
    category, value, size = commerce_hands.meaning(commerce_hands.strength(a, b, c))
    rank = RANK_NAMES[lang][value] if category > 1 else ""
    return CATEGORIES[lang][category].format(value=value, size=size, rank=rank)


@dataclass(frozen=True)
class CommerceOptions:
    """Rule options of Commerce; the defaults are the standard game."""

    players: int = rule_option(3, help="players, 3 to 12", help_fr="joueurs, de 3 à 12")
    deals: int | str = rule_option(
        AUTO,
        help="deals of a game; auto = one a player",
        help_fr="donnes d'une partie ; auto = une par joueur",
        parse=read_number,
        form="a number of deals, or auto",
    )
    trade_cap: int | str = rule_option(
        AUTO,
        help="accepted trades in a row without a buy that end a deal; auto = three a player, 0 = none",
        help_fr="trocs de suite, sans achat, qui closent la donne ; auto = trois par joueur, 0 = aucun",
        parse=read_number,
        form="a number of trades, or auto",
    )
    suits: int = rule_option(4, help="suits in the pack, 1 to 4", help_fr="enseignes du jeu, de 1 à 4")
    ranks: int = rule_option(
        13, help="ranks in the pack, the highest, 3 to 13", help_fr="rangs du jeu, les plus hauts, de 3 à 13"
    )

    def __post_init__(self) -> None:
        check_types(self)
        # a number that is the automatic one is the same rule, so it is the same option
        if self.deals == self.players:
            object.__setattr__(self, "deals", AUTO)
        if self.trade_cap == 3 * self.players:
            object.__setattr__(self, "trade_cap", AUTO)
        limits = {
            "players": (3, 12),
            "deals": (1, MAX_DEALS),
            "trade_cap": (0, MAX_CAP),
            "suits": (1, 4),
            "ranks": (3, 13),
        }
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if value == AUTO and name in ("deals", "trade_cap"):
                continue
            if type(value) is not int or not low <= value <= high:
                raise ParameterError(f"option {name}: {shown(value)} is not a number from {low} to {high}")
        if self.suits * self.ranks <= 3 * self.players:
            raise ParameterError(
                f"{self.players} players need more than {3 * self.players} cards, "
                f"the pack of {self.suits} suits and {self.ranks} ranks has {self.suits * self.ranks}"
            )


class CommerceGame(Game):
    """Commerce, three to twelve players, after Foster's form without a widow."""

    name = "commerce"
    title: ClassVar[Mapping[str, str]] = {"en": "Commerce", "fr": "Commerce"}
    summary: ClassVar[Mapping[str, str]] = {
        "en": "buy, trade or knock with three cards (3 to 12 players)",
        "fr": "acheter, troquer ou frapper avec trois cartes (3 à 12 joueurs)",
    }
    rules_version = 1
    presets: ClassVar[Mapping[str, CommerceOptions]] = {
        "standard": CommerceOptions(),
        "mini": CommerceOptions(players=3, deals=1, trade_cap=3, suits=3, ranks=4),
    }

    def _compile(self) -> CommerceRulesObject:
        return CommerceRulesObject(self.pack, self.options.players, self.deals, self.trade_cap)

    def new_initial_state(self, turn_based: bool = False) -> CommerceState:
        """The start of the game, before the lot for the first dealer; nothing in it is simultaneous."""
        return CommerceState(self, self.rules, turn_based)

    @property
    def deals(self) -> int:
        """How many deals make a game."""
        deals: int | str = self.options.deals
        return deals if isinstance(deals, int) else self.num_players()

    @property
    def trade_cap(self) -> int:
        """Trades in a row without a buy that end a deal; 0 = none."""
        cap: int | str = self.options.trade_cap
        return cap if isinstance(cap, int) else 3 * self.num_players()

    @property
    def pack(self) -> tuple[int, ...]:
        """The cards in use, ascending."""
        return pack_cards(self.options.suits, self.options.ranks)

    @property
    def bounded(self) -> bool:
        """Whether every game ends whatever the players do."""
        return self.trade_cap > 0

    def num_players(self) -> int:
        """Number of players."""
        players: int = self.options.players
        return players

    def parameters(self) -> dict[str, int]:
        """All rule options as numbers, the automatic ones too."""
        return {**super().parameters(), "deals": self.deals, "trade_cap": self.trade_cap}

    def _turns_as_dealer(self) -> tuple[int, int]:
        whole, rest = divmod(self.deals, self.num_players())
        return whole, whole + (rest > 0)

    def min_utility(self) -> float:
        """In each deal a dealer can pay n - 1 and his ante, another his ante and every card of the stock."""
        n, stock = self.num_players(), len(self.pack) - 3 * self.num_players()
        return float(min(-d * n - (self.deals - d) * (1 + stock) for d in self._turns_as_dealer()))

    def max_utility(self) -> float:
        """In each deal a dealer can win the pot and sell the stock, another win the pot and 1 more."""
        n, stock = self.num_players(), len(self.pack) - 3 * self.num_players()
        return float(max(d * (n - 1 + stock) + (self.deals - d) * n for d in self._turns_as_dealer()))

    def action_to_string(self, state: State, action: int, lang: str = "en") -> str:
        """A card, ``buy``, ``trade`` or ``knock``; at the lot, ``dealer`` and a player's number."""
        if _at_lot(state):
            if not 0 <= action < self.num_players():
                last = self.num_players() - 1
                raise ParameterError(f"player {shown(action)} does not exist: players are 0..{last}")
            return f"{DEALS[lang]} {action}"
        if action in WORDS[lang]:
            return WORDS[lang][action]
        if not 0 <= action < BUY:
            raise ParameterError(f"action {shown(action)} does not exist: actions are 0..{KNOCK}")
        return card_name(action, lang)

    def action_texts(self, state: State, action: int, lang: str) -> Sequence[str]:
        """Cards with letters and in words, initials of the other actions."""
        if _at_lot(state):
            return (str(action),)
        if action in SHORT[lang]:
            return SHORT[lang][action]
        return card_name(action, lang, ascii=True), card_words(action, lang)

    def string_to_action(self, state: State, text: str, lang: str = "en") -> int:
        """The legal action that a text names; a card may be written in any way of the language.

        Raises:
            ActionTextError: if it names none or more than one; the message lists what is allowed.
        """
        try:
            card = parse_card(text, lang)
        except CardTextError:
            return super().string_to_action(state, text, lang)
        if not _at_lot(state) and card in state.legal_actions():
            return card
        return super().string_to_action(state, text, lang)


def _at_lot(state: State) -> bool:
    return len(state) == 0


GAME = CommerceGame
