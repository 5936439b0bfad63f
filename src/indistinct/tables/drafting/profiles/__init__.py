"""Known models of data, as files: keys, references, and the roles of their columns."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Any

from indistinct.base.nearest_words import did_you_mean
from indistinct.errors import ParameterError
from indistinct.tables.core.key_columns import key_parts
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.links import SuggestedLinks

SUFFIX = ".toml"
WHY = {
    "identifiers": "It leads to a person, an institution or a single record.",
    "ends": "It ends a period, whose length beside its beginning few people share.",
    "repeated": "It says again, or more exactly, what another column says.",
}


@dataclass(frozen=True, slots=True)
class ProfileTable:
    """What a model of data says of one table.

    Parameters
    ----------
    key, references : as a policy has them
    release_key : whether rows below point at those of this table
    public, leave_out : whether it is released as it is, or has no place in a release
    columns : the roles of its columns, as far as they are known
    """

    key: str | None = None
    references: Mapping[str, str] | None = None
    release_key: bool = False
    public: bool = False
    leave_out: bool = False
    columns: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class SchemaProfile:
    """A known model of data. Tables and columns may be written in any case.

    Parameters
    ----------
    name : of the model and its version
    people : the table of units
    tables : by their names
    left_out : per reason, patterns of the names of columns that no release has
    hierarchies : per pattern of names, the rule by which quasi-identifiers are generalized; see
        :func:`~indistinct.tables.drafting.profile_hierarchies.profile_hierarchy`
    lengths : per ending of names of ends of periods, that of the names of their beginnings
    periods : days of the intervals of lengths
    """

    name: str
    people: str
    tables: Mapping[str, ProfileTable]
    left_out: Mapping[str, Collection[str]]
    hierarchies: Mapping[str, Mapping[str, Any]]
    lengths: Mapping[str, str]
    periods: Collection[int]

    def table(self, name: str) -> ProfileTable:
        """Return what is known of a table; of a strange one nothing."""
        return self.tables.get(name.lower(), ProfileTable())

    def links(self, columns: Mapping[str, Collection[str]]) -> SuggestedLinks:
        """Return the keys and references of the tables that are there.

        Parameters
        ----------
        columns : per table, the names of its columns
        """
        by_name = {name.lower(): name for name in columns}
        keys: dict[str, str] = {}
        references: dict[str, dict[str, str]] = {}
        for name, present in columns.items():
            known, spelled = self.table(name), {column.lower(): column for column in present}
            if known.key is not None and _are_there(known.key, spelled):
                keys[name] = _spelled(known.key, spelled)
            references[name] = {
                _spelled(column, spelled): by_name[above]
                for column, above in (known.references or {}).items()
                if above in by_name and _are_there(column, spelled)
            }
        return SuggestedLinks(
            by_name.get(self.people), keys, {name: own for name, own in references.items() if own}
        )

    def words_of(self, table: str, column: str) -> dict[str, Any]:
        """Return the words of a column that the model of data knows; of a strange one none."""
        role = (self.table(table).columns or {}).get(column.lower())
        if role is not None:
            return {"role": role, "reason": f"{self.name} says so."}
        for why, patterns in self.left_out.items():
            if any(fnmatchcase(column.lower(), pattern) for pattern in patterns):
                return {"role": Role.IDENTIFIER.value, "reason": WHY[why]}
        return {}

    def role_of_end(self, table: str, column: str, present: Collection[str]) -> dict[str, str]:
        """Return the role of the end of a period, whose length is released instead; else none.

        Parameters
        ----------
        present : the columns of the table that are at hand, in lower case
        """
        start = self.start_of(column)
        if start not in present or start not in (self.table(table).columns or {}):
            return {}
        said = f"{self.name} says so. It ends a period, whose days are released."
        return {"role": Role.QUASI_IDENTIFIER.value, "reason": said}

    def start_of(self, column: str) -> str | None:
        """Return the name, in lower case, of the column in which the period of an end begins."""
        for end, start in self.lengths.items():
            if column.lower().endswith(end):
                return f"{column.lower().removesuffix(end)}{start}"
        return None

    def hierarchy_of(self, table: str, column: str) -> Mapping[str, Any]:
        """Return the rule of a quasi-identifier by the first pattern that fits; of others none."""
        if (self.table(table).columns or {}).get(column.lower()) != Role.QUASI_IDENTIFIER:
            return {}
        for pattern, rule in self.hierarchies.items():
            if fnmatchcase(column.lower(), pattern):
                return rule
        return {}


def profile_names() -> list[str]:
    """List the known models of data."""
    found = (one.name for one in files(__package__ or "").iterdir())
    return sorted(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX))


def profile_named(name: str) -> SchemaProfile:
    """Return a known model of data.

    Raises
    ------
    ParameterError
        when there is none of this name
    """
    known = profile_names()
    if name not in known:
        listed = f"Choose one of {', '.join(known)}."
        raise ParameterError("profile: is not known", did_you_mean(name, known, listed))
    text = files(__package__ or "").joinpath(f"{name}{SUFFIX}").read_text(encoding="utf-8")
    words = tomllib.loads(text)
    return SchemaProfile(
        name,
        words["people"],
        {table: ProfileTable(**said) for table, said in words["tables"].items()},
        {why: words.get(why, ()) for why in WHY},
        words["hierarchies"],
        words["lengths"],
        words["periods"],
    )


def _are_there(said: str, spelled: Mapping[str, str]) -> bool:
    """Return whether a table has all columns of a key."""
    return all(part in spelled for part in key_parts(said))


def _spelled(said: str, spelled: Mapping[str, str]) -> str:
    """Return the columns of a key as the table writes them."""
    return ", ".join(spelled[part] for part in key_parts(said))
