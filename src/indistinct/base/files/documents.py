"""Values as JSON: frozen dataclasses become documents, and documents become text, in one style.

A fingerprint of the input confirms a guess to nobody but its owner. A plain hash would: who knows a
table but for one cell tries every value until the hash is the same.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, cast

# On a field of a dataclass: its document leaves the word out while it is None.
WHERE_KNOWN = {"where known": True}
SALT_BYTES = 32


def document_of(value: object) -> dict[str, Any]:
    """Return a dataclass as a JSON document: its fields by name, in their order.

    Parameters
    ----------
    value : an instance; a field may hold such instances, mappings and sequences of them. One that
        writes several words for a field has a method ``document`` of its own
    """
    return {
        field.name: plain(part)
        for field in dataclasses.fields(cast("Any", value))
        for part in [getattr(value, field.name)]
        if part is not None or not WHERE_KNOWN.items() <= field.metadata.items()
    }


def plain(value: object) -> Any:
    """Return a value as JSON has it: dictionaries, lists, texts, numbers, truth values and None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        own = getattr(value, "document", None)
        return document_of(value) if own is None else own()
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, object]", value).items()
        return {name: plain(part) for name, part in entries}
    if isinstance(value, list | tuple):
        return [plain(part) for part in cast("Sequence[object]", value)]
    return value


def json_text(document: Mapping[str, Any]) -> str:
    """Write a document as JSON, for a file or for standard output.

    Two spaces a step, letters of all scripts as they are, null for infinite numbers, which JSON
    does not have; the last line ends.
    """
    text = json.dumps(_finite(document), indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n"


def _finite(found: object) -> object:
    """Return the document with null in place of infinite numbers."""
    if isinstance(found, Mapping):
        entries = cast("Mapping[str, object]", found).items()
        return {name: _finite(value) for name, value in entries}
    if isinstance(found, list | tuple):
        return [_finite(value) for value in cast("Sequence[object]", found)]
    return None if isinstance(found, float) and not math.isfinite(found) else found


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
