"""What a statistics file says of its columns beside the cells: their labels, and their values'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from indistinct.core.brief import briefly

Value = int | float | str
MOST_CATEGORIES = 10_000  # values that are looked up one by one


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of columns and of their values.

    Parameters
    ----------
    columns : per column, what it is about
    values : per column, what each coded value stands for
    """

    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Mapping[str, Mapping[Value, str]] = field(
        default_factory=dict[str, Mapping[Value, str]]
    )

    __repr__ = briefly

    def shown_in(self, frame: pl.DataFrame) -> Labels:
        """Give the labels of the columns that a frame has, and of the values that its cells show.

        The labels of all other values are left out: a code that only suppressed records have would
        otherwise be named in the release.
        """
        columns = {name: text for name, text in self.columns.items() if name in frame.columns}
        values = {
            name: shown
            for name, labels in self.values.items()
            if name in frame.columns and (shown := _shown(frame[name], labels))
        }
        return Labels(columns, values)


def _shown(column: pl.Series, labels: Mapping[Value, str]) -> dict[Value, str]:
    """Give the labels of the values that occur, by the value as the column has it, in order."""
    known = column.drop_nulls().unique()
    if column.dtype == pl.String:
        # A generalized column holds the codes that were kept as text.
        by_text = {_text(value): label for value, label in labels.items()}
        texts: list[str] = sorted(known.to_list())
        return {text: by_text[text] for text in texts if text in by_text}
    if not column.dtype.is_numeric() or len(known) > MOST_CATEGORIES:
        return {}
    numbers: list[float] = sorted(known.cast(pl.Float64).to_list())
    by_number = {float(value): label for value, label in labels.items() if not _is_text(value)}
    return {number: by_number[number] for number in numbers if number in by_number}


def _is_text(value: Value) -> bool:
    """Tell whether a value is a text."""
    return isinstance(value, str)


def _text(value: Value) -> str:
    """Write a value as a cell of a text column does."""
    return value if isinstance(value, str) else f"{value:.15g}"
