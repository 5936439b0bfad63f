"""A fingerprint of the input that confirms a guess to nobody but the owner.

A plain hash would: who knows a table but for one cell tries every value until the hash is the same.
"""

from __future__ import annotations

import hashlib
import secrets

SALT_BYTES = 32


def fresh_salt() -> str:
    """Draw a salt, hexadecimal; never from the seed of a run, which may be told."""
    return secrets.token_hex(SALT_BYTES)


def fingerprint(sha256: str, salt: str) -> str:
    """Return the SHA-256 of a salt and a table's own hash, hexadecimal.

    Parameters
    ----------
    sha256 : hash of the table, hexadecimal
    salt : known to the owner alone, hexadecimal
    """
    return hashlib.sha256(bytes.fromhex(salt) + bytes.fromhex(sha256)).hexdigest()
