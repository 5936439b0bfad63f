"""Lazy data come back as lazy data of the same kind, and can be written and verified."""

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
