"""Columns of pandas whose cells no column of another library holds, put into one that does.

An index of intervals or periods and a sparse column become what they show. A column of objects may
hold anything: cells of one kind are taken in, and cells of several kinds are refused by name,
without any cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from indistinct.engines.odd_cells import fingerprint
from indistinct.errors import DataError, Fault

KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "truths"),
    ((int, float, Decimal), "numbers"),
    (str, "texts"),
    ((date, time, timedelta), "dates or times"),
    ((bytes, bytearray), "bytes"),
    ((dict, list, tuple, set, frozenset), "lists or records"),
)
UNHASHED = {"bytes", "lists or records"}
SHOWN = ("Interval", "Period")  # types of pandas that are written as what they show
REMEDY = "Write all of its cells as texts, or all as numbers or dates."


def plain_columns(data: Any, left_out: Collection[str]) -> Any:
    """Return a frame of pandas whose columns every library can take.

    Parameters
    ----------
    left_out : columns of which only repeats are counted, whatever they hold

    Raises
    ------
    DataError
        when columns hold cells of several kinds, all of them named
    """
    changed: dict[Any, Any] = {}
    faults: list[Fault] = []
    for name, column in data.items():
        plain = _plain(column)
        kinds = _kinds(plain)
        if str(name) in left_out and kinds & UNHASHED:
            changed[name] = _fingerprints(plain)
            continue
        if len(kinds) > 1 or kinds - {known for _, known in KINDS}:
            if str(name) not in left_out:
                listed = " and ".join(sorted(kinds))
                faults.append(Fault(f"columns.{name}", f"holds {listed}", REMEDY))
                continue
            plain = _fingerprints(plain)
        if plain is not column:
            changed[name] = plain
    if faults:
        raise DataError(faults)
    return data.assign(**changed) if _are_words(changed) else _assigned(data, changed)


def _plain(column: Any) -> Any:
    """Return a column as what it shows, where its type is one of pandas alone."""
    dtype = column.dtype
    kind = type(dtype).__name__
    if kind == "SparseDtype":
        return column.sparse.to_dense()
    categories = getattr(dtype, "categories", None)
    if kind in {"IntervalDtype", "PeriodDtype"} or (
        categories is not None
        and type(categories.dtype).__name__ in {"IntervalDtype", "PeriodDtype"}
    ):
        return column.astype(object).map(str, na_action="ignore")
    if dtype.kind == "O":
        known = column.dropna()
        if len(known) and all(
            isinstance(cell, UUID) or type(cell).__name__ in SHOWN for cell in known
        ):
            return column.map(str, na_action="ignore")
        if len(known) and all(isinstance(cell, int) for cell in known) and _is_large(known):
            return column.map(str, na_action="ignore")
    return column


def _is_large(numbers: Iterable[int]) -> bool:
    """Return whether whole numbers have more than 64 bits."""
    return any(not -(1 << 63) <= number < 1 << 63 for number in numbers)


def _kinds(column: Any) -> set[str]:
    """Return what the cells of a column of objects are; nothing for another column."""
    if column.dtype.kind == "c":
        return {"complex numbers"}
    if column.dtype.kind != "O":
        return set()
    types: set[type] = {type(cell) for cell in column.dropna()}
    return {_kind(one) for one in types}


def _kind(cell: type) -> str:
    """Return what cells of a type of Python are called."""
    if cell.__name__ == "ndarray":
        return "lists or records"
    return next((name for kind, name in KINDS if issubclass(cell, kind)), "objects of other types")


def _fingerprints(column: Any) -> Any:
    """Return texts that are equal where the cells are."""
    return column.astype(object).map(fingerprint, na_action="ignore")


def _are_words(names: Iterable[Any]) -> bool:
    """Return whether all names are texts."""
    return all(isinstance(name, str) for name in names)


def _assigned(data: Any, columns: dict[Any, Any]) -> Any:
    """Replace columns whose names are no texts."""
    copied = data.copy(deep=False)
    for name, column in columns.items():
        copied[name] = column
    return copied
