"""Check a release against its policy, from the written file alone.

Nothing that made the release takes part: the file is read afresh, classes are counted by a plain
group-by, models are measured one class at a time from their definitions, and cells are judged by
their text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.errors import Fault
from indistinct.tables.core.protocols import Scope
from indistinct.tables.core.schema import GROUP
from indistinct.tables.engines.choosing import (
    MEMORY,
    Resources,
    is_large,
    refuse_for_records,
    resources_of,
)
from indistinct.tables.findings.claims import (
    findings_beside,
    findings_said,
    with_little_kept,
    word_faults_of_findings,
)
from indistinct.tables.findings.counted_table import CloserLook
from indistinct.tables.findings.finding import Finding, ReleaseFindings
from indistinct.tables.frames.set_forms import taken_in
from indistinct.tables.models import BoundedModel, SetModel
from indistinct.tables.policy.given import GivenPolicy, policy_of
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.reading.addresses import is_address
from indistinct.tables.reading.places import is_database
from indistinct.tables.verification.bytes import WrittenTable, byte_faults
from indistinct.tables.verification.claims import judge_plainly
from indistinct.tables.verification.classes import classes_of
from indistinct.tables.verification.evidence import (
    CheckedRelease,
    Given,
    VerificationInput,
    as_labels,
    evidence_of,
)
from indistinct.tables.verification.gives_away import findings_of
from indistinct.tables.verification.manifest_check import unverified_faults
from indistinct.tables.verification.manifest_file import manifest_of_release, without_manifest
from indistinct.tables.verification.manifest_shape import mapping_in, shape_faults
from indistinct.tables.verification.mask_checks import untested
from indistinct.tables.verification.people import persons_in, sized_in_people, with_people
from indistinct.tables.verification.public_policy import rules_in
from indistinct.tables.verification.sets import numbering_faults
from indistinct.tables.verification.verdict import verdict_on
from indistinct.tables.verification.verification import Verification
from indistinct.tables.verification.whole_table import read_whole

__all__ = [
    "Verification",
    "VerificationInput",
    "as_labels",
    "judge_plainly",
    "looks_beyond",
    "people_of",
    "verify",
    "verify_frame",
    "verify_written",
]


def verify(  # noqa: PLR0913 - what there is to judge by, each a keyword
    release: Any,
    policy: GivenPolicy | None = None,
    *,
    original: Any = None,
    manifest: str | Path | Mapping[str, Any] | None = None,
    sensitive: Any = None,
    owner: str | Path | Mapping[str, Any] | None = None,
    crosswalk: Any = None,
    history: str | Path | None = None,
    counterfeits: Any = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
    require_manifest: bool = False,
    closer: CloserLook | None = None,
) -> Verification:
    """Check a release of one table against its policy; see :func:`indistinct.verify`."""
    given = Given(release, original, sensitive, owner, crosswalk, history, counterfeits)
    if policy is None:
        spec = rules_in(manifest_of_release(release, manifest))
    else:
        spec = resolve(policy_of(policy))
    given.check()
    resources = resources_of(engine, memory, temp)
    is_read_whole = _fits(given, resources)
    is_loaded = is_read_whole and given.path is not None and is_address(given.path)
    # Of a table that is loaded from its database, the manifest stays behind.
    said = manifest_of_release(None if is_loaded else release, manifest)
    is_read_whole = is_read_whole and not _is_compared_in_parts(given, said)
    unchecked = dict(without_manifest(said, is_required=require_manifest))
    is_linked = original is not None and crosswalk is not None
    unchecked |= untested(spec, is_linked=is_linked, in_parts=not is_read_whole)
    said, faults, told = _checked(said, spec)
    if is_read_whole:
        reading, more, notes = read_whole(given, spec, said)
    else:
        from indistinct.tables.verification.in_place import read_in_place

        refuse_for_records(owner=owner, history=history)
        reading, more, notes = read_in_place(given, spec, said, resources)
    unchecked |= notes
    if is_read_whole or closer is None:
        looked, differing = findings_of(reading, told, closer)
    else:
        from indistinct.tables.verification.in_place import counted_in_place

        with counted_in_place(release, reading, resources) as table:
            looked, differing = findings_beside([replace(table, closer=closer)], told)
    verdict = verdict_on(reading, [*faults, *more, *differing], unchecked)
    return _with_findings(verdict, looked, unchecked, spec.important)


def _fits(given: Given, resources: Resources) -> bool:
    """Return whether a release and its input are read whole, by their sizes and places."""
    if any(is_large(table, None, resources) for table in (given.data, given.original)):
        return False
    return given.path is None or not is_database(given.path) or resources.engine == MEMORY


def _checked(
    said: Mapping[str, Any] | None, spec: Specification
) -> tuple[Mapping[str, Any] | None, list[Fault], list[Finding] | None]:
    """Check what a manifest says by itself.

    Returns
    -------
    the manifest, if it has no faults of its shape; the faults; and its findings, if their words
    follow from their figures
    """
    if said is None:
        return None, [], None
    faults = list(shape_faults(said, spec))
    if faults:
        return None, faults, None
    faults += unverified_faults(said)
    names = [GROUP, str(mapping_in(said, "output").get("record_column", GROUP))]
    for name in spec.columns:
        names += [name, f"{name}_min", f"{name}_max"]
    wrong = list(word_faults_of_findings("manifest.warnings", said.get("warnings", ()), names))
    return said, [*faults, *wrong], None if wrong else findings_said(said)


def _with_findings(
    verdict: Verification,
    found: ReleaseFindings,
    unchecked: Mapping[str, str],
    important: Collection[str],
) -> Verification:
    """Add what a release gives away, and what could not be looked at."""
    stated = verdict.statements
    if stated is not None:
        found = with_little_kept(found, stated, important)
        stated = replace(stated, findings=found.document())
    return replace(
        verdict,
        statements=stated,
        notes=(*verdict.notes, *unchecked.values()),
        not_checked=(*verdict.not_checked, *unchecked),
        findings=found,
    )


def _is_compared_in_parts(given: Given, manifest: object) -> bool:
    """Return whether records have random names, or a crosswalk names the files of the records."""
    if given.path is not None and "record_column" in mapping_in(manifest, "output"):
        return True
    if given.crosswalk is None:
        return False
    from indistinct.tables.verification.crosswalk_of_places import has_files_named
    from indistinct.tables.verification.record_names import named_column

    is_named = given.path is not None and named_column(given.crosswalk) is not None
    return is_named or has_files_named(given.crosswalk)


def verify_written(
    release: VerificationInput,
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
    paths = (path,) if sensitive is None else (path, sensitive)
    first, *second = (WrittenTable.read(one, file_format, separator) for one in paths)
    faults = [fault for table in (first, *second) for fault in byte_faults(table)]
    faults += numbering_faults(first.frame, release.spec.data.long)
    frame, _ = taken_in(first.frame, release.spec.set_forms)
    beside = second[0].frame if second else None
    return verdict_on(replace(release, frame=frame, sensitive=beside), faults)


def verify_frame(release: VerificationInput) -> Verification:
    """Check a release in memory, with the input and the crosswalk at hand."""
    return verdict_on(release, [])


def people_of(reading: VerificationInput) -> tuple[Ints, Ints] | None:
    """Count the records of each class, or its people, and the population that looks like it.

    None where the policy names no table of the population. Where it names the column of persons,
    people are counted if the table has that column, or the input and the crosswalk are at hand.
    """
    if reading.spec.people_file is None:
        return None
    evidence = evidence_of(reading)
    persons = persons_released(evidence)
    if persons is not None:
        with_persons = with_people(evidence.release, persons, (), reading.spec.data.missing)
        evidence = replace(evidence, release=with_persons)
    classes = list(classes_of(evidence))
    classes = classes if persons is None else sized_in_people(classes)
    sizes = np.array([one.size for one in classes], np.int64)
    return sizes, np.array([one.population or 0 for one in classes], np.int64)


def persons_released(evidence: CheckedRelease) -> list[str] | None:
    """Return the person of each released record, where people count and something tells them."""
    spec = evidence.spec
    if spec.data.person in evidence.release.columns:
        return persons_in(evidence.release, spec.data)
    if evidence.original is None or evidence.rows is None:
        return None
    persons = persons_in(evidence.original, spec.data)
    return None if persons is None else [persons[row] for row in evidence.rows]


def looks_beyond(model: BoundedModel, people_file: Path | None) -> bool:
    """Return whether a model asks for more than the counts of the classes."""
    if isinstance(model, SetModel):
        return True
    return model.scope is Scope.REGION or (model.counts_people and people_file is not None)
