"""cardgods play: seats, seeds, rules, logs, what is shown to whom."""

import json
import re

import pytest
from running import AGENTS, cardgods, recorded, refused

import cardgods as library
from cardgods.agents import make_agent
from cardgods.log import ChanceOutcome, Move, read_log, replay
from cardgods.play import play
from cardgods_cli.keeping import Kept
from cardgods_cli.look import Look
from cardgods_cli.reader import Reader
from cardgods_cli.render import View, view_for
from cardgods_cli.table import HumanAgent, Table

PLAIN = Look(plain=True, colour=False, terminal=False, dumb=True)
WIDE = Look(plain=False, colour=False, terminal=True, dumb=False, fixed_width=80)


def test_the_seed_is_echoed_and_decides_everything():
    first = cardgods("play", "encan", *AGENTS)
    assert first.code == 0
    assert "seed 7" in first.out.splitlines()[0]
    assert cardgods("play", "encan", *AGENTS) == first
    assert cardgods("play", "encan", *AGENTS, "--seed", "8").out != first.out


def test_a_seed_is_said_to_be_reproducible_and_not_fair():
    lines = cardgods("play", "encan", *AGENTS).out.splitlines()
    assert lines[1] == "The seed makes this game again: it is reproducible, but no fair deal."
    assert "committed" not in "".join(lines)
    assert "--cut needs a fresh deal" in refused(2, "play", "encan", *AGENTS, "--cut")


def test_a_seed_may_be_a_text():
    assert cardgods("play", "encan", *AGENTS, "--seed", "a b").out.startswith("encan(standard), seed a b: ")


def test_an_agent_with_a_seed_of_its_own_leaves_the_deals_alone():
    def treasures(seat):
        out = cardgods(
            "play", "encan", "--target", "none", "--seed", 3, "--seat", seat, "--seat", "greedy"
        ).out
        return re.findall(r"the treasure is (\w+)", out), out

    deals, out = treasures("random:seed=1")
    other_deals, other_out = treasures("random:seed=2")
    assert deals == other_deals
    assert len(deals) == 13
    assert out != other_out


def test_every_rule_option_reaches_the_game(tmp_path):
    log = tmp_path / "log"
    words = "--cards 1-4,9 --target none --no-obole --tie split --payoff points --treasure-order ascending"
    result = cardgods("play", "encan", *words.split(), "--tie-break", "draw", *AGENTS, "--log", log)
    assert result.code == 0
    assert dict(read_log(log).header.options) == {
        "cards": (1, 2, 3, 4, 9),
        "target": None,
        "obole": False,
        "tie": "split",
        "payoff": "points",
        "treasure_order": "ascending",
        "tie_break": "draw",
    }
    assert re.findall(r"the treasure is (\w+)", result.out) == ["1", "2", "3", "4", "9"]


def test_a_script_plays_a_whole_game(tmp_path):
    log = tmp_path / "log"
    script = "# highest first\n14\nk\nQ\n\nj   # a court\n10\n9\n8\n"
    result = cardgods(
        "play",
        "encan",
        "--variant",
        "express",
        "--target",
        "none",
        "--seat",
        "human:Ana",
        "--log",
        log,
        stdin=script,
    )
    assert result.code == 0
    assert "Ana wins: Ana" in result.out or "greedy wins" in result.out
    moves = [r.action for r in read_log(log).records if isinstance(r, Move) and r.player == 0]
    assert moves == [6, 5, 4, 3, 2, 1, 0]
    assert read_log(log).header.seats[0].name == "Ana"


