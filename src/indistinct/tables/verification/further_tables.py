"""What a form of a release has beside its table: the sensitive table, the counterfeits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.base.files.pair import counterfeits_path, sensitive_path
from indistinct.errors import DataError, Fault
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading import files
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.reading.places import TABS
from indistinct.tables.verification.bytes import (
    WrittenTable,
    byte_faults,
    is_of_this_writer,
    writer_of,
)
from indistinct.tables.verification.evidence import Given
from indistinct.tables.verification.invariant import counterfeits_in
from indistinct.tables.verification.verdict import form_of


def further_tables(
    given: Given, spec: Specification, manifest: Mapping[str, Any] | None
) -> tuple[pl.DataFrame | None, pl.DataFrame | None, list[Fault]]:
    """Read what a form of a release has beside its table: as it was given, or beside its file.

    Returns
    -------
    the second of two linked tables, the list of counterfeits, and what is wrong
    """
    further_tables, is_path = form_of(spec).further_tables, isinstance(given.data, str | Path)
    second, listed = given.sensitive, given.counterfeits
    second = sensitive_path(given.data) if second is None and is_path else second
    listed = counterfeits_path(given.data) if listed is None and is_path else listed
    found, faults = None, list[Fault]()
    if "sensitive" in further_tables:
        found, faults = _second_table(second, written_separator(second, spec), manifest)
    return found, counterfeits_in(listed) if "counterfeits" in further_tables else None, faults


def _second_table(
    place: Any, separator: str | None, manifest: Mapping[str, Any] | None
) -> tuple[pl.DataFrame, list[Fault]]:
    """Read the second of two linked tables, and compare its hash with the manifest's."""
    if place is None:
        raise DataError("there is no sensitive table", "Give it as sensitive.")
    source = files.read_file(place, separator=separator, typed=False, as_found=True)
    faults: list[Fault] = []
    if isinstance(place, str | Path):
        written = WrittenTable.of(str(place), source)
        if is_of_this_writer(writer_of(manifest), written.file_format):
            faults += byte_faults(written)
        said = source.sha256
        if manifest is not None:
            said = manifest.get("sensitive", {}).get("sha256")
        if said != source.sha256:
            remedy = "Take the files and the manifest of one run."
            problem = "is not the hash of this file"
            faults.append(Fault("manifest.sensitive.sha256", problem, remedy))
    return source.frame, faults


def written_separator(place: Any, spec: Specification) -> str | None:
    """Return the separator of a release: the input's, but of a file whose ending names its own."""
    is_named = isinstance(place, str | Path) and format_of_file(str(place)) == TABS
    return None if is_named else spec.data.separator
