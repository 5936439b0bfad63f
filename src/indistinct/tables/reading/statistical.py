"""Files of SPSS, Stata and SAS, read and written by pyreadstat, with their labels.

User-defined missing values and Stata's and SAS's ``.a`` to ``.z`` are read as missing. What a file
says of its columns beside the cells are their labels, and the labels of their values.

SPSS, Stata and Excel keep every number as a float of 8 bytes. What such a float cannot hold is
written as text, so that no digit is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import polars as pl

from indistinct.base.brief import short_repr
from indistinct.base.extras import load
from indistinct.errors import Fault, OutputError
from indistinct.tables.frames.texts import cell_texts

STATA_14 = 14  # its files are read by every Stata since 2015; form 119 only by Stata/MP
LEVELS = frozenset({"nominal", "ordinal"})
SPSS_NAME = re.compile(r"[^\W\d_][\w.@#$]{0,63}")
STATA_NAME = re.compile(r"[^\W\d]\w{0,31}")
LONGEST_SPSS_TEXT = 32_767  # bytes
LONGEST_STATA_TEXT = 2_045  # bytes; longer ones stand apart from the cells
LONGEST_LABELLED_TEXT = 8  # bytes of a text that SPSS gives a label to
SAV_DATE = slice(92, 109)  # where the header says when the file was written
NO_DATE = b"01 Jan 7000:00:00"
DTA_DATE = re.compile(rb"<timestamp>\x11.{17}</timestamp>", re.DOTALL)
NO_STATA_DATE = b"<timestamp>\x1101 Jan 1970 00:00</timestamp>"
Value = int | float | str
MOST_CODES, FEWEST_CODES, NEARLY = 1_000, 2, 0.8  # values of a column of codes
MOST_CATEGORIES = 10_000  # values that are looked up one by one
LARGEST_WHOLE = 2**53
MILLISECOND = 1_000  # in microseconds


def reader(kind: str) -> Callable[[IO[bytes]], pl.DataFrame]:
    """Make the reader of ``sav``, ``dta``, ``sas7bdat`` or ``xport``."""

    def read(stream: IO[bytes]) -> pl.DataFrame:
        found, said = _opened(kind, stream)
        types: Mapping[str, str] = said.readstat_variable_types
        empty = [column for column in found.iter_columns() if column.dtype == pl.Null]
        found = found.with_columns(
            column.cast(pl.String if types[column.name] == "string" else pl.Float64)
            for column in empty
        )
        return with_whole_numbers(found)

    return read


def labels_of(kind: str) -> Callable[[IO[bytes]], Labels]:
    """Make the reader of what a file says of its columns."""

    def read(stream: IO[bytes]) -> Labels:
        _, said = _opened(kind, stream, metadataonly=True)
        columns: dict[str, str | None] = said.column_names_to_labels
        values: Mapping[str, Mapping[Value, str]] = said.variable_value_labels
        # A level of a column without labelled values is often nothing but a default.
        measures = {
            name: level
            for name, level in getattr(said, "variable_measure", {}).items()
            if level in LEVELS and name in values
        }
        return Labels({name: text for name, text in columns.items() if text}, values, measures)

    return read


def write_sav(frame: pl.DataFrame, path: str, labels: Labels) -> None:
    """Write a file of SPSS that says nothing but its cells and their labels.

    Raises
    ------
    OutputError
        when SPSS knows no such names or texts
    """
    frame = with_plain_cells(frame)
    _refuse(
        [
            *_name_faults(frame, SPSS_NAME, "SPSS"),
            *_text_faults(frame, LONGEST_SPSS_TEXT),
            *_space_faults(frame),
        ]
    )
    own = labels.shown_in(frame)
    values = {
        name: of_column
        for name, of_column in own.values.items()
        if frame[name].dtype.is_numeric() or _longest(frame[name]) <= LONGEST_LABELLED_TEXT
    }
    load("pyreadstat").write_sav(
        frame, path, column_labels=dict(own.columns), variable_value_labels=values
    )
    with open(path, "r+b") as file:  # noqa: PTH123 - a path of an open file
        file.seek(SAV_DATE.start)
        file.write(NO_DATE)


def write_dta(frame: pl.DataFrame, path: str, labels: Labels) -> None:
    """Write a file of Stata that says nothing but its cells and their labels.

    Raises
    ------
    OutputError
        when Stata knows no such names
    """
    frame = with_plain_cells(frame)
    _refuse([*_name_faults(frame, STATA_NAME, "Stata"), *_text_faults(frame, LONGEST_STATA_TEXT)])
    own = labels.shown_in(frame)
    values = {
        name: {int(value): label for value, label in of_column.items()}
        for name, of_column in own.values.items()
        if frame[name].dtype.is_integer()
    }
    load("pyreadstat").write_dta(
        frame,
        path,
        version=STATA_14,
        column_labels=dict(own.columns),
        variable_value_labels=values,
    )
    with open(path, "r+b") as file:  # noqa: PTH123 - a path of an open file
        beginning = file.read(1024)
        file.seek(0)
        file.write(DTA_DATE.sub(lambda _: NO_STATA_DATE, beginning))


def _opened(kind: str, stream: IO[bytes], **words: Any) -> tuple[pl.DataFrame, Any]:
    """Read a file and what it says of its columns.

    Raises
    ------
    OSError
        when it is no such file
    """
    library = load("pyreadstat")
    try:
        return getattr(library, f"read_{kind}")(stream, output_format="polars", **words)
    except (library.ReadstatError, library.PyreadstatError, ValueError, OverflowError):
        # Their texts may show cells.
        raise OSError from None


def _refuse(faults: list[Fault]) -> None:
    """Raise every fault at once."""
    if faults:
        raise OutputError(faults)


def _name_faults(frame: pl.DataFrame, allowed: re.Pattern[str], program: str) -> Iterable[Fault]:
    """Find names that a program does not allow for a variable."""
    for name in frame.columns:
        if allowed.fullmatch(name) is None:
            yield Fault(
                f"columns.{name}",
                f"has a name that {program} does not allow",
                "Rename it to letters, digits and underscores, or write CSV or Parquet.",
            )


def _text_faults(frame: pl.DataFrame, most_bytes: int) -> Iterable[Fault]:
    """Find texts that are too long, or that would end early: a zero byte ends a text."""
    for column in frame.select(pl.selectors.string()).iter_columns():
        if _longest(column) > most_bytes:
            problem = f"has texts of more than {most_bytes:,} bytes, which the format cannot hold"
            yield Fault(f"columns.{column.name}", problem, "Write CSV or Parquet.")
        if bool(column.str.contains("\0", literal=True).any()):
            problem = "has texts with a zero byte, which the format cannot hold"
            yield Fault(f"columns.{column.name}", problem, "Write Parquet.")


def _space_faults(frame: pl.DataFrame) -> Iterable[Fault]:
    """Find texts that SPSS would shorten."""
    for column in frame.select(pl.selectors.string()).iter_columns():
        if bool(column.str.ends_with(" ").any()):
            problem = "has texts that end with a space, which SPSS leaves out"
            yield Fault(f"columns.{column.name}", problem, "Write CSV or Parquet.")


def _longest(column: pl.Series) -> int:
    """Return the bytes of the longest text of a column."""
    longest = column.str.len_bytes().max()
    return longest if isinstance(longest, int) else 0


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of columns and of their values.

    Parameters
    ----------
    columns : per column, what it is about
    values : per column, what each coded value stands for
    measures : per column, ``nominal`` or ``ordinal``, where the file says that its codes are
    """

    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Mapping[str, Mapping[Value, str]] = field(
        default_factory=dict[str, Mapping[Value, str]]
    )
    measures: Mapping[str, str] = field(default_factory=dict[str, str])

    __repr__ = short_repr

    def of_values(self, name: str, texts: Sequence[str]) -> Mapping[str, str]:
        """Return the labels of a column's values; none where they are not codes.

        Parameters
        ----------
        texts : the values that occur; nearly all of them must have a label, since a few labels of a
            quantity name its ends or its missing values
        """
        labels = self.values.get(name, {})
        if not labels or len(texts) > MOST_CODES:
            return {}
        by_text = {_text(value): label for value, label in labels.items()}
        found = {text: by_text[text.removesuffix(".0")] for text in texts
                 if text.removesuffix(".0") in by_text}  # fmt: skip
        return found if len(found) >= max(FEWEST_CODES, NEARLY * len(texts)) else {}

    def texts_of(self, name: str) -> dict[str, str]:
        """Return the labels of a column's values, by the values as texts."""
        return {_text(value): label for value, label in self.values.get(name, {}).items()}

    def shown_in(self, frame: pl.DataFrame) -> Labels:
        """Return the labels of the columns that a frame has, and of the values that its cells show.

        The labels of all other values are left out: a code that only suppressed records have would
        otherwise be named in the release.
        """
        columns = {name: text for name, text in self.columns.items() if name in frame.columns}
        values = {
            name: shown
            for name, labels in self.values.items()
            if name in frame.columns and (shown := _shown(frame[name], labels))
        }
        return Labels(columns, values)


