"""The lattice around what was chosen: one level up or down each, and what it would keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from indistinct.frontends.app.number_words import percent
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.components import Chart, Table
from indistinct.frontends.report.drawing import ChartElement, Drawing, Label, Line, Rect, shortened

WIDTH, BOX_HEIGHT, GAP = 860.0, 58.0, 12.0
ROWS = (36.0, 150.0, 264.0)
HEIGHT = 330.0
WIDEST_BOX = 170.0
MOST_IN_A_ROW = 8


def lattice_chart(information: float | None, neighbors: Sequence[Mapping[str, Any]]) -> Chart:
    """Draw the chosen node, the coarser nodes above it and the finer ones below.

    Parameters
    ----------
    information : detail that the chosen node keeps, in [0, 1]
    neighbors : rows of the page: ``column``, ``words``, ``up``, ``why`` and, where there is a
        release, ``information``
    """
    coarser = [row for row in neighbors if row["up"]][:MOST_IN_A_ROW]
    finer = [row for row in neighbors if not row["up"]][:MOST_IN_A_ROW]
    marks: list[ChartElement] = [
        Label(0, ROWS[0] - 14, text("lattice.coarser"), style="label soft"),
        Label(0, ROWS[2] - 14, text("lattice.finer"), style="label soft"),
        *_row(coarser, ROWS[0], ROWS[0] + BOX_HEIGHT, ROWS[1]),
        *_row(finer, ROWS[2], ROWS[2], ROWS[1] + BOX_HEIGHT),
        *_chosen(information),
    ]
    return Chart(
        "lattice",
        text("lattice.title"),
        text("lattice.words", coarser=len(coarser), finer=len(finer)),
        Drawing(WIDTH, HEIGHT, marks),
        _table(information, neighbors),
    )


def _chosen(information: float | None) -> list[ChartElement]:
    """Draw the chosen node in the middle."""
    left, middle = (WIDTH - WIDEST_BOX) / 2, WIDTH / 2
    return [
        Rect(left, ROWS[1], WIDEST_BOX, BOX_HEIGHT, "chosen-node"),
        Label(middle, ROWS[1] + 24, text("lattice.here"), "middle", "label on-node"),
        Label(middle, ROWS[1] + 44, _kept(information), "middle", "label on-node"),
    ]


def _row(
    rows: Sequence[Mapping[str, Any]], top: float, end: float, start: float
) -> list[ChartElement]:
    """Draw the nodes of one side, each joined to the chosen one."""
    if not rows:
        return []
    width = min(WIDEST_BOX, (WIDTH - GAP * (len(rows) - 1)) / len(rows))
    left = (WIDTH - len(rows) * width - GAP * (len(rows) - 1)) / 2
    marks: list[ChartElement] = []
    for number, row in enumerate(rows):
        x = left + number * (width + GAP)
        middle = x + width / 2
        said = text("lattice.no") if row["why"] else _kept(row["information"])
        story = text("lattice.story", column=row["column"], step=row["words"], result=said)
        marks += [
            Line(WIDTH / 2, start, middle, end, "edge"),
            Rect(x, top, width, BOX_HEIGHT, "node", story),
            Label(middle, top + 24, shortened(row["column"], width - 10), "middle"),
            Label(middle, top + 44, shortened(said, width - 10), "middle", "label soft"),
        ]
    return marks


def _kept(information: float | None) -> str:
    """Return how much detail a node keeps."""
    return text("lattice.kept", information=percent(information))


def _table(information: float | None, neighbors: Sequence[Mapping[str, Any]]) -> Table:
    """List the numbers behind the picture."""
    rows = [(text("lattice.here"), "", percent(information))]
    for row in neighbors:
        result = text("lattice.no") if row["why"] else percent(row["information"])
        rows.append((row["column"], row["words"], result))
    heads = (text("explore.column"), text("explore.step"), text("bar.information"))
    return Table(text("lattice.title"), heads, rows, numbers=(2,))
