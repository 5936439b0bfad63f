"""Types and names of columns in files that engines read: kept as they are, or refused by name."""

from datetime import datetime
from importlib.metadata import version
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from pyarrow import parquet

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.engines import duckdb_connection
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.sources import PersonKey

QUASI, OTHER = {"role": "quasi-identifier"}, {"role": "insensitive"}
ENGINES = ("polars", "duckdb")
REFUSED = {
    "duration": pl.Series([1, 1], dtype=pl.Duration("us")),
    "wide": pl.Series([1, 1], dtype=pl.Int128),
    "zone": pl.Series([datetime(2020, 1, 1, tzinfo=ZoneInfo("Europe/Berlin"))] * 2),
}


def pyarrow_file(frame, path):
    """Write a Parquet file as Arrow does: with the bounds of the numbers alone."""
    parquet.write_table(frame.to_arrow(), path)


def released(frame, engine, path, names=(), write=pl.DataFrame.write_parquet, **words):
    """Write a table, release it with an engine, and give what a reader of the file sees."""
    address = path / "in.parquet"
    write(frame, address)
    columns = {name: OTHER if name in names else QUASI for name in frame.columns}
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=2)], **words)
    with ind.anonymize(address, policy, engine=engine) as release:
        release.write(path / "out.parquet")
    assert ind.verify(path / "out.parquet", policy, original=address).holds
    return pl.read_parquet(path / "out.parquet")


@pytest.mark.parametrize("engine", ENGINES)
def test_zeros_of_both_signs_are_one_value_in_the_file(engine, tmp_path):
    """A sum with zero, which a query of Polars leaves out, would leave them apart."""
    frame = pl.DataFrame({"x": ["a"] * 6, "f": [0.0, -0.0] * 3, "s": [0.0, -0.0] * 3})
    frame = frame.with_columns(pl.col("s").cast(pl.Float32))
    found = released(frame, engine, tmp_path, names=("f", "s"))
    assert {str(cell) for name in "fs" for cell in found[name]} == {"0.0"}


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_no_number_is_missing_beside_numbers(engine, tmp_path):
    """The statistics of a Parquet file leave it out, so that DuckDB expects none."""
    frame = pl.DataFrame({"x": ["a"] * 6, "f": [1.5, float("nan"), 2.5] * 2})
    found = released(frame, engine, tmp_path, names=("f",), write=pyarrow_file)
    assert found["f"].null_count() == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_moments_keep_their_milliseconds(engine, tmp_path):
    moments = pl.Series([1_857_890_750_000, 1_857_890_750_123] * 2).cast(pl.Datetime("ms"))
    frame = pl.DataFrame({"q": moments, "o": moments})
    found = released(frame, engine, tmp_path, names=("o",))
    assert found.schema == frame.schema
    assert found["q"].sort().to_list() == moments.sort().to_list()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_column_without_values_is_one_of_texts(engine, tmp_path):
    """It has one column in the release whatever the form of ranges is, since it has no numbers."""
    frame = pl.DataFrame({"q": [1, 1, 2], "n": pl.Series([None] * 3, dtype=pl.Null)})
    found = released(frame, engine, tmp_path, release={"intervals": "bounds"})
    assert found.columns == ["q_min", "q_max", "n"]


@pytest.mark.parametrize("kind", REFUSED)
def test_types_that_duckdb_changes_are_refused_by_it_and_left_to_polars(kind, tmp_path):
    frame = pl.DataFrame({"q": ["a", "a"], kind: REFUSED[kind]})
    path = tmp_path / "in.parquet"
    frame.write_parquet(path)
    opening = Resources().opening(("",), None)
    with pytest.raises(DataError, match=f"columns.{kind}: has a type that DuckDB does not keep"):
        open_table(str(path), opening, "duckdb")
    with open_table(str(path), opening, "auto") as table:
        assert table.engine == "polars"
    found = released(frame, "polars", tmp_path, names=(kind,))
    # Whole numbers of 128 bits are written as decimals, which other programs read, too.
    assert found.schema[kind] == (pl.Decimal(38, 0) if kind == "wide" else frame.schema[kind])


def test_times_of_day_are_left_to_polars_where_duckdb_cuts_their_digits(tmp_path, monkeypatch):
    """Before its version 2, DuckDB keeps six digits of a second; Polars writes nine."""
    path = tmp_path / "in.parquet"
    times = pl.Series([19_028_989_364_498] * 2).cast(pl.Time)
    frame = pl.DataFrame({"q": ["a", "a"], "t": times})
    frame.write_parquet(path)
    opening = Resources().opening(("",), None)
    monkeypatch.setattr(duckdb_connection, "FIRST_WITH_NANOSECONDS", 99)
    with pytest.raises(DataError, match=r"columns\.t: has a type that DuckDB does not keep"):
        open_table(str(path), opening, "duckdb")
    with open_table(str(path), opening, "auto") as table:
        assert table.engine == "polars"
    monkeypatch.setattr(duckdb_connection, "FIRST_WITH_NANOSECONDS", 0)
    if int(version("duckdb").partition(".")[0]) > 1:
        assert released(frame, "duckdb", tmp_path, names=("t",)).equals(frame)


@pytest.mark.parametrize("names", [("a", "A"), ("", "a")])
def test_names_that_duckdb_changes_are_refused_by_it(names, tmp_path):
    path = tmp_path / "in.parquet"
    pl.DataFrame({name: ["x", "y"] for name in names}).write_parquet(path)
    opening = Resources().opening(("",), None)
    with pytest.raises(DataError, match=r"in capital letters alone|has no name"):
        open_table(str(path), opening, "duckdb")
    with open_table(str(path), opening, "auto") as table:
        assert list(table.kinds) == list(names)


@pytest.mark.parametrize("mark", ["\n", "\r", "\r\n"])
def test_no_record_is_lost_behind_a_name_with_a_line_break(mark, tmp_path):
    """DuckDB would guess from the name how lines end, and read nothing at all."""
    path = tmp_path / "in.csv"
    path.write_bytes(f'a,"x{mark}y"\n1,2\n3,4\n'.encode())
    opening = Resources().opening(("",), None)
    with pytest.raises(DataError, match="has a line break in its name"):
        open_table(str(path), opening, "duckdb")
    with open_table(str(path), opening, "auto") as table:
        assert table.engine == "polars"
        found = table.count([PersonKey("a")], 10)
        assert found is not None
        assert found.n_records == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_quotes_in_names_of_text_files_are_read_once(engine, tmp_path):
    path = tmp_path / "in.csv"
    path.write_text('"say ""so""",b\n1,2\n1,4\n')
    opening = Resources().opening(("",), None)
    with open_table(str(path), opening, engine) as table:
        assert list(table.kinds) == ['say "so"', "b"]
    policy = ind.Policy(columns={'say "so"': QUASI, "b": OTHER}, models=[ind.KAnonymity(k=2)])
    with ind.anonymize(path, policy, engine=engine) as release:
        release.write(tmp_path / "out.csv")
    assert ind.verify(tmp_path / "out.csv", policy, original=path).holds
    written = pl.read_csv(tmp_path / "out.csv", has_header=False, n_rows=1).row(0)
    assert written == ('say "so"', "b")


def test_patterns_and_lists_in_text_files_are_refused(tmp_path):
    """Also before a large text file is converted, which would read a pattern as several columns."""
    path = tmp_path / "in.csv"
    path.write_text("^x.*$,x\n1,2\n")
    with pytest.raises(DataError, match="is read as a pattern"):
        open_table(str(path), Resources().opening(("",), None), "polars")
