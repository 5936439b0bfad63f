"""Tables that are not read whole: what engines estimate, join and remember, and missing parts."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.engines.sources import PersonKey
from indistinct.tables.engines.sql import SqlTable
from indistinct.tables.engines.streaming import StreamingTable
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish import parts
from indistinct.tables.publish.parts import open_source
from indistinct.tables.publish.pipeline import decide
from indistinct.tables.verification.drafts import verdict_on_draft
from large_tables import Place, hostile_table, policy_of, sorted_rows

PLACES = [Place("polars", "parquet"), Place("duckdb", "parquet")]
TABLES = {"polars": StreamingTable, "duckdb": SqlTable}
COARSE = {
    "income": {"hierarchy": {"intervals": [1, 2, 4]}},
    "city": {"hierarchy": {"mask": 9}},
}
PRODUCTS = ("nested", "cross", "blockwise", "piecewise", "iejoin", "positional")


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_nulls_in_every_key_are_one_value_of_each_column(place, tmp_path):
    """A record without a single known key, and a column without a single known cell."""
    frame = hostile_table(80, 4)
    nothing = pl.DataFrame([frame[:9][name] for name in frame.columns]).with_columns(
        *(pl.lit(None, frame.schema[name]).alias(name) for name in ("age", "income", "city")),
        pl.lit(None, pl.Date).alias("born"),
    )
    frame = pl.concat([frame, nothing]).with_columns(pl.lit(None, pl.String).alias("note"))
    frame = frame.with_columns(pl.lit(None, pl.Float64).alias("income"))
    expected = ind.anonymize(frame, policy_of(), seed=1).data
    out, _ = place.release(frame, policy_of(), tmp_path)
    found = pl.read_parquet(out)
    assert found["income"].null_count() == found["note"].null_count() == found.height
    assert sorted_rows(found) == sorted_rows(expected)
    assert found.height > 60


@pytest.mark.parametrize("guess", [1, 10**9, None], ids=["too few", "too many", "none"])
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_wrong_estimate_costs_detail_and_nothing_else(place, guess, tmp_path, monkeypatch):
    """What fits is found by counting; a release that was counted too coarsely is still exact."""
    monkeypatch.setattr(TABLES[place.engine], "estimate", lambda self, keys: guess)
    policy = policy_of(columns=COARSE)
    limited = Place(place.engine, "parquet", options={"most_rows": 150})
    out, written = limited.release(hostile_table(400, 5), policy, tmp_path)
    assert written.exact.method.facts["counted"]["tuples"] <= 150
    sizes = pl.read_parquet(out).group_by(policy.class_names).len()["len"]
    assert sizes.min() >= 3


@pytest.mark.parametrize(
    ("words", "options"),
    [({"columns": COARSE}, {"most_rows": 150}), ({"method": {"algorithm": "mondrian"}}, {})],
    ids=["labels", "split"],
)
def test_no_join_of_a_release_is_a_product(words, options, tmp_path):
    """Neither where labels are counted, nor where the records of a row go to several classes."""
    hostile_table(400, 5).write_parquet(tmp_path / "in.parquet")
    policy, resources = policy_of(**words), Resources("duckdb", 10**9, **options)
    with open_source(str(tmp_path / "in.parquet"), resolve(policy), resources) as source:
        decided = decide(source, resolve(policy), resources)
        assert bool(decided.count.levels) is bool(options)
        release = source.release(decided.plan)
        plan = str(source._connection.raw.execute(f"EXPLAIN {release.ordered}").fetchall())
    plan = plan.lower().replace("_", " ")
    assert "hash join" in plan
    assert not [word for word in PRODUCTS if word in plan]


def test_a_part_of_the_hashes_tells_how_many_rows_differ(tmp_path, monkeypatch):
    """Within a twentieth, from about 1,900 of 15,000 rows; a small table is counted exactly."""
    chance = np.random.default_rng(2)
    keys = {"one": chance.integers(0, 1000, 60_000), "other": chance.integers(0, 16, 60_000)}
    frame = pl.DataFrame(keys)
    frame.write_parquet(tmp_path / "in.parquet")
    opening = Resources("polars", 10**9).opening((), None)
    expected = frame.n_unique()
    with open_table(str(tmp_path / "in.parquet"), opening, "polars") as source:
        assert source.estimate([PersonKey("one"), PersonKey("other")]) == expected
        monkeypatch.setattr("indistinct.tables.engines.streaming.FEW", 15_000)
        assert source.estimate([PersonKey("one"), PersonKey("other")]) == pytest.approx(
            expected, rel=0.05
        )


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_verification_finds_that_a_part_is_missing(place, tmp_path):
    """The other files alone do not have the rows that were decided."""
    policy, resources = policy_of(), Resources(place.engine, 10**9)
    address, out = Place(place.engine, "folder").put(hostile_table(200, 2), tmp_path)
    with open_source(address, resolve(policy), resources) as source:
        decided = decide(source, resolve(policy), resources)
        draft = source.write(decided.plan, sink_for(out, rows_per_file=50))
        first, *others = sorted(draft._paths())
        assert others
        first.unlink()
        manifest = parts.with_output(decided.published, draft.entry()).as_verified()
        found = verdict_on_draft(
            draft, parts.expected_of(decided), resolve(policy), manifest.document()
        )
        draft.discard()
    assert found.holds is False


@pytest.mark.slow
def test_ten_million_records_are_published_within_little_memory(tmp_path):
    """With 512 MB for the program the process stays below 1.5 GB; the rest is spilled."""
    script = Path("benchmarks/larger_than_memory.py")
    words = ["--rows", "10000000", "--engine", "duckdb", "--memory", "512"]
    child = subprocess.Popen([sys.executable, script, *words, "--temp", tmp_path])
    _, status, used = os.wait4(child.pid, 0)  # of this process and no other one
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    assert used.ru_maxrss < 1.5 * 10**9 / 1024
    assert not list(tmp_path.iterdir())
