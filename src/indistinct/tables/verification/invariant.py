"""One of many releases of a table as a reader of its files sees it: groups, and who is in none.

It is one table with a column of groups, or two linked tables. Verification uses this and nothing of
what made the release.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.files.pair import counterfeits_path
from indistinct.errors import DataError, Fault
from indistinct.tables.core.protocols import PlainClass
from indistinct.tables.core.schema import GROUP
from indistinct.tables.engines.tallies import without
from indistinct.tables.frames.frame import Frame, chosen
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading import files
from indistinct.tables.verification.columns import cell_faults, cell_notes, column_faults
from indistinct.tables.verification.evidence import CheckedRelease, VerificationInput, evidence_of
from indistinct.tables.verification.judging import FormFindings, Judgement, judge
from indistinct.tables.verification.linked import (
    ValueCountsOfGroups,
    classes_of_groups,
    listed_values,
    lone_group_faults,
    own_cell_faults,
    read_counts,
)
from indistinct.tables.verification.manifest_check import Recounted, claim_faults, is_same
from indistinct.tables.verification.manifest_shape import mapping_in
from indistinct.tables.verification.original import (
    OTHER_INPUT,
    linked_input_faults,
    stranger_faults,
)
from indistinct.tables.verification.texts import (
    all_as_read,
    counted_as_read,
    in_one_way,
    text_as_read,
    texts_as_read,
)

MADE = "counterfeits"
DISMISS = "Do not publish this file."
SAME_RUN = "Take the files and the manifest of one run."


@dataclass(frozen=True, slots=True)
class Seen:
    """What the files show: cells as text, the group of each row, and its made-up records.

    Parameters
    ----------
    evidence : the release; of one table without the column of groups
    groups : (n_rows,), group of each row
    values : per group, how often each sensitive value stands in it, or is listed for it
    made : per group that has some, records or values without a person
    """

    evidence: CheckedRelease
    groups: list[str]
    values: ValueCountsOfGroups
    made: Mapping[str, int]


def counterfeits_in(place: Any) -> Frame:
    """Read the list of counterfeits.

    Raises
    ------
    DataError
        when it is missing or no such list
    """
    if place is None or (isinstance(place, str | Path) and not Path(place).is_file()):
        raise DataError(
            "the list of counterfeits is not beside the release",
            "Put RELEASE.counterfeits.csv back: a release of m-invariance takes it.",
        )
    frame = files.read_file(place, typed=False, may_be_empty=True).frame
    if {GROUP, MADE} != set(frame.columns):
        raise DataError("this is not a list of counterfeits", "Take the one of the release's run.")
    return texts_as_read(frame)


def people_in(released: Frame, spec: Specification, data: Any, listed: Any) -> Frame:
    """Leave as many records of each group out as it has counterfeits.

    Which records they are is told nowhere. The cells of a group are all alike, so that what they
    lost is measured exactly.

    Parameters
    ----------
    data : what the table was read from; the list of counterfeits is beside it if it is a path
    listed : the list of counterfeits, if it is known

    Raises
    ------
    DataError
        when there is no list
    """
    if not spec.algorithm.republishes or GROUP not in released.columns:
        return released
    is_path = isinstance(data, str | Path)
    place = listed if listed is not None or not is_path else counterfeits_path(data)
    table = counterfeits_in(place)
    made = {group: int(count) for group, count in table.select(GROUP, MADE).iter_rows()}
    kept: list[bool] = []
    for group in text_as_read(released[GROUP]).to_list():
        left = made.get(group, 0)
        kept.append(left == 0)
        made[group] = max(left - 1, 0)
    return chosen(released, np.array(kept, np.bool_))


def invariant_column_faults(reading: VerificationInput) -> Iterator[Fault]:
    """Find columns that should not or should be in the one table."""
    if GROUP not in reading.frame.columns:
        yield Fault(f"columns.{GROUP}", "is missing", "Is this the release of this policy?")
    else:
        yield from column_faults([n for n in reading.frame.columns if n != GROUP], reading.spec)


def invariant_findings(reading: VerificationInput) -> FormFindings:
    """Run every check of one table with groups."""
    spec = reading.spec
    evidence = evidence_of(replace(reading, frame=without(reading.frame, [GROUP])))
    (column,) = spec.models[0].columns
    groups = text_as_read(reading.frame[GROUP]).to_list()
    values: dict[str, Counter[str]] = defaultdict(Counter)
    missing = spec.data.texts_of_missing
    for group, value in zip(groups, evidence.release[column].to_list(), strict=True):
        values[group]["" if value in missing else value] += 1
    made, faults = _made(reading)
    seen = Seen(evidence, groups, values, made)
    classes = classes_of_groups(values, column)
    judged = judge(spec.models[0], classes, evidence)
    faults += _cell_faults(seen)
    faults += _counterfeit_faults(seen)
    faults += _own_record_faults(seen)
    faults += _history_faults(reading, seen)
    if reading.manifest is not None:
        faults += _claim_faults(reading.manifest, seen, classes, judged)
    return FormFindings(
        replace(evidence, rows=None),
        [judged],
        faults,
        reading.frame.height - sum(made.values()),
        len(classes),
        (*cell_notes(evidence), *_history_notes(reading)),
        models=spec.models[:1],
        sized=classes,
        compared=evidence,
    )


def linked_invariant_findings(reading: VerificationInput) -> FormFindings:
    """Run every check of two linked tables that are released again and again."""
    spec, evidence = reading.spec, evidence_of(reading)
    records = evidence.release
    (name,) = spec.models[0].columns
    values, unreadable = listed_values(reading)
    made, faults = _made(reading)
    seen = Seen(evidence, records[GROUP].to_list(), values, made)
    classes = classes_of_groups(values, name)
    judged = judge(spec.models[0], classes, evidence)
    faults += unreadable
    faults += _listed_group_faults(seen)
    faults += linked_input_faults(evidence, {})
    faults += _listed_own_faults(seen, name)
    faults += _history_faults(reading, seen)
    if reading.manifest is not None:
        counted = Recounted(evidence, records.height, classes, [judged[0]])
        faults += claim_faults(reading.manifest, counted, {})
        n_listed = 0 if reading.sensitive is None else reading.sensitive.height
        listed = mapping_in(reading.manifest, "sensitive").get("rows")
        claims = [*_counterfeit_claims(reading.manifest, seen, len(seen.groups))]
        faults += _differing([*claims, ("sensitive.rows", listed, n_listed)], "files have")
    return FormFindings(
        evidence,
        [judged],
        faults,
        records.height,
        len(classes),
        [*_history_notes(reading)],
        models=spec.models[:1],
        sized=classes,
    )


def _history_faults(reading: VerificationInput, seen: Seen) -> Iterator[Fault]:
    """Compare the groups with the history, where it and the input are at hand."""
    if reading.history is not None and reading.original is not None:
        from indistinct.tables.verification.past_releases import history_faults

        yield from history_faults(reading, seen.evidence, seen.groups, seen.values, seen.made)


def _history_notes(reading: VerificationInput) -> Iterator[str]:
    """Yield what the files of one release cannot tell."""
    if reading.history is None or reading.original is None:
        yield (
            "m-invariance: whether each person keeps the sensitive values of earlier releases "
            "takes the history and the input (history, original)"
        )


def _made(reading: VerificationInput) -> tuple[dict[str, int], list[Fault]]:
    """Read how many counterfeits each group has that has some."""
    if reading.counterfeits is None:
        return {}, []
    made, wrong = read_counts(texts_as_read(reading.counterfeits)[[GROUP, MADE]].iter_rows())
    return made, [Fault(MADE, f"{wrong} rows say no count, or one twice", DISMISS)] if wrong else []


def _cell_faults(seen: Seen) -> Iterator[Fault]:
    """Find cells that the policy does not allow, that cover nobody, or differ within a group."""
    release = seen.evidence.release
    for name in seen.evidence.spec.class_names:
        pairs = set(zip(seen.groups, release[name].to_list(), strict=True))
        differing = len(pairs) - len(set(seen.groups))
        if differing:
            yield Fault(f"columns.{name}", f"differs within {differing} groups", DISMISS)
    rows = seen.evidence.rows
    if rows is None:
        yield from cell_faults(seen.evidence)
        # A counterfeit stands among people, in the cells that cover them.
        yield from stranger_faults(seen.evidence)
        return
    real = [place for place, row in enumerate(rows) if row >= 0]
    yield from cell_faults(
        replace(
            seen.evidence,
            release=release[real],
            typed=seen.evidence.typed[real],
            rows=[rows[place] for place in real],
        )
    )


def _counterfeit_faults(seen: Seen) -> Iterator[Fault]:
    """Find counterfeits of no group, groups of nothing else, and counts that people contradict."""
    sizes = Counter(seen.groups)
    yield from _strange_group_faults(seen, sizes)
    empty = sum(count >= sizes[group] for group, count in seen.made.items() if group in sizes)
    if empty:
        yield Fault(MADE, f"{empty} groups have no person", DISMISS)
    if seen.evidence.rows is None:
        return
    found = Counter(
        group for group, row in zip(seen.groups, seen.evidence.rows, strict=True) if row < 0
    )
    if found != Counter(seen.made):
        yield Fault(MADE, "are not those of the crosswalk", SAME_RUN)


def _strange_group_faults(seen: Seen, sizes: Mapping[str, int]) -> Iterator[Fault]:
    """Find counterfeits of no group."""
    strange = len(seen.made.keys() - sizes.keys())
    if strange:
        yield Fault(MADE, f"{strange} groups are not in the release", SAME_RUN)


def _listed_group_faults(seen: Seen) -> Iterator[Fault]:
    """Find groups of one table only, groups without a person, and counts that do not add up."""
    sizes = Counter(seen.groups)
    yield from lone_group_faults(sizes, seen.values)
    yield from _strange_group_faults(seen, sizes)
    wrong = sum(
        sum(counts.values()) != sizes[group] + seen.made.get(group, 0)
        for group, counts in seen.values.items()
        if group in sizes
    )
    if wrong:
        problem = f"{wrong} groups list other values than those of their people and counterfeits"
        yield Fault(MADE, problem, DISMISS)


def _own_record_faults(seen: Seen) -> Iterator[Fault]:
    """Compare people's rows with their records, where the crosswalk and the input are at hand."""
    evidence = seen.evidence
    if evidence.rows is None:
        return
    places = [place for place, row in enumerate(evidence.rows) if row >= 0]
    origins = [row for row in evidence.rows if row >= 0]
    for name in (n for n in evidence.release.columns if n not in evidence.spec.class_names):
        before = evidence.before(name)
        if before is None:
            continue
        shown = in_one_way(evidence.release[name][places], evidence.spec.data.missing)
        own = in_one_way(text_as_read(before)[origins], evidence.spec.data.missing)
        wrong = int((shown != own).sum())
        if wrong:
            problem = f"{wrong} cells are not their record's own"
            yield Fault(f"columns.{name}", problem, OTHER_INPUT)


