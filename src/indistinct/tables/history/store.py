"""The history in one SQLite file: what was released of whom, written down before it is published.

A release is committed here as pending, with the hash of its file, before the file has its name.
Whatever happens in between, a later run finds out what became of it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, final

from indistinct.base.files.durable import Complaints, Execute, SqliteFile
from indistinct.errors import HistoryError, HistoryMovedError
from indistinct.tables.history.entries import (
    VERSION,
    Made,
    Past,
    ReleasedClass,
    ReleaseState,
    Step,
    TableFacts,
    Tie,
)

TABLES = (
    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS releases (
        number INTEGER PRIMARY KEY, made TEXT NOT NULL, input_sha256 TEXT NOT NULL,
        output_sha256 TEXT NOT NULL, policy_sha256 TEXT NOT NULL, rows INTEGER NOT NULL,
        counterfeits INTEGER NOT NULL, state TEXT NOT NULL, output TEXT NOT NULL
    )
    """,
    "CREATE TABLE IF NOT EXISTS signatures (id INTEGER PRIMARY KEY, vals TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE IF NOT EXISTS people (
        person BLOB NOT NULL, signature INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER,
        cohort INTEGER, value TEXT, PRIMARY KEY (person, since)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS members (
        release INTEGER NOT NULL, person BLOB NOT NULL, class INTEGER NOT NULL,
        PRIMARY KEY (release, person)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS classes (
        release INTEGER NOT NULL, class INTEGER NOT NULL, signature INTEGER NOT NULL,
        cells TEXT NOT NULL, real INTEGER NOT NULL, counterfeits INTEGER NOT NULL,
        PRIMARY KEY (release, class)
    ) WITHOUT ROWID
    """,
)
COMPLAINTS = Complaints(
    gone=(
        "there is no such history",
        "Check the path; the first release with --history makes the file.",
    ),
    damaged=(
        "the history is damaged, so it is unknown what was released about each person",
        "Put a whole copy back, made after the last release.",
    ),
    closed=("the history is closed", "Open it again."),
    unusable=(
        "the history cannot be read or written, so nothing is released",
        "Check that this is a history, free the disk, or stop what holds the file.",
    ),
    unmade=("the history cannot be written", "Check the folder and the disk."),
)


@final
class History:
    """The history of one table.

    Parameters
    ----------
    path : of the file
    create : make the file where there is none

    Raises
    ------
    EngineError
        when the file is missing, damaged or cannot be written
    """

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        self._file = SqliteFile(str(path), TABLES, COMPLAINTS, create=create)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def facts(self) -> TableFacts | None:
        """Read what is the same for all releases; None before the first."""
        with self._file.transaction() as execute:
            return _facts(execute)

    def releases(self) -> list[Made]:
        """List every release, oldest first, withdrawn ones included."""
        with self._file.transaction() as execute:
            return _releases(execute)

    def past(self) -> Past:
        """Read all that the next release has to respect."""
        with self._file.transaction() as execute:
            made = _releases(execute)
            rows = execute(
                "SELECT person, vals, since, until, cohort, value FROM people "
                "JOIN signatures ON id = signature ORDER BY since",
                (),
            )
            facts = _facts(execute)
        ties: dict[bytes, list[Tie]] = defaultdict(list)
        texts: dict[str, tuple[str, ...]] = {}
        for person, listed, since, until, cohort, value in rows:
            if listed not in texts:
                texts[listed] = tuple(json.loads(listed))
            ties[person].append(Tie(texts[listed], since, until, cohort, value))
        return Past(facts, made[-1].number if made else 0, ties, standing_releases(made))

    def classes(self, number: int) -> dict[int, ReleasedClass]:
        """Read the classes of a release by their numbers."""
        with self._file.transaction() as execute:
            rows = execute(
                "SELECT class, vals, cells, real, counterfeits FROM classes "
                "JOIN signatures ON id = signature WHERE release = ?",
                (number,),
            )
            facts = _facts(execute)
        sensitive = "" if facts is None else facts.sensitive
        return {
            one: ReleasedClass(
                one, _shown_values(vals, sensitive), tuple(json.loads(cells)), real, made_up
            )
            for one, vals, cells, real, made_up in rows
        }

    def members(self, number: int) -> dict[bytes, int]:
        """Read the class of each person of a release; empty once they are forgotten."""
        with self._file.transaction() as execute:
            rows = execute("SELECT person, class FROM members WHERE release = ?", (number,))
        return {bytes(person): int(number) for person, number in rows}

    def commit(self, step: Step, output_sha256: str, output: str) -> int:
        """Write a release down as pending; give its number.

        Raises
        ------
        HistoryMovedError
            when another run added a release after this one was planned
        """
        with self._file.transaction() as execute:
            _refuse_other_base(execute, step)
            _write_facts(execute, step.facts)
            _write_step(execute, step, output_sha256, output)
        return step.number

    def refuse_other_base(self, step: Step) -> None:
        """Refuse a plan that does not know the last release.

        Raises
        ------
        HistoryMovedError
            when another run added one
        """
        with self._file.transaction() as execute:
            _refuse_other_base(execute, step)

    def publish(self, number: int) -> None:
        """Note that a pending release was published.

        Raises
        ------
        HistoryError
            when it is not pending
        """
        with self._file.transaction() as execute:
            _require(execute, number, {ReleaseState.PENDING}, "publish")
            _set_state(execute, number, ReleaseState.PUBLISHED)

    def withdraw(self, number: int) -> None:
        """Undo the last release, which never left the house.

        Raises
        ------
        HistoryError
            when it is not the last that counts
        """
        with self._file.transaction() as execute:
            _require(execute, number, {ReleaseState.PENDING, ReleaseState.PUBLISHED}, "withdraw")
            later = [one for one in standing_releases(_releases(execute)) if one.number > number]
            if later:
                raise HistoryError(
                    f"release {number} cannot be withdrawn: later releases build on it",
                    f"Withdraw release {later[-1].number} first if nobody else has received it.",
                )
            execute("DELETE FROM people WHERE since = ?", (number,))
            execute("UPDATE people SET until = NULL WHERE until = ?", (number,))
            for table in ("members", "classes"):
                execute(f"DELETE FROM {table} WHERE release = ?", (number,))  # noqa: S608 - our own names
            execute(
                "DELETE FROM signatures WHERE id NOT IN (SELECT signature FROM people) "
                "AND id NOT IN (SELECT signature FROM classes)",
                (),
            )
            _set_state(execute, number, ReleaseState.WITHDRAWN)

    def forget(self, number: int) -> int:
        """Drop who was in which class of a release; give how many people that were.

        The next release needs only signatures; the members are for counting what attackers find.
        """
        with self._file.transaction() as execute:
            _require(execute, number, {ReleaseState.PUBLISHED, ReleaseState.WITHDRAWN}, "forget")
            gone = execute("DELETE FROM members WHERE release = ? RETURNING 1", (number,))
        return len(gone)


def standing_releases(made: Sequence[Made]) -> list[Made]:
    """Return the releases that count."""
    return [one for one in made if one.state is not ReleaseState.WITHDRAWN]


def _facts(execute: Execute) -> TableFacts | None:
    rows: dict[str, Any] = {row[0]: row[1] for row in execute("SELECT name, value FROM facts", ())}
    if not rows:
        return None
    if rows["version"] != VERSION:
        raise HistoryError(
            "the history was written by another version of indistinct",
            "Use that version, or a newer one.",
        )
    return TableFacts(
        rows["person"],
        rows["sensitive"],
        int(rows["m"]),
        rows["companions"],
        bytes(rows["key"]),
        rows.get("ids", ""),
    )


def _write_facts(execute: Execute, facts: TableFacts) -> None:
    written = {
        "version": VERSION,
        "person": facts.person,
        "sensitive": facts.sensitive,
        "m": str(facts.m),
        "companions": facts.companions,
        "key": facts.key,
    }
    if facts.ids:
        written["ids"] = facts.ids
    for name, value in written.items():
        execute("INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, value))


def _releases(execute: Execute) -> list[Made]:
    rows = execute(
        "SELECT number, made, input_sha256, output_sha256, policy_sha256, rows, counterfeits, "
        "state, output FROM releases ORDER BY number",
        (),
    )
    return [
        Made(number, made, before, after, policy, n_rows, n_made, ReleaseState(state), output)
        for number, made, before, after, policy, n_rows, n_made, state, output in rows
    ]


def _refuse_other_base(execute: Execute, step: Step) -> None:
    """Refuse a plan that does not know the last release, or the key that people are coded with."""
    made, facts = _releases(execute), _facts(execute)
    last = made[-1].number if made else 0
    is_pending = any(one.state is ReleaseState.PENDING for one in made)
    if last != step.base or is_pending or (facts is not None and facts.key != step.facts.key):
        raise HistoryMovedError(
            "another run added a release to the history meanwhile", "Anonymize the table again."
        )


def _write_step(execute: Execute, step: Step, output_sha256: str, output: str) -> None:
    """Add the rows of a release."""
    number, numbered = step.number, dict[str, int]()

    def signature(listed: str) -> int:
        if listed not in numbered:
            execute("INSERT INTO signatures (vals) VALUES (?) ON CONFLICT DO NOTHING", (listed,))
            rows = execute("SELECT id FROM signatures WHERE vals = ?", (listed,))
            numbered[listed] = rows[0][0]
        return numbered[listed]

    for person in step.ended:
        execute("UPDATE people SET until = ? WHERE person = ? AND until IS NULL", (number, person))
    for person, tie in step.ties:
        row = (person, signature(_listed(tie.values)), number, tie.cohort, tie.value)
        execute("INSERT INTO people VALUES (?, ?, ?, NULL, ?, ?)", row)
    for shown in step.classes:
        listed = _listed_values(shown.values, step.facts.sensitive)
        row = (number, shown.number, signature(listed), _listed(shown.cells))
        execute("INSERT INTO classes VALUES (?, ?, ?, ?, ?, ?)", (*row, *_counts(shown)))
    for person, label in step.members:
        execute("INSERT INTO members VALUES (?, ?, ?)", (number, person, label))
    hashes = (step.input_sha256, output_sha256, step.policy_sha256)
    sizes = (step.rows, step.counterfeits)
    execute(
        "INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, _now(), *hashes, *sizes, ReleaseState.PENDING, output),
    )


def _counts(shown: ReleasedClass) -> tuple[int, int]:
    return shown.real, shown.counterfeits


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _listed(texts: Sequence[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)


def _listed_values(values: Mapping[str, Sequence[str]], sensitive: str) -> str:
    """Write the values of a class: of m-invariance as a list, else per column."""
    if sensitive:
        return _listed(values[sensitive])
    plain = {name: list(texts) for name, texts in values.items()}
    return json.dumps(plain, ensure_ascii=False, sort_keys=True)


def _shown_values(written: str, sensitive: str) -> dict[str, tuple[str, ...]]:
    """Read what :func:`_listed_values` wrote."""
    given: Any = json.loads(written)
    if isinstance(given, list):
        return {sensitive: tuple(str(text) for text in given)}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - JSON
    return {name: tuple(texts) for name, texts in given.items()}


def _set_state(execute: Execute, number: int, state: ReleaseState) -> None:
    execute("UPDATE releases SET state = ? WHERE number = ?", (state, number))


def _require(execute: Execute, number: int, states: set[ReleaseState], what: str) -> None:
    """Refuse what cannot be done with a release."""
    found = next(iter(_found(execute, number)), None)
    if found is None:
        raise HistoryError(
            f"the history has no release {number}", "List them: indistinct history FILE."
        )
    if found not in states:
        raise HistoryError(
            f"release {number} is {found}, so that there is nothing to {what}",
            "List the releases: indistinct history FILE.",
        )


def _found(execute: Execute, number: int) -> Iterator[ReleaseState]:
    for row in execute("SELECT state FROM releases WHERE number = ?", (number,)):
        yield ReleaseState(row[0])
