"""Judge what a command that was cut off has left: files, pairs of files, ledgers and histories."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

ADDRESS = "address.txt"  # a trial that has this file writes to a PostgreSQL server
ROWS = 300  # of the table that is released
ANSWER = re.compile(r'"answer": (-?\d+),')  # of ``database ask --json``


def state(folder: Path) -> dict[str, str]:
    """Return the hash of every file that is no trace of a run."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.parts[len(folder.parts) :])
    }


def judged(folder: Path, before: dict[str, str]) -> str:
    """Return what a run left: ``whole``, ``refused`` or what is lost."""
    after = state(folder)
    # SQLite removes its journal when it next opens the file, as the checks below do.
    journals = [name for name in after if name.endswith("-journal")]
    changed = [name for name, found in after.items() if before.get(name) != found]
    changed = [name for name in changed if name not in journals]
    words = ["whole", *(_whole(folder / name) for name in changed)]
    lost = set(before) - set(after)
    if lost:
        return f"gone: {min(lost)}"
    words += [_pair(manifest) for manifest in folder.glob("*.manifest.json")]
    words += [_parts(place) for place in folder.iterdir() if place.name == "release"]
    words += [_parts(place) for place in folder.glob("bucket/release")]
    words += [_linked(place) for place in folder.glob("cross.csv")]
    words += [_numbered(place) for place in folder.glob("releases/[0-9]*")]
    words += [told for told in (contradiction(folder), forgotten(folder)) if told]
    words += [_tables(folder)] if (folder / ADDRESS).exists() else []
    return next((word for word in words if word not in {"whole", "refused"}), max(words, key=len))


def _whole(file: Path) -> str:
    """Return whether a file that changed is whole, by its form."""
    try:
        match file.suffix:
            case ".json":
                json.loads(file.read_text())
            case ".toml":
                tomllib.loads(file.read_text())
            case ".html":
                assert file.read_text().rstrip().endswith("</html>")
            case ".db" | ".ledger" | ".sqlite":
                _database(file)
            case ".duckdb":
                assert _in_a_fork(lambda: _duckdb(file))
            case ".csv":
                text = file.read_text()
                assert text.endswith("\n")
                assert len({len(row) for row in csv.reader(text.splitlines())}) == 1
            case _:
                if file.read_bytes()[:15] == b"SQLite format 3":
                    _database(file)
    except (AssertionError, ValueError, sqlite3.Error) as error:
        return f"broken: {file.name} ({type(error).__name__})"
    return "whole"


def _database(file: Path) -> None:
    """Check a ledger or a history."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _pair(manifest: Path) -> str:
    """Return whether a manifest describes the files beside it; where not, readers refuse them."""
    document = json.loads(manifest.read_text())
    release = manifest.with_name(manifest.name.removesuffix(".manifest.json"))
    if not release.exists():
        return "whole"
    said = {release.name: document.get("output_sha256") or document.get("output", {}).get("sha256")}
    said |= {name: one["sha256"] for name, one in document.get("files", {}).items()}
    if "sensitive" in document:
        second = f"{release.stem}.sensitive{release.suffix}"
        said[second] = document["sensitive"]["sha256"]
    for name, wanted in said.items():
        beside = manifest.with_name(name)
        if not beside.exists() or hashlib.sha256(beside.read_bytes()).hexdigest() != wanted:
            return "refused"
    return "whole"


def _parts(release: Path) -> str:
    """Return whether a folder has the parts that its manifest lists, and no others."""
    manifest = release / "_manifest.json"
    if not manifest.exists():
        # In object storage, what no manifest lists is not released.
        is_stored = release.parent.name == "bucket"
        has_parts = not is_stored and any(release.iterdir())
        return "broken: parts without a manifest" if has_parts else "whole"
    listed = json.loads(manifest.read_text())["output"]["parts"]
    wanted = {one["path"]: one["sha256"] for one in listed}
    found = {
        part.name: hashlib.sha256(part.read_bytes()).hexdigest() for part in release.glob("part-*")
    }
    return "whole" if found == wanted else "refused"


def _linked(crosswalk: Path) -> str:
    """Return whether a crosswalk lists each record once, and as many as the release has."""
    lines = list(csv.DictReader(crosswalk.read_text("utf-8").splitlines()))
    if "input_file" not in (lines[0] if lines else {}):
        return "whole"
    places = {(line["input_file"], line["input_row"]) for line in lines}
    if len(places) != ROWS or len(lines) != ROWS:
        return "broken: a crosswalk that does not list each record once"
    manifest = crosswalk.with_name("release") / "_manifest.json"
    if not manifest.exists():
        return "whole"
    released = sum(line["output_row"] != "-1" for line in lines)
    is_same = released == json.loads(manifest.read_text())["output"]["rows"]
    return "whole" if is_same else "refused"


def leftovers(folder: Path) -> list[str]:
    """Name the hidden files with content that a run left, those of temporary folders included."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    names = (path.relative_to(folder) for path in found)
    return [
        name.as_posix()
        for name in names
        if name.name != ".said" and any(part.startswith(".") for part in name.parts)
    ]


