"""One shift for all dates of a person: what it hides, and every way of doing it wrong."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import PolicyError
from indistinct.tables.core.date_hierarchies import DATE_LEVELS
from indistinct.tables.core.date_shifts import EPOCH, days_within, shift_problems
from indistinct.tables.frames.shifted_days import day_numbers
from indistinct.tables.masks import DateShiftProtection
from indistinct.tables.verification.periods import period_around

DAYS = 60
FIRST, LAST = dt.date(2015, 1, 1), dt.date(2020, 12, 31)


def visits(n_people: int = 60, seed: int = 1) -> pl.DataFrame:
    """Make up three visits of each person, some on the first and the last day."""
    chance = random.Random(seed)
    rows = [
        (
            f"p{number}",
            dt.date(1930 + number, 5, 1 + number % 28),
            chance.choice([FIRST, LAST, *(FIRST + dt.timedelta(n) for n in range(0, 2191, 7))]),
            chance.choice("fm"),
        )
        for number in range(n_people)
        for _ in range(3)
    ]
    return pl.DataFrame(rows, schema=["person", "birth", "day", "sex"], orient="row")


def policy(days: int = DAYS, **said: Any) -> ind.Policy:
    """Return a policy by which both dates are shifted."""
    shift = {"name": "date-shift", "days": days, **said}
    return ind.Policy.from_words(
        {
            "data": {"person": "person"},
            "columns": {
                "birth": {
                    "role": "quasi-identifier",
                    "hierarchy": {"dates": ["year", "decade"]},
                    "protect": {**shift, "edges": "keep"},
                },
                "day": {"role": "insensitive", "protect": shift},
                "sex": {"role": "quasi-identifier"},
            },
            "models": [{"name": "k-anonymity", "k": 2}],
            "method": {"max_suppression": 0.2},
        }
    )


def offsets(release: Any, frame: pl.DataFrame) -> dict[str, set[int]]:
    """Return by how many days the visits of each person were moved."""
    rows = pl.Series(release.crosswalk)
    moved = day_numbers(release.data["day"]) - day_numbers(frame["day"].gather(rows))
    found: dict[str, set[int]] = {}
    for person, days in zip(frame["person"].gather(rows), moved.tolist(), strict=True):
        found.setdefault(person, set()).add(int(days))
    return found


def test_all_dates_of_a_person_move_alike_and_those_of_people_differ() -> None:
    frame = visits()
    release = ind.anonymize(frame, policy())
    moved = offsets(release, frame)
    assert all(len(own) == 1 for own in moved.values())
    every = {next(iter(own)) for own in moved.values()}
    assert len(every) > 10  # of 121; of 40 people and more, with a chance below 1e-30
    assert max(map(abs, every)) <= DAYS


def test_no_row_is_left_at_the_edges() -> None:
    frame = visits()
    release = ind.anonymize(frame, policy())
    assert release.data["day"].min() >= frame["day"].min() + dt.timedelta(DAYS)  # type: ignore[operator]
    assert release.data["day"].max() <= frame["day"].max() - dt.timedelta(DAYS)  # type: ignore[operator]
    said = release.manifest["records"]
    assert said["suppressed"] == frame.height - release.data.height > 0


def test_verification_with_and_without_the_input(tmp_path: Any) -> None:
    frame = visits()
    release = ind.anonymize(frame, policy())
    release.write(tmp_path / "out.csv")
    alone = ind.verify(tmp_path / "out.csv", policy())
    assert alone.holds is not False
    assert "masks" in alone.not_checked
    rows = release.crosswalk.tolist()
    whole = ind.verify(tmp_path / "out.csv", policy(), original=frame, crosswalk=rows)
    assert whole.holds is True, whole.faults
    assert "masks" not in whole.not_checked


def judged(release: Any, frame: pl.DataFrame, data: pl.DataFrame) -> str:
    """Verify other cells beside the input; return what is wrong with the dates."""
    found = ind.verify(data, policy(), original=frame, crosswalk=release.crosswalk.tolist())
    return "; ".join(fault.problem for fault in found.faults)


def test_planted_faults_are_found() -> None:
    frame = visits()
    release = ind.anonymize(frame, policy(), seed=3)
    data, rows = release.data, pl.Series(release.crosswalk)
    first = pl.int_range(pl.len()) == 0
    per_row = data.with_columns(
        day=pl.when(first).then(pl.col("day").dt.offset_by("1d")).otherwise("day")
    )
    assert "1 people have dates that no shift" in judged(release, frame, per_row)
    unmoved = data.with_columns(
        day=frame["day"].gather(rows), birth=frame["birth"].gather(rows).dt.strftime("%Y")
    )
    assert "at its edges" in judged(release, frame, unmoved)
    edges = data.with_columns(day=pl.when(first).then(pl.lit(FIRST)).otherwise("day"))
    assert "has 1 cells at its edges" in judged(release, frame, edges)


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%Y-%m", "%Y"])
def test_one_shift_for_everybody_is_found(form: str) -> None:
    """Also in periods, if there are enough people: nobody moved, or all by 40 days."""
    chance = random.Random(5)
    days = [dt.date(2015, 1, 1) + dt.timedelta(chance.randrange(2000)) for _ in range(300)]
    for by in (0, 40):
        cells = [
            (f"p{n}", (day + dt.timedelta(by)).strftime(form), day.toordinal() - EPOCH)
            for n, day in enumerate(days)
        ]
        assert list(shift_problems(cells, 365, 1)) == ["one shift explains the dates of all people"]
    honest = [
        (
            f"p{n}",
            (day + dt.timedelta(chance.randint(-365, 365))).strftime(form),
            day.toordinal() - EPOCH,
        )
        for n, day in enumerate(days)
    ]
    assert not list(shift_problems(honest, 365, 1))
    assert list(shift_problems(honest, 20, 1)) != []


def test_a_key_repeats_the_shifts_and_without_one_they_are_new(tmp_path: Any) -> None:
    frame = visits()
    words = policy(key="shifts.key").words()
    keyed = ind.Policy.from_words(words, tmp_path)
    one, two = (offsets(ind.anonymize(frame, keyed), frame) for _ in range(2))
    both = one.keys() & two.keys()
    assert {name: one[name] for name in both} == {name: two[name] for name in both}
    assert (tmp_path / "shifts.key").stat().st_mode & 0o777 == 0o600
    assert "key" not in str(ind.anonymize(frame, keyed).manifest["policy"]["columns"]["day"])
    first, second = (offsets(ind.anonymize(frame, policy()), frame) for _ in range(2))
    shared = first.keys() & second.keys()
    assert [first[name] for name in shared] != [second[name] for name in shared]


def test_shifts_are_uniform_and_whole_weeks_where_asked() -> None:
    """Chi-square of 20,000 shifts of 21: 20 degrees, below 60 (seeded; else 1 in 100,000)."""
    people = [f"p{number}" for number in range(20_000)]
    drawn = DateShiftProtection(days=10).with_secret(bytes(32)).offsets(people)
    counts = np.bincount(drawn + 10, minlength=21)
    expected = len(people) / 21
    assert ((counts - expected) ** 2 / expected).sum() < 60
    weeks = DateShiftProtection(days=20, weekday=True).with_secret(bytes(32)).offsets(people)
    assert {*weeks.tolist()} == {-14, -7, 0, 7, 14}


@pytest.mark.parametrize("step", ["day", "week", *DATE_LEVELS[3:]])
def test_the_days_of_a_period_are_those_that_are_written_so(step: str) -> None:
    chance = random.Random(step)
    for _ in range(200):
        day = dt.date.fromordinal(chance.randrange(600_000, 780_000))
        cell = period_around(day.isoformat(), step)
        span = days_within(cell)
        assert span is not None
        for inside in (span[0], span[1], day.toordinal() - EPOCH):
            assert period_around(dt.date.fromordinal(inside + EPOCH).isoformat(), step) == cell
        for outside in (span[0] - 1, span[1] + 1):
            assert period_around(dt.date.fromordinal(outside + EPOCH).isoformat(), step) != cell


def refused(frame: pl.DataFrame, words: dict[str, Any]) -> str:
    with pytest.raises(PolicyError) as raised:
        ind.anonymize(frame, ind.Policy.from_words(words))
    return str(raised.value)


def test_what_is_refused() -> None:
    frame, words = visits(), policy().words()
    said = refused(frame, {**words, "data": {}})
    assert "date-shift moves all dates of a person alike" in said
    columns = dict(words["columns"])
    columns["day"] = {"role": "insensitive", "protect": {"name": "date-shift", "days": 7}}
    assert "shifts dates otherwise than birth" in refused(frame, {**words, "columns": columns})
    assert "no row would be left" in refused(frame, policy(2000).words())
    texts = frame.with_columns(day=pl.lit("soon"))
    assert "180 cells do not begin with a date" in refused(texts, policy().words())
    said = refused(frame, {**words, "history": {"person": "person"}})
    assert "leaves out records at the ends of its dates" in said


def test_missing_dates_stay_missing_and_times_of_the_day_stay() -> None:
    frame = visits().with_columns(
        day=pl.when(pl.int_range(pl.len()) % 5 == 0)
        .then(None)
        .otherwise(pl.col("day").cast(pl.String) + " 07:45")
    )
    release = ind.anonymize(frame, policy())
    own = frame["day"].gather(pl.Series(release.crosswalk))
    assert (release.data["day"].is_null() == own.is_null()).all()
    assert {cell[10:] for cell in release.data["day"].drop_nulls()} == {" 07:45"}
    found = ind.verify(release.data, policy(), original=frame, crosswalk=release.crosswalk.tolist())
    assert found.holds is not False, found.faults
