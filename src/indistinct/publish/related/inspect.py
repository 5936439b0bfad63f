"""Describe a folder of tables about the same people, and draft a policy for it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomli_w

from indistinct.core.brief import short_repr
from indistinct.core.schema import Role
from indistinct.drafting.links import KeyColumn, SuggestedLinks, suggested_links
from indistinct.drafting.other_tables import ColumnElsewhere, RoleElsewhere, roles_elsewhere
from indistinct.engines import files
from indistinct.engines.frames import Frame
from indistinct.engines.related_tables import files_in, key_texts
from indistinct.publish.inspect import inspect
from indistinct.publish.inspection import Inspection

K, M = 5, 2
HEAD = (
    "# A draft for tables about the same people: read every role and its reason, and decide.",
    "# Key columns have no role. A table that leads to no person needs its reference, or",
    "# public = true if nothing in it is about people. What others may know of an event is a",
    "# quasi-identifier.",
)
OF_EVENTS = "In a table of events, others may know it: then it is a quasi-identifier."


@dataclass(frozen=True, slots=True)
class RelatedInspection:
    """What the tables of a folder show, each by itself and together.

    Parameters
    ----------
    tables : per table, what its columns show
    links : the keys and references that their values suggest
    elsewhere : per table, the roles of undecided columns that another table decides
    """

    tables: Mapping[str, Inspection]
    links: SuggestedLinks
    elsewhere: Mapping[str, Mapping[str, RoleElsewhere]] = field(
        default_factory=dict[str, Mapping[str, RoleElsewhere]]
    )

    __repr__ = short_repr

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document."""
        return {
            "people": self.links.people,
            "keys": dict(self.links.keys),
            "references": {name: dict(own) for name, own in self.links.references.items()},
            "tables": {name: one.document() for name, one in self.tables.items()},
        }

    def drafted(self, stem: str) -> tuple[str, dict[str, str]]:
        """Write a policy; return it, and the hierarchies beside it by their file names.

        Parameters
        ----------
        stem : begins the names of the files
        """
        beside: dict[str, str] = {}
        words: dict[str, Any] = {
            "related": {"people": self.links.people or ""},
            "tables": {name: self._table(name, stem, beside) for name in self._order()},
            "models": [{"name": "joint-anonymity", "k": K, "m": M}],
            "method": {"max_deleted": 0.1},
        }
        return "\n".join([*HEAD, "", tomli_w.dumps(words)]), beside

    def _order(self) -> Iterator[str]:
        """Yield the tables, that of people first."""
        if self.links.people is not None:
            yield self.links.people
        yield from (name for name in self.tables if name != self.links.people)

    def _table(self, name: str, stem: str, beside: dict[str, str]) -> dict[str, Any]:
        """Return the words of one table."""
        links = self.links
        drafted = self.tables[name].drafted(f"{stem}-{name}")
        beside |= drafted.files
        own: dict[str, Any] = {}
        if name in links.keys:
            own["key"] = links.keys[name]
        if links.references.get(name):
            own["references"] = dict(links.references[name])
        key_columns = {own.get("key"), *own.get("references", {})}
        own["columns"] = {
            column: self._column(name, column, said)
            for column, said in tomllib.loads(drafted.text).get("columns", {}).items()
            if column not in key_columns
        }
        return own

    def _column(self, table: str, name: str, said: dict[str, Any]) -> dict[str, Any]:
        """Return the words of one column; of an event, nobody but the owner knows who knows it."""
        known = self.elsewhere.get(table, {}).get(name)
        if known is not None:
            said = {**said, "role": known.role.value, "reason": known.reason}
        is_event = table in self.links.references
        if is_event and said["role"] == Role.SENSITIVE:
            reason = f"{said.get('reason', '')} {OF_EVENTS}".strip()
            return {**said, "role": Role.UNDECIDED.value, "reason": reason}
        return said


def has_related_tables(folder: str | Path) -> bool:
    """Return whether a folder holds several tables whose columns differ."""
    if not Path(folder).is_dir():
        return False
    listed = {path.suffix: path for path in Path(folder).iterdir() if path.is_file()}
    if not listed:
        return False
    headers = {tuple(_read(path).columns) for path in files_in(folder).values()}
    return len(headers) > 1


def inspect_related(folder: str | Path) -> RelatedInspection:
    """Describe the tables of a folder, and suggest how they hang together.

    Raises
    ------
    DataError
        when a file cannot be read
    """
    frames = {name: _read(path) for name, path in files_in(folder).items()}
    columns = {
        name: {column: _key_column(frame, column) for column in frame.columns}
        for name, frame in frames.items()
    }
    tables = {name: inspect(frame) for name, frame in frames.items()}
    judged = {
        name: {
            one.name: ColumnElsewhere(
                Role(one.role), columns[name][one.name].values, columns[name][one.name].is_unique
            )
            for one in found.columns
        }
        for name, found in tables.items()
    }
    elsewhere = roles_elsewhere(judged)
    tables = {name: _with_roles(found, elsewhere[name]) for name, found in tables.items()}
    return RelatedInspection(tables, suggested_links(columns), elsewhere)


def _with_roles(found: Inspection, roles: Mapping[str, RoleElsewhere]) -> Inspection:
    """Return what a table shows, with the roles that other tables give its columns."""
    columns = [
        one
        if (known := roles.get(one.name)) is None
        else replace(
            one,
            role=known.role.value,
            reason=known.reason,
            confidence="medium",
            likely=known.role.value,
            cost=None,
        )
        for one in found.columns
    ]
    return replace(found, columns=tuple(columns))


def _read(path: Path) -> Frame:
    """Read a table."""
    return files.read(str(path)).frame


def _key_column(frame: Frame, name: str) -> KeyColumn:
    """Return the values of a column, and whether each row has its own."""
    texts = key_texts(frame, name)
    values = frozenset(texts) - {""}
    return KeyColumn(values, len(values) == len(texts))
