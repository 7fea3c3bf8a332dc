"""cardgods analyze, and replay --notes, as their users meet them."""

import json

import pytest
from running import cardgods, recorded, refused

MARKS = ("", "?!", "?", "??")


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return recorded(tmp_path_factory.mktemp("analyze") / "[WIP] game.cglog", "--seed", "3")


def test_what_is_told_of_a_game(log):
    result = cardgods("analyze", log, "--all")
    assert result.code == 0
    assert result.err == ""
    first, value, *rest = result.out.splitlines()
    assert first.startswith("encan(express): ")
    assert "Losses and luck in % of games won." in first
    assert value == "The game is worth 46.2 to greedy."
    assert rest[0] == "Decisions:"
    assert "…" not in result.out
    counted = [line for line in rest if line.split()[1:2] in (["greedy"], ["random"])]
    assert f"{len(counted)} decisions judged" in first


def test_json_is_strict_and_says_the_same(log):
    result = cardgods("analyze", log, "--json")
    assert result.code == 0
    found = json.loads(result.out, parse_constant=lambda name: pytest.fail(name))
    assert len(result.out.splitlines()) == 1
    assert found["unit"] == "wins"
    assert found["value"] == pytest.approx(0.461681000467, abs=1e-12)
    assert [seat["name"] for seat in found["seats"]] == ["greedy", "random"]
    for decision in found["decisions"]:
        assert decision["mark"] in MARKS
        assert decision["exact"] is True
        assert decision["loss"] == pytest.approx(decision["best_worth"] - decision["worth"], abs=1e-12)
    one, two = found["seats"]
    assert one["result"] == pytest.approx(found["value"] + one["luck"] - one["loss"] + two["loss"])


def test_french(log):
    out = cardgods("--lang", "fr", "analyze", log, "--all").out
    assert "Pertes et chance en % de parties gagnées." in out
    assert "sans chance" in out
    english = cardgods("analyze", log, "--all").out
    assert english.count("exact") == out.count("exact")
    kings = sum(line.split()[2] == "K" for line in english.splitlines() if line.startswith(" "))
    assert kings == sum(line.split()[2] == "R" for line in out.splitlines() if line.startswith(" "))


def test_one_seat(log):
    by_name = json.loads(cardgods("analyze", log, "--seat", "random", "--json").out)
    by_number = json.loads(cardgods("analyze", log, "--seat", "1", "--seat", "random", "--json").out)
    assert by_name == by_number
    assert {decision["player"] for decision in by_name["decisions"]} == {1}
    assert "no seat 'Bea'" in refused(2, "analyze", log, "--seat", "Bea")
    assert "decides nothing" in refused(2, "analyze", log, "--seat", "spectator")


def test_notes_beside_the_moves(log, tmp_path):
    path = tmp_path / "notes.json"
    before = log.read_bytes()
    assert cardgods("analyze", log, "--out", path).code == 0
    assert "not overwritten" in refused(2, "analyze", log, "--out", path)
    assert cardgods("analyze", log, "--out", path, "--overwrite").code == 0
    assert log.read_bytes() == before
    decisions = json.loads(path.read_text())["decisions"]
    marked = [d for d in decisions if d["mark"]]
    assert marked
    plain = cardgods("replay", log).out.splitlines()
    noted = cardgods("replay", log, "--notes", path).out.splitlines()
    notes = [line for line in noted if line.startswith("Analysis: ")]
    assert [line for line in noted if line not in notes] == plain
    assert len(notes) == len(marked)
    for line, decision in zip(notes, marked, strict=True):
        assert f"{decision['text']} {decision['mark']}: {decision['best_text']} was better" in line
    lines = cardgods("replay", log, "--notes", path, "--json").out.splitlines()
    with_notes = [json.loads(line)["record"] for line in lines if "note" in json.loads(line)]
    assert with_notes == [decision["step"] for decision in marked]
    assert "Analyse\N{NO-BREAK SPACE}: " in cardgods("--lang", "fr", "replay", log, "--notes", path).out


def test_notes_that_do_not_fit_are_refused_or_left_out(log, tmp_path):
    path = tmp_path / "notes.json"
    cardgods("analyze", log, "--out", path)
    record = json.loads(path.read_text())
    for decision in record["decisions"]:
        decision["best"] = 5000
    path.write_text(json.dumps(record))
    assert "Analysis" not in cardgods("replay", log, "--notes", path).out
    path.write_text("no JSON")
    assert "is no analysis of a game" in refused(2, "replay", log, "--notes", path)
    assert "cannot read" in refused(2, "replay", log, "--notes", tmp_path / "missing")


def test_a_game_that_is_not_over_is_not_spoilt(tmp_path):
    path = tmp_path / "unfinished.cglog"
    result = cardgods(
        "play", "encan", "--variant", "express", "--seat", "human:Ana", "--seat", "greedy", "--seed", "7",
        "--log", path, stdin="8\n9\n",
    )  # fmt: skip
    assert result.code == 4
    assert "--spoil" in refused(2, "analyze", path)
    result = cardgods("analyze", path, "--spoil")
    assert result.code == 4
    assert "without luck" not in result.out


def test_views_and_damage_are_refused(log, tmp_path):
    view = tmp_path / "view.cglog"
    cardgods("log", "view", log, "--as", "0", "--out", view)
    assert "view" in refused(5, "analyze", view)
    damaged = tmp_path / "damaged.cglog"
    data = bytearray(log.read_bytes())
    data[200] ^= 1
    damaged.write_bytes(data)
    refused(3, "analyze", damaged)


def test_a_stored_solution_of_another_game_is_refused(log, tmp_path):
    path = tmp_path / "other.cgs"
    cardgods("solve", "encan", "--cards", "2-5", "--target", "9", "--out", path)
    assert "holds the solution of" in refused(2, "analyze", log, "--stored", path)


def test_a_log_of_an_archive(tmp_path):
    path = tmp_path / "match.cglogs"
    words = ("--variant", "express", "--seat", "greedy", "--seat", "random", "--games", "2", "--seed", "1")
    assert cardgods("arena", "encan", *words, "--log", path).code == 0
    assert "--game N" in refused(2, "analyze", path)
    assert json.loads(cardgods("analyze", path, "--game", "1", "--json").out)["decisions"]
