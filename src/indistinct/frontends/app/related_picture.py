"""Tables about the same people as a picture: the people on top, what belongs to them below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indistinct.frontends.app.number_words import count
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.components import Chart, Table
from indistinct.frontends.report.drawing import ChartElement, Drawing, Label, Line, Rect, shortened

BOX, BOX_HEIGHT, GAP, ROW = 190.0, 58.0, 16.0, 112.0
MOST_IN_A_ROW = 4
NARROWEST = 520.0  # so that letters are not larger than those around the picture


@dataclass(frozen=True, slots=True)
class _Box:
    """Where a table is drawn."""

    x: float
    y: float

    @property
    def middle(self) -> float:
        """The place of lines."""
        return self.x + BOX / 2


def tables_chart(words: Mapping[str, Any], rows: Mapping[str, int]) -> Chart:
    """Draw the tables of a policy, and which belongs to which.

    Parameters
    ----------
    words : of the policy
    rows : of each table
    """
    boxes = _boxes(words)
    people = words["related"]["people"]
    lines: list[ChartElement] = [
        Line(box.middle, box.y, boxes[above].middle, boxes[above].y + BOX_HEIGHT, "edge")
        for name, box in boxes.items()
        for above in _references(words, name).values()
        if above in boxes and boxes[above].y < box.y
    ]
    marks = [mark for name, box in boxes.items() for mark in _box(words, name, box, rows, people)]
    height = max((box.y for box in boxes.values()), default=0.0) + BOX_HEIGHT + 4
    ends = [box.x + BOX for box in boxes.values()]
    width = max(max(ends, default=0.0), NARROWEST)
    said = text("related.picture_words", tables=len(boxes), people=people)
    return Chart(
        "tables",
        text("related.picture"),
        said,
        Drawing(width, height, [*lines, *marks]),
        _table(words, rows),
    )


def _references(words: Mapping[str, Any], name: str) -> Mapping[str, str]:
    """Return the columns of a table that lead to others."""
    return words["tables"][name].get("references", {})


def _boxes(words: Mapping[str, Any]) -> dict[str, _Box]:
    """Place the tables: each below all that it leads to, at most four beside each other."""
    depths: dict[str, int] = {}
    for _ in words["tables"]:
        for name in words["tables"]:
            above = [depths.get(one, 0) for one in _references(words, name).values()]
            depths[name] = min(max(above, default=-1) + 1, len(words["tables"]))
    lines: list[list[str]] = []
    for depth in sorted({*depths.values()}):
        names = [name for name, own in depths.items() if own == depth]
        lines += [names[at : at + MOST_IN_A_ROW] for at in range(0, len(names), MOST_IN_A_ROW)]
    width = _width(max(map(len, lines), default=0))
    return {name: box for at, names in enumerate(lines) for name, box in _line(names, at, width)}


def _width(n_boxes: int) -> float:
    """Return the width of a picture with so many tables beside each other."""
    return max(n_boxes * (BOX + GAP) - GAP, NARROWEST)


def _line(names: Sequence[str], at: int, width: float) -> list[tuple[str, _Box]]:
    """Place the tables of one line in the middle."""
    left = (width - len(names) * (BOX + GAP) + GAP) / 2
    return [
        (name, _Box(left + number * (BOX + GAP), 4 + at * ROW)) for number, name in enumerate(names)
    ]


def _box(
    words: Mapping[str, Any], name: str, box: _Box, rows: Mapping[str, int], people: str
) -> list[ChartElement]:
    """Draw one table."""
    is_people = name == people
    style = "label on-node" if is_people else "label"
    soft = style if is_people else "label soft"
    size = text("related.rows", rows=count(rows.get(name, 0)))
    return [
        Rect(
            box.x,
            box.y,
            BOX,
            BOX_HEIGHT,
            "chosen-node" if is_people else "node",
            _story(words, name),
        ),
        Label(box.middle, box.y + 24, shortened(name, BOX - 10), "middle", style),
        Label(box.middle, box.y + 44, shortened(size, BOX - 10), "middle", soft),
    ]


def _story(words: Mapping[str, Any], name: str) -> str:
    """Return what a table belongs to, in words."""
    if words["tables"][name].get("public"):
        return text("related.story_public", table=name)
    led = ", ".join(
        text("related.leads", column=column, table=above)
        for column, above in _references(words, name).items()
    )
    return text("related.story", table=name, leads=led) if led else name


def _table(words: Mapping[str, Any], rows: Mapping[str, int]) -> Table:
    """List what the picture shows."""
    listed = [
        (
            name,
            count(rows.get(name, 0)),
            str(table.get("key", "")),
            ", ".join(
                text("related.leads", column=column, table=above)
                for column, above in _references(words, name).items()
            ),
        )
        for name, table in words["tables"].items()
    ]
    heads = tuple(text(f"related.{name}") for name in ("table", "rows_head", "key", "belongs"))
    return Table(text("related.picture"), heads, listed, numbers=(1,))
