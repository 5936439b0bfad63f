"""What one column shows of itself: its name, its values and how often they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.drafting.item_sets import ItemSets, item_sets
from indistinct.tables.drafting.values import (
    MOST_READ,
    OF_PEOPLE,
    OF_THINGS,
    are_free_text,
    look_like,
)
from indistinct.tables.drafting.vocabulary import Match, vocabulary
from indistinct.tables.frames.distinct_values import DistinctValues
from indistinct.tables.reading.declared_formats import DATE, NUMBER, ColumnFormat

NEARLY_UNIQUE = 0.9
MOST_MEANINGS = 61  # more values are no words of one kind
UNSURE_NUMBERS = "numbers whose decimals cannot be told"
DOUBTS = {DATE: "dates", NUMBER: UNSURE_NUMBERS}


@dataclass(frozen=True)
class CountedColumn:
    """A column of a table, counted.

    Parameters
    ----------
    name, type : the column; ``integer``, ``number``, ``date``, ``text`` or ``boolean``
    values : its values with their records; of some records only where they are too many
    follows_rows : whether its values nearly number the records
    guessed : different values and records with a value, where ``values`` has only some of them
    separator : of texts that are the lists of the table; None where it has none
    form : how its cells are written, where they had to be put into plain form or cannot be
    measure : ``nominal`` or ``ordinal`` where a statistics file says that its numbers are codes
    label : what a statistics file says that the column is about; else empty
    value_labels : what it says of some values
    """

    name: str
    type: str
    values: DistinctValues
    follows_rows: bool = False
    guessed: tuple[int, int] | None = None
    separator: str | None = None
    label: str = ""
    form: ColumnFormat | None = None
    measure: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict[str, str])

    __repr__ = short_repr

    @property
    def counts(self) -> Ints:
        """Records of each value that is not missing: (n_distinct,)."""
        return self.values.records

    @property
    def texts(self) -> Sequence[str]:
        """The values that are not missing, as they are written: (n_distinct,)."""
        return self.values.texts

    @property
    def meanings(self) -> Sequence[str]:
        """What the values mean: their labels where a file has some, else the values."""
        return tuple(self.value_labels.values()) or self.texts[:MOST_MEANINGS]

    @property
    def numbers(self) -> Floats | None:
        """The numbers of these values, ascending; None for texts."""
        return self.values.numbers

    @property
    def is_whole(self) -> bool:
        """Whether all values are at hand."""
        return self.guessed is None

    @property
    def distinct(self) -> int:
        """Different values."""
        return len(self.counts) if self.guessed is None else self.guessed[0]

    @cached_property
    def known(self) -> int:
        """Records with a value."""
        return int(self.counts.sum()) if self.guessed is None else self.guessed[1]

    @property
    def missing(self) -> int:
        """Records without a value."""
        return self.values.n_missing

    @property
    def sizes(self) -> Ints:
        """Records of each value, the missing one last where there is one."""
        return np.append(self.counts, [self.missing] if self.missing else []).astype(np.int64)

    @property
    def uniqueness(self) -> float:
        """Different values / records with a value; 0 where there is none."""
        return self.distinct / self.known if self.known else 0.0

    @property
    def is_nearly_unique(self) -> bool:
        """Whether nine of ten values differ from all others."""
        return self.uniqueness >= NEARLY_UNIQUE

    @property
    def top_share(self) -> float:
        """Share of the known records that have the most frequent value."""
        return float(self.counts.max()) / max(int(self.counts.sum()), 1) if self.known else 0.0

    @cached_property
    def read(self) -> Sequence[str]:
        """Some distinct values, evenly spaced, that patterns are compared with."""
        step = max(1, -(-len(self.texts) // MOST_READ))
        return self.texts[::step]

    @cached_property
    def like_people(self) -> str | None:
        """What of a person the values look like: e-mail addresses, telephone numbers ..."""
        if self.type not in {"text", "integer"}:
            return None
        return look_like(self.read, OF_PEOPLE)

    @cached_property
    def like(self) -> str | None:
        """What else the values look like: dates, codes, bands."""
        if self.type == "date":
            return "dates"
        if self.type != "text":
            return None
        if self.form is not None and self.form.doubt:
            return DOUBTS.get(self.form.kind)
        return look_like(self.read, OF_THINGS)

    @property
    def is_odd(self) -> bool:
        """Whether its cells are bytes, lists or records, of which only repeats are known."""
        return self.form is not None and self.form.kind not in DOUBTS

    @cached_property
    def sets(self) -> ItemSets | None:
        """The items of cells that are lists of them; None where they are single values."""
        if self.type != "text" or self.like_people or self.like:
            return None
        return item_sets(self.values, self.separator)

    @cached_property
    def is_free_text(self) -> bool:
        """Whether the values are sentences that rarely repeat."""
        many = self.distinct > max(20, 0.3 * self.known)
        return self.type == "text" and many and are_free_text(self.read)

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The meanings of the name; of the label, too, where the name alone decides nothing."""
        found = vocabulary().matches(self.name)
        if not self.label or any(match.meaning.sure for match in found):
            return found
        return (*found, *vocabulary().matches_of_label(self.label))
