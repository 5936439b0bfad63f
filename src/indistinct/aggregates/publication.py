"""Publish tables of counts: count, hide, prove, and write what may be seen."""

from __future__ import annotations

import csv
import gzip
import io
import time
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.aggregates.check import check_texts
from indistinct.aggregates.documents import WITNESSES, MadeTables, manifest_of, owner_of
from indistinct.aggregates.family import Family
from indistinct.aggregates.lines import lines_of, witness_text
from indistinct.aggregates.policy import MEASURE, TablesPolicy
from indistinct.aggregates.printed import printed
from indistinct.aggregates.protection import NoPattern, ProtectedFamily, protect
from indistinct.aggregates.records import CountedFamily, counted_family
from indistinct.aggregates.rules import Ruled, no_pattern, ruled
from indistinct.aggregates.statements import TableStatements, unchecked
from indistinct.aggregates.suppression import MODELS_OF_IMPROVING
from indistinct.base.brief import Confidential
from indistinct.base.files.documents import json_text
from indistinct.base.files.writing import atomic
from indistinct.errors import UnexpectedError
from indistinct.tables.engines import Resources, staged_folder
from indistinct.tables.frames import Frame, table_of_cells
from indistinct.tables.reading import to_native


class PublishedTables:
    """Protected tables, with complete tables that prove the protection.

    Prints its tables and three sentences: what is hidden, what was checked, and what was not.
    """

    def __init__(self, made: MadeTables, native: Any, notes: tuple[str, ...] = ()) -> None:
        self._made = Confidential(made)
        self._native = native
        self.policy: TablesPolicy = made.policy
        self.manifest: dict[str, Any] = manifest_of(made)
        self.sentences: tuple[str, ...] = made.statements.sentences()
        self.notes = notes

    def __repr__(self) -> str:
        return "\n\n".join([*self._printed(), "\n".join([*self.sentences, *self.notes])])

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return f"<pre>{escape(repr(self))}</pre>"

    def _printed(self) -> list[str]:
        """Return each table as text, with its name where there are several."""
        made: MadeTables = self._made.held
        several = len(made.lines) > 1
        return [
            (f"{table.name}\n" if several else "") + printed(lines, len(table.rows))
            for table, lines in zip(made.family.tables, made.lines, strict=True)
        ]

    @property
    def tables(self) -> dict[str, Any]:
        """A frame for each table, of the kind that was given."""
        made: MadeTables = self._made.held
        return {table.name: self.frame(table.name) for table in made.family.tables}

    def frame(self, name: str | None = None) -> Any:
        """Return a table as its file has it, a line for each cell.

        Parameters
        ----------
        name : of the table; the first one when left out

        Raises
        ------
        KeyError
            when there is no table of that name
        """
        made: MadeTables = self._made.held
        names = [table.name for table in made.family.tables]
        lines = made.lines[0 if name is None else names.index(name)]
        columns: dict[str, Any] = dict(zip(lines.dimensions, lines.labels, strict=True))
        columns |= {"measure": [MEASURE] * len(lines.values)}
        frame = table_of_cells({**columns, "value": lines.values, "mark": lines.marks})
        return _as_given(frame, self._native)

    def cells(self) -> dict[str, list[dict[str, Any]]]:
        """Return the lines of each table as JSON has them."""
        made: MadeTables = self._made.held
        return {
            table.name: [
                {**dict(zip(lines.dimensions, labels, strict=True)), "value": value, "mark": mark}
                for *labels, value, mark in zip(
                    *lines.labels, lines.values, lines.marks, strict=True
                )
            ]
            for table, lines in zip(made.family.tables, made.lines, strict=True)
        }

    @property
    def witnesses(self) -> Any:
        """The complete tables: a line for each hidden cell; None where nothing is hidden."""
        made: MadeTables = self._made.held
        if made.witnesses is None:
            return None
        header, *rows = _rows(gzip.decompress(made.witnesses).decode("utf-8"))
        columns: dict[str, Any] = {}
        for name, cells in zip(header, zip(*rows, strict=True), strict=True):
            is_table = (
                name not in made.lines[0].dimensions and name[0] == "w" and name[1:].isdigit()
            )
            columns[name] = [int(cell) for cell in cells] if is_table else list(cells)
        return _as_given(table_of_cells(columns), self._native)

    @property
    def owner(self) -> dict[str, Any]:
        """What the owner alone may know: which cells are small, and what hiding them cost."""
        return owner_of(self._made.held)

    def write(
        self, folder: str | Path, *, owner: str | Path | None = None, replace: bool = False
    ) -> dict[str, Any]:
        """Write the tables, their notes, the manifest and the complete tables to a folder.

        Parameters
        ----------
        folder : appears when all is written
        owner : a file for the owner alone, outside the folder
        replace : whether a folder that is there may be replaced

        Returns
        -------
        the manifest

        Raises
        ------
        OutputError
            when the folder is there already, or cannot be written
        """
        with staged_folder(folder, replace=replace) as hidden:
            for name, content in self.files().items():
                (hidden / name).write_bytes(content)
            if owner is not None:
                with atomic(Path(owner), private=True) as place:
                    place.write_text(json_text(self.owner), encoding="utf-8")
        return self.manifest

    def files(self) -> dict[str, bytes]:
        """Return the content of each file of the folder."""
        made: MadeTables = self._made.held
        found = {
            f"{table.name}.csv": lines.text().encode("utf-8")
            for table, lines in zip(made.family.tables, made.lines, strict=True)
        }
        for name, note in self.manifest["notes"].items():
            found[f"{name}.json"] = json_text(note).encode("utf-8")
        found["manifest.json"] = json_text(self.manifest).encode("utf-8")
        if made.witnesses is not None:
            found[WITNESSES] = made.witnesses
        return found


