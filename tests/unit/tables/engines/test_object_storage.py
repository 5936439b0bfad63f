"""Tables in object storage."""

from io import BytesIO

import pytest

import indistinct as ind
from indistinct.errors import DataError, EngineError, OutputError, ParameterError
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts
from large_tables import hostile_table, policy_of
from stored import stored


def parquet(frame):
    """Write a frame as the bytes of a Parquet file."""
    file = BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


@pytest.fixture(name="table")
def a_table_in_two_parts(monkeypatch):
    """Serve a table below the prefix ``visits``, beside another file; give the table."""
    frame = hostile_table(200, 3)
    parts = {
        "visits/a.parquet": parquet(frame[:90]),
        "visits/more/b.parquet": parquet(frame[90:]),
        "other.parquet": parquet(frame.select("name")),
    }
    with stored(parts) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield frame


def test_a_prefix_is_published_as_the_same_files_of_a_folder(table, tmp_path):
    """The parts below a prefix make one table, and the release is verified as any other."""
    (tmp_path / "in").mkdir()
    table.write_parquet(tmp_path / "in" / "all.parquet")
    policy, written = policy_of(), []
    for number, address in enumerate(["s3://bucket/visits", str(tmp_path / "in")]):
        out = tmp_path / f"out{number}.parquet"
        anonymize_in_parts(address, policy, sink_for(str(out)), resources=Resources("polars"))
        assert ind.verify(out, policy).holds
        written.append(out.read_bytes())
    assert written[0] == written[1]


def test_one_file_is_inspected_and_measured(table):
    """A release in object storage is counted there."""
    found = ind.inspect("s3://bucket/visits/a.parquet")
    assert found.document()["rows"] == 90
    del table


@pytest.mark.parametrize("address", ["s3://bucket/nothing/*.parquet", "s3://bucket/none.parquet"])
def test_what_is_not_there_is_said_without_the_storage_s_own_words(table, address, tmp_path):
    """Errors of a storage may quote keys."""
    del table
    sink = sink_for(str(tmp_path / "out.parquet"))
    with pytest.raises((DataError, EngineError)) as caught:
        anonymize_in_parts(address, policy_of(), sink)
    assert "secret" not in str(caught.value)
    assert "reader" not in str(caught.value)


def test_what_cannot_be_had_is_refused(tmp_path):
    """Other engines, and a file or folders as the place of a release."""
    del tmp_path
    with pytest.raises(ParameterError, match="does not read object storage"):
        ind.anonymize("s3://bucket/visits", policy_of(), engine="duckdb")
    with pytest.raises(OutputError, match="is a prefix with Parquet files"):
        sink_for("s3://bucket/release.parquet")
    with pytest.raises(OutputError, match="leave --partition-by out"):
        sink_for("s3://bucket/release", partition_by="city")
