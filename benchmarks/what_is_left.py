"""Judge what a command that was cut off has left: files, pairs of files, ledgers and histories."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sqlite3
import tomllib
from collections import Counter
from contextlib import closing
from pathlib import Path

ANSWER = re.compile(r'"answer": (-?\d+),')  # of ``database ask --json``


def state(folder: Path) -> dict[str, str]:
    """Give the hash of every file that is no trace of a run."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.parts[len(folder.parts) :])
    }


def judged(folder: Path, before: dict[str, str]) -> str:
    """Say what a run left: ``whole``, ``refused`` or what is lost."""
    after = state(folder)
    changed = [name for name, found in after.items() if before.get(name) != found]
    words = ["whole", *(_whole(folder / name) for name in changed)]
    lost = set(before) - set(after)
    if lost:
        return f"gone: {min(lost)}"
    words += [_pair(manifest) for manifest in folder.glob("*.manifest.json")]
    words += [told] if (told := contradiction(folder)) else []
    return next((word for word in words if word not in {"whole", "refused"}), max(words, key=len))


def _whole(file: Path) -> str:
    """Tell whether a file that changed is whole, by its form."""
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
    """Tell whether a manifest describes the files beside it; where not, readers refuse them."""
    document = json.loads(manifest.read_text())
    release = manifest.with_name(manifest.name.removesuffix(".manifest.json"))
    if not release.exists():
        return "whole"
    said = {release.name: document.get("output_sha256") or document.get("output", {}).get("sha256")}
    said |= {name: one["sha256"] for name, one in document.get("files", {}).items()}
    for name, wanted in said.items():
        beside = manifest.with_name(name)
        if not beside.exists() or hashlib.sha256(beside.read_bytes()).hexdigest() != wanted:
            return "refused"
    return "whole"


def given_out(said: Path) -> Counter[int]:
    """Count the answers that a client could read, whole reply or not."""
    return Counter(map(int, ANSWER.findall(said.read_text("utf-8", "replace"))))


def contradiction(folder: Path) -> str | None:
    """Say how ledgers contradict the answers that got out or themselves; None where they do not."""
    out = given_out(folder / ".said")
    for file in folder.glob("*.ledger"):
        with closing(sqlite3.connect(file)) as ledger:
            charges = ledger.execute("SELECT id, shared, answer FROM charges").fetchall()
            accounts = dict(ledger.execute("SELECT scope, account FROM accounts").fetchall())
        stored = [json.loads(answer) for _, _, answer in charges if answer is not None]
        out -= Counter(answer[0][0] for answer in stored if isinstance(answer, list))
        spent = json.loads(accounts["everybody"])["total"] if charges else 0
        if spent != sum(shared for _, shared, _ in charges):
            return "broken: an account is not the sum of its charges"
        if _made_up(folder) - {number for number, *_ in charges}:
            return "broken: a made-up table that nobody paid for"
    return f"broken: {out.total()} answers got out that nobody paid for" if out else None


def _made_up(folder: Path) -> set[int]:
    """Give the charges that manifests of made-up tables name."""
    documents = [json.loads(file.read_text("utf-8")) for file in folder.glob("*.manifest.json")]
    return {document["ledger_entry"] for document in documents if "ledger_entry" in document}
