"""A release of related tables: its frames, its manifest, and the folder that it is written to."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, final

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import Confidential
from indistinct.base.files.documents import json_text
from indistinct.base.randomness import RandomSource
from indistinct.base.statements.public_view import related_public_view
from indistinct.base.statements.statements import UNSTATED, Statements, not_examined
from indistinct.errors import Fault, OutputError, VerificationError, WorkError
from indistinct.related.output import crosswalk_of, released_rows, shown_keys
from indistinct.related.policy import RelatedPolicy
from indistinct.related.publish.findings import related_findings
from indistinct.related.publish.history import ReleasedRows, shown_rows
from indistinct.related.publish.manifest import owner_figures, related_manifest
from indistinct.related.publish.new_keys import (
    new_keys,
    refuse_unfit_key,
)
from indistinct.related.publish.people import PeopleClasses
from indistinct.related.publish.search import RelatedDecision, search_related
from indistinct.related.publish.shares import refuse_unmet_values
from indistinct.related.publish.tables import RelatedTables, RowTable, kept_columns, read_related
from indistinct.related.read_tables import MANIFEST
from indistinct.related.verify.release import verify_related
from indistinct.tables.core import NO_ROW, Progress, no_progress
from indistinct.tables.engines import is_schema, staged_folder, staged_schema
from indistinct.tables.findings import Finding, ReleaseFindings, with_little_kept
from indistinct.tables.frames import Column, Frame, frame_of, with_missing
from indistinct.tables.publish import records_of_classes
from indistinct.tables.reading import format_of_file, to_native, write_file

DEFAULT_ENDING = ".csv"
TOO_MUCH = "Lower m, give the columns coarser hierarchies, or leave out the longest histories."
Table = TypeVar("Table")


@dataclass(frozen=True, slots=True)
class RelatedTable:
    """One table of a release.

    Parameters
    ----------
    frame : the released rows
    rows : (n_released,), the row in the secret order behind each
    """

    frame: Frame
    rows: Ints

    def __repr__(self) -> str:
        """Return how large it is."""
        return f"<RelatedTable of {len(self.rows):,} rows>"


class RelatedOwnerParts(NamedTuple):
    """What the owner of a release has beside it.

    Parameters
    ----------
    tables : the input
    rows : per table with people, the row of the input behind each released row
    findings : what the owner is told
    figures : per table of rows, what the release costs
    statements : all that is said about the release
    """

    tables: RelatedTables
    rows: Mapping[str, Ints]
    findings: ReleaseFindings
    figures: Mapping[str, Mapping[str, Any]]
    statements: Statements


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RelatedRelease(Generic[Table]):
    """Released tables about the same people, with their manifest and the policy they satisfy."""

    policy: RelatedPolicy
    manifest: Mapping[str, Any]
    _released: Mapping[str, Frame]
    _given: Confidential

    def __repr__(self) -> str:
        """Return how many units and tables there are, and what is promised: no cell."""
        people = self.manifest["related"]["people"]["released"]
        said = self.manifest["models"][0]["required"]
        return (
            f"<RelatedRelease of {people:,} units in {len(self._released)} tables: "
            f"joint-anonymity (k={said['k']}, m={said['m']})>"
        )

    @property
    def tables(self) -> Mapping[str, Table]:
        """The released tables by name, as the kind of frame that came in."""
        given = self._of_the_owner().tables
        return {
            name: to_native(frame, given.files[name].native)
            for name, frame in self._released.items()
        }

    @property
    def crosswalk(self) -> Mapping[str, Ints]:
        """Per table with people, the row of the input behind each row; for the owner alone."""
        return self._of_the_owner().rows

    @property
    def findings(self) -> ReleaseFindings:
        """What was found in the release, and what was looked for, for its owner."""
        return self._of_the_owner().findings

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What the owner is told of the release."""
        return self.findings.found

    @property
    def figures(self) -> Mapping[str, Mapping[str, Any]]:
        """Per table of rows ``input_rows``, ``deleted`` and ``loss``; for the owner alone."""
        return self._of_the_owner().figures

    @property
    def statements(self) -> Statements:
        """All that is said about the release, for the owner alone."""
        return self._of_the_owner().statements

    def _of_the_owner(self) -> RelatedOwnerParts:
        """Return what a pickle leaves out."""
        if self._given.held is None:
            raise OutputError(
                "this release came out of a pickle, which leaves the input out",
                "Write the release before it is pickled.",
            )
        return self._given.held

    def write(
        self,
        out: str | Path,
        *,
        crosswalk: str | Path | None = None,
        replace: bool = False,
    ) -> Mapping[str, Any]:
        """Write the tables and the manifest, all or nothing, and verify them there.

        Parameters
        ----------
        out : a folder, or the address of a schema
        crosswalk : a folder for the rows of the input behind the released ones, for the owner alone
        replace : whether a folder that is there may be replaced

        Raises
        ------
        OutputError
            when the folder or the schema is there, or cannot be written
        VerificationError
            when what was written does not hold the promise; nothing is then published
        """
        own = self._of_the_owner()
        given, rows = own.tables, own.rows
        manifest = {**self.manifest, "verified": True}
        if is_schema(out):
            with staged_schema(str(out), replace=replace) as schema:
                schema.write(self._released, json_text(manifest))
                written = schema.read(self._released)
                _verified(written, self.policy, given, rows, manifest)
                _write_crosswalk(crosswalk, rows, replace=replace)
            return manifest
        with staged_folder(out, replace=replace) as folder:
            for name, frame in self._released.items():
                path = folder / f"{name}{_ending(given, name)}"
                write_file(frame, str(path), format_of_file(str(path)), given.files[name].separator)
            (folder / MANIFEST).write_text(json_text(manifest), encoding="utf-8")
            _verified(folder, self.policy, given, rows)
            _write_crosswalk(crosswalk, rows, replace=replace)
        return manifest


