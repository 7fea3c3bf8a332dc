"""Writes the worked example of docs/log-format.md anew; part of `make golden`."""

import itertools
import json
import re
import tempfile
from pathlib import Path

import cardgods
from cardgods.log import LogWriter, Seat, make_header, parse_log, record_of

PAGE = Path(__file__).parents[2] / "docs" / "log-format.md"
WIDTH = 24
WORDS = (
    "magic",
    "record 0, header",
    "record 1, chance reveals treasure number 2 (value 3)",
    "record 2, player 0 bids card number 2 (value 3)",
    "record 3, player 1 bids card number 0 (value 1)",
    "record 4, end: player 0 has 3 points, the target",
)


def example():
    """The bytes of the example's log."""
    game = cardgods.load_game("encan", cards=(1, 2, 3), target=3, obole=False)
    seats = (Seat("Ana", "human"), Seat("Zoé", "agent", "greedy", 7))
    state = game.new_initial_state(turn_based=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "example.cglog")
        with LogWriter(path, make_header(game, seats)) as writer:
            for action in (2, 2, 0):
                writer.append(state.current_player(), action)
                state.apply_action(action)
            writer.finish(state)
        return path.read_bytes()


def hex_lines(data):
    """Each part of the log on lines of its own, its words behind the first."""
    edges = [0, *parse_log(data).offsets]
    for words, (begin, end) in zip(WORDS, itertools.pairwise(edges), strict=True):
        for at in range(begin, end, WIDTH):
            line = data[at : min(at + WIDTH, end)].hex(" ")
            yield f"{line:<{3 * WIDTH - 1}} # {words}" if at == begin else line


def replaced(page, kind, text):
    """The page with the block of a kind replaced."""
    return re.sub(rf"(```{kind}\n).*?(```)", lambda m: m[1] + text + m[2], page, flags=re.DOTALL)


def main():
    data = example()
    page = PAGE.read_text(encoding="utf-8")
    page = replaced(page, "hex", "".join(f"{line}\n" for line in hex_lines(data)))
    page = replaced(page, "json", json.dumps(record_of(parse_log(data))) + "\n")
    PAGE.write_text(page, encoding="utf-8")
    print(PAGE.name)


if __name__ == "__main__":
    main()
