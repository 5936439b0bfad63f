"""The table as everything after counting sees it: distinct tuples of codes, with weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import GeneralizationHierarchy

# Name of the column of all sensitive values of a record together; no column of a file has it.
TOGETHER = "\0"
# Name of the column of the people that records belong to, where a policy counts these.
PERSON = "\0person"


def person_and(column: str) -> str:
    """Name the column of the pairs of person and value of a sensitive column."""
    return f"{PERSON} and {column}"


@dataclass(frozen=True, slots=True)
class Share:
    """What combinations of values hold of one sensitive column.

    Parameters
    ----------
    own : (n_values,), value of the column in each combination
    rest : (n_values,), number of what the other columns have in it
    """

    own: Codes
    rest: Codes


@dataclass(frozen=True, slots=True)
class SensitiveColumn:
    """A sensitive column in the whole table.

    Parameters
    ----------
    name : the column
    values : (n_values,), texts in value order: by number or date where the column has one, else
        alphabetical
    numbers : (n_values,), the numbers, or None for words
    counts : (n_values,), records per value in the whole original table, suppressed ones included
    hierarchy : over ``values``, in their order, or None
    joins : per sensitive column, what the values hold of it, where they are combinations
    has_missing : whether the last of the values stands for a missing one
    """

    name: str
    values: tuple[str, ...]
    numbers: Floats | None
    counts: Ints
    hierarchy: GeneralizationHierarchy | None = None
    joins: Mapping[str, Share] = field(default_factory=dict[str, Share])
    has_missing: bool = False

    __repr__ = short_repr

    @property
    def n_values(self) -> int:
        """Number of distinct values in the whole table."""
        return len(self.values)

    @property
    def known(self) -> SensitiveColumn:
        """The column without the missing value."""
        if not self.has_missing:
            return self
        return replace(
            self,
            values=self.values[:-1],
            numbers=None if self.numbers is None else self.numbers[:-1],
            counts=self.counts[:-1],
            hierarchy=None if self.hierarchy is None else self.hierarchy.without_last,
            has_missing=False,
        )

    @property
    def shares(self) -> Floats:
        """Distribution in the whole table: (n_values,), sums to 1."""
        return self.counts / self.counts.sum()


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """How often each value occurs in each class: runs of (value, count) pairs.

    Parameters
    ----------
    starts : (n_classes + 1,), where each class's run begins
    values : (n_pairs,), 0 <= value < n_values, distinct inside a run
    counts : (n_pairs,), records, at least 1
    """

    starts: Ints
    values: Codes
    counts: Ints

    @property
    def owners(self) -> Ints:
        """Class of each pair: (n_pairs,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def chosen(self, which: Bools) -> ValueCounts:
        """Return the runs of some classes.

        Parameters
        ----------
        which : (n_classes,)
        """
        lengths = np.diff(self.starts)
        pairs = np.repeat(which, lengths)
        starts = np.concatenate([[0], np.cumsum(lengths[which])]).astype(np.int64)
        return ValueCounts(starts, self.values[pairs], self.counts[pairs])

    def below(self, value: int) -> ValueCounts:
        """Return the pairs of the values whose code is less than ``value``, in all classes."""
        kept = self.values < value
        starts = np.concatenate([[0], np.cumsum(kept)])[self.starts].astype(np.int64)
        return ValueCounts(starts, self.values[kept], self.counts[kept])

    def dense(self, n_values: int) -> Ints:
        """Return the records per class and value: (n_classes, n_values)."""
        table = np.zeros((len(self.starts) - 1, n_values), np.int64)
        table[self.owners, self.values] = self.counts
        return table


@dataclass(frozen=True, slots=True)
class FrequencyTable:
    """Distinct tuples of quasi-identifiers and sensitive values, as integer codes with weights.

    Parameters
    ----------
    columns : names of the quasi-identifiers
    codes : (n_tuples, n_columns), value code per quasi-identifier
    weights : (n_tuples,), records that share the tuple, at least 1
    sensitive : the sensitive columns that some model reads
    sensitive_codes : per sensitive column, (n_tuples,), value code
    value_records : per quasi-identifier that was counted by labels and not by values, where one
        value of a label stands for all of them: (n_values,), records per value code
    """

    columns: tuple[str, ...]
    codes: Codes
    weights: Ints
    sensitive: Mapping[str, SensitiveColumn] = field(default_factory=dict[str, SensitiveColumn])
    sensitive_codes: Mapping[str, Codes] = field(default_factory=dict[str, Codes])
    value_records: Mapping[int, Ints] = field(default_factory=dict[int, Ints])
    # Every search, loss and bound asks for the same counts.
    _counted: dict[int, Ints] = field(default_factory=dict[int, Ints], init=False, compare=False)

    __repr__ = short_repr

    @property
    def sensitive_in_file(self) -> Mapping[str, SensitiveColumn]:
        """The sensitive columns without those that serve for counting and that no file has."""
        return {
            name: column for name, column in self.sensitive.items() if not name.startswith(TOGETHER)
        }

    @property
    def n_tuples(self) -> int:
        """Number of distinct tuples."""
        return len(self.weights)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.weights.sum())

    @property
    def n_columns(self) -> int:
        """Number of quasi-identifiers."""
        return self.codes.shape[1]

    def chosen(self, tuples: Codes, weights: Ints) -> FrequencyTable:
        """Return some tuples, which may repeat, with weights of their own.

        Parameters
        ----------
        tuples, weights : (n_chosen,)
        """
        return replace(
            self,
            codes=self.codes[tuples],
            weights=weights,
            value_records={},
            sensitive_codes={name: codes[tuples] for name, codes in self.sensitive_codes.items()},
        )

    def value_weights(self, column: int) -> Ints:
        """Return the records per value code of a quasi-identifier."""
        if column in self.value_records:
            return self.value_records[column]
        if column not in self._counted:
            counts = np.bincount(self.codes[:, column], self.weights)
            self._counted[column] = counts.astype(np.int64)
        return self._counted[column]


@dataclass(frozen=True, slots=True)
class PopulationTable:
    """The distinct tuples of a population, in the words of a table's hierarchies.

    Parameters
    ----------
    codes : (n_tuples, n_columns), number of the population's own value per quasi-identifier
    labels : per quasi-identifier, (n_levels, n_values), code of the label that the table's
        hierarchy has above each of the population's values; -1 where it has none
    weights : (n_tuples,), people that share the tuple
    numbers : per quasi-identifier, (n_values,), the numbers of the population's values, NaN for a
        missing one, or None for words
    """

    codes: Codes
    labels: tuple[Codes, ...]
    weights: Ints
    numbers: tuple[Floats | None, ...] = ()

    @property
    def size(self) -> int:
        """People of the population."""
        return int(self.weights.sum())
