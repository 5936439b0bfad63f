"""Columns that may be keys or hold keys: how their values meet, and what their names share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from indistinct.base.brief import short_repr
from indistinct.tables.core.key_columns import SEPARATOR
from indistinct.tables.drafting.vocabulary import readings_of, vocabulary

KNOWN, DIFFERENT, CONTAINED = 0.98, 0.97, 0.95  # shares of the rows; of a key, and of a reference
NEARLY = 0.5  # share from which a reference by its name is told although it is none
LEAST_VALUES = 2  # different ones, so that to be contained says something
# By its values alone a column is a reference only if they are no small numbers.
LEAST_BY_VALUES, SHORTEST = 10, 4
CODED = re.compile(r"(?=.*[^\W\d_])(?=.*[0-9])[\w.-]{4,}|[0-9]{6,}")
LOOK = 200  # values that are tried before all are
# What the name of a key has beside the words that say whose key it is.
OF_KEYS = frozenset(
    {
        "id",
        "ids",
        "no",
        "nr",
        "num",
        "number",
        "key",
        "code",
        "ref",
        "fk",
        "pk",
        "uuid",
        "guid",
        "of",
        "by",
    }
)
# How strongly names, or the database itself, speak for a reference.
DECLARED, SAME_NAME, SAME_ENDING, BY_VALUES = 4, 3, 2, 1


class KeyColumn:
    """A column that may be a key or hold keys.

    Parameters
    ----------
    texts : (n_rows,), its cells; empty where one is missing
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.records = Counter(texts)
        self.n_missing = self.records.pop("", 0)
        self.n_rows = len(texts)

    __repr__ = short_repr

    @cached_property
    def values(self) -> frozenset[str]:
        """The different values."""
        return frozenset(self.records)

    @property
    def n_known(self) -> int:
        """Rows with a value."""
        return self.n_rows - self.n_missing

    @property
    def is_unique(self) -> bool:
        """Whether each row has a value of its own."""
        return len(self.records) == self.n_rows

    @property
    def is_nearly_unique(self) -> bool:
        """Whether that is so but for a few rows."""
        return (
            self.n_known >= KNOWN * self.n_rows
            and len(self.records) >= DIFFERENT * self.n_known
            and self.n_rows > 0
        )

    def share_in(self, key: KeyColumn) -> float:
        """Return the share of the rows with a value whose value a key has; 0 where it is small."""
        some = list(islice(self.records, LOOK))
        if sum(one in key.records for one in some) < NEARLY * len(some):
            return 0.0
        inside = sum(count for value, count in self.records.items() if value in key.records)
        return inside / self.n_known if self.n_known else 0.0

    @cached_property
    def is_coded(self) -> bool:
        """Whether the values are codes that another column does not have by chance."""
        some = list(islice(self.records, LOOK))
        return len(self.records) >= LEAST_BY_VALUES and all(map(CODED.fullmatch, some))


Columns = Mapping[str, KeyColumn]


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """A column that may hold the keys of a table.

    Parameters
    ----------
    name, column : the table, and its column
    table, key : whose keys these may be
    share : of the rows with a value, those whose value is a key
    names : how strongly the names speak for it
    """

    name: str
    column: str
    table: str
    key: str
    share: float
    names: int

    @classmethod
    def declared(cls, name: str, column: str, table: str, key: str) -> LinkCandidate:
        """Return a reference that a database declares, whose rows all have one of the keys."""
        return cls(name, column, table, key, 1.0, DECLARED)

    @property
    def is_reference(self) -> bool:
        """Whether enough rows lead to a key."""
        return self.share >= CONTAINED


def link_candidates(tables: Mapping[str, Columns]) -> Iterator[LinkCandidate]:
    """Yield the columns that may hold the keys of a table, itself among them."""
    for table, columns in tables.items():
        keys = {name: one for name, one in columns.items() if _may_be_key(table, name, one)}
        for name, others in tables.items():
            for column, own in others.items():
                for key, there in keys.items():
                    if (name, column) == (table, key) or len(own.records) < LEAST_VALUES:
                        continue
                    found = _candidate(name, column, own, table, key, there)
                    if found is not None:
                        yield found


def _candidate(  # noqa: PLR0913, PLR0917 - two columns, each of a table
    name: str, column: str, own: KeyColumn, table: str, key: str, there: KeyColumn
) -> LinkCandidate | None:
    """Return what a column may be to a key; None where nothing speaks for it."""
    names = _names(name, column, table, key)
    if name == table:
        # Within a table, most names share a word: those of its keys must speak by their values.
        names = BY_VALUES
    if names == BY_VALUES and not (own.is_coded and there.is_coded):
        return None
    if not names or (own.is_unique and not _is_below(name, column, own, table, there)):
        return None
    share = own.share_in(there)
    return LinkCandidate(name, column, table, key, share, names) if share >= NEARLY else None


def _is_below(name: str, column: str, own: KeyColumn, table: str, there: KeyColumn) -> bool:
    """Return whether a table with a row for each of its keys lies below another one.

    That of the more rows is above; of as many rows, the one that the column is named after.
    """
    if len(there.records) != len(own.records):
        return len(there.records) > len(own.records)
    words = words_of(column)
    return bool(words & words_of(table)) and not words & words_of(name)


def _may_be_key(table: str, name: str, column: KeyColumn) -> bool:
    """Return whether a column has one row for each value, or nearly so and the name of a key."""
    if column.is_unique:
        return column.n_rows > 0
    return (
        column.is_nearly_unique
        and SEPARATOR not in name
        and (is_named_as_key(name) or bool(words_of(name) & words_of(table)))
    )


def _names(name: str, column: str, table: str, key: str) -> int:
    """Return how strongly the names of a column and of a key speak for a reference; 0 if not."""
    if SEPARATOR in column or SEPARATOR in key:
        return SAME_NAME if column.lower() == key.lower() else 0
    own, there = words_of(column), words_of(key)
    if own & (there | words_of(table)):
        return SAME_NAME
    first, second = column.lower(), key.lower()
    if first == second and not own:
        # Two tables may both call their keys "id".
        return BY_VALUES
    if (first.endswith(second) or second.endswith(first)) and not own & words_of(name):
        return SAME_ENDING
    return BY_VALUES


@lru_cache(maxsize=4096)
def words_of(name: str) -> frozenset[str]:
    """Return the words of a name that say whose it is, each as if it stood for one thing."""
    parts = {part for reading in readings_of(name) for part in reading}
    return frozenset(_singular(part) for part in parts if not part.isdigit()) - OF_KEYS


def _singular(word: str) -> str:
    """Return a word without the end of a plural, and without that of a key."""
    for ending in ("_id", "id", "nr", "no"):
        if len(word) > len(ending) + 2 and word.endswith(ending):
            word = word.removesuffix(ending)
            break
    if word.endswith("ies") and len(word) > len("dies"):
        return word.removesuffix("ies") + "y"
    return word.removesuffix("s") if len(word) > len("gas") else word


def is_named_as_key(name: str) -> bool:
    """Return whether a name has a word of keys, such as *id* or *number*."""
    parts = {part for reading in readings_of(name) for part in reading}
    plain = {key.strip("*") for key in vocabulary().keys}
    return bool(parts & plain) or any(
        part.endswith(ending) for part in parts for ending in ("id", "nummer", "nr")
    )
