"""Speed of door 3: a grouped count on 10^7 rows, and questions per second over HTTP.

Run: python benchmarks/database.py [--rows 10000000] [--seconds 10] [--folder DIR]

Prints one JSON line per case. ``ratio`` is the library's time over that of the bare DuckDB query on
the same file; ``loaded_ratio`` over that of the bare query on a table loaded into DuckDB; the limit
is 1.3 times plus 10 ms. The HTTP case counts answered, charged questions, each of which reached the
disk twice (reserve, commit), on a table of 10^5 rows; the limit is 100 per second on two cores.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import duckdb

from indistinct.questions.database import add_analyst, init, open_session
from indistinct.questions.database.relational.statement import compiled

GROUPS = ("a", "b", "c", "d", "e", "f", "g", "h")
SERVE = (
    "import sys; from indistinct.questions.database.server import serve; "
    "serve(sys.argv[1], port=8733)"
)


def make_table(path: Path, rows: int) -> None:
    """Write people with an age and one of eight regions, from a fixed formula."""
    regions = ", ".join(f"'{group}'" for group in GROUPS)
    duckdb.sql(
        f"COPY (SELECT range AS id, (hash(range) % 100)::INT AS age, "
        f"[{regions}][1 + (hash(range * 7) % 8)::INT] AS region FROM range({rows})) "
        f"TO '{path}' (FORMAT parquet)"
    )


def declare(folder: Path, rows: int, epsilon: int) -> Path:
    """Declare the table."""
    data = folder / "people.parquet"
    make_table(data, rows)
    out = folder / "people.toml"
    init(
        data,
        person="id",
        epsilon=epsilon,
        out=out,
        bounds={"age": (0, 100)},
        values={"region": GROUPS},
    )
    return out


def best(*runs: Callable[[], object], repeats: int = 25) -> list[float]:
    """Return the best time of each of several things, in seconds, taken in turns."""
    times = [float("inf")] * len(runs)
    for _ in range(repeats):
        for number, run in enumerate(runs):
            began = time.perf_counter()
            run()
            times[number] = min(times[number], time.perf_counter() - began)
    return times


def grouped_count(rows: int, place: Path) -> dict[str, Any]:
    """Compare the library with the bare query."""
    with tempfile.TemporaryDirectory(dir=place) as name:
        folder = Path(name)
        path = declare(folder, rows, 1000)
        connection = duckdb.connect()
        data = folder / "people.parquet"
        bare_sql = "SELECT region, count(*) FROM {} WHERE age > 30 GROUP BY region"
        connection.execute(f"CREATE TABLE people AS SELECT * FROM '{data}'")
        began = time.perf_counter()
        with open_session(path) as session:
            opened = time.perf_counter() - began
            text = "SELECT region, COUNT(*) FROM people WHERE age > 30 GROUP BY region"
            statement = compiled(text, session.engine.setting())
            query = statement.query(statement.parts, session.dataset.budget.accounting)
            bare, loaded, ours, counted = best(
                lambda: connection.execute(bare_sql.format(f"'{data}'")).fetchall(),
                lambda: connection.execute(bare_sql.format("people")).fetchall(),
                lambda: session.ask(text, epsilon=1, fresh=True),
                lambda: session.engine.fetch(query),
            )
        connection.close()
    return {
        "case": "grouped count",
        "rows": rows,
        "bare_seconds": bare,
        "loaded_seconds": loaded,
        "seconds": ours,
        "counting_seconds": counted,
        "ratio": ours / bare,
        "loaded_ratio": ours / loaded,
        "within_limit": ours <= 1.3 * bare + 0.01,
        "within_limit_loaded": ours <= 1.3 * loaded + 0.01,
        "open_seconds": opened,
    }


def http(seconds: float, place: Path, clients: int = 16, rows: int = 100_000) -> dict[str, Any]:
    """Ask new questions from several clients at once."""
    with tempfile.TemporaryDirectory(dir=place) as name:
        path = declare(Path(name), rows, 10**6)
        token = add_analyst(path, name="bench")
        server = subprocess.Popen([sys.executable, "-c", SERVE, str(path)])
        try:
            wait()
            counts, until = [0] * clients, time.monotonic() + seconds
            threads = [
                threading.Thread(target=ask_until, args=(until, token, counts, n))
                for n in range(clients)
            ]
            began = time.monotonic()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            elapsed = time.monotonic() - began
        finally:
            server.terminate()
            server.wait()
    rate = sum(counts) / elapsed
    return {
        "case": "http",
        "rows": rows,
        "clients": clients,
        "per_second": rate,
        "within_limit": rate >= 100,
    }


def wait() -> None:
    """Wait for the service."""
    for _ in range(600):
        try:
            connection = HTTPConnection("127.0.0.1", 8733, timeout=5)
            connection.request("GET", "/openapi.json")
            connection.getresponse().read()
        except OSError:
            time.sleep(0.1)
        else:
            return


def ask_until(until: float, token: str, counts: list[int], number: int) -> None:
    """Ask one new question after the other."""
    connection = HTTPConnection("127.0.0.1", 8733, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    while time.monotonic() < until:
        where = f"age > {counts[number]}.{number:02d}"
        question = f"SELECT region, COUNT(*) FROM people WHERE {where} GROUP BY region"
        connection.request(
            "POST", "/ask", json.dumps({"question": question, "epsilon": "0.001"}), headers
        )
        response = connection.getresponse()
        response.read()
        counts[number] += response.status == 200
    connection.close()


def main() -> None:
    """Run both cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    options = parser.parse_args()
    print(json.dumps(grouped_count(options.rows, options.folder)))
    print(json.dumps(http(options.seconds, options.folder)))


if __name__ == "__main__":
    main()
