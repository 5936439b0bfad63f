"""Release the members of households: every released household is like k - 1 others in all of them.

The column of households gets new numbers, drawn in secret, and comes last in the order of the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.errors import DataError, Fault
from indistinct.tables.core.protocols import Deadline
from indistinct.tables.counting.orders_of_records import in_canonical_order
from indistinct.tables.counting.preparation import Count
from indistinct.tables.engines.sources import ReleasePlan
from indistinct.tables.engines.tallies import columns_of
from indistinct.tables.frames.encoding import persons_in
from indistinct.tables.frames.frame import Frame, table_of, with_whole_columns
from indistinct.tables.frames.texts import all_filled_texts
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.decision import plan_of
from indistinct.tables.publish.forms.form import FormInput, FormTables, steps_of
from indistinct.tables.publish.forms.table import (
    FoundClasses,
    manifest_of_classes,
    search_classes,
    tables_of_classes,
    written_classes,
)
from indistinct.tables.publish.household_search import search_households
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.reading.missing_values import are_missing
from indistinct.tables.reading.rebuild import rebuilt
from indistinct.tables.release.entries import CountEntry, ModelEntry
from indistinct.tables.release.manifest import Manifest, class_entry, risk_entry


@dataclass(frozen=True, slots=True)
class HouseholdFigures:
    """What was counted of the released households.

    Parameters
    ----------
    alike : (n_classes,), households that are alike in all that others may know
    n_input : households of the input
    """

    alike: Ints
    n_input: int

    __repr__ = short_repr

    def in_households(self, manifest: Manifest) -> Manifest:
        """Return a manifest whose sizes are counted in households."""
        released = int(self.alike.sum())
        smallest = {"k": int(self.alike.min())} if released else None
        return replace(
            manifest,
            models=tuple(
                ModelEntry(one.name, one.required, smallest, holds=_holds(one, smallest))
                for one in manifest.models
            ),
            classes=replace(class_entry(self.alike), counted="households"),
            risk=risk_entry(self.alike),
            households=CountEntry(released, self.n_input - released),
        )


@dataclass(frozen=True, slots=True)
class FoundHouseholds:
    """The classes of the records, and the household of each record of the input."""

    classes: FoundClasses
    households: Ints

    __repr__ = short_repr


def _found(given: FormInput, count: Count) -> FoundHouseholds:
    """Search classes of whole households.

    Raises
    ------
    DataError
        when a record has no household, or a cell of a household varies among its members
    NoSolutionError
        when no release satisfies the policy
    """
    households = household_numbers(given.source.frame, given.spec)
    until = given.deadline or Deadline()
    settled = search_classes(
        given.source,
        given.spec,
        count,
        lambda one: search_households(one, households, given.progress, until, given.chance),
    )
    given.progress(1.0, "writing")
    # The recoding has an item for each record, in their order.
    noised = NoisyRecoding(settled.solution, settled.solution.recoding.labels)
    return FoundHouseholds(written_classes(given, settled, noised, in_units=True), households)


def _tables(given: FormInput, found: FoundHouseholds) -> FormTables:
    """Write the cells of each released record, and new numbers of the households."""
    tables = tables_of_classes(given, found.classes)
    return replace(tables, plan=_numbered(tables, found.households, given.chance))


def _manifest(given: FormInput, found: FoundHouseholds, tables: FormTables) -> Manifest:
    """Return the manifest with what was reached, counted in households."""
    alike = _alike(tables, found.households[tables.plan.piece_rows])
    figures = HouseholdFigures(alike, len(np.unique(found.households)))
    return figures.in_households(manifest_of_classes(given, found.classes, tables))


def household_numbers(frame: Frame, spec: Specification) -> Ints:
    """Return the number of the household of each record: (n_rows,); those that read alike are one.

    Raises
    ------
    DataError
        when a record has no household, or a cell of a household varies among its members
    """
    name = spec.data.household or ""
    n_without = int(are_missing(frame[name], spec.data.missing).sum())
    if n_without:
        problem = f"{n_without:,} records have no household"
        raise DataError([Fault(f"columns.{name}", problem, "Complete them.")])
    texts = all_filled_texts(frame)
    numbers = persons_in(frame[name], spec.data.missing).astype(np.int64)
    faults = list(_varying(texts, numbers, spec))
    if faults:
        raise DataError(faults)
    return numbers


def _varying(texts: Frame, households: Ints, spec: Specification) -> Iterator[Fault]:
    """Find columns of households whose cells vary among members."""
    for name, column in spec.columns.items():
        if column.words.level != "household" or name not in texts.columns:
            continue
        _, codes = np.unique(texts[name].to_numpy().astype(str), return_inverse=True)
        pairs = np.unique(np.stack([households, codes]), axis=1)[0]
        n_varying = int((np.unique(pairs, return_counts=True)[1] > 1).sum())
        if n_varying:
            yield Fault(
                f"columns.{name}.level",
                f"is household, but its cells vary among the members of {n_varying:,} households",
                'Correct the cells, or set level = "person".',
            )


def _alike(tables: FormTables, households: Ints) -> Ints:
    """Count the households that are alike, by the cells that are written: (n_classes,).

    Parameters
    ----------
    households : (n_released,), of each released record
    """
    names = [name for name in tables.plan.cells.columns if name in _shown_names(tables)]
    members: dict[int, list[tuple[str, ...]]] = {}
    rows = all_filled_texts(columns_of(tables.plan.cells, names)).rows()
    for household, row in zip(households.tolist(), rows, strict=True):
        members.setdefault(household, []).append(row)
    alike = Counter(tuple(sorted(rows)) for rows in members.values())
    return np.array(list(alike.values()), np.int64)


def _shown_names(tables: FormTables) -> set[str]:
    """Return the columns that the quasi-identifiers may be written as."""
    names = tables.spec.class_names
    return {f"{name}{end}" for name in names for end in ("", "_min", "_max")}


def _numbered(tables: FormTables, households: Ints, chance: RandomSource) -> ReleasePlan:
    """Return the release with new numbers of households, sorted by them last."""
    plan, spec = tables.plan, tables.spec
    present, own = np.unique(households[plan.piece_rows], return_inverse=True)
    numbers = chance.apart("numbers of households").permutation(len(present))[own]
    name = spec.data.household or ""
    frame = with_whole_columns(plan.cells, table_of({name: numbers}))
    frame, rows = in_canonical_order(frame, plan.piece_rows, spec.class_names)
    return plan_of(rebuilt(frame), rows)


def _holds(entry: ModelEntry, smallest: dict[str, int] | None) -> bool:
    """Return whether enough households are alike."""
    return smallest is None or smallest["k"] >= int(entry.required["k"])


HOUSEHOLDS = steps_of(_found, _tables, _manifest)
