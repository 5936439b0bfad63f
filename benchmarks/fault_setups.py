"""What the commands of ``fault_cases.py`` need and no command makes, as words that may stand there.

Each runs in a forked process, in the folder of the trial: DuckDB starts threads, and a process that
has some cannot be forked any more.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import fault_storage
from what_is_left import ADDRESS

if TYPE_CHECKING:
    import pg8000.native

RELEASED = ("released", "released_manifest")


def split_into_parts() -> None:
    """Divide the table among three files of a folder."""
    header, *rows = Path("data.csv").read_text("utf-8").splitlines()
    Path("parts").mkdir()
    for part in range(3):
        lines = [header, *rows[part::3]]
        Path(f"parts/{part}.csv").write_text("\n".join(lines) + "\n", "utf-8")


def load_into_duckdb() -> None:
    """Put the table into a DuckDB file."""
    import duckdb

    with duckdb.connect("data.duckdb") as connection:
        connection.execute("CREATE TABLE visits AS FROM 'data.csv'")


def load_into_duckdb_with_numbers() -> None:
    """Put the table into a DuckDB file, with a number for each record."""
    import duckdb

    with duckdb.connect("data.duckdb") as connection:
        connection.execute(
            "CREATE TABLE visits AS SELECT row_number() OVER () AS number, * FROM 'data.csv'"
        )


def write_parquet() -> None:
    """Write the table as Parquet files of a folder."""
    import duckdb

    Path("parts.parquet").mkdir()
    duckdb.sql("COPY (FROM 'data.csv') TO 'parts.parquet/0.parquet'")


def make_temporary() -> None:
    """Make the folder for what does not fit into memory; what a killed run left in it stays."""
    Path(".temporary").mkdir(exist_ok=True)


def serve_a_bucket() -> None:
    """Start a stand-in for an object storage, whose objects are files here."""
    fault_storage.start(Path("bucket"))


def set_up_spark() -> None:
    """Let Spark be as small as it gets, and keep what it spills here."""
    settings = {
        "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1",
        "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(Path(".spark").absolute()),
        "spark.log.level": "OFF",
    }  # fmt: skip
    words = " ".join(f"--conf {word}={value}" for word, value in settings.items())
    os.environ["PYSPARK_SUBMIT_ARGS"] = (
        f"--master local[1] --driver-memory 600m {words} "
        '--conf "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" '
        "pyspark-shell"
    )


def publish_on_a_spark_path() -> None:
    """Publish by addresses that only Spark reads and writes."""
    from indistinct.frontends.cli.main import status

    here = Path.cwd().as_uri()
    words = ["anonymize", f"{here}/parts.parquet", "--policy", "policy.toml", "--replace"]
    code = status([*words, "--out", f"{here}/release"], show_values=False)
    if code:
        os._exit(code)


def load_into_postgresql() -> None:
    """Put the table into a schema of the server."""
    with connected(os.environ["INDISTINCT_POSTGRES"]) as connection:
        run = connection.run
        run("DROP TABLE IF EXISTS fault_visits")
        run("CREATE TABLE fault_visits (sex text, postcode text, height_cm float, diagnosis text)")
        _, *rows = Path("data.csv").read_text("utf-8").splitlines()
        for row in rows:
            sex, postcode, height, diagnosis = (cell or None for cell in row.split(","))
            cells = {"a": sex, "b": postcode, "c": height and float(height), "d": diagnosis}
            run("INSERT INTO fault_visits VALUES (:a, :b, :c, :d)", **cells)
    Path(ADDRESS).write_text(os.environ["INDISTINCT_POSTGRES"])


def drop_in_postgresql() -> None:
    """Take the release of the trial before away."""
    with connected(os.environ["INDISTINCT_POSTGRES"]) as connection:
        for name in RELEASED:
            connection.run(f"DROP TABLE IF EXISTS fault_{name}")


def connected(address: str) -> AbstractContextManager[pg8000.native.Connection]:
    """Connect to the server through its socket, until the block ends."""
    import pg8000.native

    parts = urlsplit(address)
    folder = parse_qs(parts.query)["host"][0]
    socket = f"{folder}/.s.PGSQL.5432"
    connection = pg8000.native.Connection(
        parts.username or "postgres", database=parts.path[1:], unix_sock=socket
    )
    return closing(connection)


def forbid_pairs() -> None:
    """Let no made-up record of a declared table have some pairs of values."""
    with Path("patients.toml").open("a", encoding="utf-8") as declared:
        declared.write('\n[[synthesis.forbidden]]\ncolumns = ["sex", "insurance"]\n')
        declared.write('pairs = [["male", "private"]]\n')


def make_a_run_of_the_app() -> None:
    """Make the release that the application found, in the folder in which it keeps one."""
    run = Path("found")
    run.mkdir()
    for old, new in (
        ("out.csv", "out.csv"), ("out.csv.manifest.json", "out.csv.manifest.json"),
        ("m.jsonld", "out.csv.metadata.jsonld"), ("owner.json", "owner.json"),
        ("cross.csv", "crosswalk.csv"),
    ):  # fmt: skip
        shutil.move(old, run / new)


def publish_in_the_app() -> None:
    """Take the last step of the application: verify, and make the numbered folder."""
    from indistinct.frontends.app.work.publish import published

    words = tomllib.loads(Path("policy.toml").read_text("utf-8"))
    Path("releases").mkdir(exist_ok=True)
    number = str(len(list(Path("releases").glob("[0-9]*"))) + 1)
    published(lambda *_: None, words, ".", "data.csv", "found/out.csv", f"releases/{number}")


SETUPS = {
    "split-into-parts": split_into_parts,
    "load-into-duckdb": load_into_duckdb,
    "load-into-duckdb-with-numbers": load_into_duckdb_with_numbers,
    "write-parquet": write_parquet,
    "make-temporary": make_temporary,
    "serve-a-bucket": serve_a_bucket,
    "set-up-spark": set_up_spark,
    "publish-on-a-spark-path": publish_on_a_spark_path,
    "load-into-postgresql": load_into_postgresql,
    "drop-in-postgresql": drop_in_postgresql,
    "forbid-pairs": forbid_pairs,
    "make-a-run-of-the-app": make_a_run_of_the_app,
    "publish-in-the-app": publish_in_the_app,
}
