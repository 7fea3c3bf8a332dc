"""Games as pages, pictures and texts: whole, harmless, and without what the viewer may not know."""

import base64
import hashlib
import html.parser
import json
import re
import xml.etree.ElementTree as ET

import pytest
from running import cardgods, refused

from cardgods import Random, load_game
from cardgods.agents import make_agent
from cardgods.cards import card_name
from cardgods.log import LogBuffer, Seat, derive, make_header, parse_log
from cardgods.play import play
from cardgods_cli.export.page import page
from cardgods_cli.export.record import data_of, telling
from cardgods_cli.export.scene import BACK, FREE, faces_in

GAMES = {
    "encan": ("encan", {"variant": "express", "obole": True}),
    "points": ("encan", {"variant": "goofspiel", "cards": (1, 2, 3, 20), "tie": "split", "payoff": "points"}),
    "trones": ("trones", {"variant": "express"}),
    "commerce": ("commerce", {"players": 3}),
    "eleusis": ("eleusis", {"players": 5, "rounds": 2, "rules": ["alternate-colours", "even-ranks"]}),
}
HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "\u202e[red]'\"&amp;<b>",
    "<!--" + "x" * 4000,
    "\x00\x1b[31m\ufeff${data}",
    "]]></style><script>boom()</script>",
)


def played(name, options, seed=1, names=None):
    """The bytes of a log of a game between quick agents."""
    game = load_game(name, **options)
    players = game.num_players()
    names = names or [f"Player {number}" for number in range(players)]
    seats = [Seat(names[k % len(names)], "agent", "greedy") for k in range(players)]
    log = LogBuffer(make_header(game, seats, seed=seed))
    play(game.new_initial_state(turn_based=True), [make_agent("greedy", game)] * players, Random(seed), log)
    return log.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    for label, (name, options) in GAMES.items():
        (folder / f"{label}.cglog").write_bytes(played(name, options))
    return folder


def export(folder, label, *words, names=("page.html", "picture.svg", "text.txt")):
    """Everything that a log can be turned into, as texts."""
    paths = [folder / f"{label}-{name}" for name in names]
    options = zip(("--html", "--svg", "--text"), paths, strict=True)
    flat = [word for pair in options for word in pair]
    result = cardgods("export", folder / f"{label}.cglog", *flat, "--overwrite", *words)
    assert result.code == 0, result
    assert (result.out, result.err) == ("", "")
    return [path.read_text(encoding="utf-8") for path in paths]


