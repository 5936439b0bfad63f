"""Singling out: what fits one record for certain, and one person."""

from math import comb

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy.integrate import quad

import indistinct as ind
from indistinct.tables.evaluation.attacks.scenario import AttackContext, AttackScenario
from indistinct.tables.evaluation.attacks.singling_out import (
    _described,
    _ground,
    size_correction,
    weight_integral,
)
from indistinct.tables.evaluation.attacks.singling_out_kernels import Predicates
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.searching import searched

COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
    "town": {"role": "quasi-identifier"},
    "height": {"role": "insensitive"},
}
POLICY = ind.Policy(columns=COLUMNS, models=[ind.KAnonymity(k=2)])


def attacked(released, original, kind="univariate", **words):
    return ind.attack(
        released, POLICY, attack=f"singling-out-{kind}", original=original, seed=1, **words
    ).answer


def test_a_rare_cell_and_the_extremes_single_people_out():
    """Town C; 20 and 40, 150 and 200: as values of their own, and as the extremes."""
    frame = pl.DataFrame(
        {
            "age": [20, 30, 30, 40],
            "town": ["A", "A", "A", "C"],
            "height": [150, 170, 170, 200],
        }
    )
    outcome = attacked(frame, frame)
    assert (outcome.found.attempts, outcome.found.successes) == (9, 9)


def test_a_generalized_cell_singles_out_whom_it_covers_alone():
    """[40, 50) is one record's, but two people are in their forties; town C is one person's."""
    original = pl.DataFrame(
        {"age": [21, 22, 41, 42], "town": ["A", "A", "C", "B"], "height": [1, 1, 1, 1]}
    )
    released = pl.DataFrame(
        {
            "age": ["[20, 30)", "[20, 30)", "[40, 50)", "*"],
            "town": ["A", "A", "C", "*"],
            "height": ["1", "1", "1", "1"],
        }
    )
    outcome = attacked(released, original)
    # The cell * is one record's too, but all records are in it.
    assert (outcome.found.attempts, outcome.found.successes) == (2, 1)


def test_a_release_of_like_records_allows_no_attempt():
    original = pl.DataFrame({"age": [21, 25, 27, 22], "town": list("AAAA"), "height": [1] * 4})
    released = original.with_columns(pl.lit("[20, 30)").alias("age"))
    for kind in ("univariate", "multivariate"):
        outcome = attacked(released, original, kind)
        assert outcome.found.attempts == 0
        assert "nothing to attempt" in outcome.document()["warnings"][0]


def test_people_who_are_not_in_the_release_are_singled_out_less():
    """On a raw table every attempt succeeds, on other people of the population few."""
    frame = ind.sample("patients", rows=400, seed=1)
    other = ind.sample("patients", rows=400, seed=2)
    policy = ind.Policy.from_keywords(
        identifiers=["name"],
        quasi_identifiers=["birth_date", "sex", "postcode", "height_cm", "weight_kg"],
        sensitive=["diagnosis"], insensitive=["occupation", "insurance", "admission_date"], k=2,
    )  # fmt: skip
    outcome = ind.attack(
        frame, policy, attack="singling-out-multivariate", original=frame, control=other,
        attempts=300, seed=1,
    ).answer  # fmt: skip
    assert outcome.found.attempts == 300
    assert outcome.found.rate == 1.0
    assert outcome.control.rate < 0.7
    assert outcome.baseline.rate < outcome.found.rate


def number_in(cell, values):
    """Read a cell that is one number, or that only one number of all people can be."""
    if cell.isdigit():
        return float(cell)
    return values.pop() if len(values) == 1 else float("nan")


