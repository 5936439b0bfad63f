"""Check a release against its policy, from the written file alone.

Nothing that made the release takes part: the file is read afresh, classes are counted by a plain
group-by, models are measured one class at a time from their definitions, and cells are judged by
their text.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints
from indistinct.core.protocols import PlainClass, Scope
from indistinct.core.schema import Role
from indistinct.counting.population import lists_people, n_people
from indistinct.engines import files
from indistinct.errors import DataError, Fault
from indistinct.models import BoundedModel
from indistinct.policy.policy import Policy
from indistinct.reader.verify import linked
from indistinct.reader.verify.bytes_scan import hidden_bytes, hidden_texts, unread_parts
from indistinct.reader.verify.cells import HIDDEN
from indistinct.reader.verify.classes import classes_of
from indistinct.reader.verify.columns import (
    cell_faults,
    cell_notes,
    column_faults,
    order_faults,
)
from indistinct.reader.verify.evidence import (
    Evidence,
    Reading,
    as_labels,
    evidence_of,
    n_input,
    n_suppressed,
    suppression_faults,
    unprotected,
)
from indistinct.reader.verify.judging import Judgement, judge, reads_table
from indistinct.reader.verify.linked import (
    counts_of,
    link_faults,
    linked_groups,
    origin_faults,
    sensitive_path,
)
from indistinct.reader.verify.manifest_check import (
    Recounted,
    claim_faults,
    fingerprint_faults,
    hash_faults,
    policy_faults,
)
from indistinct.reader.verify.manifest_shape import shape_faults
from indistinct.reader.verify.masks import original_faults, protection_faults, protection_notes
from indistinct.reader.verify.original import (
    crosswalk_faults,
    input_faults,
    linked_input_faults,
)
from indistinct.reader.verify.people import (
    counted_in_people,
    crosswalk_rows,
    judged_by_records,
    people_faults,
    persons_in,
    sized_in_people,
    with_people,
)
from indistinct.reader.verify.texts_as_read import lost_differences, texts_as_read

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


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a release holds what its policy promises.

    Parameters
    ----------
    holds : True when nothing is wrong, False when something is, None when what is at hand does not
        decide a model; whoever needs a promise asks ``holds is True``
    faults : what is wrong; no value of any record
    models : per model: name, required, achieved, holds
    records, classes : released records, and the classes they form
    notes : what could not be decided without the original
    """

    holds: bool | None
    faults: tuple[Fault, ...]
    models: tuple[Mapping[str, Any], ...]
    records: int
    classes: int
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The verdict in words: ``holds``, ``does not hold`` or ``undecided``."""
        if self.holds is None:
            return "undecided"
        return "holds" if self.holds else "does not hold"

    def document(self) -> dict[str, Any]:
        """Give the result as one JSON document."""
        return {
            "holds": self.holds,
            "verdict": self.verdict,
            "reasons": [f"{fault.place}: {fault.problem}" for fault in self.faults],
            "models": list(self.models),
            "records": self.records,
            "classes": self.classes,
            "notes": list(self.notes),
        }


def verify(  # noqa: PLR0913 - what there is to judge by, each a keyword
    data: Any,
    policy: Policy,
    *,
    original: Any = None,
    manifest: str | Path | Mapping[str, Any] | None = None,
    sensitive: Any = None,
    owner: str | Path | Mapping[str, Any] | None = None,
    crosswalk: Any = None,
) -> Verification:
    """Check a release against its policy.

    Parameters
    ----------
    data : path of the release, or a frame
    policy : what was promised
    original : path or frame of the input: makes the check of closeness exact where records were
        suppressed
    manifest : the release's manifest or its path; the one beside the file when left out
    sensitive : path or frame of the second of two linked tables; the one beside the file when left
        out
    owner : the owner's manifest or its path: with its salt the fingerprint of ``original`` is
        checked, too
    crosswalk : path of the crosswalk, or the row of the input behind each row, with ``original``:
        makes the check of single records possible, and proves what counts people

    Returns
    -------
    a verdict, with every reason against

    Raises
    ------
    DataError
        when a file cannot be read
    """
    path = str(data) if isinstance(data, str | Path) else None
    found = _manifest(path, manifest)
    source = files.read(data, separator=policy.data.separator, typed=False, may_be_empty=True)
    given = None if original is None else _original(original, policy)
    before = None if given is None else given.frame
    read_from = None if path in {None, files.STANDARD_STREAM} else path
    faults = [] if found is None else list(shape_faults(found, policy))
    found = None if faults else found
    if found is not None:
        hashes = policy_faults(found, policy)
        faults += hashes if path is None else hash_faults(source.sha256, found, policy)
    if owner is not None:
        exact = _manifest(None, owner)
        if given is None:
            raise DataError("an owner's file is checked against the input", "Give original, too.")
        faults += fingerprint_faults(given.sha256, exact or {}, found)
    if read_from is not None:
        faults += hidden_bytes(read_from, source.frame)
        if before is not None:
            faults += hidden_texts(read_from, source.frame, before)
    second = None
    if policy.release.form == "anatomy":
        place = sensitive if sensitive is not None or path is None else str(sensitive_path(path))
        second, wrong = _second_table(place, policy, found)
        faults += wrong
    rows = None if crosswalk is None else _rows(crosswalk, source.frame, before, policy)
    verdict = _verdict(Reading(source.frame, policy, before, rows, found, sensitive=second), faults)
    unread = () if read_from is None else unread_parts(read_from)
    return replace(verdict, notes=verdict.notes + unread)


def _rows(
    crosswalk: Any, frame: pl.DataFrame, original: pl.DataFrame | None, policy: Policy
) -> list[int]:
    """Read the crosswalk, which tells the row of the input of every record."""
    if original is None:
        raise DataError(
            [Fault("original", "is missing", "The crosswalk names rows of the original.")]
        )
    masked = [False] * frame.height
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

    def frame_of(file: str) -> pl.DataFrame:
        return files.read(
            file, separator=separator, typed=False, file_format=file_format, may_be_empty=True
        ).frame

    second = None if sensitive is None else frame_of(sensitive)
    frame = frame_of(path)
    faults = list(hidden_bytes(path, frame))
    if sensitive is not None and second is not None:
        faults += hidden_bytes(sensitive, second)
    return _verdict(replace(release, frame=frame, sensitive=second), faults)


def verify_frame(release: Reading) -> Verification:
    """Check a release in memory, with the input and the crosswalk at hand."""
    return _verdict(release, [])


def _verdict(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on what was read."""
    wrong_rows = list(crosswalk_faults(reading))
    if wrong_rows:
        reading, faults = replace(reading, rows=None), [*faults, *wrong_rows]
    frame, policy = reading.frame, reading.policy
    if policy.release.form == "anatomy":
        return _linked_verdict(reading, faults)
    wrong_columns = list(column_faults(frame, policy))
    if wrong_columns:
        return Verification(
            holds=False, faults=(*faults, *wrong_columns), models=(), records=0, classes=0
        )
    evidence = evidence_of(reading)
    persons = _persons(evidence)
    classes = list(classes_of(evidence if persons is None else _telling_people(evidence, persons)))
    n_records = evidence.release.height + (evidence.n_suppressed or 0)
    n_sampled = n_records if persons is None else len(set(persons))
    models = policy.models_among(n_sampled, n_people(policy))
    judged = [_judge_units(model, classes, evidence, persons) for model in models]
    if persons is not None:
        faults += people_faults(classes, n_sampled, reading.manifest)
    faults = [*faults, *(fault for _, found, _ in judged for fault in found)]
    faults += cell_faults(evidence)
    faults += protection_faults(evidence.release, policy, reading.manifest)
    if reading.original is not None and not reading.original_is_masked:
        faults += original_faults(evidence.release, policy, reading.original, evidence.rows)
    faults += lost_differences(frame)
    faults += order_faults(evidence)
    faults += input_faults(evidence)
    faults += suppression_faults(reading, evidence.release.height)
    entries = [entry for entry, _, _ in judged]
    sized = classes
    if policy.data.person is not None:
        sized = None if persons is None else sized_in_people(classes)
    faults += _claim_faults(reading, evidence, sized, entries)
    return Verification(
        holds=_decided(faults, judged),
        faults=tuple(faults),
        models=tuple(entries),
        records=evidence.release.height,
        classes=len(classes),
        notes=(
            *(note for _, _, notes in judged for note in notes),
            *cell_notes(evidence),
            *protection_notes(policy),
        ),
    )


