"""Tables that are not read whole, where something goes wrong."""

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from indistinct.errors import (
    DataError,
    EngineError,
    OutputError,
    PolicyError,
    SourceChangedError,
)
from indistinct.tables.engines import sorted_records
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.duckdb import DuckDbConnection
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.engines.sql import SqlTable
from indistinct.tables.engines.streaming import StreamingTable
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish import parts
from indistinct.tables.publish.parts import anonymize_in_parts, open_source
from indistinct.tables.publish.pipeline import decide
from indistinct.tables.verification.drafts import verdict_on_draft
from large_tables import Place, hostile_table, policy_of

PLACES = [Place("polars", "parquet"), Place("duckdb", "parquet")]
TABLES = {"polars": StreamingTable, "duckdb": SqlTable}
MARKER = "Xq7Marker"


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_order_and_the_parts_of_the_input_leave_no_trace(place, tmp_path):
    """Shuffled, or divided into files otherwise, the input gives the same bytes."""
    frame = hostile_table(300, 2)
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    first, _ = place.release(frame, policy_of(), tmp_path / "one")
    parts = Place(place.engine, "folder")
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=5)
    parts.release(shuffled, policy_of(), tmp_path / "other")
    (only,) = (tmp_path / "other" / "out").glob("*.parquet")
    assert only.read_bytes() == Path(first).read_bytes()


