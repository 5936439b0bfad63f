"""Lazy data come back as lazy data of the same kind, and can be written and verified."""

import duckdb
import polars as pl
import pytest

import indistinct as ind
from large_tables import hostile_table, policy_of, sorted_rows


@pytest.fixture(scope="module")
def frame():
    """Give a small table."""
    return hostile_table(120, 3)


@pytest.fixture(scope="module")
def expected(frame):
    """Give the release of the same table in memory."""
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


def spark_session():
    """Start Spark in this process, or say why it is skipped."""
    pyspark = pytest.importorskip("pyspark", reason="needs the extra spark")
    import shutil

    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17")
    builder = pyspark.sql.SparkSession.builder.master("local[1]").appName("indistinct")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "700m",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
    }
    for word, value in settings.items():
        builder = builder.config(word, value)
    return builder.getOrCreate()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_data_frame_of_spark(frame, expected, tmp_path):
    """On one thread of this process."""
    session = spark_session()
    try:
        frame.write_parquet(tmp_path / "in.parquet")
        data = session.read.parquet(str(tmp_path / "in.parquet"))
        check(data, lambda found: pl.DataFrame(found.toArrow()), expected, tmp_path)
    finally:
        session.stop()