def _rows(text: str) -> list[list[str]]:
    """Return the rows of a CSV file."""
    return list(csv.reader(io.StringIO(text)))


def _as_given(frame: Frame, native: Any) -> Any:
    """Return a frame as the library has it whose frame was given; whole numbers may be missing."""
    found = to_native(frame, native)
    if native is not None and native.library == "pandas":
        whole = {name: "Int64" for name in ("value",) if name in found.columns}
        return found.astype(whole)
    return found


def publish(
    data: Any,
    policy: TablesPolicy,
    *,
    engine: str = "auto",
    effort: str | None = None,
    notes: tuple[str, ...] = (),
) -> PublishedTables:
    """Count and protect the tables of a policy; see :func:`indistinct.tabulate`."""
    started = time.process_time()
    counted = counted_family(data, policy, Resources(engine))
    rules = ruled(counted.family, policy)
    at_counted = time.process_time()
    protected = _protected(
        counted.family, rules, policy.publish.keep, effort or policy.publish.effort
    )
    seconds = {
        "counting": at_counted - started,
        "protecting": time.process_time() - at_counted,
    }
    made = _made(counted, rules, protected, policy, seconds)
    tables = PublishedTables(made, counted.native, notes)
    _refuse_faults(tables)
    return tables


def _protected(family: Family, rules: Ruled, keep: Sequence[str], effort: str) -> ProtectedFamily:
    """Hide cells, or say why none protect.

    Raises
    ------
    NoSolutionError
        when no pattern protects
    """
    models = 0 if effort == "fast" else MODELS_OF_IMPROVING
    try:
        return protect(family, rules.problem, rules.promise, models=models)
    except NoPattern as found:
        raise no_pattern(family, found.cells, keep) from None


def _made(
    counted: CountedFamily,
    rules: Ruled,
    protected: ProtectedFamily,
    policy: TablesPolicy,
    seconds: Mapping[str, float],
) -> MadeTables:
    """Return all that is written."""
    family, tables = counted.family, protected.audit.tables
    lines = tuple(
        lines_of(family, number, protected.hidden) for number in range(len(family.tables))
    )
    n_hidden = int(protected.hidden.sum())
    witnesses = None
    if n_hidden:
        text = witness_text(family, protected.hidden, tables)
        witnesses = gzip.compress(text.encode("utf-8"), mtime=0)
    statements = TableStatements(
        minimum=policy.minimum,
        cells=len(family.counts),
        hidden=n_hidden,
        tables=len(tables),
        differs=int(np.ptp(tables, axis=0).min()) if n_hidden else 0,
        reaches=policy.minimum,
        hides_zeros=policy.hides_zeros,
        not_checked=unchecked(
            counts_rows=policy.data.person is None,
            has_apart=bool(policy.publish.apart),
            has_two_bandings=counted.has_two_bandings,
            has_profile=policy.publish.profile is not None,
        ),
    )
    return MadeTables(policy, family, rules, protected, lines, witnesses, statements, seconds)


def _refuse_faults(tables: PublishedTables) -> None:
    """Check what is about to be seen as everybody can, from the public part alone.

    Raises
    ------
    UnexpectedError
        when it does not hold, which would be an error of this program
    """
    found = check_texts(tables.files(), None)
    if not found.holds:
        raise UnexpectedError(
            "the tables do not hold what they promise: " + "; ".join(found.reasons[:3]),
            "Nothing was written. Please report it with this line and the policy.",
        )
