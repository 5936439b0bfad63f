"""A heat map of figures between pairs of columns; every field has its number written in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from indistinct.frontends.report.components import Chart, Table
from indistinct.frontends.report.drawing import (
    ChartElement,
    Drawing,
    Label,
    Rect,
    shortened,
    text_width,
)

WIDTH = 680.0
FIELD_HEIGHT = 30.0
WIDEST_FIELD = 84.0
LABEL_ROOM = 130.0
GAP = 8.0
STEPS = 4


def heat_map(  # noqa: PLR0913 - a chart has that many words
    name: str,
    title: str,
    description: str,
    labels: Sequence[str],
    figures: Sequence[Sequence[float | None]],
    *,
    furthest: float = 1.0,
) -> Chart:
    """Draw a square of figures around 0.

    Parameters
    ----------
    labels : of rows and columns
    figures : (n_labels, n_labels); None leaves a field empty
    furthest : magnitude that has the strongest color
    """
    rows = [
        (label, *(_figure(figure) for figure in row))
        for label, row in zip(labels, figures, strict=True)
    ]
    table = Table(title, ("", *labels), rows, numbers=tuple(range(1, len(labels) + 1)))
    return Chart(name, title, description, _drawn(labels, figures, furthest), table)


def _drawn(
    labels: Sequence[str], figures: Sequence[Sequence[float | None]], furthest: float
) -> Drawing:
    """Draw the fields, the names at the left and turned above."""
    room = min(text_width(labels), LABEL_ROOM)
    left, top = room + GAP, room * 0.72 + 24
    # A turned name reaches beyond the last field.
    width = min((WIDTH - left - room * 0.72) / max(len(labels), 1), WIDEST_FIELD)
    marks: list[ChartElement] = []
    for row, label in enumerate(labels):
        y = top + row * FIELD_HEIGHT
        marks.append(Label(left - GAP, y + 20, shortened(label, room), "end"))
        middle = left + (row + 0.5) * width
        marks.append(Label(middle, top - 8, shortened(label, room), turned=-45))
        marks += _fields(labels, row, figures[row], (left, y, width), furthest)
    return Drawing(WIDTH, top + len(labels) * FIELD_HEIGHT, marks)


def _fields(
    labels: Sequence[str],
    row: int,
    figures: Sequence[float | None],
    place: tuple[float, float, float],
    furthest: float,
) -> Iterator[ChartElement]:
    """Draw the fields of one row."""
    left, top, width = place
    for column, figure in enumerate(figures):
        if figure is None:
            continue
        x = left + column * width
        story = f"{labels[row]} and {labels[column]}: {_figure(figure)}"
        style = field_style(figure, furthest)
        yield Rect(x + 1, top + 1, width - 2, FIELD_HEIGHT - 2, f"field {style}", story)
        yield Label(x + width / 2, top + 19, _figure(figure), "middle", f"label on-{style}")


def field_style(figure: float, furthest: float) -> str:
    """Name the color: ``less-1`` to ``less-4``, ``more-1`` to ``more-4`` or ``even``."""
    step = min(math.ceil(abs(figure) / furthest * STEPS - 1e-9), STEPS)
    if step == 0 or abs(figure) < 0.005:  # noqa: PLR2004 - written as 0.00
        return "even"
    return f"{'less' if figure < 0 else 'more'}-{step}"


def _figure(figure: float | None) -> str:
    """Write a figure with its sign."""
    if figure is None:
        return ""
    return "0.00" if abs(figure) < 0.005 else f"{figure:+.2f}"  # noqa: PLR2004 - two digits
