"""Exact aggregates are those of the definition, and one person moves them as declared, not more."""

from __future__ import annotations

import random
from itertools import accumulate

import pytest

from exact import any_question, any_rows, exact
from indistinct.database.aggregates import compile_question
from indistinct.database.answers import answer, make_plan, parts_of, quotients, tabulate
from indistinct.database.loading import load
from indistinct.database.question import Quantile
from indistinct.database.questions import read
from indistinct.database.session import open_engine
from indistinct.errors import ParameterError, QuestionError
from indistinct.mechanisms.accountant import billionths
from people import HEADER, declare, opened, person, redeclare
from shared import longer

QUESTIONS_PER_PAIR = 50


def counted(engine, question, dataset):
    """Return a question's exact aggregates per cell, as the engine counts them."""
    rows = engine.run(compile_question(question, dataset, engine.table, engine.mark))
    plan = make_plan(question, dataset, 1)
    if not isinstance(question.measure, Quantile):
        return [list(cell) for cell in zip(*tabulate(plan, rows), strict=True)]
    bounds = dataset.columns[question.measure.column].bounds
    step = -(-(bounds.high - bounds.low + 1) // 1024)
    size = len(range(bounds.low, bounds.high + 1, step))
    table = {cell: [0] * size for cell in plan.cells}
    for *cell, above, count in rows:
        if tuple(cell) in table:
            table[tuple(cell)][above // step] = count
    return list(table.values())


@pytest.mark.parametrize("rows_per_person", [1, 3])
def test_the_engine_counts_what_the_definition_says(tmp_path, rows_per_person):
    """Two hundred questions about odd rows, against plain loops."""
    chance = random.Random(7)
    rows = any_rows(chance, range(1, 200), rows_per_person)
    dataset = load(declare(tmp_path, rows, rows_per_person=rows_per_person))
    plain = [dict(zip(HEADER, map(str, row), strict=True)) for row in rows]
    engine = open_engine(dataset)
    for _ in range(200):
        text = any_question(chance)
        question = read(text, dataset)
        assert counted(engine, question, dataset) == exact(plain, question, dataset), text
    engine.close()


def pairs(number):
    """Make up neighbours: a table, and the same with one person more."""
    chance = random.Random(number)
    most = chance.choice((1, 1, 2, 4))
    declared = most if chance.random() < 0.7 else 1
    persons = list(range(1, chance.randint(2, 25)))
    rows = any_rows(chance, persons, most)
    more = any_rows(chance, [len(persons) + 1], most)
    place = chance.randint(0, len(rows))
    return chance, declared, rows, rows[:place] + more + rows[place:]


def check_pair(folder, number):
    """Ask both tables the same questions, and compare all that may be seen."""
    chance, declared, rows, more = pairs(number)
    sessions = []
    folder.mkdir(exist_ok=True)
    path = declare(folder, rows, rows_per_person=declared)
    for name, table in (("one", rows), ("other", more)):
        dataset = load(redeclare(path, folder / name, table))
        sessions.append((open_engine(dataset), dataset))
    for _ in range(QUESTIONS_PER_PAIR):
        text = any_question(chance)
        check_question(sessions, text)
    for engine, _ in sessions:
        engine.close()


def check_question(sessions, text):
    """One person moves no aggregate further than declared, and no shape at all."""
    seen, shapes = [], []
    for engine, dataset in sessions:
        question = read(text, dataset)
        seen.append(counted(engine, question, dataset))
        plan = make_plan(question, dataset, 1)
        rows = engine.run(compile_question(question, dataset, engine.table, engine.mark))
        estimates = answer(plan, rows)
        shapes.append([len(estimates.values), len(estimates.scales), len(estimates.intervals)])
        assert all(value == value for value in estimates.values)  # noqa: PLR0124 - NaN is not itself
    assert shapes[0] == shapes[1]
    question = read(text, sessions[0][1])
    parts = parts_of(question.measure, sessions[0][1], len(seen[0]))
    if isinstance(question.measure, Quantile):
        check_ranks(seen, question.measure, parts[0])
        return
    for position, part in enumerate(parts):
        moves = [abs(a[position] - b[position]) for a, b in zip(*seen, strict=True)]
        assert sum(moves) <= part.sensitivity, text
        assert sum(move**2 for move in moves) <= part.sensitivity_squared, text


def check_ranks(seen, measure, part):
    """No score moves further than declared, added over the cells."""
    numerator, denominator = measure.share.numerator, measure.share.denominator
    farthest = 0
    for one, other in zip(*seen, strict=True):
        scores = []
        for counts in (one, other):
            upto = list(accumulate(counts))
            scores.append([
                abs((denominator - numerator) * (so_far - count) - numerator * (upto[-1] - so_far))
                for count, so_far in zip(counts, upto, strict=True)
            ])  # fmt: skip
        farthest += max(abs(a - b) for a, b in zip(*scores, strict=True))
    assert farthest <= part.sensitivity


@pytest.mark.parametrize("number", longer(range(12), range(4)))
def test_one_person_moves_no_answer_further_than_declared(tmp_path, number):
    """50 triples of data, neighbour and question: same shape, no greater move."""
    check_pair(tmp_path, number)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_ten_thousand_triples(tmp_path, block):
    """500 triples a block."""
    for number in range(10):
        check_pair(tmp_path / str(number), 1000 + 10 * block + number)


@pytest.mark.parametrize(
    ("measure", "parts"),
    [
        ("COUNT(*)", [3]),
        ("COUNT(DISTINCT id)", [1]),
        ("SUM(age)", [300]),
        ("AVG(age)", [3, 150]),
        ("VARIANCE(age)", [3, 150, 7500]),
        ("MEDIAN(age)", [3]),
        ("QUANTILE(age, 0.9)", [27]),
    ],
)
def test_sensitivities_grow_with_the_rows_of_a_person(tmp_path, measure, parts):
    """Three rows a person, ages within 0 and 100."""
    dataset = load(declare(tmp_path, [person(1)], rows_per_person=3))
    question = read(f"SELECT {measure} FROM people", dataset)
    assert [part.sensitivity for part in parts_of(question.measure, dataset)] == parts


def test_distinct_persons_reach_as_many_cells_as_they_have_rows(tmp_path):
    """Three rows, two sexes: a person counts in two cells at most."""
    dataset = load(declare(tmp_path, [person(1)], rows_per_person=3))
    question = read("SELECT COUNT(DISTINCT id) FROM people GROUP BY sex", dataset)
    (part,) = parts_of(question.measure, dataset, 2)
    assert (part.sensitivity, part.sensitivity_squared) == (2, 2)


MEASURES = [
    "COUNT(*)",
    "COUNT(DISTINCT id)",
    "SUM(age)",
    "AVG(age)",
    "VARIANCE(age)",
    "MEDIAN(age)",
]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "0.333333333"])
def test_the_price_is_what_the_proofs_charge_and_no_more_than_asked(
    tmp_path, measure, accounting, epsilon
):
    """Parts share the budget to the last billionth."""
    delta = 1e-6 if accounting == "zcdp" else None
    dataset = load(declare(tmp_path, [person(1)], delta=delta))
    plan = make_plan(read(f"SELECT {measure} FROM people", dataset), dataset, epsilon)
    granted = dataset.budget.meaning().granted(billionths(epsilon))
    assert granted - 3 <= plan.price <= granted