def test_help_quit_and_refusals_at_a_prompt(monkeypatch):
    monkeypatch.setattr(Reader, "interactive", True, raising=False)
    monkeypatch.setattr(
        Reader, "__init__", lambda self, what="the game": self.__dict__.update(what=what, line=0)
    )
    result = cardgods("play", "encan", "--variant", "express", stdin="\n99\n\x1b[2J\n?\nhelp\n8\nquit\n")
    assert result.code == 0
    assert result.err == ""
    assert "Sorry, '99' is not possible here: 8, 9, 10, J, Q, K, A." in result.out
    assert "\x1b" not in result.out
    assert result.out.count("You may type: 8, 9, 10, J, Q, K, A. hint ranks your moves, undo takes") == 2
    assert "The higher bid takes the lot. Equal bids leave the lot for the next turn." in result.out
    assert result.out.endswith("--log FILE does so from its start)\n")


def test_a_record_is_on_disk_before_the_next_decision(tmp_path, monkeypatch):
    log = tmp_path / "log"
    seen = []
    choose = library_random().choose

    def watching(self, state, player, rng):
        events = [r for r in read_log(log).records if isinstance(r, Move | ChanceOutcome)]
        seen.append(len(events) == len(state.history()))
        return choose(self, state, player, rng)

    monkeypatch.setattr("cardgods.agents.random.RandomAgent.choose", watching)
    cardgods("play", "encan", "--seat", "random", "--seat", "random", "--log", log)
    assert seen
    assert all(seen)


def library_random():
    from cardgods.agents.random import RandomAgent

    return RandomAgent


def test_names_may_hold_anything_but_do_no_harm(tmp_path):
    names = ["[/]", "[red]x", "a\x1b[31m\nb", "\u202eevil", "👩‍🚀", "x" * 4000, "human:Bob", "\udcff"]
    for name in names:
        log = tmp_path / "log"
        result = cardgods(
            "play",
            "encan",
            "--seat",
            f"human:{name}",
            "--seat",
            "human",
            "--log",
            log,
            "--overwrite",
            stdin="2\n",
        )
        assert result.code == 4, result
        assert "\x1b" not in result.out
        assert "\u202e" not in result.out
        for line in result.out.splitlines():
            assert line.replace("\u200d", "").isprintable()
        kept = read_log(log).header.seats[0].name
        assert kept == name.encode("utf-8", "replace").decode()
    assert "xxxx" not in refused(2, "play", "encan", "--seat", "human:" + "x" * 5000, "--log", tmp_path / "b")


@pytest.mark.parametrize("look", [PLAIN, WIDE])
@pytest.mark.parametrize("variant", ["standard", "express"])
def test_nothing_shown_depends_on_the_sealed_bid(look, variant, monkeypatch, capsys):
    """For each bid that player 0 may have sealed, player 1 and a spectator are shown the same bytes."""
    game = library.load_game("encan", variant=variant)
    prompts = []

    class Recorder(Reader):
        def ask(self, prompt):
            prompts.append(prompt)
            return "8"

    def shown(bid, people):
        monkeypatch.setattr("sys.stdout.isatty", lambda: False)
        state = game.new_initial_state(turn_based=True)
        table = Table(state, view_for(game, ["Ana", "Bob"], look), look, people)
        for action in (3, bid):
            actor = state.current_player()
            state.apply_action(action)
            table.observe(state, actor, action)
        if people:
            HumanAgent(table, Recorder(), Kept(None, None)).choose(state, 1, library.Random(1))
        else:
            look.show(*table.view.board(state.view(-1), -1))
        return capsys.readouterr().out, list(prompts), prompts.clear()

    for people in ([1], [0, 1], []):
        seen = {repr(shown(bid, people)) for bid in range(len(game.options.cards))}
        assert len(seen) == 1, seen


def test_agents_choose_from_what_they_know_alone():
    game = library.load_game("encan")
    for kind in ("greedy", "random"):
        agent = make_agent(kind, game)
        for seed in range(20):
            rng = library.Random(seed)
            state = game.new_initial_state(turn_based=True)
            while not state.is_terminal():
                player = state.current_player()
                if player >= 0:
                    choices = {
                        agent.choose(world, player, library.Random(seed, 9))
                        for world in (state, *(state.resample(player, rng) for _ in range(3)))
                    }
                    assert len(choices) == 1
                    state.apply_action(choices.pop())
                else:
                    state.apply_action(state.sample_chance(rng))


