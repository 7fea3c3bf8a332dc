"""One self-contained page to step through a game: nothing is fetched, nothing of a log is markup or code."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from cardgods_cli.export.record import Telling, data_of
from cardgods_cli.words import LANGUAGES, N_, _, language, speaking

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
LABELS = {
    "title": N_("Game"),
    "first": N_("To the start"),
    "back": N_("Back"),
    "next": N_("Next"),
    "last": N_("To the end"),
    "place": N_("Place in the game"),
    "moves": N_("Moves"),
    "board": N_("Table"),
    "language": N_("Language"),
    "light": N_("Light or dark"),
    "step": N_("{at} of {all}"),
    "facedown": N_("a card face down"),
    "free": N_("a free place"),
    "turn": N_("to move"),
    "keys": N_("Arrow keys, Home and End step through the game; on a touch screen, swipe."),
}


def page(told: Telling, title: str) -> str:
    """A page, whose language is that in force until its reader changes it.

    Args:
        told: the game.
        title: of the window, any text.
    """
    data = data_of(told)
    data["labels"] = {key: _versions(text) for key, text in LABELS.items()}
    data["start"] = language()
    style, script = (_part(name) for name in ("page.css", "page.js"))
    return Template(_part("page.tmpl")).substitute(
        lang=language(),
        policy=_policy(style, script),
        title=html.escape(title),
        style=style,
        script=script,
        data=_json(data),
        plain="\n".join(_plain(told)),
    )


def _part(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8").strip()


def _policy(style: str, script: str) -> str:
    """What the page may do: run this style and this script, and nothing else (W3C, CSP Level 3)."""
    rules = [
        f"style-src {_hash(style)}",
        f"script-src {_hash(script)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(["default-src 'none'", *rules])


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _json(data: dict[str, Any]) -> str:
    """ASCII JSON in which no text can end the element that it stands in."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _versions(text: str) -> Sequence[str]:
    found = []
    for lang in LANGUAGES:
        with speaking(lang):
            found.append(_(text))
    return found


def _plain(told: Telling) -> list[str]:
    """The game as a list, for who runs no scripts."""
    return [f"<li>{html.escape(' '.join(moment.news))}</li>" for moment in told.moments()]
