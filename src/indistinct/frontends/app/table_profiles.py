"""What the table of a project looks like: read once, measured when a page asks for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.errors import Fault
from indistinct.frontends.app.declared import SaidReading
from indistinct.frontends.app.sources import Place
from indistinct.tables.counting import encode_column
from indistinct.tables.drafting import RecordsInMemory
from indistinct.tables.frames import ANY_LISTS
from indistinct.tables.policy import ColumnRule, Policy, hierarchy_of
from indistinct.tables.publish import (
    CountedColumns,
    Inspection,
    JointRisk,
    Preview,
)
from indistinct.tables.reading import ColumnFormat, TableFile, read_file

SHOWN_ROWS = 5  # at the top, and at the end
MOST_KEPT = 64
CountedInMemory = CountedColumns[RecordsInMemory]
Checked = tuple[tuple[Fault, ...], tuple[Fault, ...]]
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The first records of a table, for its owner's eyes, and how they were read.

    Parameters
    ----------
    preview : the same as ``ind.preview`` gives
    last : the last records, each cell as a text; those at the top are not among them
    numbers : of all shown records, in the file: the line of a text, the row of a sheet, else the
        number of the record
    reasons : per word of ``[data]`` that was found, the evidence in a sentence
    formats : of columns that are not plain
    errors : per column of a workbook with such, a sentence on its cells with an error
    """

    preview: Preview
    last: Sequence[Sequence[str]]
    numbers: Sequence[int]
    reasons: Mapping[str, str]
    formats: Mapping[str, ColumnFormat]
    errors: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ColumnLevels:
    """A column at each of its levels.

    Parameters
    ----------
    hierarchy : of the column
    counts : per level, (n_labels,), records of each label
    """

    hierarchy: GeneralizationHierarchy
    counts: tuple[Ints, ...]


