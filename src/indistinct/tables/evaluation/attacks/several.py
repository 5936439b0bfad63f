"""What several releases of one table leave open of each person's sensitive value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.parameters import parameter
from indistinct.base.success import SuccessRate
from indistinct.errors import DataError, Fault
from indistinct.tables.core.keys import counted_text, counted_texts
from indistinct.tables.core.schema import COUNT, GROUP
from indistinct.tables.evaluation.attacks.candidates import (
    boxes_of_people,
    sensitive_columns,
    value_counts_of_people,
    value_counts_of_records,
)
from indistinct.tables.evaluation.attacks.entry import SECRET, Attack, ColumnAttack, Outcome
from indistinct.tables.evaluation.attacks.matching import match
from indistinct.tables.evaluation.attacks.scenario import (
    ORIGINAL,
    REGISTER,
    AttackScenario,
    rows_of,
)
from indistinct.tables.frames.frame import texts_of
from indistinct.tables.policy.hierarchies import missing_text


def value_counts_of_groups(
    scenario: AttackScenario, column: str, rows: Ints | None
) -> tuple[tuple[str, ...], Ints]:
    """Count, per person of the register, the values of the groups of the person's rows.

    Parameters
    ----------
    rows : (n_people,), the own row of each person, -1 for none; None where nobody knows it, so that
        each row with the person's quasi-identifiers may be the own one

    Returns
    -------
    the values, and (n_people, n_values)

    Raises
    ------
    DataError
        when the two tables do not belong together
    """
    values, of_record = _values_of_records(scenario, column)
    if rows is not None:
        nobody = np.zeros((1, len(values)), np.int64)
        return values, np.vstack([of_record, nobody])[rows]
    found = match(scenario.columns(scenario.covered(REGISTER)), REGISTER)
    of_box = np.zeros((len(found.sizes), len(values)), np.int64)
    np.add.at(of_box, found.box_of_record, of_record)
    counts = np.zeros((len(found.begins) - 1, len(values)), np.int64)
    np.add.at(counts, found.owners, of_box[found.boxes])
    return values, counts


def _values_of_records(scenario: AttackScenario, column: str) -> tuple[tuple[str, ...], Ints]:
    """Count the values of the group of each row of the first table: (n_records, n_values)."""
    if scenario.linked is None or not {GROUP, COUNT, column} <= set(scenario.linked.columns):
        problem = f'"{column}" is neither in the release nor in a sensitive table beside it'
        raise DataError([Fault("columns", problem, "Give both tables of one release.")])
    missing = dict.fromkeys(
        ["", *scenario.spec.data.missing], missing_text(scenario.spec.columns[column])
    )
    texts = scenario.linked[column].replace(missing).to_numpy().astype(np.str_)
    groups = scenario.linked[GROUP].to_numpy().astype(np.str_)
    values, value_of = np.unique(texts, return_inverse=True)
    known, group_of = np.unique(groups, return_inverse=True)
    table = np.zeros((len(known), len(values)), np.int64)
    np.add.at(table, (group_of, value_of), scenario.linked[COUNT].to_numpy().astype(np.int64))
    own = scenario.released[GROUP].to_numpy().astype(np.str_)
    place = np.minimum(np.searchsorted(known, own), len(known) - 1)
    if not (known[place] == own).all():
        problem = "has groups that are not in the sensitive table"
        raise DataError([Fault(f"columns.{GROUP}", problem, "Give the two files of one release.")])
    return tuple(values.tolist()), table[place]


@final
@dataclass(frozen=True, slots=True)
class ReleaseView:
    """What one release shows of the people of the register.

    Parameters
    ----------
    counts : (n_people, n_values), records with each value that cover each person, or where the
        owner's files tell it, of the person's own class
    is_covered : (n_people,), whether there are such records
    is_present : (n_people,), whether the person is taken to be in the release
    """

    counts: Ints
    is_covered: Bools
    is_present: Bools


@final
@dataclass(frozen=True, slots=True)
class ReleaseViews:
    """What all releases show, oldest first.

    Parameters
    ----------
    values : the sensitive values that stand in any of them
    each : per release
    """

    values: tuple[str, ...]
    each: tuple[ReleaseView, ...]


def sights_of(scenario: AttackScenario, column: str) -> ReleaseViews:
    """Look at every release, oldest first, for the people of the register.

    Where nobody says who was in which release, everybody whom a release covers is taken to be in.
    """
    parts = [
        (counted_texts(texts), counts)
        for texts, counts in (_value_counts(one, column) for one in scenarios_of(scenario))
    ]
    values = tuple(sorted({text for texts, _ in parts for text in texts}))
    place = {text: number for number, text in enumerate(values)}
    found: list[ReleaseView] = []
    for number, (texts, counts) in enumerate(parts):
        wide = np.zeros((len(counts), len(values)), np.int64)
        np.add.at(wide.T, [place[text] for text in texts], counts.T)
        is_covered = wide.sum(axis=1) > 0
        is_present = is_covered if scenario.present is None else scenario.present[:, number]
        found.append(ReleaseView(wide, is_covered, is_present))
    return ReleaseViews(values, tuple(found))


def _value_counts(scenario: AttackScenario, column: str) -> tuple[tuple[str, ...], Ints]:
    """Count the values around each person: of the own class where it is known, else of all."""
    truth = None if scenario.rows is None else scenario.truth()
    rows: Ints | None = None
    if truth is not None and truth.rows is not None:
        rows = np.where(truth.is_clear, truth.rows, -1).astype(np.int64)
    if column not in scenario.released.columns:
        return value_counts_of_groups(scenario, column, rows)
    if rows is None:
        return value_counts_of_people(scenario, column)
    return value_counts_of_records(scenario, column, rows)


def scenarios_of(scenario: AttackScenario) -> Iterator[AttackScenario]:
    """Yield the scenario of each release, oldest first."""
    for shown in scenario.earlier:
        yield scenario.at(shown)
    yield scenario


def truths(scenario: AttackScenario, column: str, values: Sequence[str]) -> Ints | None:
    """Return the place of each person's own value among ``values``.

    Returns
    -------
    (n_people,), -1 where the value is not among them or not known; None where no table tells it
    """
    register = scenario.table(REGISTER)
    place = {text: number for number, text in enumerate(values)}
    if column in register.columns:
        return _places(texts_of(register, column), place)
    names = [name for name in scenario.spec.left_out if name in register.columns]
    if not scenario.has(ORIGINAL) or not names:
        return None
    original = scenario.table(ORIGINAL)
    if any(name not in original.columns for name in (*names, column)):
        return None
    rows = rows_of(register, original, names)
    own = _places(texts_of(original, column), place)
    return np.where(rows >= 0, own[np.maximum(rows, 0)], -1).astype(np.int64)


def _places(texts: Sequence[str | None], place: dict[str, int]) -> Ints:
    """Return the place of each text, -1 where it has none."""
    return np.array([place.get(counted_text(text or ""), -1) for text in texts], np.int64)


@final
@dataclass(frozen=True, slots=True)
class Difference(Attack):
    """Subtract the sensitive values of classes with the same cells in two following releases.

    Known are those who came in between. A class that lost nothing and gained one kind of value
    tells theirs. An attempt succeeds when one value is left, and where the truth is known, when it
    is right. Without a table of who was in which release there is nobody to attempt.

    Source: byun2006, section 3.
    """

    secret: str | None = parameter(**SECRET)

    name: ClassVar[str] = "difference"
    needs_register: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out; the groups of linked tables have no cells to compare."""
        if any(one.linked is not None for one in scenarios_of(scenario)):
            return []
        return [_outcome(scenario, name) for name in sensitive_columns(scenario, self.secret)]