def test_greedy_beats_random_from_either_seat():
    for variant, least in (("standard", 180), ("express", 150)):
        game = library.load_game("encan", variant=variant)
        for seat in (0, 1):
            agents = [make_agent("greedy" if p == seat else "random", game) for p in range(2)]
            games = [play(game.new_initial_state(True), agents, library.Random(seed)) for seed in range(200)]
            assert sum(state.returns()[seat] > 0 for state in games) > least


def test_a_game_goes_on_in_the_same_way_from_any_of_its_states():
    game = library.load_game("encan")
    agents = [make_agent("greedy", game), make_agent("random", game)]
    whole = play(game.new_initial_state(True), agents, library.Random(5)).history()
    for length in range(len(whole)):
        state = game.new_initial_state(True)
        for action in whole[:length]:
            state.apply_action(action)
        assert play(state, agents, library.Random(5)).history() == whole


def test_a_scripted_agent_plays_its_file(tmp_path):
    moves = tmp_path / "moves.txt"
    moves.write_text("A # all in\n\nK\n")
    log = tmp_path / "log"
    seat = f"scripted:file={moves}"
    line = refused(
        7, "play", "encan", "--variant", "express", "--seat", seat, "--seat", "random", "--log", log
    )
    assert "the script has no move left" in line
    assert [r.action for r in read_log(log).records if isinstance(r, Move) and r.player == 0] == [6, 5]


def test_the_board_fits_80_columns_and_needs_no_colour(capsys):
    for variant in ("standard", "express", "goofspiel"):
        game = library.load_game("encan", variant=variant)
        state = play(game.new_initial_state(True), [make_agent("random", game)] * 2, library.Random(3))
        view = view_for(game, ["A name that is far too long for a board", "👩‍🚀" * 30], WIDE)
        WIDE.show(*view.board(state.view(), None))
        shown = capsys.readouterr().out
        assert "\x1b" not in shown
        assert "┌" in shown or "╭" in shown
        from cardgods_cli.look import columns

        assert max(map(columns, shown.splitlines())) <= 80
        for player in range(2):
            for pile in ("hands", "burnt"):
                cards = [game.card_name(value) for value in state.view()[pile][player]]
                assert " ".join(cards) in re.sub(r"[ ·]+", " ", shown)


def test_piped_output_is_never_cut_or_wrapped():
    name = "A very long name that no terminal would show in full " * 3
    for columns in ("20", "400"):
        import os

        os.environ["COLUMNS"] = columns
        try:
            out = cardgods("play", "encan", "--seat", f"human:{name}", stdin="2\n").out
        finally:
            del os.environ["COLUMNS"]
        assert f"{name.strip()}, your bid for the lot of" in out
        assert "…" not in out


def test_a_game_without_a_view_of_its_own_is_shown_all_the_same():
    game = library.load_game("encan", variant="express")
    state = game.new_initial_state(turn_based=True)
    view = View(game, ["Ana", "Bob"], PLAIN)
    before = state.view(-1)
    assert "hands, Bob: 8 9 10 11 12 13 14" in view.board(before, -1)
    state.apply_action(3)
    assert view.news(before, state.view(-1), -1) == [
        "phase: bid; turn: 1; treasure: 11; treasures left: 8 9 10 12 13 14."
    ]
    now = state.view(-1)
    state.apply_action(0)
    assert view.news(now, state.view(-1), -1) == []


def test_replay_tells_what_play_told(tmp_path):
    path = tmp_path / "log"
    told = cardgods("play", "encan", "--target", "none", *AGENTS, "--log", path).out
    assert cardgods("replay", path).out == told


