"""Deals that can be checked afterwards: a commitment, cuts, and what opens the commitment.

The dealer (this program) chooses a secret and publishes its commitment; then each player who wishes cuts,
that is he adds something of his own; only then do secret and cuts together fix every chance outcome. Once the
secret is shown, anybody can deal again and compare. docs/log-format.md says what that proves and what not.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from cardgods.log.codec import ascending, pack
from cardgods.log.values import SECRET_BYTES, Plain

_COMMIT = b"cardgods-commit-v1"
_DEAL = b"cardgods-deal-v1"


def new_secret() -> bytes:
    """The secret of a new deal, from the operating system's generator."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes, hidden: Mapping[str, Plain]) -> bytes:
    """What binds a secret, and hidden rule options with it, before the game.

    Args:
        secret: 32 random bytes; fewer, or guessable ones, would hide nothing.
        hidden: the options of ``Game.secret_parameters``.

    Returns:
        SHA-256 of a label, the secret and the options in canonical msgpack.
    """
    return hashlib.sha256(_COMMIT + secret + pack(ascending(hidden))).digest()


def deal_seed(secret: bytes, opening_tag: bytes) -> bytes:
    """The seed of all random numbers of a committed deal.

    Args:
        secret: what opens the commitment.
        opening_tag: tag of the last record before the game, which vouches for the header and all cuts.

    Returns:
        HMAC-SHA-256 under the secret of a label and the tag (RFC 2104).
    """
    return hmac.digest(secret, _DEAL + opening_tag, "sha256")
