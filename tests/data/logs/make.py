"""Writes logs that are missing in this folder; what is there is never written anew, it is the archive.

A log of any format 1 must be read, and its game must be the same, as long as there is a format 1.
"""

import hashlib
import json
from pathlib import Path

import cardgods
from cardgods.agents import make_agent
from cardgods.log import ArchiveWriter, LogBuffer, Seat, derive, make_header, parse_log, verify_bytes
from cardgods.log.records import FORMAT
from cardgods.play import TakeBack, play, since_last_decision

HERE = Path(__file__).parent
VERSION = "{}.{}".format(*FORMAT)
OPTIONS = {"eleusis": {"rounds": 1}}
SECRET = hashlib.sha256(b"golden").digest()


class Waverer:
    """Plays at random, and takes each third decision back, with all that followed, until it is enough."""

    def __init__(self, game, undos=5):
        self.random = make_agent("random", game)
        self.asked, self.undos = 0, undos

    def choose(self, state, player, rng):
        self.asked += 1
        events = since_last_decision(state, player)
        if self.asked % 3 == 0 and events and self.undos:
            self.undos -= 1
            raise TakeBack(events)
        return self.random.choose(state, player, rng.spawn(self.asked))


def undo_log(name):
    """A game of which parts were taken back."""
    game = cardgods.load_game(name, **OPTIONS.get(name, {}))
    seats = [Seat("Hésite", "human") for _ in range(game.num_players())]
    log = LogBuffer(make_header(game, seats, secret=SECRET), SECRET)
    play(game.new_initial_state(True), [Waverer(game)] * len(seats), log.deal, log)
    return log.getvalue()


def game_log(name, fair):
    game = cardgods.load_game(name, **OPTIONS.get(name, {}))
    seats = [Seat(f"Joueur n°{place}", "agent", "random") for place in range(game.num_players())]
    if fair:
        log = LogBuffer(make_header(game, seats, secret=SECRET, cuts=(0, 1)), SECRET)
        log.cut(0, b"coupe")
        log.cut(1, b"")
        rng = log.deal
    else:
        log = LogBuffer(make_header(game, seats, seed="golden"))
        rng = cardgods.Random("golden")
    play(game.new_initial_state(True), [make_agent("random", game)] * game.num_players(), rng, log)
    return log.getvalue()


def facts(data):
    """What must never change: who, which cards, which result, which tag."""
    log = parse_log(data)
    found = {"tag": log.tag.hex(), "complete": log.complete, "records": len(log.records)}
    if log.header.view is None:
        state = verify_bytes(data).state
        found |= {"history": state.history(), "actors": [actor for actor, _ in state.full_history()]}
        found["returns"] = state.returns()
    return found


def main():
    for name in cardgods.registered_names():
        for kind, fair in (("seed", False), ("fair", True)):
            path = HERE / f"{VERSION}-{name}-{kind}.cglog"
            if not path.exists():
                path.write_bytes(game_log(name, fair))
        undone = HERE / f"{VERSION}-{name}-undo.cglog"
        if not undone.exists():
            undone.write_bytes(undo_log(name))
        whole = (HERE / f"{VERSION}-{name}-fair.cglog").read_bytes()
        part = HERE / f"{VERSION}-{name}-unfinished.cglog"
        if not part.exists():
            offsets = parse_log(whole).offsets
            part.write_bytes(whole[: offsets[len(offsets) // 2]])
        view = HERE / f"{VERSION}-{name}-view.cglog"
        if not view.exists():
            view.write_bytes(derive(parse_log(part.read_bytes()), 0))
    archive = HERE / f"{VERSION}-archive.cglogs"
    if not archive.exists():
        with ArchiveWriter(archive) as writer:
            for path in sorted(HERE.glob(f"{VERSION}-*-seed.cglog")):
                writer.add(path.read_bytes())
    for path in sorted(HERE.glob("*.cglog")):
        kept = path.with_suffix(".json")
        if not kept.exists():
            kept.write_text(json.dumps(facts(path.read_bytes())) + "\n")


if __name__ == "__main__":
    main()
