"""Tables in and out."""

import csv
import decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import indistinct as ind
from indistinct.errors import DataError, EmptyDataError, OutputError
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.reading import files, text_frames
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.formats import OTHER_KINDS

POLICY = ind.Policy.from_words(
    {
        "columns": {"q": {"role": "quasi-identifier"}, "s": {"role": "insensitive"}},
        "models": [{"name": "k-anonymity", "k": 2}],
    }
)


def read(tmp_path, content: bytes, name: str = "data.csv", **options) -> pl.DataFrame:
    """Write bytes to a file and read them as a table."""
    (tmp_path / name).write_bytes(content)
    return files.read_file(tmp_path / name, **options).frame


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(tmp_path, separator):
    """By the header, whatever stands in the cells."""
    text = f'a{separator}b\n1{separator}"x,;|y"\n'
    assert read(tmp_path, text.encode()).rows() == [(1, "x,;|y")]


def test_the_separator_may_be_given(tmp_path):
    """A header that misleads is overruled; a .tsv file has tabs."""
    assert read(tmp_path, b"a,b;c\n1;2\n", separator=";").columns == ["a,b", "c"]
    assert read(tmp_path, b"a,b\tc\n1\t2\n", "data.tsv").columns == ["a,b", "c"]


@pytest.mark.parametrize(
    "content",
    [
        "a,b\nä,1\n".encode(),
        "\ufeffa,b\nä,1\n".encode(),
        "a,b\nä,1\n".encode("utf-16"),
        "a,b\r\nä,1\r\n".encode(),
    ],
    ids=["utf-8", "with a mark", "utf-16", "other line ends"],
)
def test_encodings_that_say_so_are_found(tmp_path, content):
    """UTF-8 with and without its mark, UTF-16 with it, both kinds of line ends."""
    assert read(tmp_path, content).rows() == [("ä", 1)]


def test_other_encodings_are_named(tmp_path):
    """Latin text is refused with its line until the encoding is given."""
    content = "a,b\nx,1\nä,1\n".encode("latin-1")
    with pytest.raises(DataError, match=r"is not UTF-8 \(line 3\)"):
        read(tmp_path, content)
    assert read(tmp_path, content, reading=Reading(encoding="latin-1")).rows()[1] == ("ä", 1)
    with pytest.raises(DataError, match="not a known encoding"):
        read(tmp_path, content, reading=Reading(encoding="klingon"))


def test_types_are_found_and_leading_zeros_kept(tmp_path):
    """Whole numbers, numbers, dates and codes."""
    frame = read(tmp_path, b"i,f,d,c,t\n1,1.5,2020-01-31,007,x\n-2,2,2020-02-01,110,\n")
    assert frame.dtypes == [pl.Int64, pl.Float64, pl.Date, pl.String, pl.String]
    assert frame["c"].to_list() == ["007", "110"]
    assert frame["t"].to_list() == ["x", None]


def test_ways_of_writing_missing_values(tmp_path):
    """What the policy names is missing, and the type is that of the rest."""
    frame = read(tmp_path, b"a,b\n1,x\n?,?\n", reading=Reading(missing=("", "?")))
    assert frame.rows() == [(1, "x"), (None, None)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,a\n1,2\n", "column a: is named twice"),
        (b"a,b\n1,2\n3\n4,5,6\n", r"2 lines do not have 2 cells \(lines 3, 4\)"),
        (b'a,b\n"1",2\n3\n', r"1 line does not have 2 cells \(line 3\)"),
        (b"a,b\n1e999,1\n", "columns.a: 1 numbers are infinite"),
        (b'a,b\n"' + b"x" * 200_000 + b'",1\n', "not well-formed separated text"),
    ],
    ids=["doubled", "ragged", "ragged with quotes", "infinite", "endless cell"],
)
def test_what_is_no_table_is_refused_in_words(tmp_path, content, said):
    """Each with the place, none with a value."""
    most = csv.field_size_limit(131_072)  # other libraries raise it for the whole process
    with pytest.raises(DataError, match=said):
        read(tmp_path, content)
    csv.field_size_limit(most)


@pytest.mark.parametrize("name", ["data.xlsx", "data.parquet", "data.sav"])
def test_an_empty_file_is_called_empty_whatever_its_ending(tmp_path, name):
    with pytest.raises(EmptyDataError, match="the file is empty"):
        read(tmp_path, b"", name)


@pytest.mark.parametrize("content", [b"", b"a,b\n"])
def test_a_table_without_records_is_refused(tmp_path, content):
    """An empty file, and a header alone."""
    with pytest.raises(EmptyDataError):
        read(tmp_path, content)


@pytest.mark.parametrize("name", ["data.parquet", "data.arrow"])
def test_a_file_with_a_false_ending_is_refused(tmp_path, name):
    """Text is neither Parquet nor Arrow."""
    with pytest.raises(DataError, match="is no"):
        read(tmp_path, b"a,b\n1,2\n", name)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow"])
def test_what_is_written_is_read(tmp_path, ending):
    """Rows and types survive, quotes and separators in cells included."""
    frame = pl.DataFrame({"a": [1, 2], "b": ['x"y', "u,\tv\nw"], "c": [0.5, None]})
    path = str(tmp_path / f"data.{ending}")
    files.write_file(frame, path, files.format_of_file(path))
    assert files.read_file(path).frame.equals(frame)


