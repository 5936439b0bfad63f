"""What an engine does with a table that nobody reads whole: it counts, joins and copies.

Engines compare cells for equality and do nothing else with them. Texts, the order of values, labels
and distances are made here, in this process, so that no engine's collation, formatting or time zone
changes a release. A plan is a table: each distinct row of the quasi-identifiers with the cells
that are released for it, so that writing a release is one join.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.errors import CapacityError, DataError, Fault
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.frames.frame import Column, DataType, Frame, as_series, frame_of, table_of
from indistinct.tables.reading.column_types import ColumnType
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.places import Files, Numbering

RECORDS, MARK, FIRST, LAST = "\0records", "\0mark", "\0first", "\0last"
PLACE = "indistinct place"  # of a record: the number of its file, and of its row in that file
EVERYTHING = 1 << 40  # more rows than any table has
FILE_BITS = 40  # of the row; what is above them is the number of the file


@dataclass(frozen=True, slots=True)
class Limits:
    """What an engine may use.

    Parameters
    ----------
    memory : bytes, of the engine and of this process together
    folder : where it may put what does not fit into memory; the system's own when left out
    """

    memory: int
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class CoarseKey:
    """A column that is counted by the labels of a level of its hierarchy, and not by its values.

    Parameters
    ----------
    level : of the hierarchy
    table : columns ``value`` and ``code``: a value of the label stands for it
    """

    level: int
    table: Frame

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class PersonKey:
    """A column by which records are told apart: by its values, or by coarser ones."""

    name: str
    coarse: CoarseKey | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The distinct rows of some columns, with the records of each.

    Parameters
    ----------
    frame : (n_distinct, n_columns), the rows
    records : (n_distinct,), records of each
    marks : (n_distinct,), sum of a hash of further columns over the records of each, modulo 2^64;
        None where none was asked for
    """

    frame: Frame
    records: Column
    marks: Column | None = None

    __repr__ = short_repr

    @property
    def n_records(self) -> int:
        """Records of all rows."""
        return int(self.records.sum())


@dataclass(frozen=True, slots=True)
class Profile:
    """What one scan tells of a table.

    Parameters
    ----------
    n_records : rows
    n_missing : per column, cells that are missing
    n_infinite : per column of fractions, numbers without end
    """

    n_records: int
    n_missing: Mapping[str, int]
    n_infinite: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Names:
    """Random names that the released records carry, so that their owner finds them again.

    Parameters
    ----------
    key : the column of the input whose values tell its records apart
    column : of the release, with the names
    table : columns ``key`` and ``name``, a row for each record of the input
    """

    key: str
    column: str
    table: Frame

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """What becomes of the records.

    Parameters
    ----------
    keys : the columns by which a record finds its row; none of a table in memory, whose records
        are the rows
    rows : (n_items, n_keys), the values of the keys, none twice unless it is split
    cells : (n_items, n_cells), released cells
    columns : the released columns in their order; what is none of ``cells`` is copied
    records : (n_items,), released records of each row
    split : (n_items, 2), where the records of one row go to several items: number of the first of
        its records, and one after the last; None where no row is split
    salt : secret; which of the records of a split row come first is decided by a hash of it and of
        their cells
    names : of the records, where their owner asks for them
    types : of columns that are released as they are, but in a narrower type than in the source
    pieces : (n_pieces, ...), what is released of each counted row, or of its records that go to one
        class: the cells, and the sensitive values that were counted
    piece_records : (n_pieces,), records of each
    piece_rows : (n_pieces,), the counted row behind each; of a table in memory the record of the
        input, -1 where there is none
    """

    keys: tuple[PersonKey, ...]
    rows: Frame
    cells: Frame
    columns: tuple[str, ...]
    records: Ints
    split: Frame | None = None
    salt: str = ""
    names: Names | None = None
    types: Mapping[str, DataType] = field(default_factory=dict[str, DataType])
    pieces: Frame = field(default_factory=lambda: frame_of({}))
    piece_records: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    piece_rows: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    __repr__ = short_repr

    @property
    def is_whole(self) -> bool:
        """Whether the records of every row go to one class."""
        return self.split is None

    @property
    def n_released(self) -> int:
        """Records that are released."""
        return int(self.records.sum())

    @property
    def passed(self) -> tuple[str, ...]:
        """The columns that are released as they are."""
        return tuple(name for name in self.columns if name not in self.cells.columns)

    def passed_types(self, schema: Mapping[str, DataType]) -> dict[str, DataType]:
        """Return the released types of the columns that are released as they are.

        Parameters
        ----------
        schema : of the source
        """
        return {name: self.types.get(name, schema[name]) for name in self.passed}

    @property
    def written(self) -> tuple[str, ...]:
        """All columns of the release, that of the names included."""
        return self.columns if self.names is None else (*self.columns, self.names.column)


