"""Cells that follow from sums and differences: against a plain program, and against chance."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.read_back_of_release import released_read_back


def read_back_of(frame, **columns):
    """Find what a release gives back."""
    spec = resolve(ind.Policy(columns=columns, models=[ind.KAnonymity(k=2)]))
    return released_read_back(frame, spec.class_rules, spec.set_names)


def registry(n=800, seed=3):
    """Draw years of diagnosis, ages at it, and years of birth."""
    draws = np.random.default_rng(seed)
    born = draws.integers(1940, 1990, n)
    year = draws.integers(2012, 2020, n)
    age = year - born - draws.integers(0, 2, n)
    return born, year, age


def decades(born):
    return [f"{one // 10}0s" for one in born]


BIRTHS = {
    "born": {"role": "quasi-identifier", "hierarchy": {"dates": ["decade"]}, "min_level": 1},
    "year": {"role": "insensitive"},
    "age": {"role": "insensitive"},
}


def test_a_year_and_an_age_tell_the_years_of_birth_under_decades():
    born, year, age = registry()
    frame = pl.DataFrame({"born": decades(born), "year": year, "age": age})
    found = read_back_of(frame, **BIRTHS)
    assert [one.columns for one in found.warned if one.is_derived] == [("year", "age")]
    assert found.together.cells == {"born": 800}
    # By hand: each record shows two neighboring years, and those with equal ones are a class.
    assert found.together.k_after == min(Counter(year - age).values())


def test_exact_cells_tell_the_difference_that_reads_the_others():
    """Forty records show their year; the others a decade or nothing. Births are in either year."""
    born, year, age = registry()
    cells = [str(one) for one in born[:40]] + decades(born[40:700]) + ["*"] * 100
    found = read_back_of(pl.DataFrame({"born": cells, "year": year, "age": age}), **BIRTHS)
    assert found.together.cells == {"born": 760}


def test_dates_count_in_days_and_in_years():
    """A date of diagnosis with an age tells decades of birth; with days of life, months."""
    born, year, age = registry()
    dates = [f"{one}-07-01" for one in year]
    by_year = read_back_of(
        pl.DataFrame({"born": decades(born), "year": dates, "age": age}), **BIRTHS
    )
    assert by_year.together.cells == {"born": 800}
    days = np.random.default_rng(1).integers(0, 7000, 800)
    birth = np.datetime64("1960-01-01") + days
    visit = birth + 9000
    frame = pl.DataFrame(
        {"born": [str(one)[:7] for one in birth], "year": visit, "age": np.full(800, 9000)}
    )
    frame = frame.with_columns(age=pl.Series(9000 + np.arange(800) % 3))
    frame = frame.with_columns(year=pl.Series(birth + 9000 + np.arange(800) % 3))
    by_day = read_back_of(
        frame,
        born={"role": "quasi-identifier", "hierarchy": {"dates": ["month"]}, "min_level": 1},
        year={"role": "insensitive"},
        age={"role": "insensitive"},
    )
    assert by_day.together.cells == {"born": 800}
    assert by_day.together.k_after == min(Counter(days.tolist()).values())


@pytest.mark.parametrize("form", ["[{0}, {1})", "[{0}, {2}]"])
def test_a_sum_tells_ranges_of_numbers(form):
    draws = np.random.default_rng(5)
    wage, bonus = draws.integers(10, 90, 300), draws.integers(0, 40, 300)
    low = (wage + bonus) // 20 * 20
    cells = [form.format(one, one + 20, one + 19) for one in low]
    found = read_back_of(
        pl.DataFrame({"income": cells, "wage": wage, "bonus": bonus}),
        income={"role": "quasi-identifier", "hierarchy": {"intervals": [20]}, "min_level": 1},
        wage={"role": "insensitive"},
        bonus={"role": "insensitive"},
    )
    assert found.together.cells == {"income": 300}


def test_columns_that_have_nothing_to_do_with_the_cells_are_not_believed():
    """Sixty tables of flags, ages and amounts; many cells hold nearly every sum by chance."""
    draws = np.random.default_rng(8)
    for number in range(60):
        n = int(draws.integers(40, 300))
        value = draws.integers(0, int(draws.integers(2, 80)), n)
        width = int(draws.choice([5, 10, 40]))
        cells = [f"[{one // width * width}, {one // width * width + width})" for one in value]
        if number % 2:
            cells = [
                str(v) if i % 2 else c for i, (v, c) in enumerate(zip(value, cells, strict=True))
            ]
        frame = pl.DataFrame(
            {
                "q": ["*" if draws.random() < 0.1 else cell for cell in cells],
                **{
                    f"c{i}": draws.integers(0, int(draws.choice([2, 3, 9, 60])), n)
                    for i in range(4)
                },
            }
        )
        rules = {f"c{i}": {"role": "insensitive"} for i in range(4)}
        q = {"role": "quasi-identifier", "hierarchy": {"intervals": [width]}}
        found = read_back_of(frame, q=q, **rules)
        assert not [one for one in found.warned if one.is_derived]