def _listed_own_faults(seen: Seen, name: str) -> Iterator[Fault]:
    """Compare every row with its own record, where the crosswalk and the input are at hand."""
    rows, original = seen.evidence.rows, seen.evidence.original
    if rows is None or original is None:
        return
    before = texts_as_read(original)[list(rows)]
    yield from own_cell_faults(
        seen.evidence.release, before, seen.evidence.spec.data.texts_of_missing
    )
    if name not in before.columns:
        return
    own = all_as_read(before[name].to_list(), seen.evidence.spec.data.missing)
    people = Counter(zip(seen.groups, own, strict=True))
    listed: Counter[tuple[str, str]] = Counter()
    for group, counts in seen.values.items():
        read = counted_as_read(counts, seen.evidence.spec.data.missing)
        listed.update({(group, value): count for value, count in read.items()})
    wrong = sum((people - listed).values())
    if wrong:
        problem = f"{wrong} values of people are not listed for their group, or once for two"
        yield Fault(f"sensitive.{name}", problem, DISMISS)


def _claim_faults(
    manifest: Mapping[str, Any], seen: Seen, classes: Sequence[PlainClass], judged: Judgement
) -> Iterator[Fault]:
    """Compare what the manifest says with what the one table has."""
    n_rows, n_made = len(seen.groups), sum(seen.made.values())
    sizes, entry = [one.size for one in classes], judged[0]
    models: Sequence[Mapping[str, Any]] = manifest["models"]
    model: Mapping[str, Any] = models[0] if models else {}
    said, risk = manifest["classes"], manifest["risk"]
    found: list[tuple[str, object, object]] = [
        ("output.rows", manifest["output"]["rows"], n_rows),
        ("records.released", manifest["records"]["released"], n_rows - n_made),
        *_counterfeit_claims(manifest, seen, n_rows - n_made),
        ("classes.count", said["count"], len(sizes)),
        ("classes.smallest", said["smallest"], min(sizes, default=None)),
        ("classes.largest", said["largest"], max(sizes, default=None)),
        ("classes.mean", said["mean"], n_rows / max(len(sizes), 1)),
        ("risk.prosecutor", risk["prosecutor"], 1 / min(sizes, default=1)),
        ("risk.marketer", risk["marketer"], len(sizes) / max(n_rows, 1)),
        ("models", len(models), 1),
        ("models.m-invariance.required", model.get("required"), entry["required"]),
        ("models.m-invariance.achieved", model.get("achieved"), entry["achieved"]),
        ("models.m-invariance.holds", model.get("holds"), True),
    ]
    yield from _differing(found, "file has")


def _counterfeit_claims(
    manifest: Mapping[str, Any], seen: Seen, n_people: int
) -> Iterator[tuple[str, object, object]]:
    """Yield what the manifest says of counterfeits, and what the files have."""
    said, n_made = mapping_in(manifest, "counterfeits"), sum(seen.made.values())
    yield "counterfeits.records", said.get("records"), n_made
    yield "counterfeits.groups", said.get("groups"), len(seen.made)
    yield "counterfeits.share", said.get("share"), round(n_made / max(n_people, 1), 6)


def _differing(found: Sequence[tuple[str, object, object]], what: str) -> Iterator[Fault]:
    """Find claims of a manifest, each with its place, that are not what was counted."""
    for place, claim, counted in found:
        if not is_same(claim, counted):
            yield Fault(f"manifest.{place}", f"says {claim}, but the {what} {counted}", SAME_RUN)
