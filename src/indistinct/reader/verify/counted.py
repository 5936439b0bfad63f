"""Check a release that nobody holds whole: an engine reads it afresh and counts its rows.

Nothing that made the release takes part but the opening of the table. Classes are counted by one
group-by of the engine, and judged as those of any other release. Without the crosswalk, whether
every record got cells that cover it follows from three facts: on distinct rows, cells cover values;
the counts in the release are those that the decision foretells; and the sums of hashes of the
columns that are released as they are agree, class by class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from indistinct.core.brief import briefly
from indistinct.engines.sources import MARK, RECORDS, Coarse, Draft, Source, Tally
from indistinct.errors import Fault
from indistinct.policy.policy import Policy
from indistinct.reader.verify.cells import cells_of
from indistinct.reader.verify.columns import cell_faults
from indistinct.reader.verify.evidence import Reading, evidence_of, released_names
from indistinct.reader.verify.order_traces import tells_order
from indistinct.reader.verify.texts_as_read import text_as_read
from indistinct.reader.verify.verdict import verdict_on
from indistinct.reader.verify.verification import Verification

SAMPLED = 20_000  # rows by which a column that numbers the rows is found
OF_PROGRAM = "This is an error of the program: do not publish this release."


@dataclass(frozen=True, slots=True)
class Foretold:
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
    rows: Sequence[int]
    input: Tally
    coarse: Mapping[str, Coarse]
    marked: Sequence[str] = ()

    __repr__ = briefly


def verdict_on_draft(
    draft: Draft, foretold: Foretold, policy: Policy, manifest: Mapping[str, Any]
) -> Verification:
    """Read a written release afresh, and check it against its policy, its input and its decision.

    Parameters
    ----------
    draft : as an engine wrote it
    foretold : what was decided
    manifest : the public one
    """
    names = list(draft.columns())
    counted = counted_columns(names, policy, foretold.cells.columns)
    if len(counted) < len(foretold.cells.columns):
        reading = Reading(foretold.cells.clear(), policy, columns=names)
        return verdict_on(reading, [])
    found = draft.count(counted, foretold.marked)
    faults = list(plan_faults(foretold, policy))
    faults += _count_faults(found, foretold)
    faults += order_faults_of(draft, names)
    reading = Reading(
        found.frame,
        policy,
        foretold.input.frame,
        manifest=manifest,
        original_is_masked=True,
        weights=found.records,
        original_weights=foretold.input.records,
        columns=names,
    )
    return verdict_on(reading, faults)


def plan_faults(foretold: Foretold, policy: Policy) -> Iterator[Fault]:
    """Find cells of the decision that do not cover the values that they stand for."""
    reading = Reading(
        foretold.cells,
        policy,
        foretold.input.frame,
        foretold.rows,
        original_is_masked=True,
        weights=foretold.records,
        original_weights=foretold.input.records,
    )
    evidence = evidence_of(reading)
    yield from cell_faults(evidence)
    for name, coarse in foretold.coarse.items():
        before = evidence.before(name)
        if before is None:
            continue
        cells, missing = cells_of(policy, name), {*policy.data.missing, ""}
        codes = text_as_read(before[list(foretold.rows)])
        pairs = pl.DataFrame({"cell": evidence.release[name], "code": codes}).unique()
        table = pl.DataFrame(
            [text_as_read(coarse.table["code"]), text_as_read(coarse.table["value"])]
        )
        under = pairs.join(table, on="code").select("cell", "value").unique()
        wrong = sum(
            not (value in missing or cells.covers(cell, value)) for cell, value in under.iter_rows()
        )
        if wrong:
            problem = f"{wrong} kinds of cells do not cover their original value"
            yield Fault(f"columns.{name}", problem, OF_PROGRAM)


def counted_columns(
    names: Sequence[str], policy: Policy, also: Sequence[str] | None = None
) -> list[str]:
    """Name the columns of a release by whose rows its classes are counted.

    Parameters
    ----------
    names : of all columns
    also : further columns that are counted; those that models read where left out
    """
    of_classes = [
        released for name in policy.class_names for released in released_names(policy, name, names)
    ]
    read = policy.counted if also is None else also
    return [name for name in dict.fromkeys([*of_classes, *read]) if name in names]


def order_faults_of(table: Draft | Source, names: Sequence[str]) -> Iterator[Fault]:
    """Find columns that number the rows, by rows at equal distances."""
    some = table.sample(names, SAMPLED)
    for name in names:
        if tells_order(some[name]):
            yield Fault(f"columns.{name}", "numbers the rows", "Leave it out, or make it coarser.")


def _count_faults(found: Tally, foretold: Foretold) -> Iterator[Fault]:
    """Compare the rows that were read with those that were decided, with records and hashes."""
    names = found.frame.columns
    decided = Tally(foretold.cells.select(names), foretold.records, None)
    if foretold.marked and foretold.input.marks is not None:
        marks = foretold.input.marks.gather(pl.Series(list(foretold.rows), dtype=pl.UInt32))
        decided = replace(decided, marks=marks)
    read, said = _by_text(found), _by_text(decided)
    both = read.join(said, on=_keys(names), how="full", suffix=" said", nulls_equal=True)
    wrong = both.filter(pl.col(RECORDS).ne_missing(pl.col(f"{RECORDS} said"))).height
    if wrong:
        problem = f"{wrong} kinds of rows are not there as often as was decided"
        yield Fault("records", problem, OF_PROGRAM)
    elif MARK in read.columns and MARK in said.columns:
        wrong = both.filter(pl.col(MARK).ne_missing(pl.col(f"{MARK} said"))).height
        if wrong:
            problem = f"{wrong} kinds of rows hold cells that are not their records' own"
            yield Fault("records", problem, OF_PROGRAM)


def _by_text(tally: Tally) -> pl.DataFrame:
    """Add up records and hashes by the texts of the cells."""
    keys = _keys(tally.frame.columns)
    columns = [
        _plain_text(column).alias(key)
        for column, key in zip(tally.frame.iter_columns(), keys, strict=True)
    ]
    marks = [] if tally.marks is None else [tally.marks.alias(MARK)]
    sums = [pl.col(RECORDS).sum(), *(pl.col(MARK).sum() for _ in marks)]
    frame = pl.DataFrame([*columns, tally.records.alias(RECORDS), *marks])
    return frame.group_by(keys).agg(sums)


def _plain_text(column: pl.Series) -> pl.Series:
    """Give the text of each cell, whole numbers without a fraction."""
    return text_as_read(column)


def _keys(names: Sequence[str]) -> list[str]:
    """Call columns by their places, because Polars reads some names as patterns."""
    return [f"column {place}" for place in range(len(names))]
