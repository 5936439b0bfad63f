"""Does the ledger have the charge of a model? Looked up in the ledger's own file, read only."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

BILLION = 10**9
FOUND = """
    SELECT id, answer FROM charges
    WHERE dataset = ? AND shared >= ? AND question LIKE 'SYNTHESIZE %' AND answer IS NOT NULL
"""


def entries_of(declared: Mapping[str, Any], folder: Path, model: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the ledger's charges that paid for this very model.

    Parameters
    ----------
    declared : the declaration, which names the ledger
    folder : where the declaration lies

    Raises
    ------
    FileNotFoundError
        where the ledger is not at hand: it lies in a database server, or only its owner has it
    """
    location = str(declared["dataset"]["ledger"])
    path = folder / location
    if "://" in location or not path.is_file():
        raise FileNotFoundError
    price = round(model["rho"] * BILLION)
    try:
        uri = f"file:{quote(str(path.resolve()))}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            rows = connection.execute(FOUND, (declared["dataset"]["name"], price)).fetchall()
    except sqlite3.Error:
        raise FileNotFoundError from None
    return [number for number, answer in rows if _is(answer, model)]


def _is(answer: str, model: Mapping[str, Any]) -> bool:
    try:
        return _same(json.loads(answer), model)
    except ValueError:
        return False


def _same(kept: object, given: object) -> bool:
    """Compare a part of a model: ledgers of older versions keep counts with more decimals."""
    if isinstance(kept, list) and isinstance(given, list):
        many, more = cast("list[object]", kept), cast("list[object]", given)
        return len(many) == len(more) and all(map(_same, many, more))
    if isinstance(kept, dict) and isinstance(given, dict):
        ones, others = cast("dict[str, object]", kept), cast("dict[str, object]", given)
        return ones.keys() == others.keys() and all(_same(ones[at], others[at]) for at in ones)
    return bool(kept == given or (isinstance(kept, float) and round(kept, 6) == given))
