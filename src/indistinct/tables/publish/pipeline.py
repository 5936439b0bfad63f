"""Decide on a release: count a table, search, and say what becomes of each record.

The records of a table in memory are counted one by one, and the form that the policy asks for says
what is done at each step. Of any other table an engine counts the distinct rows, and later writes
what was decided of them; see :mod:`indistinct.tables.publish.parts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.counting.preparation import Count
from indistinct.tables.counting.table_faults import check_columns
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.frame_table import FrameTable
from indistinct.tables.engines.sources import EngineTable, ReleasePlan
from indistinct.tables.frames.frame import empty_like
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.forms.counted_rows import COUNTED_ROWS, count_rows
from indistinct.tables.publish.forms.form import AnyTable, FormInput, FormTables, Found, Stages
from indistinct.tables.release.manifest import Manifest


@dataclass(frozen=True, slots=True)
class PlannedRelease(Generic[AnyTable]):
    """A release before anything is written.

    Parameters
    ----------
    given : the table, open, and what was asked
    count : its rows as they were counted
    tables : what becomes of each of them
    owner, published : the manifests
    """

    given: FormInput[AnyTable]
    count: Count
    tables: FormTables
    owner: Manifest
    published: Manifest

    __repr__ = short_repr

    @property
    def source(self) -> AnyTable:
        """The table."""
        return self.given.source

    @property
    def plan(self) -> ReleasePlan:
        """What is written of each row."""
        return self.tables.plan

    @property
    def spec(self) -> Specification:
        """What is promised, with every rule written out."""
        return self.tables.spec


def decide_records(given: FormInput, steps: Stages[Found]) -> PlannedRelease[FrameTable]:
    """Search the records of a table in memory, and say what becomes of each.

    Parameters
    ----------
    steps : of the form that the policy asks for

    Raises
    ------
    UsageError
        when the policy or the input is wrong
    NoSolutionError
        when no release satisfies the policy
    """
    return _planned(given, steps, lambda one: Count.of_records(one.source.frame, one.source.kept))


def decide(
    source: EngineTable,
    spec: Specification,
    resources: Resources,
    progress: Progress = no_progress,
    *,
    hashes: bool = True,
) -> PlannedRelease[EngineTable]:
    """Let an engine count a table, search, and say what becomes of each distinct row.

    Parameters
    ----------
    hashes : whether the input is hashed, where that takes another look at it

    Raises
    ------
    UsageError
        when the policy or the input is wrong
    NoSolutionError
        when no release satisfies the policy
    """
    check_columns(empty_like(source.schema), spec)
    given = FormInput(source, spec, RandomSource(), progress, resources=resources, hashes=hashes)
    return _planned(given, COUNTED_ROWS, count_rows)


def _planned(
    given: FormInput[AnyTable],
    steps: Stages[Found, AnyTable],
    count_table: Callable[[FormInput[AnyTable]], Count],
) -> PlannedRelease[AnyTable]:
    """Count a table, and take the steps of a form."""
    given.progress(0.0, "counting")
    count = count_table(given)
    found = steps.search(given, count)
    tables = steps.tables(given, found)
    owner, published = steps.manifests(given, found, tables)
    return PlannedRelease(given, count, tables, owner, published)