@dataclass(frozen=True, slots=True)
class Sink:
    """Where a release goes, and in which form.

    Parameters
    ----------
    address : a path, or the address of a table
    file_format : ``parquet`` or ``csv``, of files
    separator : of a text file
    is_folder : whether several files make the release
    rows_per_file : records of a file of a folder, at most
    may_replace : whether what stands there may be replaced
    hashes : whether files are hashed
    places : folder for the places that the released records have in the input, in the order of the
        release; None where nobody asks for a crosswalk
    partition_by : the released column whose values the folders of the files are named after
    """

    address: str
    file_format: str = "parquet"
    separator: str = ","
    is_folder: bool = False
    rows_per_file: int = 10_000_000
    may_replace: bool = False
    hashes: bool = True
    places: str | None = None
    partition_by: str | None = None


class StagedRelease(Protocol):
    """A release that is written and that nobody can see yet."""

    def columns(self) -> Sequence[str]:
        """Name its columns."""
        ...

    def count(self, names: Sequence[str], marked: Sequence[str] = ()) -> Tally:
        """Read it afresh, and count the distinct rows of some columns."""
        ...

    def files(self) -> Files | None:
        """Return the files whose rows stand in canonical order; None for a table."""
        ...

    def entry(self) -> Mapping[str, Any]:
        """Return what the manifest says of it: rows, and hashes or a fingerprint."""
        ...

    def publish(self, documents: Mapping[str, str], private: Mapping[str, str]) -> None:
        """Let it appear, with what stands beside it.

        Parameters
        ----------
        documents : texts by their paths; that of the empty path is the manifest, for a release that
            has a place of its own for it
        private : texts that their owner alone may read
        """
        ...

    def discard(self) -> None:
        """Remove it."""
        ...


class Source(Protocol):
    """A table: in memory, or one snapshot of it where it is, open while it is used as a context."""

    engine: str
    schema: Mapping[str, DataType]
    has_types: bool  # whether it says the types of its columns; else all of its cells decide them

    @property
    def kinds(self) -> Mapping[str, ColumnType]:
        """What the cells of each column are."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def fingerprint(self, *, hashes: bool) -> str | None:
        """Return what changes when the table does, hexadecimal; None if nobody asks for hashes."""
        ...

    def lazy(self, plan: ReleasePlan) -> Any:
        """Return the release as the kind of data that came in, in canonical order."""
        ...

    def unchanged(self) -> bool:
        """Return whether the table is what it was when it was opened."""
        ...


class EngineTable(Source, Protocol):
    """A table that nobody reads whole: an engine counts its records and writes the release."""

    has_order: bool  # whether its records stand in an order that a release must not show

    @property
    def numbering(self) -> Numbering | None:
        """What the places of its records refer to; None where it has none that last."""
        ...

    def profile(self) -> Profile:
        """Scan the table once."""
        ...

    def count(
        self, keys: Sequence[PersonKey], at_most: int, marked: Sequence[str] = ()
    ) -> Tally | None:
        """Count the distinct rows of some columns; None where there are more than ``at_most``.

        Parameters
        ----------
        marked : columns whose hashes are summed over the records of each row
        """
        ...

    def estimate(self, keys: Sequence[PersonKey]) -> int | None:
        """Guess the number of distinct rows in little memory; None where the engine cannot."""
        ...

    def sample(self, names: Sequence[str], n_rows: int) -> Frame:
        """Return about ``n_rows`` records at equal distances, in the table's order if any."""
        ...

    def batches(self, n_rows: int) -> Iterator[Frame]:
        """Return all records, about so many at once; those of one batch in the table's order."""
        ...

    def narrow_types(self, plan: ReleasePlan) -> Mapping[str, DataType]:
        """Scan the released records once for columns whose cells fit into a narrower type.

        Parameters
        ----------
        plan : releases at least one column as it is
        """
        ...

    def write(self, plan: ReleasePlan, sink: Sink) -> StagedRelease:
        """Write the release, its records in canonical order."""
        ...


