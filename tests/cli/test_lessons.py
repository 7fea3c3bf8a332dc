"""play --learn: first games that explain themselves, to their end, in both languages, whatever is played."""

import re

import pytest
from running import cardgods, refused
from test_french import ENGLISH
from test_streams import Terminal

import cardgods as library
from cardgods.agents import make_agent
from cardgods.log import verify
from cardgods.play import play
from cardgods.solve.commerce import knock_odds
from cardgods_cli import words
from cardgods_cli.lessons import MOST, Scene, Tutor, lesson_for
from cardgods_cli.lessons.commerce import GOOD_POINT
from cardgods_cli.look import Look
from cardgods_cli.render import view_for
from cardgods_cli.seats import seats_for

PLAIN = Look(plain=True, colour=False, terminal=False, dumb=True)
LAST = {
    "en": "* cardgods rules {name}: all the rules.",
    "fr": "* cardgods rules {name}\u00a0: toutes les règles.",
}


class Noting:
    """Decides as another agent would, or at random, and notes it."""

    def __init__(self, game, lang, key, kind):
        self.lang, self.rng = lang, library.Random(key)
        self.agent = make_agent(kind, game)
        self.words, self.states = [], []

    def choose(self, state, player, rng):
        action = self.agent.choose(state, player, self.rng.spawn(len(self.words)))
        self.words.append(state.action_to_string(action, self.lang))
        self.states.append(state.clone())
        return action


def played(name, key, kind="random", lang="en"):
    """A game of a lesson played by agents: who sat at the keyboard, and how it ended."""
    lesson = lesson_for(name)
    game = lesson.game(name)
    person = Noting(game, lang, key, kind)
    agents = [
        person if seat.spec is None else make_agent(seat.spec, game) for seat in seats_for(lesson.seats, game)
    ]
    state = game.new_initial_state(turn_based=True)
    play(state, agents, library.Random(lesson.seed))
    return person, state


def learn(name, moves, *words):
    return cardgods("play", name, "--learn", *words, stdin="".join(f"{move}\n" for move in moves))


@pytest.mark.parametrize("lang", words.LANGUAGES)
@pytest.mark.parametrize(("key", "kind"), [(1, "random"), (2, "random"), (3, "greedy")])
def test_a_lesson_goes_to_its_end_whatever_is_played(name, lang, key, kind):
    person, _ = played(name, key, kind, lang)
    result = learn(name, person.words, "--lang", lang)
    assert result.code == 0, result
    lines = result.out.splitlines()
    assert lines[-1] == LAST[lang].format(name=name)
    assert sum(" pour l'aide)" in line or "; ? for help)" in line for line in lines) == len(person.words)
    if lang == "fr":
        assert [line for line in lines if "cardgods " not in line and ENGLISH.search(line)] == []


def test_each_decision_is_explained(name):
    """Between one prompt and the next, something was said of what is on the table and why."""
    person, _ = played(name, 4)
    out = learn(name, person.words).out
    before_prompts = re.split(r"^.*; \? for help\):.*$", out, flags=re.MULTILINE)
    assert len(before_prompts) == len(person.words) + 1
    for part in before_prompts[:-1]:
        told = [line for line in part.splitlines() if line.startswith("* ")]
        assert told
        assert part.splitlines()[-1] in told, "the last thing before the question"


def test_each_point_is_made_once_and_most_of_them_in_a_game(name):
    lesson = lesson_for(name)
    seen = set()
    for key, kind in ((1, "random"), (2, "random"), (3, "greedy"), (5, "random"), (6, "random")):
        out = learn(name, played(name, key, kind)[0].words).out.splitlines()
        for point in lesson.points:
            count = out.count(f"* {point.text}")
            assert count <= 1
            seen |= {point.text} if count else set()
    unseen = [point.text for point in lesson.points if point.text not in seen]
    # What happens to few: a tie, to be God's Prophet.
    assert len(unseen) <= 2, unseen


