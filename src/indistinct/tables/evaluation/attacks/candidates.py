"""The records that may be a person's, as a class of its own, with their sensitive values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.success import SuccessRate
from indistinct.errors import DataError, Fault
from indistinct.tables.core.classes import EquivalenceClasses, count_values
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.keys import counted_texts
from indistinct.tables.core.schema import GROUP, NOT_RELEASED, Role
from indistinct.tables.counting.columns import with_missing_text
from indistinct.tables.evaluation.attacks.matching import Matches, expanded, match
from indistinct.tables.evaluation.attacks.scenario import (
    CONTROL,
    ORIGINAL,
    REGISTER,
    AttackScenario,
)
from indistinct.tables.frames.encoding import counted_alike, encode, encode_together
from indistinct.tables.frames.texts import coded_texts
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.policy.hierarchies import hierarchy_of, missing_text


@final
@dataclass(frozen=True, slots=True)
class Candidates:
    """Per target, the records that may be the target's, and how many targets share them.

    Parameters
    ----------
    classes : a class per target or set of like targets; their sizes are candidates
    targets : (n_classes,), targets that each class stands for
    values : (n_classes,), code of the target's own sensitive value, -1 where it is not known
    """

    classes: EquivalenceClasses
    targets: Ints
    values: Ints

    def rate(self, scenario: AttackScenario, exposed: Bools) -> SuccessRate:
        """Return the share of the targets whose classes are exposed."""
        return scenario.rate(int(self.targets[exposed].sum()), int(self.targets.sum()))


def sensitive_columns(
    scenario: AttackScenario, secret: str | None, *, linked: bool = False
) -> list[str]:
    """Return the sensitive columns that are attacked: the one that is wanted, or all.

    Parameters
    ----------
    linked : whether the attack reads the sensitive table of two linked ones, too

    Raises
    ------
    DataError
        when there is none in the release
    """
    named = [secret] if secret else scenario.spec.named(Role.SENSITIVE)
    linked_columns = scenario.linked.columns if linked and scenario.linked is not None else []
    found = [name for name in named if name in {*scenario.released.columns, *linked_columns}]
    if not found:
        raise DataError(
            [Fault("columns", "no sensitive column is in the release", "Name one by --secret.")]
        )
    return found


def candidates(scenario: AttackScenario, column: str, people: str = REGISTER) -> Candidates:
    """Find the candidates of each person of a table that some record covers.

    Without a table of people every released record is a target, and the records that look like it
    are its candidates.

    Parameters
    ----------
    column : the sensitive column
    people : register or control
    """
    encoded, table = _encoded(scenario, column)
    values = encoded.codes[: scenario.released.height]
    if not scenario.has(people):
        return _of_records(scenario, table, values.astype(np.int64))
    found = match(scenario.columns(scenario.covered(people)), people)
    targets = found.records > 0
    truth = scenario.truth() if people == REGISTER else None
    if truth is not None:
        targets &= truth.is_member & truth.is_clear
    classes = _of_people(found, table, values)
    own = np.full(len(targets), -1, np.int64)
    if people == CONTROL and column in scenario.people[people].columns:
        own = _own_values(scenario, column, people, encoded)
    return Candidates(classes.chosen(targets), np.ones(int(targets.sum()), np.int64), own[targets])


def value_counts_of_people(scenario: AttackScenario, column: str) -> tuple[tuple[str, ...], Ints]:
    """Count, per person of the register, the values of the records that cover the person.

    Returns
    -------
    the values, and (n_people, n_values)
    """
    encoded, table = _encoded(scenario, column)
    values = encoded.codes[: scenario.released.height]
    found = match(scenario.columns(scenario.covered(REGISTER)), REGISTER)
    counts = _of_people(found, table, values).value_counts[column]
    return encoded.texts, counts.dense(table.n_values)


def value_counts_of_records(
    scenario: AttackScenario, column: str, rows: Ints
) -> tuple[tuple[str, ...], Ints]:
    """Count the values in the classes of some records.

    Parameters
    ----------
    rows : (n_people,), released record of each person, -1 for none

    Returns
    -------
    the values, and (n_people, n_values)
    """
    encoded, table = _encoded(scenario, column)
    own = scenario.spec.columns.get(GROUP)
    grouped = [GROUP] if own is None or own.words.role in NOT_RELEASED else []
    labels, _ = _classes_of_records(scenario, (*scenario.spec.class_names, *grouped))
    counts = np.zeros((int(labels.max()) + 2, table.n_values), np.int64)
    np.add.at(counts, (labels, encoded.codes[: scenario.released.height]), 1)
    return encoded.texts, counts[np.where(rows >= 0, labels[rows], -1)]


def _classes_of_records(scenario: AttackScenario, named: Sequence[str]) -> tuple[Codes, Ints]:
    """Return the class of each released record by its cells in some columns, and the sizes."""
    names = [name for name in named if name in scenario.released.columns]
    cells = np.stack([encode(scenario.released[name], "").codes for name in names], axis=1)
    labels, _, sizes = group_rows(np.ascontiguousarray(cells))
    return labels, sizes


@final
@dataclass(frozen=True, slots=True)
class Boxes:
    """The classes of equal cells of a release, and whom they cover.

    Parameters
    ----------
    people, boxes : (n_pairs,), each person of the register with each class that covers it
    cells : per class, its cells
    values : per cells of a class, the records of each sensitive value
    """

    people: Ints
    boxes: Ints
    cells: list[tuple[str, ...]]
    values: Mapping[tuple[str, ...], Mapping[str, int]]


def boxes_of_people(scenario: AttackScenario, column: str) -> Boxes:
    """Return the classes of a release, and the people of the register whom they cover."""
    names = scenario.covered(REGISTER)
    found = match(scenario.columns(names), REGISTER)
    rows = list(zip(*(scenario.released[name].to_list() for name in names), strict=True))
    cells: list[tuple[str, ...]] = [()] * len(found.sizes)
    values: dict[tuple[str, ...], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    texts = scenario.released[column].to_list()
    for box, row, value in zip(found.box_of_record.tolist(), rows, texts, strict=True):
        cells[box] = row
        values[row][value] += 1
    return Boxes(found.owners, found.boxes.astype(np.int64), cells, values)


def _of_records(scenario: AttackScenario, table: SensitiveColumn, values: Ints) -> Candidates:
    """Make classes of the records with equal cells."""
    labels, sizes = _classes_of_records(scenario, scenario.spec.class_names)
    counts = count_values(
        labels, values.astype(np.int32), np.ones_like(values), len(sizes), table.n_values
    )
    classes = EquivalenceClasses(sizes, {table.name: counts}, {table.name: table})
    # Of the people of a class, those can be attacked who have a value.
    known = counts.below(table.n_values - table.has_missing)
    targets = np.bincount(known.owners, known.counts, len(sizes)).astype(np.int64)
    return Candidates(classes, targets, np.full(len(sizes), -1, np.int64))


def _of_people(
    found: Matches, table: SensitiveColumn, values: np.ndarray[tuple[int], np.dtype[np.int32]]
) -> EquivalenceClasses:
    """Make a class of the candidates of each person."""
    n_people = len(found.begins) - 1
    in_box = count_values(
        found.box_of_record, values, np.ones(len(values), np.int64), len(found.sizes),
        table.n_values,
    )  # fmt: skip
    lengths = np.diff(in_box.starts)[found.boxes]
    pairs, places = expanded(in_box.starts[found.boxes], lengths)
    counts = count_values(
        found.owners[pairs].astype(np.int32),
        in_box.values[places],
        in_box.counts[places],
        n_people,
        table.n_values,
    )
    return EquivalenceClasses(found.records, {table.name: counts}, {table.name: table})


def _encoded(scenario: AttackScenario, name: str) -> tuple[EncodedColumn, SensitiveColumn]:
    """Encode a sensitive column over the release and the original, if it is at hand."""
    parts = [scenario.released[name]]
    if scenario.has(ORIGINAL) and name in scenario.people[ORIGINAL].columns:
        parts.append(scenario.people[ORIGINAL][name])
    unwritten = missing_text(scenario.spec.columns[name])
    together, _ = encode_together(parts, scenario.spec.data.missing, unwritten)
    encoded = counted_alike(together, scenario.spec.data.missing)
    encoded = with_missing_text(encoded, scenario.spec.columns[name])
    reference = encoded.codes[-len(parts[-1]) :]
    column = scenario.spec.columns.get(name)
    has_hierarchy = column is not None and column.hierarchy is not None
    return encoded, SensitiveColumn(
        name,
        encoded.texts,
        None,
        np.bincount(reference, minlength=len(encoded.texts)),
        hierarchy_of(scenario.spec.columns[name], encoded) if has_hierarchy else None,
        has_missing=bool(encoded.is_missing.any()),
    )


def _own_values(scenario: AttackScenario, name: str, people: str, encoded: EncodedColumn) -> Ints:
    """Return the code of each person's own value; -1 where the release has no such value."""
    code_of = {text: code for code, text in enumerate(counted_texts(encoded.texts))}
    texts, codes = coded_texts(scenario.people[people][name])
    return np.array([code_of.get(text, -1) for text in counted_texts(texts)], np.int64)[codes]
