"""Eleusis: options, presets and wording; the rules are told in docs/rules/eleusis.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from cardgods._core.games.eleusis import ENTRY_KINDS, EleusisRulesObject, EleusisState
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.cards import card_name, card_words
from cardgods.errors import ParameterError, RuleTextError, shown
from cardgods.game import Game
from cardgods.options import check_types, rule_option

if TYPE_CHECKING:
    from cardgods.rule.rule import Rule

HUMAN = "human"
ASK, INVENT = "ask", "ai"
"""Rules still to be chosen: typed by who will be God, or invented. A game with one cannot be played yet."""
STANDARD_RULES = {
    "suit-or-rank": "same(suit) or same(rank)",
    "four-answers": (
        "if last.even then (if last.red then hearts else diamonds) else if last.red then spades else clubs"
    ),
    "suits-in-pairs": "pattern(not same(suit), same(suit))",
    "spades-rise": "if spades then up else down",
    "third-changes-suit": "pos % 3 = 1 xor same(suit)",
}
"""Rules of the standard game in their canonical form, by their names in the library.

The default options are made of them without the rule language, which takes longer to load than all the rest
of a help page. The default itself holds the names: what differs from it goes into the digest of the rules."""
MAX_PACKS = 20
MAX_ROUNDS = 16
MAX_TURNS = 250
NOBODY = 15
DONE, CLAIM, DECLARE, DECLINE, RIGHT, WRONG = range(52, 58)
WORDS = {
    "en": ("done", "no play", "prophet", "no prophet", "right", "wrong"),
    "fr": ("fini", "rien", "prophète", "pas prophète", "juste", "faux"),
}
MORE_WORDS = {
    "en": (("d", "."), ("I cannot play", "n"), ("p",), ("no", "decline"), ("r", "yes"), ("w", "no")),
    "fr": (
        ("f", "."),
        ("je ne peux pas jouer", "n"),
        ("p", "prophete"),
        ("non", "pas prophete"),
        ("j", "oui"),
        ("x", "non"),
    ),
}
SEAT = {"en": "player", "fr": "joueur"}

# Whole-number options: least and greatest value.
_RANGES = {
    "players": (3, 8),
    "players_min": (3, 8),
    "rounds": (0, MAX_ROUNDS),
    "god": (-1, 7),
    "hand": (1, 30),
    "packs": (1, 4),
    "packs_max": (1, MAX_PACKS),
    "refill_at": (0, 51),
    "extra_starters": (0, 3),
    "max_sequence": (1, 4),
    "sudden_death": (0, 9999),
    "prophet_sudden_death": (0, 9999),
    "wrong_penalty": (0, 8),
    "claim_penalty": (0, 20),
    "claim_relief": (1, 20),
    "prophet_penalty": (0, 20),
    "out_penalty": (1, 20),
    "out_bonus": (0, 99),
    "compensation": (0, 99),
    "turn_cap": (1, MAX_TURNS),
}


def read_rules(text: str) -> tuple[str, ...]:
    """Rules separated by ``|``: texts of the rule language, names of the library, or ``human``."""
    return tuple(part.strip() for part in text.split("|"))


@dataclass(frozen=True)
class EleusisOptions:
    """Rule options of Eleusis; the defaults are the standard game."""

    players: int = rule_option(5, help="players, God included", help_fr="joueurs, Dieu compris")
    players_min: int = rule_option(
        5,
        help="fewest players allowed; 3 and 4 are possible but not good",
        help_fr="nombre minimal de joueurs ; 3 et 4 sont possibles mais peu recommandés",
    )
    rounds: int = rule_option(
        0,
        help="rounds; 0 = as many as players, so that everybody is God once",
        help_fr="manches ; 0 = autant que de joueurs, chacun étant Dieu une fois",
    )
    god: int = rule_option(
        -1,
        help="seat of the first God, counted from 0; -1 = the last seat",
        help_fr="place du premier Dieu, comptée depuis 0 ; -1 = la dernière",
    )
    rules: tuple[str, ...] = rule_option(
        tuple(STANDARD_RULES),
        help="God's rules, round by round: rules, names of the library, human (God judges himself), ask (he"
        " types one in secret) or ai (one is made)",
        help_fr="règles de Dieu, manche par manche : règles, noms du recueil, human (Dieu juge lui-même), ask"
        " (il en tape une en secret) ou ai (on en invente une)",
        parse=read_rules,
        form="rule | rule | ...",
        secret=True,
    )
    hand: int = rule_option(
        14, help="cards dealt to each seeker", help_fr="cartes distribuées à chaque chercheur"
    )
    packs: int = rule_option(2, help="packs of 52 at the start", help_fr="jeux de 52 cartes au départ")
    refill: str = rule_option(
        "pack",
        help="when the stock runs low: a pack is shuffled in, or the round ends when a card is missing",
        help_fr="quand la pioche s'épuise : on y mêle un jeu, ou la manche s'arrête quand une carte manque",
        choices=("pack", "end"),
    )
    refill_at: int = rule_option(
        4,
        help="cards of the stock at which a pack joins it",
        help_fr="cartes restantes auxquelles on ajoute un jeu",
    )
    packs_max: int = rule_option(
        MAX_PACKS,
        help="packs beyond which none is added any more",
        help_fr="nombre de jeux au-delà duquel on n'en ajoute plus",
    )
    first: str = rule_option(
        "lot",
        help="who begins: by lot, or counted clockwise from God's left by the rank of the starter",
        help_fr="qui commence : tirage au sort, ou décompte du rang de la première carte à gauche de Dieu",
        choices=("lot", "rank"),
    )
    extra_starters: int = rule_option(
        0,
        help="further right cards that God turns at the start",
        help_fr="cartes justes que Dieu ajoute à la première",
    )
    max_sequence: int = rule_option(
        4, help="most cards laid in a turn", help_fr="cartes posées au plus en un tour"
    )
    wrong_penalty: int = rule_option(
        2, help="cards drawn for each wrong card", help_fr="cartes de pénalité par carte fausse"
    )
    claim_penalty: int = rule_option(
        5,
        help="cards drawn for a wrong 'I cannot play'",
        help_fr="cartes de pénalité pour un « je ne peux pas jouer » faux",
    )
    claim_relief: int = rule_option(
        4,
        help="cards fewer in the new hand after a right 'I cannot play'",
        help_fr="cartes de moins dans la main après un « je ne peux pas jouer » juste",
    )
    forced_card: str = rule_option(
        "random",
        help="which right card God takes from a shown hand: a random one, or the lowest by number",
        help_fr="carte juste que Dieu prend d'une main étalée : au hasard, ou la première dans l'ordre",
        choices=("random", "lowest"),
    )
    expel_on_wrong_noplay: bool = rule_option(
        False,
        help="in sudden death a wrong 'I cannot play' expels too",
        help_fr="en mort subite, un « je ne peux pas jouer » faux élimine aussi",
    )
    sudden_death: int = rule_option(
        40,
        help="cards played after which sudden death begins, without a Prophet",
        help_fr="cartes jouées après lesquelles vient la mort subite, sans Prophète",
    )
    prophet_sudden_death: int = rule_option(
        30,
        help="the same with a Prophet, counted from his mark",
        help_fr="de même avec un Prophète, depuis sa marque",
    )
    count_starter: bool = rule_option(
        False,
        help="the starter counts as a played card",
        help_fr="la première carte compte parmi les cartes jouées",
    )
    prophet_penalty: int = rule_option(
        5, help="cards drawn by an overthrown Prophet", help_fr="cartes de pénalité du Prophète déchu"
    )
    keep_prophet_card: bool = rule_option(
        False,
        help="a wrong card that the Prophet picks from a shown hand stays on the table",
        help_fr="une carte fausse choisie par le Prophète dans une main étalée reste sur la table",
    )
    prophet_after_out: bool = rule_option(
        False,
        help="who goes out may become Prophet instead of taking the bonus",
        help_fr="qui n'a plus de carte peut devenir Prophète au lieu de prendre le bonus",
    )
    out_penalty: int = rule_option(
        8,
        help="cards drawn by an overthrown Prophet who had gone out",
        help_fr="cartes de pénalité du Prophète déchu qui n'avait plus de carte",
    )
    out_bonus: int = rule_option(
        4, help="points for having no card left", help_fr="points pour n'avoir plus de carte"
    )
    compensation: int = rule_option(
        10,
        help="points for those who have not been God when the game ends",
        help_fr="points pour ceux qui n'ont pas été Dieu à la fin de la partie",
    )
    turn_cap: int = rule_option(
        200,
        help="turns after which a round is scored as it stands",
        help_fr="tours après lesquels la manche est comptée telle quelle",
    )

    def __post_init__(self) -> None:
        check_types(self)
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise ParameterError(f"option {name}: {shown(value)} is not within {low}..{high}")
        self._check_seats()
        object.__setattr__(self, "rules", _checked_rules(self.rules))

    def _check_seats(self) -> None:
        if self.players < self.players_min:
            raise ParameterError(
                f"option players: {self.players} is fewer than {self.players_min}; "
                "the option players_min allows 3 and 4"
            )
        if self.god >= self.players:
            raise ParameterError(f"option god: seats are 0..{self.players - 1}, not {self.god}")
        if self.packs_max < self.packs:
            raise ParameterError(
                f"option packs_max: {self.packs_max} is fewer than the {self.packs} dealt from"
            )
        needed = self.hand * (self.players - 1) + 1 + self.extra_starters
        available = 52 * (self.packs if self.refill == "end" else self.packs_max)
        if needed > available:
            raise ParameterError(
                f"option hand: {needed} cards are needed for the deal, {available} are there"
            )


def _checked_rules(rules: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Rules in their canonical form, so that one game has one name."""
    if not isinstance(rules, (tuple, list)) or not all(isinstance(text, str) for text in rules):
        raise ParameterError("option rules: a list of rules is wanted")
    if not 1 <= len(rules) <= MAX_ROUNDS:
        raise ParameterError(f"option rules: {len(rules)} given, 1 to {MAX_ROUNDS} are possible")
    canonical = []
    for text in rules:
        if text in (HUMAN, ASK, INVENT) or text in STANDARD_RULES.values():
            canonical.append(text)
            continue
        if text in STANDARD_RULES:
            canonical.append(STANDARD_RULES[text])
            continue
        try:
            rule = _rule(text)
            start = rule.program.start
        except RuleTextError as error:
            raise ParameterError(f"option rules: {error}") from None
        if start == 0:
            raise ParameterError(f"option rules: no card can ever lie first under {rule.text}")
        canonical.append(rule.text)
    return tuple(canonical)


