"""A distribution before and after: a wide pale bar behind a narrow dark one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indistinct.frontends.report.components import Chart, Table
from indistinct.frontends.report.drawing import (
    ChartElement,
    Drawing,
    Label,
    Line,
    Rect,
    shortened,
    text_width,
)

WIDTH = 330.0
LEGEND_ROOM = 24.0
ROW, WIDE, NARROW = 22.0, 16.0, 7.0
LABEL_ROOM, TEXT_ROOM = 120.0, 86.0
COLUMNS_HEIGHT, FOOT = 110.0, 20.0
GAP = 6.0
LEAST = 0.001  # the last digit that is written


@dataclass(frozen=True, slots=True)
class Pair:
    """A distribution before and after.

    Parameters
    ----------
    labels : of the values or ranges
    before, after : (n_labels,), shares in [0, 1]
    in_order : whether the labels have an order, as ranges of numbers do; drawn upright then
    """

    labels: Sequence[str]
    before: Sequence[float]
    after: Sequence[float]
    in_order: bool = False


def pair_chart(
    name: str,
    title: str,
    description: str,
    pair: Pair,
    heads: tuple[str, str, str] = ("value", "before", "after"),
) -> Chart:
    """Draw a distribution before and after.

    Parameters
    ----------
    heads : of the table behind the picture; the last two are the legend, too
    """
    rows = [
        (label, _percent(before), _percent(after))
        for label, before, after in zip(pair.labels, pair.before, pair.after, strict=True)
    ]
    draw = _upright if pair.in_order else _lying
    drawing = draw(pair, list(_legend(heads[1], heads[2])))
    return Chart(name, title, description, drawing, Table(title, heads, rows, numbers=(1, 2)))


def _legend(before: str, after: str) -> Iterator[ChartElement]:
    """Yield which bar is which."""
    yield Rect(0, 2, 14, 14, "before")
    yield Label(20, 14, before)
    place = 20 + text_width([before]) + 16
    yield Rect(place, 2, 6, 14, "after")
    yield Label(place + 12, 14, after)


def _lying(pair: Pair, marks: list[ChartElement]) -> Drawing:
    """Draw a row per value."""
    left = min(text_width(pair.labels), LABEL_ROOM) + GAP
    scale = (WIDTH - left - TEXT_ROOM) / _longest(pair)
    rows = zip(pair.labels, pair.before, pair.after, strict=True)
    for number, (label, before, after) in enumerate(rows):
        top = LEGEND_ROOM + number * ROW
        text = f"{_percent(before)} → {_percent(after)}"
        marks += (
            Label(left - GAP, top + 15, shortened(label, left - GAP), "end"),
            Rect(left, top + (ROW - WIDE) / 2, before * scale, WIDE, "before", text),
            Rect(left, top + (ROW - NARROW) / 2, after * scale, NARROW, "after", text),
            Label(left + max(before, after) * scale + GAP, top + 15, text, "start", "label soft"),
        )
    height = LEGEND_ROOM + len(pair.labels) * ROW
    marks.append(Line(left, LEGEND_ROOM, left, height))
    return Drawing(WIDTH, height, marks)


def _upright(pair: Pair, marks: list[ChartElement]) -> Drawing:
    """Draw a column per range, with the first and the last range named."""
    base = LEGEND_ROOM + COLUMNS_HEIGHT
    scale = COLUMNS_HEIGHT / _longest(pair)
    step = WIDTH / max(len(pair.labels), 1)
    rows = zip(pair.labels, pair.before, pair.after, strict=True)
    for number, (label, before, after) in enumerate(rows):
        left = number * step
        story = f"{label}: {_percent(before)} before, {_percent(after)} after"
        wide, narrow = step * 0.86, step * 0.4
        marks += (
            Rect(
                left + (step - wide) / 2,
                base - before * scale,
                wide,
                before * scale,
                "before",
                story,
            ),
            Rect(
                left + (step - narrow) / 2,
                base - after * scale,
                narrow,
                after * scale,
                "after",
                story,
            ),
        )
    marks.append(Line(0, base, WIDTH, base))
    if pair.labels:
        marks.append(Label(0, base + 15, shortened(pair.labels[0], WIDTH / 2 - GAP)))
        marks.append(Label(WIDTH, base + 15, shortened(pair.labels[-1], WIDTH / 2 - GAP), "end"))
    return Drawing(WIDTH, base + FOOT, marks)


def _longest(pair: Pair) -> float:
    """Return the largest share of both."""
    return max([*pair.before, *pair.after], default=0.0) or 1.0


def _percent(share: float) -> str:
    """Write a share; what is not nothing never as nothing, and what is not all never as all."""
    if 0 < share < LEAST:
        return f"<{LEAST:.1%}"
    if 1 - LEAST < share < 1:
        return f">{1 - LEAST:.1%}"
    is_near_an_end = 0 < share < 0.1 or 0.99 < share < 1  # noqa: PLR2004 - digits count there
    return f"{share:.1%}" if is_near_an_end else f"{share:.0%}"
