"""Read a release whole, and look at its file.

Where the bytes cannot be compared, since another version of a library wrote them, they are searched
for texts of the input. What is compressed inside of a part is not seen.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.base.files.pair import counterfeits_path, sensitive_path
from indistinct.errors import DataError, Fault
from indistinct.tables.frames.set_forms import SetForms, taken_in
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading import files
from indistinct.tables.reading.addresses import is_address
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.reading.places import TABS
from indistinct.tables.reading.statistical import Labels
from indistinct.tables.verification.bytes import (
    DISMISS,
    OTHER_WRITER,
    UNREADABLE,
    WrittenTable,
    byte_faults,
    is_of_this_writer,
    writer_of,
)
from indistinct.tables.verification.evidence import Given, VerificationInput, has_made_up_rows
from indistinct.tables.verification.input import read_input
from indistinct.tables.verification.invariant import counterfeits_in
from indistinct.tables.verification.manifest_check import fingerprint_faults, hash_faults
from indistinct.tables.verification.manifest_file import manifest_of_release
from indistinct.tables.verification.people import crosswalk_rows
from indistinct.tables.verification.sets import numbering_faults
from indistinct.tables.verification.texts import HIDDEN, texts_as_read
from indistinct.tables.verification.value_labels import (
    value_label_faults,
    value_label_notes,
    with_labels,
)
from indistinct.tables.verification.verdict import form_of

SHORTEST_SECRET = 6  # bytes; shorter texts occur in a file by chance
MOST_SECRETS = 50_000  # texts that are looked for; more are thinned out evenly
MOST_COUNTED = 1_000  # texts found, of those that are counted


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
    path = str(given.data) if isinstance(given.data, str | Path) else None
    separator = written_separator(given.data, spec)
    source = files.read_file(
        given.data, separator=separator, typed=False, may_be_empty=True, as_found=True
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
            faults += texts_of_the_input(written, _with_items(before, source.frame, spec.set_forms))
    own = None if original is None else original.labels or Labels()
    faults += value_label_faults(manifest, source.frame, own)
    notes |= value_label_notes(manifest, own)
    spec = with_labels(spec, manifest, source.labels, own)
    faults += numbering_faults(source.frame, spec.data.long)
    frame, _ = taken_in(source.frame, spec.set_forms, is_file=path is not None)
    second, listed, wrong = _further_tables(given, spec, manifest)
    faults += wrong
    rows = None
    if given.crosswalk is not None:
        if before is None:
            raise without_original()
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


def written_separator(place: Any, spec: Specification) -> str | None:
    """Return the separator of a release: the input's, but of a file whose ending names its own."""
    is_named = isinstance(place, str | Path) and format_of_file(str(place)) == TABS
    return None if is_named else spec.data.separator


def without_original() -> DataError:
    """Return the error of a crosswalk without the table whose rows it names."""
    return DataError([Fault("original", "is missing", "The crosswalk names rows of the original.")])


def _further_tables(
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


def _may_lack_records(frame: pl.DataFrame, spec: Specification) -> list[bool]:
    """Return which rows may have no record of the input: those of stars, and counterfeits."""
    if spec.release.suppressed == "mask":
        stars = pl.all_horizontal(pl.all() == HIDDEN)
        return texts_as_read(frame).select(stars).to_series().to_list()
    return [has_made_up_rows(spec)] * frame.height


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


def _with_items(original: pl.DataFrame, found: pl.DataFrame, forms: SetForms) -> pl.DataFrame:
    """Return the input with items apart where the release has them so, to look for hidden ones."""
    return original.with_columns(
        original[name].str.split(mark)
        for name, mark in forms.separators.items()
        if name in original.columns
        and (forms.item == name or (name in found.columns and found[name].dtype == pl.List))
    )


def texts_of_the_input(table: WrittenTable, original: pl.DataFrame) -> Iterator[Fault]:
    """Find texts of the input that stand in a file, or in a member of an archive, and in no cell.

    Parameters
    ----------
    table : the written file, and its cells as they were read
    original : the input

    Notes
    -----
    O(bytes of the file). Texts below :data:`SHORTEST_SECRET` bytes are passed over.
    """
    shown = table.frame
    visible = _distinct_texts(shown)
    everything = "\n".join([*visible, *shown.columns, str(shown.schema)])
    # Bytes and texts are both read as Latin-1, so that any byte is one character of both.
    haystack = b"\n".join(_parts(table.path)).decode("latin-1")
    for name in original.columns:
        secrets = _distinct_texts(original.select(pl.nth(original.columns.index(name)))) - visible
        chosen = _thinned(sorted(text for text in secrets if len(text.encode()) >= SHORTEST_SECRET))
        found = _n_occurring(chosen, haystack, everything)
        if found:
            problem = f"{found} texts in the file are not shown in any cell"
            yield Fault(f"columns.{name}", problem, DISMISS)


def _parts(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, and those of the members if it is an archive."""
    yield path.read_bytes()
    try:
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name) for name in archive.namelist())
    except UNREADABLE:
        return


def _n_occurring(secrets: Sequence[str], haystack: str, visible: str) -> int:
    """Count the texts that stand in the bytes and are not a part of what is shown."""
    if not secrets:
        return 0
    patterns = pl.Series([text.encode().decode("latin-1") for text in secrets])
    found = pl.select(
        pl.lit(haystack).str.extract_many(patterns.implode(), overlapping=True).list.unique()
    ).item()
    counted = [text.encode("latin-1").decode() for text in found[:MOST_COUNTED].to_list()]
    return sum(text not in visible for text in counted)


def _thinned(texts: Sequence[str]) -> Sequence[str]:
    """Return so many texts at equal distances."""
    return texts[:: max(1, -(-len(texts) // MOST_SECRETS))]


def _distinct_texts(frame: pl.DataFrame) -> set[str]:
    """Return the distinct texts of all columns of text."""
    columns = (one.explode() if one.dtype == pl.List else one for one in frame.iter_columns())
    return {
        text
        for column in columns
        if isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum)
        for text in column.drop_nulls().unique().cast(pl.String).to_list()
    }
