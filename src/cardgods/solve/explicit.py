"""Games given as explicit trees, for trying the algorithms on anything small enough to write down.

Example (matching pennies, the second player not seeing the first coin):
    >>> from cardgods.solve.explicit import Decision, End, ExplicitGame
    >>> from cardgods.solve.tree import Profile, best_responses, build_tree
    >>> second = [Decision(1, "blind", [End([x, -x]), End([-x, x])]) for x in (1, -1)]
    >>> game = ExplicitGame(2, Decision(0, "start", second))
    >>> best_responses(Profile(build_tree(game.new_initial_state()))).gains
    (0.0, 0.0)
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from cardgods._core.search.explicit import ExplicitRules, ExplicitState
from cardgods._core.state import State
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.types import PlayerId

MAX_CHILDREN = 256
MAX_LABELS = 32766


@dataclass(frozen=True)
class End:
    """The end of the game.

    Attributes:
        returns: what each player has won.
    """

    returns: Sequence[float]


@dataclass(frozen=True)
class Chance:
    """Chance moves.

    Attributes:
        outcomes: pairs (positive whole weight, what follows).
    """

    outcomes: Sequence[tuple[int, "Node"]]


@dataclass(frozen=True)
class Decision:
    """A player moves.

    Attributes:
        player: who.
        label: his information set: equal labels of one player look alike to him. What he has done and seen
            at his own decisions before tells decisions apart all the same.
        children: what follows each action.
    """

    player: int
    label: Hashable
    children: Sequence["Node"]


Node = End | Chance | Decision


@dataclass(frozen=True)
class ExplicitOptions:
    """The tree, flattened: one entry a node, depth first.

    Attributes:
        players: number of players.
        actors: player, -1 chance or -4 the end.
        labels: number of the information set, 0 where nobody decides.
        children: nodes that follow.
        weights: weights of the outcomes; 1s where chance does not act.
        returns: returns of the players, 0s where the game goes on.
        depth: actions and chance outcomes of the longest path.
    """

    players: int = 0
    actors: tuple[int, ...] = ()
    labels: tuple[int, ...] = ()
    children: tuple[tuple[int, ...], ...] = ()
    weights: tuple[tuple[int, ...], ...] = ()
    returns: tuple[tuple[float, ...], ...] = ()
    depth: int = 0


class ExplicitGame(Game):
    """A game whose tree is written down; it is in no registry, and its states cannot be serialised.

    Args:
        players: number of players, 1 to 12.
        root: the tree.

    Raises:
        ParameterError: if the tree breaks a rule of its parts; the message says which.
    """

    name = "explicit"
    title: ClassVar[Mapping[str, str]] = {"en": "Explicit game", "fr": "Jeu explicite"}
    summary: ClassVar[Mapping[str, str]] = {"en": "a tree written down", "fr": "un arbre écrit"}
    rules_version = 1
    presets: ClassVar[Mapping[str, Any]] = {"empty": ExplicitOptions()}

    def __init__(self, players: int, root: Node) -> None:
        if not 1 <= players <= 12:
            raise ParameterError(f"{players} players: an explicit game has 1 to 12")
        parts = _Parts(players)
        parts.add(root, 0)
        super().__init__(parts.options())

    def _compile(self) -> ExplicitRules:
        o = self.options
        return ExplicitRules(o.players, o.actors, o.labels, o.children, o.weights, o.returns, o.depth)

    def new_initial_state(self, turn_based: bool = False) -> ExplicitState:
        """The root; decisions are never sealed here."""
        return ExplicitState(self, self.rules, turn_based)

    def _ends(self) -> list[tuple[float, ...]]:
        o = self.options
        return [r for r, actor in zip(o.returns, o.actors, strict=True) if actor == PlayerId.TERMINAL]

    def min_utility(self) -> float:
        """The lowest return of all."""
        return min(min(values) for values in self._ends())

    def max_utility(self) -> float:
        """The highest return of all."""
        return max(max(values) for values in self._ends())

    def utility_sum(self) -> float | None:
        """The sum of the returns if all ends agree in it."""
        sums = [sum(values) for values in self._ends()]
        return sums[0] if max(sums) - min(sums) < 1e-9 else None

    def action_to_string(self, state: State, action: int, lang: str = "en") -> str:
        """The number of the action."""
        return str(action)

    def __str__(self) -> str:
        return f"explicit game of {len(self.options.actors)} nodes"


class _Parts:
    """The tree as lists by node."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.depth = 0
        self.actors: list[int] = []
        self.label_numbers: list[int] = []
        self.children: list[list[int]] = []
        self.weights: list[list[int]] = []
        self.returns: list[list[float]] = []
        self._labels: dict[tuple[int, Hashable], int] = {}
        self._shape: dict[int, int] = {}

    def options(self) -> ExplicitOptions:
        return ExplicitOptions(
            self.players,
            tuple(self.actors),
            tuple(self.label_numbers),
            tuple(map(tuple, self.children)),
            tuple(map(tuple, self.weights)),
            tuple(map(tuple, self.returns)),
            self.depth,
        )

    def add(self, node: Node, depth: int) -> int:
        number = len(self.actors)
        self.depth = max(self.depth, depth)
        for part in (self.children, self.weights):
            part.append([])
        self.actors.append(PlayerId.TERMINAL)
        self.label_numbers.append(0)
        self.returns.append([0.0] * self.players)
        if isinstance(node, End):
            self.returns[number] = self._checked_returns(node)
            return number
        following = self._describe(number, node)
        self.children[number] = [self.add(child, depth + 1) for child in following]
        return number

    def _checked_returns(self, node: End) -> list[float]:
        if len(node.returns) != self.players:
            raise ParameterError(f"an end has {len(node.returns)} returns for {self.players} players")
        return [float(value) for value in node.returns]

    def _describe(self, number: int, node: Chance | Decision) -> Sequence[Node]:
        if isinstance(node, Chance):
            self.actors[number] = PlayerId.CHANCE
            self.weights[number] = [weight for weight, _ in node.outcomes]
            if not all(type(w) is int and 0 < w < 1 << 20 for w in self.weights[number]):
                raise ParameterError(f"weights {self.weights[number]}: each is a whole number above 0")
            following: Sequence[Node] = [child for _, child in node.outcomes]
        else:
            following = node.children
            self.actors[number] = node.player
            self.weights[number] = [1] * len(following)
            self.label_numbers[number] = self._label(node)
        if not 1 <= len(following) <= MAX_CHILDREN:
            raise ParameterError(f"a node has {len(following)} children: 1 to {MAX_CHILDREN} are possible")
        return following

    def _label(self, node: Decision) -> int:
        if not 0 <= node.player < self.players:
            raise ParameterError(f"player {node.player} decides, players are 0..{self.players - 1}")
        label = self._labels.setdefault((node.player, node.label), len(self._labels) + 1)
        if label > MAX_LABELS:
            raise ParameterError(f"more than {MAX_LABELS} information sets")
        if self._shape.setdefault(label, len(node.children)) != len(node.children):
            raise ParameterError(f"information set {node.label!r} has decisions with different actions")
        return label
