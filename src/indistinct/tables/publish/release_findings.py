"""What the owner of a release, and everybody, is told of it; and what it may not give back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.errors import CapacityError, Fault, NoSolutionError, Way
from indistinct.tables.counting.persons import persons_of
from indistinct.tables.drafting.identifier_columns import decided_identifiers
from indistinct.tables.findings.cells import is_read_back
from indistinct.tables.findings.counted_rows import beside_input, rows_in_memory, table_in_memory
from indistinct.tables.findings.counted_table import (
    PEOPLE,
    CountedTable,
    KnownFacts,
)
from indistinct.tables.findings.detectors import counted_by_anybody, look_for_all
from indistinct.tables.findings.finding import ReleaseFindings
from indistinct.tables.frames.frame import Frame
from indistinct.tables.masks.pseudonym import KEY_WAS_THERE
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_hierarchy
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.released_tables import ReleasedTables
from indistinct.tables.publish.repair.records import least_size_of
from indistinct.tables.publish.repair.repair import is_small_enough
from indistinct.tables.publish.repair.repaired_release import ReadBackRepair, RepairOutcome
from indistinct.tables.publish.searching import FoundRecoding
from indistinct.tables.release.closer_look import ReleaseJudge
from indistinct.tables.release.manifest import Manifest
from indistinct.tables.release.read_back import RECORDS_WITH, GivenBack

WITH_LEVEL = re.compile(r"(.+) \(level [0-9]+\)", re.DOTALL)
REMEDY = (
    'Leave the column out (role = "identifier"), release one value of it for all records with '
    "equal released cells, or make it coarser. If you accept that the cells are given back, write "
    'read_back = "accepted" under [release].'
)


class GivenBackError(Exception):
    """The cause of a refusal: columns that are not generalized give too many cells back.

    Parameters
    ----------
    columns : that give cells back
    derived_by : those that do so by addition
    derived : the quasi-identifiers that follow from these
    """

    def __init__(
        self, columns: Sequence[str], derived_by: Sequence[str], derived: Sequence[str]
    ) -> None:
        super().__init__("columns give generalized cells back")
        self.columns, self.derived_by, self.derived = columns, derived_by, derived


def with_findings(
    tables: ReleasedTables,
    spec: Specification,
    original: Frame,
    found: FoundRecoding | None,
    repair: RepairOutcome,
) -> ReleasedTables:
    """Return a release with what its owner, and everybody, is told of it.

    Parameters
    ----------
    spec : what is promised
    original : the input, before its columns were masked
    found : what was searched and found, where cells were generalized
    repair : what was done so that less is read back

    Raises
    ------
    NoSolutionError
        when columns that are not generalized give so many cells back that classes are smaller than
        the policy promises, and the policy does not accept it
    """
    facts = facts_of_search(found, tables.exact, tables.facts)
    shown = np.flatnonzero(~tables.masked_rows())
    rows = tables.crosswalk.astype(np.int64)[shown]
    identifiers = tuple(name for name in decided_identifiers(spec) if name in original.columns)
    persons = persons_of(original, spec.data)
    counted = rows_in_memory(tables.frame[shown], spec)
    if persons is not None:
        counted = replace(counted, units=_units(persons.astype(np.int64), rows))
    table = beside_input(table_in_memory(counted, spec), original, rows)
    table = replace(
        table,
        unit=table.unit if persons is None else PEOPLE,
        are_units_shown=persons is None,
        identifiers=identifiers,
        facts=facts,
        closer=ReleaseJudge(repair.found),
    )
    exact, public = told_of([table], repair.closest)
    said = _said_of_read_back(table, repair.done)
    return tables.with_manifests(
        replace(tables.published, findings=public, read_back=said),
        replace(
            tables.exact,
            findings=exact,
            read_back=said,
            repair=None if repair.done is None else repair.done.document(),
        ),
    )


def _said_of_read_back(
    table: CountedTable, repair: ReadBackRepair | None
) -> Mapping[str, Any] | None:
    """Return what everybody is told of the cells that are read back; None where there are none."""
    spec, judge = table.spec, table.closer
    if not isinstance(judge, ReleaseJudge) or not is_read_back(table):
        return None
    hidden = [] if repair is None else [name for name, n in repair.hidden.items() if n]
    found = judge.all_read_back(table)
    if found is None or not (found.n_cells or hidden):
        return None
    return {
        "cells": found.n_cells,
        "below": found.share_below(least_size_of(spec)),
        "k_after": found.k_after,
        "may_be_hidden": sorted(hidden),
    }


def told_of(
    tables: Sequence[CountedTable], closest: float | None = None
) -> tuple[ReleaseFindings, ReleaseFindings]:
    """Return what the owner is told of a release, and what everybody is.

    Parameters
    ----------
    tables : the first is the one about which the models promise something
    closest : share of the records in small classes that the best repair left, where none helped

    Raises
    ------
    NoSolutionError
        when cells are given back against the promise
    """
    refuse_read_back(tables[0], closest)
    exact = look_for_all(tables)
    return exact, ReleaseFindings(counted_by_anybody(tables, exact))


def _units(persons: Ints, rows: Ints) -> Ints:
    """Return the person of each released record; a record of nobody is one of its own."""
    units = persons[np.maximum(rows, 0)]
    nobody = np.flatnonzero(rows < 0)
    units[nobody] = int(persons.max(initial=-1)) + 1 + nobody
    return units


def facts_of_search(found: FoundRecoding | None, exact: Manifest, facts: KnownFacts) -> KnownFacts:
    """Return what a search knows of its release.

    Parameters
    ----------
    found : what was searched and found; None where nothing was generalized
    exact : the owner's manifest, which says what the masks did
    facts : what else is known
    """
    masked = exact.protection.items()
    keys = tuple(name for name, entry in masked if entry.facts.get(KEY_WAS_THERE))
    facts = replace(facts, shared_keys=keys)
    if found is None:
        return replace(facts, given_up=(), renamed=())
    renamed = tuple(renamed_columns(found.prepared.spec.class_rules))
    return replace(facts, given_up=found.given_up, renamed=renamed)


def renamed_columns(rules: Sequence[ColumnRule]) -> Iterator[str]:
    """Yield the columns whose labels got their level behind them, since they are listed twice."""
    for rule in rules:
        listed = listed_hierarchy(rule)
        if listed is None:
            continue
        labels = {text for labels in listed.labels[1:] for text in labels}
        stems = [one[1] for one in map(WITH_LEVEL.fullmatch, labels) if one is not None]
        if stems and not {*labels, *listed.values}.isdisjoint(stems):
            yield rule.name


def refuse_read_back(table: CountedTable, closest: float | None = None) -> None:
    """Refuse a release whose cells are given back, unless the policy accepts it.

    Parameters
    ----------
    closest : share of the records in small classes that the best repair left, where none helped

    Raises
    ------
    NoSolutionError
        when as many records as the policy's limit, a hundredth of all by default, are in classes
        smaller than the models ask once cells are read back; fewer are warned of, since related
        columns tell single cells in any table
    """
    spec, judge = table.spec, table.closer
    if spec.release.read_back == "accepted" or spec.algorithm.republishes:
        return  # the promise of m-invariance is about the values of a group, and not about its size
    if not isinstance(judge, ReleaseJudge) or not is_read_back(table):
        return
    try:
        found = judge.all_read_back(table)
    except CapacityError:
        return  # its owner is told that it was not examined
    least = least_size_of(spec)
    if found is None or found.k < least or is_small_enough(found.share_below(least), spec):
        return
    worst = [one for one in found.warned if not is_small_enough(one.share_below(least), spec)]
    if not worst and found.together is not None:
        worst = [found.together]
    by_columns: dict[tuple[str, ...], GivenBack] = {}
    for one in worst:
        known = by_columns.setdefault(_columns_of(one), one)
        if one.share_below(least) > known.share_below(least):
            by_columns[_columns_of(one)] = one
    derived = [one for one in worst if one.is_derived]
    cause = GivenBackError(
        list(dict.fromkeys(name for names in by_columns for name in names)),
        list(dict.fromkeys(name for one in derived for name in one.columns)),
        list(dict.fromkeys(name for one in derived for name in one.cells)),
    )
    first, *others = (_read_back_fault(names, one, least) for names, one in by_columns.items())
    if closest is not None:
        said = f"The best repair that was tried leaves {closest:.1%} of the records there."
        parts = {**first.parts, "closest": closest}
        first = replace(first, remedy=f"{said} {first.remedy}", parts=parts)
    raise NoSolutionError([first, *others]) from cause


def _columns_of(found: GivenBack) -> tuple[str, ...]:
    """Return the columns that give cells back, by themselves or by how often a value occurs."""
    return tuple(dict.fromkeys(name.removeprefix(RECORDS_WITH) for name in found.columns))


def _read_back_fault(names: Sequence[str], found: GivenBack, least: int) -> Fault:
    """Return the fault that says what columns give back, and what becomes of the promise."""
    listed, verb = ", ".join(names), "gives" if len(names) == 1 else "give"
    n_cells, k_after = found.n_cells, found.k_after
    cells = "1 generalized cell" if n_cells == 1 else f"{n_cells:,} generalized cells"
    records = "1 record" if k_after == 1 else f"{k_after:,} records"
    problem = (
        f"{verb} {cells} of {', '.join(found.cells)} back: then {found.share_below(least):.1%} of "
        f"the records are in classes smaller than {least:,}, the smallest of {records}"
    )
    return Fault(
        f"columns.{listed}",
        problem,
        REMEDY,
        code="gives-cells-back",
        columns=tuple(names),
        parts={
            "count": n_cells,
            "cells": list(found.cells),
            "share": found.share_below(least),
            "least": least,
            "k_after": k_after,
        },
        ways=tuple(Way(("columns", name, "role"), "identifier") for name in names),
    )
