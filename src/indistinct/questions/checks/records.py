"""Made-up records must follow from the model, and looked-up cells from their public tables."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.questions.checks.arrays import edge_of, floats, ints, members, tree_order
from indistinct.questions.checks.combinations import Combinations
from indistinct.questions.checks.constraint_texts import number_of


def record_faults(
    model: Mapping[str, Any],
    codes: Mapping[str, Ints],
    n_records: int,
    combinations: Combinations,
) -> Iterator[str]:
    """Find counts of records that lie a record or more from what the model gives.

    Parameters
    ----------
    codes : of every record, per column
    combinations : which codes may occur together
    """
    focus = np.zeros(n_records, np.int64)
    if model["focus"]:
        focus = codes[model["focus"]["name"]]
        everything = np.ones((1, len(model["totals"])), bool)
        alone = np.zeros(n_records, np.int64)
        if not _follows(focus, alone, floats([model["totals"]]), everything):
            yield f"columns.{model['focus']['name']}: its counts do not follow from the model"
    yield from _forbidden_faults(codes, focus, combinations)
    columns = {column["name"]: column for column in model["columns"]}
    allowed = combinations.of_joined(model)
    joined = {name: ints(columns[name]["joined"])[codes[name]] for name in columns}
    for name, parent in tree_order(model):
        if parent is None:
            cells, shares = focus, floats(columns[name]["counts"]).T
            may_be = allowed.singles[name].T
        else:
            edge = edge_of(model, parent, name)
            table, mask = floats(edge["counts"]), allowed.table(parent, name)
            if edge["columns"][0] == name:
                table = table.swapaxes(0, 1)
            cells = focus * table.shape[0] + joined[parent]
            shares = table.transpose(2, 0, 1).reshape(-1, table.shape[1])
            may_be = mask.transpose(2, 0, 1).reshape(-1, table.shape[1])
        member = members(ints(columns[name]["joined"]))
        within = member * floats(columns[name]["fine"])
        if not _follows(joined[name], cells, shares, may_be) or not _follows(
            codes[name], joined[name], within, member > 0
        ):
            yield f"columns.{name}: its counts do not follow from the model"


def _forbidden_faults(
    codes: Mapping[str, Ints], focus: Ints, combinations: Combinations
) -> Iterator[str]:
    for (one, other), mask in combinations.pairs.items():
        if one < other and not mask[codes[one], codes[other]].all():
            yield f"{one} and {other}: a record has a forbidden pair"
    for name, mask in combinations.singles.items():
        if not mask[codes[name], focus].all():
            yield f"columns.{name}: a record has a forbidden pair"


def _follows(values: Ints, cells: Ints, shares: Floats, allowed: Bools) -> bool:
    """Return whether each cell's records spread over values by its shares, within one record."""
    counts = np.zeros(shares.shape)
    np.add.at(counts, (cells, values), 1)
    # Where nothing is known of a cell, all that is allowed has the same share.
    known = np.where(shares.sum(axis=1, keepdims=True) > 0, shares, allowed)
    sums = known.sum(axis=1, keepdims=True)
    parts = known / np.where(sums > 0, sums, 1)
    expected = parts * counts.sum(axis=1, keepdims=True)
    return bool((np.abs(counts - expected) < 1 + 1e-6).all())


def lookup_faults(
    declared: Mapping[str, Any],
    folder: Path,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
) -> Iterator[str]:
    """Find columns with a cell that its public table does not give for the cell it depends on.

    Raises
    ------
    OSError
        when a public table cannot be read
    """
    for name in header:
        words = declared["columns"][name].get("from")
        if words is None:
            continue
        parent = words["column"]
        with (folder / words["csv"]).open(encoding="utf-8-sig", newline="") as file:
            known = {_value(row[parent]): _value(row[name]) for row in csv.DictReader(file)}
        at, of = list(header).index(name), list(header).index(parent)
        found = {(_value(row[of]), _value(row[at])) for row in rows}
        if any(known.get(one, "") != other for one, other in found):
            yield f"columns.{name}: a cell is not what the public table says of {parent}"


def _value(cell: str) -> Any:
    """Return what a cell says: a number however it is written, or a text."""
    number = number_of(cell)
    return cell if number is None else number
