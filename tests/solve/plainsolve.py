"""The Encan family solved the plain way: every state of the reference model, exact rational arithmetic."""

import copy
from fractions import Fraction

from conftest import reference

ENCAN = reference("encan")
MATRIX = reference("matrix")


def start(options, position=None):
    """The reference model at the start of a game or at a position (the keywords of new_position)."""
    model = ENCAN.Model(options)
    if position is None:
        return model
    model.hand = [list(hand) for hand in position["hands"]]
    model.burnt = [[v for v in model.o["cards"] if v not in hand] for hand in model.hand]
    model.pile = list(position["treasures_left"])
    model.score = [Fraction(s) for s in position.get("scores", (0, 0))]
    model.carry = Fraction(position.get("carry", 0))
    model.used = list(position.get("obole_used", (False, False)))
    model.treasure, model.window, model.over = None, False, False
    model._new_turn()
    return model


def after(model, *actions):
    child = copy.copy(model)
    for name in ("hand", "burnt"):
        setattr(child, name, [list(cards) for cards in getattr(model, name)])
    for name in ("pile", "score", "used", "passed", "knowledge"):
        setattr(child, name, list(getattr(model, name)))
    for action in actions:
        child.apply(action)
    return child


def value(model, known=None):
    """Expected return of player 0, a Fraction: +1 or -1 for a win, or the difference of scores."""
    known = {} if known is None else known
    key = (
        *(tuple(sorted(cards)) for cards in (*model.hand, *model.burnt, model.pile)),
        *model.score,
        model.carry,
        model.treasure,
        *model.used,
        *model.passed,
        model.window,
        model.last if model.over else None,
    )
    if key not in known:
        known[key] = _value(model, known)
    return known[key]


def _value(model, known):
    actor = model.actor()
    if actor == -4:
        return Fraction(model.returns()[0])
    if actor == -1:
        children = [value(after(model, action), known) for action in model.legal()]
        return sum(children) / len(children)
    if model.window:
        children = [value(after(model, action), known) for action in model.legal()]
        return max(children) if actor == 0 else min(children)
    places = [[model.o["cards"].index(v) for v in sorted(hand)] for hand in model.hand]
    return MATRIX.solve([[value(after(model, a, b), known) for b in places[1]] for a in places[0]])[0]


def probability(options, x):
    """A return as the solver gives it: P(player 0 wins), or points."""
    return float(x) if options.get("payoff") == "points" else float((1 + x) / 2)
