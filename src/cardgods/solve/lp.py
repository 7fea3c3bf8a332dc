"""Equilibria of two-player zero-sum games by linear programming, exact up to the rounding of the solver.

The sequence form (Koller, Megiddo and von Stengel 1996) has one variable a sequence and one equation an
information set, so it suits games of some ten thousand information sets. The program is handed to HiGHS
through scipy, which is an extra: ``pip install 'cardgods[lp]'``.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cardgods._core.search.profile import Profile
from cardgods._core.search.tree import Tree
from cardgods.errors import MissingExtraError, SolveError
from cardgods.solve.tree import BestResponses, best_responses


@dataclass(frozen=True)
class LpSolution:
    """An equilibrium.

    Attributes:
        value: expected return of player 0, as the program found it.
        profile: optimal strategies of both; uniform where they never lead.
        best: exact best responses to the profile, computed without the program: its certificate.
    """

    value: float
    profile: Profile
    best: BestResponses


def solve_lp(tree: Tree) -> LpSolution:
    """An equilibrium of a two-player zero-sum game by one linear program.

    Raises:
        SolveError: if the game has another number of players or its returns do not add up to 0, or if the
            program was not solved.
        MissingExtraError: if scipy is not installed.
    """
    if tree.players != 2 or tree.constant != 0.0:
        raise SolveError(f"{tree.root.game} is no two-player zero-sum game, so no linear program solves it")
    profile = Profile(tree)
    values = []
    for player in (0, 1):
        value, plan = _best_plan(tree, player)
        values.append(value)
        _set_plan(profile, player, plan)
    if abs(values[0] + values[1]) > 1e-6:
        raise SolveError(f"the two programs disagree: {values[0]} and {-values[1]}")
    return LpSolution(values[0], profile, best_responses(profile))


def _best_plan(tree: Tree, player: int) -> tuple[float, list[float]]:
    """Guaranteed return of a player and his plan: the probability that he contributes to each sequence.

    Maximise v[root] over plans x >= 0 and values v of the opponent's information sets and of the root, all
    from the player's side. No sequence q of the opponent may leave the player less than the value of its set:
    v[set of q] - sum of v[sets after q] - sum_s A[s, q] x[s] <= 0, where A[s, q] are the entries of his rows.
    """
    numpy, sparse, linprog = _libraries()
    own, other = tree.sequences(player), tree.sequences(1 - player)
    parents, first = tree.shape(player)
    plan_rows = [(0, 0, 1.0)]
    for k, parent in enumerate(parents):
        plan_rows += [(k + 1, s, 1.0) for s in range(first[k], first[k + 1])] + [(k + 1, parent, -1.0)]
    sets = len(tree.sets_of(1 - player))
    bounds_rows = [(q, s, -weight) for s, (q,), weight in tree.rows(player)]
    parents, first = tree.shape(1 - player)
    bounds_rows += [(q, own + k + 1, 1.0) for k in range(sets) for q in range(first[k], first[k + 1])]
    bounds_rows += [(0, own, 1.0)] + [(parent, own + k + 1, -1.0) for k, parent in enumerate(parents)]
    width = own + sets + 1
    result = linprog(
        numpy.array([0.0] * own + [-1.0] + [0.0] * sets),
        A_ub=_matrix(numpy, sparse, bounds_rows, (other, width)),
        b_ub=numpy.zeros(other),
        A_eq=_matrix(numpy, sparse, plan_rows, (len(tree.sets_of(player)) + 1, width)),
        b_eq=numpy.array([1.0] + [0.0] * len(tree.sets_of(player))),
        bounds=[(0, None)] * own + [(None, None)] * (sets + 1),
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:
        raise SolveError(f"the linear program of {tree.root.game} was not solved: {result.message}")
    return -float(result.fun), [float(x) for x in result.x[:own]]


def _libraries() -> tuple[Any, Any, Any]:
    try:
        numpy, sparse, optimize = map(import_module, ("numpy", "scipy.sparse", "scipy.optimize"))
    except ImportError:
        raise MissingExtraError("linear programs need scipy: pip install 'cardgods[lp]'") from None
    return numpy, sparse, optimize.linprog


def _matrix(
    numpy: Any,  # noqa: ANN401
    sparse: Any,  # noqa: ANN401
    entries: list[tuple[int, int, float]],
    shape: tuple[int, int],
) -> Any:  # noqa: ANN401
    rows, columns, values = (numpy.array(part) for part in zip(*entries, strict=True))
    return sparse.coo_matrix((values, (rows, columns)), shape=shape).tocsr()


def _set_plan(profile: Profile, player: int, plan: list[float]) -> None:
    tree = profile.tree
    _, first = tree.shape(player)
    for k, number in enumerate(tree.sets_of(player)):
        weights = [max(x, 0.0) for x in plan[first[k] : first[k + 1]]]
        total = sum(weights)
        if total > 1e-12:
            profile.set(number, [x / total for x in weights])