def _outcome(scenario: AttackScenario, column: str) -> Outcome:
    """Attack one column."""
    attempts = successes = 0
    is_counted = False
    scenarios = list(scenarios_of(scenario))
    for number in range(1, len(scenarios)):
        if scenario.present is None:
            continue
        came = scenario.present[:, number] & ~scenario.present[:, number - 1]
        guesses = _guesses(scenarios[number - 1], scenarios[number], came, column)
        values: tuple[str, ...] = tuple(sorted(set(guesses.values())))
        own = truths(scenario, column, values)
        is_counted |= own is not None
        attempts += int(came.sum())
        for person, value in guesses.items():
            successes += own is None or _is(values, int(own[person]), value)
    return Outcome(
        Difference.name,
        scenario.rate(successes, attempts),
        counted=is_counted,
        details={"column": column, "releases": len(scenarios)},
    )


def _is(values: Sequence[str], place: int, value: str) -> bool:
    """Return whether the value at a place, -1 for none, is the one that was guessed."""
    return place >= 0 and values[place] == value


def _guesses(
    before: AttackScenario, after: AttackScenario, came: Bools, column: str
) -> dict[int, str]:
    """Return the value of each comer whose only class tells it."""
    earlier, later = boxes_of_people(before, column), boxes_of_people(after, column)
    n_boxes: list[int] = np.bincount(later.people, minlength=len(came)).tolist()
    guesses: dict[int, str] = {}
    pairs: list[list[int]] = np.column_stack([later.people, later.boxes]).tolist()
    for person, box in pairs:
        cells = later.cells[box]
        if not came[person] or n_boxes[person] != 1 or cells not in earlier.values:
            continue
        had, has = earlier.values[cells], later.values[cells]
        gained = {value for value, count in has.items() if count > had.get(value, 0)}
        lost = any(count > has.get(value, 0) for value, count in had.items())
        if not lost and len(gained) == 1:
            guesses[person] = gained.pop()
    return guesses