def _write_crosswalk(
    crosswalk: str | Path | None, rows: Mapping[str, Ints], *, replace: bool
) -> None:
    """Write the rows of the input behind the released ones to a folder for the owner alone."""
    if crosswalk is None:
        return
    with staged_folder(crosswalk, replace=replace, private=True) as folder:
        for name, own in rows.items():
            path = folder / f"{name}.csv"
            path.touch(mode=0o600)
            write_file(crosswalk_of(own), str(path), "csv")


def _rows_left_out(tables: RelatedTables, decision: RelatedDecision) -> dict[str, int]:
    """Return per table of rows how many are left out or show nothing; of the units, who vanish."""
    vanished = {tables.policy.people: int((decision.people.classes < 0).sum())}
    gone = {
        table.name: int((~shown_rows(tables, table, rows)).sum())
        for table, rows in zip(tables.row_tables, decision.rows, strict=True)
    }
    return vanished | gone


def anonymize_related(
    data: Any,
    policy: RelatedPolicy,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> RelatedRelease[Any]:
    """Make a release of related tables that satisfies a policy, verified in memory.

    Parameters
    ----------
    data : the path of a folder, the address of a schema, or a frame for each table
    policy : what is promised
    seed : makes the release repeatable, for tests

    Raises
    ------
    UsageError
        when the policy or the input is wrong; every fault at once
    NoSolutionError
        when no release satisfies the policy
    """
    pseudonym = policy.pseudonym(policy.people)
    if pseudonym is not None:
        refuse_unfit_key(pseudonym.file)
    progress(0.0, "reading")
    chance = RandomSource(seed)
    tables = read_related(data, policy, chance)
    refuse_unmet_values(tables)
    started = time.monotonic()
    decision = search_related(tables, progress, chance)
    search = _search_part(decision, time.monotonic() - started)
    # Other releases may have pseudonyms of a key that was made before.
    was_there = pseudonym is not None and pseudonym.file.exists()
    released = _released_tables(tables, decision, chance)
    frames = {name: one.frame for name, one in released.items()}
    rows = {name: order[released[name].rows] for name, order in tables.orders.items()}
    behind = {name: released[name].rows for name in tables.orders}
    own, public = related_findings(
        tables, frames, behind, was_there=was_there, left_out=_rows_left_out(tables, decision)
    )
    # Verification refuses a manifest that says nobody verified; it is not given away before.
    found = related_manifest(tables, decision, frames, public.found)
    manifest: dict[str, Any] = {**found, "verified": True, "statements": UNSTATED}
    stated = _verified(frames, policy, tables, rows, manifest)
    manifest["statements"] = related_public_view(stated, manifest["warnings"], manifest["models"])
    own = with_little_kept(own, stated, policy.important)
    stated = replace(stated, findings=own.document(), search=search)
    parts = RelatedOwnerParts(tables, rows, own, owner_figures(tables, decision), stated)
    return RelatedRelease(policy, manifest, frames, Confidential(parts))


def _search_part(decision: RelatedDecision, seconds: float) -> dict[str, Any]:
    """Return how a release was found, and what that cost."""
    return {
        "algorithm": "local",  # classes of people by local recoding, then cuts of their rows
        "objective": "loss",
        "value": decision.cost,
        "bound": not_examined("this algorithm has no such figure"),
        "seconds": round(seconds, 6),
        "cost_of_promises": {},
    }


def _verified(
    release: Any,
    policy: RelatedPolicy,
    tables: RelatedTables,
    rows: Mapping[str, Ints],
    manifest: Mapping[str, Any] | None = None,
) -> Statements:
    """Verify released tables with the input and the crosswalk at hand, and state what follows.

    Raises
    ------
    VerificationError
        when they do not hold the promise
    WorkError
        when that takes longer than the limit of work
    """
    found = verify_related(
        release,
        policy,
        original=tables.given,
        crosswalk={name: own.tolist() for name, own in rows.items()},
        manifest=manifest,
    )
    if found.holds is None:
        raise WorkError([Fault("", note, TOO_MUCH) for note in found.notes])
    if not found.holds or found.statements is None:
        raise VerificationError(found.faults)
    return found.statements


def _ending(tables: RelatedTables, name: str) -> str:
    """Return the ending of the file that a table came from."""
    return tables.endings.get(name, DEFAULT_ENDING)


def _released_tables(
    tables: RelatedTables, decision: RelatedDecision, chance: RandomSource
) -> dict[str, RelatedTable]:
    """Write all tables with new keys."""
    policy = tables.policy
    people, own = policy.people, decision.people
    cells, rows = _released_people(tables, own)
    keys = {people: new_keys(tables, chance, people, rows)}
    key = policy.tables[people].new_key or ""
    shown, order = released_rows(
        cells,
        np.arange(len(rows)),
        {},
        {key: shown_keys(keys[people], rows)},
        cells.columns,
        first=policy.quasi_identifiers(people),
    )
    found = {people: RelatedTable(shown, rows[order])}
    decided = dict(zip([one.name for one in tables.row_tables], decision.rows, strict=True))
    for table in tables.row_tables:
        said = policy.tables[table.name]
        some = np.flatnonzero(decided[table.name].kept)
        frame = _emptied(tables, table, decided[table.name])
        own_keys: dict[str, Column] = {}
        if said.release_key and said.new_key is not None:
            keys[table.name] = new_keys(tables, chance, table.name, some)
            own_keys[said.new_key] = shown_keys(keys[table.name], some)
        for above, column in policy.pointers(table.name).items():
            own_keys[column] = shown_keys(keys[above], tables.rows_above(table, some, above))
        kept = [name for name in frame.columns if name in set(kept_columns(said))]
        texts = _texts(table, decided[table.name], some)
        beside = _cells_above(tables, table, decided, some)
        written = released_rows(frame, some, texts, own_keys, kept, hidden_cells=beside)
        found[table.name] = RelatedTable(*written)
    for name in policy.public_tables:
        frame = tables.files[name].frame
        found[name] = RelatedTable(frame, np.arange(frame.height))
    return found


def _released_people(tables: RelatedTables, people: PeopleClasses) -> tuple[Frame, Ints]:
    """Return the cells of the released people, without keys, and the row behind each."""
    if not any(kept_columns(tables.policy.tables[tables.policy.people])):
        return frame_of({}), np.flatnonzero(people.classes >= 0)
    cells, rows = records_of_classes(people.prepared, people.solution, people.assigned)
    left = np.flatnonzero(people.classes[rows] >= 0)
    return cells[left], rows[left]


def _emptied(tables: RelatedTables, table: RowTable, released: ReleasedRows) -> Frame:
    """Return a table without the cells of rows that show nothing."""
    frame = tables.files[table.name].frame
    is_empty = released.kept & ~shown_rows(tables, table, released)
    if not is_empty.any():
        return frame
    return frame_of({name: with_missing(frame[name], is_empty) for name in frame.columns})


def _cells_above(
    tables: RelatedTables, table: RowTable, decided: Mapping[str, ReleasedRows], rows: Ints
) -> dict[str, list[str | None]]:
    """Return the released cells of the hidden rows above some rows, by column."""
    found: dict[str, list[str | None]] = {}
    for above in reversed(tables.row_tables):
        if above.name in tables.policy.hidden_above(table.name):
            places = tables.rows_above(table, rows, above.name)
            for column, cells in _texts(above, decided[above.name], places).items():
                own = [
                    NO_ROW if place < 0 else cell
                    for place, cell in zip(places.tolist(), cells, strict=True)
                ]
                found[f"{above.name}.{column}"] = own
    return found


def _texts(table: RowTable, released: ReleasedRows, rows: Ints) -> dict[str, list[str | None]]:
    """Return the released cells of some rows of a table, by column."""
    return {
        column.name: [column.texts[cell] for cell in released.cells[rows, at].tolist()]
        for at, column in enumerate(table.columns)
    }
