"""The conditions of a question, and the codes of keys that they confine it to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Compare:
    """A number compared with a constant; a missing number satisfies nothing."""

    column: str
    operator: str
    value: Fraction

    def __str__(self) -> str:
        return f'"{self.column}" {self.operator} {self.value}'


@final
@dataclass(frozen=True, slots=True)
class OneOf:
    """A text among constants, or among no such constants; a missing text satisfies neither."""

    column: str
    values: tuple[str, ...]
    negated: bool

    def __str__(self) -> str:
        words = ", ".join("'" + value.replace("'", "''") + "'" for value in self.values)
        return f'"{self.column}" {"NOT IN" if self.negated else "IN"} ({words})'


@final
@dataclass(frozen=True, slots=True)
class KnownValue:
    """Whether a value is known, or with ``negated`` missing."""

    column: str
    negated: bool

    def __str__(self) -> str:
        return f'"{self.column}" IS {"NULL" if self.negated else "NOT NULL"}'


@final
@dataclass(frozen=True, slots=True)
class InCells:
    """A public key with one of these codes."""

    key: str
    codes: tuple[int, ...]

    def __str__(self) -> str:
        return f'"{self.key}" CODES ({", ".join(map(str, self.codes))})'


@final
@dataclass(frozen=True, slots=True)
class Conjunction:
    """All, or any, of some conditions."""

    word: str
    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return "(" + f" {self.word} ".join(map(str, self.parts)) + ")"


Condition = Compare | OneOf | KnownValue | InCells | Conjunction


def box(condition: Condition) -> dict[str, tuple[int, ...]]:
    """Return codes per key that hold every row that satisfies the condition."""
    match condition:
        case InCells(key, codes):
            return {key: codes}
        case Conjunction("AND", parts):
            return _meet(map(box, parts))
        case Conjunction(_, parts):
            return _join([box(part) for part in parts])
        case _:
            return {}


def _meet(boxes: Iterable[dict[str, tuple[int, ...]]]) -> dict[str, tuple[int, ...]]:
    met: dict[str, tuple[int, ...]] = {}
    for one in boxes:
        for key, codes in one.items():
            allowed = frozenset(codes)
            met[key] = tuple(code for code in met.get(key, codes) if code in allowed)
    return met


def _join(boxes: list[dict[str, tuple[int, ...]]]) -> dict[str, tuple[int, ...]]:
    shared = set(boxes[0]).intersection(*boxes[1:])
    return {
        key: tuple(sorted({code for one in boxes for code in one[key]})) for key in sorted(shared)
    }


def joined(word: str, parts: Iterable[Condition]) -> Condition:
    """Join conditions in an order of their own, each once."""
    flat: set[Condition] = set()
    for part in parts:
        flat.update(part.parts if isinstance(part, Conjunction) and part.word == word else (part,))
    if len(flat) == 1:
        return flat.pop()
    return Conjunction(word, tuple(sorted(flat, key=str)))


def atoms(condition: Condition) -> Iterator[Condition]:
    """List the comparisons of a condition."""
    if isinstance(condition, Conjunction):
        for part in condition.parts:
            yield from atoms(part)
    else:
        yield condition
