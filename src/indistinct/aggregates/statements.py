"""What is said of published tables: figures once, and the sentences that render them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NOT_CHECKED: Mapping[str, str] = {
    "chances": "How likely the values are that a hidden count can have is not checked.",
    "replay": "A reader who knows the rule and repeats the method may exclude some values.",
    "other-tables": "Other tables of these people, ours too, are not checked: publish them in one "
    "run with these.",
    "groups": "What all of a group share, such as a row with everybody in one column, is shown.",
    "collusion": "Two people who put together what they know may know more than each of them.",
    "joint-table": "What all tables tell together as sums of one joint table is not checked.",
    "rows": "Rows are counted: what a person with several rows contributes is not bounded.",
    "apart": "The policy says that some columns do not follow from each other for any reader.",
    "bandings": "Two dimensions come from numbers or dates; whether they band one quantity twice "
    "is not checked.",
    "profile": "A profile is a set of numbers, and no approval by its source.",
}
ALWAYS = ("chances", "replay", "other-tables", "groups", "collusion", "joint-table")


@dataclass(frozen=True, slots=True)
class TableStatements:
    """The figures of published tables, all of them public.

    Parameters
    ----------
    minimum : smallest count that is shown
    cells, hidden : published cells of all tables, and those of them that are hidden
    tables : complete tables that prove the protection
    differs : over all hidden counts, the least range in the complete tables
    reaches : what the largest value of each is at least
    hides_zeros : whether a hidden count may be zero
    not_checked : codes of what was not checked
    """

    minimum: int
    cells: int
    hidden: int
    tables: int
    differs: int
    reaches: int
    hides_zeros: bool
    not_checked: tuple[str, ...]

    def sentences(self) -> tuple[str, str, str]:
        """Return what is hidden, what was checked, and what was not."""
        return self._hidden(), self._checked(), self._unchecked()

    def _hidden(self) -> str:
        if not self.hidden:
            return f"No count is below {self.minimum}; nothing is hidden."
        counts = "1 count is" if self.hidden == 1 else f"{self.hidden:,} counts are"
        small = f"those below {self.minimum}" + (", zeros too," if self.hides_zeros else ",")
        return (
            f"{counts} hidden (c): {small} and others so that none of them can be worked out from "
            "the totals."
        )

    def _checked(self) -> str:
        if not self.hidden:
            return "Checked: nothing is hidden, so that nothing can be worked out."
        return (
            f"Checked: {self.tables:,} complete tables agree with everything shown; in them each "
            f"hidden count differs by {self.differs:,} or more and can be {self.reaches:,} or more."
        )

    @staticmethod
    def _unchecked() -> str:
        return "Not checked: other tables of these people; publish them in one run with this one."


def unchecked(
    *, counts_rows: bool, has_apart: bool, has_two_bandings: bool, has_profile: bool
) -> tuple[str, ...]:
    """Return the codes of what was not checked."""
    where = {
        "rows": counts_rows,
        "apart": has_apart,
        "bandings": has_two_bandings,
        "profile": has_profile,
    }
    return (*ALWAYS, *(code for code, applies in where.items() if applies))


def said_of(codes: Sequence[str]) -> list[dict[str, str]]:
    """Return codes with their sentences, as the manifest has them."""
    return [{"code": code, "sentence": NOT_CHECKED[code]} for code in codes]
