"""A table as it is printed: rows down, columns across, totals last."""

from __future__ import annotations

from collections.abc import Sequence

from indistinct.aggregates.dimensions import TOTAL
from indistinct.aggregates.lines import HIDDEN, Lines

GAP = "  "


def printed(lines: Lines, n_rows: int) -> str:
    """Return a table as text.

    Parameters
    ----------
    n_rows : how many of its dimensions go down; the others go across
    """
    cells: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}
    for *labels, value in zip(*lines.labels, lines.values, strict=True):
        key = tuple(labels[:n_rows]), tuple(labels[n_rows:])
        cells[key] = HIDDEN if value is None else f"{value:,}"
    down = list(dict.fromkeys(row for row, _ in cells))
    across = list(dict.fromkeys(column for _, column in cells))
    header = [*([""] * max(n_rows, 1)), *(_heading(column) for column in across)]
    body = [
        [*(_named(row) or ["count"]), *(cells.get((row, column), "0") for column in across)]
        for row in down
    ]
    return _aligned([header, *body], max(n_rows, 1))


def _named(labels: Sequence[str]) -> list[str]:
    """Return labels as they are printed."""
    return ["total" if label == TOTAL else label for label in labels]


def _heading(labels: Sequence[str]) -> str:
    """Return the heading of a column, whose labels are one total where all of them are."""
    if not labels:
        return "count"
    named = _named(labels)
    return "total" if set(named) == {"total"} else " / ".join(named)


def _aligned(rows: Sequence[Sequence[str]], n_left: int) -> str:
    """Return cells in columns: the first ones begin at the left, numbers end at the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.ljust(width) if place < n_left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(GAP.join(cells).rstrip())
    return "\n".join(lines)
