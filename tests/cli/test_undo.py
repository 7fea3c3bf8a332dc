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


def test_undo_at_the_prompt_goes_back_to_one_s_last_decision(tmp_path, name):
    """The same cards and the same answers come again; the log holds both and replays to what stands."""
    path = tmp_path / "log"
    game = library.load_game(name)
    others = ["--seat", "random"] * (game.num_players() - 1)
    words = ("play", name, "--seat", "human:Ana", *others, "--seed", "4", "--log", path)
    assert cardgods(*words).code == 4
    state = library.log.verify(path).state
    move = state.action_to_string(state.legal_actions()[0])
    once = cardgods(*words, "--overwrite", stdin=f"{move}\n")
    stands = library.log.verify(path).state
    result = cardgods(*words, "--overwrite", stdin=f"undo\n{move}\nundo\n{move}\n")
    assert result.code == 4
    assert "You have decided nothing yet that could be taken back.\n" in result.out
    (undo,) = [
        record for record in library.log.read_log(path).records if isinstance(record, library.log.Undo)
    ]
    assert undo.player == 0
    assert result.out.count("Ana takes back the last ") == 1
    assert library.log.verify(path).state == stands
    assert result.out.splitlines()[-1] == once.out.splitlines()[-1]
