"""Solutions of the Encan family in files: the values near the root; the rest is solved when asked for."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from cardgods._core.solve.encan_vectors import Vectors
from cardgods._core.walk import Cancel
from cardgods.errors import SolveError
from cardgods.game import load_game
from cardgods.games.encan import EncanGame
from cardgods.solve.container import Chunk, Container, write_container
from cardgods.solve.encan_position import EncanNode, node_of
from cardgods.solve.encan_sweep import SweepReport
from cardgods.solve.encan_table import EncanTable, fingerprint, new_hands, new_scores, new_vectors
from cardgods.solve.shelf import on_shelf

KIND = "encan solution"


def default_path(game: EncanGame) -> Path:
    """Where the solution of a whole game is looked for."""
    key = fingerprint(game, node_of(game, game.new_initial_state()))
    return on_shelf(f"encan-{key[:16]}.cgs")


def save_table(path: Path, table: EncanTable, report: SweepReport, states: int) -> None:
    """Write the values that a table has kept.

    Raises:
        SolveError: if the file cannot be written.
    """
    vectors, scores = table.vectors, table.vectors.scores
    there = [k for k in range(1, table.root.turns) if vectors.has(k)]
    kept = [k for k in there if not vectors.is_split(k)]
    sections: dict[str, list[Chunk]] = {}
    for k in kept:
        names = ("situations", "codes", "pasts")
        sections |= {f"{name}-{k}": [part] for name, part in zip(names, scores.dump(k), strict=True)}
        sections[f"values-{k}"] = [*vectors.views(k)]
    floor = max((k for k in there if vectors.is_split(k)), default=0)
    if floor:
        sections |= _floor_sections(vectors, floor)
    meta = {
        "floor": [floor, scores.first(floor)],
        "kind": KIND,
        "key": fingerprint(table.game, table.root),
        "rules": [table.game.rules_version, table.game.parameters()],
        "root": asdict(table.root),
        "states": states,
        "kept": kept,
        "first": [scores.first(k) for k in kept],
        "alive": vectors.hands.wanted(),
        "report": asdict(report),
    }
    write_container(path, meta, sections)


def load_table(path: Path) -> tuple[EncanTable, Container]:
    """A table from a file, and the file.

    Raises:
        SolveError: if the file is damaged, of another kind, or of another version of the solver or rules.
    """
    file = Container(path)
    meta = file.meta
    if meta.get("kind") != KIND:
        raise SolveError(f"{path} holds no solution of the Encan family")
    game, root = _origin(path, meta)
    kept = meta["kept"]
    hands = new_hands(root, min(kept, default=root.turns))
    scores = new_scores(game, root, hands.symmetric)
    try:
        hands.build(Cancel(), meta["alive"])
        for k, first in zip(kept, meta["first"], strict=True):
            scores.load(k, first, *(file.section(f"{name}-{k}") for name in ("situations", "codes", "pasts")))
        vectors = new_vectors(game, root, hands, scores)
        for k in kept:
            vectors.attach(k, file.section(f"values-{k}"))
    except (ValueError, LookupError, TypeError) as error:
        raise SolveError(f"{path} does not fit its game: {error}") from None
    return EncanTable(game, root, vectors), file


def _origin(path: Path, meta: dict[str, Any]) -> tuple[EncanGame, EncanNode]:
    version, parameters = meta["rules"]
    if version != EncanGame.rules_version:
        raise SolveError(f"{path} follows version {version} of the rules, not {EncanGame.rules_version}")
    game = load_game("encan", **parameters)
    assert isinstance(game, EncanGame)
    fields: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in meta["root"].items()}
    root = EncanNode(**fields)
    if fingerprint(game, root) != meta["key"]:
        raise SolveError(f"{path} was written by another version of the solver: solve again")
    return game, root


# The floor: a level of triples that solutions from later positions go down to -------------------------------


def _floor_sections(vectors: Vectors, k: int) -> dict[str, list[Chunk]]:
    names = (
        "patterns",
        "blocks",
        "pasts of blocks",
        "situations",
        "codes",
        "pasts",
        "classes",
        "pasts of triples",
    )
    parts = (*vectors.hands.dump(k), *vectors.scores.dump(k), *vectors.scores.dump_triples(k))
    sections: dict[str, list[Chunk]] = {
        f"floor {name}": [part] for name, part in zip(names, parts, strict=True)
    }
    return sections | {"floor values": [*vectors.views(k)]}


def load_floor(file: Container, table: EncanTable) -> int:
    """Take the floor of a solution from its file into the table that was loaded from there.

    Returns:
        How many turns are to come at the floor; 0 if the file has none.

    Raises:
        SolveError: if the file is damaged.
    """
    k, first = file.meta.get("floor") or (0, 0)
    if not k:
        return 0

    def part(name: str) -> memoryview:
        return file.section(f"floor {name}")

    vectors = table.vectors
    try:
        vectors.hands.load(k, part("patterns"), part("blocks"), part("pasts of blocks"))
        vectors.scores.load(k, first, part("situations"), part("codes"), part("pasts"))
        vectors.scores.load_triples(k, part("classes"), part("pasts of triples"))
        vectors.split_level(k)
        vectors.attach(k, part("values"))
    except (ValueError, LookupError, TypeError) as error:
        raise SolveError(f"{file.path} does not fit its game: {error}") from None
    return int(k)
