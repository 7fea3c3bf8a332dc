"""What is asked of a solved Encan game, whether it has just been solved or lies in a file."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict

from cardgods._core.games.encan import EncanRulesObject
from cardgods._core.solve.encan_hands import Hands
from cardgods._core.solve.encan_nodes import bid_matrix
from cardgods._core.solve.encan_scores import Scores
from cardgods._core.solve.encan_vectors import Vectors
from cardgods.errors import SolveError
from cardgods.games.encan import EncanGame
from cardgods.solve.encan_position import EncanNode

SOLVER = 2
"""Raised whenever the numbers of patterns, situations, classes or triples, or the values, change."""
CARRY_LIMIT = 1 << 15
SCORE_LIMIT = 1 << 18


class EncanTable:
    """Values near the root of a game, and the matrix games that they are of.

    Attributes:
        game: the game.
        root: where the solution begins.
        vectors: the core's values.
    """

    def __init__(self, game: EncanGame, root: EncanNode, vectors: Vectors) -> None:
        self.game = game
        self.root = root
        self.vectors = vectors

    def matrix(self, node: EncanNode) -> list[list[float]] | None:
        """The matrix game of a bid node, in units of the core's value; None if its values are not here."""
        if node.treasure is None or node.turns > self.vectors.hands.turns:
            return None
        return bid_matrix(
            self.vectors,
            node.hands,
            node.burnt,
            node.used,
            node.pile,
            node.treasure,
            node.scores,
            node.carry,
        )


def fingerprint(game: EncanGame, root: EncanNode, work: Sequence[object] = ()) -> str:
    """SHA-256, in hex, of all that the numbers of a solution depend on.

    Args:
        game: the game.
        root: where the solution begins.
        work: of unfinished work, what its values depend on beside.
    """
    text = json.dumps([SOLVER, game.ruleset_digest(), asdict(root), *work], sort_keys=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def new_hands(root: EncanNode, lowest: int = 0, *, fold: bool = True) -> Hands:
    """The hand patterns below a root, not yet found."""
    marks = [_mark(root, player) for player in range(2)]
    closed = root.treasure is not None and root.speaker is None
    return Hands(root.hands, marks, root.used, root.turns, lowest, closed, fold)


def new_scores(game: EncanGame, root: EncanNode, symmetric: bool) -> Scores:
    """The score situations below a root, not yet found.

    Raises:
        SolveError: if the sum of several cards in hand can decide, or a number is too large.
    """
    rest = root.carry + sum(game.options.cards) * root.scale
    if rest >= CARRY_LIMIT or max(root.scores) + rest >= SCORE_LIMIT:
        raise SolveError("the carry and scores of this position are too large to solve")
    opening = 0 if root.treasure is None else 1 << root.treasure
    rules = game.rules
    assert isinstance(rules, EncanRulesObject)
    gold = _gold_in_hand(game, root)
    return Scores(rules, root.pile | opening, opening, root.scores, root.carry, gold, symmetric)


def new_vectors(game: EncanGame, root: EncanNode, hands: Hands, scores: Scores) -> Vectors:
    """Room for the values, none there yet."""
    most = sum(game.options.cards) + root.carry / root.scale if game.options.payoff == "points" else 1.0
    return Vectors(hands, scores, most)


def _mark(node: EncanNode, player: int) -> int:
    burnt = node.burnt[player]
    return -1 if node.used >> player & 1 or not burnt else (burnt & -burnt).bit_length() - 1


def _gold_in_hand(game: EncanGame, root: EncanNode) -> bool:
    """True if hands may end with a card, whose order then decides."""
    left = [
        root.hands[player].bit_count() - root.turns + (not root.used >> player & 1) for player in range(2)
    ]
    options = game.options
    if max(left) > 1 and options.payoff == "win" and options.tie_break == "cascade":
        raise SolveError("players may end with several cards here, and the sum of their gold would decide")
    return max(left) > 0
