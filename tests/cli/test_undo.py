"""A log in which something was taken back, on the screen: told as it was, and played on from what stands."""

import json

from running import cardgods

import cardgods as library
from cardgods.log import LogBuffer, Seat, make_header


def taken_back(path, *, whole):
    """A game of the express variant in which Ana takes back a whole trick; to its end, or up to there."""
    game = library.load_game("encan", variant="express", target=None, treasure_order="ascending")
    log = LogBuffer(make_header(game, [Seat("Ana", "human"), Seat("Bea", "human")], seed=1))
    state = game.new_initial_state(turn_based=True)

    def bid(*actions):
        for action in actions:
            log.append(state.current_player(), action)
            state.apply_action(action)

    bid(0, 1, 2)
    log.undo(0, 3)
    state.undo(3)
    bid(4)
    if whole:
        while not state.is_terminal():
            bid(state.legal_actions()[0])
        log.finish(state)
    path.write_bytes(log.getvalue())
    return path


def test_an_undo_is_told_in_a_replay(tmp_path):
    path = taken_back(tmp_path / "a", whole=True)
    out = cardgods("replay", path).out
    assert out.count("Ana takes back the last 3 events.\n") == 1
    view = cardgods("log", "view", path, "--as", "Bea").out
    assert view.count("Ana takes back the last 3 events.\n") == 1
    for words in (("replay", path, "--json"), ("log", "view", path, "--as", "1", "--json")):
        rows = [json.loads(line) for line in cardgods(*words).out.splitlines()]
        (at,) = [number for number, row in enumerate(rows) if "undo" in row]
        assert (rows[at]["actor"], rows[at]["undo"]) == (0, 3)
        assert rows[at]["view"] == rows[at - 4]["view"]


def test_verify_and_info_name_who_took_something_back(tmp_path):
    path = taken_back(tmp_path / "a", whole=True)
    assert cardgods("log", "verify", path).out.endswith(", taken back by Ana once\n")
    assert json.loads(cardgods("log", "info", path, "--json").out)["undone"] == ["Ana: 3 events"]


def test_a_game_is_played_on_from_what_stands(tmp_path):
    path = taken_back(tmp_path / "a", whole=False)
    word = library.log.verify(path).state.action_to_string(0)
    result = cardgods("play", "--resume", path, stdin=f"{word}\n")
    assert result.code == 4
    assert "Ana takes back the last 3 events.\n" in result.out
    found = library.log.verify(path)
    assert found.state.history() == [4, 0]
    assert cardgods("log", "verify", path).code == 4
