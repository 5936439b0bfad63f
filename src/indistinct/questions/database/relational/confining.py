"""The public values outside of which a question counts nobody."""

from __future__ import annotations

from fractions import Fraction

from indistinct.questions.database.dataset import Dataset, Key
from indistinct.questions.database.relational.tree import (
    Among,
    Constant,
    Expression,
    Name,
    Operation,
    Select,
)


def confined(select: Select, dataset: Dataset) -> dict[str, tuple[int, ...]]:
    """Return, per public key, the codes that every counted row has.

    Only conditions of one table are looked at that are joined by AND and name a key and values of
    it; all others confine nobody. So questions about different values are known to concern
    different people.
    """
    found: dict[str, tuple[int, ...]] = {}
    if select.joins or select.source.select is not None or select.where is None:
        return found
    if select.source.table.casefold() != dataset.table.casefold():
        return found
    keys = {name.casefold(): key for name, key in dataset.keys.items()}
    pending: list[Expression] = [select.where]
    while pending:
        node = pending.pop()
        match node:
            case Operation("AND", left, right):
                pending += [left, right]
            case Operation("=", Name(column), Constant() as one) if column.casefold() in keys:
                add(found, keys[column.casefold()], (one,))
            case Operation("=", Constant() as one, Name(column)) if column.casefold() in keys:
                add(found, keys[column.casefold()], (one,))
            case Among(Name(column), values) if column.casefold() in keys:
                add(found, keys[column.casefold()], values)
            case _:
                pass
    return found


def add(found: dict[str, tuple[int, ...]], key: Key, values: tuple[Expression, ...]) -> None:
    """Confine a key to the codes of some values; an undeclared value confines nobody."""
    codes: set[int] = set()
    for one in values:
        value = one.value if isinstance(one, Constant) else None
        if not isinstance(value, str | Fraction) or value not in key.code_of:
            return
        codes.add(key.code_of[value])
    before = found.get(key.name)
    found[key.name] = tuple(sorted(codes if before is None else codes & set(before)))
