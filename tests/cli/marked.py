"""Texts marked for translation, found in the source, and the catalogs that translate them."""

import ast
import io
import re
import string
from dataclasses import dataclass
from pathlib import Path

import click
from babel.messages.pofile import read_po

import cardgods_cli

PACKAGE = Path(cardgods_cli.__file__).parent
LOCALE = PACKAGE / "locale"
FOLDERS = ("commands", "config", "logs", "odds", "rule", "solve")
"""Where modules are commands, listed by the first line of their docstrings."""
ARGUMENTS = {"_": 1, "N_": 1, "n_": 2, "p_": 2, "ngettext": 2}
"""Functions that mark a text, and how many of their arguments are constants."""


@dataclass(frozen=True)
class Marked:
    texts: tuple[str, ...]
    where: str
    context: str | None = None


def marked_in(path):
    """All texts marked in a source file, and the calls that mark something made while running."""
    found, broken = [], []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        count = ARGUMENTS.get(node.func.id)
        if count is None or not node.args:
            continue
        where = f"{path.name}:{node.lineno}"
        texts = node.args[:count]
        if all(isinstance(text, ast.Constant) and isinstance(text.value, str) for text in texts):
            values = tuple(text.value for text in texts)
            found.append(
                Marked(values[1:], where, values[0]) if node.func.id == "p_" else Marked(values, where)
            )
        elif any(isinstance(text, ast.JoinedStr | ast.BinOp) for text in texts):
            broken.append(where)
    return found, broken


def marked():
    """All texts marked in the command line, and broken calls."""
    found, broken = [], []
    for path in sorted(PACKAGE.rglob("*.py")):
        more, wrong = marked_in(path)
        found += more
        broken += wrong
    return found, broken


def paragraphs(text, where):
    """Help is looked up paragraph by paragraph, as :func:`cardgods_cli.pages.text_of` does."""
    return [Marked((" ".join(part.split()),), where) for part in text.split("\n\n")]


def helps_in(path):
    """Texts of help pages in a source file: of options, metavars, docstrings of commands and of modules."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    if path.parent.name in FOLDERS and path.name != "__init__.py":
        first = re.match(r"(.*?)(?:\.?$|\.?\n|\. )", ast.get_docstring(tree, clean=False)).group(1)
        found.append(Marked((" ".join(first.split()),), f"{path.name}:1"))
    for node in ast.walk(tree):
        where = f"{path.name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if isinstance(keyword.value, ast.JoinedStr):
                    continue
                values = [n.value for n in ast.walk(keyword.value) if isinstance(n, ast.Constant)]
                texts = [value for value in values if isinstance(value, str)]
                if keyword.arg in ("help", "short_help"):
                    found += [one for text in texts for one in paragraphs(text, where)]
                elif keyword.arg in ("metavar", "subcommand_metavar", "options_metavar"):
                    found += [Marked((w,), where) for text in texts for w in re.findall("[A-Z]{2,}", text)]
            if ast.unparse(node.func) in ("click.Argument", "click.argument"):
                found += argument(node, where)
        elif isinstance(node, ast.FunctionDef) and any(
            isinstance(call, ast.Call) and ast.unparse(call.func) in ("click.command", "click.group")
            for call in node.decorator_list
        ):
            found += paragraphs(ast.get_docstring(node), where)
    return found


def argument(call, where):
    """The word that stands for an argument without a metavar."""
    if any(keyword.arg == "metavar" for keyword in call.keywords):
        return []
    first = call.args[0]
    name = first.elts[0].value if isinstance(first, ast.List) else first.value
    return [Marked((name.upper(),), where)]


def helps():
    """All texts of help pages in the command line."""
    return [text for path in sorted(PACKAGE.rglob("*.py")) for text in helps_in(path)]


def marked_by_click():
    """Texts that click itself looks up."""
    return {
        text
        for path in Path(click.__file__).parent.glob("*.py")
        for one in marked_in(path)[0]
        for text in one.texts[:1]
    }


def catalogs(lang):
    """The catalogs of a language by the names of their files."""
    paths = sorted((LOCALE / lang).glob("*.po"))
    return {
        path.name: read_po(io.BytesIO(path.read_bytes()), locale=lang, abort_invalid=True) for path in paths
    }


def holes(text):
    """Names and formats of the holes of a text, ``{name:g}`` or ``%(name)s``."""
    try:
        named = {(name, form) for _, name, form, _ in string.Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise AssertionError(f"{text!r}: {error}") from None
    return named, set(re.findall(r"%\(\w+\)\w", text))