def test_buckets_do_not_change_the_order(tmp_path, monkeypatch):
    """With little memory the rows are sorted bucket by bucket, and stand as they would in one."""
    frame = hostile_table(3000, 2)
    frame.write_parquet(tmp_path / "in.parquet")
    policy = policy_of()
    found, buckets, wanted = [], [], sorted_records.wanted_buckets
    monkeypatch.setattr(
        sorted_records,
        "wanted_buckets",
        lambda *given: buckets.append(wanted(*given)) or buckets[-1],
    )
    for memory in (10**9, 10**6):
        resources = Resources("polars", 10**9)
        with open_source(str(tmp_path / "in.parquet"), resolve(policy), resources) as source:
            decision = decide(source, resolve(policy), resources).plan
            source._limits = type(source._limits)(memory)
            source.write(decision, sink_for(str(tmp_path / "out.parquet"))).publish({}, {})
        found.append(pl.read_parquet(tmp_path / "out.parquet"))
    assert buckets[0] == 1 < buckets[1]
    assert found[0].equals(found[1])


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_files_of_a_folder_have_the_order_of_one_file(place, tmp_path):
    """However many there are, and as they are divided by number of rows alone."""
    frame = hostile_table(300, 2)
    (tmp_path / "one").mkdir()
    (tmp_path / "several").mkdir()
    first, _ = place.release(frame, policy_of(), tmp_path / "one")
    folder = Place(place.engine, "folder")
    out, _ = folder.release(frame, policy_of(), tmp_path / "several", rows_per_file=64)
    parts = [pl.read_parquet(path) for path in sorted(Path(out).glob("*.parquet"))]
    assert [part.height for part in parts[:-1]] == [64] * (len(parts) - 1)
    assert pl.concat(parts).equals(pl.read_parquet(first))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_folder_has_files_of_so_many_rows_and_hashes_of_them(engine, tmp_path):
    """The manifest lists them; the hash of the whole is that of what sha256sum prints."""
    place = Place(engine, "folder")
    out, written = place.release(hostile_table(300, 2), policy_of(), tmp_path, rows_per_file=100)
    parts = written.published.output.parts
    assert [part["rows"] for part in parts[:-1]] == [100] * (len(parts) - 1)
    assert sum(part["rows"] for part in parts) == written.published.records.released
    printed = subprocess.run(
        ["sha256sum", *(part["path"] for part in parts)], cwd=out, capture_output=True, check=True
    ).stdout
    digest = subprocess.run(["sha256sum"], input=printed, capture_output=True, check=True).stdout
    assert digest.decode().split()[0] == written.published.output.sha256


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_an_input_that_changes_is_noticed(place, tmp_path, monkeypatch):
    """Nothing is published then, and nothing is left."""
    kind = TABLES[place.engine]
    write = kind.write

    def touched(self, *given):
        os.utime(tmp_path / "in.parquet", (1, 1))
        return write(self, *given)

    monkeypatch.setattr(kind, "write", touched)
    with pytest.raises(SourceChangedError):
        place.release(hostile_table(200, 2), policy_of(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def doubled(frame):
    return pl.concat([frame, frame.head(1)])


def narrowed(frame):
    return frame.with_columns(pl.lit("[20, 25)").alias("age"))


def exchanged(frame):
    return frame.with_columns(pl.Series("note", frame["note"].to_list()[::-1]))


def cut(frame):
    return frame.head(-1)


@pytest.mark.parametrize("tamper", [doubled, narrowed, exchanged, cut])
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_verification_finds_what_was_not_decided(place, tamper, tmp_path):
    """It reads the written file again, and believes nothing else."""
    policy, resources = policy_of(), Resources(place.engine, 10**9)
    address, out = place.put(hostile_table(200, 2), tmp_path)
    with open_source(address, resolve(policy), resources) as source:
        decided = decide(source, resolve(policy), resources)
        for change in (None, tamper):
            draft = source.write(decided.plan, sink_for(out))
            (path,) = draft._paths()
            if change is not None:
                change(pl.read_parquet(path, memory_map=False)).write_parquet(path)
            manifest = parts.with_output(decided.published, draft.entry()).as_verified()
            found = verdict_on_draft(
                draft, parts.expected_of(decided), resolve(policy), manifest.document()
            )
            draft.discard()
            assert found.holds is (change is None), found.faults


def test_leftovers_of_killed_runs_are_removed(tmp_path):
    """Those of runs that go on are left alone."""
    dead = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    left = tmp_path / f".out.parquet.{int(dead.stdout)}-abc.partial"
    other = tmp_path / f".out.parquet.{os.getppid()}-abc.partial"
    left.mkdir()
    other.mkdir()
    Place("polars", "parquet").release(hostile_table(200, 2), policy_of(), tmp_path)
    assert not left.exists()
    assert other.exists()


def test_a_folder_is_replaced_only_on_request(tmp_path):
    """And then in one step, by a folder that is whole."""
    place, frame = Place("polars", "folder"), hostile_table(200, 2)
    out, _ = place.release(frame, policy_of(), tmp_path)
    (Path(out) / "strange.txt").write_text("old")
    again = partial(
        anonymize_in_parts, str(tmp_path / "in"), policy_of(), resources=Resources("polars")
    )
    with pytest.raises(OutputError, match="is there already"):
        again(sink_for(out))
    again(sink_for(out, may_replace=True))
    assert sorted(path.name for path in Path(out).iterdir()) == [
        "_manifest.json",
        "part-00000.parquet",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


@pytest.mark.parametrize(
    ("engine", "said"),
    [("polars", "No space left on device (os error 28)"), ("duckdb", 'IO Error: {"errno":"28"}')],
)
def test_a_full_disk_is_said_in_words_and_leaves_nothing(engine, said, tmp_path, monkeypatch):
    """Libraries say it in texts only."""
    duckdb = pytest.importorskip("duckdb")

    sink = pl.LazyFrame.sink_parquet

    def full(lazy, path, **words):
        if Path(path).name == "in.parquet":
            return sink(lazy, path, **words)
        raise OSError(said)

    if engine == "polars":
        monkeypatch.setattr(pl.LazyFrame, "sink_parquet", full)
    else:
        execute = DuckDbConnection.execute

        def failing(self, query):
            if "joined.parquet" not in query:
                return execute(self, query)
            with self._fixed_words():
                raise duckdb.Error(said)

        monkeypatch.setattr(DuckDbConnection, "execute", failing)
    with pytest.raises(OutputError, match="the disk is full"):
        Place(engine, "parquet").release(hostile_table(200, 2), policy_of(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_no_value_stands_in_sql_errors_or_what_is_left(tmp_path, monkeypatch):
    """A marker stands in every text of the table."""
    frame = hostile_table(200, 2).with_columns(
        pl.lit(MARKER).alias("note"), pl.concat_str(pl.lit(MARKER), "ill").alias("ill")
    )
    temporary, queries = tmp_path / "temporary", []
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    for name in ("execute", "fetch"):
        own = getattr(DuckDbConnection, name)
        monkeypatch.setattr(
            DuckDbConnection,
            name,
            lambda self, query, own=own: (queries.append(query), own(self, query))[1],
        )
    models = [{"name": "distinct-l-diversity", "column": "ill", "l": 2}]
    Place("duckdb", "parquet").release(frame, policy_of(models=models), tmp_path)
    assert queries
    assert not any(MARKER in query for query in queries)
    assert not list(temporary.iterdir())
    for query in ("SELECT CAST(note AS INTEGER) FROM t", f"SELECT nothing_{MARKER}"):
        connection = DuckDbConnection(Resources("duckdb").limits())
        connection.load("t", frame)
        with pytest.raises(EngineError) as error:
            connection.fetch(query.replace("FROM t", 'FROM "t"'))
        connection.close()
        assert MARKER not in str(error.value)
        assert error.value.__cause__ is None


def test_ragged_lines_are_named_by_number(tmp_path):
    """With and without quotes, in the first and in a later file."""
    policy = policy_of(typed=False)
    frame = hostile_table(50, 2, typed=False).with_columns(pl.lit("plain").alias("note"))
    for quoted in (False, True):
        text = frame.write_csv(quote_style="always" if quoted else "necessary")
        (tmp_path / "in.csv").write_text(f"{text}{MARKER},1\n")
        for engine in ("polars", "duckdb"):
            with pytest.raises(
                DataError, match=r"1 line does not have 8 cells \(line 52\)"
            ) as error:
                open_source(str(tmp_path / "in.csv"), resolve(policy), Resources(engine))
            assert MARKER not in str(error.value)


def test_what_takes_all_records_is_refused_with_what_can_be_had(tmp_path):
    """In one sentence, before anything is read."""
    policy = policy_of(release={"suppressed": "mask"})
    with pytest.raises(PolicyError) as error:
        anonymize_in_parts("nowhere/", policy, sink_for(str(tmp_path / "out")))
    assert all("--engine memory" in fault.remedy for fault in error.value.faults)


def test_a_join_with_a_decision_is_one_hash_join(tmp_path):
    """Neither a product nor nested loops, whatever DuckDB makes of the query."""
    hostile_table(200, 2).write_parquet(tmp_path / "in.parquet")
    policy, resources = policy_of(), Resources("duckdb", 10**9)
    with open_source(str(tmp_path / "in.parquet"), resolve(policy), resources) as source:
        release = source.release(decide(source, resolve(policy), resources).plan)
        plan = str(source._connection.raw.execute(f"EXPLAIN {release.ordered}").fetchall())
    plan = plan.lower().replace("_", " ")
    assert plan.count("hash join") == 1
    assert "nested" not in plan
    assert "cross" not in plan


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_killed_run_publishes_all_or_nothing(engine, tmp_path):
    """At ten moments chosen by chance; the next run removes what is left."""
    hostile_table(20_000, 2).write_parquet(tmp_path / "in.parquet")
    script = (
        "import sys; sys.path[:0] = ['tests']\n"
        "from large_tables import policy_of\n"
        "from indistinct.tables.engines.choosing import Resources\n"
        "from indistinct.tables.engines.sinks import sink_for\n"
        "from indistinct.tables.publish.parts import anonymize_in_parts\n"
        f"sink = sink_for({str(tmp_path / 'out')!r}, may_replace=True)\n"
        f"anonymize_in_parts({str(tmp_path / 'in.parquet')!r}, policy_of(), sink,"
        f" resources=Resources({engine!r}))\n"
    )
    begin = time.monotonic()
    subprocess.run([sys.executable, "-c", script], check=True)
    whole = time.monotonic() - begin
    chance = random.Random(4)
    for _ in range(10):
        process = subprocess.Popen([sys.executable, "-c", script])
        time.sleep(whole * chance.uniform(0.3, 1.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        names = {path.name for path in (tmp_path / "out").iterdir()}
        assert names == {"_manifest.json", "part-00000.parquet"}
    subprocess.run([sys.executable, "-c", script], check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "out"]