def _shown(column: pl.Series, labels: Mapping[Value, str]) -> dict[Value, str]:
    """Return the labels of the values that occur, by the value as the column has it, in order."""
    known = column.drop_nulls().unique()
    if column.dtype == pl.String:
        # A generalized column holds the codes that were kept as text.
        by_text = {_text(value): label for value, label in labels.items()}
        texts: list[str] = sorted(known.to_list())
        return {text: by_text[text] for text in texts if text in by_text}
    if not column.dtype.is_numeric() or len(known) > MOST_CATEGORIES:
        return {}
    numbers: list[float] = sorted(known.cast(pl.Float64).to_list())
    by_number = {float(value): label for value, label in labels.items() if not _is_text(value)}
    return {number: by_number[number] for number in numbers if number in by_number}


def _is_text(value: Value) -> bool:
    """Return whether a value is a text."""
    return isinstance(value, str)


def _text(value: Value) -> str:
    """Write a value as a cell of a text column does."""
    return value if isinstance(value, str) else f"{value:.15g}"


def with_plain_cells(frame: pl.DataFrame, *, since: int = 1583) -> pl.DataFrame:
    """Return a frame of floats, whole numbers, texts, dates and moments; all else becomes text.

    Parameters
    ----------
    since : first year whose dates the format can hold; a column with an earlier one becomes text
    """
    return frame.with_columns(_plain(column, since) for column in frame.iter_columns())


