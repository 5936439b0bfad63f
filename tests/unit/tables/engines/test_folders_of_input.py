"""Folders of an input that are named after values: the column is read, or it is said that not."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl
import pytest

from indistinct.errors import DataError
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.duckdb_connection import check_kept
from indistinct.tables.reading.places import files_at

ENGINES = ["polars", "duckdb"]


def divided(folder: Path, names: list[str], ending: str = "parquet") -> str:
    """Write a file of two records into each folder."""
    for number, name in enumerate(names):
        place = folder / "in" / name
        place.mkdir(parents=True)
        frame = pl.DataFrame({"age": [number, number]})
        if ending == "parquet":
            frame.write_parquet(place / "part.parquet")
        else:
            frame.write_csv(place / "part.csv")
    return str(folder / "in")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("names", "values"),
    [
        (["day=2024-01-01", "day=2024-01-02"], [dt.date(2024, 1, 1), dt.date(2024, 1, 2)]),
        (["day=7", "day=10"], [10, 7]),
        (["day=02", "day=10"], ["02", "10"]),
        (["day=Köln", "day=S%C3%A3o Paulo"], ["Köln", "São Paulo"]),
        (["day=1", "day=__HIVE_DEFAULT_PARTITION__"], [1, None]),
    ],
)
def test_the_names_of_folders_are_a_column(
    tmp_path: Path, engine: str, names: list[str], values: list[object]
) -> None:
    """With the type that its values ask for, whichever engine reads it."""
    opening = Resources(engine).opening((), None)
    with open_table(divided(tmp_path, names), opening, engine) as table:
        assert table.profile().n_records == 4
        found = pl.concat(pl.DataFrame(one) for one in table.batches(10))
    expected = sorted((*values, *values), key=str)
    assert sorted(found["day"].to_list(), key=str) == expected


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("names", "ending"),
    [
        (["year=2024/month=01", "year=2024/month=02"], "parquet"),
        (["day=1", "other"], "parquet"),
        (["day=1", "day=2"], "csv"),
    ],
)
def test_what_is_not_read_is_said(
    tmp_path: Path, engine: str, names: list[str], ending: str
) -> None:
    """Folders in folders, folders beside them, and files of text."""
    opening = Resources(engine).opening((), None)
    with pytest.raises(DataError, match=r"named after values of (day|month, year), which are not"):
        open_table(divided(tmp_path, names, ending), opening, engine)


def test_names_that_differ_in_capital_letters_are_one_to_duckdb(tmp_path: Path) -> None:
    """Both are named, and the way out."""
    path = tmp_path / "in.csv"
    path.write_text("ID,Age,age\n1,2,3\n", encoding="utf-8")
    with pytest.raises(DataError, match="age: differs from Age in capital letters") as caught:
        check_kept(files_at(str(path)), None)
    assert "--engine polars" in str(caught.value)