class Parsed(html.parser.HTMLParser):
    """The elements of a page and the texts in some of them."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self._at = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._at = (tag, dict(attributes).get("id"))

    def handle_endtag(self, tag):
        self._at = None

    def handle_data(self, data):
        self.texts[self._at] = self.texts.get(self._at, "") + data


def data_in(text):
    return json.loads(Parsed(text).texts["script", "game"])


@pytest.mark.parametrize("label", GAMES)
def test_a_page_has_every_moment_in_both_languages(folder, label):
    page_text, picture, text = export(folder, label)
    data = data_in(page_text)
    assert data["languages"] == ["en", "fr"]
    assert data["start"] == "en"
    numbers = [step[0] for step in data["steps"]]
    assert numbers == sorted(set(numbers))
    for _, news, zones in data["steps"]:
        assert news
        assert zones
        assert max(news) < len(data["texts"])
        assert max(zones) < len(data["zones"])
    told = {text[0] for text in data["texts"]}
    last = data["steps"][-1][1]
    assert data["texts"][last[0]][0] in text.splitlines()
    assert sum(len(versions) == 2 for versions in data["texts"]) > 20
    assert {corner for corner, *_ in data["faces"].values()} <= set(range(len(data["texts"])))
    assert told
    root = ET.fromstring(picture)
    names = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(names) > 3
    assert all(names)


@pytest.mark.parametrize("label", GAMES)
def test_the_language_in_force_is_the_page_s_first(folder, label):
    page_text, picture, text = export(folder, label, "--lang", "fr")
    assert data_in(page_text)["start"] == "fr"
    assert '<html lang="fr">' in page_text
    english = export(folder, label)
    assert picture != english[1]
    assert text != english[2]
    assert {**data_in(page_text), "start": "en"} == data_in(english[0])


def test_a_page_may_run_its_own_script_and_nothing_else(folder):
    text, *_ = export(folder, "trones")
    found = Parsed(text)
    (policy,) = [a["content"] for _, a in found.elements if a.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        content = found.texts[tag, None]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    for tag, attributes in found.elements:
        assert tag not in ("img", "link", "iframe", "object", "embed", "base", "form")
        assert not {"src", "href", "style"} & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]


@pytest.mark.parametrize("label", ["encan", "commerce", "eleusis"])
def test_names_are_neither_markup_nor_code(tmp_path, label):
    name, options = GAMES[label]
    (tmp_path / f"{label}.cglog").write_bytes(played(name, options, names=HOSTILE))
    (tmp_path / "plain.cglog").write_bytes(played(name, options))
    page_text, picture, text = export(tmp_path, label)
    same = export(tmp_path, "plain")
    assert [tag for tag, _ in Parsed(page_text).elements] == [tag for tag, _ in Parsed(same[0]).elements]
    ET.fromstring(picture)
    assert "</script><img" not in page_text
    assert "\x1b" not in text + page_text + picture
    assert "\u202e" not in text + page_text + picture
    joined = " ".join(versions[0] for versions in data_in(page_text)["texts"])
    assert "<img src=x onerror=alert(1)>" in joined


def views(data, seat):
    log = parse_log(derive(parse_log(data), seat))
    return log, log.header.view.seat


@pytest.mark.parametrize("label", ["encan", "trones", "commerce", "eleusis"])
def test_a_seat_s_page_does_not_depend_on_what_is_hidden_from_it(label):
    name, options = GAMES[label]
    game = load_game(name, **options)
    players = game.num_players()
    state = game.new_initial_state(turn_based=True)
    rng = Random(5)
    while not state.is_terminal() and len(state) < 40:
        actor = state.current_player()
        state.apply_action(state.sample_chance(rng) if actor < 0 else rng.choice(state.legal_actions()))
    other = state.resample(0, Random(77))
    texts = set()
    for one in (state, other):
        log = LogBuffer(make_header(game, [Seat(f"P{k}", "human") for k in range(players)]))
        for actor, action in one.full_history():
            log.append(actor, action)
        view, seat = views(log.getvalue(), 0)
        told = telling(view, view.header, game, seat)
        data = data_of(told)
        data.pop("faces")
        texts.add(json.dumps(data) + page(told, "title"))
    assert state.full_history() != other.full_history() or label == "encan"
    assert len(texts) == 1


def test_hidden_cards_are_nowhere_in_a_seat_s_files(folder):
    data = (folder / "trones.cglog").read_bytes()
    log = parse_log(data)
    own, drawn = set(), set()
    for step in telling(log, log.header, load_game("trones", "express"), None).steps:
        own |= set(step.now["hands"][0]) | {
            c for f in step.now["fronts"] for side in f["cards"] for c in side
        }
        drawn |= set(step.now["hands"][1])
    hidden = drawn - own
    assert hidden
    texts = export(folder, "trones", "--as", "0")
    codes = {int(number) for number in data_in(texts[0])["faces"]}
    assert not codes & hidden
    for card in hidden:
        for text in texts[1:]:
            assert card_name(card) not in text


def test_backs_and_free_places_stand_for_what_is_not_seen(folder):
    log = parse_log(derive(parse_log((folder / "trones.cglog").read_bytes()), 1))
    told = telling(log, log.header, load_game("trones", "express"), 1)
    moments = list(told.moments())
    cards = [card for moment in moments for zone in moment.zones for row in zone.rows for card in row.cards]
    assert BACK in cards
    assert FREE in cards
    assert all(card >= 0 for moment in moments for card in faces_in(moment.zones))


def test_the_text_is_what_replay_prints(folder):
    for label in GAMES:
        *_, text = export(folder, label)
        assert text == cardgods("replay", folder / f"{label}.cglog").out
    result = cardgods("export", folder / "encan.cglog", "--text", "-")
    assert result.code == 0
    assert result.out == cardgods("replay", folder / "encan.cglog").out
    spectator = cardgods("export", folder / "trones.cglog", "--text", "-", "--as", "spectator").out
    assert spectator == cardgods("log", "view", folder / "trones.cglog").out


def test_a_position_in_the_middle(folder, tmp_path):
    path = tmp_path / "x.svg"
    seen = set()
    for at in (0, 9, 12):
        words = ("--svg", path, "--at", at, "--overwrite")
        assert cardgods("export", folder / "trones.cglog", *words).code == 0
        seen.add(path.read_text())
    assert len(seen) == 3
    line = refused(2, "export", folder / "trones.cglog", "--svg", path, "--at", "9999", "--overwrite")
    assert re.search(r"events 0 to \d+, not 9999", line)
    assert cardgods("export", folder / "trones.cglog", "--html", path, "--at", "3").code == 2


def test_what_cannot_be_written_is_refused(folder, tmp_path):
    log = folder / "encan.cglog"
    assert "say what to write" in cardgods("export", log).err
    assert "--as" not in refused(2, "export", log, "--html", tmp_path / "missing" / "x.html")
    path = tmp_path / "x.html"
    path.write_text("mine")
    assert "not overwritten" in refused(2, "export", log, "--html", path)
    assert path.read_text() == "mine"
    assert "no seat 'Bea'" in refused(2, "export", log, "--html", path, "--overwrite", "--as", "Bea")
    view = tmp_path / "view.cglog"
    view.write_bytes(derive(parse_log(log.read_bytes()), 1))
    assert cardgods("export", view, "--html", path, "--overwrite").code == 0
    assert "a view already" in cardgods("export", view, "--html", path, "--overwrite", "--as", "1").err
    damaged = tmp_path / "damaged.cglog"
    data = bytearray(log.read_bytes())
    data[200] ^= 1
    damaged.write_bytes(data)
    refused(3, "export", damaged, "--html", path, "--overwrite")
    assert not list(tmp_path.glob("*.part"))


def test_a_game_that_is_not_over_is_not_spoilt(tmp_path):
    name, options = GAMES["trones"]
    whole = parse_log(played(name, options))
    log = LogBuffer(make_header(load_game(name, **options), whole.header.seats))
    state = load_game(name, **options).new_initial_state(turn_based=True)
    for record in whole.records[:20]:
        actor = getattr(record, "player", -1)
        action = record.action if actor >= 0 else record.outcome
        log.append(actor, action)
        state.apply_action(action)
    path = tmp_path / "unfinished.cglog"
    path.write_bytes(log.getvalue())
    page_path = tmp_path / "page.html"
    assert "--spoil" in refused(2, "export", path, "--html", page_path)
    assert "--spoil" in refused(2, "export", path, "--html", page_path, "--as", "0")
    assert cardgods("export", path, "--html", page_path, "--as", "spectator").code == 4
    codes = {int(number) for number in data_in(page_path.read_text())["faces"]}
    assert not codes & {card for hand in state.view()["hands"] for card in hand}
    assert cardgods("export", path, "--html", page_path, "--spoil", "--overwrite").code == 4


def test_every_game_has_a_scene(name):
    data = played(name, {"rounds": 1} if name == "eleusis" else {})
    log = parse_log(data)
    for viewer in (None, 0, -1):
        seen = log if viewer is None else parse_log(derive(log, viewer))
        found = data_of(telling(seen, seen.header, load_game(name, **log.header.options), viewer))
        assert len(found["steps"]) > 5
