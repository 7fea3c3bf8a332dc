"""What a log can hold: limits, and checks of single values, the same for writers and readers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from operator import index
from typing import Any, TypeAlias

from cardgods.errors import ParameterError

MAX_SEATS = 12
MAX_NAME = 4096
"""Bytes of UTF-8 of a player's name."""
MAX_AGENT = 512
MAX_SEED = 256
MAX_TOKEN = 128
"""Bytes of a short text: game, variant, kind of seat, engine, generator, reason, name of an extension."""
MAX_EXTENSIONS = 16
MAX_DEPTH = 16
"""Maps and arrays inside one another in one body, the outermost included."""
MAX_TEXT = 65_535
"""Bytes of UTF-8 of any other text; the record as a whole has a limit too."""
MAX_ACTION = 2**31 - 1
SECRET_BYTES = 32
"""Bytes of the secret of a committed deal, and of the commitment."""
MAX_CUT = 64
"""Bytes of what a player adds to a committed deal."""
MAX_LEARNT = 1024
"""Bytes of what a seat learns from one event."""

Plain: TypeAlias = Any
"""None, bool, int of 64 bits, finite float, str, tuple or str-keyed dict of such values."""


def check_text(label: str, value: object, limit: int) -> None:
    """Refuse what is no text of at most `limit` bytes, or what no file can hold.

    Raises:
        ParameterError: saying what is allowed.
    """
    if type(value) is not str:
        raise ParameterError(f"{label} is a text, not {type(value).__name__}")
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError as error:
        code = ord(value[error.start])
        raise ParameterError(
            f"{label} has a lone surrogate, U+{code:04X}, as character {error.start + 1}: "
            "it must be valid Unicode text"
        ) from None
    if size > limit:
        raise ParameterError(f"{label} has {size} bytes of UTF-8, at most {limit} are allowed")


def check_bytes(label: str, value: object, least: int, most: int) -> None:
    """Refuse what is no bytes object, or has another length.

    Raises:
        ParameterError: saying what is allowed.
    """
    if type(value) is not bytes:
        raise ParameterError(f"{label} is bytes, not {type(value).__name__}")
    if not least <= len(value) <= most:
        allowed = str(most) if least == most else f"{least}..{most}"
        raise ParameterError(f"{label} has {len(value)} bytes, allowed are {allowed}")


def check_seed(label: str, value: object) -> None:
    """Refuse what is no seed: None, an integer or a text.

    Raises:
        ParameterError: saying what is allowed.
    """
    if value is None:
        return
    if type(value) is int:
        if abs(value) >= 10**MAX_SEED // 10:
            raise ParameterError(f"{label} has more than {MAX_SEED - 1} digits")
    elif type(value) is str:
        check_text(label, value, MAX_SEED)
    else:
        raise ParameterError(f"{label} is an integer or a text, not {type(value).__name__}")


def integer(label: str, value: object, most: int) -> int:
    """A plain int 0..most from any integer type but bool.

    Raises:
        ParameterError: for anything else.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ParameterError(f"{label} is an integer, not {type(value).__name__}")
    number = index(value)
    if not 0 <= number <= most:
        raise ParameterError(f"{label} is {number}, allowed are 0..{most}")
    return number


def plain(label: str, value: object, depth: int = MAX_DEPTH) -> Plain:
    """A copy of a value in which lists are tuples, for a header's options and free fields.

    Args:
        label: what the value is, for the message.
        value: what a log can hold (see Plain).
        depth: how many levels of maps and arrays are left.

    Raises:
        ParameterError: for anything that a log cannot hold.
    """
    if value is None or type(value) in (bool, bytes):
        return value
    if type(value) is int:
        if not -(2**63) <= value < 2**64:
            raise ParameterError(f"{label} holds an integer of more than 64 bits")
        return value
    if type(value) is float:
        if not math.isfinite(value):
            raise ParameterError(f"{label} holds {value}, which is no finite number")
        return value
    if type(value) is str:
        check_text(label, value, MAX_TEXT)
        return value
    if not isinstance(value, list | tuple | Mapping):
        raise ParameterError(f"{label} holds a {type(value).__name__}, which a log has no room for")
    if depth == 0:
        raise ParameterError(
            f"{label} is nested too deeply: {MAX_DEPTH} levels are allowed, the header's own included"
        )
    if not isinstance(value, Mapping):
        return tuple(plain(label, item, depth - 1) for item in value)
    for key in value:
        check_text(f"a key of {label}", key, MAX_TOKEN)
    return {key: plain(label, value[key], depth - 1) for key in sorted(value)}
