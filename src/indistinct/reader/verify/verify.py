"""Check a release against its policy, from the written file alone.

Nothing that made the release takes part: the file is read afresh, classes are counted by a plain
group-by, models are measured one class at a time from their definitions, and cells are judged by
their text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints
from indistinct.core.protocols import Scope
from indistinct.engines import files
from indistinct.engines.addresses import is_address
from indistinct.engines.choosing import MEMORY, Resources, is_large, refuse_for_records
from indistinct.engines.places import is_database
from indistinct.engines.set_forms import taken_in
from indistinct.engines.workbooks import sheet_of
from indistinct.errors import DataError, Fault
from indistinct.models import BoundedModel, SetModel
from indistinct.policy.given import GivenPolicy, policy_of
from indistinct.policy.linked_form import counterfeits_path, sensitive_path
from indistinct.policy.policy import Policy
from indistinct.reader.verify.bytes import (
    OTHER_WRITER,
    WrittenTable,
    byte_faults,
    is_of_this_writer,
    with_unchecked,
    writer_of,
)
from indistinct.reader.verify.cells import HIDDEN
from indistinct.reader.verify.classes import classes_of
from indistinct.reader.verify.evidence import (
    Evidence,
    Reading,
    as_labels,
    evidence_of,
    has_made_up_rows,
    promises_of_all_releases,
)
from indistinct.reader.verify.input import lists_people, read_input
from indistinct.reader.verify.manifest_check import (
    fingerprint_faults,
    hash_faults,
    unverified_faults,
)
from indistinct.reader.verify.manifest_file import manifest_in, without_manifest
from indistinct.reader.verify.manifest_shape import shape_faults
from indistinct.reader.verify.people import (
    crosswalk_rows,
    persons_in,
    sized_in_people,
    with_people,
)
from indistinct.reader.verify.public_policy import manifest_of_release, policy_in
from indistinct.reader.verify.raw_scan import texts_of_the_input
from indistinct.reader.verify.set_forms import numbering_faults, with_items
from indistinct.reader.verify.texts_as_read import texts_as_read
from indistinct.reader.verify.untested_masks import untested
from indistinct.reader.verify.verdict import judge_plainly, verdict_on
from indistinct.reader.verify.verification import Verification

__all__ = [
    "Reading",
    "Verification",
    "as_labels",
    "judge_plainly",
    "looks_beyond",
    "people_of",
    "verify",
    "verify_frame",
    "verify_written",
]


def verify(  # noqa: PLR0913 - what there is to judge by, each a keyword
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    original: Any = None,
    manifest: str | Path | Mapping[str, Any] | None = None,
    sensitive: Any = None,
    owner: str | Path | Mapping[str, Any] | None = None,
    crosswalk: Any = None,
    history: str | Path | None = None,
    counterfeits: Any = None,
    resources: Resources | None = None,
    require_manifest: bool = False,
) -> Verification:
    """Check a release against its policy.

    Parameters
    ----------
    data : path of the release, or a frame
    policy : what was promised; a policy, or the path of its TOML file; when left out, that of the
        manifest
    original : path or frame of the input: makes the check of closeness exact where records were
        suppressed
    manifest : the release's manifest or its path; the one beside the file when left out
    sensitive : path or frame of the second of two linked tables; the one beside the file when left
        out
    owner : the owner's manifest or its path: with its salt the fingerprint of ``original`` is
        checked, too
    crosswalk : path of the crosswalk, or the row of the input behind each row, with ``original``:
        makes the check of single records possible, and proves what counts people
    history : path of the record of earlier releases, with ``original``: checks that each person
        keeps the same sensitive values
    counterfeits : path or frame with the counterfeits of each group; the one beside the file when
        left out
    resources : which engine counts a release that is not read whole: a folder or a pattern of
        files, a table of a database, a file larger than memory
    require_manifest : whether a release without a manifest is an error

    Returns
    -------
    a verdict, with every reason against

    Raises
    ------
    DataError
        when a file cannot be read, or the manifest that is required is not there
    """
    policy = policy_of(policy_in(manifest_of_release(data, manifest)) if policy is None else policy)
    if history is not None and not Path(history).is_file():
        raise DataError("there is no such history", "Name the file that --history wrote.")
    resources = resources or Resources()
    is_here = not (
        is_large(data, None, resources)
        or is_large(original, None, resources)
        or _is_counted_in_place(data, resources)
    )
    path = str(data) if isinstance(data, str | Path) else None
    found = _manifest(path, manifest) if is_here else None
    has_names = is_here and path is not None and _has_names(found, crosswalk)
    if not is_here or has_names or _names_files(crosswalk):
        from indistinct.reader.verify.large import verify_large

        refuse_for_records(owner=owner, history=history)
        return verify_large(
            data,
            policy,
            original=original,
            manifest=manifest,
            crosswalk=crosswalk,
            resources=resources,
            require_manifest=require_manifest,
        )
    unchecked = {
        **without_manifest(found, is_required=require_manifest),
        **untested(policy, is_linked=original is not None and crosswalk is not None),
    }
    source = files.read(
        data, separator=policy.data.separator, typed=False, may_be_empty=True, as_found=True
    )
    read_from = None if path is None or _is_no_file(path) else path
    given = None if original is None else read_input(original, policy, policy.data.separator)
    before = None if given is None else given.frame
    faults = [] if found is None else list(shape_faults(found, policy))
    found = None if faults else found
    if found is not None:
        faults += unverified_faults(found)
        faults += () if path is None else hash_faults(source.sha256, found)
    if owner is not None:
        exact = _manifest(None, owner)
        if given is None:
            raise DataError("an owner's file is checked against the input", "Give original, too.")
        faults += fingerprint_faults(given.sha256, exact or {}, found)
    written = None if read_from is None else _written_table(read_from, source)
    is_compared = written is None or is_of_this_writer(writer_of(found), written.file_format)
    if written is not None:
        faults += byte_faults(written, writer_of(found))
        if before is not None and not is_compared:
            texts = with_items(before, source.frame, policy)
            faults += texts_of_the_input(written.path, source.frame, texts)
    faults += numbering_faults(source.frame, policy)
    taken, _ = taken_in(source.frame, policy.set_forms, is_file=path is not None)
    source = replace(source, frame=taken)
    second = None
    if policy.release.form == "anatomy":
        place = sensitive if sensitive is not None or path is None else str(sensitive_path(path))
        second, wrong = _second_table(place, policy, found)
        faults += wrong
    listed = None
    if promises_of_all_releases(policy):
        from indistinct.reader.verify.republication import counterfeits_in

        place = (
            counterfeits if counterfeits is not None or path is None else counterfeits_path(path)
        )
        listed = counterfeits_in(place)
    rows = None if crosswalk is None else _rows(crosswalk, source.frame, before, policy)
    verdict = verdict_on(
        Reading(
            source.frame,
            policy,
            before,
            rows,
            found,
            sensitive=second,
            counterfeits=listed,
            history=None if history is None else Path(history),
            sha256=source.sha256,
        ),
        faults,
    )
    return with_unchecked(verdict, unchecked | ({} if is_compared else {"bytes": OTHER_WRITER}))


def _is_counted_in_place(data: Any, resources: Resources) -> bool:
    """Tell whether a release is a table of a database, which keeps its manifest, too."""
    return isinstance(data, str) and is_database(data) and resources.engine != MEMORY


def _is_no_file(path: str) -> bool:
    """Tell whether a release has no bytes to look at: standard input, a table of a database."""
    return path == files.STANDARD_STREAM or is_address(path)


def _names_files(crosswalk: Any) -> bool:
    """Tell whether a crosswalk is one of a release that was not held whole."""
    if crosswalk is None:
        return False
    from indistinct.reader.verify.large_crosswalk import has_files_named

    return has_files_named(crosswalk)


def _has_names(said: Any, crosswalk: Any) -> bool:
    """Tell whether a release has a column of random names, by its manifest or the crosswalk."""
    # The shape of a manifest is checked later: it may be anything that JSON can hold.
    document: Mapping[str, Any] = (
        cast("Mapping[str, Any]", said) if isinstance(said, Mapping) else {}
    )
    output: Any = document.get("output")
    if isinstance(output, Mapping) and "record_column" in output:
        return True
    if crosswalk is None:
        return False
    from indistinct.reader.verify.record_names import named_column

    return named_column(crosswalk) is not None


def _rows(
    crosswalk: Any, frame: pl.DataFrame, original: pl.DataFrame | None, policy: Policy
) -> list[int]:
    """Read the crosswalk, which tells the row of the input of every record."""
    if original is None:
        raise DataError(
            [Fault("original", "is missing", "The crosswalk names rows of the original.")]
        )
    # A counterfeit has no record either.
    masked = [has_made_up_rows(policy)] * frame.height
    if policy.release.suppressed == "mask":
        stars = pl.all_horizontal(pl.all() == HIDDEN)
        masked = texts_as_read(frame).select(stars).to_series().to_list()
    return crosswalk_rows(crosswalk, masked, original.height)


def verify_written(
    release: Reading,
    path: str,
    file_format: str,
    separator: str | None,
    sensitive: str | None = None,
) -> Verification:
    """Check a file that was just written, with the input and the crosswalk at hand.

    Parameters
    ----------
    release : what is known of it; its frame is read afresh and not believed
    path, file_format, separator : how to read it
    sensitive : path of the second of two linked tables, read in the same way
    """

    def table_of(file: str) -> WrittenTable:
        found = files.read(
            file,
            separator=separator,
            typed=False,
            file_format=file_format,
            may_be_empty=True,
            as_found=True,
        )
        return WrittenTable(Path(file), file_format, separator, found.frame, found.labels)

    table = table_of(path)
    linked = None if sensitive is None else table_of(sensitive)
    faults = [fault for one in (table, linked) if one for fault in byte_faults(one, None)]
    frame, second = table.frame, None if linked is None else linked.frame
    faults += numbering_faults(frame, release.policy)
    frame, _ = taken_in(frame, release.policy.set_forms)
    return verdict_on(replace(release, frame=frame, sensitive=second), faults)


def _written_table(path: str, source: files.Source) -> WrittenTable:
    """Return the file of a release with what was read from it."""
    place = Path(sheet_of(path)[0])
    return WrittenTable(
        place, files.format_of(str(place)), source.separator, source.frame, source.labels
    )


def verify_frame(release: Reading) -> Verification:
    """Check a release in memory, with the input and the crosswalk at hand."""
    return verdict_on(release, [])


def people_of(reading: Reading) -> tuple[Ints, Ints] | None:
    """Count the records of each class, or its people, and the population that looks like it.

    None where the policy names no table of the population. Where it names the column of persons,
    people are counted if the table has that column, or the input and the crosswalk are at hand.
    """
    if not lists_people(reading.policy):
        return None
    evidence = evidence_of(reading)
    persons = persons_released(evidence)
    if persons is not None:
        told = with_people(evidence.release, persons, (), reading.policy)
        evidence = replace(evidence, release=told)
    classes = list(classes_of(evidence))
    classes = classes if persons is None else sized_in_people(classes)
    sizes = np.array([one.size for one in classes], np.int64)
    return sizes, np.array([one.population or 0 for one in classes], np.int64)


def persons_released(evidence: Evidence) -> list[str] | None:
    """Give the person behind each released record, where people count and something tells them."""
    policy = evidence.policy
    if policy.data.person in evidence.release.columns:
        return persons_in(evidence.release, policy)
    if evidence.original is None or evidence.rows is None:
        return None
    persons = persons_in(evidence.original, policy)
    return None if persons is None else [persons[row] for row in evidence.rows]


def looks_beyond(model: BoundedModel, policy: Policy) -> bool:
    """Tell whether a model asks for more than the counts of the classes."""
    if isinstance(model, SetModel):
        return True
    return model.scope is Scope.REGION or (model.counts_people and lists_people(policy))


def _second_table(
    place: Any, policy: Policy, manifest: Mapping[str, Any] | None
) -> tuple[pl.DataFrame, list[Fault]]:
    """Read the second of two linked tables, and compare its hash with the manifest's."""
    if place is None:
        raise DataError("there is no sensitive table", "Give it as sensitive.")
    source = files.read(place, separator=policy.data.separator, typed=False, as_found=True)
    hidden: list[Fault] = []
    if isinstance(place, str | Path):
        hidden += byte_faults(_written_table(str(place), source), writer_of(manifest))
    said = None if manifest is None else manifest.get("sensitive", {}).get("sha256")
    if manifest is None or not isinstance(place, str | Path) or said == source.sha256:
        return source.frame, hidden
    fault = Fault(
        "manifest.sensitive.sha256",
        "is not the hash of this file",
        "Take the files and the manifest of one run.",
    )
    return source.frame, [*hidden, fault]


def _manifest(
    path: str | None, given: str | Path | Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """Read the manifest that was given, or the one beside the release if there is one."""
    if given is not None and not isinstance(given, str | Path):
        return given
    file = Path(given) if given is not None else Path(f"{path}.manifest.json")
    if given is None and (path is None or not file.exists()):
        return None
    return manifest_in(file)
