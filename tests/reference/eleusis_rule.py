"""The rule language in plain Python: three-valued truth over the whole history, card by card.

Nothing is compiled and no memory is kept, so what this shares with the package is the tree alone.
"""

import math

RANK = [(c % 13 + 1) % 13 + 1 for c in range(52)]
SUIT = [c // 13 for c in range(52)]
COLOUR = [1 if c // 13 in (1, 2) else 0 for c in range(52)]
ATTRIBUTES = {
    "rank": RANK,
    "suit": SUIT,
    "colour": COLOUR,
    "parity": [r % 2 for r in RANK],
    "points": [min(r, 10) for r in RANK],
    "card": list(range(52)),
}
PREDICATES = {
    "any": lambda c: True,
    "red": lambda c: COLOUR[c] == 1,
    "black": lambda c: COLOUR[c] == 0,
    "odd": lambda c: RANK[c] % 2 == 1,
    "even": lambda c: RANK[c] % 2 == 0,
    "face": lambda c: RANK[c] in (11, 12, 13),
    "number": lambda c: RANK[c] < 11,
    "prime": lambda c: RANK[c] in (2, 3, 5, 7, 11, 13),
    "high": lambda c: RANK[c] > 7,
    "low": lambda c: RANK[c] < 8,
    "ace": lambda c: RANK[c] == 1,
    "jack": lambda c: RANK[c] == 11,
    "queen": lambda c: RANK[c] == 12,
    "king": lambda c: RANK[c] == 13,
    "clubs": lambda c: SUIT[c] == 0,
    "diamonds": lambda c: SUIT[c] == 1,
    "hearts": lambda c: SUIT[c] == 2,
    "spades": lambda c: SUIT[c] == 3,
}


class Unknown(Exception):
    """A card is needed that does not lie there yet."""


def card_at(history, card, reference):
    if reference == 0:
        return card
    if reference == 7:
        if not history:
            raise Unknown
        return history[0]
    if len(history) < reference:
        raise Unknown
    return history[-reference]


def number(node, history, card):
    op, args = node.op, node.args
    if op == "lit":
        return node.value
    if op == "attr":
        return ATTRIBUTES[node.value[1]][card_at(history, card, node.value[0])]
    if op == "step":
        return (RANK[card] - RANK[card_at(history, card, 1)]) % 13
    if op == "pos":
        return len(history) + 1
    if op == "count":
        return sum(truth(args[0], [], c) is True for c in history)
    if op == "run":
        values = [ATTRIBUTES[node.value][c] for c in history]
        length = 0
        while length < len(values) and values[-1 - length] == values[-1]:
            length += 1
        return length
    if op in ("hmin", "hmax"):
        if not history:
            raise Unknown
        return (min if op == "hmin" else max)(RANK[c] for c in history)
    values = [number(arg, history, card) for arg in args]
    if op == "dist":
        d = (values[0] - values[1]) % 13
        return min(d, 13 - d)
    return {
        "+": lambda: values[0] + values[1],
        "-": lambda: values[0] - values[1],
        "*": lambda: values[0] * values[1],
        "%": lambda: values[0] % values[1],
        "min": lambda: min(values),
        "max": lambda: max(values),
        "abs": lambda: abs(values[0]),
        "gcd": lambda: math.gcd(*values),
    }[op]()


def atom(node, history, card):
    op, args = node.op, node.args
    if op == "is":
        return PREDICATES[node.value[1]](card_at(history, card, node.value[0]))
    if op == "same":
        name, reference = node.value
        return ATTRIBUTES[name][card] == ATTRIBUTES[name][card_at(history, card, reference)]
    if op == "up":
        return RANK[card] > RANK[card_at(history, card, 1)]
    if op == "down":
        return RANK[card] < RANK[card_at(history, card, 1)]
    if op == "cycle":
        name, values = node.value
        last = ATTRIBUTES[name][card_at(history, card, 1)]
        if last not in values:
            raise Unknown
        return ATTRIBUTES[name][card] == values[(values.index(last) + 1) % len(values)]
    if op in ("seen", "least", "most"):
        values = ATTRIBUTES[node.value]
        counts = dict.fromkeys(values, 0)
        for c in history:
            counts[values[c]] += 1
        mine = counts[values[card]]
        if op == "seen":
            return mine > 0
        return mine == (min if op == "least" else max)(counts.values())
    a, b = (number(arg, history, card) for arg in args)
    return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]


def member(node, history, card):
    value, *items = node.args
    found = []
    for item in items:
        try:
            here = number(value, history, card)
            if item.op == "span":
                low, high = (number(end, history, card) for end in item.args)
                found.append(low <= here <= high)
            else:
                found.append(here == number(item, history, card))
        except Unknown:
            found.append(None)
    return disjunction(found)


def negation(a):
    return None if a is None else not a


def disjunction(values):
    if True in values:
        return True
    return None if None in values else False


def truth(node, history, card):
    """True, False or None (unknown)."""
    op, args = node.op, node.args
    if op == "not":
        return negation(truth(args[0], history, card))
    if op == "or":
        return disjunction([truth(arg, history, card) for arg in args])
    if op == "and":
        return negation(disjunction([negation(truth(arg, history, card)) for arg in args]))
    if op in ("xor", "iff"):
        a, b = (truth(arg, history, card) for arg in args)
        return None if a is None or b is None else (a != b) == (op == "xor")
    if op == "if":
        test, then, other = (truth(arg, history, card) for arg in args)
        if test is None:
            return then if then == other else None
        return then if test else other
    if op == "pattern":
        return truth(args[len(history) % len(args)], history, card)
    if op == "in":
        return member(node, history, card)
    try:
        return atom(node, history, card)
    except Unknown:
        return None


def right(start, body, history):
    """Mask of the cards that are right after a history."""
    node = start if start is not None and not history else body
    return sum(1 << card for card in range(52) if truth(node, history, card) is not False)


# Random rules, as texts ------------------------------------------------------------------------------------

CARDS = ("last", "c2", "c3", "first")
NAMES = ("rank", "suit", "colour", "parity", "points")


def random_number(rng, depth, static=False):
    kind = rng.below(9 if depth else 4)
    if kind == 0:
        return str(rng.below(14))
    if kind <= 2 or static:
        return rng.choice(("rank", "points"))
    if kind == 3:
        card = rng.choice(CARDS)
        return rng.choice((f"{card}.rank", f"{card}.rank", "step", "pos", "hmin", "hmax", "run(suit)"))
    if kind == 4:
        return f"count({rng.choice(list(PREDICATES))})"
    a, b = random_number(rng, depth - 1), random_number(rng, depth - 1)
    if kind == 5:
        return f"({a} {rng.choice('+-*')} {b})"
    if kind == 6:
        return f"{rng.choice(('min', 'max', 'gcd', 'dist'))}({a}, {b})"
    if kind == 7:
        return f"abs({a})"
    divisor = rng.choice((str(2 + rng.below(12)), "last.rank", "first.rank"))
    return f"({a} % {divisor})"


def random_atom(rng, depth):
    kind = rng.below(12)
    name = rng.choice(NAMES)
    if kind <= 2:
        card = rng.choice(("", *(f"{c}." for c in CARDS)))
        return card + rng.choice(list(PREDICATES))
    if kind == 3:
        return f"same({name}, {rng.choice(CARDS)})"
    if kind == 4:
        return rng.choice(("up", "down", "same(suit)", "same(colour)", "same(rank)"))
    if kind == 5:
        return f"{rng.choice(('seen', 'least', 'most'))}({rng.choice(NAMES[1:4])})"
    if kind == 6:
        suits = ["clubs", "diamonds", "hearts", "spades"]
        rng.shuffle(suits)
        return rng.choice((f"cycle({', '.join(suits[:3])})", "cycle(red, black)", "cycle(1, 4, 9, 13)"))
    if kind == 7:
        card = rng.choice(("", "last.", "c2."))
        return f"{card}suit in {{hearts, {rng.choice(('clubs', 'last.suit', 'first.suit'))}}}"
    value = random_number(rng, depth)
    if kind == 8:
        low = rng.below(9)
        return f"{value} {rng.choice(('in', 'not in'))} {{{low}..{low + rng.below(5)}, {rng.below(14)}}}"
    return f"{value} {rng.choice(('=', '!=', '<', '<=', '>', '>='))} {random_number(rng, depth)}"


def random_condition(rng, depth):
    kind = rng.below(8) if depth else 0
    if kind <= 1:
        return random_atom(rng, min(depth, 2))
    parts = [random_condition(rng, depth - 1) for _ in range(3)]
    if kind == 2:
        return f"not ({parts[0]})"
    if kind == 3:
        return f"(if {parts[0]} then {parts[1]} else {parts[2]})"
    if kind == 4:
        return f"pattern({parts[0]}, {parts[1]})"
    word = rng.choice(("and", "or", "xor", "iff"))
    return f"({parts[0]} {word} {parts[1]})"


def random_rule(rng, depth=2):
    """A rule's text; nearly every construct of the language comes up."""
    start = rng.choice(("", "", "", "start: red; ", "start: rank in 4..9; "))
    return start + random_condition(rng, depth)
