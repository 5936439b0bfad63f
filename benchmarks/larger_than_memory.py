"""Measure what publishing a large Parquet file costs beside the engine's own group-by and copy.

    python benchmarks/larger_than_memory.py --rows 10000000 --engine duckdb --memory 2000

The table is made up, by a seed, in a folder that is removed at the end, or in that of ``--keep``,
which stays and is used again. Every step runs in a process of its own, so that its memory is its
own. Most columns have few digits, so that a record takes about 10 bytes in Parquet; with
``--all-digits``, three columns are measurements with all their digits, and it takes about 27.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BATCH = 1_000_000
COLUMNS = ["age", "sex", "postcode", "job", "diagnosis", "height", "visits", "cost", "ward"]
POLICY = """
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.sex]
role = "quasi-identifier"
[columns.postcode]
role = "quasi-identifier"
hierarchy = { mask = 5 }
[columns.job]
role = "quasi-identifier"
[columns.diagnosis]
role = "sensitive"
[columns.height]
role = "insensitive"
[columns.visits]
role = "insensitive"
[columns.cost]
role = "insensitive"
[columns.ward]
role = "insensitive"
[[models]]
name = "k-anonymity"
k = 5
[[models]]
name = "distinct-l-diversity"
column = "diagnosis"
l = 2
[method]
algorithm = "optimal"
max_suppression = 0.02
"""


def make(folder: Path, rows: int, *, all_digits: bool = False) -> None:
    """Write a table of made-up visits in parts of a million rows."""
    import numpy as np
    import polars as pl

    (folder / "in").mkdir()
    for number, start in enumerate(range(0, rows, BATCH)):
        chance = np.random.default_rng(number)
        n = min(BATCH, rows - start)
        frame = pl.DataFrame(
            {
                "age": chance.integers(0, 100, n).astype(np.int16),
                "sex": chance.choice(np.array(["f", "m"]), n),
                "postcode": 10_000 + (chance.zipf(1.3, n) % 500) * 17,
                "job": chance.choice(np.array([f"job {x}" for x in range(20)]), n),
                "diagnosis": chance.choice(np.array([f"D{x:02d}" for x in range(40)]), n),
                "height": chance.normal(170, 10, n).round(1),
                "visits": chance.poisson(3, n).astype(np.int32),
                "cost": chance.lognormal(6, 1, n).round(2),
                "ward": chance.choice(np.array([f"ward {x}" for x in range(60)]), n),
            }
        ).with_columns(pl.col("postcode").cast(pl.String))
        if all_digits:
            frame = frame.with_columns(
                height=chance.normal(170, 10, n),
                visits=chance.gamma(3, 1, n),
                cost=chance.lognormal(6, 1, n),
            )
        frame.write_parquet(folder / "in" / f"part-{number:05d}.parquet")


def bare(folder: Path, engine: str, memory: int) -> dict[str, float]:
    """Group by the same columns, and copy the table, as the engine does by itself."""
    taken: dict[str, float] = {}
    paths = str(folder / "in" / "*.parquet")
    keys = COLUMNS[:5]
    if engine == "polars":
        import polars as pl

        with Timed(taken, "group-by"):
            pl.scan_parquet(paths).group_by(keys).len().collect(engine="streaming")
        with Timed(taken, "copy"):
            pl.scan_parquet(paths).sink_parquet(folder / "copy.parquet", engine="streaming")
        return taken
    import duckdb

    connection = duckdb.connect(
        config={"memory_limit": f"{memory // 2_000_000}MB", "temp_directory": str(folder / "spill")}
    )
    listed = ", ".join(keys)
    with Timed(taken, "group-by"):
        query = (
            f"CREATE TEMP TABLE counted AS SELECT {listed}, COUNT(*) FROM '{paths}' GROUP BY ALL"
        )
        connection.execute(query)
    with Timed(taken, "copy"):
        copy = f"COPY (FROM '{paths}') TO '{folder / 'copy.parquet'}' (COMPRESSION zstd)"
        connection.execute(copy)
    return taken


def publish(folder: Path, engine: str, memory: int) -> dict[str, float]:
    """Publish the table, step by step."""
    from indistinct import Policy
    from indistinct.tables.engines.choosing import Resources
    from indistinct.tables.engines.sinks import sink_for
    from indistinct.tables.policy.specification import resolve
    from indistinct.tables.publish import parts, pipeline

    (folder / "policy.toml").write_text(POLICY)
    rules = resolve(Policy.load(folder / "policy.toml"))
    resources = Resources(engine, memory, str(folder))
    sink = sink_for(str(folder / "out"), hashes=False, may_replace=True)
    taken: dict[str, float] = {}
    with parts.open_source(str(folder / "in"), rules, resources) as source:
        of_engine(source, ("profile", "count", "sample", "write"), taken)
        with Timed(taken, "decide with counting"):
            decided = pipeline.decide(source, rules, resources, hashes=False)
        draft = source.write(decided.plan, sink)
        with Timed(taken, "verify"):
            found = parts.verdict_on_draft(
                draft,
                parts.expected_of(decided),
                rules,
                parts.with_output(decided.published, draft.entry()).as_verified().document(),
            )
        draft.discard()
    assert found.holds is True, found.faults
    taken["tuples"] = decided.count.tally.frame.height
    taken["released"] = found.records
    return taken


def of_engine(source: object, names: tuple[str, ...], taken: dict[str, float]) -> None:
    """Measure methods of an open table."""
    for name in names:
        method = getattr(source, name)

        def timed(
            *args: object, _method: object = method, _name: str = name, **words: object
        ) -> object:
            with Timed(taken, _name):
                return _method(*args, **words)  # pyright: ignore[reportCallIssue]

        setattr(source, name, timed)


class Timed:
    """Adds seconds of the clock and of the processors to what was taken before."""

    def __init__(self, taken: dict[str, float], name: str) -> None:
        self.taken, self.name = taken, name

    def __enter__(self) -> None:
        self.begin = time.perf_counter(), cpu()

    def __exit__(self, *error: object) -> None:
        wall, used = time.perf_counter() - self.begin[0], cpu() - self.begin[1]
        for word, value in ((f"{self.name} wall", wall), (f"{self.name} cpu", used)):
            self.taken[word] = round(self.taken.get(word, 0.0) + value, 2)


def cpu() -> float:
    """Return the seconds that all threads of this process have computed."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Run the steps, each in a process of its own, and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--engine", default="duckdb")
    parser.add_argument("--memory", type=int, default=2_000)
    parser.add_argument("--temp")
    parser.add_argument("--step")
    parser.add_argument("--keep", type=Path, help="folder of a table that is made once")
    parser.add_argument("--all-digits", action="store_true", help="27 bytes a record, not 10")
    given = parser.parse_args()
    memory = given.memory * 1_000_000
    if given.step:
        steps = {"bare": bare, "publish": publish}
        taken = steps[given.step](Path(given.temp), given.engine, memory)
        taken["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(json.dumps(taken))
        return
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
        if not (given.keep / "in").exists():
            make(given.keep, given.rows, all_digits=given.all_digits)
        run(given.keep, given.engine, given.memory)
        (given.keep / "copy.parquet").unlink()
        return
    with tempfile.TemporaryDirectory(dir=given.temp) as folder:
        make(Path(folder), given.rows, all_digits=given.all_digits)
        run(Path(folder), given.engine, given.memory)


def run(folder: Path, engines: str, memory: int) -> None:
    """Measure engines on a table, each step in a process of its own."""
    size = sum(path.stat().st_size for path in (folder / "in").iterdir())
    print(f"{size / 1e6:.0f} MB of Parquet")
    for engine in engines.split(","):
        for step in ("bare", "publish"):
            words = [sys.executable, __file__, "--step", step, "--temp", str(folder)]
            words += ["--engine", engine, "--memory", str(memory)]
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            print(engine, step, done.stdout, flush=True)


if __name__ == "__main__":
    main()
