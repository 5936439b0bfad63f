"""Mondrian against its definition, written once more as a plain recursion over records."""

from __future__ import annotations

import csv
import dataclasses
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.hierarchy import GeneralizationHierarchy, from_levels
from indistinct.base.hierarchy_builders import flat, from_rows
from indistinct.errors import NoSolutionError
from indistinct.tables.core.classes import EquivalenceClasses, count_values
from indistinct.tables.core.frequencies import FrequencyTable, SensitiveColumn
from indistinct.tables.core.protocols import Deadline, Problem, no_progress
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.metrics import AverageClassSize, CertaintyPenalty, Discernibility, Loss
from indistinct.tables.models import (
    DeltaDisclosure,
    DistinctLDiversity,
    KAnonymity,
    NTCloseness,
    TCloseness,
)
from indistinct.tables.search.cuts.mondrian import Mondrian
from indistinct.tables.search.cuts.partitioning import NO_PARENT, Partitioning
from indistinct.tables.search.finish import solve
from shared import examples

ROOT = Path(__file__).resolve().parents[5]
SHARED = ROOT.parent / "shared"
POINTS = [(21, 60), (23, 75), (25, 62), (28, 80), (31, 58), (34, 90), (36, 85), (39, 70)]
SECRETS = ("a", "b", "c")


@dataclass(frozen=True)
class Column:
    """A column as a user gives it: numbers, None being the missing one, or labels per value."""

    numbers: tuple[float | None, ...] | None = None
    paths: tuple[tuple[str, ...], ...] = ()  # per value, its labels, finest first
    min_level: int = 0
    max_level: int = 0
    weight: float = 1.0

    def hierarchy(self) -> GeneralizationHierarchy:
        if self.numbers is None:
            return from_rows(self.paths)
        return flat(["missing" if n is None else str(n) for n in self.numbers])


@dataclass(frozen=True)
class Task:
    """A table of records: per record a value number per column, and the sensitive value."""

    columns: tuple[Column, ...]
    records: tuple[tuple[int, ...], ...]
    secrets: tuple[int, ...]
    models: tuple
    max_suppression: float = 0.0


def problem_of(task: Task, order=None) -> Problem:
    """Count the records; ``order`` shuffles the distinct tuples."""
    counts = Counter(zip(task.records, task.secrets, strict=True))
    tuples = list(counts)
    if order is not None:
        tuples = [tuples[i] for i in sorted(range(len(tuples)), key=lambda i: order[i])]
    used = [sorted({record[j] for record in task.records}) for j in range(len(task.columns))]
    codes = [[used[j].index(v) for j, v in enumerate(record)] for record, _ in tuples]
    hierarchies = tuple(
        column.hierarchy().restricted([column.hierarchy().values[v] for v in used[j]])
        for j, column in enumerate(task.columns)
    )
    secret = SensitiveColumn(
        "secret", SECRETS, None, np.bincount(task.secrets, minlength=len(SECRETS))
    )
    numbers = tuple(
        None
        if column.numbers is None
        else np.array(
            [math.nan if column.numbers[v] is None else column.numbers[v] for v in used[j]]
        )
        for j, column in enumerate(task.columns)
    )
    table = FrequencyTable(
        tuple(f"column{j}" for j in range(len(task.columns))),
        np.array(codes, np.int32).reshape(len(tuples), len(task.columns)),
        np.array([counts[t] for t in tuples], np.int64),
        {"secret": secret},
        {"secret": np.array([s for _, s in tuples], np.int32)},
    )
    weights = tuple(column.weight for column in task.columns)
    return Problem(
        table,
        hierarchies,
        numbers,
        tuple(column.min_level for column in task.columns),
        tuple(column.max_level if column.numbers is None else 1 for column in task.columns),
        task.models,
        Loss(weights),
        task.max_suppression,
        weights,
    )


def search(problem: Problem, *, relaxed: bool = False) -> Recoding:
    return solve(Mondrian(relaxed), problem, Deadline(), no_progress).recoding


