"""The documents beside published tables: the public manifest, and the owner's file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.aggregates.contributors import moves_of
from indistinct.aggregates.dimensions import Dimension
from indistinct.aggregates.family import Family, lowest_of, steps_of
from indistinct.aggregates.lines import Lines
from indistinct.aggregates.notes import levels_of, note_of
from indistinct.aggregates.policy import TablesPolicy
from indistinct.aggregates.protection import ProtectedFamily
from indistinct.aggregates.rules import Ruled
from indistinct.aggregates.statements import TableStatements, said_of
from indistinct.aggregates.suppression import Move
from indistinct.base.arrays import Bools
from indistinct.base.brief import short_repr

FORMAT = 3  # of a manifest, as of every other release
FORM = "tables"
WITNESSES = "witnesses.csv.gz"


@dataclass(frozen=True, slots=True)
class MadeTables:
    """All that a publication is made of.

    Parameters
    ----------
    policy, family, ruled, protected : how it was made
    lines : per table
    witnesses : the file of complete tables, packed; None where nothing is hidden
    statements : the figures that are told
    seconds : per step, for the owner
    """

    policy: TablesPolicy
    family: Family
    ruled: Ruled
    protected: ProtectedFamily
    lines: tuple[Lines, ...]
    witnesses: bytes | None
    statements: TableStatements
    seconds: Mapping[str, float]

    __repr__ = short_repr


def manifest_of(made: MadeTables) -> dict[str, Any]:
    """Return what may be published beside the tables."""
    from indistinct import __version__

    said, policy = made.statements, made.policy
    notes = {
        table.name: note_of(made.family, number, lines, policy)
        for number, (table, lines) in enumerate(zip(made.family.tables, made.lines, strict=True))
    }
    return {
        "format": FORMAT,
        "indistinct": __version__,
        "form": FORM,
        "policy": public_words(made),
        "promise": {
            "width": made.ruled.promise.width,
            "reaches": made.ruled.promise.reaches,
            "at_least": 0 if policy.hides_zeros else 1,
            "joint": "off",
        },
        "tables": [
            {"name": table.name, "file": f"{table.name}.csv", "sha256": sha256(lines.text())}
            for table, lines in zip(made.family.tables, made.lines, strict=True)
        ],
        "notes": notes,
        "cells": said.cells,
        "hidden": said.hidden,
        "witnesses": None
        if made.witnesses is None
        else {
            "file": WITNESSES,
            "tables": said.tables,
            "sums": made.family.equations.n_rows,
            "differs": said.differs,
            "sha256": hashlib.sha256(made.witnesses).hexdigest(),
        },
        "sentences": list(said.sentences()),
        "not_checked": said_of(said.not_checked),
        "verified": True,
    }


def sha256(text: str) -> str:
    """Return the hash of a text file."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def public_words(made: MadeTables) -> dict[str, Any]:
    """Return the words of the policy without paths: a list of labels stands as what it shows."""
    words = made.policy.words()
    for number, dimension in enumerate(made.family.dimensions):
        rule = made.policy.columns.get(dimension.name)
        if rule is None or rule.hierarchy is None or not rule.hierarchy.lists_values:
            continue
        lowest = lowest_of(made.family.tables, number)
        words["columns"][dimension.name]["hierarchy"] = {"labels": _listed(dimension, lowest)}
    return words


def _listed(dimension: Dimension, lowest: int) -> list[list[Any]]:
    """Return the listed labels that are shown: text, level, label above."""
    is_open = dict(zip(dimension.labels, dimension.open_labels.tolist(), strict=True))
    return [
        [label, level, above]
        for level, labels in enumerate(levels_of(dimension, lowest), start=lowest)
        for label, above in labels.items()
        if not is_open[label]
    ]


def owner_of(made: MadeTables) -> dict[str, Any]:
    """Return what the owner alone may know: which cells are small, and what hiding them cost.

    Moves are changes of hidden cells that leave all sums as they are: each raises the small cell
    that it is listed for to what is promised, and for whoever is alone in a hidden cell one of them
    changes nothing that she is alone in.
    """
    family, hidden = made.family, made.protected.hidden
    primary = made.ruled.primary & hidden
    costs = made.ruled.problem.costs
    moves = list(moves_of(made.protected.repair))
    numbers = {id(move): number for number, move in enumerate(moves)}
    cells_of = _cells_of_variables(made)
    cells: list[int] = np.flatnonzero(primary).tolist()
    small = [
        {
            "key": key_of(family, cell),
            "count": int(family.counts[cell]),
            "up": int(made.ruled.problem.needs[cell]),
        }
        for cell in cells
    ]
    return {
        "format": FORMAT,
        "form": FORM,
        "below": int(primary.sum()),
        "secondary": int((hidden & ~primary).sum()),
        "value": int(family.counts[hidden & ~primary].sum()),
        "cost": float(costs[hidden].sum()),
        "repaired": made.protected.repair.n_added,
        "primary": small,
        "hidden_totals": int((hidden & _is_total(family)).sum()),
        "moves": [{"changes": _changes(family, cells_of, move)} for move in moves],
        "proofs": [
            [key_of(family, cell), [numbers[id(move)] for move in found]]
            for need, found in made.protected.repair.proofs.items()
            for cell in cells_of[need.cell]
        ],
        "seconds": {step: round(spent, 3) for step, spent in made.seconds.items()},
    }


def _changes(family: Family, cells_of: Sequence[Sequence[int]], move: Move) -> list[list[Any]]:
    """Return the change of each cell that a move changes."""
    variables: list[int] = move.cells.tolist()
    pairs = zip(variables, np.rint(move.changes).astype(np.int64).tolist(), strict=True)
    return [
        [key_of(family, cell), change] for variable, change in pairs for cell in cells_of[variable]
    ]


def key_of(family: Family, cell: int) -> list[str]:
    """Return the label of a cell in each dimension."""
    key, steps = int(family.keys[cell]), steps_of(family.dimensions).tolist()
    return [
        dimension.labels[key // step % dimension.size]
        for dimension, step in zip(family.dimensions, steps, strict=True)
    ]


def _is_total(family: Family) -> Bools:
    """Return which cells sum over some dimension of a table."""
    found = np.zeros(len(family.counts), np.bool_)
    for table, cells in zip(family.tables, family.cells, strict=True):
        for number in table.dimensions:
            found[cells] |= family.nodes(number)[cells] == 0
    return found


def _cells_of_variables(made: MadeTables) -> list[list[int]]:
    """Return the hidden cells that each variable of the search stands for."""
    variable = made.protected.reduced.variable
    found: list[list[int]] = [[] for _ in range(int(variable.max(initial=-1)) + 1)]
    cells: list[int] = np.flatnonzero(variable >= 0).tolist()
    for cell in cells:
        found[int(variable[cell])].append(cell)
    return found
