"""What a release that is verified where it is holds beside its cells: files, folder, catalog."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from indistinct.errors import Fault
from indistinct.tables.engines.duckdb_catalog import holds_more
from indistinct.tables.engines.streamed_files import rewrite_part
from indistinct.tables.reading.places import DUCKDB, MANIFEST, Files, database_table, is_database
from indistinct.tables.verification.bytes import (
    BESIDE,
    DISMISS,
    OTHER_WRITER,
    are_alike,
    is_of_this_writer,
    writer_of,
)
from indistinct.tables.verification.counted import part_separator

PART = re.compile(r"part-(\d{5})\.(parquet|csv|tsv)")
SHARED_FILE = (
    "the release is one table of a file that was there before: the file may hold more, and so do "
    "its free blocks; give away an export of the table, and not the file"
)


def faults_beside_cells(
    data: Any, files: Files | None, separator: str | None, manifest: Mapping[str, Any] | None
) -> tuple[list[Fault], dict[str, str]]:
    """Find what a release holds beside its cells.

    Files of another place, and tables of a server, are not looked at.

    Parameters
    ----------
    files : of the release, where they are on this machine
    separator : of the input, where it is known

    Returns
    -------
    the faults, and a note for each thing that could not be looked at
    """
    if files is None:
        is_address = isinstance(data, str | Path) and is_database(str(data))
        return _faults_of_database_file(str(data), manifest) if is_address else ([], {})
    faults, is_compared = list[Fault](), is_of_this_writer(writer_of(manifest), files.file_format)
    if is_compared:
        faults += part_faults(files, separator)
    if files.root is not None and manifest is not None:
        faults += folder_faults(Path(files.root), manifest)
    return faults, {} if is_compared else {"bytes": OTHER_WRITER}


def _faults_of_database_file(
    address: str, manifest: Mapping[str, Any] | None
) -> tuple[list[Fault], dict[str, str]]:
    """Find what stands beside a release in a file of DuckDB."""
    table = database_table(address)
    if table.kind != DUCKDB:
        return [], {}
    if manifest is not None and manifest["output"].get("shared") is True:
        return [], {"file": SHARED_FILE}
    if not holds_more(table):
        return [], {}
    problem = "holds more than the release: other tables, or blocks of tables that were dropped"
    action = "Do not give this file away: write the release into a new file."
    return [Fault("file", problem, action)], {}


def part_faults(files: Files, separator: str | None) -> Iterator[Fault]:
    """Find parts that are not what is written of their own cells.

    Parameters
    ----------
    files : the parts; each is read and written again without being held whole
    separator : of text files, where it is known

    Notes
    -----
    O(cells), and the bytes of one part after the other in a temporary folder of the owner's.
    """
    wrong = 0
    for path in map(Path, files.paths):
        with TemporaryDirectory() as folder:
            own = Path(folder) / f"again.{files.file_format}"
            mark = part_separator(path, files, separator)
            rewrite_part(path, own, files.file_format, mark)
            wrong += not are_alike(path, own)
    if wrong:
        which = "" if len(files.paths) == 1 else f"{wrong} of {len(files.paths)} parts: each "
        yield Fault("file", f"{which}{BESIDE}", DISMISS)


def folder_faults(root: Path, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what lies in the folder of a release beside the parts that its manifest lists.

    Parameters
    ----------
    root : the folder, hidden names and folders below it included
    manifest : without faults of its shape
    """
    listed = _parts(manifest)
    names = [str(part.get("path")) for part in listed]
    there = {path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()}
    more = there - {*names, MANIFEST}
    if more:
        problem = f"holds {len(more)} files that the manifest does not list"
        yield Fault("folder", problem, "Give away the folder as it was written, and nothing else.")
    if any(_folders(root, there)):
        yield Fault("folder", "holds an empty folder", "Give away the folder as it was written.")
    for _, group in groupby(sorted(zip(names, listed, strict=True), key=_folder_of), _folder_of):
        parts = [(PART.fullmatch(name.rpartition("/")[2]), part) for name, part in group]
        numbers = [int(found[1]) if found else -1 for found, _ in parts]
        sizes = [part.get("rows") for _, part in parts]
        if numbers != list(range(len(parts))) or len(set(sizes[:-1])) > 1:
            problem = "has parts that are not numbered and filled one after another"
            yield Fault("folder", problem, "Write the release again.")


def _parts(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parts that a manifest lists."""
    said = manifest["output"].get("parts")
    parts = cast("list[Any]", said) if isinstance(said, list | tuple) else []
    return [part for part in parts if isinstance(part, Mapping)]


def _folders(root: Path, files: set[str]) -> Iterator[Path]:
    """Yield the folders below a folder that none of some files is in: their names may tell."""
    used = {parent.as_posix() for name in files for parent in Path(name).parents}
    for path in root.rglob("*"):
        if path.is_dir() and path.relative_to(root).as_posix() not in used:
            yield path


def _folder_of(part: tuple[str, object]) -> str:
    """Return the folder of a part."""
    return part[0].rpartition("/")[0]
