"""Verify a release where it is, a folder or a table, without reading it whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.core.schema import Role
from indistinct.engines.choosing import Resources, open_table
from indistinct.engines.duckdb_catalog import holds_more
from indistinct.engines.places import (
    DUCKDB,
    DatabaseTable,
    database_table,
    files_at,
    is_cluster_path,
    is_database,
    is_elsewhere,
)
from indistinct.engines.sources import Capacity, Key, Source, Tally
from indistinct.errors import CapacityError, DataError, Fault
from indistinct.policy.policy import Policy
from indistinct.reader.verify.bytes import (
    OTHER_WRITER,
    is_of_this_writer,
    with_unchecked,
    writer_of,
)
from indistinct.reader.verify.columns import column_faults
from indistinct.reader.verify.counted import counted_columns, protected_cells
from indistinct.reader.verify.evidence import Reading
from indistinct.reader.verify.large_crosswalk import large_crosswalk_faults
from indistinct.reader.verify.manifest_check import hash_faults, unverified_faults
from indistinct.reader.verify.manifest_file import without_manifest
from indistinct.reader.verify.manifest_shape import shape_faults
from indistinct.reader.verify.missing_words import missing_word_faults
from indistinct.reader.verify.order import order_faults
from indistinct.reader.verify.parts import folder_faults, part_faults, rows_of_parts
from indistinct.reader.verify.public_policy import manifest_of_release, with_suggested_rules
from indistinct.reader.verify.record_names import (
    name_faults,
    named_column,
    named_crosswalk_faults,
    record_column_of,
)
from indistinct.reader.verify.untested_masks import untested
from indistinct.reader.verify.verdict import verdict_on
from indistinct.reader.verify.verification import Verification

SHARED_FILE = (
    "the release is one table of a file that was there before: the file may hold more, and so do "
    "its free blocks; give away an export of the table, and not the file"
)


def verify_large(  # noqa: PLR0913 - what there is to judge by, each a keyword
    data: Any,
    policy: Policy,
    *,
    original: Any = None,
    manifest: str | Path | Mapping[str, Any] | None = None,
    crosswalk: str | Path | None = None,
    resources: Resources | None = None,
    require_manifest: bool = False,
) -> Verification:
    """Check a release against its policy, its rows counted by an engine.

    Parameters
    ----------
    data : a folder or a pattern of files, a file, or the address of a table
    policy : what was promised
    original : the input, where it is
    manifest : the release's manifest or its path; the one inside the folder, or beside the file,
        when left out
    crosswalk : path of the list of which released record came from which one: each record is then
        compared with its own
    resources : which engine works, and with how much memory
    require_manifest : whether a release without a manifest is an error

    Raises
    ------
    DataError
        when a table cannot be read, or the manifest that is required is not there
    CapacityError
        when its classes do not fit into memory
    """
    if policy.set_names:
        raise DataError(
            "a release with a column of sets is verified in memory",
            "Write it to one file, and verify that file.",
        )
    resources = resources or Resources()
    capacity = Capacity(resources.bytes, resources.most_rows)
    said = manifest_of_release(data, manifest)
    policy = with_suggested_rules(policy, said)
    unchecked = {
        **without_manifest(said, is_required=require_manifest),
        **untested(policy, is_linked=crosswalk is not None, in_parts=True),
    }
    faults = [] if said is None else list(shape_faults(said, policy))
    said = None if faults else said
    with open_table(
        data, resources.opening_as_written(policy.data.separator), resources.engine
    ) as source:
        named = record_column_of(said, crosswalk)
        names = [name for name in source.kinds if name != named]
        if list(column_faults(names, policy)):
            reading = Reading(pl.DataFrame(), policy, manifest=said, columns=names)
            return verdict_on(reading, faults)
        if said is not None:
            faults += unverified_faults(said)
            digest = None if is_database(str(data)) else said["output"]["sha256"]
            if digest is not None:
                faults += hash_faults(source.fingerprint(hashes=True) or "", said)
        hidden, unseen = _hidden(data, policy, said)
        faults += hidden
        found = counted_rows(source, counted_columns(names, policy), capacity)
        protected = protected_cells(lambda each: counted_rows(source, each, capacity), policy)
        if named is not None:
            faults += name_faults(named, counted_rows(source, [named], capacity), policy)
    if crosswalk is not None:
        if original is None:
            raise DataError(
                [Fault("original", "is missing", "The crosswalk names rows of the original.")]
            )
        compare = large_crosswalk_faults
        if named_column(crosswalk) is not None:
            compare = named_crosswalk_faults
        faults += compare(data, original, str(crosswalk), policy, resources)
    before = None
    if original is not None:
        opening = resources.opening(policy.data.missing, policy.data.separator)
        opening = replace(opening, is_read_once=True)
        with open_table(original, opening, resources.engine) as source:
            before = counted_rows(source, _read_of_the_input(policy), capacity)
    reading = Reading(
        found.frame,
        policy,
        None if before is None else before.frame,
        manifest=said,
        weights=found.records,
        original_weights=None if before is None else before.records,
        columns=names,
        protected=protected,
    )
    return with_unchecked(verdict_on(reading, faults), {**unchecked, **unseen})


def _hidden(
    data: Any, policy: Policy, manifest: Mapping[str, Any] | None
) -> tuple[list[Fault], Mapping[str, str]]:
    """Find what files hold besides their cells.

    Files of another place, and tables of a server, are not looked at here.

    Returns
    -------
    the faults, and a note for each thing that could not be looked at
    """
    if not isinstance(data, str | Path) or is_cluster_path(str(data)):
        return [], {}
    if is_database(str(data)):
        return _beside_table(database_table(str(data)), manifest)
    if is_elsewhere(str(data)):
        return [], {}
    files, faults = files_at(str(data)), list[Fault]()
    rows = rows_of_parts(files, policy.data.separator)
    faults += order_faults(rows, policy)
    counted = policy.class_names  # whose cells are looked at when they are counted
    words = (missing_word_faults(part.drop(counted, strict=False), policy) for _, part in rows())
    faults += {fault.place: fault for found in words for fault in found}.values()
    is_compared = is_of_this_writer(writer_of(manifest), files.file_format)
    if is_compared:
        faults += part_faults(files, policy.data.separator)
    if files.root is not None and manifest is not None:
        faults += folder_faults(Path(files.root), manifest)
    return faults, {} if is_compared else {"bytes": OTHER_WRITER}


def _beside_table(
    table: DatabaseTable, manifest: Mapping[str, Any] | None
) -> tuple[list[Fault], Mapping[str, str]]:
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


def _read_of_the_input(policy: Policy) -> list[str]:
    """Name the columns of the input that say what its records became, and whether they took part.

    Where a record with a missing value is left out, each sensitive column decides about that.
    """
    names = [*policy.class_names, *policy.counted]
    if policy.data.missing_as == "suppress":
        names += policy.named(Role.SENSITIVE)
    return list(dict.fromkeys(names))


def counted_rows(source: Source, names: list[str], capacity: Capacity) -> Tally:
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
    found = source.count([Key(name) for name in names], at_most)
    if found is None:
        raise CapacityError(
            f"the table has more than {at_most:,} distinct rows of {', '.join(names)}",
            "Give more --memory.",
        )
    return found
