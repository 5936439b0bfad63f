"""The hierarchies that a known model of data adds to the draft for related tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from indistinct.base.brief import short_repr
from indistinct.tables.drafting import (
    FLAT,
    CountedColumn,
    SchemaProfile,
    Surroundings,
    hierarchy_file,
    profile_hierarchy,
    with_missing,
)
from indistinct.tables.frames import Frame
from indistinct.tables.publish import Inspection

DIGITS_OF_A_YEAR = 4


@dataclass(frozen=True, slots=True)
class ProfileWords:
    """What a profile says of the columns of tables that are at hand.

    Parameters
    ----------
    profile : the known model of data
    columns : per table and column, its values
    around : the other tables, and the last year of their dates
    """

    profile: SchemaProfile
    columns: Mapping[tuple[str, str], CountedColumn]
    around: Surroundings

    __repr__ = short_repr

    @classmethod
    def of(
        cls, profile: SchemaProfile, found: Mapping[str, Inspection], frames: Mapping[str, Frame]
    ) -> ProfileWords:
        """Return the same of inspected tables."""
        columns = {
            (name, one.evidence.name): one.evidence
            for name, own in found.items()
            for one in own.owners.held[0]
        }
        years = [
            int(text[:DIGITS_OF_A_YEAR])
            for place, own in columns.items()
            if "dates" in profile.hierarchy_of(*place)
            for text in own.texts
            if text[:DIGITS_OF_A_YEAR].isdigit()
        ]
        tables = {name.lower(): frame for name, frame in frames.items()}
        return cls(profile, columns, Surroundings(tables, max(years, default=None)))

    def add_to(
        self, tables: Mapping[str, Mapping[str, Any]], stem: str, files: dict[str, str]
    ) -> None:
        """Add the hierarchies to the words of all columns that have a rule, and lengths of periods.

        Parameters
        ----------
        tables : per table, the words of a policy
        stem : begins the names of files
        files : the content of each by its name, to which those of these hierarchies are added
        """
        for table, words in tables.items():
            columns = words.get("columns", {})
            for column in columns:
                columns[column] |= self._hierarchy(table, column, f"{stem}-{table}", files)
                columns[column] |= self._length(table, column, columns)

    def _length(self, table: str, column: str, present: Collection[str]) -> dict[str, Any]:
        """Return the words of the end of a period, whose length is released instead; else none."""
        spelled = {name.lower(): name for name in present}
        role = self.profile.role_of_end(table, column, spelled)
        if not role:
            return {}
        return {
            **role,
            "days_since": spelled[self.profile.start_of(column) or ""],
            "hierarchy": {"intervals": list(self.profile.periods)},
        }

    def _hierarchy(
        self, table: str, column: str, stem: str, files: dict[str, str]
    ) -> dict[str, Any]:
        """Return the words of a hierarchy; none where a column has no rule, or it does not fit."""
        rule = self.profile.hierarchy_of(table, column)
        if not rule:
            return {}
        own = self.columns[table, column]
        found = profile_hierarchy(rule, own, self.around)
        shape, least = found.shape, {"min_level": found.min_level} if found.min_level else {}
        if shape is FLAT:
            return {}
        if shape.rows is None:
            return {"hierarchy": dict(shape.rule or {}), **least}
        rows = with_missing(shape.rows, "") if own.missing else shape.rows
        reason = f"{self.profile.name} says so. {shape.said}"
        return {"reason": reason, "hierarchy": hierarchy_file(stem, column, rows, files), **least}
