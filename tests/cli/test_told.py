"""What the library refuses, in French: each message has a template, and its holes keep what they hold."""

import ast
import re
from pathlib import Path

import marked
import pytest
from running import cardgods, recorded
from test_french import ENGLISH

import cardgods as library
from cardgods_cli import words
from cardgods_cli.told import HOLE, told

SOURCE = Path(library.__file__).parent
FOR_CALLERS = (
    "adapters/gambit.py",
    "adapters/pettingzoo.py",
    "agents/_hints.py",
    "handmade.py",
    "log/records.py",
    "log/recorder.py",
    "log/values.py",
    "rating.py",
    "rule/inference.py",
    "rule/rule.py",
    "solve/explicit.py",
    "solve/reached.py",
)
"""Modules whose errors are for who calls them from Python: no command line leads there."""
OF_CALLS = re.compile(
    r"impossible position|a game is played on|is neither a state nor|the (state|tree|profile) is (of|for)"
    r"|^\{0\} with \{1\}$|this is a state of|an answer may use|has no choice at|is not legal for player"
)
"""Messages of other modules that are for callers too."""


def templates():
    """Every message that a raise of the library states, its values replaced by holes."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = str(path.relative_to(SOURCE))
        if name in FOR_CALLERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                text = template(node.exc.args[0])
                if text and not OF_CALLS.search(text):
                    found.setdefault(text, f"{name}:{node.lineno}")
    return found


def template(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    parts, holes = "", 0
    for value in node.values:
        if isinstance(value, ast.Constant):
            parts += value.value
        else:
            parts += f"{{{holes}}}"
            holes += 1
    return parts


def known():
    """The templates in the catalogs, without what their holes are told as."""
    ids = [entry.id for catalog in marked.catalogs("fr").values() for entry in catalog if entry.context]
    return [re.sub(r":\w+\}", "}", text) for text in ids]


def test_every_message_has_its_french():
    have = set(known())
    filled = [re.compile("(.+?)".join(map(re.escape, HOLE.split(text)))) for text in have]
    missing = {}
    for text, where in templates().items():
        literal = "".join(HOLE.split(text))
        if text in have or not re.search(r"[a-z]{3}", literal):
            continue
        # A message may be made of several: what it is with any words in its holes.
        sample = HOLE.sub("x", re.sub(r"(?<=\w)\{\d\}$", "", text))
        if not any(pattern.fullmatch(sample) for pattern in filled if pattern.pattern != "(.+?)"):
            missing[text] = where
    assert missing == {}


def test_the_modules_that_are_left_out_exist_and_raise():
    for name in FOR_CALLERS:
        assert "raise " in (SOURCE / name).read_text()


def test_what_stands_in_a_hole_stays_as_it_is():
    with words.speaking("fr"):
        assert told("unknown agent 'card' for encan: agents are the end") == (
            "agent inconnu 'card' pour encan\u00a0: les agents sont the end"
        )
        assert (
            told("cannot read the end: Is a directory")
            == "impossible de lire the end\u00a0: C'est un dossier"
        )
        assert told("cannot read a; b.cglog: Is a directory") == (
            "impossible de lire a; b.cglog\u00a0: C'est un dossier"
        )
        assert told("option target: 'card' is not a whole number") == (
            "option target\u00a0: 'card' n'est pas un nombre entier"
        )
        assert told("nobody knows this; nor that") == "nobody knows this; nor that"


LOG, BAD = "LOG", "BAD"
REFUSALS = [
    # options of a game
    (["play", "encan", "--variant", "huge"], "variante inconnue 'huge' de encan"),
    (["play", "encan", "--tie", "maybe"], "option tie\u00a0: 'maybe' n'est pas parmi carry, discard, split"),
    (["play", "encan", "--target", "many"], "option target\u00a0: 'many' n'est pas un nombre entier"),
    (["play", "encan", "--cards", "2-40"], "option cards\u00a0: elle prend de 1 à 13 valeurs"),
    (["play", "commerce", "--players", "99"], "option players\u00a0: 99 n'est pas un nombre de 3 à 12"),
    (["play", "trones", "--capacity", "9"], "option capacity\u00a0: 9 n'est pas de 1 à 3"),
    (["play", "eleusis", "--players", "4"], "l'option players_min permet 3 et 4"),
    (
        ["play", "eleusis", "--rules", "red and and"],
        "option rules\u00a0: colonne 9\u00a0: 'and' ne peut être ici",
    ),
    # agents and seats
    (["play", "encan", "--seat", "greedy:depth=3"], "l'agent 'greedy' n'a pas de paramètre 'depth'"),
    (
        ["play", "encan", "--seat", "ismcts:iterations=x"],
        "paramètre iterations\u00a0: 'x' n'est pas un nombre entier",
    ),
    (["play", "encan", "--seat", "ismcts:iterations=0"], "0 n'est pas de 1 à 1000000000"),
    (["play", "encan", "--seat", "scripted"], "l'agent 'scripted' demande file"),
    (["play", "encan", "--seat", "scripted:file=/no"], "/no\u00a0: Aucun fichier ou dossier de ce nom"),
    (["play", "encan", "--seat", "human", "--seat", "exact"], "demande"),
    (["arena", "encan", "--seat", "wizard", "--seat", "greedy"], "agent inconnu 'wizard' pour encan"),
    (["arena", "encan", "--seat", "greedy"], "a 2 joueurs, 1 agents sont donnés"),
    (
        ["arena", "trones", "--seat", "greedy", "--seat", "random", "--sprt", "5,0"],
        "un test oppose deux écarts",
    ),
    # rules
    (["rule", "check", ""], "la règle est vide"),
    (["rule", "check", "redd"], "colonne 1\u00a0: 'redd' n'est pas un mot du langage des règles"),
    (["rule", "check", "red and"], "la règle finit trop tôt\u00a0: attendu un mot, un nombre"),
    (["rule", "check", "suit-or-rankk"], "n'est ni une règle ni un nom du recueil"),
    (["rule", "check", "same(x)"], "colonne 6\u00a0: 'x' n'est pas un mot"),
    (["rule", "compare", "red", "("], "la règle finit trop tôt"),
    (["rule", "check", "suit = colour"], "une enseigne et une couleur ne se comparent pas par ="),
    (["rule", "check", "7c7"], "colonne"),
    # files
    (["replay", "/"], "impossible de lire /\u00a0: C'est un dossier"),
    (["replay", "/etc/passwd"], "n'est pas un journal de partie\u00a0: il ne commence pas comme un journal"),
    (["play", "encan", "--log", LOG], "il existe et n'est pas remplacé sans demande"),
    (["play", "encan", "--log", "/no/where"], "impossible d'écrire /no/where\u00a0: Aucun fichier"),
    (["play", "encan", "--log", "/etc/passwd", "--overwrite"], "il existe et n'est pas un journal"),
    (["replay", BAD], "sa marque ne convient pas"),
    (["play", "--resume", LOG], "la partie est finie"),
    (["play", "--resume", "/no"], "impossible d'ouvrir /no en écriture"),
    (["replay", LOG, "--game", "3"], "n'est pas une archive"),
    (["log", "view", LOG, "--as", "9"], "9"),
    (["arena", "--resume", "/no"], "impossible"),
    # solvers and odds
    (["odds", "commerce", "A♥", "A♥", "4♠"], "A♥ y figure deux fois"),
    (["odds", "commerce", "A♥", "4x", "4♠"], "'4x' n'est pas une carte\u00a0: une carte est un rang"),
    (["odds", "commerce", "A♥", "4♠"], "une main a trois cartes"),
    (["solve", "trones", "--from", f"{LOG}@3"], "le journal est de encan"),
    (["solve", "commerce"], "est trop grand à résoudre"),
    (["solve", "tree", "encan", "--cards", "1-5", "--histories", "1000"], "a plus de 1,000 histoires"),
    (["games", "--lang", "fr", "--lang", "de"], "unknown language 'de'"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    log = recorded(folder / "log")
    data = bytearray(log.read_bytes())
    data[-40] ^= 1
    (folder / "bad").write_bytes(data)
    return {LOG: log, BAD: folder / "bad"}


@pytest.mark.parametrize(("words", "part"), REFUSALS, ids=[" ".join(words) for words, _ in REFUSALS])
def test_a_refusal_of_each_kind_is_french(words, part, files):
    line = [re.sub(r"^(LOG|BAD)", lambda found: str(files[found[0]]), word) for word in words]
    result = cardgods("--lang", "fr", *line)
    assert result.code in (2, 3, 4, 6, 8), result
    (complaint,) = [text for text in result.err.splitlines() if "erreur" in text or "error" in text]
    assert part in complaint
    if "de" in words:
        return
    assert complaint.startswith("cardgods\u00a0: erreur\u00a0: ")
    said = re.sub(r"'[^']*'|\S*/\S*|--\S+|«[^»]*»", "", complaint.replace("option cards", ""))
    assert not ENGLISH.search(said), complaint


@pytest.mark.parametrize(
    ("name", "move", "part"),
    [
        ("encan", "99", "'99' n'est pas possible ici\u00a0: 2, 3"),
        ("trones", "zz", "n'est pas un coup"),
        ("commerce", "fly", "'fly' n'est pas possible ici\u00a0: acheter, troquer, frapper"),
        ("eleusis", "zz", "'zz' n'est pas possible ici"),
    ],
)
def test_an_illegal_move_is_refused_in_french(name, move, part):
    result = cardgods("play", name, "--lang", "fr", "--seed", "4", stdin=f"{move}\n")
    assert result.code == 6
    assert part in result.err
    assert not ENGLISH.search(re.sub(r"'[^']*'", "", result.err)), result.err