def test_a_lesson_tells_nothing_hidden(name):
    person, _ = played(name, 7)
    lesson = lesson_for(name)
    view = view_for(lesson.game(name), ["a", "b", "c", "d", "e"][: len(lesson.seats)], PLAIN)
    for number, state in enumerate(person.states):
        player = state.current_player()
        worlds = [state, *(state.resample(player, library.Random(number, k)) for k in range(3))]
        told = {tuple(said(lesson, view, Scene(world.view(player), player, view))) for world in worlds}
        assert len(told) == 1


def said(lesson, view, scene):
    return [*lesson.situation(scene), *(point.text for point in lesson.points if point.when(scene))]


def test_few_points_at_a_time(name, capsys):
    lesson = lesson_for(name)
    person, _ = played(name, 1)
    view = view_for(lesson.game(name), ["a", "b", "c", "d", "e"][: len(lesson.seats)], PLAIN)
    tutor = Tutor(lesson, view, PLAIN)
    for state in person.states:
        tutor.explain(state, state.current_player())
        out = capsys.readouterr().out.splitlines()
        assert sum(line.removeprefix("* ") in {point.text for point in lesson.points} for line in out) <= MOST
        assert len(out) <= MOST + 2


def test_help_hints_and_taking_back_work(name):
    move = played(name, 1)[0].words[0]
    result = learn(name, ["?", "hint", move, "undo", "quit"])
    assert result.code == 0
    out = result.out
    assert "You may type: " in out
    assert "From what you know, best first:" in out
    assert "takes back" in out
    first = next(line for line in out.splitlines() if line.startswith("* ") and "prompt" not in line)
    assert out.count(first) >= 1
    said = lesson_for(name).points[0].text
    assert out.count(f"* {said}\n") in (1, 2), "? tells it again"


def test_the_end_of_input_and_ctrl_c_end_a_lesson(name):
    result = learn(name, [])
    assert result.code == 4
    assert result.err == "cardgods: error: standard input ended before the game was over\n"
    terminal = Terminal("play", name, "--learn")
    seen = terminal.until("help):")
    assert "▌ " in seen
    assert all(len(line) <= 80 for line in re.sub(r"\x1b\[[0-9;]*m", "", seen).split("\r\n"))
    terminal.interrupt()
    code, error = terminal.end()
    assert code == 130
    assert error.startswith("\ncardgods: interrupted") or error.startswith("cardgods: interrupted")


def test_a_lesson_goes_on_where_it_was_left(name, tmp_path):
    person, state = played(name, 8)
    path = tmp_path / "log"
    assert learn(name, person.words[:1], "--log", path).code == 4
    rest = "".join(f"{move}\n" for move in person.words[1:])
    result = cardgods("play", "--resume", path, stdin=rest)
    assert result.code == 0
    assert "* That was your first game. What to try next:" in result.out
    assert verify(path).state == state


@pytest.mark.parametrize(
    "words",
    [
        ["--seat", "greedy"],
        ["--seed", "3"],
        ["--cut"],
        ["--variant", "express"],
        ["--obole"],
        ["--cards", "2-4"],
    ],
)
def test_what_the_lesson_settles_cannot_be_chosen(words):
    line = refused(2, "play", "encan", "--learn", *words)
    assert f"--learn settles the game, so that {words[0]} has no place beside it" in line


def test_a_game_without_a_lesson_says_so():
    with pytest.raises(library.ParameterError, match="there is no lesson for nim"):
        lesson_for("nim")


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_what_to_try_next_can_be_tried(name, lang, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with words.speaking(lang):
        lines = [words._(text) for text in lesson_for(name).further]
    for line in lines:
        command = re.match(r"cardgods ([^:,;\u00a0]+(?::\w+[^:,;\u00a0]*)*)", line)[1]
        result = cardgods(*command.split(), "--lang", lang)
        assert result.code in (0, 4), (command, result)
        assert "Usage" not in result.err


def test_the_point_that_wins_more_often_than_not_does():
    def wins(points):
        """With the ace of clubs, another club, and the four of spades; three at the table."""
        return knock_odds([12, points - 11 - 2, 41], 3, 1).win

    assert wins(GOOD_POINT) > 0.5 > wins(GOOD_POINT - 1)
