"""Horizontal bars: one length per label, or the parts of a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indistinct.frontends.report.components import Chart, Table
from indistinct.frontends.report.drawing import (
    LETTER_WIDTH,
    LEVEL_CLASSES,
    ChartElement,
    Drawing,
    Label,
    Line,
    Rect,
    shortened,
    text_width,
)

WIDTH = 680.0
ROW, THICK = 26.0, 16.0
LABEL_ROOM = 190.0
LEGEND_ROOM = 26.0
GAP = 8.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar.

    Parameters
    ----------
    label : at its left
    parts : lengths of its parts, at least 0
    text : at its right, such as the number that it shows
    """

    label: str
    parts: Sequence[float]
    text: str


def bar_chart(  # noqa: PLR0913 - a chart has that many words
    name: str,
    title: str,
    description: str,
    bars: Sequence[Bar],
    *,
    heads: tuple[str, str],
    legend: Sequence[str] = (),
    table: Table | None = None,
) -> Chart:
    """Draw bars below one another.

    Parameters
    ----------
    heads : of the table behind the picture: what the labels are, what the texts are
    legend : of the parts, where a bar has several; every bar has at most as many
    table : the numbers, where they are more than the texts of the bars
    """
    numbers = table or Table(title, heads, [(bar.label, bar.text) for bar in bars], numbers=(1,))
    return Chart(name, title, description, _drawn(bars, legend), numbers)


def _drawn(bars: Sequence[Bar], legend: Sequence[str]) -> Drawing:
    """Draw the legend and the bars."""
    left = min(text_width([bar.label for bar in bars]), LABEL_ROOM) + GAP
    right = min(text_width([bar.text for bar in bars]), LABEL_ROOM) + GAP
    top = LEGEND_ROOM if legend else 0.0
    longest = max((sum(bar.parts) for bar in bars), default=0.0) or 1.0
    scale = (WIDTH - left - right) / longest
    marks: list[ChartElement] = [*_legend(legend, left)]
    for number, bar in enumerate(bars):
        marks += _bar(bar, top + number * ROW, left, right, scale)
    height = top + len(bars) * ROW
    marks.append(Line(left, top, left, height))
    return Drawing(WIDTH, height, marks)


def _bar(bar: Bar, top: float, left: float, right: float, scale: float) -> Iterator[ChartElement]:
    """Draw one bar, its label and its text."""
    base = top + (ROW + THICK) / 2 - 4
    yield Label(left - GAP, base, shortened(bar.label, left - GAP), "end")
    place = left
    for number, part in enumerate(bar.parts):
        if part > 0:
            length = part * scale
            yield Rect(place, top + (ROW - THICK) / 2, length, THICK, part_style(number), bar.text)
            place += length
    yield Label(place + GAP / 2, base, shortened(bar.text, right), "start", "label soft")


def part_style(number: int) -> str:
    """Name the color of a part; beyond the last one they stay alike."""
    return f"part part-{min(number, LEVEL_CLASSES - 1)}"


def _legend(legend: Sequence[str], left: float) -> Iterator[ChartElement]:
    """Yield what the parts are."""
    place = left
    for number, text in enumerate(legend):
        yield Rect(place, 4, 12, 12, part_style(number))
        yield Label(place + 17, 14, text)
        place += 17 + len(text) * LETTER_WIDTH + 14
