"""What is drafted for a declaration: round ends, and what many people share."""

from decimal import Decimal

import polars as pl
import pytest

from indistinct.errors import ParameterError
from indistinct.questions.database import init
from indistinct.questions.database.draft import around, draft


@pytest.mark.parametrize(
    ("low", "high", "bounds"),
    [
        (18.2, 87.9, (18, 88)),
        (-3, 1234, (-100, 1300)),
        (0, 0, (0, 1)),
        (0.012, 0.0987, (Decimal("0.012"), Decimal("0.099"))),
        (5, 5, (5, Decimal("5.1"))),
    ],
)
def test_ends_are_rounded_outward_to_two_digits(low, high, bounds):
    assert around(low, high) == bounds


@pytest.fixture
def data(tmp_path):
    """One person is 119 years old, and one lives in a town of their own."""
    path = tmp_path / "people.csv"
    rows = 400
    ages = [20 + n % 60 for n in range(rows - 1)] + [119]
    towns = ["north", "south"] * (rows // 2 - 1) + ["north", "nowhere"]
    pl.DataFrame({"id": range(rows), "age": ages, "town": towns}).write_csv(path)
    return path


def test_one_person_alone_is_in_no_draft(data):
    found = draft(str(data), "id", ["age"], ["town"])
    assert found.bounds == {"age": (20, 79)}
    assert found.values == {"town": ["north", "south"]}


def test_many_rows_of_one_person_are_no_ten_people(data, tmp_path):
    path = tmp_path / "rows.csv"
    pl.DataFrame(
        {"id": [1] * 50 + list(range(2, 20)), "town": ["here"] * 50 + ["there"] * 18}
    ).write_csv(path)
    assert draft(str(path), "id", [], ["town"]).values == {"town": ["there"]}


def test_what_the_owner_declares_is_not_drafted(data, tmp_path):
    asked = []
    dataset = init(
        data,
        person="id",
        epsilon=1,
        out=tmp_path / "d.toml",
        bounds={"age": (0, 120)},
        draft_from_data=True,
        agree=asked.append,
    )
    assert [read.bounds for read in asked] == [()]
    assert [read.values for read in asked] == [("town",)]
    assert [read.types for read in asked] == [("age", "town")]
    assert dataset.columns["age"].bounds is not None


def test_who_does_not_agree_has_nothing_written(data, tmp_path):
    def refuse(read):
        raise ParameterError("no", "No.")

    with pytest.raises(ParameterError):
        init(data, person="id", epsilon=1, out=tmp_path / "d.toml", agree=refuse)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]


def test_a_database_is_not_drafted_from():
    with pytest.raises(ParameterError, match="reads files only"):
        draft("postgresql://127.0.0.1/people", "id", [], [])