def test_a_budget_too_small_for_its_parts_is_refused(tmp_path):
    """One billionth cannot be shared by three."""
    dataset = load(declare(tmp_path, [person(1)]))
    with pytest.raises(ParameterError, match="epsilon"):
        make_plan(read("SELECT VARIANCE(age) FROM people", dataset), dataset, "0.000000001")


def test_too_many_groups_are_refused(tmp_path):
    """The product of the keys is what counts, not the rows there are."""
    dataset = load(declare(tmp_path, [person(1)], values={"city": [str(n) for n in range(40_000)]}))
    question = read("SELECT COUNT(*) FROM people GROUP BY city, age_group", dataset)
    with pytest.raises(QuestionError, match="groups"):
        make_plan(question, dataset, 1)


def test_quotients_hold_every_corner():
    """A sum between -10 and 20 over a count between 0 and 4 lies between -10 and 20."""
    assert quotients((-10, 20), (0, 4)) == (-10, 20)
    assert quotients((10, 20), (2, 4)) == (2.5, 10)


@pytest.mark.parametrize("measure", MEASURES)
def test_intervals_hold_the_exact_answer(tmp_path, measure):
    """In 100 draws at most 17 miss (false alarm below 1e-5 at 95 %)."""
    with opened(tmp_path, [person(n) for n in range(400)], epsilon=10_000) as session:
        text = f"SELECT {measure} FROM people"
        truth = session.ask(text, epsilon=1000).answer
        replies = [session.ask(text, epsilon=1, fresh=True) for _ in range(100)]
    misses = sum(not reply.interval[0] <= truth <= reply.interval[1] for reply in replies)
    assert misses <= 17