def test_frames_come_back_in_their_kind():
    """Polars, pandas and pyarrow in, the same out, types of unchanged columns kept."""
    frame = pl.DataFrame({"q": [1, 1, 1], "s": [1.5, 2.5, 3.5]})
    for given, kind in (
        (frame, pl.DataFrame),
        (frame.to_pandas(), pd.DataFrame),
        (frame.to_arrow(), pa.Table),
    ):
        data = ind.anonymize(given, POLICY, seed=1).data
        assert isinstance(data, kind)
        assert sorted(pl.DataFrame(data)["s"].to_list()) == [1.5, 2.5, 3.5]
        assert pl.DataFrame(data)["q"].dtype == pl.Int64


def test_frames_that_are_none_are_refused():
    """Lazy frames, doubled columns, nested and infinite cells, and what is no frame at all."""
    doubled = pd.DataFrame([[1, 2]], columns=["q", "q"])
    nested = pl.DataFrame({"q": [[1], [2]]})
    infinite = pl.DataFrame({"q": [float("inf"), 1.0]})
    for given in (pl.LazyFrame({"q": [1]}), doubled, nested, infinite, {"q": [1]}, 7):
        with pytest.raises(DataError):
            files.read_file(given)
    with pytest.raises(EmptyDataError):
        files.read_file(pl.DataFrame({"q": []}))


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([-128, 127, 127, -128], dtype=pl.Int8),
        pl.Series([250, 255, 255, 250], dtype=pl.UInt8),
        pl.Series([2**64 - 1, 3, 3, 2**64 - 1], dtype=pl.UInt64),
        pl.Series([-(2**63), 2**63 - 1, -(2**63), 2**63 - 1]),
        pl.Series([True, False, True, False]),
        pl.Series(["x", "y", "x", "y"], dtype=pl.Categorical),
        pl.Series([decimal.Decimal("1.10"), decimal.Decimal("2.25")] * 2),
        pl.Series([1e-7, 1e300, 1e-7, 1e300]),
        pl.Series(["2020-01-01T12:30:00", "2021-01-01T00:00:00"] * 2).str.to_datetime(),
        pl.Series(["12:30:00", "00:00:01"] * 2).str.to_time(),
    ],
    ids=lambda values: str(values.dtype),
)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_of_every_type_are_counted_kept_and_verified(tmp_path, values, ending):
    """A column that need not be generalized keeps values and type, and the file verifies."""
    frame = pl.DataFrame({"q": values, "s": [1, 2, 2, 1]})
    policy = ind.Policy.from_words(
        {
            "columns": {"q": {"role": "quasi-identifier", "max_level": 0},
                        "s": {"role": "insensitive"}},
            "models": [{"name": "k-anonymity", "k": 2}],
        }
    )  # fmt: skip
    release = ind.anonymize(frame, policy, seed=1)
    assert release.frame["q"].dtype == values.dtype
    assert sorted(release.frame["q"].to_list()) == sorted(values.to_list())
    release.write(tmp_path / f"out.{ending}")
    assert ind.verify(tmp_path / f"out.{ending}", policy).holds


def test_outputs_that_cannot_be(tmp_path):
    """The input under another name, a folder, a folder that is not there."""
    (tmp_path / "data.csv").write_text("a\n1\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "data.csv")
    for path in ("link.csv", "../" + tmp_path.name + "/data.csv", "", "none/out.csv"):
        with pytest.raises(OutputError):
            files.check_output(str(tmp_path / path), str(tmp_path / "data.csv"))
    files.check_output("-", str(tmp_path / "data.csv"))


def test_a_large_text_is_read_as_a_small_one(tmp_path, monkeypatch):
    """Some columns and some lines at a time; types, quoted names and the order stay."""
    table = pl.DataFrame({f'c"{n}': [n, None, n + 2] for n in range(20)}).with_columns(
        text=pl.Series(["a\nb", 'q"', "007"]), number=pl.Series([0.5, None, 1e9])
    )
    path = tmp_path / "wide.csv"
    table.write_csv(path)
    whole = files.read_file(path).frame
    monkeypatch.setattr(text_frames, "SMALL", 7)
    monkeypatch.setattr(text_frames, "PART", 7)
    assert files.read_file(path).frame.equals(whole)
    assert files.read_file(path).frame.schema == whole.schema
    assert files.read_file(path, typed=False).frame.width == 22


@pytest.mark.parametrize("small", [1, 5, 64])
def test_ragged_lines_are_counted_across_parts(small, tmp_path, monkeypatch):
    monkeypatch.setattr(text_frames, "SMALL", small)
    monkeypatch.setattr(text_frames, "PART", small)
    path = tmp_path / "ragged.csv"
    path.write_text("a,b\n1,2\n3\n4,5\n6,7,8\n9,10\n\n11\n\n")
    with pytest.raises(DataError, match=r"lines 3, 5, 7, 8"):
        files.read_file(path)


@pytest.mark.parametrize("ending", sorted(OTHER_KINDS))
def test_another_kind_of_file_is_refused_by_its_ending_both_ways(tmp_path, ending):
    path = tmp_path / f"table{ending.upper()}"
    path.write_text('{"name": "Marker"}\n')
    with pytest.raises(DataError, match="by its ending, which is not read") as caught:
        files.read_file(path)
    assert "Marker" not in str(caught.value)
    with pytest.raises(OutputError, match="by its ending, which is not written"):
        files.check_table_output(str(path), None)
    with pytest.raises(OutputError, match="by its ending, which is not written"):
        sink_for(str(path))
    files.check_output(str(path), None)  # a manifest or an owner's file may well be JSON


def test_text_under_an_unknown_ending_is_read(tmp_path):
    (tmp_path / "adult.data").write_text("age,sex\n30,f\n")
    assert files.read_file(tmp_path / "adult.data").frame.height == 1