@dataclass(frozen=True, slots=True)
class Opening:
    """How a table is read.

    Parameters
    ----------
    missing : texts that stand for a missing value
    separator : of text files; found when not given
    limits : what the engine may use
    as_written : leave every cell as it is written, those of text files as text
    is_read_once : whether the records are read once only, after their types were found
    reading : what is said of the columns
    progress : told what takes long while the table is opened
    """

    limits: Limits
    missing: tuple[str, ...] = ("",)
    separator: str | None = None
    as_written: bool = False
    is_read_once: bool = False
    reading: Reading = field(default_factory=Reading)
    progress: Progress = no_progress

    def words(self, name: str) -> tuple[str, ...]:
        """Return the texts that stand for a missing value of a column."""
        everywhere = tuple(dict.fromkeys((*self.missing, *self.reading.missing)))
        return self.reading.own_missing.get(name, everywhere)


@dataclass(frozen=True, slots=True)
class Capacity:
    """How many distinct rows fit.

    Notes
    -----
    Half of the memory belongs to the engine. The other half holds the rows, the search and the
    plan, which took 550 bytes for a row of five columns when it was measured.
    """

    memory: int
    most: int | None = field(default=None)

    def rows(self, n_keys: int) -> int:
        """Return the number of rows with so many columns that fit."""
        fitting = self.memory // 2 // (100 + 100 * max(n_keys, 1))
        return fitting if self.most is None else min(fitting, self.most)


def weights_of(tally: Tally) -> Ints:
    """Return the records of each row as an array."""
    return tally.records.to_numpy().astype(np.int64)


def coarse(values: Column, representatives: Ints, level: int) -> CoarseKey:
    """Let one value of each label stand for the others.

    Parameters
    ----------
    values : (n_values,)
    representatives : (n_values,), place of the value that stands for each
    """
    codes = values.gather(as_series(representatives))
    return CoarseKey(level, frame_of({"value": values, "code": codes}))


def ranges_of(first: Ints, last: Ints) -> Frame:
    """Return where the records of a split row go."""
    return table_of({FIRST: first, LAST: last})


def count_all(source: EngineTable, names: Sequence[str], marked: Sequence[str] = ()) -> Tally:
    """Count the distinct rows of some columns, however many there are."""
    found = source.count([PersonKey(name) for name in names], EVERYTHING, marked)
    assert found is not None  # noqa: S101 - nothing is more than everything
    return found


def count_fitting(
    source: EngineTable, names: Sequence[str], capacity: Capacity, marked: Sequence[str] = ()
) -> Tally:
    """Count the distinct rows of some columns, as many as fit.

    Raises
    ------
    DataError
        when the table lacks some of them
    CapacityError
        when there are more distinct rows than fit
    """
    lacking = [name for name in names if name not in source.kinds]
    if lacking:
        raise DataError(
            Fault(f"columns.{name}", "is not in the table", "Name the table of this policy.")
            for name in lacking
        )
    at_most = capacity.rows(len(names))
    found = source.count([PersonKey(name) for name in names], at_most, marked)
    if found is None:
        raise CapacityError(
            f"the table has more than {at_most:,} distinct rows of {', '.join(names)}",
            "Give more --memory.",
        )
    return found
