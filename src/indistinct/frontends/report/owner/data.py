"""Section 3: the columns, their roles and the evidence for these, and what finds people."""

from __future__ import annotations

from collections.abc import Iterator

from indistinct.base.statements.number_texts import capitalized, count, listed, percent, some
from indistinct.frontends.report.components import (
    Block,
    Heading,
    Listing,
    Paragraph,
    Section,
    Table,
)
from indistinct.frontends.report.owner.evidence import ReportEvidence
from indistinct.tables.core import Role
from indistinct.tables.publish import ColumnReport, Inspection, JointRisk

MOST_SETS = 5
REASON = "The policy gives no reason."
ROLES = {
    Role.IDENTIFIER.value: "An identifier names a person, and is left out or replaced.",
    Role.LEFT_OUT.value: "A column that is left out is not released, although it names nobody.",
    Role.QUASI_IDENTIFIER.value: (
        "A quasi-identifier may be known to others, who may find a person's record by it. It is "
        "generalized or protected otherwise."
    ),
    Role.SENSITIVE.value: (
        "A sensitive column holds private values that nobody should learn of a person."
    ),
    Role.INSENSITIVE.value: (
        "An insensitive column is neither known to others nor private, and is released unchanged."
    ),
}


def section(evidence: ReportEvidence) -> Section:
    """Describe the original."""
    found = evidence.inspection
    blocks: list[Block] = [
        Paragraph(
            f"The original table has {some(found.rows, 'record')} and "
            f"{some(len(found.columns), 'column')}. The policy gives each column a role. The role "
            "decides what is done with the column, so check the roles first."
        ),
        Listing(list(_roles(found))),
        _given_roles(found),
        _evidence(found),
        Paragraph(
            "Different values are given as a number and as a share of the records (distinction). "
            "Separation is the share of all pairs of records that differ in the column: the closer "
            "to 100%, the better the column alone distinguishes people."
        ),
        Paragraph(_left_out(evidence)),
    ]
    if found.together is not None:
        blocks += [Heading("Columns that identify people together"), *_together(found.together)]
    return Section("data", "The data", blocks)


def _given_roles(found: Inspection) -> Table:
    """List the role of each column, and why it has it."""
    rows = [(column.name, column.role, _reason(column.reason)) for column in found.columns]
    return Table("The role of each column", ("Column", "Role", "Reason"), rows)


def _evidence(found: Inspection) -> Table:
    """List what the values of each column show."""
    rows = [
        (
            column.name,
            column.type,
            f"{count(column.distinct)} ({percent(column.distinction)})",
            count(column.missing),
            percent(column.separation),
        )
        for column in found.columns
    ]
    heads = ("Column", "Type", "Different values", "Missing", "Separation")
    return Table("The values of each column in the original table", heads, rows, numbers=(2, 3, 4))


def _roles(found: Inspection) -> Iterator[str]:
    """Return what each role that occurs means."""
    used = {column.role for column in found.columns}
    return (meaning for role, meaning in ROLES.items() if role in used)


def _reason(said: str) -> str:
    """Return why a column has its role, as far as the policy says it."""
    if not said.startswith(ColumnReport.POLICY_SAYS_SO):
        return said
    rest = said.removeprefix(ColumnReport.POLICY_SAYS_SO).lstrip("; ")
    return f"{REASON} {capitalized(rest)}".rstrip()


def _left_out(evidence: ReportEvidence) -> str:
    """Return which columns are not released at all."""
    names = evidence.policy.left_out
    if not names:
        return "No column was left out of the release."
    were = "One column was" if len(names) == 1 else f"{len(names)} columns were"
    return f"{were} left out of the release: {listed(names)}."


def _together(together: JointRisk) -> list[Block]:
    """Return how well the columns that others may know find people, together and in small sets."""
    names = listed(together.columns)
    blocks: list[Block] = [
        Paragraph(
            f"In the original, {percent(together.unique)} of the records are unique in {names}: no "
            "other record has the same values, so that somebody who knows them finds the person."
        )
    ]
    if not together.sets:
        blocks.append(
            Paragraph(
                f"No smaller set of these columns identifies {percent(together.at_least)} of the "
                "records or more."
            )
        )
    else:
        blocks.append(
            Paragraph(
                "Fewer columns are enough to identify at least "
                f"{percent(together.at_least)} of the records:"
            )
        )
        blocks.append(
            Listing(
                [
                    f"{listed(found.columns)}: {percent(found.unique)} of the records are unique."
                    for found in together.sets[:MOST_SETS]
                ]
            )
        )
    return blocks