def with_whole_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """Return columns of floats without a fraction as whole numbers, and moments in one unit."""
    return frame.with_columns(_whole(column) for column in frame.iter_columns())


def _plain(column: pl.Series, since: int) -> pl.Series:
    """Return one column in a type that the formats have."""
    dtype = column.dtype
    if column.null_count() == len(column) and (dtype.is_numeric() or dtype.is_temporal()):
        return column.cast(pl.Float64)  # the formats tell one kind of empty column from texts
    if dtype == pl.Float32:
        column = column.cast(pl.String).cast(pl.Float64)  # the decimal number that it shows
    if dtype.is_integer():
        wide = [abs(int(end)) for end in (column.min(), column.max()) if isinstance(end, int)]
        fits = max(wide, default=0) <= LARGEST_WHOLE
        return column.cast(pl.Int64) if fits else column.cast(pl.String)
    if dtype.is_float():
        # These formats tell neither NaN from missing nor -0 from 0 where they are read.
        return column.set(column == 0, 0.0).fill_nan(None)
    if isinstance(dtype, pl.Date | pl.Datetime) and _is_held(column, since):
        return _as_dates(column) if isinstance(dtype, pl.Datetime) else column
    return cell_texts(column)


def _is_held(column: pl.Series, since: int) -> bool:
    """Return whether a format holds every moment of a column without loss."""
    earliest = column.dt.year().min()
    if isinstance(earliest, int) and earliest < since:
        return False
    if not isinstance(column.dtype, pl.Datetime):
        return True
    rest = column.dt.nanosecond() % (MILLISECOND * 1_000)
    return column.dtype.time_zone is None and not bool((rest != 0).any())


def _whole(column: pl.Series) -> pl.Series:
    """Return one column of floats as whole numbers where none has a fraction."""
    if isinstance(column.dtype, pl.Datetime):
        return _as_dates(column.cast(pl.Datetime("us")).dt.round("1ms"))
    if column.dtype != pl.Float64:
        return column.cast(pl.Float64) if column.dtype == pl.Float32 else column
    known = column.fill_nan(None).drop_nulls()
    is_whole = (known == known.floor()) & (known.abs() <= LARGEST_WHOLE)
    if known.is_empty() or not is_whole.all():
        return column
    return column.fill_nan(None).cast(pl.Int64)


def _as_dates(column: pl.Series) -> pl.Series:
    """Return moments that are all midnight as dates."""
    known = column.drop_nulls()
    midnights = known.cast(pl.Date).cast(pl.Datetime("us"))
    is_date = not known.is_empty() and bool((midnights == known).all())
    return column.cast(pl.Date) if is_date else column
