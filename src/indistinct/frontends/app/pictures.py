"""A hierarchy as a picture: one row per level, and each label as wide as it has records."""

from __future__ import annotations

import numpy as np

from indistinct.frontends.app.number_words import count
from indistinct.frontends.app.table_profiles import ColumnLevels
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.components import Chart, Table
from indistinct.frontends.report.drawing import (
    LETTER_WIDTH,
    ChartElement,
    Drawing,
    Label,
    Rect,
    shortened,
)

WIDTH, ROW, NARROWEST = 720.0, 34.0, 1.5
LEFT = 74.0
TONES = 3
ROWS_BEHIND = 12
HIDDEN = "*"


def hierarchy_chart(name: str, levels: ColumnLevels) -> Chart:
    """Draw a column's hierarchy, the coarsest level on top."""
    hierarchy = levels.hierarchy
    order = np.lexsort([hierarchy.codes[level] for level in range(hierarchy.n_levels)])
    marks: list[ChartElement] = []
    for row, level in enumerate(reversed(range(hierarchy.n_levels))):
        marks.append(
            Label(0, row * ROW + 21, text("column.level", level=level), style="label soft")
        )
        marks += _row(levels, level, order.tolist(), row * ROW)
    said = "; ".join(_said(levels, level) for level in range(hierarchy.n_levels))
    return Chart(
        "hierarchy",
        text("column.picture", column=name),
        text("column.picture_words", levels=said),
        Drawing(WIDTH, hierarchy.n_levels * ROW, marks),
        _table(levels),
    )


def level_rows(levels: ColumnLevels, level: int, most: int) -> list[tuple[str, str]]:
    """List the labels of a level with their records, the most frequent first."""
    counts, labels = levels.counts[level], _labels(levels, level)
    order: list[int] = np.argsort(-counts, kind="stable")[:most].tolist()
    rows = [(labels[code], count(int(counts[code]))) for code in order]
    rest = len(labels) - len(rows)
    if rest > 0:
        gone = int(counts.sum()) - int(counts[order].sum())
        rows.append((text("column.further", number=count(rest)), count(gone)))
    return rows


def _labels(levels: ColumnLevels, level: int) -> list[str]:
    """Return the labels of a level; the one that hides everything says so."""
    labels = levels.hierarchy.labels[level]
    return [text("column.hidden") if label == HIDDEN else label for label in labels]


def _said(levels: ColumnLevels, level: int) -> str:
    """Return how many labels a level has."""
    return text("column.level_has", level=level, labels=count(len(levels.counts[level])))


def _row(levels: ColumnLevels, level: int, order: list[int], top: float) -> list[ChartElement]:
    """Draw the labels of one level; those too narrow to see are drawn together."""
    codes = levels.hierarchy.codes[level]
    labels, counts = _labels(levels, level), levels.counts[level]
    scale = (WIDTH - LEFT) / max(int(counts.sum()), 1)
    place, pending, marks = LEFT, 0.0, list[ChartElement]()
    seen = dict.fromkeys(int(codes[value]) for value in order)
    for number, code in enumerate(seen):
        width = float(counts[code]) * scale
        if width < NARROWEST:
            pending += width
            if pending < NARROWEST:
                continue
            marks.append(Rect(place, top + 4, pending, ROW - 8, "part part-2"))
            place, pending = place + pending, 0.0
            continue
        place, pending = place + pending, 0.0
        records = text("column.of_records", number=count(int(counts[code])))
        story = f"{labels[code]}: {records}"
        tone = number % TONES
        marks.append(Rect(place, top + 4, width, ROW - 8, f"part tone-{tone}", story))
        if width > 3 * LETTER_WIDTH:
            fitting = shortened(labels[code], width - 8)
            marks.append(Label(place + width / 2, top + 21, fitting, "middle"))
        place += width
    return marks


def _table(levels: ColumnLevels) -> Table:
    """List the labels of the level below the top: the numbers behind the picture."""
    level = max(levels.hierarchy.n_levels - 2, 0)
    title = text("column.level", level=level)
    heads = (text("column.label"), text("column.records"))
    return Table(title, heads, level_rows(levels, level, ROWS_BEHIND), numbers=(1,))
