"""Frames of other libraries: taken in whole, and given back as the library has them.

The index of pandas is part of the data: one with a name becomes columns, for which a policy needs
roles like for any other, and what is released of it is the index again. One without a name numbers
the rows and is left out, for it would tell their order.

Of pandas, an index of intervals or periods and a sparse column become what they show. A column of
objects may hold anything: cells of one kind are taken in, and cells of several kinds are refused by
name, without any cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any, cast
from uuid import UUID

import polars as pl

from indistinct.base.brief import short_repr
from indistinct.base.extras import load
from indistinct.base.panics import panics_as
from indistinct.errors import DataError, Fault, OutputError
from indistinct.tables.reading.arrow_types import without_extensions
from indistinct.tables.reading.formats import for_any_reader
from indistinct.tables.reading.odd_cells import fingerprint

# What libraries raise at a column that another has no type for; Arrow's errors are of these kinds.
UNREAD = (
    TypeError,
    ValueError,
    OverflowError,
    NotImplementedError,
    KeyError,
    OSError,
    pl.exceptions.PolarsError,
)
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


@dataclass(frozen=True, slots=True)
class Native:
    """The library that a frame came from, and what Polars does not keep of it.

    Parameters
    ----------
    library : its name: ``polars``, ``pandas``, ``pyarrow`` or another that narwhals knows
    schema : types of the columns in Polars
    dtypes : of pandas: types of columns that can hold missing values and stay what they are
    index : of pandas: names of the columns that were its index
    """

    library: str
    schema: Mapping[str, pl.DataType] = field(default_factory=dict[str, pl.DataType])
    dtypes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    index: tuple[str, ...] = ()

    __repr__ = short_repr


def from_native(data: Any, left_out: Collection[str] = ()) -> tuple[pl.DataFrame, Native]:
    """Return a frame of any library that narwhals knows as one of Polars, with its origin.

    Parameters
    ----------
    left_out : columns of which only repeats are counted, whatever they hold

    Raises
    ------
    DataError
        when it is no eager frame, a column is named twice, or a column cannot be read
    """
    # Who gives a path, as every command does, need not wait for it.
    nw: Any = import_module("narwhals.stable.v2")
    try:
        found = nw.from_native(data, eager_only=True)
    except nw.exceptions.DuplicateError:
        raise _named_twice() from None
    except TypeError:
        raise DataError(
            "this is neither a path nor a frame that is known",
            "Give a path, or an eager frame of Polars, pandas or pyarrow.",
        ) from None
    if len(set(found.columns)) < len(found.columns):
        raise _named_twice()
    library = nw.get_native_namespace(found).__name__
    if library == "polars":
        return without_extensions(data), Native(library)
    index: tuple[str, ...] = ()
    if library == "pandas":
        data, index = _with_index(data)
        data = plain_columns(data, left_out)
        found = nw.from_native(data, eager_only=True)
    frame = _with_order(_in_polars(found), _ordered(data, library))
    dtypes = _kept_types(data) if library == "pandas" else {}
    return frame, Native(library, dict(frame.schema), dtypes, index)


def collected(data: Any) -> pl.DataFrame:
    """Collect lazy data of Polars or DuckDB, their records in their order.

    Raises
    ------
    OutputError
        when they are those of a cluster, which no single machine collects unasked
    """
    if isinstance(data, pl.LazyFrame):
        return data.collect(engine="streaming")
    if isinstance(data, pl.DataFrame):
        return data
    if hasattr(data, "to_arrow_table"):  # a relation of DuckDB
        return pl.DataFrame(data.to_arrow_table())
    raise OutputError(
        "the records are on a cluster, and are not collected into one frame",
        "Take release.data, or write the release.",
    )


def _in_polars(found: Any) -> pl.DataFrame:
    """Return a frame in Polars, or name the columns that it has no type for.

    Raises
    ------
    DataError
        when there are some
    """
    try:
        with panics_as(OSError):
            return without_extensions(found.to_polars())
    except UNREAD:
        names = [name for name in found.columns if not _is_read(found.select(name))]
    problem, remedy = "has a type or cells that are not read", "Write it as text, or leave it out."
    faults = [Fault(f"columns.{name}", problem, remedy) for name in names]
    raise DataError(faults or [Fault("", problem.replace("has", "the frame has"), remedy)])


def _is_read(column: Any) -> bool:
    """Return whether a frame of one column can be read."""
    try:
        with panics_as(OSError):
            column.to_polars()
    except UNREAD:
        return False
    return True


def to_native(frame: pl.DataFrame, native: Native | None) -> Any:
    """Return a frame as the library that the input came from has it."""
    if native is None or native.library == "polars":
        return frame
    frame = for_any_reader(frame)
    return _to_pandas(frame, native) if native.library == "pandas" else _to_arrow(frame)


def _named_twice() -> DataError:
    """Return the error that a column is named twice."""
    return DataError("a column is named twice", "Rename one of them.")


def _with_index(data: Any) -> tuple[Any, tuple[str, ...]]:
    """Return a frame of pandas with its named index as columns."""
    names = tuple(data.index.names)
    if not all(isinstance(name, str) for name in names):
        return data, ()
    if set(names) & set(data.columns) or len(set(names)) < len(names):
        raise _named_twice()
    return data.reset_index(), names


def _ordered(data: Any, library: str) -> dict[str, list[str]]:
    """Return the categories of the columns whose categories have an order, lowest first."""
    if library == "pandas":
        kinds = {str(name): dtype for name, dtype in data.dtypes.items()}
        categories = {
            name: dtype.categories.tolist()
            for name, dtype in kinds.items()
            if getattr(dtype, "ordered", False)
        }
    elif library == "pyarrow":
        categories = {
            column.name: _dictionary(data[column.name])
            for column in data.schema
            if getattr(column.type, "ordered", False)
        }
    else:
        categories = {}
    return {
        name: values
        for name, values in categories.items()
        if all(isinstance(value, str) for value in values)
    }


def _dictionary(column: Any) -> list[Any]:
    """Return the categories of a column of pyarrow."""
    chunks = column.unify_dictionaries().chunks
    return chunks[0].dictionary.to_pylist() if chunks else []


def _with_order(frame: pl.DataFrame, categories: Mapping[str, list[str]]) -> pl.DataFrame:
    """Return columns of ordered categories their order."""
    return frame.with_columns(
        frame[name].cast(pl.String).cast(pl.Enum(values)) for name, values in categories.items()
    )


def _kept_types(data: Any) -> dict[str, Any]:
    """Return the types of pandas that are not those of NumPy, categories apart."""
    return {
        str(name): dtype
        for name, dtype in data.dtypes.items()
        if getattr(dtype, "na_value", None) is not None and not hasattr(dtype, "categories")
    }


def _to_pandas(frame: pl.DataFrame, native: Native) -> Any:
    """Return a frame of pandas, with the types and the index that it had."""
    pd: Any = load("pandas")
    found = cast("Any", frame).to_pandas()
    for column in frame.iter_columns():
        name = column.name
        if isinstance(column.dtype, pl.Enum):
            categories = column.dtype.categories.to_list()
            found[name] = pd.Categorical(column.to_list(), categories, ordered=True)
        elif name in native.dtypes and native.schema.get(name) == column.dtype:
            # Moments of Python have no nanoseconds; those of pandas are not made of them.
            cells = found[name] if column.dtype.is_temporal() else cast("Any", column.to_list())
            found[name] = pd.array(cells, dtype=native.dtypes[name])
    index = [name for name in native.index if name in frame.columns]
    return found.set_index(index) if index else found


def _to_arrow(frame: pl.DataFrame) -> Any:
    """Return a table of pyarrow that says nothing but its cells and their types."""
    pa: Any = load("pyarrow")
    found = cast("Any", frame).to_arrow()
    columns: list[Any] = []
    fields: list[Any] = []
    for name, column in zip(found.column_names, found.columns, strict=True):
        kind = column.type
        if pa.types.is_dictionary(kind):
            is_ordered = isinstance(frame[name].dtype, pl.Enum)
            kind = pa.dictionary(pa.int32(), pa.large_string(), ordered=is_ordered)
            column = column.cast(kind)  # noqa: PLW2901 - the same column
        columns.append(column)
        fields.append(pa.field(name, kind))
    return pa.table(columns, schema=pa.schema(fields))


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
