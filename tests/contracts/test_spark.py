"""Tables of a Spark cluster: data frames and paths, in this process."""

import json

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, OutputError, ParameterError, PolicyError
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts
from large_tables import hostile_table, policy_of, sorted_rows
from sparked import spark_session

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(name="session", scope="module")
def a_session():
    """Start Spark once for all tests of this file."""
    session = spark_session()
    yield session
    session.stop()


@pytest.fixture(name="frame", scope="module")
def a_table():
    """Return a small table."""
    return hostile_table(120, 3)


@pytest.fixture(name="expected", scope="module")
def its_release(frame):
    """Return the release of the same table in memory."""
    return ind.anonymize(frame, policy_of(), seed=1).data


def test_a_small_data_frame_comes_back_as_a_data_frame(session):
    """Lazily, with the rows of the release in memory."""
    frame = pl.DataFrame(
        {"age": [30, 30, 31, 31, None, None], "ill": ["flu", "flu", "flu", "ulcer", "ulcer", "flu"]}
    )
    words = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "k": 2}
    data = session.createDataFrame(frame.rows(), "age int, ill string")
    with ind.anonymize(data, ind.Policy.from_keywords(**words)) as release:
        assert type(release.data) is type(data)
        found = [tuple(row) for row in release.data.collect()]
    assert sorted(map(str, found)) == sorted(map(str, ind.anonymize(frame, **words).data.rows()))


@pytest.mark.slow
def test_a_data_frame_comes_back_as_a_data_frame(session, frame, expected, tmp_path):
    """Lazily, with the rows of the release in memory."""
    frame.write_parquet(tmp_path / "in.parquet")
    data = session.read.parquet(str(tmp_path / "in.parquet"))
    with ind.anonymize(data, policy_of()) as release:
        assert type(release.data) is type(data)
        assert sorted_rows(pl.DataFrame(release.data.toArrow())) == sorted_rows(expected)


@pytest.mark.slow
def test_a_data_frame_is_written_to_files_and_verified(session, frame, expected, tmp_path):
    """Of this machine."""
    frame.write_parquet(tmp_path / "in.parquet")
    data = session.read.parquet(str(tmp_path / "in.parquet"))
    with ind.anonymize(data, policy_of()) as release:
        assert release.write(tmp_path / "out")["verified"] is True
    assert sorted_rows(pl.read_parquet(tmp_path / "out" / "*.parquet")) == sorted_rows(expected)
    assert ind.verify(tmp_path / "out", policy_of()).holds is True


@pytest.mark.slow
def test_a_path_is_published_as_a_path(session, frame, expected, tmp_path):
    """The folder appears with its manifest, and without what Spark leaves."""
    del session
    (tmp_path / "in").mkdir()
    frame[:50].write_parquet(tmp_path / "in" / "a.parquet")
    frame[50:].write_parquet(tmp_path / "in" / "b.parquet")
    address, out = (tmp_path / "in").as_uri(), (tmp_path / "out").as_uri()
    policy = policy_of()
    anonymize_in_parts(address, policy, sink_for(out, rows_per_file=60))
    assert sorted_rows(pl.read_parquet(tmp_path / "out" / "*.parquet")) == sorted_rows(expected)
    document = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    listed = {part["path"] for part in document["output"]["parts"]}
    shown = {path.name for path in (tmp_path / "out").iterdir() if path.name[0] != "."}
    assert shown == {*listed, "_manifest.json"}
    assert len(listed) > 1
    assert [path.name for path in tmp_path.iterdir() if path.name[0] == "."] == []
    # Another engine reads the same files, and finds the same hashes and classes.
    beside = ind.verify(tmp_path / "out", policy, original=str(tmp_path / "in"))
    assert beside.holds is True, beside.faults
    found = ind.verify(out, policy, original=address, manifest=tmp_path / "out" / "_manifest.json")
    assert found.holds is True, found.faults
    with pytest.raises(OutputError, match="there already"):
        anonymize_in_parts(address, policy, sink_for(out))
    anonymize_in_parts(
        str(tmp_path / "in"), policy, sink_for(out, may_replace=True), resources=Resources("spark")
    )
    assert sorted_rows(pl.read_parquet(tmp_path / "out" / "*.parquet")) == sorted_rows(expected)


@pytest.mark.slow
def test_a_release_that_is_not_verified_leaves_nothing(session, frame, tmp_path, monkeypatch):
    """Neither a folder nor a hidden one."""
    del session
    from indistinct.tables.engines import spark_paths

    frame.write_parquet(tmp_path / "in.parquet")

    def fails(draft, documents, private):
        del draft, documents, private
        raise KeyboardInterrupt

    monkeypatch.setattr(spark_paths.ClusterDraft, "publish", fails)
    with pytest.raises(KeyboardInterrupt):
        anonymize_in_parts(
            (tmp_path / "in.parquet").as_uri(), policy_of(), sink_for((tmp_path / "out").as_uri())
        )
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


@pytest.mark.slow
def test_what_spark_does_not_do_is_refused(session, frame, tmp_path):
    """Other formats, masks, and files that are not there."""
    frame.write_csv(tmp_path / "in.csv")
    frame.write_parquet(tmp_path / "in.parquet")
    out = sink_for(str(tmp_path / "out"))
    for name, words in (("in.csv", "reads Parquet"), ("none", "no file")):
        with pytest.raises(DataError, match=words):
            anonymize_in_parts((tmp_path / name).as_uri(), policy_of(), out)
    masked = policy_of(columns={"size": {"protect": {"name": "round", "base": 5}}})
    data = session.read.parquet(str(tmp_path / "in.parquet"))
    with pytest.raises(PolicyError, match="stay in their database"):
        ind.anonymize(data, masked)


def test_a_cluster_is_read_and_written_by_spark_alone(frame, tmp_path):
    """No other engine reaches its files."""
    frame.write_parquet(tmp_path / "in.parquet")
    with pytest.raises(ParameterError, match="engine spark"):
        ind.anonymize("hdfs://store/visits", policy_of(), engine="duckdb")
    with pytest.raises(OutputError, match="Spark alone"):
        anonymize_in_parts(
            str(tmp_path / "in.parquet"),
            policy_of(),
            sink_for("hdfs://store/release"),
            resources=Resources("polars"),
        )
    with pytest.raises(OutputError, match="not divided"):
        sink_for("hdfs://store/release", partition_by="city")


@pytest.mark.slow
def test_records_of_a_data_frame_get_names(session, frame, tmp_path):
    """A cluster numbers no records, so that the owner's key links them."""
    frame.write_parquet(tmp_path / "in.parquet")
    address, out = (tmp_path / "in.parquet").as_uri(), (tmp_path / "out").as_uri()
    crosswalk, policy = tmp_path / "crosswalk.csv", policy_of()
    names = {"crosswalk_key": "name", "record_column": "record"}
    anonymize_in_parts(address, policy, sink_for(out), crosswalk=str(crosswalk), **names)
    listed = pl.read_csv(crosswalk)
    assert listed.columns == ["record", "name"]
    assert sorted(listed["name"]) == sorted(frame["name"])
    found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
    assert found.holds is True, found.faults
    data = session.read.parquet(str(tmp_path / "in.parquet"))
    with ind.anonymize(data, policy) as release:
        release.write(tmp_path / "again", crosswalk=crosswalk, **names)
    found = ind.verify(tmp_path / "again", policy, original=address, crosswalk=crosswalk)
    assert found.holds is True, found.faults