def released_classes(task: Task, problem: Problem, recoding: Recoding) -> list:
    """Give per class its labels, whether it is released, and its records by their texts."""
    members = [Counter() for _ in range(recoding.n_classes)]
    for item, label, weight in zip(recoding.tuples, recoding.labels, recoding.weights, strict=True):
        texts = tuple(
            hierarchy.values[problem.table.codes[item, j]]
            for j, hierarchy in enumerate(problem.hierarchies)
        )
        members[label][texts, problem.table.sensitive_codes["secret"][item]] += int(weight)
    return sorted(
        (
            tuple(d.labels[cell] for d, cell in zip(recoding.domains, cells, strict=True)),
            bool(released),
            sorted(found.items()),
        )
        for cells, released, found in zip(recoding.cells, recoding.released, members, strict=True)
    )


class Plain:
    """The definition, over a list of (record, secret)."""

    def __init__(self, task: Task, *, relaxed: bool) -> None:
        self.task, self.relaxed = task, relaxed
        self.least = max(model.least_size for model in task.models)
        self.everyone = list(zip(task.records, task.secrets, strict=True))

    def classes(self) -> list | None:
        groups: dict = {}
        for record in sorted(self.everyone, key=self.place):
            groups.setdefault(self.forced(record), []).append(record)
        kept = [g for g in groups.values() if self.holds(g)]
        hidden = [g for g in groups.values() if not self.holds(g)]
        if sum(map(len, hidden)) > math.floor(
            self.task.max_suppression * len(self.everyone) + 1e-9
        ):
            return None
        leaves = [(leaf, True) for group in kept for leaf in self.cut(group)]
        merged: dict = {}
        for leaf, released in leaves + [(group, False) for group in hidden]:
            merged.setdefault((self.cells(leaf), released), Counter()).update(
                (self.texts(record), secret) for record, secret in leaf
            )
        assert self.relaxed or len(merged) == len(leaves) + len(hidden)
        return sorted((*key, sorted(found.items())) for key, found in merged.items())

    def place(self, one):
        """An order by value alone: down the hierarchy, by number, the missing value last."""
        record, secret = one
        return (*(self.rank(record, j) for j in range(len(record))), secret)

    def rank(self, record, j):
        """Labels come in the order in which they first appear in the hierarchy."""
        column = self.task.columns[j]
        if column.numbers is not None:
            number = column.numbers[record[j]]
            return (number is None, number or 0.0)
        return tuple(
            list(dict.fromkeys(path[level] for path in column.paths)).index(label)
            for level, label in reversed(list(enumerate(column.paths[record[j]])))
        )

    def forced(self, one):
        """The labels at the highest level allowed."""
        return tuple(
            None if column.numbers is not None else column.paths[v][column.max_level]
            for v, column in zip(one[0], self.task.columns, strict=True)
        )

    def holds(self, records, above=()) -> bool:
        secrets = [secret for _, secret in records]
        return all(
            any(
                self.distance(secrets, [secret for _, secret in superset]) <= model.t + 1e-12
                for superset in (records, *above, self.everyone)
                if len(superset) >= model.n
            )
            if isinstance(model, NTCloseness)
            else self.satisfies(model, secrets)
            for model in self.task.models
        )

    def satisfies(self, model, secrets) -> bool:
        if isinstance(model, KAnonymity):
            return len(secrets) >= model.k
        if isinstance(model, DistinctLDiversity):
            return len(set(secrets)) >= model.l
        return self.distance(secrets, self.task.secrets) <= model.t + 1e-12

    def distance(self, some, others) -> float:
        gaps = [
            abs(some.count(s) / len(some) - others.count(s) / len(others))
            for s in range(len(SECRETS))
        ]
        return sum(gaps) / 2

    def cut(self, records, above=(), *, is_box=True) -> list:
        """Cut records; ``above`` are the supersets, ``is_box`` tells whether these are one."""
        above = (*above, records) if is_box else above
        spans = [self.span(records, j) * c.weight for j, c in enumerate(self.task.columns)]
        for j in sorted(range(len(spans)), key=lambda j: -spans[j]):
            parts = self.parts(records, j)
            if len(parts) > 1 and all(len(p) >= self.least and self.holds(p, above) for p in parts):
                boxes = [is_box and self.is_apart(p, parts, j) for p in parts]
                return [
                    leaf
                    for part, box in zip(parts, boxes, strict=True)
                    for leaf in self.cut(part, above, is_box=box)
                ]
        return [records]

    def is_apart(self, part, parts, j) -> bool:
        """No record of another part lies in the cell that this one has in the column."""
        others = [record for other in parts if other is not part for record in other]
        return not any(self.covers(part, j, record[j]) for record, _ in others)

    def covers(self, records, j, value) -> bool:
        column = self.task.columns[j]
        if column.numbers is None:
            level = max(self.level(records, j), column.min_level)
            return column.paths[value][level] == column.paths[records[0][0][j]][level]
        known, number = self.known(records, j), column.numbers[value]
        if len(known) < len(records):
            return bool(known) or number is None
        return number is not None and min(known) <= number <= max(known)

    def level(self, records, j) -> int:
        """The lowest level with a common label."""
        column = self.task.columns[j]
        return next(
            level
            for level in range(len(column.paths[0]))
            if len({column.paths[r[j]][level] for r, _ in records}) == 1
        )

    def known(self, records, j):
        return [n for r, _ in records if (n := self.task.columns[j].numbers[r[j]]) is not None]

    def span(self, records, j) -> float:
        column = self.task.columns[j]
        if column.numbers is None:
            level = self.level(records, j)
            label = column.paths[records[0][0][j]][level]
            return sum(path[level] == label for path in column.paths) / len(column.paths)
        known, everything = self.known(records, j), self.known(self.everyone, j)
        if len(known) < len(records):
            return 1.0 if known else 0.0
        width = max(everything) - min(everything)
        return (max(known) - min(known)) / width if width else 0.0

    def parts(self, records, j) -> list:
        column = self.task.columns[j]
        if column.numbers is None:
            level = self.level(records, j)
            if level <= column.min_level:
                return []
            return self.siblings(records, j, lambda r: column.paths[r[j]][level - 1])
        known = self.known(records, j)
        if len(known) < len(records):
            return self.siblings(records, j, lambda r: column.numbers[r[j]] is None)
        if min(known) == max(known):
            return []
        return self.halves(records, lambda r: column.numbers[r[j]])

    def siblings(self, records, j, label_of) -> list:
        children: dict = {}
        for record in sorted(records, key=lambda one: self.rank(one[0], j)):
            children.setdefault(label_of(record[0]), []).append(record)
        ordered = [sorted(child, key=self.place) for child in children.values()]
        large = [child for child in ordered if len(child) >= self.least]
        rest = [record for child in ordered if len(child) < self.least for record in child]
        if 0 < len(rest) < self.least and large:
            smallest = min(large, key=len)
            large.remove(smallest)
            rest = sorted(rest + smallest, key=self.place)
        return large + ([rest] if rest else [])

    def halves(self, records, number) -> list:
        ordered = sorted(number(r) for r, _ in records)
        median = ordered[(len(records) + 1) // 2 - 1]
        if self.relaxed:
            free = (len(records) + 1) // 2 - sum(n < median for n in ordered)
            tied = [one for one in records if number(one[0]) == median]
            left = [o for o in records if number(o[0]) < median] + tied[:free]
            right = [o for o in records if number(o[0]) > median] + tied[free:]
            return [sorted(left, key=self.place), sorted(right, key=self.place)]
        for belongs in (lambda n: n <= median, lambda n: n < median):
            left = [o for o in records if belongs(number(o[0]))]
            right = [o for o in records if not belongs(number(o[0]))]
            if min(len(left), len(right)) >= self.least:
                return [left, right]
        return []

    def texts(self, record) -> tuple:
        return tuple(
            column.hierarchy().values[v]
            for v, column in zip(record, self.task.columns, strict=True)
        )

    def cells(self, records) -> tuple:
        return tuple(self.cell(records, j) for j in range(len(self.task.columns)))

    def cell(self, records, j) -> str:
        column = self.task.columns[j]
        if column.numbers is None:
            level = max(self.level(records, j), column.min_level)
            return column.paths[records[0][0][j]][level]
        known = self.known(records, j)
        if len(known) < len(records):
            return "*" if known else "missing"
        low, high = min(known), max(known)
        return f"{low}" if low == high else f"[{low}, {high}]"


@st.composite
def number_columns(draw) -> Column:
    numbers = draw(st.lists(st.integers(-3, 12), min_size=1, max_size=7, unique=True))
    if draw(st.integers(0, 2)) == 0:
        numbers.insert(draw(st.integers(0, len(numbers))), None)
    return Column(numbers=tuple(numbers), weight=draw(st.sampled_from([1.0, 1.0, 0.5, 0.0])))


@st.composite
def label_columns(draw) -> Column:
    n_values = draw(st.integers(2, 8))
    middle = draw(st.lists(st.integers(0, 3), min_size=n_values, max_size=n_values))
    upper = draw(st.lists(st.integers(0, 1), min_size=4, max_size=4))
    paths = tuple((f"v{v}", f"m{m}", f"u{upper[m]}", "*") for v, m in enumerate(middle))
    min_level = draw(st.sampled_from([0, 0, 0, 1, 2]))
    max_level = draw(st.sampled_from([3, 3, 3, 3, 3, 2, 1]))
    return Column(
        paths=paths,
        min_level=min(min_level, max_level),
        max_level=max_level,
        weight=draw(st.sampled_from([1.0, 1.0, 0.5])),
    )


@st.composite
def tasks(draw) -> Task:
    columns = st.one_of(number_columns(), label_columns())
    chosen = tuple(draw(st.lists(columns, min_size=1, max_size=3)))
    sizes = [len(c.paths) if c.numbers is None else len(c.numbers) for c in chosen]
    record = st.tuples(*(st.integers(0, size - 1) for size in sizes))
    # Few distinct records of many: tuples that weigh more than one record can be torn.
    distinct = draw(st.lists(record, min_size=4, max_size=20))
    records = draw(st.lists(st.sampled_from(distinct), min_size=6, max_size=40))
    secret = st.integers(0, draw(st.integers(0, len(SECRETS) - 1)))
    models = [KAnonymity(draw(st.sampled_from([2, 2, 2, 3, 4])))]
    if draw(st.integers(1, 4)) == 4:
        models.append(DistinctLDiversity("secret", draw(st.integers(1, 2))))
    if draw(st.integers(1, 4)) == 4:
        models.append(TCloseness("secret", draw(st.sampled_from([0.1, 0.25, 0.5, 0.75]))))
    if draw(st.integers(1, 3)) == 3:
        t = draw(st.sampled_from([0.0, 0.1, 0.25]))
        models.append(NTCloseness("secret", draw(st.integers(1, len(records))), t))
    return Task(
        chosen,
        tuple(records),
        tuple(draw(st.lists(secret, min_size=len(records), max_size=len(records)))),
        tuple(models),
        draw(st.sampled_from([0.0, 0.2, 1.0, 1.0])),
    )


orders = st.randoms(use_true_random=False)


def points(k: int) -> Problem:
    columns = tuple(Column(numbers=tuple(sorted({p[j] for p in POINTS}))) for j in range(2))
    records = tuple(tuple(columns[j].numbers.index(p[j]) for j in range(2)) for p in POINTS)
    return problem_of(Task(columns, records, (0,) * len(POINTS), (KAnonymity(k),)))


def classes_of_points(recoding: Recoding) -> list:
    return sorted(
        sorted(POINTS[i] for i in recoding.tuples[recoding.labels == label])
        for label in range(recoding.n_classes)
    )


def test_eight_points_in_classes_of_two() -> None:
    """Worked example: four classes of two."""
    problem = points(2)
    recoding = search(problem)
    assert classes_of_points(recoding) == [
        [(21, 60), (25, 62)],
        [(23, 75), (28, 80)],
        [(31, 58), (39, 70)],
        [(34, 90), (36, 85)],
    ]
    assert CertaintyPenalty((1.0, 1.0)).evaluate(recoding) == pytest.approx(0.225694, abs=5e-7)
    assert Discernibility().evaluate(recoding) == 16
    assert AverageClassSize().evaluate(recoding) / 2 == 1


def test_eight_points_in_classes_of_three() -> None:
    """Worked example: only the first cut leaves three on both sides."""
    recoding = search(points(3))
    assert classes_of_points(recoding) == [POINTS[:4], POINTS[4:]]
    assert CertaintyPenalty((1.0, 1.0)).evaluate(recoding) == pytest.approx(0.614583, abs=5e-7)
    assert Discernibility().evaluate(recoding) == 32
    assert AverageClassSize().evaluate(recoding) / 3 == pytest.approx(1.333333, abs=5e-7)


def test_ranges_are_written_with_both_ends() -> None:
    """A range holds its ends, and costs its length."""
    recoding = search(points(3))
    ages = recoding.domains[0]
    assert ages.labels == ("[21, 28]", "[31, 39]")
    assert ages.losses.tolist() == [7 / 18, 8 / 18]
    assert ages.penalties.tolist() == ages.levels.tolist() == ages.losses.tolist()
    assert ages.counts.tolist() == [4, 4]
    assert ages.height == 1


def test_facts_count_the_partitions() -> None:
    """The manifest says how many partitions there are, and of which kind."""
    solution = solve(Mondrian(relaxed=True), points(2), Deadline(), no_progress)
    assert solution.facts == {"partitions": 4, "relaxed": True}


@examples(400)
@given(task=tasks(), shuffle=orders, relaxed=st.booleans())
def test_same_classes_as_the_plain_definition(task, shuffle, relaxed) -> None:
    """Whatever the columns, models, weights, levels and the order of tuples."""
    if relaxed:  # classes released alike are judged once more: that has a test of its own
        kept = tuple(model for model in task.models if not isinstance(model, NTCloseness))
        task = dataclasses.replace(task, models=kept)
    problem = problem_of(task, [shuffle.random() for _ in range(len(task.records))])
    expected = Plain(task, relaxed=relaxed).classes()
    if expected is None:
        with pytest.raises(NoSolutionError):
            search(problem, relaxed=relaxed)
        return
    assert released_classes(task, problem, search(problem, relaxed=relaxed)) == expected


@examples(60)
@given(task=tasks(), relaxed=st.booleans())
def test_every_class_satisfies_every_model(task, relaxed) -> None:
    """Counted once more from the items of the recoding, no record lost."""
    problem = problem_of(dataclasses.replace(task, max_suppression=1.0))
    recoding = search(problem, relaxed=relaxed)
    secrets = problem.table.sensitive_codes["secret"][recoding.tuples]
    counts = count_values(
        recoding.labels, secrets, recoding.weights, recoding.n_classes, len(SECRETS)
    )
    classes = EquivalenceClasses(
        recoding.sizes, {"secret": counts}, problem.table.sensitive, regions=recoding.regions
    )
    assert problem.holds(classes)[recoding.released].all()
    assert (recoding.weights > 0).all()
    written = np.bincount(recoding.tuples, recoding.weights, problem.table.n_tuples)
    assert written.tolist() == problem.table.weights.tolist()


@examples(60)
@given(task=tasks(), relaxed=st.booleans())
def test_every_cell_covers_its_values(task, relaxed) -> None:
    """A label stands above each value of its class, a range around each number."""
    problem = problem_of(dataclasses.replace(task, max_suppression=1.0))
    recoding = search(problem, relaxed=relaxed)
    for j, column in enumerate(task.columns):
        for item, label in zip(recoding.tuples, recoding.labels, strict=True):
            cell = recoding.domains[j].labels[recoding.cells[label, j]]
            code = problem.table.codes[item, j]
            if column.numbers is None:
                level = int(recoding.domains[j].levels[recoding.cells[label, j]])
                assert (
                    problem.hierarchies[j].labels[level][problem.hierarchies[j].codes[level, code]]
                    == cell
                )
                assert column.min_level <= level <= column.max_level
            elif cell != "*":
                number = problem.numbers[j][code]
                ends = cell.strip("[]").split(", ")
                assert (
                    cell == "missing"
                    if math.isnan(number)
                    else float(ends[0]) <= number <= float(ends[-1])
                )


@examples(60)
@given(
    numbers=st.lists(st.integers(0, 5), min_size=4, max_size=40).filter(
        lambda numbers: len(set(numbers)) > 1
    )
)
def test_a_relaxed_cut_makes_equal_halves(numbers) -> None:
    """Records with the median go to both sides, so that sizes differ by one at most."""
    k = max(2, (len(numbers) + 1) // 4 + 1)  # room for one cut only
    values = tuple(sorted(set(numbers)))
    task = Task(
        (Column(numbers=values),),
        tuple((values.index(n),) for n in numbers),
        (0,) * len(numbers),
        (KAnonymity(k),),
    )
    sizes = search(problem_of(task), relaxed=True).sizes.tolist()
    assert len(sizes) == (2 if len(numbers) >= 2 * k else 1)
    assert max(sizes) - min(sizes) <= 1


def test_relaxed_tears_a_tuple() -> None:
    """Ten records with one number on either side of the cut: strict cannot balance them."""
    column = Column(numbers=(1, 5, 9))
    task = Task((column,), ((0,), *[(1,)] * 6, (2,)), (0,) * 8, (KAnonymity(4),))
    assert search(problem_of(task)).sizes.tolist() == [8]
    recoding = search(problem_of(task), relaxed=True)
    assert recoding.sizes.tolist() == [4, 4]
    assert sorted(recoding.tuples.tolist()) == [0, 1, 1, 2]
    assert recoding.domains[0].labels == ("[1, 5]", "[5, 9]")


def test_both_sides_of_a_torn_tuple_are_judged() -> None:
    """Half of the records with the median on either side leave both like the whole table."""
    column = Column(numbers=(1, 5, 9))
    task = Task(
        (column,),
        ((0,), (0,), *[(1,)] * 4, (2,), (2,)),
        (1, 1, 0, 0, 0, 0, 1, 1),
        (KAnonymity(2), TCloseness("secret", 0.0)),
    )
    assert search(problem_of(task)).sizes.tolist() == [8]
    assert search(problem_of(task), relaxed=True).sizes.tolist() == [4, 4]


def test_small_siblings_stay_together() -> None:
    """Two labels with too few records keep their common label; the large one is released alone."""
    levels = [["a", "b", "c"], ["*", "*", "*"]]
    recoding = search(_labels(levels, [3, 2, 1], KAnonymity(3)))
    assert _released(recoding) == {"a": 3, "*": 3}


def test_the_smallest_sibling_joins_a_group_too_small() -> None:
    """One record cannot be a class; it takes the smallest label with it."""
    levels = [["a", "b", "c"], ["*", "*", "*"]]
    recoding = search(_labels(levels, [9, 5, 1], KAnonymity(3)))
    assert _released(recoding) == {"a": 9, "*": 6}


def test_the_next_column_when_a_model_forbids_the_widest() -> None:
    """A cut by the first column would give the secret away; the second does not."""
    numbers = Column(numbers=(0, 10))
    records = ((0, 0), (0, 0), (1, 0), (1, 0), (0, 1), (0, 1), (1, 1), (1, 1))
    secrets = (0, 0, 1, 1, 0, 0, 1, 1)
    task = Task((numbers, numbers), records, secrets, (DistinctLDiversity("secret", 2),))
    recoding = search(problem_of(task))
    assert recoding.domains[0].labels == ("[0, 10]",)
    assert recoding.domains[1].labels == ("0", "10")


def test_the_missing_value_is_cut_off_first() -> None:
    """Beside numbers it makes the cell ``*``, which costs everything."""
    column = Column(numbers=(1, 2, None))
    task = Task((column,), ((0,), (0,), (1,), (1,), (2,), (2,)), (0,) * 6, (KAnonymity(2),))
    recoding = search(problem_of(task))
    assert _released(recoding) == {"1": 2, "2": 2, "missing": 2}
    alone = search(
        problem_of(dataclasses.replace(task, records=task.records[:5], secrets=(0,) * 5))
    )
    assert _released(alone) == {"*": 5}
    assert alone.domains[0].losses.tolist() == [1.0]
    assert alone.domains[0].counts.tolist() == [5]


def test_weights_decide_which_column_is_cut() -> None:
    """Both columns are as wide; the heavier one is cut, without weights the first."""
    numbers = Column(numbers=(0, 10))
    heavy = dataclasses.replace(numbers, weight=2.0)
    records = ((0, 1), (0, 0), (1, 0), (1, 1))
    task = Task((numbers, numbers), records, (0,) * 4, (KAnonymity(2),))
    assert len(search(problem_of(task)).domains[0].labels) == 2
    weighted = search(problem_of(dataclasses.replace(task, columns=(numbers, heavy))))
    assert len(weighted.domains[1].labels) == 2


def test_no_solution_names_the_model() -> None:
    """Three records cannot be classes of four."""
    task = Task((Column(numbers=(1, 2, 3)),), ((0,), (1,), (2,)), (0,) * 3, (KAnonymity(4),))
    with pytest.raises(NoSolutionError, match=r"models\.k-anonymity.*k = 3"):
        search(problem_of(task))


def test_a_highest_level_that_suppresses_too_much() -> None:
    """The labels that max_level forces are suppressed where they fail, up to the limit."""
    column = Column(paths=(("a", "x", "*"), ("b", "y", "*")), max_level=1)
    task = Task((column,), ((0,), (0,), (0,), (1,)), (0,) * 4, (KAnonymity(2),))
    with pytest.raises(NoSolutionError, match="max_suppression"):
        search(problem_of(task))
    recoding = search(problem_of(dataclasses.replace(task, max_suppression=0.25)))
    assert recoding.n_suppressed == 1
    assert recoding.sizes[recoding.released].tolist() == [3]


def test_a_deadline_leaves_what_is_allowed() -> None:
    """Every state satisfies the models, so a search may stop at any time."""
    solution = solve(Mondrian(), points(2), Deadline(0.0), no_progress)
    assert solution.recoding.sizes.tolist() == [8]
    assert [d.labels for d in solution.recoding.domains] == [("[21, 39]",), ("[58, 90]",)]


def test_progress_ends_at_one() -> None:
    """Shares never fall, and the last says that all is done."""
    shares: list[float] = []
    solve(Mondrian(), points(2), Deadline(), lambda share, _: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_ancestors_lead_to_the_root() -> None:
    """Every partition of the tree knows the one that it was cut from, where a model asks."""
    asked = dataclasses.replace(points(2), models=(KAnonymity(2), NTCloseness("secret", 2, 0.5)))
    run = Partitioning.of(asked, relaxed=False)
    while run.n_partitions:
        run.cut()
    parents = [generation.parents.tolist() for generation in run.tree]
    assert parents == [[NO_PARENT], [0, 0], [0, 0, 1, 1]]
    assert [generation.parts.sizes.tolist() for generation in run.tree] == [[8], [4, 4], [2] * 4]
    assert all(generation.whole.all() for generation in run.tree)


@pytest.mark.parametrize(("labels", "sizes"), [(1, [6, 6, 40]), (4, [12, 40])])
def test_only_a_region_that_a_reader_sees_is_a_superset(labels, sizes) -> None:
    """Twelve records of one label may be halved; of four rare labels that became one part not.

    Both halves are like the twelve, and far from the table. Four labels keep the label of all, so
    that no cell of a release tells these twelve from the rest.
    """
    column = Column(paths=tuple((f"v{v}", "*") for v in range(labels + 1)), max_level=1)
    ages = Column(numbers=(20, 50), max_level=1, weight=0.5)
    rare = [(1 + i % labels, i // 6) for i in range(12)]
    task = Task(
        (column, ages),
        tuple([(0, 0)] * 40 + rare),
        tuple([0] * 40 + [0, 0, 0, 1, 1, 1] * 2),
        (KAnonymity(4), NTCloseness("secret", 12, 0.0)),
    )
    recoding = search(problem_of(task))
    assert sorted(recoding.sizes.tolist()) == sizes
    assert recoding.released.all()


def test_relaxed_classes_released_alike_are_judged_once_more() -> None:
    """Each holds |ln(p / q)| < 0.7, all six records of number 5 together do not."""
    values = [0] * 2 + [1] * 7 + [2] * 7
    secrets = [0] * 2 + [0, 0, 0, 0, 1, 1, 1] + [0, 0, 1, 1, 1, 1, 1]
    task = Task(
        (Column(numbers=(1, 5, 9)),),
        tuple((value,) for value in values),
        tuple(secrets),
        (KAnonymity(2), DeltaDisclosure("secret", 0.7, absent="ignore")),
    )
    with pytest.raises(NoSolutionError, match=r"relaxed = true need 6 of 16 records"):
        search(problem_of(task), relaxed=True)
    generous = problem_of(dataclasses.replace(task, max_suppression=0.5))
    recoding = search(generous, relaxed=True)
    assert recoding.sizes[~recoding.released].tolist() == [6]
    assert search(problem_of(task)).released.all()


@pytest.mark.parametrize("relaxed", [False, True])
def test_small_partitions_of_wide_columns(relaxed) -> None:
    """Values that lie far apart in a small partition are cut as the definition says."""
    source = np.random.default_rng(5)
    drawn = source.integers(0, 2000, size=(300, 2))
    columns = tuple(Column(numbers=tuple(sorted(set(drawn[:, j].tolist())))) for j in range(2))
    records = tuple(
        tuple(columns[j].numbers.index(value) for j, value in enumerate(row))
        for row in drawn.tolist()
    )
    secrets = tuple(source.integers(0, 2, size=300).tolist())
    task = Task(columns, records, secrets, (KAnonymity(2), DistinctLDiversity("secret", 2)))
    problem = problem_of(task)
    found = released_classes(task, problem, search(problem, relaxed=relaxed))
    assert found == Plain(task, relaxed=relaxed).classes()
    assert len(found) > 20


@examples(60)
@given(task=tasks(), shuffle=orders, relaxed=st.booleans())
def test_the_order_of_tuples_does_not_matter(task, shuffle, relaxed) -> None:
    """The classes, as multisets of values, are a function of the records alone."""
    task = dataclasses.replace(task, max_suppression=1.0)
    first = problem_of(task)
    second = problem_of(task, [shuffle.random() for _ in range(len(task.records))])
    assert released_classes(task, first, search(first, relaxed=relaxed)) == released_classes(
        task, second, search(second, relaxed=relaxed)
    )


def test_adult_loses_less_than_half_of_the_domain_of_a_cell() -> None:
    """On real data: no class below k, and a loss far below that of whole-column recoding."""
    folder = SHARED / "data" / "adult"
    if not folder.exists():
        pytest.skip("needs the Adult data")
    names, problem = _adult(folder, 5)
    recoding = search(problem)
    assert recoding.sizes.min() >= 5
    assert recoding.n_suppressed == 0
    assert len(names) == recoding.cells.shape[1]
    assert Loss((1.0,) * len(names)).evaluate(recoding) < 0.139


def _adult(folder: Path, k: int) -> tuple[list[str], Problem]:
    with (folder / "adult.csv").open(encoding="utf-8") as file:
        names, *rows = csv.reader(file, delimiter=";")
    counts = Counter(map(tuple, rows))
    hierarchies = []
    for name in names:
        with (folder / f"adult_hierarchy_{name}.csv").open(encoding="utf-8") as file:
            hierarchies.append(from_rows(list(csv.reader(file, delimiter=";"))))
    used = [sorted({row[j] for row in counts}) for j in range(len(names))]
    places = [{value: code for code, value in enumerate(values)} for values in used]
    codes = np.array([[places[j][v] for j, v in enumerate(row)] for row in counts], np.int32)
    restricted = tuple(h.restricted(values) for h, values in zip(hierarchies, used, strict=True))
    n_columns = len(names)
    return names, Problem(
        FrequencyTable(tuple(names), codes, np.array(list(counts.values()), np.int64)),
        restricted,
        (None,) * n_columns,
        (0,) * n_columns,
        tuple(h.height for h in restricted),
        (KAnonymity(k),),
        Loss((1.0,) * n_columns),
        0.0,
        (1.0,) * n_columns,
    )


def _labels(levels, weights, model) -> Problem:
    hierarchy = from_levels(levels)
    table = FrequencyTable(
        ("a",), np.arange(len(weights), dtype=np.int32)[:, None], np.array(weights, np.int64)
    )
    return Problem(
        table,
        (hierarchy,),
        (None,),
        (0,),
        (hierarchy.height,),
        (model,),
        Loss((1.0,)),
        0.0,
        (1.0,),
    )


def _released(recoding: Recoding) -> dict[str, int]:
    return {
        recoding.domains[0].labels[cell]: int(size)
        for cell, size in zip(recoding.cells[:, 0], recoding.sizes, strict=True)
    }
