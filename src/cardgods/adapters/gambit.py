"""Games as Gambit's ``.efg`` files, for its equilibrium solvers and its viewer.

Nothing is needed to write one. The format is that of Gambit's documentation, "The extensive game (.efg) file
format".
"""

from collections.abc import Iterator
from fractions import Fraction

from cardgods._core.search.histories import Histories
from cardgods._core.search.tree import Tree
from cardgods.errors import SolveError
from cardgods.solve.tree import MEMORY_LIMIT, build_histories

CHANCE = -1
TERMINAL = -4


def efg_text(tree: Tree, memory: int = MEMORY_LIMIT) -> str:
    """A game as the text of an ``.efg`` file.

    Histories are written depth first. Players count from 1 as Gambit does, and so do the information sets of
    each, in the order of ``tree.sets_of(player)``. A decision with one action is left out; actions and
    outcomes are named by their numbers.

    Args:
        tree: the game.
        memory: bytes that the explicit tree may take.

    Raises:
        SolveError: if the tree is too large, or a probability is no simple fraction.
    """
    return "\n".join(_lines(tree, build_histories(tree, memory))) + "\n"


def _lines(tree: Tree, histories: Histories) -> Iterator[str]:
    names = " ".join(_quoted(f"player {player}") for player in range(tree.players))
    yield f"EFG 2 R {_quoted(str(tree.root.game))} {{ {names} }}"
    offsets = [tree.sets_of(player).start for player in range(tree.players)]
    chances = ends = 0
    for number in range(len(histories)):
        actor, _, _, _, found, _ = histories.node(number)
        if actor == TERMINAL:
            ends += 1
            returns = ", ".join(_number(value) for value in histories.returns(number))
            yield f't "" {ends} "" {{ {returns} }}'
        elif actor == CHANCE:
            chances += 1
            yield f'c "" {chances} "" {{ {_outcomes(histories, number)} }} 0'
        elif found >= 0:
            actions = " ".join(_quoted(str(action)) for action in tree.actions(found))
            label = _quoted(tree.information_state(found).hex())
            yield f'p "" {actor + 1} {found - offsets[actor] + 1} {label} {{ {actions} }} 0'


def _outcomes(histories: Histories, number: int) -> str:
    parts = []
    total = Fraction(0)
    for child in histories.children(number):
        _, action, _, _, _, step = histories.node(child)
        probability = Fraction(step).limit_denominator(1_000_000)
        total += probability
        parts.append(f"{_quoted(str(action))} {probability}")
    if total != 1:
        raise SolveError("the outcomes of a chance node have no simple probabilities")
    return " ".join(parts)


def _number(value: float) -> str:
    return str(Fraction(value).limit_denominator(1_000_000))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
