"""The released records as a repair sees and changes them: their cells, values and classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.classes import EquivalenceClasses, count_values
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.grouping import group_few_rows
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.models import ColumnModel
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.release.read_back import GeneralizedColumn, ReadBack, Units
from indistinct.tables.release.read_back_of_release import ReleasedColumns


@dataclass(frozen=True, slots=True)
class RecordsToRepair:
    """What does not change while records are repaired.

    Parameters
    ----------
    prepared : the counted records
    noised : their classes as they were found
    columns : the columns of the release, in rows of their own order
    positions : (n_rows,), the counted record behind each row
    tuples : (n_rows,), its distinct tuple
    alike : (n_rows,), equal for rows with equal values of all quasi-identifiers
    domain_cells : per quasi-identifier, (n_cells,), what each cell is in the recoding
    cell_losses : per quasi-identifier, (n_cells,), what each cell adds to a record's mean loss
    hidable : columns in which values may be written as missing
    read : those of them that a model reads
    problem : that models judge, with a missing value in each column of ``read``
    n_free : records that may be left out besides those that are
    may_raise : whether classes may show coarser cells than were found
    """

    prepared: Prepared
    noised: NoisyRecoding
    columns: ReleasedColumns
    positions: Ints
    tuples: Codes
    alike: Codes
    domain_cells: Mapping[str, Ints]
    cell_losses: Mapping[str, Floats]
    hidable: tuple[str, ...]
    read: tuple[str, ...]
    problem: Problem
    n_free: int
    may_raise: bool

    __repr__ = short_repr

    @property
    def least_size(self) -> int:
        """Fewest records of a class that the models ask for."""
        return least_size_of(self.prepared.spec)


def least_size_of(spec: Specification) -> int:
    """Return the fewest records of a class that the models of a policy ask for."""
    return max((model.least_size for model in spec.models), default=1)


def hidable_columns(spec: Specification, problem: Problem, names: Sequence[str]) -> list[str]:
    """Return the released columns in which values may be written as missing.

    Sensitive and insensitive ones; no key, pseudonym, weight, masked column or number of a
    household, nor a sensitive column whose missing values a model could not judge.
    """
    kept_whole = {spec.data.weight, spec.data.person, spec.data.household, *spec.protections}
    return [
        name
        for name in names
        if name in spec.columns
        and name not in kept_whole
        and spec.columns[name].words.role in {Role.SENSITIVE, Role.INSENSITIVE}
        and spec.columns[name].words.may_hide
        and (name not in problem.table.sensitive or _may_be_missing(spec, problem, name))
    ]


def _may_be_missing(spec: Specification, problem: Problem, name: str) -> bool:
    """Return whether the models can judge a missing value of a sensitive column."""
    if problem.reads_beyond_classes or spec.divides or spec.data.person is not None:
        return False
    column = problem.table.sensitive[name]
    if column.has_missing:
        return True
    counts_it = any(
        isinstance(model, ColumnModel) and model.missing_counts and model.column == name
        for model in spec.models
    )
    return column.hierarchy is None and not counts_it


def with_missing_value(column: SensitiveColumn) -> SensitiveColumn:
    """Return a sensitive column that may be missing, which it is in no record of the input."""
    if column.has_missing:
        return column
    numbers = None if column.numbers is None else np.append(column.numbers, np.nan)
    return replace(
        column,
        values=(*column.values, ""),
        numbers=numbers,
        counts=np.append(column.counts, 0),
        has_missing=True,
    )


@dataclass(slots=True)
class RepairState:
    """The records after some changes.

    Parameters
    ----------
    records : what does not change
    cells : per quasi-identifier, (n_rows,), number of each row's cell
    values : per other column, (n_rows,), number of each row's value; -1 where it is missing
    classes : (n_rows,), the class of each row
    is_kept : (n_rows,), whether it is released
    hidden : per column, (n_rows,), which values are written as missing
    n_swapped : pairs of records that changed places
    """

    records: RecordsToRepair
    cells: dict[str, Codes]
    values: dict[str, Codes]
    classes: Codes
    is_kept: Bools
    hidden: dict[str, Bools] = field(default_factory=dict[str, Bools])
    n_swapped: int = 0

    __repr__ = short_repr

    @classmethod
    def of(cls, records: RecordsToRepair, classes: Codes) -> RepairState:
        """Return the records as they were found."""
        columns = records.columns
        return cls(
            records,
            {name: one.codes.copy() for name, one in columns.generalized.items()},
            {name: codes.copy() for name, codes in columns.others.items()},
            classes.copy(),
            np.ones(len(classes), np.bool_),
        )

    def copied(self) -> RepairState:
        """Return the same records, to be changed apart."""
        return RepairState(
            self.records,
            {name: codes.copy() for name, codes in self.cells.items()},
            {name: codes.copy() for name, codes in self.values.items()},
            self.classes.copy(),
            self.is_kept.copy(),
            {name: which.copy() for name, which in self.hidden.items()},
            self.n_swapped,
        )

    def n_hidden(self, name: str) -> int:
        """Return how many released values of a column are written as missing."""
        return int((self.hidden[name] & self.is_kept).sum()) if name in self.hidden else 0

    def n_values(self, name: str) -> int:
        """Return how many values of a column are released or hidden."""
        return int(((self.records.columns.others[name] >= 0) & self.is_kept).sum())

    @property
    def rows(self) -> Ints:
        """The rows that are still released."""
        return np.flatnonzero(self.is_kept)

    @property
    def n_left_out(self) -> int:
        """Records that the repair left out."""
        return int((~self.is_kept).sum())

    def read_back(self) -> tuple[ReadBack, Ints]:
        """Find what is read back of the rows that are still released; and return these."""
        rows, columns = self.rows, self.records.columns
        generalized = {
            name: GeneralizedColumn(self.cells[name][rows], one.spans, one.units)
            for name, one in columns.generalized.items()
        }
        values = {name: codes[rows] for name, codes in self.values.items()}
        numbers = {
            name: self._numbers(name, units, rows) for name, units in columns.numbers.items()
        }
        found = ReleasedColumns(generalized, values, numbers)
        return found.read_back(np.ones(len(rows), np.int64)), rows

    def _numbers(self, name: str, units: Units, rows: Ints) -> Units:
        """Return the numbers of some rows, without those that are hidden."""
        hidden = self.hidden.get(name)
        if hidden is None:
            return {unit: values[rows] for unit, values in units.items()}
        return {
            unit: np.where(hidden[rows], np.nan, values[rows]) for unit, values in units.items()
        }

    def hide(self, name: str, row: int) -> None:
        """Write a value as missing."""
        self.hidden.setdefault(name, np.zeros(len(self.classes), np.bool_))[row] = True
        self.values[name][row] = -1

    def show(self, name: str, row: int) -> None:
        """Write a hidden value again."""
        self.hidden[name][row] = False
        self.values[name][row] = self.records.columns.others[name][row]

    def swap(self, one: int, other: int) -> None:
        """Let two records with equal quasi-identifiers change places."""
        for codes in self.cells.values():
            codes[[one, other]] = codes[[other, one]]
        self.classes[[one, other]] = self.classes[[other, one]]

    def raise_class(self, name: str, label: int, cell: int) -> None:
        """Let all records of a class show another cell of a quasi-identifier."""
        self.cells[name][self.classes == label] = cell

    def losses(self, rows: Ints) -> Floats:
        """Return the mean loss of the cells of some rows."""
        losses = np.zeros(len(rows))
        for name, own in self.records.cell_losses.items():
            losses += own[self.cells[name][rows]]
        return losses

    @property
    def read_classes(self) -> Codes:
        """The class of each row as a reader sees it: classes with equal cells are one."""
        cells = np.stack([*self.cells.values()], axis=1)
        labels, first, _ = group_few_rows(np.ascontiguousarray(cells.astype(np.int32)))
        least = np.full(len(first), self.classes.max(initial=0), self.classes.dtype)
        np.minimum.at(least, labels, self.classes)
        return least[labels]

    def values_of(self, name: str, rows: Ints) -> Codes:
        """Return the sensitive values that models count, hidden ones as the missing value."""
        table = self.records.problem.table
        codes = table.sensitive_codes[name][self.records.tuples[rows]]
        hidden = self.hidden.get(name)
        if hidden is None:
            return codes
        last = table.sensitive[name].n_values - 1
        return np.where(hidden[rows], last, codes).astype(np.int32)

    def counted(self, rows: Ints, labels: Codes) -> EquivalenceClasses:
        """Count classes as models measure them.

        Parameters
        ----------
        rows, labels : (n_counted,), some rows, and the class of each
        """
        present, own = np.unique(labels, return_inverse=True)
        own = own.astype(np.int32)
        sensitive = self.records.problem.table.sensitive
        one_each = np.ones(len(rows), np.int64)
        counts = {
            name: count_values(
                own, self.values_of(name, rows), one_each, len(present), column.n_values
            )
            for name, column in sensitive.items()
        }
        return EquivalenceClasses(
            np.bincount(own, minlength=len(present)).astype(np.int64), counts, sensitive
        )

    def hold(self, labels: Sequence[int] | Ints) -> bool:
        """Return whether some classes satisfy every model that judges a class for itself."""
        is_chosen = np.zeros(int(self.classes.max(initial=0)) + 1, np.bool_)
        is_chosen[np.asarray(labels, np.int64)] = True
        rows = np.flatnonzero(self.is_kept & is_chosen[self.classes])
        return bool(self.records.problem.holds(self.counted(rows, self.classes[rows])).all())

    def keeps_all_models(self) -> bool:
        """Return whether all classes satisfy all models, those of the whole release included."""
        problem = self.records.problem
        if problem.reads_beyond_classes:
            return True  # then no class was changed, and no value that a model reads
        rows = self.rows
        return bool(problem.released(self.counted(rows, self.read_classes[rows])).all())


def members_of(labels: Codes, rows: Ints) -> Mapping[int, Ints]:
    """Return the rows of each label.

    Parameters
    ----------
    labels : (n_rows,), of ``rows``
    """
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.append([True], np.diff(labels[order]) != 0))
    return {int(labels[part[0]]): rows[part] for part in np.split(order, starts[1:]) if len(part)}
