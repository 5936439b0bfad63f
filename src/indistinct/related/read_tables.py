"""Several tables about the same people: read from a folder or from frames."""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import polars as pl

from indistinct.base.files.text import SAMPLE_BYTES
from indistinct.base.inputs import open_regular
from indistinct.errors import DataError, EmptyDataError, Fault, SchemaError
from indistinct.related.policy import RelatedPolicy
from indistinct.tables.core import key_parts
from indistinct.tables.engines import is_lazy, is_schema, read_schema
from indistinct.tables.frames import texts_by_key
from indistinct.tables.policy import Specification
from indistinct.tables.reading import FORMATS_BY_ENDING, TableFile, read_file

MANIFEST = "manifest.json"
BETWEEN = "\x1f"  # parts of a key, which no text of a table holds


def files_in(folder: str | Path) -> dict[str, Path]:
    """Return the files of tables in a folder, by their names without ending.

    Raises
    ------
    DataError
        when there is no such folder, or two files have one name
    """
    path = Path(folder)
    if not path.is_dir():
        raise DataError(f"{folder} is not a folder", "Give the folder of the tables.")
    found: dict[str, Path] = {}
    for file in sorted(path.iterdir()):
        if file.name.startswith(".") or file.suffix.lower() not in FORMATS_BY_ENDING:
            continue
        if file.stem in found:
            problem = f"has two files named {file.stem}, with different endings"
            raise DataError([Fault(str(folder), problem, "Remove one of them.")])
        found[file.stem] = file
    return found


def named_tables(data: Any) -> dict[str, Any]:
    """Return the tables by their names: the files of a folder, or frames.

    Parameters
    ----------
    data : the path of a folder, the address of a schema, or a frame for each name

    Raises
    ------
    DataError
        when it is none of these, or cannot be read
    """
    if is_schema(data):
        return dict(read_schema(data))
    if isinstance(data, str | Path):
        return dict(files_in(data))
    if isinstance(data, Mapping):
        return dict(cast("Mapping[str, Any]", data))
    raise DataError("related tables are a folder, a schema, or a frame for each name", "Give one.")


def _stem(file: str) -> str:
    """Return the name of a file without the ending of a format; tables of databases have none."""
    path = Path(file)
    return path.stem if path.suffix.lower() in FORMATS_BY_ENDING else file


def headers_differ(folder: str | Path) -> bool:
    """Return whether the files of a folder are several tables: no more than headers is read.

    Parts of one table have the same first line, or the same schema.
    """
    headers = {_header(path) for path in files_in(folder).values()}
    return len(headers) > 1


def _header(path: Path) -> object:
    """Return what the parts of one table have in common; of other formats the path itself."""
    if FORMATS_BY_ENDING[path.suffix.lower()].separators:
        with open_regular(path) as file:
            return file.readline(SAMPLE_BYTES).strip()
    if path.suffix.lower() == ".parquet":
        with open_regular(path) as file, suppress(pl.exceptions.PolarsError):
            return tuple(pl.read_parquet_schema(file))
    return path


def read_tables(
    data: Any, policy: RelatedPolicy, flat: Mapping[str, Specification]
) -> tuple[dict[str, TableFile], dict[str, str]]:
    """Read the tables of a policy from a folder or from frames.

    Parameters
    ----------
    data : the path of a folder, the address of a schema, or a frame for each name
    flat : per table its policy by itself, which says how it is read

    Returns
    -------
    the tables, and the ending of the file of each that came from one

    Raises
    ------
    SchemaError
        when tables are missing, or are not those of the policy
    """
    present = named_tables(data)
    named = {name: table.stored_as for name, table in policy.tables.items()}
    if isinstance(data, str | Path):
        of_file = {_stem(file): name for name, file in named.items() if file is not None}
        present = {of_file.get(stem, stem): source for stem, source in present.items()}
    faults = [
        Fault(f"tables.{name}", "is in the policy but not in the data", "Check the name.")
        for name in named
        if name not in present
    ]
    faults += [
        Fault(f"tables.{name}", "is in the data but not in the policy", "Describe it in [tables].")
        for name in present
        if name not in named
    ]
    if faults:
        raise SchemaError(faults)
    lazy = [name for name in named if is_lazy(present[name])]
    if lazy:
        raise DataError(
            Fault(f"tables.{name}", "is lazy, and related tables are read whole", "Collect it.")
            for name in lazy
        )
    found: dict[str, TableFile] = {}
    for name in named:
        source = present[name]
        given = str(source) if isinstance(source, Path) else source
        try:
            found[name] = read_file(given, reading=flat[name].reading)
        except EmptyDataError as error:
            remedy = "Leave the table out of the data and of the policy."
            raise EmptyDataError(
                Fault(f"tables.{name}", one.problem, remedy) for one in error.faults
            ) from None
    endings = {n: path.suffix for n, path in present.items() if isinstance(path, Path)}
    return found, endings


def rows_of_input(policy: RelatedPolicy, original: Any) -> dict[str, int]:
    """Count the rows of each table of the input.

    Parameters
    ----------
    original : a folder, the address of a schema, or a frame for each table

    Raises
    ------
    DataError
        when it cannot be read
    """
    read, _ = read_tables(original, policy, policy.flat_tables())
    return {name: file.frame.height for name, file in read.items()}


def as_read(data: Any) -> dict[str, tuple[TableFile, Path | None]]:
    """Return the tables of a release as they are written, every cell as it stands."""
    listed = named_tables(data)
    found: dict[str, tuple[TableFile, Path | None]] = {}
    for name, source in listed.items():
        path = source if isinstance(source, Path) else None
        given = source if path is None else str(path)
        table = read_file(given, typed=False, may_be_empty=True, as_found=True)
        found[name] = table, path
    return found


def key_texts(frame: pl.DataFrame, key: str, missing: Container[str] = ("",)) -> list[str]:
    """Return the cells of a key as texts, numbers by their value; empty where a part is missing.

    Parameters
    ----------
    key : its column, or several with commas between them
    missing : how a missing cell is written
    """
    parts = (key,) if key in frame.columns else key_parts(key)
    columns = [texts_by_key(frame[part]).to_list() for part in parts]
    if len(columns) == 1:
        return columns[0]
    return [
        "" if any(part in missing for part in parts) else BETWEEN.join(parts)
        for parts in zip(*columns, strict=True)
    ]
