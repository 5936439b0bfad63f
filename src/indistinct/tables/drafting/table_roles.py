"""The roles of all columns of a table, by each of them and by what stands beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from indistinct.base.coded_text import sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import Agreement, decide
from indistinct.tables.drafting.evidence.of_names import SpokenLanguages
from indistinct.tables.drafting.evidence.of_neighbors import (
    MUCH_HEALTH,
    NamedColumns,
    of_neighbors,
    units_of,
)
from indistinct.tables.drafting.joint import Joint
from indistinct.tables.drafting.roles import Suggestion, asked_between, concluded, witnesses_of
from indistinct.tables.drafting.sums_of_ages import sums_of_ages
from indistinct.tables.drafting.survey import WEIGHT, weight_of


def suggest_all(columns: Sequence[CountedColumn], joint: Joint) -> list[Suggestion]:
    """Suggest the role of every column of a table.

    Parameters
    ----------
    joint : the records, by which a year of birth is held against ages and years
    """
    spoken = SpokenLanguages.of(columns)
    facts = [list(witnesses_of(column, spoken)) for column in columns]
    table = NamedColumns(columns, [decide(some) for some in facts], facts)
    in_health = table.share_of_health >= MUCH_HEALTH
    for place, witness in list(of_neighbors(table)):
        facts[place].append(witness)
    found = [
        concluded(column, some, in_health=in_health)
        for column, some in zip(columns, facts, strict=True)
    ]
    for number, unit in units_of(columns):
        found[number] = found[unit] = _with_units(columns[number], columns[unit])
    for place, said in sums_of_ages(columns, found, joint):
        found[place] = replace(
            found[place],
            role=Role.QUASI_IDENTIFIER,
            confidence="medium",
            reason=said,
            rank=3,
            candidates=(),
            agreement=Agreement.NEIGHBORS,
        )
    weight = weight_of(columns)
    return [
        WEIGHT if column.name == weight else one for column, one in zip(columns, found, strict=True)
    ]


def _with_units(number: CountedColumn, unit: CountedColumn) -> Suggestion:
    """Ask about numbers of which the units differ from record to record."""
    counts = sorted((int(n) for n in unit.counts), reverse=True)
    said = sentence(
        "units",
        '"{other}" has {count} units ({first:,} and {second:,} records), so that equal numbers of '
        "{column} mean different things. Write one unit into the file.",
        other=unit.name,
        count=len(counts),
        first=counts[0],
        second=counts[1],
        column=number.name,
    )
    return asked_between(said, Role.QUASI_IDENTIFIER, Role.IDENTIFIER)
