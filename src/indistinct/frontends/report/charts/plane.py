"""A plane of risk and loss, on which a risk is a bar from what was measured to what is proven."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indistinct.frontends.report.charts.scatter import round_step
from indistinct.frontends.report.components import Chart, Table
from indistinct.frontends.report.drawing import ChartElement, Drawing, Label, Line, Rect, shortened

WIDTH, HEIGHT = 760.0, 460.0
LEFT, RIGHT, TOP, BOTTOM = 66.0, 176.0, 40.0, 56.0
THIN, DOT, ROW = 6.0, 9.0, 15.0
TICKS = 5


@dataclass(frozen=True, slots=True)
class RiskBar:
    """One way to publish.

    Parameters
    ----------
    label : its name
    low, high : risk that was measured, and risk that is proven, in [0, 1]; where more was measured
        than is proven, the bar ends at what was measured. ``low`` is None where nothing can be
        measured
    loss : at least 0
    story : what a pointer over it shows
    """

    label: str
    low: float | None
    high: float
    loss: float
    story: str


def plane_chart(  # noqa: PLR0913 - a chart has that many words
    name: str,
    title: str,
    description: str,
    bars: Sequence[RiskBar],
    *,
    loss: str,
    table: Table,
) -> Chart:
    """Draw the plane: risk to the right, loss upwards.

    Parameters
    ----------
    bars : at least one
    loss : what the vertical axis shows
    table : the numbers behind the picture
    """
    top = max(bar.loss for bar in bars) * 1.08 or 1.0
    places = [_place(bar.loss, top) for bar in bars]
    marks: list[ChartElement] = [*_legend(), *_axes(top, loss)]
    for bar, place in zip(bars, places, strict=True):
        marks += _bar(bar, place)
    marks += _labels(bars, places)
    return Chart(name, title, description, Drawing(WIDTH, HEIGHT, marks), table)


def _across(risk: float) -> float:
    return LEFT + risk * (WIDTH - LEFT - RIGHT)


def _place(loss: float, top: float) -> float:
    return HEIGHT - BOTTOM - loss / top * (HEIGHT - BOTTOM - TOP)


def _legend() -> Iterator[ChartElement]:
    yield Rect(LEFT, 8, DOT, DOT, "after")
    yield Label(LEFT + 16, 17, "measured, upper end of 95 %")
    yield Rect(LEFT + 230, 9, 30, THIN, "before")
    yield Label(LEFT + 268, 17, "up to what is proven")


def _axes(top: float, loss: str) -> Iterator[ChartElement]:
    base = HEIGHT - BOTTOM
    yield Line(LEFT, base, WIDTH - RIGHT, base)
    yield Line(LEFT, TOP, LEFT, base)
    for percent in range(0, 101, 20):
        place = _across(percent / 100)
        yield Line(place, base, place, base + 4)
        yield Label(place, base + 18, f"{percent} %", "middle", "label soft")
    yield Label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "risk of the best attacker", "middle")
    step = round_step(top / TICKS)
    number = 0
    while number * step <= top:
        place = _place(number * step, top)
        yield Line(LEFT - 4, place, LEFT, place)
        yield Label(LEFT - 8, place + 4, f"{number * step:.4g}", "end", "label soft")
        number += 1
    yield Label(16, (TOP + base) / 2, loss, "middle", "label", -90)


def _bar(bar: RiskBar, place: float) -> Iterator[ChartElement]:
    """Draw the bar, and a square where it begins."""
    low = bar.low or 0.0
    high = max(bar.high, low)
    yield Rect(
        _across(low), place - THIN / 2, _across(high) - _across(low), THIN, "before", bar.story
    )
    if bar.low is not None:
        yield Rect(_across(low) - DOT / 2, place - DOT / 2, DOT, DOT, "after", bar.story)


def _labels(bars: Sequence[RiskBar], places: Sequence[float]) -> Iterator[ChartElement]:
    """Write the names at the right, one below the other, each with a line to its bar."""
    below = TOP - ROW
    order = sorted(range(len(bars)), key=places.__getitem__)
    room = HEIGHT - BOTTOM
    for rank, number in enumerate(order):
        bar = bars[number]
        latest = room - (len(order) - 1 - rank) * ROW
        below = min(max(below + ROW, places[number]), max(latest, below + ROW))
        end = _across(max(bar.high, bar.low or 0.0))
        yield Line(end + 2, places[number], WIDTH - RIGHT + 22, below)
        yield Label(WIDTH - RIGHT + 26, below + 4, shortened(bar.label, RIGHT - 30))
