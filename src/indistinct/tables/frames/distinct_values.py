"""The values of one column with their records: what a draft of a policy is made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final, overload

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.frames.encoding import numbers_of, value_codes
from indistinct.tables.frames.frame import Column

BATCH = 1 << 16


@final
class Texts(Sequence[str]):
    """Texts that become Python's own only when they are asked for: millions of them take little."""

    def __init__(self, texts: Column) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, int):
            return self._texts[place]
        return tuple(self._texts[place].to_list())

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self._texts), BATCH):
            yield from self._texts[start : start + BATCH].to_list()

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and bool((self._texts == text).any())


@dataclass(frozen=True, slots=True)
class DistinctValues:
    """The values of a column that are not missing, in their order.

    Parameters
    ----------
    texts : (n_distinct,), how each is written
    numbers : (n_distinct,), ascending; None for texts
    records : (n_distinct,), records of each
    n_missing : records without a value
    """

    texts: Sequence[str]
    numbers: Floats | None
    records: Ints
    n_missing: int

    __repr__ = short_repr


def distinct_values(column: Column) -> tuple[DistinctValues, Codes]:
    """Count the values of a column of records.

    Returns
    -------
    the values, and the code of each record in the least type that holds it: (n_rows,). A missing
    value comes after all others
    """
    known, codes = value_codes(column)
    sizes = np.bincount(codes, minlength=len(known))
    return _values(known, sizes), codes.astype(np.min_scalar_type(len(known)))


def counted_values(values: Column, records: Ints) -> tuple[DistinctValues, Codes]:
    """Return the values that an engine counted, in order.

    Parameters
    ----------
    values, records : (n_distinct,), a missing value among them

    Returns
    -------
    the values, and the place of each of the given ones, that of a missing value last
    """
    known, codes = value_codes(values)
    sizes = np.bincount(codes, records, len(known)).astype(np.int64)
    return _values(known, sizes), codes


def _values(known: Column, sizes: Ints) -> DistinctValues:
    """Return the values of a column and their records, of which the missing ones come last."""
    is_number = known.dtype.is_integer() or known.dtype.is_float()
    n_missing = int(sizes[len(known)]) if len(sizes) > len(known) else 0
    return DistinctValues(
        Texts(known.cast(str)),
        numbers_of(known) if is_number else None,
        sizes[: len(known)].astype(np.int64),
        n_missing,
    )
