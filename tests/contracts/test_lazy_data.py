"""Lazy data come back as lazy data of the same kind, and can be written and verified."""

import pickle

import duckdb
import polars as pl
import pytest

import indistinct as ind
from large_tables import hostile_table, policy_of, sorted_rows


@pytest.fixture(scope="module")
def frame():
    """Return a small table."""
    return hostile_table(120, 3)


@pytest.fixture(scope="module")
def expected(frame):
    """Return the release of the same table in memory."""
    return ind.anonymize(frame, policy_of(), seed=1).data


def check(data, to_polars, expected, folder):
    """Compare data and files of a release with that in memory."""
    with ind.anonymize(data, policy_of()) as release:
        assert type(release.data) is type(data)
        assert release.manifest["verified"] == "plan"
        assert sorted_rows(to_polars(release.data)) == sorted_rows(expected)
        document = release.write(folder / "out")
        assert document["verified"] is True
    assert sorted_rows(pl.read_parquet(folder / "out" / "*.parquet")) == sorted_rows(expected)
    assert ind.verify(folder / "out", policy_of()).holds is True


def test_a_lazy_frame(frame, expected, tmp_path):
    """Of Polars."""
    check(frame.lazy(), pl.LazyFrame.collect, expected, tmp_path)


def test_a_relation(frame, expected, tmp_path):
    """Of DuckDB, of a connection of its own."""
    frame.write_parquet(tmp_path / "in.parquet")
    with duckdb.connect() as connection:
        relation = connection.sql(f"FROM '{tmp_path / 'in.parquet'}'")
        check(relation, lambda found: pl.DataFrame(found.to_arrow_table()), expected, tmp_path)


def test_what_stays_where_it_is_is_collected_or_refused_in_words(frame, expected, tmp_path):
    """One class for all releases: a frame on demand, and no crosswalk before it is written."""
    with ind.anonymize(frame.lazy(), policy_of()) as release:
        assert type(release) is ind.Release is ind.LargeRelease
        assert release.frame.equals(expected)
        assert repr(release).endswith("not written yet>")
        assert release.sensitive is release.counterfeits is None
        whole = ind.anonymize(frame, policy_of())  # tells the same as what stays where it is
        assert [one["code"] for one in release.warnings] == [one["code"] for one in whole.warnings]
        assert "read-alike" in [one["code"] for one in release.warnings]
        for lost, words in (
            (lambda: release.crosswalk, "numbered when they are written"),
            (lambda: release.original, "not read whole"),
            (lambda: release.report(tmp_path / "report.html"), "until they are written"),
            (lambda: pickle.dumps(release), "no pickle"),
        ):
            with pytest.raises(ind.OutputError, match=words):
                lost()


def test_what_is_read_whole_has_no_options_of_parts(frame, tmp_path):
    """What a release in memory cannot have is refused before anything is written."""
    release = ind.anonymize(frame, policy_of())
    with pytest.raises(ind.ParameterError, match="written in parts") as error:
        release.write(tmp_path / "out.csv", partition_by="sex", record_column="name")
    assert len(error.value.faults) == 2
    assert not list(tmp_path.iterdir())
