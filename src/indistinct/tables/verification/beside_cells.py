"""What a release that is verified where it is holds beside its cells: files, folder, catalog."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indistinct.errors import Fault
from indistinct.tables.engines.duckdb_catalog import holds_more
from indistinct.tables.reading.places import DUCKDB, Files, database_table, is_database
from indistinct.tables.verification.bytes import OTHER_WRITER, is_of_this_writer, writer_of
from indistinct.tables.verification.parts import folder_faults, part_faults

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
