"""Read a released file: it is UTF-8, whatever its input was, and has the columns of its policy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from indistinct.base.files.pair import refuse_mixed_pair
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading import files


def read_release(
    data: Any, spec: Specification, *, typed: bool = True, may_be_empty: bool = False
) -> Frame:
    """Read the records of a table that is a release or the input of one; see :func:`table_of`."""
    return table_of(data, spec, typed=typed, may_be_empty=may_be_empty).frame


def table_of(
    data: Any, spec: Specification, *, typed: bool = True, may_be_empty: bool = False
) -> files.TableFile:
    """Read a table that is a release or the input of one.

    Parameters
    ----------
    data : a path, ``-`` or an eager frame
    spec : describes the separator and the encoding of the input, which a release may not have
    typed : find the types of a text file's columns; else every cell stays as it is
    may_be_empty : accept a table without records

    Raises
    ------
    DataError
        when the file cannot be read, or the manifest beside it is of another release
    EmptyDataError
        when there is no record
    """
    source = files.read_file(
        data,
        reading=spec.reading,
        sets=spec.set_forms,
        typed=typed,
        may_be_empty=may_be_empty,
        expected=released_names(spec.columns),
    )
    refuse_mixed_pair(data, source.sha256)
    return source


def released_names(columns: Iterable[str]) -> frozenset[str]:
    """Return every name that a column of a release may have, those of bounds included."""
    return frozenset(name for column in columns for name in (column, *bounds_of(column)))


def bounds_of(name: str) -> tuple[str, str]:
    """Return the columns that the two bounds of a column of numbers are released in."""
    return f"{name}_min", f"{name}_max"
