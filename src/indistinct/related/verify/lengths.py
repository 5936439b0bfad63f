"""The true lengths of periods, which released tables may show instead of their ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import polars as pl

from indistinct.related.policy import RelatedPolicy
from indistinct.tables.verification import text_as_read

LENGTH_OF_DAY = len("2024-01-31")


def with_true_lengths(
    spec: RelatedPolicy, before: Mapping[str, pl.DataFrame]
) -> dict[str, pl.DataFrame]:
    """Return the tables of an input with the days of each period as texts in place of its end."""
    found = dict(before)
    for name in (spec.people, *spec.row_tables):
        lengths = {
            column: [
                _length(*pair)
                for pair in zip(
                    text_as_read(before[name][said.days_since]),
                    text_as_read(before[name][column]),
                    strict=True,
                )
            ]
            for column, said in spec.tables[name].columns.items()
            if said.days_since is not None
        }
        found[name] = before[name].with_columns(
            pl.Series(column, own, pl.String) for column, own in lengths.items()
        )
    return found


def _length(start: str, end: str) -> str:
    """Return the days between two dates; the empty text where there are not both."""
    try:
        return str((_day(end) - _day(start)).days)
    except ValueError:
        return ""


def _day(text: str) -> date:
    """Return the day that a text begins with."""
    return date.fromisoformat(text[:LENGTH_OF_DAY])