def _persons(evidence: Evidence) -> list[str] | None:
    """Give the person behind each record of the input, where people count and can be counted."""
    if evidence.original is None or evidence.rows is None:
        return None
    return persons_in(evidence.original, evidence.policy)


def _telling_people(evidence: Evidence, persons: Sequence[str]) -> Evidence:
    """Add the people to the columns of the release and of the input."""
    policy, rows = evidence.policy, evidence.rows or ()
    columns = sorted({name for model in policy.models for name in model.columns})
    of_release = [persons[row] for row in rows]
    original = evidence.original
    return replace(
        evidence,
        release=with_people(evidence.release, of_release, columns, policy),
        original=None if original is None else with_people(original, persons, columns, policy),
    )


def _judge_units(
    model: BoundedModel,
    classes: Sequence[PlainClass],
    evidence: Evidence,
    persons: Sequence[str] | None,
) -> Judgement:
    """Judge a model by what its sizes count: records, or the people of the policy."""
    if evidence.policy.data.person is None:
        return judge(model, classes, evidence)
    if persons is None:
        entry, faults, _ = judge(model, classes, evidence)
        return judged_by_records(model, entry, faults, evidence.policy)
    return judge(model, counted_in_people(classes, model), evidence)


def _linked_verdict(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on two linked tables."""
    policy, frame = reading.policy, reading.frame
    records = texts_as_read(frame)
    sensitive = pl.DataFrame() if reading.sensitive is None else texts_as_read(reading.sensitive)
    wrong_columns = list(linked.column_faults(records, sensitive, policy))
    if wrong_columns:
        return Verification(
            holds=False, faults=(*faults, *wrong_columns), models=(), records=0, classes=0
        )
    original = reading.original if reading.original_is_masked else unprotected(reading)
    hidden = n_suppressed(reading, records.height)
    evidence = Evidence(records, frame, policy, original, reading.rows, hidden, n_input(reading))
    (name,) = policy.named(Role.SENSITIVE)
    counts, unreadable = counts_of(sensitive, name, policy.data.missing)
    if unreadable:
        problem = f"{unreadable} rows say no count, or one that was said before"
        faults = [*faults, Fault("sensitive", problem, "Do not publish these files.")]
    groups = linked_groups(records, counts, name)
    judged = [judge(model, groups, evidence) for model in policy.models]
    faults = [*faults, *(fault for _, found, _ in judged for fault in found)]
    faults += link_faults(records, counts)
    if original is not None and reading.rows is not None:
        faults += origin_faults(records, counts, texts_as_read(original), reading.rows, policy)
    faults += protection_faults(records, policy, reading.manifest)
    total = Counter[str]()
    for values in counts.values():
        total.update(values)
    faults += linked_input_faults(evidence, total)
    for table in (frame, reading.sensitive):
        faults += () if table is None else lost_differences(table)
    faults += order_faults(evidence)
    entries = [entry for entry, _, _ in judged]
    faults += _claim_faults(reading, evidence, groups, entries)
    return Verification(
        holds=_decided(faults, judged),
        faults=tuple(faults),
        models=tuple(entries),
        records=records.height,
        classes=len(groups),
    )


def _decided(faults: Sequence[Fault], judged: Sequence[Judgement]) -> bool | None:
    """Say whether a release holds; None where some model could not be decided."""
    if faults:
        return False
    return None if any(entry["holds"] is None for entry, _, _ in judged) else True


def judge_plainly(reading: Reading, models: Sequence[BoundedModel]) -> list[dict[str, Any]]:
    """Measure models in a table from their definitions, one class at a time.

    Parameters
    ----------
    reading : a table with the columns of its policy
    models : some of the policy's

    Returns
    -------
    per model: name, required, achieved, holds
    """
    evidence = evidence_of(reading)
    classes = list(classes_of(evidence))
    return [judge(model, classes, evidence)[0] for model in models]


def people_of(reading: Reading) -> tuple[Ints, Ints] | None:
    """Count the records of each class and the people that look like it.

    None where the policy names no table of the population.
    """
    if not lists_people(reading.policy):
        return None
    classes = list(classes_of(evidence_of(reading)))
    sizes = np.array([one.size for one in classes], np.int64)
    return sizes, np.array([one.population or 0 for one in classes], np.int64)


def looks_beyond(model: BoundedModel, policy: Policy) -> bool:
    """Tell whether a model asks for records outside the classes."""
    return model.scope is Scope.REGION or (model.counts_people and lists_people(policy))


def _second_table(
    place: Any, policy: Policy, manifest: Mapping[str, Any] | None
) -> tuple[pl.DataFrame, list[Fault]]:
    """Read the second of two linked tables, and compare its hash with the manifest's."""
    if place is None:
        raise DataError("there is no sensitive table", "Give it as sensitive.")
    source = files.read(place, separator=policy.data.separator, typed=False)
    hidden = list(hidden_bytes(place, source.frame)) if isinstance(place, str | Path) else []
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
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}", "Check the path.") from None
    except (ValueError, RecursionError):
        raise DataError(f"{file} is no JSON document", "Name the release's manifest.") from None
    # The document null is a broken manifest, and not the absence of one.
    return {} if document is None else document


def _original(original: Any, policy: Policy) -> files.Source:
    """Read the input as it was read for the release."""
    return files.read(
        original,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
    )


def _claim_faults(
    reading: Reading,
    evidence: Evidence,
    classes: Sequence[PlainClass] | None,
    entries: Sequence[Mapping[str, Any]],
) -> Iterator[Fault]:
    """Compare the manifest, if it is at hand, with what a reader of the file alone counts."""
    if reading.manifest is None:
        return
    policy = reading.policy
    alone = list(entries)
    if evidence.original is not None and evidence.n_suppressed:
        # Distances to the input's distribution are published as those to the release's.
        models = policy.models_among(
            evidence.release.height + evidence.n_suppressed, n_people(policy)
        )
        places = [place for place, model in enumerate(models) if reads_table(model)]
        bare = replace(reading, original=None, rows=None)
        found = judge_plainly(bare, [models[place] for place in places]) if places else ()
        for place, entry in zip(places, found, strict=True):
            alone[place] = entry
    counted = Recounted(evidence.release, reading.frame.height, classes, alone)
    yield from claim_faults(reading.manifest, counted, policy)