def test_replay_json_has_a_line_per_record(tmp_path):
    path = recorded(tmp_path / "log")
    result = cardgods("replay", path, "--json")
    assert result.err == ""
    lines = [json.loads(line) for line in result.out.splitlines()]
    steps = list(replay(read_log(path)))
    assert [line["record"] for line in lines] == list(range(len(steps)))
    assert [line["view"] for line in lines] == [json.loads(json.dumps(state.view())) for _, state in steps]
    assert lines[0]["game"] == "encan"
    assert lines[0]["seats"][0]["name"] == "greedy"
    assert lines[1]["actor"] == "chance"
    assert lines[-1]["end"]["returns"] == list(steps[-1][1].returns())
    assert [line["action"] for line in lines[1:-1]] == steps[-1][1].history()


def test_replay_of_a_game_that_is_not_over_keeps_its_secrets(tmp_path):
    """Whatever Ana has sealed, the replay is the same until it is asked to spoil."""
    seen, spoilt = set(), set()
    path = tmp_path / "log"
    for bid in ("8", "9", "A"):
        seats = ("--seat", "human:Ana", "--seat", "human:Bob")
        cardgods(
            "play",
            "encan",
            "--variant",
            "express",
            *seats,
            "--seed",
            1,
            "--log",
            path,
            "--overwrite",
            stdin=f"{bid}\n",
        )
        for words in ((), ("--json",), ("--verify",)):
            seen.add((words, cardgods("replay", path, *words).out))
        spoilt.add(cardgods("replay", path, "--spoil", "--json").out)
    assert len(seen) == 3
    assert len(spoilt) == 3
    header = json.loads(cardgods("replay", path, "--json").out.splitlines()[0])
    assert [header["seed"], *(seat["seed"] for seat in header["seats"])] == [None] * 3


def test_verify_is_one_line(tmp_path):
    path = recorded(tmp_path / "log")
    result = cardgods("replay", path, "--verify")
    assert result.code == 0
    assert result.out.count("\n") == 1
    assert re.search(r"valid: encan\(express\), greedy, random, \d+ records, complete, won by ", result.out)


FIRST_MOVES = {"encan": "8", "trones": "8d sky", "commerce": "buy", "eleusis": "3c"}


def test_undo_goes_back_to_the_last_decision_and_stays_in_the_log(name, tmp_path):
    path = tmp_path / "game.cglog"
    words = ("play", name, "--seed", 4, "--log", path)
    before = cardgods(*words, stdin="undo\n").out.splitlines()
    assert before[-2].endswith("You have decided nothing yet that could be taken back.")
    result = cardgods(*words, "--overwrite", stdin=f"{FIRST_MOVES[name]}\nundo\n")
    assert result.code == 4
    lines = result.out.splitlines()
    assert sum(" takes back the last " in line for line in lines) == 1
    assert lines[-1] == before[-1], "the same question"
    assert cardgods("log", "verify", path).code == 4
    assert read_log(path).records[-1].events > 0


def test_undo_is_refused_where_people_share_the_keyboard():
    seats = ("--seat", "human:Ana", "--seat", "human:Bea")
    out = cardgods("play", "encan", "--variant", "express", *seats, "--seed", 1, stdin="undo\n").out
    assert "Nothing can be taken back where several people play." in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["encan"], "Equal bids leave the lot for the next turn."),
        (["encan", "--tie", "discard", "--tie-break", "draw"], "At equal bids nobody gets the lot."),
        (["encan", "--tie", "split", "--target", "none"], "Equal bids share the lot."),
        (["encan", "--target", "none"], "The higher score after the last treasure wins."),
        (
            ["eleusis", "--wrong-penalty", "3", "--max-sequence", "2"],
            "Lay up to 2 cards one by one, then done.",
        ),
        (["eleusis", "--wrong-penalty", "3"], "Each wrong card costs 3"),
    ],
)
def test_help_at_the_prompt_is_that_of_the_rules_in_force(words, told):
    assert told in cardgods("play", *words, "--seed", 1, stdin="?\n").out