@final
@dataclass(frozen=True, slots=True)
class Intersection(ColumnAttack):
    """Intersect the sensitive values that each release shows around a person.

    An attempt succeeds when one value is left, and where the truth is known, when it is right. The
    baseline is the same with the last release alone.

    Source: byun2006, section 3; ganta2008, section 2.
    """

    name: ClassVar[str] = "intersection"
    needs_register: ClassVar[bool] = True
    reads_linked: ClassVar[bool] = True

    def on_column(self, scenario: AttackScenario, column: str) -> Outcome:
        """Attack one column."""
        views = sights_of(scenario, column)
        targets = np.ones(len(views.each[0].is_present), np.bool_)
        left = np.ones((len(targets), len(views.values)), np.bool_)
        for view in views.each:
            # Who was not in a release is not looked for in it.
            known = np.ones_like(targets) if scenario.present is None else view.is_present
            left &= (view.counts > 0) | ~known[:, None]
            targets &= view.is_covered | ~known
        if scenario.present is not None:
            targets &= np.any([view.is_present for view in views.each], axis=0)
        own = truths(scenario, column, views.values)
        sizes = left.sum(axis=1)
        open_ = sizes[targets & (sizes > 0)]
        last = views.each[-1]
        alone = (last.counts > 0) & last.is_present[:, None]
        details = {
            "column": column,
            "releases": len(views.each),
            "smallest": int(open_.min()) if len(open_) else 0,
            "mean_chance": _mean_chance(left, targets),
            "alone": [_mean_chance(view.counts > 0, targets) for view in views.each],
        }
        return Outcome(
            self.name,
            _successes(left, targets, own, scenario),
            counted=own is not None,
            baseline=_successes(alone, last.is_present & last.is_covered, own, scenario),
            details=details,
            baseline_is="the last release alone",
        )


def _mean_chance(left: Bools, targets: Bools) -> float:
    """Return the mean chance to guess the value of a target by the values that are left."""
    sizes = left[targets].sum(axis=1)
    return float((1 / sizes[sizes > 0]).mean()) if sizes.any() else 0.0


def _successes(
    left: Bools, targets: Bools, own: Ints | None, scenario: AttackScenario
) -> SuccessRate:
    """Count the targets of whom one value is left, and it is right."""
    is_one = (left.sum(axis=1) == 1) & targets
    if own is not None:
        is_one &= left[np.arange(len(left)), np.maximum(own, 0)] & (own >= 0)
    return scenario.rate(int(is_one.sum()), int(targets.sum()))
