"""Writes the golden playthroughs anew from the headings of the files; `make golden`.

A heading is the first line of a file: game, variant, seed, and options as key=value. To add a playthrough,
make a file with a heading alone and run this. Look at the difference before you commit it.
"""

import hashlib
import json
from pathlib import Path

import cardgods
from cardgods.game import game_class
from cardgods.options import parse_option

HERE = Path(__file__).parent


def heading(text):
    name, variant, seed, *changes = text.splitlines()[0].split()
    return name, variant, seed, changes


def short(data):
    return hashlib.sha256(data).hexdigest()[:12]


def playthrough(name, variant, seed, changes):
    options = type(game_class(name).presets[variant])
    pairs = [change.split("=", 1) for change in changes]
    game = cardgods.load_game(name, variant, **{k: parse_option(options, k, v) for k, v in pairs})
    rng = cardgods.Random(seed)
    state = game.new_initial_state(turn_based=True)
    lines = [" ".join([name, variant, seed, *changes]), f"ruleset {game.ruleset_digest()}"]
    while not state.is_terminal():
        lines.extend(node(state))
        legal = state.legal_actions()
        action = state.sample_chance(rng) if state.is_chance_node() else rng.choice(legal)
        words = [state.action_to_string(action, lang) for lang in ("en", "fr")]
        lines.append(f"  -> {action}  {' | '.join(words)}")
        state.apply_action(action)
    lines.extend(node(state))
    lines.append(f"returns {state.returns()}")
    lines.append(f"history {' '.join(map(str, state.history()))}")
    return "\n".join(lines) + "\n"


def node(state):
    players = range(state.num_players())
    yield f"{len(state)}: actor {state.current_player()}, legal {' '.join(map(str, state.legal_actions()))}"
    yield "  " + json.dumps(state.view(), ensure_ascii=False)
    yield "  knows " + " ".join(short(state.information_state(p)) for p in players)


def main():
    for path in sorted(HERE.glob("*.txt")):
        path.write_text(playthrough(*heading(path.read_text(encoding="utf-8"))), encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
