"""Release the members of households: every released household is like k - 1 others in all of them.

The column of households gets new numbers, drawn in secret, and comes last in the order of the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.brief import Confidential, short_repr
from indistinct.core.protocols import Deadline, Progress, Solution
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import Prepared
from indistinct.engines.cell_texts import all_filled_texts
from indistinct.engines.frames import Frame, table_of, with_whole_columns
from indistinct.engines.missing_values import are_missing
from indistinct.engines.rebuild import rebuilt
from indistinct.engines.tallies import columns_of
from indistinct.errors import DataError, Fault
from indistinct.policy.policy import Policy
from indistinct.publish.class_noise import NoisyRecoding
from indistinct.publish.forms.form import FormInput
from indistinct.publish.household_search import search_households
from indistinct.publish.pipeline import ReleaseDecision, decide
from indistinct.publish.released_labels import released_labels
from indistinct.publish.released_tables import ReleasedTables
from indistinct.publish.row_order import in_canonical_order
from indistinct.release.entries import CountEntry, ModelEntry
from indistinct.release.manifest import Manifest, class_entry, risk_entry


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

    def told(self, manifest: Manifest) -> Manifest:
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


def draft_households(given: FormInput) -> ReleasedTables:
    """Make a release of the members of households that nobody has verified yet.

    Raises
    ------
    DataError
        when a record has no household, or a cell of a household varies among its members
    NoSolutionError
        when no release satisfies the policy
    """
    source, policy = given.source, given.policy
    households = household_numbers(source.frame, policy)

    def find(
        prepared: Prepared, progress: Progress, deadline: Deadline | None
    ) -> tuple[Solution, float]:
        until = deadline or Deadline()
        return search_households(prepared, households, progress, until, given.chance)

    decided = decide(
        source,
        policy,
        progress=given.progress,
        deadline=given.deadline,
        chance=given.chance,
        refine=_record_by_record,
        find=find,
    )
    table = source.table
    figures = HouseholdFigures(
        _alike(decided, households[decided.plan.rows]), len(np.unique(households))
    )
    frame, rows = _numbered(decided, households, given.chance)
    return ReleasedTables(
        data=source.lazy(replace(decided.plan.decision, cells=frame)),
        published=figures.told(decided.published),
        frame=frame,
        owners=Confidential((rows, source.frame, figures.told(decided.owner))),
        policy=decided.policy,
        separator=table.separator,
        labels=released_labels(table.labels, decided.policy, frame),
        lists=table.lists,
    )


def household_numbers(frame: Frame, policy: Policy) -> Ints:
    """Return the number of the household of each record: (n_rows,).

    Raises
    ------
    DataError
        when a record has no household, or a cell of a household varies among its members
    """
    name = policy.data.household or ""
    n_without = int(are_missing(frame[name], policy.data.missing).sum())
    if n_without:
        problem = f"{n_without:,} records have no household"
        raise DataError([Fault(f"columns.{name}", problem, "Complete them.")])
    texts = all_filled_texts(frame)
    _, numbers = np.unique(texts[name].to_numpy().astype(str), return_inverse=True)
    faults = list(_varying(texts, numbers, policy))
    if faults:
        raise DataError(faults)
    return numbers.astype(np.int64)


def _varying(texts: Frame, households: Ints, policy: Policy) -> Iterator[Fault]:
    """Find columns of households whose cells vary among members."""
    for name, column in policy.columns.items():
        if column.level != "household" or name not in texts.columns:
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


def _record_by_record(
    prepared: Prepared, solution: Solution, chance: RandomSource
) -> NoisyRecoding:
    """Return a recoding with an item for each record as it was found."""
    del prepared, chance
    return NoisyRecoding(solution, solution.recoding.labels)


def _alike(decided: ReleaseDecision, households: Ints) -> Ints:
    """Count the households that are alike, by the cells that are written: (n_classes,).

    Parameters
    ----------
    households : (n_released,), of each released record
    """
    names = [name for name in decided.plan.cells.columns if name in _shown_names(decided)]
    members: dict[int, list[tuple[str, ...]]] = {}
    rows = all_filled_texts(columns_of(decided.plan.cells, names)).rows()
    for household, row in zip(households.tolist(), rows, strict=True):
        members.setdefault(household, []).append(row)
    alike = Counter(tuple(sorted(rows)) for rows in members.values())
    return np.array(list(alike.values()), np.int64)


def _shown_names(decided: ReleaseDecision) -> set[str]:
    """Return the columns that the quasi-identifiers may be written as."""
    names = decided.policy.class_names
    return {f"{name}{end}" for name in names for end in ("", "_min", "_max")}


def _numbered(
    decided: ReleaseDecision, households: Ints, chance: RandomSource
) -> tuple[Frame, Ints]:
    """Return the release with new numbers of households, and the row of the input behind each."""
    plan, policy = decided.plan, decided.policy
    present, own = np.unique(households[plan.rows], return_inverse=True)
    numbers = chance.apart("numbers of households").permutation(len(present))[own]
    name = policy.data.household or ""
    frame = with_whole_columns(plan.cells, table_of({name: numbers}))
    frame, rows = in_canonical_order(frame, plan.rows, policy.class_names)
    return rebuilt(frame), rows


def _holds(entry: ModelEntry, smallest: dict[str, int] | None) -> bool:
    """Return whether enough households are alike."""
    return smallest is None or smallest["k"] >= int(entry.required["k"])
