"""Verify a release where it is, a folder or a table, without reading it whole."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from indistinct.errors import CapacityError, DataError, Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.duckdb_catalog import holds_more
from indistinct.tables.engines.sources import Capacity, EngineTable, PersonKey, Tally
from indistinct.tables.findings.counted_rows import table_in_engine
from indistinct.tables.findings.counted_table import CountedTable
from indistinct.tables.frames.frame import empty_like
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.places import (
    DUCKDB,
    DatabaseTable,
    database_table,
    files_at,
    is_cluster_path,
    is_database,
    is_elsewhere,
)
from indistinct.tables.verification.bytes import OTHER_WRITER, is_of_this_writer, writer_of
from indistinct.tables.verification.columns import column_faults
from indistinct.tables.verification.counted import counted_columns, protected_cells
from indistinct.tables.verification.evidence import Given, VerificationInput
from indistinct.tables.verification.large_crosswalk import large_crosswalk_faults
from indistinct.tables.verification.manifest_check import hash_faults
from indistinct.tables.verification.order import order_faults
from indistinct.tables.verification.parts import folder_faults, part_faults, rows_of_parts
from indistinct.tables.verification.public_policy import with_suggested_rules
from indistinct.tables.verification.record_names import (
    name_faults,
    named_column,
    named_crosswalk_faults,
    record_column_of,
)
from indistinct.tables.verification.verdict import missing_word_faults
from indistinct.tables.verification.whole_table import without_original

SHARED_FILE = (
    "the release is one table of a file that was there before: the file may hold more, and so do "
    "its free blocks; give away an export of the table, and not the file"
)


def read_in_place(
    given: Given, spec: Specification, manifest: Mapping[str, Any] | None, resources: Resources
) -> tuple[VerificationInput, list[Fault], dict[str, str]]:
    """Count the rows of a release by an engine, and look at its files without reading them whole.

    Parameters
    ----------
    given : the release, a folder or a pattern of files, a file, or the address of a table; and what
        else there is to judge by
    spec : what was promised
    manifest : what the release says of itself, without faults of its shape
    resources : which engine works, and with how much memory

    Returns
    -------
    the distinct rows of what is counted, the faults, and a note for each thing that could not be
    looked at

    Raises
    ------
    DataError
        when a table cannot be read
    CapacityError
        when its classes do not fit into memory
    """
    if spec.set_names:
        raise DataError(
            "a release with a column of sets is verified in memory",
            "Write it to one file, and verify that file.",
        )
    data, original, crosswalk = given.data, given.original, given.crosswalk
    capacity = Capacity(resources.bytes, resources.most_rows)
    spec = with_suggested_rules(spec, manifest)
    faults: list[Fault] = []
    with open_table(
        data, resources.opening_as_written(spec.data.separator), resources.engine
    ) as source:
        named = record_column_of(manifest, crosswalk)
        names = [name for name in source.kinds if name != named]
        if list(column_faults(names, spec)):
            return (
                VerificationInput(empty_like({}), spec, manifest=manifest, columns=names),
                [],
                {},
            )
        if manifest is not None and not is_database(str(data)) and manifest["output"]["sha256"]:
            faults += hash_faults(source.fingerprint(hashes=True) or "", manifest)
        hidden, unseen = _hidden(data, spec, manifest)
        faults += hidden
        found = counted_rows(
            source, counted_columns(names, spec.class_rules, spec.counted), capacity
        )
        protected = protected_cells(
            lambda each: counted_rows(source, each, capacity), spec.protections
        )
        if named is not None:
            faults += name_faults(named, counted_rows(source, [named], capacity), spec.columns)
    if crosswalk is not None:
        if original is None:
            raise without_original()
        is_named = named_column(crosswalk) is not None
        compare = named_crosswalk_faults if is_named else large_crosswalk_faults
        faults += compare(data, original, str(crosswalk), spec, resources)
    before = None
    if original is not None:
        opening = resources.opening(spec.data.missing, spec.data.separator, reading=spec.reading)
        opening = replace(opening, is_read_once=True)
        with open_table(original, opening, resources.engine) as source:
            before = counted_rows(source, _read_of_the_input(spec), capacity)
    reading = VerificationInput(
        found.frame,
        spec,
        None if before is None else before.frame,
        manifest=manifest,
        weights=found.records,
        original_weights=None if before is None else before.records,
        columns=names,
        protected=protected,
    )
    return reading, faults, unseen


@contextmanager
def counted_in_place(
    data: Any, reading: VerificationInput, resources: Resources
) -> Generator[CountedTable]:
    """Yield a release as an engine counts it, while it is open.

    Parameters
    ----------
    reading : what was read of it
    """
    spec, capacity = reading.spec, Capacity(resources.bytes, resources.most_rows)
    opening = resources.opening_as_written(spec.data.separator)
    with open_table(data, opening, resources.engine) as source:
        columns = () if reading.columns is None else reading.columns
        yield table_in_engine(lambda names: counted_rows(source, names, capacity), columns, spec)


def _hidden(
    data: Any, spec: Specification, manifest: Mapping[str, Any] | None
) -> tuple[list[Fault], dict[str, str]]:
    """Find what files hold besides their cells.

    Files of another place, and tables of a server, are not looked at here.

    Returns
    -------
    the faults, and a note for each thing that could not be looked at
    """
    if not isinstance(data, str | Path) or is_cluster_path(str(data)):
        return [], {}
    if is_database(str(data)):
        return _verify_table_of(database_table(str(data)), manifest)
    if is_elsewhere(str(data)):
        return [], {}
    files, faults = files_at(str(data)), list[Fault]()
    rows = rows_of_parts(files, spec.data.separator)
    faults += order_faults(rows, spec.class_names)
    counted = spec.class_names  # whose cells are looked at when they are counted
    words = (missing_word_faults(part.drop(counted, strict=False), spec) for _, part in rows())
    faults += {fault.place: fault for found in words for fault in found}.values()
    is_compared = is_of_this_writer(writer_of(manifest), files.file_format)
    if is_compared:
        faults += part_faults(files, spec.data.separator)
    if files.root is not None and manifest is not None:
        faults += folder_faults(Path(files.root), manifest)
    return faults, {} if is_compared else {"bytes": OTHER_WRITER}


def _verify_table_of(
    table: DatabaseTable, manifest: Mapping[str, Any] | None
) -> tuple[list[Fault], dict[str, str]]:
    """Find what stands beside a release in a file of DuckDB."""
    if table.kind != DUCKDB:
        return [], {}
    is_shared = manifest is not None and manifest["output"].get("shared") is True
    if is_shared:
        return [], {"file": SHARED_FILE}
    faults = list[Fault]()
    if holds_more(table):
        problem = "holds more than the release: other tables, or blocks of tables that were dropped"
        action = "Do not give this file away: write the release into a new file."
        faults.append(Fault("file", problem, action))
    return faults, {}


def _read_of_the_input(spec: Specification) -> list[str]:
    """Name the columns of the input that say what its records became, and whether they took part.

    Where a record with a missing value is left out, each sensitive column decides about that.
    """
    names = [*spec.class_names, *spec.counted]
    if spec.data.missing_as == "suppress":
        names += spec.named(Role.SENSITIVE)
    return list(dict.fromkeys(names))


def counted_rows(source: EngineTable, names: list[str], capacity: Capacity) -> Tally:
    """Count the distinct rows of some columns.

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
    found = source.count([PersonKey(name) for name in names], at_most)
    if found is None:
        raise CapacityError(
            f"the table has more than {at_most:,} distinct rows of {', '.join(names)}",
            "Give more --memory.",
        )
    return found
