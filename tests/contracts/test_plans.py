"""The plans by which engines write a release: one join by hashes, however large the tables are."""

import pytest

from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sql_dialect import Dialect
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.parts import open_source
from indistinct.tables.publish.pipeline import decide
from indistinct.tables.publish.record_names import RecordNames, with_names
from large_tables import POSTGRES, Place, hostile_table, policy_of
from sparked import spark_session

NAMES = RecordNames("name", "record")
POLICIES = {"whole": {}, "split": {"method": {"algorithm": "k-member"}}}


def explained(address, engine, words, plan_of, *, has_names=False):
    """Return the plan of the query that writes a release, in small letters."""
    policy, resources = policy_of(**words), Resources(engine, 10**9)
    with open_source(address, resolve(policy), resources) as source:
        decision = decide(source, resolve(policy), resources).plan
        if has_names:
            decision = with_names(decision, NAMES, source, 10**6)
        assert (decision.split is not None) is ("method" in words)
        return plan_of(source, source.release(decision).ordered).lower()


def of_postgresql(source, query):
    """Ask the server for its plan."""
    return str(source._connection._raw.run(f"EXPLAIN {query}"))


@pytest.fixture(name="visits", scope="module")
def a_table_of_the_server():
    """Put a table on the server, and take it away again."""
    place = Place("auto", "server")
    address, _ = place.put(hostile_table(2000, 3), None)
    yield address
    # What reads the release drops the tables; the release itself was never written.
    from indistinct.tables.engines.postgres import PostgresConnection
    from indistinct.tables.engines.sources import Limits

    connection = PostgresConnection(POSTGRES, Limits(10**9))
    connection.execute(f'DROP TABLE "{address.partition("table=")[2]}"')
    connection.execute("COMMIT")
    connection.close()


@pytest.mark.parametrize("has_names", [False, True])
@pytest.mark.parametrize(("words", "joins"), [("whole", 1), ("split", 3)])
@pytest.mark.postgres
@pytest.mark.skipif(not POSTGRES, reason="needs a server: tests/postgres.sh start")
def test_postgresql_joins_by_hashes(visits, words, joins, has_names):
    """One join with the decision and one with the names; split rows are ranked and joined apart."""
    plan = explained(visits, "auto", POLICIES[words], of_postgresql, has_names=has_names)
    named = (2 if words == "whole" else 6) - joins if has_names else 0
    assert plan.count("hash join") == joins + named
    assert "nested loop" not in plan
    assert "merge join" not in plan


@pytest.mark.postgres
@pytest.mark.skipif(not POSTGRES, reason="needs a server: tests/postgres.sh start")
def test_a_plan_with_nested_loops_would_be_found(visits, monkeypatch):
    """As the standard's own comparison gives it, which the server cannot hash."""

    def same(dialect, one, other, dtype):
        del dialect, dtype
        return f"{one} IS NOT DISTINCT FROM {other}"

    monkeypatch.setattr(Dialect, "same", same)
    assert "nested loop" in explained(visits, "auto", {}, of_postgresql)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_spark_joins_by_hashes(tmp_path):
    """With what is small enough to be sent to every worker, or by sorted keys; never a product."""
    session = spark_session()
    try:
        hostile_table(200, 3).write_parquet(tmp_path / "in.parquet")
        plan = explained(
            (tmp_path / "in.parquet").as_uri(),
            "spark",
            {},
            lambda source, query: source._connection.session.sql(f"EXPLAIN {query}").first()[0],
        )
    finally:
        session.stop()
    assert plan.count("join") >= 1
    assert "cartesian" not in plan
    assert "nestedloop" not in plan
