"""Verify a release where it is, a folder or a table, without reading it whole."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from indistinct.errors import DataError, Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.sources import EngineTable, Tally, count_fitting
from indistinct.tables.findings.counted_rows import table_in_engine
from indistinct.tables.findings.counted_table import CountedTable
from indistinct.tables.frames.frame import empty_like
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.places import files_at, is_database, is_elsewhere
from indistinct.tables.verification.beside_cells import faults_beside_cells
from indistinct.tables.verification.counted import OpenedRelease, read_counted
from indistinct.tables.verification.crosswalk_of_names import named_crosswalk_faults
from indistinct.tables.verification.crosswalk_of_places import placed_crosswalk_faults
from indistinct.tables.verification.evidence import Given, VerificationInput
from indistinct.tables.verification.manifest_check import hash_faults
from indistinct.tables.verification.public_policy import with_suggested_rules
from indistinct.tables.verification.record_names import named_column, record_column_of


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
    spec = with_suggested_rules(spec, manifest)
    faults: list[Fault] = []
    opening = resources.opening_as_written(spec.data.separator)
    with open_table(data, opening, resources.engine) as source:
        release, named = _opened(source, data, resources), record_column_of(manifest, crosswalk)
        known = VerificationInput(empty_like({}), spec, manifest=manifest)
        reading, wrong, found = read_counted(release, known, named)
        if found is None:
            return reading, [], {}
        if manifest is not None and not is_database(str(data)) and manifest["output"]["sha256"]:
            faults += hash_faults(source.fingerprint(hashes=True) or "", manifest)
        faults += wrong
        beside, unseen = faults_beside_cells(data, release.files, spec.data.separator, manifest)
        faults += beside
    if crosswalk is not None:
        is_named = named_column(crosswalk) is not None
        compare = named_crosswalk_faults if is_named else placed_crosswalk_faults
        faults += compare(data, original, str(crosswalk), spec, resources)
    if original is None:
        return reading, faults, unseen
    opening = resources.opening(spec.data.missing, spec.data.separator, reading=spec.reading)
    opening = replace(opening, is_read_once=True)
    with open_table(original, opening, resources.engine) as source:
        before = count_fitting(source, _read_of_the_input(spec), resources.capacity)
    reading = replace(reading, original=before.frame, original_weights=before.records)
    return reading, faults, unseen


def _opened(source: EngineTable, data: Any, resources: Resources) -> OpenedRelease:
    """Return a release as an engine has it open, with its files if they are on this machine."""

    def count(names: Sequence[str], marked: Sequence[str]) -> Tally:
        return count_fitting(source, names, resources.capacity, marked)

    is_path = isinstance(data, str | Path) and not is_elsewhere(str(data))
    return OpenedRelease(list(source.kinds), count, files_at(str(data)) if is_path else None)


@contextmanager
def counted_in_place(
    data: Any, reading: VerificationInput, resources: Resources
) -> Generator[CountedTable]:
    """Yield a release as an engine counts it, while it is open.

    Parameters
    ----------
    reading : what was read of it
    """
    opening = resources.opening_as_written(reading.spec.data.separator)
    with open_table(data, opening, resources.engine) as source:
        columns = () if reading.columns is None else reading.columns
        yield table_in_engine(
            lambda names: count_fitting(source, names, resources.capacity), columns, reading.spec
        )


def _read_of_the_input(spec: Specification) -> list[str]:
    """Name the columns of the input that say what its records became, and whether they took part.

    Where a record with a missing value is left out, each sensitive column decides about that.
    """
    names = [*spec.class_names, *spec.counted]
    if spec.data.missing_as == "suppress":
        names += spec.named(Role.SENSITIVE)
    return list(dict.fromkeys(names))
