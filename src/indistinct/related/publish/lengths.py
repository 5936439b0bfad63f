"""The ends of periods as days since their beginnings, before anything is counted."""

from __future__ import annotations

from indistinct.errors import DataError, Fault
from indistinct.related.policy_section import TableSection
from indistinct.tables.frames import Frame, days_between, n_without_day, with_whole_columns


def with_lengths(frame: Frame, table: TableSection) -> Frame:
    """Return a table in which the columns with ``days_since`` have whole days, below 0 before it.

    A length is missing where one of the two dates is.

    Raises
    ------
    DataError
        when cells are not dates, with the number of them, for all columns at once
    """
    pairs = {name: one.days_since for name, one in table.columns.items() if one.days_since}
    faults = [
        Fault(
            f"columns.{column}", f"{count} cells are not dates", "Correct them, or name a format."
        )
        for column in dict.fromkeys([*pairs, *pairs.values()])
        if (count := n_without_day(frame[column]))
    ]
    if faults:
        raise DataError(faults)
    lengths = (days_between(frame[start], frame[end]) for end, start in pairs.items())
    return with_whole_columns(frame, lengths)
