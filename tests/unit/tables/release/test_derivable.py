"""Cells that follow by arithmetic: against a plain program, and against chance."""

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


N = 400


def made_columns(kind):
    """Return a quasi-identifier and what tells it, with the words of its hierarchy, by a kind."""
    draws = np.random.default_rng(7)
    born, n = draws.integers(1940, 1990, N), draws.integers(1, 9, N)
    day = np.datetime64("2018-01-01") + draws.integers(0, 700, N)
    tens, decades_of = {"intervals": [10]}, {"dates": ["decade"]}
    price, stay = draws.integers(5, 90, N), draws.integers(0, 60, N)
    return {
        "year of retirement": (born, decades_of, {"year": born + 67}),
        "age, and nobody says when": (born, decades_of, {"age": 2024 - born}),
        "birth, and nobody says when": (2024 - born, tens, {"birth": born}),
        "age in months": (2024 - born, tens, {"m": (2024 - born) * 12 + draws.integers(0, 12, N)}),
        "age in days": (
            2024 - born,
            tens,
            {"d": (2024 - born) * 365.25 + draws.integers(0, 365, N)},
        ),
        "ratio": (price, tens, {"total": price * n, "n": n}),
        "share": (np.round(100 * price / (n + 90)), tens, {"cases": price, "all": n + 90}),
        "product": (price * n, {"intervals": [50]}, {"price": price, "n": n}),
        "days of a stay": (day + stay, {"dates": ["year"]}, {"day": day, "stay": stay}),
        "weeks": (day, {"dates": ["year"]}, {"end": day + 7 * n, "weeks": n}),
        "quarter": (day, {"dates": ["year"]}, {"quarter": [quarter(one) for one in day]}),
        "month": (day, {"dates": ["year"]}, {"month": [str(one)[:7] for one in day]}),
    }[kind]


def quarter(day):
    year, month = str(day)[:7].split("-")
    return f"{year}-Q{(int(month) + 2) // 3}"


@pytest.mark.parametrize(
    ("kind", "unit"),
    [
        *((kind, "number") for kind in ("birth, and nobody says when", "age in months", "ratio")),
        *((kind, "number") for kind in ("age in days", "share", "product")),
        *((kind, "year") for kind in ("year of retirement", "age, and nobody says when")),
        *((kind, "day") for kind in ("days of a stay", "weeks")),
        *((kind, "period") for kind in ("quarter", "month")),
    ],
)
def test_cells_follow_by_arithmetic_and_verification_counts_them_again(kind, unit):
    """All released cells are coarser, so that each is read back as two values or one period."""
    values, hierarchy, others = made_columns(kind)
    columns = {"q": {"role": "quasi-identifier", "hierarchy": hierarchy, "min_level": 1}}
    columns |= {name: {"role": "insensitive"} for name in others}
    frame = pl.DataFrame({"q": values, **others})
    rules = ind.Policy.from_words(
        {
            "columns": columns,
            "models": [{"name": "k-anonymity", "k": 2}],
            "method": {"max_suppression": 0.1},
            "release": {"read_back": "accepted"},
        }
    )
    made = ind.anonymize(frame, rules, seed=0)  # verified, which counts by code of its own
    told = made.manifest["read_back"]
    assert told["cells"] >= 0.9 * made.frame.height
    true = np.array([str(one) for one in values[made.crosswalk.tolist()]])
    if unit != "period":  # by hand: a class of the two values is at most as large as both together
        step = {"year": 4, "number": None, "day": 10}[unit]
        sizes = Counter(text[:step] for text in true.tolist())
        assert told["k_after"] <= 2 * max(sizes.values())


def test_a_number_that_is_the_same_in_all_records_has_to_be_nearly_certain():
    """Two bands, a number per band, or few records leave it open by more than one."""
    draws = np.random.default_rng(9)
    born = draws.integers(1940, 1990, 400)
    age = 2024 - born
    for cells, told in (
        ([f"[{one // 50 * 50}, {one // 50 * 50 + 50})" for one in age], age),
        ([f"[{one // 10 * 10}, {one // 10 * 10 + 10})" for one in age], age // 10),
        (
            [f"[{one // 10 * 10}, {one // 10 * 10 + 10})" for one in age],
            age + draws.integers(-2, 3, 400),
        ),
        ([f"[{one // 10 * 10}, {one // 10 * 10 + 10})" for one in age[:25]], age[:25] * 3),
    ):
        found = read_back_of(
            pl.DataFrame({"age": cells, "other": 7 - 2 * told}),
            age={"role": "quasi-identifier", "hierarchy": {"intervals": [10]}, "min_level": 1},
            other={"role": "insensitive"},
        )
        assert not [one for one in found.warned if one.is_derived]


def test_what_follows_by_arithmetic_alone_is_refused_and_not_repaired():
    born, year, age = registry()
    frame = pl.DataFrame({"born": born, "year": year, "age": age})
    rules = {"columns": BIRTHS, "models": [{"name": "k-anonymity", "k": 12}]}
    accepted = ind.anonymize(frame, {**rules, "release": {"read_back": "accepted"}}, seed=0)
    assert accepted.manifest["read_back"]["below"] >= 0.01
    with pytest.raises(ind.NoSolutionError) as caught:
        ind.anonymize(frame, {**rules, "method": {"max_suppression": 0.2}}, seed=0)
    (fault,) = caught.value.faults
    assert fault.columns == ("year", "age")
    for way in ("without year", "with age rounded", "with min_level = 2 of born"):
        assert way in fault.remedy