def holds(ground, predicates, index, row, table):
    """Return whether a predicate describes a person or, where no table is named, a record."""
    for place in range(predicates.columns.shape[1]):
        column = ground.columns[predicates.columns[index, place]]
        kind, bound = predicates.kinds[index, place], predicates.bounds[index, place]
        cell = predicates.cells[index, place]

        def under(cell, column=column):
            runs = slice(column.cover.starts[cell], column.cover.starts[cell + 1])
            pairs = zip(column.cover.lows[runs], column.cover.highs[runs], strict=True)
            return {value for low, high in pairs for value in range(low, high)}

        if table is None:
            own = column.cells[row]
            values = {column.numbers[code] for code in under(own)} if kind else set()
            number = number_in(column.book.texts[own], values) if kind else None
            inside = own == cell or (bool(under(own)) and under(own) <= under(cell))
        else:
            code = column.people[table][row]
            number = column.numbers[code] if kind else None
            inside = code in under(cell)
        if not ((number >= bound) if kind == 1 else (number <= bound) if kind == 2 else inside):
            return False
    return True


@settings(max_examples=30)
@given(st.data())
def test_counts_are_those_of_a_plain_look_at_everybody(data):
    """Records by containment of cells, people by cover; numbers by their bounds."""
    ages = st.sampled_from(["21", "25", "[20, 30)", "[30, 40)", "[20, 40)", "*"])
    size = data.draw(st.integers(2, 8))
    draw = lambda cells: data.draw(st.lists(cells, min_size=size, max_size=size))  # noqa: E731
    released = pl.DataFrame(
        {
            "age": draw(ages),
            "town": draw(st.sampled_from(["A", "B", "*"])),
            "height": draw(st.integers(150, 155).map(str)),
        }
    )
    original = pl.DataFrame(
        {
            "age": draw(st.integers(20, 39)),
            "town": draw(st.sampled_from("AB")),
            "height": draw(st.integers(149, 156)),
        }
    )
    chance = np.random.default_rng(data.draw(st.integers(0, 99)))
    scenario = AttackScenario(
        resolve(POLICY), released, {"original": original}, AttackContext(), chance, searched
    )
    ground = _ground(scenario)
    predicates = _described(ground, chance, 12, 2)
    for table, counted in (
        (None, ground.records(predicates, 10**9)),
        ("original", ground.people(predicates, "original", 10**9)),
    ):
        expected = [
            sum(holds(ground, predicates, index, row, table) for row in range(size))
            for index in range(12)
        ]
        assert counted.tolist() == expected


def test_repeated_predicates_count_once():
    ones = np.ones((3, 1), np.int32)
    predicates = Predicates(ones, ones, ones, np.array([[1.0], [2.0], [1.0]]))
    assert predicates.without_repeats().number == 2


@given(st.integers(1, 500), st.floats(0, 1), st.floats(0, 1))
def test_the_integral_of_the_weights(size, first, second):
    """Closed form against quadrature."""
    low, high = sorted((first, second))
    expected, _ = quad(
        lambda w: size * w * (1 - w) ** (size - 1), low, high, limit=200,
        points=[p for p in (1 / size,) if low < p < high] or None,
    )  # fmt: skip
    found = weight_integral(np.array([float(size)]), low, high)[0]
    assert found == pytest.approx(expected, abs=1e-7)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=10), st.integers(1, 11))
def test_a_smaller_original_is_drawn_from_the_control_group(counts, n_drawn):
    """Exactly one of c fitting people among those drawn: hypergeometric."""
    factor = size_correction(np.array(counts), 12, n_drawn)
    singled = sum(count == 1 for count in counts)
    drawn = sum(
        count * comb(12 - count, n_drawn - 1) / comb(12, n_drawn) for count in counts if count
    )
    assert factor == pytest.approx(drawn / singled if singled else 1.0)


def test_a_larger_original_is_extrapolated():
    """Predicates of weights spread up to 2/1000: from 1,000 people to 2,000, within a tenth."""
    chance = np.random.default_rng(3)
    weights = chance.uniform(0, 0.002, 20_000)
    factor = size_correction(chance.binomial(1000, weights), 1000, 2000)
    expected = np.array([(n * weights * (1 - weights) ** (n - 1)).mean() for n in (2000, 1000)])
    assert factor == pytest.approx(expected[0] / expected[1], rel=0.1)
    assert size_correction(np.array([1, 1]), 50, 50) == 1.0
