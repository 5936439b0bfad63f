"""Check what an engine just wrote against what was decided on the distinct rows of its input.

Nothing that made the release takes part but the opening of the table. Without the crosswalk,
whether every record got cells that cover it follows from three facts: on distinct rows, cells cover
values; the counts in the release are those that the decision foretells; and the sums of hashes of
the columns that are released as they are agree, class by class.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Codes
from indistinct.base.brief import short_repr
from indistinct.errors import Fault
from indistinct.tables.core.protocols import Scope
from indistinct.tables.engines.sources import RECORDS, CoarseKey, StagedRelease, Tally
from indistinct.tables.engines.tallies import columns_of, kinds_of, sizes_of
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.columns import faults_of_cells, renderer_of, shows_midpoints
from indistinct.tables.verification.counted import (
    OpenedRelease,
    read_counted,
    released_columns,
)
from indistinct.tables.verification.evidence import CheckedRelease, VerificationInput, evidence_of
from indistinct.tables.verification.public_policy import with_suggested_rules, with_values_alone
from indistinct.tables.verification.record_names import record_column_of
from indistinct.tables.verification.stating.state import DecidedCells
from indistinct.tables.verification.texts import text_as_read
from indistinct.tables.verification.verdict import verdict_on
from indistinct.tables.verification.verification import Verification

PLACE = "\0place"
OF_PROGRAM = "This is an error of the program: do not publish this release."


@dataclass(frozen=True, slots=True)
class ExpectedRelease:
    """What a release must be, as it was decided on the distinct rows of its input.

    Parameters
    ----------
    cells : released cells, and the sensitive values beside them
    records : (n_pieces,), records of each row of ``cells``
    rows : (n_pieces,), row of ``input`` behind each
    input : the distinct rows of the input, with their records
    coarse : per column that was counted by labels, the values that each counted one stands for
    marked : the columns whose hashes were summed; none where a row's records go to several classes
    """

    cells: pl.DataFrame
    records: pl.Series
    rows: pl.Series
    input: Tally
    coarse: Mapping[str, CoarseKey]
    marked: Sequence[str] = ()

    __repr__ = short_repr


def verdict_on_draft(
    draft: StagedRelease,
    expected: ExpectedRelease,
    spec: Specification,
    manifest: Mapping[str, Any],
) -> Verification:
    """Read a written release afresh, and check it against its policy, its input and its decision.

    Parameters
    ----------
    draft : as an engine wrote it
    expected : what was decided
    manifest : the public one
    """
    spec = with_suggested_rules(spec, manifest)
    before = expected.input
    # What lies around a class depends on the labels that the values of a column suggest.
    if all(model.scope is not Scope.REGION for model in spec.models):
        before = _sensitive_alone(expected.input, spec.class_names)
    known = VerificationInput(
        expected.cells.clear(),
        spec,
        before.frame,
        manifest=manifest,
        original_is_masked=True,
        original_weights=before.records,
    )
    release = OpenedRelease(draft.columns(), draft.count, draft.files())
    named = record_column_of(manifest, None)
    reading, faults, found = read_counted(
        release, known, named, expected.cells.columns, expected.marked
    )
    if found is None:
        return verdict_on(reading, faults)
    decided = decided_cells(expected, spec)
    faults += _faults_of_cells(decided, expected)
    faults += _count_faults(found, expected)
    return verdict_on(reading, faults, decided=decided)


def _sensitive_alone(tally: Tally, class_names: Sequence[str]) -> Tally:
    """Count what models compare with: the sensitive values of the whole input.

    What the quasi-identifiers of a record became follows from the counts and the decision.
    """
    names = [name for name in tally.frame.columns if name not in class_names]
    if not names:
        total = pl.Series(RECORDS, [tally.n_records])
        return Tally(pl.DataFrame({PLACE: [0]}), total)
    kinds, first = kinds_of([tally.frame[name] for name in names])
    records = pl.Series(sizes_of(kinds, tally.records), dtype=pl.Int64)
    return Tally(columns_of(tally.frame, names)[first], records)


def decided_cells(expected: ExpectedRelease, spec: Specification) -> DecidedCells:
    """Return the cells that were decided, with the row of the input behind each."""
    spec = with_values_alone(spec)
    names = released_columns(expected.cells.columns, spec.class_rules)
    reading = VerificationInput(
        columns_of(expected.cells, names),
        spec,
        columns_of(expected.input.frame, spec.class_names),
        array("q", expected.rows.cast(pl.Int64).to_numpy().tobytes()),
        original_is_masked=True,
        weights=expected.records,
        original_weights=expected.input.records,
    )
    return DecidedCells(evidence_of(reading), expected.coarse)


def plan_faults(expected: ExpectedRelease, spec: Specification) -> Iterator[Fault]:
    """Find cells of the decision that do not cover the values that they stand for."""
    yield from _faults_of_cells(decided_cells(expected, spec), expected)


def _faults_of_cells(decided: DecidedCells, expected: ExpectedRelease) -> Iterator[Fault]:
    """Find cells that do not cover the values that they stand for."""
    evidence = decided.evidence
    for name in evidence.spec.class_names:
        yield from faults_of_cells(evidence, name)
        if name in expected.coarse:
            yield from _label_faults(evidence, name, expected.coarse[name])


def _label_faults(evidence: CheckedRelease, name: str, coarse: CoarseKey) -> Iterator[Fault]:
    """Find cells that do not cover all values of the labels that they stand for."""
    before = evidence.before(name)
    if before is None or evidence.rows is None:
        return
    cells, missing = renderer_of(evidence, name), evidence.spec.data.texts_of_missing
    is_below = cells.has_in_middle if shows_midpoints(evidence, name) else cells.is_below
    codes = text_as_read(before[list(evidence.rows)])
    pairs = pl.DataFrame({"cell": evidence.release[name], "code": codes}).unique()
    table = pl.DataFrame([text_as_read(coarse.table["code"]), text_as_read(coarse.table["value"])])
    under = pairs.join(table, on="code").select("cell", "value").unique()
    wrong = sum(
        not (value in missing or is_below(cell, value)) for cell, value in under.iter_rows()
    )
    if wrong:
        problem = f"{wrong} kinds of cells do not cover their original value"
        yield Fault(f"columns.{name}", problem, OF_PROGRAM)


def _count_faults(found: Tally, expected: ExpectedRelease) -> Iterator[Fault]:
    """Compare the rows that were read with those that were decided, with records and hashes."""
    pairs = [(found.frame[name], expected.cells[name]) for name in found.frame.columns]
    both = [pl.concat([text_as_read(one), text_as_read(other)]) for one, other in pairs]
    n_read, n_rows = len(found.records), len(found.records) + len(expected.records)
    kinds = kinds_of(both or [pl.repeat("", n_rows, eager=True)])[0].to_numpy()
    read, decided = kinds[:n_read], kinds[n_read:]
    wrong = _differing(read, found.records, decided, expected.records)
    if wrong:
        problem = f"{wrong} kinds of rows are not there as often as was decided"
        yield Fault("records", problem, OF_PROGRAM)
    elif expected.marked and expected.input.marks is not None and found.marks is not None:
        marks = expected.input.marks.gather(expected.rows)
        wrong = _differing(read, found.marks, decided, marks)
        if wrong:
            problem = f"{wrong} kinds of rows hold cells that are not their records' own"
            yield Fault("records", problem, OF_PROGRAM)


def _differing(read: Codes, numbers: pl.Series, decided: Codes, expected: pl.Series) -> int:
    """Count the kinds of rows whose numbers do not add up to the expected sum, modulo 2^64."""
    sums = np.zeros(len(read) + len(decided), np.uint64)
    np.add.at(sums, read, numbers.cast(pl.UInt64).to_numpy())
    np.subtract.at(sums, decided, expected.cast(pl.UInt64).to_numpy())
    return int(np.count_nonzero(sums))
