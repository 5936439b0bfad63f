"""Lists of items in one cell, as JSON, PostgreSQL and Python write them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Sequence

from indistinct.base.cells.shares import are_few

BRACKETED = re.compile(r"\[(.*)\]|\{(.*)\}|\((.*)\)", re.DOTALL)
QUOTED = re.compile(r"\s*['\"]")
NOTHING = frozenset({"", "null", "none"})
FEWEST = 5  # records that hold lists


def items_of(text: str) -> list[str] | None:
    """Return the items of a list in brackets or braces; None for other texts.

    Parts in square brackets that have no quotes are numbers, or the ends of an interval.

    Examples
    --------
    >>> items_of('["a", "b c"]'), items_of("{a,b}"), items_of("['a']"), items_of("[]")
    (['a', 'b c'], ['a', 'b'], ['a'], [])
    >>> items_of("[20,40["), items_of("[20, 40]"), items_of("a,b"), items_of("[1, 2, 3]")
    (None, None, None, ['1', '2', '3'])
    """
    found = BRACKETED.fullmatch(text.strip())
    if found is None or found[3] is not None:
        return None
    inside = (found[1] if found[1] is not None else found[2]).strip()
    if not inside:
        return []
    items = _of_json(text) if found[1] is not None else None
    items = items if items is not None else _split(inside)
    is_interval = found[1] is not None and not QUOTED.match(inside) and len(items) == 2  # noqa: PLR2004 - ends
    is_nested = any(mark in item for item in items for mark in "[]{}")
    return None if is_interval or is_nested else items


def are_lists(texts: Sequence[str], records: Iterable[int]) -> bool:
    """Return whether nearly all cells of a column are lists in brackets or braces.

    Parameters
    ----------
    texts, records : the different cells, and the records of each
    """
    known = odd = quoted = 0
    for text, count in zip(texts, records, strict=True):
        known += count
        items = items_of(text)
        odd += count * (items is None)
        quoted += count * (items is not None and (text.lstrip()[0] == "{" or len(items) != 1))
    return known - odd >= FEWEST and quoted > 0 and are_few(odd, known)


def _of_json(text: str) -> list[str] | None:
    """Return the items of a list of JSON; None for other texts, and for lists of anything else."""
    try:
        found: object = json.loads(text)
    except ValueError:
        return None
    if not isinstance(found, list):
        return None
    items = [one for one in found if one is not None]  # pyright: ignore[reportUnknownVariableType]
    if not all(isinstance(one, str | int) and not isinstance(one, bool) for one in items):  # pyright: ignore[reportUnknownVariableType]
        return None
    return [str(one).strip() for one in items]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _split(inside: str) -> list[str]:
    """Cut items at commas; single or double quotes may stand around them."""
    mark = "'" if inside.startswith("'") else '"'
    rows = csv.reader([inside], quotechar=mark, escapechar="\\", skipinitialspace=True)
    items = [item.strip() for item in next(rows)]
    return [item for item in items if item.lower() not in NOTHING]
