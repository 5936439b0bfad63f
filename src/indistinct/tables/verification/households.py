"""A release of the members of households, counted once more: plain dictionaries of texts.

Verification uses this and nothing of what made the release. A household is like another if its own
cells are equal, and the multisets of its members' cells. A reader sees who belongs together by the
numbers in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from indistinct.errors import Fault
from indistinct.tables.core.protocols import PlainClass
from indistinct.tables.engines.tallies import without
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.claims import as_readers_count, claims
from indistinct.tables.verification.columns import cell_faults, cell_notes, column_faults
from indistinct.tables.verification.evidence import (
    CheckedRelease,
    VerificationInput,
    evidence_of,
    released_names,
    suppression_faults,
)
from indistinct.tables.verification.judging import FormFindings, judge
from indistinct.tables.verification.manifest_shape import mapping_in
from indistinct.tables.verification.mask_checks import (
    mask_faults,
    mask_faults_with_input,
    mask_notes,
)
from indistinct.tables.verification.mask_tests import random_mask_faults
from indistinct.tables.verification.original import input_faults
from indistinct.tables.verification.read_back import read_back_faults
from indistinct.tables.verification.suggestion import suggestion_faults
from indistinct.tables.verification.texts import all_as_read, text_as_read

DISMISS = "Do not publish this file."
SAME_RUN = "Take the file and the manifest of one run."


def household_column_faults(reading: VerificationInput) -> Iterator[Fault]:
    """Find columns that should not or should be there, the numbers of the households among them."""
    names = list(reading.frame.columns if reading.columns is None else reading.columns)
    household = _column(reading.spec)
    if household in names:
        names.remove(household)
    else:
        yield Fault(f"columns.{household}", "is missing", "Is this the release of this policy?")
    yield from column_faults(names, reading.spec)


def household_findings(reading: VerificationInput) -> FormFindings:
    """Run every check of the members of households."""
    spec, name = reading.spec, _column(reading.spec)
    numbers: list[str] = text_as_read(reading.frame[name]).to_list()
    reading = replace(reading, frame=without(reading.frame, [name]))
    evidence = evidence_of(reading)
    classes = household_classes(evidence, numbers)
    judged = [judge(model, classes, evidence) for model in spec.models]
    faults = [*_number_faults(name, numbers), *_varying_faults(evidence, numbers)]
    faults += cell_faults(evidence)
    faults += mask_faults(evidence.release, spec, reading.manifest)
    if reading.original is not None:
        faults += _input_household_faults(reading, numbers)
        if not reading.original_is_masked:
            faults += mask_faults_with_input(
                evidence.release, spec, reading.original, evidence.rows
            )
            if evidence.rows is not None:
                faults += random_mask_faults(evidence, reading.original, reading.manifest)
    faults += input_faults(evidence)
    faults += suggestion_faults(evidence)
    faults += suppression_faults(reading, evidence.n_released)
    faults += read_back_faults(reading, evidence, name)
    readers = as_readers_count(reading, evidence, judged)
    false_claims, not_checked = claims(reading, evidence, classes, readers)
    faults += false_claims
    faults += _claim_faults(reading, len(set(numbers)))
    notes = (*cell_notes(evidence), *mask_notes(spec))
    return FormFindings(
        evidence,
        judged,
        faults,
        evidence.n_released,
        len(classes),
        notes,
        not_checked,
        spec.models,
        classes,
        numbers,
        _n_households(reading),
        readers=readers,
    )


def household_classes(evidence: CheckedRelease, numbers: Sequence[str]) -> list[PlainClass]:
    """Count the households that are alike: their own cells, and the multiset of their members'.

    Parameters
    ----------
    numbers : (n_rows,), of the household of each released record
    """
    names = [name for name in evidence.spec.class_names if name in evidence.release.columns]
    members: dict[str, list[tuple[str, ...]]] = {}
    for number, cells in zip(numbers, evidence.release[names].rows(), strict=True):
        members.setdefault(number, []).append(cells)
    alike = Counter(tuple(sorted(listed)) for listed in members.values())
    return [PlainClass(size, {}, {}) for size in alike.values()]


def _column(spec: Specification) -> str:
    """Return the column of households."""
    return spec.data.household or ""


def _number_faults(name: str, numbers: Sequence[str]) -> Iterator[Fault]:
    """Find households that are not numbered from 0 without a gap."""
    expected = {str(number) for number in range(len(set(numbers)))}
    if set(numbers) != expected:
        problem = "does not number the households 0, 1, 2 and so on"
        yield Fault(f"columns.{name}", problem, DISMISS)


def _varying_faults(evidence: CheckedRelease, numbers: Sequence[str]) -> Iterator[Fault]:
    """Find cells of a household that vary among its members."""
    spec, columns = evidence.spec, evidence.release.columns
    for name, rule in spec.columns.items():
        if rule.words.level != "household" or name in spec.left_out:
            continue
        for released in released_names(rule, columns):
            if released not in columns:
                continue
            first: dict[str, str] = {}
            cells: list[str] = evidence.release[released].to_list()
            pairs = zip(numbers, cells, strict=True)
            varying = {number for number, cell in pairs if first.setdefault(number, cell) != cell}
            if varying:
                problem = f"varies among the members of {len(varying)} households"
                yield Fault(f"columns.{released}", problem, DISMISS)


def _input_household_faults(reading: VerificationInput, numbers: Sequence[str]) -> Iterator[Fault]:
    """Compare the households with those of the input, whose numbers none of them may keep."""
    name, original = _column(reading.spec), reading.original
    if original is None or name not in original.columns or reading.rows is None:
        return
    before = all_as_read(text_as_read(original[name]).to_list())
    sizes = Counter(before)
    pairs = Counter(
        (number, before[row]) for number, row in zip(numbers, reading.rows, strict=True)
    )
    n_numbers, n_households = len(set(numbers)), len({household for _, household in pairs})
    if len(pairs) != n_numbers or len(pairs) != n_households:
        problem = "joins records of several households of the input, or divides one"
        yield Fault(f"columns.{name}", problem, DISMISS)
    if any(count != sizes[household] for (_, household), count in pairs.items()):
        yield Fault(f"columns.{name}", "lacks members of households of the input", DISMISS)
    kept = sum(number == household for number, household in pairs)
    first = {household: row for row, household in reversed(list(enumerate(before)))}
    ordered = [first[household] for _, household in sorted(pairs, key=_number)]
    if len(pairs) >= FEWEST_ORDERED and (kept == len(pairs) or ordered == sorted(ordered)):
        problem = "keeps the numbers or the order of the input's households"
        yield Fault(f"columns.{name}", problem, DISMISS)


FEWEST_ORDERED = 12  # of so few households, a shuffle keeps an order once in 479,001,600 runs


def _number(pair: tuple[str, Any]) -> int:
    """Return the number of a released household."""
    return int(pair[0]) if pair[0].isdecimal() else -1


def _n_households(reading: VerificationInput) -> int | None:
    """Count the households of the input, if it is at hand with their column."""
    name, original = _column(reading.spec), reading.original
    if original is None or name not in original.columns:
        return None
    return len({*all_as_read(text_as_read(original[name]).to_list())})


def _claim_faults(reading: VerificationInput, n_released: int) -> Iterator[Fault]:
    """Compare what a manifest says of the number of households with what the file has."""
    if reading.manifest is None:
        return
    said = mapping_in(reading.manifest, "households")
    found = {"released": n_released}
    total = _n_households(reading)
    if total is not None:
        found["suppressed"] = total - n_released
    for word, number in found.items():
        if said.get(word) != number:
            place = f"manifest.households.{word}"
            yield Fault(place, f"says {said.get(word)}, but counting gives {number}", SAME_RUN)
