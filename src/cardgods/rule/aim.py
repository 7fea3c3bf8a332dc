"""How long a rule stands against a strong and a weak seeker, so that God can aim between them.

God scores what the best seeker scores, or twice the cards laid before a true Prophet came, whichever is less.
So his rule should be found, but late and not by everybody.
"""

from collections.abc import Callable

from cardgods._core.rng import Random
from cardgods.rule.belief import Belief
from cardgods.rule.generate import Invention
from cardgods.rule.rule import Rule

LIMIT = 35
"""Plays within which a strong seeker should find the rule, and a weak one should not."""
PRICE = 2.0
"""Plays that a wrong declaration is taken to cost."""
HAND = 14
PAUSE = 5
"""Plays after which a weak seeker thinks again."""


def plays_to_find(rule: Rule, rng: Random, *, strong: bool, limit: int = LIMIT) -> int | None:
    """Plays that a single seeker needs until he names the rule.

    The strong one plays the card that there is most to learn from and names the likeliest behaviour as soon
    as that pays; the weak one plays any card, thinks at every fifth play and names a rule when he is nearly
    sure of it.

    Args:
        rule: the rule; it must have a machine.
        rng: his cards.
        strong: which of the two he is.
        limit: plays after which he gives up.

    Returns:
        The plays, or None if he does not find it.
    """
    machine = rule.machine
    assert machine is not None
    starters = [card for card in range(52) if machine.right() >> card & 1]
    line = [rng.choice(starters)]
    table = [{"kind": "starter", "cards": list(line)}]
    belief = Belief()
    for play in range(1, limit + 1):
        hand = [rng.below(52) for _ in range(HAND)]
        thinks = strong or play % PAUSE == 0
        if strong:
            belief.tell(table)
        card = belief.experiment(hand) if strong and belief.behaviours else hand[0]
        right = bool(machine.right(machine.run(line)) >> card & 1)
        line += [card] * right
        table.append({"kind": "right" if right else "wrong", "cards": [card]})
        if thinks:
            belief.tell(table)
            while _names(belief, hand, limit - play, strong=strong):
                named = belief.behaviours[0]
                if named.machine is not None and named.machine.future(named.state) == machine.future(
                    machine.run(line)
                ):
                    return play
                belief.refuse(named)
                if not strong:
                    break
    return None


def _names(belief: Belief, hand: list[int], left: int, *, strong: bool) -> bool:
    return belief.ripe(hand, left, PRICE) if strong else belief.certainty >= 0.9


def aimed(draw: Callable[[], Invention], rng: Random, tries: int) -> Invention:
    """The invention that stands best between the two seekers.

    Args:
        draw: makes an invention.
        rng: the seekers' cards.
        tries: inventions to look at; the first that a strong seeker finds within the limit and a weak one
            does not is taken, else the one that the weak one needs most plays more for than the strong one.
    """
    best, widest = None, -1
    for _ in range(max(1, tries)):
        invention = draw()
        gap = 0
        strong = plays_to_find(invention.rule, rng, strong=True)
        if strong is not None:
            weak = plays_to_find(invention.rule, rng, strong=False)
            if weak is None:
                return invention
            gap = max(0, weak - strong)
        if gap > widest:
            best, widest = invention, gap
    assert best is not None
    return best
