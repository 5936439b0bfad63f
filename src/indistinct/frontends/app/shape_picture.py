"""The decisions of a search that recodes locally, as a tree: a row per column, from left to right.

Below each block stand those of its records, parted by the level of the next column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from indistinct.frontends.app.number_words import count, percent
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.components import Chart, Table
from indistinct.frontends.report.drawing import (
    LETTER_WIDTH,
    LEVEL_CLASSES,
    ChartElement,
    Drawing,
    Label,
    Rect,
    shortened,
    text_width,
)

WIDTH, ROW, NARROWEST = 860.0, 36.0, 1.5
WIDEST_NAMES = 170.0
ROWS_LISTED = 12
# Levels whose color is so strong that their labels have the color of the paper.
STRONG = frozenset({0, LEVEL_CLASSES - 1})

Combination = Mapping[str, Any]


def shape_chart(shape: Mapping[str, Any]) -> Chart:
    """Draw the combinations of levels of a release."""
    names: list[str] = shape["names"]
    found = sorted(shape["combinations"], key=lambda one: one["levels"])
    n_records = sum(one["records"] for one in found)
    left = min(text_width(names) + 14, WIDEST_NAMES)
    scale = (WIDTH - left) / max(n_records, 1)
    marks: list[ChartElement] = []
    for depth, name in enumerate(names):
        top = depth * ROW
        marks.append(Label(0, top + 22, shortened(name, left - 8)))
        marks += _row(shape, found, depth, top, left, scale)
    said = text(
        "shape.words",
        combinations=count(shape["number"]),
        first=names[0] if names else "",
        records=count(n_records + shape["further"]),
    )
    drawing = Drawing(WIDTH, len(names) * ROW, marks)
    return Chart("shape", text("shape.title"), said, drawing, _table(shape))


def _row(  # noqa: PLR0913, PLR0917 - where it is drawn
    shape: Mapping[str, Any],
    found: Sequence[Combination],
    depth: int,
    top: float,
    left: float,
    scale: float,
) -> list[ChartElement]:
    """Draw the blocks of one column; those too narrow to see are drawn together."""
    marks: list[ChartElement] = []
    place, pending = left, 0.0
    for levels, inside in groupby(found, key=lambda one: one["levels"][: depth + 1]):
        block = list(inside)
        width = scale * sum(one["records"] for one in block)
        if width < NARROWEST:
            pending += width
            continue
        place, pending = _closed(marks, place, pending, top)
        said = level_words(levels[-1], shape["hidden"][depth])
        style = min(max(levels[-1], 0), LEVEL_CLASSES - 1)
        story = _story(shape, levels, block)
        marks.append(Rect(place, top + 4, width, ROW - 8, f"part part-{style}", story))
        if width > (len(said) + 1) * LETTER_WIDTH:
            on = "label on-node" if style in STRONG else "label"
            marks.append(Label(place + width / 2, top + 22, said, "middle", on))
        place += width
    _closed(marks, place, pending, top)
    return marks


def _closed(
    marks: list[ChartElement], place: float, pending: float, top: float
) -> tuple[float, float]:
    """Draw the narrow blocks that were left out so far as one."""
    if pending >= NARROWEST:
        marks.append(Rect(place, top + 4, pending, ROW - 8, "part tone-2"))
    return place + pending, 0.0


def _story(shape: Mapping[str, Any], levels: Sequence[int], block: Sequence[Combination]) -> str:
    """Return what a block is."""
    said = [
        text("shape.step", column=name, level=level_words(level, hidden))
        for name, level, hidden in zip(shape["names"], levels, shape["hidden"], strict=False)
    ]
    records = count(sum(one["records"] for one in block))
    return text("shape.story", steps=", ".join(said), records=records)


def level_words(level: int, hidden: int) -> str:
    """Name a level."""
    if level < 0:
        return text("shape.range")
    if level == 0:
        return text("shape.exact")
    return text("column.hidden") if level == hidden else text("column.level", level=level)


def _table(shape: Mapping[str, Any]) -> Table:
    """List the most frequent combinations: the numbers behind the picture."""
    listed = shape["combinations"][:ROWS_LISTED]
    total = sum(one["records"] for one in shape["combinations"]) + shape["further"]
    rows = [
        (
            *(
                level_words(level, hidden)
                for level, hidden in zip(one["levels"], shape["hidden"], strict=True)
            ),
            count(one["records"]),
            percent(one["records"] / max(total, 1)),
            count(one["groups"]),
        )
        for one in listed
    ]
    n = len(shape["names"])
    heads = (*shape["names"], text("shape.records"), text("shape.share"), text("shape.groups"))
    title = text("shape.listed", number=len(listed))
    return Table(title, heads, rows, numbers=(n, n + 1, n + 2))