def _rule(text: str) -> "Rule":
    """The rule of a text or name of the library; the rule language is loaded when it is first needed."""
    from cardgods.rule.library import find_rule

    return find_rule(text)


class EleusisGame(Game):
    """Eleusis: find God's rule, or be his Prophet."""

    name = "eleusis"
    title: ClassVar[Mapping[str, str]] = {"en": "Eleusis", "fr": "Eleusis"}
    summary: ClassVar[Mapping[str, str]] = {
        "en": "God has a secret rule; find it, or be his Prophet (5 to 8 players)",
        "fr": "Dieu a une règle secrète : trouvez-la, ou soyez son Prophète (5 à 8 joueurs)",
    }
    rules_version = 1
    presets: ClassVar[Mapping[str, EleusisOptions]] = {"standard": EleusisOptions()}

    @property
    def num_rounds(self) -> int:
        """Rounds of the game."""
        return int(self.options.rounds or self.options.players)

    @property
    def first_god(self) -> int:
        """Seat that is God in the first round."""
        return int(self.options.god % self.options.players)

    def _compile(self) -> EleusisRulesObject:
        o = self.options
        texts = [o.rules[k % len(o.rules)] for k in range(self.num_rounds)]
        if ASK in texts or INVENT in texts:
            raise ParameterError("option rules: 'ask' and 'ai' are settled by the command line before a game")
        rules = [None if text == HUMAN else _rule(text) for text in texts]
        pairs = [None if rule is None else (rule.program, rule.machine) for rule in rules]
        numbers = {name: getattr(o, name) for name in _RANGES if name != "players_min"}
        numbers |= {
            "rounds": self.num_rounds,
            "god": self.first_god,
            "refill_at": o.refill_at if o.refill == "pack" else -1,
            "first_by_rank": o.first == "rank",
            "count_starter": o.count_starter,
            "forced_lowest": o.forced_card == "lowest",
            "expel_on_wrong_claim": o.expel_on_wrong_noplay,
            "keep_prophet_card": o.keep_prophet_card,
            "prophet_after_out": o.prophet_after_out,
        }
        return EleusisRulesObject(pairs, texts, numbers)

    def new_initial_state(self, turn_based: bool = False) -> EleusisState:
        """The start of the game: two shuffled packs, and nobody has a card yet."""
        return EleusisState(self, self.rules, turn_based)

    def settled(self, rng: Random) -> "EleusisGame":
        """The game with a rule invented for each round whose rule is ``ai``, of the second level of four."""
        from cardgods.rule.generate import invent

        rules = self.options.rules
        if INVENT not in rules:
            return self
        chosen = tuple(
            invent(2, rng.spawn(number)).rule.text if rule == INVENT else rule
            for number, rule in enumerate(rules[n % len(rules)] for n in range(self.num_rounds))
        )
        return EleusisGame(replace(self.options, rules=chosen))

    def new_position(
        self,
        *,
        hands: Sequence[Sequence[int]],
        table: Sequence[Mapping[str, Any]],
        turn: int,
        round: int = 0,
        packs: int | None = None,
        prophet: int | None = None,
        mark: int = 0,
        since_mark: Sequence[int] = (0, 0),
        expelled: Sequence[int] = (),
        was_prophet: Sequence[int] = (),
        turns: int = 0,
        scores: Sequence[int] | None = None,
        turn_based: bool = False,
    ) -> EleusisState:
        """A position at the turn of a seeker, in the terms of ``State.view``.

        Args:
            hands: card numbers of each seat, God's empty.
            table: entries with kind (starter, right, wrong, forced, hand), seat and cards, in order.
            turn: seat of the seeker to play.
            round: number of the round, from 0; it decides who is God and which rule holds.
            packs: packs in play; the option by default.
            prophet: seat of the active Prophet.
            mark: cards played up to his mark.
            since_mark: right and wrong cards since then.
            expelled: seats that are out.
            was_prophet: seats that have been Prophet in this round, the active one included.
            turns: turns completed.
            scores: points of earlier rounds; 0 by default.
            turn_based: as in :meth:`new_initial_state`.

        Raises:
            ParameterError: if a card, seat or number is impossible, or the line is wrong under the rule.
        """
        values: dict[str, Any] = {
            "hands": [list(hand) for hand in hands],
            "table": [dict(entry) for entry in table],
            "turn": turn,
            "round": round,
            "packs": self.options.packs if packs is None else packs,
            "prophet": prophet,
            "mark": mark,
            "since_mark": list(since_mark),
            "expelled": list(expelled),
            "was_prophet": list(was_prophet),
            "turns": turns,
            "scores": [0] * self.options.players if scores is None else list(scores),
        }
        entries = self._checked_position(values)
        state = EleusisState(self, self.rules, turn_based, values)
        state.set_up(values["hands"], entries, _position_numbers(values), values["scores"])
        return state

    def _checked_position(self, values: Mapping[str, Any]) -> list[tuple[int, int, list[int]]]:
        o = self.options
        god = (self.first_god + values["round"]) % o.players
        seats = [values["turn"], *values["expelled"], *values["was_prophet"]]
        seats += [] if values["prophet"] is None else [values["prophet"]]
        _demand(0 <= values["round"] < self.num_rounds, f"rounds are 0..{self.num_rounds - 1}")
        _demand(o.packs <= values["packs"] <= o.packs_max, f"packs are {o.packs}..{o.packs_max}")
        _demand(all(seat in range(o.players) and seat != god for seat in seats), "a seat is no seeker's")
        _demand(values["turn"] not in values["expelled"], "an expelled seat cannot be on turn")
        _demand(values["turn"] != values["prophet"], "the Prophet cannot be on turn")
        _demand(len(values["hands"]) == len(values["scores"]) == o.players, f"there are {o.players} seats")
        _demand(bool(values["hands"][values["turn"]]) and not values["hands"][god], "a hand is impossible")
        entries = [_entry(entry, o.players) for entry in values["table"]]
        cards = [card for hand in values["hands"] for card in hand]
        cards += [card for *_, laid in entries for card in laid]
        _demand(all(card in range(52) for card in cards), "cards are 0..51")
        _demand(
            all(cards.count(card) <= values["packs"] for card in set(cards)),
            f"a card stands there more than {values['packs']} times",
        )
        line = [card for kind, _, laid in entries if kind in (0, 1, 3) for card in laid]
        played = sum(len(laid) for kind, _, laid in entries if kind in (1, 2, 3))
        _demand(bool(line), "the line has no card")
        _demand(0 <= values["mark"] <= played and min(values["since_mark"]) >= 0, "the mark is impossible")
        _demand(0 <= values["turns"] < o.turn_cap, f"turns are 0..{o.turn_cap - 1}")
        if self.rule_of(values["round"]) != HUMAN:
            _demand_right(self.rule_of(values["round"]), line)
        return entries

    def min_utility(self) -> float:
        """Nobody scores below 0."""
        return 0.0

    def max_utility(self) -> float:
        """An upper bound: a round brings at most three points for each card there can be, and the bonus."""
        o = self.options
        return float(self.num_rounds * (3 * 52 * o.packs_max + o.out_bonus) + o.compensation)

    def utility_sum(self) -> float | None:
        """Scores have no fixed sum."""
        return None

    def num_players(self) -> int:
        """Number of players, known before the rules are."""
        return int(self.options.players)

    def rule_of(self, round_number: int) -> str:
        """Canonical text of the rule of a round counted from 0, or ``human``."""
        return self.rules.texts[round_number]  # type: ignore[attr-defined, no-any-return]

    def action_to_string(self, state: State, action: int, lang: str = "en") -> str:
        """A card, a seat where chance draws the first seeker, or one of the six words."""
        seats = state.phase == "first"  # type: ignore[attr-defined]
        last = self.num_players() - 1 if seats else WRONG
        if not 0 <= action <= last:
            raise ParameterError(f"action {shown(action)} does not exist: actions are 0..{last}")
        if seats:
            return f"{SEAT[lang]} {action}"
        return card_name(action, lang) if action < DONE else WORDS[lang][action - DONE]

    def action_texts(self, state: State, action: int, lang: str) -> Sequence[str]:
        """Suit letters and words for cards, short forms for the others."""
        if state.phase == "first":  # type: ignore[attr-defined]
            return (str(action),)
        if action < 52:
            return (card_name(action, lang, ascii=True), card_words(action, lang))
        return MORE_WORDS[lang][action - DONE]