def _numbered(place: Path) -> str:
    """Return whether a numbered folder of the application has all that belongs to it."""
    given = {"out.csv", "out.csv.manifest.json", "out.csv.metadata.jsonld", "policy.toml",
             "about.html"}  # fmt: skip
    kept = {"crosswalk.csv", "owner.json", "policy.toml", "report.html"}
    names = [{one.name for one in (place / part).iterdir()} for part in ("give-away", "keep")]
    if names != [given, kept]:
        return "broken: a numbered folder that is not whole"
    return _pair(place / "give-away" / "out.csv.manifest.json")


def _in_a_fork(check: Callable[[], bool]) -> bool:
    """Check where threads may be started: a process that has some cannot be forked any more."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    try:
        os._exit(not check())
    finally:
        os._exit(1)


def _duckdb(file: Path) -> bool:
    """Check that a DuckDB file has its table, and a whole release with its manifest or neither."""
    import duckdb

    with duckdb.connect(str(file), read_only=True) as connection:

        def rows(table: str) -> list[tuple]:
            return connection.execute(f"FROM {table}").fetchall()

        names = {name for (name,) in connection.execute("SHOW TABLES").fetchall()}
        return len(rows("visits")) == ROWS and is_release_in_tables(names, "released", rows)


def is_release_in_tables(
    names: set[str], released: str, rows: Callable[[str], Sequence[Sequence]]
) -> bool:
    """Return whether a database has a release with the manifest that describes it, or neither."""
    tables = {released, f"{released}_manifest"}
    if not tables <= names:
        return not tables & names
    document = json.loads(rows(f"{released}_manifest")[0][0])
    return len(rows(released)) == document["output"]["rows"]


def _tables(folder: Path) -> str:
    """Check the tables on a PostgreSQL server."""
    from fault_setups import connected

    with connected((folder / ADDRESS).read_text()) as connection:
        found = connection.run("SELECT tablename FROM pg_tables WHERE tablename LIKE 'fault_%'")
        names = {name for (name,) in found}

        def rows(table: str) -> list[list]:
            return connection.run(f"SELECT * FROM {table}")

        whole = len(rows("fault_visits")) == ROWS
        whole = whole and is_release_in_tables(names, "fault_released", rows)
    return "whole" if whole else "broken: the tables on the server"


def forgotten(folder: Path) -> str | None:
    """Find a release whose file stands, and of which the history beside it knows nothing."""
    if not (folder / "h.db").exists():
        return None
    with closing(sqlite3.connect(folder / "h.db")) as history:
        known = {one for (one,) in history.execute("SELECT output_sha256 FROM releases")}
    for file in folder.glob("r[0-9].csv"):
        if hashlib.sha256(file.read_bytes()).hexdigest() not in known:
            return f"broken: {file.name} is not in the history"
    return None


def given_out(said: Path) -> Counter[int]:
    """Count the answers that a client could read, whole reply or not."""
    return Counter(map(int, ANSWER.findall(said.read_text("utf-8", "replace"))))


def contradiction(folder: Path) -> str | None:
    """Say how ledgers contradict the answers that got out or themselves; None where they do not."""
    out = given_out(folder / ".said")
    for file in folder.glob("*.ledger"):
        with closing(sqlite3.connect(file)) as ledger:
            # A run that was cut off before it declared anything; the next one begins anew.
            if not ledger.execute("SELECT * FROM sqlite_master WHERE name = 'charges'").fetchall():
                continue
            charges = ledger.execute("SELECT id, shared, answer FROM charges").fetchall()
            accounts = dict(ledger.execute("SELECT scope, account FROM accounts").fetchall())
        stored = [json.loads(answer) for _, _, answer in charges if answer is not None]
        counts = (numbers for answer in stored for numbers in answer.get("numbers", {}).values())
        out -= Counter(numbers[0] for numbers in counts)
        spent = json.loads(accounts["everybody"])["total"] if charges else 0
        if spent != sum(shared for _, shared, _ in charges):
            return "broken: an account is not the sum of its charges"
        if _made_up(folder) - {number for number, *_ in charges}:
            return "broken: a made-up table that nobody paid for"
    return f"broken: {out.total()} answers got out that nobody paid for" if out else None


def _made_up(folder: Path) -> set[int]:
    """Return the charges that manifests of made-up tables name."""
    documents = [json.loads(file.read_text("utf-8")) for file in folder.glob("*.manifest.json")]
    return {document["ledger_entry"] for document in documents if "ledger_entry" in document}
