"""Read a release whole, and find what its file has beside its cells."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.errors import DataError, Fault
from indistinct.tables.frames.set_forms import taken_in
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading import files
from indistinct.tables.reading.addresses import is_address
from indistinct.tables.reading.statistical import Labels
from indistinct.tables.verification.bytes import (
    OTHER_WRITER,
    WrittenTable,
    byte_faults,
    is_of_this_writer,
    writer_of,
)
from indistinct.tables.verification.evidence import Given, VerificationInput, has_made_up_rows
from indistinct.tables.verification.further_tables import further_tables, written_separator
from indistinct.tables.verification.input import read_input
from indistinct.tables.verification.manifest_check import fingerprint_faults, hash_faults
from indistinct.tables.verification.manifest_file import manifest_of_release
from indistinct.tables.verification.people import crosswalk_rows
from indistinct.tables.verification.sets import numbering_faults
from indistinct.tables.verification.texts import HIDDEN, texts_as_read
from indistinct.tables.verification.texts_in_files import texts_of_the_input, with_items
from indistinct.tables.verification.value_labels import (
    value_label_faults,
    value_label_notes,
    with_labels,
)


def read_whole(
    given: Given, spec: Specification, manifest: Mapping[str, Any] | None
) -> tuple[VerificationInput, list[Fault], dict[str, str]]:
    """Read a release and what stands beside it, and find what its file has besides its cells.

    Parameters
    ----------
    given : the release and what else there is to judge by
    spec : what was promised
    manifest : what the release says of itself, without faults of its shape

    Returns
    -------
    what was read, the faults, and a note for each thing that could not be looked at

    Raises
    ------
    DataError
        when a file cannot be read
    """
    path = given.path
    source = files.read_file(
        given.data,
        separator=written_separator(given.data, spec),
        typed=False,
        may_be_empty=True,
        as_found=True,
    )
    original = None
    if given.original is not None:
        original = read_input(given.original, spec.reading, spec.set_forms, spec.data.separator)
    before = None if original is None else original.frame
    faults: list[Fault] = []
    if manifest is not None and path is not None:
        faults += hash_faults(source.sha256, manifest)
    if given.owner is not None:
        if original is None:
            raise DataError("an owner's file is checked against the input", "Give original, too.")
        exact = manifest_of_release(None, given.owner) or {}
        faults += fingerprint_faults(original.sha256, exact, manifest)
    notes: dict[str, str] = {}
    if path is not None and path != files.STANDARD_STREAM and not is_address(path):
        written = WrittenTable.of(path, source)
        is_compared = is_of_this_writer(writer_of(manifest), written.file_format)
        notes |= {} if is_compared else {"bytes": OTHER_WRITER}
        if is_compared:
            faults += byte_faults(written)
        elif before is not None:
            faults += texts_of_the_input(written, with_items(before, source.frame, spec.set_forms))
    own = None if original is None else original.labels or Labels()
    faults += value_label_faults(manifest, source.frame, own)
    notes |= value_label_notes(manifest, own)
    spec = with_labels(spec, manifest, source.labels, own)
    faults += numbering_faults(source.frame, spec.data.long)
    frame, _ = taken_in(source.frame, spec.set_forms, is_file=path is not None)
    second, listed, wrong = further_tables(given, spec, manifest)
    faults += wrong
    rows = None
    if given.crosswalk is not None and before is not None:
        rows = crosswalk_rows(given.crosswalk, _may_lack_records(frame, spec), before.height)
    reading = VerificationInput(
        frame,
        spec,
        before,
        rows,
        manifest,
        sensitive=second,
        counterfeits=listed,
        history=None if given.history is None else Path(given.history),
        sha256=source.sha256,
    )
    return reading, faults, notes


def _may_lack_records(frame: pl.DataFrame, spec: Specification) -> list[bool]:
    """Return which rows may have no record of the input: those of stars, and counterfeits."""
    if spec.release.suppressed == "mask":
        stars = pl.all_horizontal(pl.all() == HIDDEN)
        return texts_as_read(frame).select(stars).to_series().to_list()
    return [has_made_up_rows(spec)] * frame.height