def _demand(holds: bool, wrong: str) -> None:
    if not holds:
        raise ParameterError(f"impossible position: {wrong}")


def _demand_right(rule: str, line: Sequence[int]) -> None:
    try:
        _rule(rule).right(line)
    except ValueError as error:
        raise ParameterError(f"impossible position: {error}") from None


def _entry(entry: Mapping[str, Any], players: int) -> tuple[int, int, list[int]]:
    kind, seat, cards = entry.get("kind"), entry.get("seat"), entry.get("cards")
    _demand(kind in ENTRY_KINDS, f"entries of the table are {', '.join(ENTRY_KINDS)}")
    _demand(seat in range(players) or (seat is None and kind == "starter"), "an entry has no seat")
    _demand(isinstance(cards, list) and 1 <= len(cards) <= 255, "an entry has 1 to 255 cards")
    return ENTRY_KINDS.index(str(kind)), NOBODY if seat is None else int(seat), list(cards or ())


def _position_numbers(values: Mapping[str, Any]) -> dict[str, int]:
    names = ("round", "turn", "packs", "mark", "turns")
    return {name: values[name] for name in names} | {
        "prophet": -1 if values["prophet"] is None else values["prophet"],
        "since_right": values["since_mark"][0],
        "since_wrong": values["since_mark"][1],
        "expelled": sum(1 << seat for seat in set(values["expelled"])),
        "was_prophet": sum(1 << seat for seat in set(values["was_prophet"])),
    }


GAME = EleusisGame
