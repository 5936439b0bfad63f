"""Small tables with all that engines may see differently, and the places they are kept in."""

import os
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from uuid import uuid4

import numpy as np
import polars as pl
import pytest

from indistinct import Policy
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.frames.texts import all_cell_texts
from indistinct.tables.publish.parts import anonymize_in_parts

CITIES = ["Basel", "Zürich", "São Paulo", "?", "", None, "basel", "O'Hara", 'the "x"']
NEW_YEAR = datetime(2020, 1, 1)  # noqa: DTZ001 - a moment of no zone
ILLS = ["flu", "ulcer", "asthma", None, "?"]


def hostile_table(rows, seed, *, typed=True):
    """Make a table with missing values of every kind, zeros below zero, and odd texts."""
    chance = np.random.default_rng(seed)

    def some(values, share=0.1):
        values = list(values)
        return [None if chance.random() < share else value for value in values]

    def texts(values):
        return [values[place] for place in chance.integers(0, len(values), rows)]

    halves = chance.integers(-4, 5, rows) / 2
    incomes = [float("nan") if chance.random() < 0.05 else -0.0 if x == 0 else x for x in halves]
    days = [date(1990, 1, 1) + timedelta(int(x)) for x in chance.integers(0, 900, rows)]
    moments = [NEW_YEAR + timedelta(seconds=int(x)) for x in chance.integers(0, 9**6, rows)]
    columns = {
        "name": [f"N{x}" for x in chance.permutation(rows)],
        "age": some(chance.integers(18, 60, rows).tolist()),
        "income": some(incomes),
        "city": texts(CITIES),
        "born": some(days),
        "note": texts(["", None, "a, b", "ß", "x" * 50, "?"]),
        "size": some(chance.normal(170, 10, rows).round(2).tolist()),
        "ill": texts(ILLS),
    }
    if typed:
        columns["seen"] = some(moments)
        columns["flag"] = some((chance.random(rows) < 0.5).tolist())
    frame = pl.DataFrame(columns, schema_overrides={"age": pl.Int16})
    if not typed:
        frame = frame.with_columns(pl.col("income").fill_nan(None))
    return frame


def policy_of(*, typed=True, **words):
    """Make a policy for such tables: the quasi-identifiers age, income, city and born."""
    method = {"algorithm": "optimal", "max_suppression": 0.1} | words.pop("method", {})
    insensitive = {"role": "insensitive"}
    document = {
        "data": {"missing": ["", "?"]} | words.pop("data", {}),
        "columns": {
            "name": {"role": "identifier"},
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
            "income": {"role": "quasi-identifier"},
            "city": {"role": "quasi-identifier", "hierarchy": {"mask": 9}},
            "born": {"role": "quasi-identifier", "hierarchy": {"dates": ["month", "year"]}},
            "note": insensitive,
            "size": insensitive,
            "ill": {"role": "sensitive"},
        },
        "models": words.pop("models", [{"name": "k-anonymity", "k": 3}]),
        "method": method,
        "release": words.pop("release", {}),
    }
    if typed:
        document["columns"] |= {"seen": insensitive, "flag": insensitive}
    for name, more in words.pop("columns", {}).items():
        document["columns"][name] = document["columns"].get(name, {}) | more
    return Policy(**document)


def sorted_rows(frame, names=None):
    """Return the rows as texts, in an order of their own."""
    chosen = frame if names is None else frame.select(names)
    return sorted(map(repr, all_cell_texts(chosen).rows()))


@dataclass
class Place:
    """Where a table is kept, and how a release of it is read.

    Parameters
    ----------
    engine : the word of the command
    kind : of the place
    typed : whether it keeps the types of columns
    """

    engine: str
    kind: str
    typed: bool = True
    options: dict = field(default_factory=dict)

    def __str__(self):
        return f"{self.engine}-{self.kind}"

    def put(self, frame, folder):
        """Keep a table; give its address and that of the release to be."""
        if self.kind in {"parquet", "csv"}:
            path, out = folder / f"in.{self.kind}", folder / f"out.{self.kind}"
            frame.write_parquet(path) if self.kind == "parquet" else frame.write_csv(path)
            return str(path), str(out)
        if self.kind == "folder":
            (folder / "in").mkdir()
            half = frame.height // 2
            frame[:half].write_parquet(folder / "in" / "a.parquet")
            frame[half:].write_parquet(folder / "in" / "b.parquet")
            return str(folder / "in"), str(folder / "out")
        return PUT[self.kind](frame, folder)

    def read(self, out, schema):
        """Read a release as a frame."""
        if self.kind == "csv":
            return pl.read_csv(out, schema=schema)
        if self.kind == "parquet":
            return pl.read_parquet(out)
        if self.kind == "folder":
            return pl.read_parquet(f"{out}/*.parquet")
        return READ[self.kind](out)

    def release(self, frame, policy, folder, **options):
        """Publish a table from this place; give the release and its manifests."""
        address, out = self.put(frame, folder)
        resources = Resources(self.engine, 2 * 10**9, **self.options)
        written = anonymize_in_parts(address, policy, sink_for(out, **options), resources=resources)
        return out, written


def _put_duckdb(frame, folder):
    import duckdb

    frame.write_parquet(folder / "in.parquet")
    with duckdb.connect(str(folder / "base.duckdb")) as connection:
        connection.execute(f"CREATE TABLE visits AS FROM '{folder / 'in.parquet'}'")
        connection.execute("CREATE VIEW seen AS FROM visits")
    base = f"duckdb:///{folder / 'base.duckdb'}"
    return f"{base}?table=seen", f"{base}?table=released"


def _read_duckdb(out):
    import duckdb

    path = out.removeprefix("duckdb:///").partition("?")[0]
    with duckdb.connect(path, read_only=True) as connection:
        return pl.DataFrame(connection.sql("FROM released").to_arrow_table())


def _put_postgres(frame, folder):
    """Load a table by COPY; NaN and minus zero are written as such."""
    from indistinct.tables.engines.postgres import PostgresConnection
    from indistinct.tables.engines.sources import Limits

    connection = PostgresConnection(POSTGRES, Limits(10**9))
    loaded = connection.load("kept", frame)
    name = f"visits_{uuid4().hex}"
    connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM {loaded}')
    connection.execute("COMMIT")
    connection.close()
    return f"{POSTGRES}&table={name}", f"{POSTGRES}&table={name}_released"


def _read_postgres(out):
    from indistinct.tables.engines.postgres import PostgresConnection
    from indistinct.tables.engines.sources import Limits

    connection = PostgresConnection(POSTGRES, Limits(10**9))
    name = out.partition("table=")[2]
    found = connection.fetch(f'SELECT * FROM "{name}"')
    for left in (name, f"{name}_manifest", name.removesuffix("_released")):
        connection.execute(f'DROP TABLE IF EXISTS "{left}"')
    connection.execute("COMMIT")
    connection.close()
    return found


POSTGRES = os.environ.get("INDISTINCT_POSTGRES", "")
PUT = {"table": _put_duckdb, "server": _put_postgres}
READ = {"table": _read_duckdb, "server": _read_postgres}
PLACES = [
    Place("polars", "parquet"),
    Place("polars", "csv", typed=False),
    Place("polars", "folder"),
    Place("duckdb", "parquet"),
    Place("duckdb", "csv", typed=False),
    Place("duckdb", "folder"),
    Place("auto", "table"),
    pytest.param(
        Place("auto", "server"),
        marks=[
            pytest.mark.postgres,
            pytest.mark.skipif(not POSTGRES, reason="needs a server: tests/postgres.sh start"),
        ],
    ),
]
