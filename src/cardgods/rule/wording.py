"""A rule in words, in English and French: a reading aid. The canonical text is the authority."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from cardgods.cards import card_name
from cardgods.rule.nodes import RELATIONS, Node
from cardgods.rule.vocabulary import FIRST, Type


class _Words(NamedTuple):
    """The words of one language."""

    starter: str
    cards: Mapping[int, str]
    is_: Mapping[str, str]
    is_not: Mapping[str, str]
    attributes: Mapping[str, str]
    values: Mapping[str, tuple[str, ...]]
    same: str
    other: str
    relations: Mapping[str, str]
    phrases: Mapping[str, str]
    join: Mapping[str, str]
    ranks: Mapping[int, str]


_EN = _Words(
    starter="The first card: {}. After it: {}.",
    cards={0: "the card", 1: "the last card", 2: "the card before last", FIRST: "the first card"}
    | {k: f"the card {k} back" for k in range(3, 7)},
    is_={
        "any": "{} is any card",
        "red": "{} is red",
        "black": "{} is black",
        "odd": "{} is odd",
        "even": "{} is even",
        "face": "{} is a court card",
        "number": "{} is a number card",
        "prime": "{} has a prime rank",
        "high": "{} is high (8 to K)",
        "low": "{} is low (A to 7)",
        "ace": "{} is an ace",
        "jack": "{} is a jack",
        "queen": "{} is a queen",
        "king": "{} is a king",
        "clubs": "{} is a club",
        "diamonds": "{} is a diamond",
        "hearts": "{} is a heart",
        "spades": "{} is a spade",
    },
    is_not={"prime": "{} has no prime rank", "any": "{} is no card at all"},
    attributes={
        "rank": "rank",
        "suit": "suit",
        "colour": "colour",
        "parity": "parity",
        "points": "points",
        "card": "face",
    },
    values={
        "suit": ("clubs", "diamonds", "hearts", "spades"),
        "colour": ("black", "red"),
        "parity": ("even", "odd"),
    },
    same="the card has the same {attribute} as {card}",
    other="the card has another {attribute} than {card}",
    relations={
        "=": "{} is {}",
        "!=": "{} is not {}",
        "<": "{} is below {}",
        "<=": "{} is at most {}",
        ">": "{} is above {}",
        ">=": "{} is at least {}",
        "in": "{} is one of {}",
        "not in": "{} is none of {}",
    },
    phrases={
        "up": "the card is higher than the last card",
        "down": "the card is lower than the last card",
        "not up": "the card is not higher than the last card",
        "not down": "the card is not lower than the last card",
        "step": "the number of steps up from the last card (after K comes A)",
        "pos": "the number of the card in the line",
        "hmin": "the lowest rank so far",
        "hmax": "the highest rank so far",
        "of": "the {attribute} of {card}",
        "itself": "{card}",
        "run": "the length of the last run of one {attribute}",
        "seen": "a card of its {attribute} lies already",
        "not seen": "no card of its {attribute} lies already",
        "least": "its {attribute} is one of those played least so far",
        "not least": "its {attribute} is not one of those played least so far",
        "most": "its {attribute} is one of those played most so far",
        "not most": "its {attribute} is not one of those played most so far",
        "count": "the number of cards so far of which it is true that {}",
        "count is": "the number of earlier cards that are {}",
        "cycle": "the card follows the last card in the circle {}",
        "pattern": "the cards follow in turn, again and again: {}",
        "not": "it is not so that {}",
        "if": "if {}, then {}, otherwise {}",
        "span": "{} to {}",
        "+": "{} plus {}",
        "-": "{} minus {}",
        "*": "{} times {}",
        "%": "the remainder of {} divided by {}",
        "min": "the least of {}",
        "max": "the greatest of {}",
        "abs": "the size of {}",
        "difference": "the difference between {} and {}",
        "gcd": "the greatest common divisor of {}",
        "dist": "the distance on the circle of ranks between {}",
    },
    join={"and": " and ", "or": " or ", "xor": " or else ", "iff": " exactly if ", "list": ", "},
    ranks={1: "A", 11: "J", 12: "Q", 13: "K"},
)

_FR = _Words(
    starter="La première carte : {}. Ensuite : {}.",
    cards={0: "la carte", 1: "la dernière carte", 2: "l'avant-dernière carte", FIRST: "la première carte"}
    | {k: f"la {k}e carte en arrière" for k in range(3, 7)},
    is_={
        "any": "{} est quelconque",
        "red": "{} est rouge",
        "black": "{} est noire",
        "odd": "{} est impaire",
        "even": "{} est paire",
        "face": "{} est une figure",
        "number": "{} est un nombre",
        "prime": "{} est de rang premier",
        "high": "{} est haute (8 à R)",
        "low": "{} est basse (A à 7)",
        "ace": "{} est un as",
        "jack": "{} est un valet",
        "queen": "{} est une dame",
        "king": "{} est un roi",
        "clubs": "{} est un trèfle",
        "diamonds": "{} est un carreau",
        "hearts": "{} est un cœur",
        "spades": "{} est un pique",
    },
    is_not={},
    attributes={
        "rank": "rang",
        "suit": "enseigne",
        "colour": "couleur",
        "parity": "parité",
        "points": "points",
        "card": "face",
    },
    values={
        "suit": ("trèfle", "carreau", "cœur", "pique"),
        "colour": ("noir", "rouge"),
        "parity": ("pair", "impair"),
    },
    same="la carte a {attribute} de {card}",
    other="la carte n'a pas {attribute} de {card}",
    relations={
        "=": "{} vaut {}",
        "!=": "{} ne vaut pas {}",
        "<": "{} reste sous {}",
        "<=": "{} est au plus {}",
        ">": "{} dépasse {}",
        ">=": "{} est au moins {}",
        "in": "{} est parmi {}",
        "not in": "{} n'est pas parmi {}",
    },
    phrases={
        "up": "la carte est plus haute que la dernière",
        "down": "la carte est plus basse que la dernière",
        "not up": "la carte n'est pas plus haute que la dernière",
        "not down": "la carte n'est pas plus basse que la dernière",
        "step": "le nombre de pas depuis la dernière carte (après R vient A)",
        "pos": "le numéro de la carte dans la ligne",
        "hmin": "le plus petit rang jusqu'ici",
        "hmax": "le plus grand rang jusqu'ici",
        "of": "{attribute} de {card}",
        "itself": "{card}",
        "run": "la longueur de la dernière série de même {attribute}",
        "seen": "une carte de même {attribute} est déjà là",
        "not seen": "aucune carte de même {attribute} n'est déjà là",
        "least": "{attribute} est parmi les moins joués jusqu'ici",
        "not least": "{attribute} n'est pas parmi les moins joués jusqu'ici",
        "most": "{attribute} est parmi les plus joués jusqu'ici",
        "not most": "{attribute} n'est pas parmi les plus joués jusqu'ici",
        "count": "le nombre de cartes déjà posées pour lesquelles {}",
        "count is": "le nombre de cartes déjà posées de type « {} »",
        "cycle": "la carte suit la dernière dans le cercle {}",
        "pattern": "les cartes se suivent tour à tour, sans fin : {}",
        "not": "il n'est pas vrai que {}",
        "if": "si {}, alors {}, sinon {}",
        "span": "{} à {}",
        "+": "{} plus {}",
        "-": "{} moins {}",
        "*": "{} fois {}",
        "%": "le reste de {} divisé par {}",
        "min": "le plus petit de {}",
        "max": "le plus grand de {}",
        "abs": "la grandeur de {}",
        "difference": "l'écart entre {} et {}",
        "gcd": "le plus grand commun diviseur de {}",
        "dist": "la distance sur le cercle des rangs entre {}",
    },
    join={"and": " et ", "or": " ou ", "xor": " ou bien ", "iff": " exactement si ", "list": ", "},
    ranks={1: "A", 11: "V", 12: "D", 13: "R"},
)

_FR_THE = {"rank": "le rang", "suit": "l'enseigne", "colour": "la couleur", "parity": "la parité"}
_FR_THE |= {"points": "les points", "card": "la même face"}
_FR_COUNTED = {"red": "rouge", "black": "noire", "odd": "impaire", "even": "paire", "face": "figure"}
_FR_COUNTED |= {"number": "nombre", "prime": "rang premier", "high": "haute", "low": "basse"}
_PLURALS = {"face": "court cards", "number": "number cards", "prime": "of prime rank"}
_PLURALS |= {"ace": "aces", "jack": "jacks", "queen": "queens", "king": "kings"}


def sentence(start: Node | None, body: Node, lang: str = "en") -> str:
    """The rule as one or two sentences that every right card makes true."""
    speaker = _Speaker(lang)
    said = speaker.say(body)
    text = speaker.words.starter.format(speaker.say(start), said) if start is not None else said + "."
    if lang == "fr":
        for apart, together in (("de le ", "du "), ("à le ", "au "), ("de les ", "des ")):
            text = text.replace(apart, together)
    return text[0].upper() + text[1:]


class _Speaker:
    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.words = _FR if lang == "fr" else _EN

    def say(self, node: Node) -> str:
        return _SAY[node.op](self, node)

    def part(self, node: Node) -> str:
        """A part of a larger phrase, in brackets where it would run into its surroundings."""
        loose = node.op in ("and", "or", "xor", "iff", "if", "pattern", "+", "-", "*", "%")
        return f"({self.say(node)})" if loose else self.say(node)

    def the(self, attribute: str) -> str:
        return _FR_THE[attribute] if self.lang == "fr" else self.words.attributes[attribute]

    def listed(self, parts: list[str], last: str) -> str:
        if len(parts) < 2:
            return "".join(parts)
        return ", ".join(parts[:-1]) + self.words.join[last] + parts[-1]

    def literal(self, node: Node) -> str:
        if node.type is Type.INT:
            return str(node.value)
        if node.type is Type.CARD:
            return card_name(node.value, self.lang)
        return str(self.words.values[node.type.value][node.value])

    def attribute(self, node: Node) -> str:
        reference, name = node.value
        key = "itself" if name == "card" else "of"
        return self.words.phrases[key].format(attribute=self.the(name), card=self.words.cards[reference])

    def predicate(self, node: Node) -> str:
        reference, name = node.value
        return self.words.is_[name].format(self.words.cards[reference])

    def word(self, node: Node) -> str:
        return self.words.phrases[node.op]

    def about(self, node: Node) -> str:
        the = self.the(node.value) if node.op in ("least", "most") else self.words.attributes[node.value]
        return self.words.phrases[node.op].format(attribute=the)

    def same(self, node: Node, template: str | None = None) -> str:
        name, reference = node.value
        card = self.words.cards[reference]
        return (template or self.words.same).format(attribute=self.the(name), card=card)

    def count(self, node: Node) -> str:
        condition = node.args[0]
        if condition.op != "is":
            return self.words.phrases["count"].format(self.part(condition))
        name = condition.value[1]
        counted = _FR_COUNTED.get(name) if self.lang == "fr" else _PLURALS.get(name)
        return self.words.phrases["count is"].format(counted or self.value_word(name))

    def value_word(self, name: str) -> str:
        for kind in _EN.values:
            if name in _EN.values[kind]:
                return self.words.values[kind][_EN.values[kind].index(name)]
        return self.words.is_[name].format("…").removeprefix("… ")

    def cycle(self, node: Node) -> str:
        name, values = node.value
        kind = {"suit": Type.SUIT, "colour": Type.COLOUR, "parity": Type.PARITY, "card": Type.CARD}
        shown = [self.literal(Node("lit", value=v, type=kind.get(name, Type.INT))) for v in values]
        return self.words.phrases["cycle"].format(", ".join(shown))

    def pattern(self, node: Node) -> str:
        return self.words.phrases["pattern"].format("; ".join(self.part(arg) for arg in node.args))

    def negation(self, node: Node) -> str:
        inner = node.args[0]
        if inner.op == "is":
            return self.not_a(inner)
        if inner.op == "same":
            return self.same(inner, self.words.other)
        if inner.op == "in":
            return self.membership(inner, "not in")
        if inner.op in ("seen", "least", "most"):
            the = self.the(inner.value) if inner.op != "seen" else self.words.attributes[inner.value]
            return self.words.phrases[f"not {inner.op}"].format(attribute=the)
        if inner.op in ("up", "down"):
            return self.words.phrases[f"not {inner.op}"]
        return self.words.phrases["not"].format(self.part(inner))

    def not_a(self, node: Node) -> str:
        reference, name = node.value
        plain = self.words.is_[name]
        turned = (
            plain.replace("{} est", "{} n'est pas")
            if self.lang == "fr"
            else plain.replace(" is ", " is not ")
        )
        return self.words.is_not.get(name, turned).format(self.words.cards[reference])

    def joined(self, node: Node) -> str:
        return self.words.join[node.op].join(self.part(arg) for arg in node.args)

    def choice(self, node: Node) -> str:
        test, then, other = node.args
        return self.words.phrases["if"].format(self.part(test), self.part(then), self.say(other))

    def operand(self, node: Node, other: Node) -> str:
        if node.op == "lit" and other.op == "attr" and other.value[1] == "rank":
            return self.words.ranks.get(node.value, str(node.value))
        return self.say(node)

    def comparison(self, node: Node) -> str:
        a, b = node.args
        return self.words.relations[node.op].format(self.operand(a, b), self.operand(b, a))

    def membership(self, node: Node, relation: str = "in") -> str:
        value, *items = node.args
        shown = [
            self.words.phrases["span"].format(*(self.operand(end, value) for end in item.args))
            if item.op == "span"
            else self.operand(item, value)
            for item in items
        ]
        return self.words.relations[relation].format(self.say(value), self.listed(shown, "or"))

    def arithmetic(self, node: Node) -> str:
        if node.op == "abs" and node.args[0].op == "-":
            return self.words.phrases["difference"].format(*(self.part(arg) for arg in node.args[0].args))
        parts = [self.part(arg) for arg in node.args]
        if node.op in ("min", "max", "gcd", "dist", "abs"):
            return self.words.phrases[node.op].format(self.listed(parts, "and"))
        if node.op in ("+", "-") and node.args[0].op in ("+", "-"):
            parts[0] = self.say(node.args[0])
        return self.words.phrases[node.op].format(*parts)


_SAY: dict[str, Callable[[_Speaker, Node], str]] = {
    "lit": _Speaker.literal,
    "attr": _Speaker.attribute,
    "is": _Speaker.predicate,
    "same": _Speaker.same,
    "count": _Speaker.count,
    "cycle": _Speaker.cycle,
    "pattern": _Speaker.pattern,
    "not": _Speaker.negation,
    "if": _Speaker.choice,
    "in": _Speaker.membership,
    **dict.fromkeys(("up", "down", "step", "pos", "hmin", "hmax"), _Speaker.word),
    **dict.fromkeys(("run", "seen", "least", "most"), _Speaker.about),
    **dict.fromkeys(("and", "or", "xor", "iff"), _Speaker.joined),
    **dict.fromkeys(RELATIONS, _Speaker.comparison),
    **dict.fromkeys(("+", "-", "*", "%", "min", "max", "abs", "gcd", "dist"), _Speaker.arithmetic),
}