class TableProfiles:
    """Reads the table when a page first asks, in the background, and remembers what was measured.

    Notes
    -----
    What is remembered is found by the file, its size and time, and the words that matter, so that
    a file that was changed is read afresh.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="look")
        # A trial takes seconds, which no page waits for.
        self._trials = ThreadPoolExecutor(1, thread_name_prefix="trial")
        self._lock = threading.Lock()
        self._found: dict[str, Future[Any]] = {}
        # How far the count of the columns is: the share done, and the column.
        self.progress: tuple[float, str] = (0.0, "")

    def first_rows(self, path: Place, reading: SaidReading) -> Future[FirstRows]:
        """Return the first records."""
        return self._once("first rows", path, reading, (), lambda: self._first(path, reading))

    def inspection(self, path: Place, reading: SaidReading) -> Future[Inspection]:
        """Inspect the table: a role is suggested for every column."""

        def look() -> Inspection:
            counted = self._counted(path, reading)
            given = reading.given()
            found = counted.inspection(given)
            self.progress = (1.0, "")
            return found

        return self._once("inspect", path, reading, (), look)

    def is_read(
        self, path: Place, first: SaidReading, settled: SaidReading, asking: SaidReading
    ) -> None:
        """Note what was measured by the first words as what the policy's words give.

        Parameters
        ----------
        first : that the table was opened with
        settled : the same with all that was found
        asking : by which its questions are asked for later
        """
        kinds = ("first rows", "inspect", "counted", "source")
        if settled.missing != first.given().reading.missing:
            # The records are others, and so may be the types; the evidence is that of the first.
            kinds = ("inspect", "counted")
            evidence = self.first_rows(path, first)

            def look() -> FirstRows:
                now = self._first(path, settled)
                return replace(
                    evidence.result(), preview=now.preview, last=now.last, numbers=now.numbers
                )

            self._once("first rows", path, settled, (), look)
        with self._lock:
            others = [(kind, settled) for kind in kinds]
            if first.suggests:
                others += [("inspect", asking), ("first rows", asking)]
            for kind, other in others:
                known = self._found.get(_key(kind, path, first, ()))
                if known is not None:
                    self._found[_key(kind, path, other, ())] = known

    def hidden(
        self, path: Place, reading: SaidReading, roles: Mapping[str, str]
    ) -> Future[Mapping[str, int]]:
        """Try a draft with some roles, and return the columns that it hides from the start."""

        def look() -> Mapping[str, int]:
            counted = self._pool.submit(self._counted, path, reading).result()
            return counted.inspection(reading.given(), roles).hidden()

        return self._once("hidden", path, reading, tuple(roles.items()), look, pool=self._trials)

    def missing_words(
        self, path: Place, reading: SaidReading
    ) -> Future[Mapping[str, Mapping[str, int]]]:
        """Count, per column, the cells that each word for a missing value stands in."""

        def look() -> Mapping[str, Mapping[str, int]]:
            given = reading.given()
            # The words themselves are no numbers and no dates, so that no cell is held to be one.
            texts = dict.fromkeys(given.reading.texts, "text")
            plain = replace(
                given.reading, missing=(), own_missing={}, unreadable={}, formats={}, types=texts
            )
            return replace(given, reading=plain).read(path.read).cells_of(given.reading.words)

        return self._once("missing", path, reading, (), look)

    def checks(self, path: Place, reading: SaidReading, policy: Policy) -> Future[Checked]:
        """Return what every search refuses by the counts of the table, and what is doubtful."""
        said = (json.dumps(policy.words(), sort_keys=True, default=str),)

        def look() -> Checked:
            return self._counted(path, reading).checks(policy)

        return self._once("checks", path, reading, said, look)

    def together(
        self, path: Place, reading: SaidReading, names: tuple[str, ...]
    ) -> Future[JointRisk | None]:
        """Measure which of some columns find people together."""

        def look() -> JointRisk | None:
            counted = self._counted(path, reading)
            known = {column.name for column in counted.columns}
            return counted.together([name for name in names if name in known])

        with self._lock:
            # Roles that were changed again while the table was busy are asked for no more.
            for key in [key for key in self._found if key.startswith('["together"')]:
                if self._found[key].cancel():
                    del self._found[key]
        return self._once("together", path, reading, names, look)

    def levels(
        self, path: Place, reading: SaidReading, policy: Policy, name: str
    ) -> Future[ColumnLevels]:
        """Count a column at each level of its hierarchy."""
        rule = policy.columns[name].hierarchy
        said = (
            name,
            None if rule is None else rule.model_dump_json(),
            _time_of(policy.rule_of(name)),
        )

        def look() -> ColumnLevels:
            if policy.reading.stays(name) and name not in reading.of("type"):
                # Its cells stay as they are written, since its hierarchy lists them.
                source = read_file(path.read, reading=policy.reading, sets=ANY_LISTS)
                return _levels(source.frame, policy.rule_of(name))
            return _levels(self._source(path, reading).frame, policy.rule_of(name))

        return self._once("levels", path, reading, said, look)

    def sql_types(self, path: Place) -> Future[Mapping[str, str]]:
        """Return the SQL type of each column, as a database for questions reads the table."""

        def look() -> Mapping[str, str]:
            from indistinct.questions.database import column_types

            return column_types(path.read, "table")

        return self._once("types", path, SaidReading(), (), look)

    def close(self) -> None:
        """Stop reading."""
        self._trials.shutdown(wait=False, cancel_futures=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _first(self, path: Place, reading: SaidReading) -> FirstRows:
        """Read the first records; called by the only thread of the pool."""
        given, source = reading.given(), self._source(path, reading)
        found = given.with_found(source.found)
        preview = Preview.of(source, given, SHOWN_ROWS)
        height = preview.n_records
        n_last = min(SHOWN_ROWS, max(height - SHOWN_ROWS, 0))
        last = Preview.of(replace(source, frame=source.frame.tail(n_last)), given, SHOWN_ROWS).rows
        shown = [*range(min(SHOWN_ROWS, height)), *range(height - n_last, height)]
        plain = source.plain
        errors = {name: found.said_errors(name) for name in found.errors}
        return FirstRows(
            preview,
            last,
            [row + 1 if plain is None else plain.line(row) for row in shown],
            dict(found.reasons),
            dict(found.columns),
            errors,
        )

    def _source(self, path: Place, reading: SaidReading) -> TableFile:
        """Read the table, once; called by the only thread of the pool."""
        return self._kept("source", path, reading, lambda: reading.given().read(path.read))

    def _counted(self, path: Place, reading: SaidReading) -> CountedInMemory:
        """Count every column, once; called by the only thread of the pool.

        Roles do not matter, so that another role costs no further count.
        """

        def count() -> CountedInMemory:
            records = RecordsInMemory(self._source(path, reading))
            return CountedInMemory.of(records, reading.missing, self._tell)

        return self._kept("counted", path, reading, count)

    def _tell(self, share: float, message: str) -> None:
        """Store how far the count is, for the page that waits."""
        self.progress = (share, message)

    def _kept(
        self, kind: str, path: Place, reading: SaidReading, make: Callable[[], Found]
    ) -> Found:
        """Make something large of the table, or take what is kept; an earlier one is let go."""
        key = _key(kind, path, reading, ())
        known: Future[Found] | None = self._found.get(key)
        if known is None:
            known = Future[Found]()
            known.set_result(make())
            with self._lock:
                others = {k: v for k, v in self._found.items() if not k.startswith(f'["{kind}"')}
                self._found = {**others, key: known}
        return known.result()

    def _once(  # noqa: PLR0913 - what is measured, of what and where
        self,
        kind: str,
        path: Place,
        reading: SaidReading,
        words: tuple[Any, ...],
        look: Callable[[], Found],
        *,
        pool: ThreadPoolExecutor | None = None,
    ) -> Future[Found]:
        """Measure something unless it is known, or is being measured."""
        key = _key(kind, path, reading, words)
        with self._lock:
            known = self._found.pop(key, None) or (pool or self._pool).submit(look)
            self._found[key] = known
            while len(self._found) > MOST_KEPT:
                self._found.pop(next(iter(self._found)))
            return known


def _key(kind: str, path: Place, reading: SaidReading, words: tuple[Any, ...]) -> str:
    """Return a key that tells one question from another."""
    state = [kind, *path.state(), reading.key(), words]
    return json.dumps(state)


def _time_of(rule: ColumnRule) -> int | None:
    """Return the time of the file of a hierarchy; None where there is none."""
    written = rule.hierarchy
    if written is None or written.csv is None or not (rule.folder / written.csv).exists():
        return None
    return (rule.folder / written.csv).stat().st_mtime_ns


def _levels(frame: Any, rule: ColumnRule) -> ColumnLevels:
    """Count a column at each level."""
    encoded = encode_column(frame, rule)
    hierarchy = hierarchy_of(rule, encoded).with_root()
    sizes = np.bincount(encoded.codes, minlength=len(encoded.texts))
    counts = tuple(
        np.bincount(hierarchy.codes[level], sizes, len(hierarchy.labels[level])).astype(np.int64)
        for level in range(hierarchy.n_levels)
    )
    return ColumnLevels(hierarchy, counts)
