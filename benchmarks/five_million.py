"""Inspect and publish five million records of fifty columns, a CSV of 900 MB, on a small machine.

    python benchmarks/five_million.py [--rows 5000000] [--memory 8] [--engine auto]

The table is made up, by a seed, in a temporary folder that is removed at the end. Each command runs
in a process of its own that may take no more than so many GB, and behind a terminal of its own, so
that it shows its progress. Printed are seconds, CPU seconds, the greatest memory, and the longest
time in which nothing was shown.
"""

from __future__ import annotations

import argparse
import os
import pty
import resource
import select
import sys
import tempfile
import time
from pathlib import Path

SEED = 20_260_501
BATCH = 250_000
CODES, MEASURES = 30, 11  # columns beside the quasi-identifiers and the diagnosis
QUASI_IDENTIFIERS = """
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.sex]
role = "quasi-identifier"
[columns.postcode]
role = "quasi-identifier"
hierarchy = { mask = 5 }
[columns.admission_date]
role = "quasi-identifier"
hierarchy = { dates = ["month", "quarter", "year"] }
[columns.occupation]
role = "quasi-identifier"
[columns.country]
role = "quasi-identifier"
[columns.education]
role = "quasi-identifier"
[columns.marital_status]
role = "quasi-identifier"
[columns.diagnosis]
role = "sensitive"
"""
PROMISE = """
[[models]]
name = "k-anonymity"
k = 5
[[models]]
name = "distinct-l-diversity"
column = "diagnosis"
l = 2
[method]
algorithm = "local"
max_suppression = 0.05
time_limit = {seconds}
"""


def main() -> None:
    """Make the table, and run both commands."""
    parser = argparse.ArgumentParser(description="Inspect and publish a large file of text.")
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--memory", type=float, default=8.0, help="GB that a command may take")
    parser.add_argument("--engine", default="auto", help="of the commands")
    parser.add_argument("--seconds", type=int, default=300, help="time_limit of the policy")
    parser.add_argument("--temp", help="where the folder is made")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.temp) as name:
        folder = Path(name)
        data, policy = folder / "visits.csv", folder / "policy.toml"
        columns = make(data, arguments.rows)
        print(f"{data.stat().st_size / 1e6:.0f} MB, {len(columns)} columns", flush=True)
        further = "".join(f'[columns.{one}]\nrole = "insensitive"\n' for one in columns)
        policy.write_text(
            QUASI_IDENTIFIERS + further + PROMISE.format(seconds=arguments.seconds), "utf-8"
        )
        engine = ["--engine", arguments.engine]
        out = ["--policy", str(policy), "--out", str(folder / "release.csv")]
        for words in (["inspect", str(data), *engine], ["anonymize", str(data), *out, *engine]):
            run(words, int(arguments.memory * 1e9))


def make(path: Path, rows: int) -> list[str]:
    """Write made-up visits, a part at a time; give the columns that the policy does not name."""
    import numpy as np
    import polars as pl

    day = np.datetime64("2023-01-01")
    further: list[str] = []
    with path.open("wb") as file:
        for start in range(0, rows, BATCH):
            chance = np.random.default_rng([SEED, start])
            n = min(BATCH, rows - start)
            age = (100 * chance.beta(1.8, 2.2, n)).astype(np.int64)
            known = {
                "age": age,
                "sex": worded("sex", chance.integers(0, 2, n)),
                "postcode": 10_000 + (chance.zipf(1.3, n) % 400) * 17,
                "admission_date": pl.Series(day + chance.integers(0, 700, n)).cast(pl.Date),
                "occupation": worded("job", np.minimum(chance.geometric(0.1, n), 25)),
                "country": worded("country", np.minimum(chance.geometric(0.4, n), 12)),
                "education": worded("school", chance.binomial(7, 0.5, n)),
                "marital_status": worded("status", np.minimum(chance.poisson(age / 30), 4)),
                "diagnosis": worded("ill", np.minimum(chance.geometric(0.08, n), 25)),
            }
            others = {f"item{x:02d}": chance.integers(0, 4 + x, n) for x in range(CODES)} | {
                f"value{x:02d}": chance.normal(5 + x, 2, n).round(1) for x in range(MEASURES)
            }
            further = list(others)
            pl.DataFrame({**known, **others}).write_csv(file, include_header=start == 0)
    return further


def worded(word: str, numbers: object) -> object:
    """Write numbers as words."""
    import numpy as np
    import polars as pl

    places = np.asarray(numbers)
    words = [f"{word} {chr(ord('a') + place)}" for place in range(int(places.max()) + 1)]
    return pl.Series(words).gather(pl.Series(places))


def run(words: list[str], memory: int) -> None:
    """Run a command behind a terminal, and print what it took."""
    started, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    child, terminal = pty.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.execv(sys.executable, [sys.executable, "-m", "indistinct", *words])
    last, longest, shown = started, 0.0, b""
    while True:
        ready, _, _ = select.select([terminal], [], [], 1.0)
        now = time.monotonic()
        longest = max(longest, now - last)
        if not ready:
            continue
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        last, shown = now, (shown + part)[-3_000:]
    _, status, usage = os.wait4(child, 0)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = spent.ru_utime + spent.ru_stime - used.ru_utime - used.ru_stime
    print(shown.decode("utf-8", "replace").replace("\r", "\n"))
    print(
        f"{words[0]}: status {os.waitstatus_to_exitcode(status)}, "
        f"{time.monotonic() - started:.0f} s, {cpu:.0f} CPU s, {usage.ru_maxrss / 1e6:.1f} GB, "
        f"nothing was shown for at most {longest:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
