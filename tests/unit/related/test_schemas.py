"""Schemas of DuckDB and PostgreSQL as tables about the same people: read whole, written whole."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import polars as pl
import pytest

import indistinct as ind
import visits
from hospitals import hospital, policy
from indistinct.errors import DataError, OutputError, PolicyError
from indistinct.tables.engines.postgres import PostgresConnection
from indistinct.tables.engines.schemas import Schema, is_schema, read_schema, staged_schema
from indistinct.tables.engines.sources import Limits
from large_tables import POSTGRES

WRITTEN = {
    "people": pl.DataFrame({"pid": ["b", "a", "c"], "born": [dt.date(1990, 1, 2), None, None]}),
    "events": pl.DataFrame({"n": [3, None, 1], "x": [1.5, 2.25, None], "yes": [True, None, False]}),
}


@pytest.fixture(params=["duckdb", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of a schema that is not there."""
    if request.param == "duckdb":
        yield f"duckdb:///{tmp_path / 'h.duckdb'}?schema=s"
        return
    if not POSTGRES:
        pytest.skip("needs a server: tests/postgres.sh start")
    name = f"test_{uuid4().hex}"
    yield f"{POSTGRES}&schema={name}"
    connection = PostgresConnection(Schema.of(POSTGRES).address, Limits(100_000_000))
    connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
    connection.execute("COMMIT")
    connection.close()


def put(address: str, tables: dict[str, pl.DataFrame], manifest: str = "{}") -> None:
    """Write tables to a schema."""
    with staged_schema(address) as schema:
        schema.write(tables, manifest)


def test_tables_come_back_as_they_were_written(address: str) -> None:
    put(address, WRITTEN)
    found = read_schema(address)
    assert found.keys() == WRITTEN.keys()
    for name, frame in WRITTEN.items():
        assert found[name].equals(frame), found[name]


def test_an_error_leaves_nothing(address: str, tmp_path: Path) -> None:
    def fail() -> None:
        with staged_schema(address) as schema:
            schema.write(WRITTEN, "{}")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - the one above
        fail()
    with pytest.raises(DataError):
        read_schema(address)
    assert not list(tmp_path.iterdir())


def test_a_hospital_in_a_schema_is_released_into_another(address: str, tmp_path: Path) -> None:
    tables = hospital(1, 30)
    put(address, tables)
    out = f"duckdb:///{tmp_path / 'out.duckdb'}?schema=release"
    if address.startswith("postgresql"):
        out = f"{address}_out"
    said = ind.RelatedPolicy.from_words(policy())
    release = ind.anonymize(address, said, seed=1)
    release.write(out, crosswalk=tmp_path / "rows")
    assert ind.verify(out).holds is True
    found = ind.verify(out, policy(), original=address, crosswalk=tmp_path / "rows")
    assert found.holds is True, found.faults
    assert ind.assess(out, said).holds is True
    # The same seed gives the same cells, whatever the tables are read from.
    events = ["code", "day", "cost"]
    alike = ind.anonymize(tables, policy(), seed=1).tables["events"].select(events)
    assert release.tables["events"].select(events).equals(alike)
    with pytest.raises(OutputError, match="is there already"):
        release.write(out)
    release.write(out, replace=True)
    assert ind.verify(out).holds is True
    drop(out)


def drop(address: str) -> None:
    """Remove a schema of a server; that of a file goes with its file."""
    if address.startswith("postgresql"):
        connection = PostgresConnection(Schema.of(address).address, Limits(100_000_000))
        connection.execute(f"DROP SCHEMA {Schema.of(address).name} CASCADE")
        connection.execute("COMMIT")
        connection.close()


@pytest.mark.parametrize("released", [True, False])
def test_empty_references_and_pseudonyms_are_those_of_the_schema(
    address: str, tmp_path: Path, released: bool
) -> None:
    """A reference that is NULL is an empty one, in and out, beside keys that are texts."""
    put(address, visits.with_gaps(visits.visits(2, 2, 40), 2))
    out = f"duckdb:///{tmp_path / 'out.duckdb'}?schema=release"
    if address.startswith("postgresql"):
        out = f"{address}_out"
    words = visits.gaps_policy(2, (released, False), 2, 1)
    words["related"]["keys"] = "pseudonym"
    said = ind.RelatedPolicy.from_words(words, tmp_path)
    release = ind.anonymize(address, said, seed=1)
    release.write(out, crosswalk=tmp_path / "rows")
    assert ind.verify(out).holds is True
    owner = {"original": address, "crosswalk": tmp_path / "rows"}
    assert ind.verify(out, said, **owner).holds is True
    shown = read_schema(out)["diagnoses"]["vid" if released else "visits.day"]
    assert 0 < sum(cell in {None, "(none)"} for cell in shown) < len(shown)
    drop(out)


def test_a_table_that_was_touched_does_not_hold(tmp_path: Path) -> None:
    out = f"duckdb:///{tmp_path / 'out.duckdb'}?schema=release"
    release = ind.anonymize(hospital(1, 30), policy(), seed=1)
    release.write(out)
    tables = dict(release.tables)
    tables["events"] = tables["events"].reverse()
    (tmp_path / "out.duckdb").unlink()
    put(out, tables)
    assert ind.verify(out, policy()).holds is False


def test_other_tables_are_neither_replaced_nor_given_away(address: str) -> None:
    put(address, WRITTEN)
    release = ind.anonymize(hospital(1), policy(), seed=1)
    if address.startswith("postgresql"):
        connection = PostgresConnection(Schema.of(address).address, Limits(100_000_000))
        connection.execute(f"DROP TABLE {Schema.of(address).name}.manifest")
        connection.execute("COMMIT")
        connection.close()
    else:
        address = address.replace("schema=s", "schema=other")
    with pytest.raises(OutputError, match="other tables"):
        release.write(address, replace=True)


def test_the_table_of_a_schema_may_have_another_name(tmp_path: Path) -> None:
    tables = hospital(1)
    tables["hosp_events"] = tables.pop("events")
    address = f"duckdb:///{tmp_path / 'h.duckdb'}"
    put(address, tables)
    words = policy()
    words["tables"]["events"]["table"] = "hosp_events"
    release = ind.anonymize(address, ind.RelatedPolicy.from_words(words), seed=1)
    assert {*release.tables} == {"patients", "events"}


def test_a_table_named_like_the_manifest_is_refused() -> None:
    words = policy()
    words["tables"]["manifest"] = {"public": True}
    with pytest.raises(PolicyError, match="name of the manifest"):
        ind.RelatedPolicy.from_words(words)


def test_what_is_a_schema() -> None:
    assert is_schema("duckdb:///h.duckdb")
    assert is_schema("postgresql://me@there/hospital?schema=s")
    assert not is_schema("duckdb:///h.duckdb?table=patients")
    assert not is_schema("hospital/")
    assert Schema.of("duckdb:///h.duckdb").name == "main"
    assert Schema.of("postgresql://me@there/hospital").name == "public"


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(DataError, match="does not exist"):
        ind.inspect("duckdb:///nowhere.duckdb?schema=main")
