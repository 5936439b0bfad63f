"""What a release gives away, counted from what was read of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from indistinct.errors import CapacityError, Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.findings.claims import findings_beside
from indistinct.tables.findings.counted_rows import beside_input, rows_in_memory, table_in_memory
from indistinct.tables.findings.counted_table import PEOPLE, CloserLook, CountedCells, CountedTable
from indistinct.tables.findings.finding import Finding, ReleaseFindings
from indistinct.tables.verification.evidence import VerificationInput
from indistinct.tables.verification.people import persons_in
from indistinct.tables.verification.texts import HIDDEN, texts_as_read

SAME_RUN = "Take the manifest that was written beside the release."


def findings_of(
    reading: VerificationInput, said: Sequence[Finding] | None, closer: CloserLook | None
) -> tuple[ReleaseFindings, list[Fault]]:
    """Return what is found in a release that was read, and where its manifest says something else.

    Parameters
    ----------
    said : the findings of its manifest, whose words were checked
    closer : who looks more closely, where that is asked for
    """
    return findings_beside([replace(table_of_reading(reading), closer=closer)], said)


def table_of_reading(reading: VerificationInput) -> CountedTable:
    """Return what was read as detectors count it: in people where the crosswalk tells them."""
    spec = reading.spec
    frame, behind = reading.frame, None
    if reading.rows is not None:
        behind = np.asarray(reading.rows, np.int64)
    if reading.weights is not None:
        return _counted_by_engine(reading)
    if spec.release.suppressed == "mask":
        stars = texts_as_read(frame)
        kept = np.flatnonzero([set(row) != {HIDDEN} for row in stars.iter_rows()])
        frame, behind = frame[kept], None if behind is None else behind[kept]
    rows = rows_in_memory(frame, spec)
    table, original = table_in_memory(rows, spec), reading.original
    if original is None or reading.original_is_masked:
        return table
    table = beside_input(table, original, behind)
    if behind is None:
        return table
    identifiers = (name for name in spec.named(Role.IDENTIFIER) if name in original.columns)
    table = replace(table, identifiers=tuple(identifiers))
    persons = persons_in(original, spec.data)
    return table if persons is None else _in_people(table, persons, behind)


def _in_people(table: CountedTable, persons: Sequence[str], behind: np.ndarray) -> CountedTable:
    """Return a table whose units are people."""
    codes = np.unique(np.asarray(persons, np.str_), return_inverse=True)[1].astype(np.int64)
    nobody = len(persons) + np.arange(len(behind))
    units = np.where(behind < 0, nobody, codes[np.maximum(behind, 0)])

    def count(names: Sequence[str], before: Sequence[str]) -> CountedCells:
        return replace(table.count(names, before), units=units)

    n_units = len(np.unique(units))
    return replace(table, count=count, n_units=n_units, unit=PEOPLE, are_units_shown=False)


def _counted_by_engine(reading: VerificationInput) -> CountedTable:
    """Return a release of which an engine counted some columns."""
    weights = np.asarray(reading.weights, np.int64)
    rows = rows_in_memory(reading.frame, reading.spec, weights)
    table = table_in_memory(rows, reading.spec)

    def count(names: Sequence[str], _: Sequence[str]) -> CountedCells:
        if not {*names} <= {*reading.frame.columns}:
            raise CapacityError("the engine did not count these columns", "Ask for them.")
        return rows

    return replace(table, count=count, columns=tuple(reading.columns or reading.frame.columns))
