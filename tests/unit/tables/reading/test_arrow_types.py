"""Columns of rare types are read, or named in one message that holds no cell."""

import decimal
from contextlib import suppress

import pytest

import indistinct as ind
from indistinct.errors import DataError, IndistinctError
from indistinct.tables.reading import files

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
N, SECRET = 6, "SECRET-CELL"
NOT_READ = {
    "list view": lambda: pa.array([[SECRET]] * N, pa.list_view(pa.string())),
    "large list view": lambda: pa.array([[SECRET]] * N, pa.large_list_view(pa.string())),
    "nested view": lambda: pa.array([[[SECRET]]] * N, pa.list_(pa.list_view(pa.string()))),
    "record of views": lambda: pa.array(
        [{"a": [SECRET]}] * N, pa.struct([("a", pa.list_view(pa.string()))])
    ),
    "interval": lambda: pa.array([(1, 2, 3)] * N, pa.month_day_nano_interval()),
    "runs": lambda: pa.RunEndEncodedArray.from_arrays([N], [SECRET]),
    "union": lambda: pa.UnionArray.from_dense(
        pa.array([0] * N, pa.int8()), pa.array(range(N), pa.int32()), [pa.array([SECRET] * N)]
    ),
    "wide decimal": lambda: pa.array([decimal.Decimal(10**50)] * N, pa.decimal256(60, 2)),
    "wide and missing": lambda: pa.array([None] * N, pa.decimal256(60, 2)),
    "list": lambda: pa.array([[SECRET]] * N),
    "map": lambda: pa.array([[(SECRET, 1)]] * N, pa.map_(pa.string(), pa.int8())),
    "bytes": lambda: pa.array([b"ab"] * N, pa.binary(2)),
}
READ = {
    "half": lambda: pa.array([1.5] * N, pa.float16()),
    "narrow decimal": lambda: pa.array([decimal.Decimal("1.5")] * N, pa.decimal32(5, 1)),
    "view of text": lambda: pa.array(["a"] * N, pa.string_view()),
    "json": lambda: pa.array(['{"a": 1}'] * N, pa.json_()),
    "small truth": lambda: pa.array([1] * N, pa.int8()).cast(pa.bool8()),
}
ENGINES = {"arrow": ["memory"], "parquet": ["memory", "polars", "duckdb"]}


def written(folder, column, form):
    """Write a table with a column; skip what this library of Arrow cannot write."""
    table = pa.table({"age": pa.array(range(N)), "note": column})
    path = folder / f"t.{form}"
    try:
        if form == "parquet":
            pq.write_table(table, path)
        else:
            with pa.ipc.new_file(str(path), table.schema) as file:
                file.write_table(table)
    except pa.ArrowNotImplementedError:
        pytest.skip("cannot be written")
    return path


def policy():
    """Return a policy that releases the column as it is."""
    return ind.Policy(
        columns={"age": {"role": "quasi-identifier"}, "note": {"role": "insensitive"}},
        models=[{"name": "k-anonymity", "k": 2}],
    )


@pytest.mark.parametrize("form", ENGINES)
@pytest.mark.parametrize("name", NOT_READ)
def test_what_cannot_be_read_is_named(tmp_path, capfd, name, form):
    path = written(tmp_path, NOT_READ[name](), form)
    for engine in ENGINES[form]:
        with pytest.raises(IndistinctError) as error:
            ind.anonymize(path, policy(), engine=engine)
        assert [fault.place for fault in error.value.faults] == ["columns.note"]
        assert SECRET not in str(error.value)
    assert "".join(capfd.readouterr()) == "", "a library has spoken"


@pytest.mark.parametrize("form", ENGINES)
@pytest.mark.parametrize("name", READ)
def test_what_can_be_read_is_read(tmp_path, name, form):
    path = written(tmp_path, READ[name](), form)
    for engine in ENGINES[form]:
        release = ind.anonymize(path, policy(), engine=engine)
        release.write(tmp_path / "o.csv")
        getattr(release, "close", lambda: None)()
        assert files.read_file(str(tmp_path / "o.csv")).frame.height == N
        (tmp_path / "o.csv").unlink()


@pytest.mark.parametrize("form", ENGINES)
def test_damaged_files_are_refused_in_words(tmp_path, form):
    path = written(tmp_path, READ["half"](), form)
    whole = path.read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        for content in (bytes(damaged), whole[:place]):
            path.write_bytes(content)
            with suppress(DataError):
                files.read_file(str(path))
