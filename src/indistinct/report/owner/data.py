"""Section 3: the columns, their roles and the evidence for these, and what finds people."""

from __future__ import annotations

from indistinct.core.schema import Role
from indistinct.publish.inspected import POLICY_SAYS_SO
from indistinct.publish.inspection import Together
from indistinct.report.components import Block, Heading, Listing, Paragraph, Section, Table
from indistinct.report.owner.evidence import Evidence
from indistinct.report.words import count, listed, percent, some

MOST_SETS = 5
REASON = "The policy gives no reason."
ROLES = {
    Role.IDENTIFIER.value: "names a person",
    Role.QUASI_IDENTIFIER.value: "may be known to others",
    Role.SENSITIVE.value: "is private",
    Role.INSENSITIVE.value: "is neither known nor private",
}


def section(evidence: Evidence) -> Section:
    """Describe the original."""
    found = evidence.inspection
    blocks: list[Block] = [
        Paragraph(
            f"The original table has {some(found.rows, 'record')} and "
            f"{some(len(found.columns), 'column')}. The policy gives each column a role. The role "
            "decides what is done with the column, so check the roles first."
        ),
        _columns(evidence),
        Paragraph(
            "Distinct is the number of different values. Tells apart is the share of all pairs of "
            "records that differ in the column: the closer to 100%, the better the column alone "
            "finds a person."
        ),
        Paragraph(_left_out(evidence)),
    ]
    if found.together is not None:
        blocks += [Heading("The columns that find people"), *_together(found.together)]
    return Section("data", "The data", blocks)


def _columns(evidence: Evidence) -> Table:
    """List the columns."""
    rows = [
        (
            column.name,
            f"{column.role}: {ROLES[column.role]}" if column.role in ROLES else column.role,
            column.type,
            count(column.distinct),
            count(column.missing),
            percent(column.separation),
            _reason(column.reason),
        )
        for column in evidence.inspection.columns
    ]
    heads = ("Column", "Role", "Type", "Distinct", "Missing", "Tells apart", "Why this role")
    return Table("The columns of the original table", heads, rows, numbers=(3, 4, 5))


def _reason(said: str) -> str:
    """Say why a column has its role, as far as the policy says it."""
    if not said.startswith(POLICY_SAYS_SO):
        return said
    rest = said.removeprefix(POLICY_SAYS_SO).lstrip("; ")
    return f"{REASON} {rest[:1].upper()}{rest[1:]}".rstrip()


def _left_out(evidence: Evidence) -> str:
    """Say which columns are not released at all."""
    names = evidence.policy.left_out
    if not names:
        return "No column was left out of the release."
    were = "One column was" if len(names) == 1 else f"{len(names)} columns were"
    return f"{were} left out of the release: {listed(names)}."


def _together(together: Together) -> list[Block]:
    """Say how well the columns that others may know find people, together and in small sets."""
    names = listed(together.columns)
    blocks: list[Block] = [
        Paragraph(
            f"Somebody who knows {names} of a person finds {percent(together.unique)} of the "
            "records of the original alone: no other record has the same values."
        )
    ]
    if together.sets:
        blocks.append(
            Paragraph(
                "Fewer columns suffice for almost everybody (at least "
                f"{percent(together.at_least)} of the records):"
            )
        )
        blocks.append(
            Listing(
                [
                    f"{listed(found.columns)} find {percent(found.unique)} of the records."
                    for found in together.sets[:MOST_SETS]
                ]
            )
        )
    return blocks
