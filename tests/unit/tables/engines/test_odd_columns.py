"""Columns of frames as other programs make them: read, or refused by name without any cell."""

import datetime as dt
import decimal
import uuid

import pandas as pd
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, IndistinctError
from indistinct.tables.reading import files
from indistinct.tables.reading.declared_formats import Reading
from made_files import SECRET

AGES = [20 + row % 7 for row in range(60)]
TENS = [row * 7 % 10 for row in range(60)]
NOBODY = {"quasi_identifiers": ["age"], "k": 2}
READ = {
    "intervals": pd.cut(pd.Series(AGES), [0, 22, 50]).astype("interval[int64, right]"),
    "bands": pd.cut(pd.Series(AGES), [0, 22, 50]),
    "periods": pd.Series(pd.period_range("2020-01", periods=10, freq="M")[TENS]),
    "sparse": pd.Series(pd.arrays.SparseArray([0, 1, 2] * 20)),
    "unique": pd.Series([uuid.UUID(int=row) for row in TENS]),
    "decimals": pd.Series([decimal.Decimal(f"{row}.5") for row in TENS]),
    "moments": pd.Series(pd.date_range("2020-01-01", periods=10, tz="Europe/Berlin")[TENS]),
    "stays": pd.Series([pd.Timedelta(hours=row) for row in TENS]),
    "truths": pd.Series([True, None, False] * 20, dtype=object),
    "large": pd.Series([10**30 + row for row in TENS], dtype=object),
}
REFUSED = {
    "words": pd.Series([1, SECRET, 2] * 20, dtype=object),
    "days": pd.Series([dt.date(2020, 1, 1), SECRET, None] * 20, dtype=object),
    "yes": pd.Series([True, SECRET, False] * 20, dtype=object),
    "pairs": pd.Series([(1, SECRET)] * 60),
    "records": pd.Series([{"name": SECRET}] * 60),
    "bytes": pd.Series([SECRET.encode()] * 60),
    "complex": pd.Series([1j] * 60),
    "objects": pd.Series([object()] * 60),
}


@pytest.mark.parametrize("name", READ)
def test_columns_of_one_kind_are_read(name):
    frame = pd.DataFrame({"age": AGES, name: READ[name]})
    assert ind.inspect(frame).columns[1].name == name
    release = ind.anonymize(frame, **NOBODY, insensitive=[name])
    assert len(release.data) == 60


@pytest.mark.parametrize("name", REFUSED)
def test_columns_of_several_kinds_are_refused_by_name(name):
    frame = pd.DataFrame({"age": AGES, name: REFUSED[name]})
    with pytest.raises(IndistinctError, match=rf"columns\.{name}") as caught:
        ind.anonymize(frame, **NOBODY, insensitive=[name])
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_left_out_may_hold_anything(name):
    frame = pd.DataFrame({"age": AGES, name: REFUSED[name]})
    release = ind.anonymize(frame, **NOBODY, identifiers=[name])
    assert list(release.data.columns) == ["age"]


def test_intervals_read_as_pandas_shows_them(tmp_path):
    """Also behind Parquet, which keeps them as records of a type of pandas."""
    frame = pd.DataFrame({"band": READ["intervals"], "month": READ["periods"]})
    frame.to_parquet(tmp_path / "bands.parquet")
    for data in (frame, tmp_path / "bands.parquet"):
        read = files.read_file(data, reading=Reading()).frame
        assert read["band"].unique().sort().to_list() == ["(0, 22]", "(22, 50]"]
        assert read["month"][1] == "2020-08"


def test_an_inspection_names_what_odd_cells_are():
    frame = pl.DataFrame({"age": AGES, "photo": [b"\0"] * 60, "home": [{"town": "A"}] * 60})
    columns = {column.name: column for column in ind.inspect(frame).columns}
    assert columns["photo"].type == "bytes"
    assert columns["home"].type == "records"
    assert columns["photo"].role == "identifier"


def test_a_column_that_no_library_takes_is_named():
    """Foreign errors hold cells."""
    frame = pd.DataFrame({"age": AGES, "x": pd.Series([10**60] * 59 + [SECRET], dtype=object)})
    with pytest.raises(DataError, match=r"columns\.x") as caught:
        files.read_file(frame, reading=Reading())
    assert SECRET not in str(caught.value)
