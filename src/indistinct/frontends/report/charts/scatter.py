"""Pictures as scalable vector graphics, drawn by hand: they stand alone and need no library.

Color never tells anything alone: what differs in color differs in shape, too.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

WIDTH, HEIGHT = 760, 500
LEFT, RIGHT, TOP, BOTTOM = 84, 24, 76, 64
INK, SOFT, LINE = "#1d2733", "#5b6b7c", "#d5dde5"
LETTER_WIDTH, LABEL_HEIGHT = 6.9, 14.0
TICKS, SPACING = 6, 4.0
MARGIN = 0.08

PlotArea = tuple[float, float, float, float]


class Mark(StrEnum):
    """How a point is drawn."""

    CHOSEN = "recommended"
    BEST = "on the frontier: none is better in both"
    BEATEN = "another is better"


COLORS = {Mark.CHOSEN: "#c2410c", Mark.BEST: "#0072b2", Mark.BEATEN: "#6b7280"}


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a chart.

    Parameters
    ----------
    x, y : where it is
    label : beside it, where there is room
    story : shown when one points at it
    mark : how it is drawn
    """

    x: float
    y: float
    label: str
    story: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Scale:
    """From figures to places on the picture.

    Parameters
    ----------
    low, high : figures at the ends
    start, end : places of the ends
    """

    low: float
    high: float
    start: float
    end: float

    def at(self, figure: float) -> float:
        """Return the place of a figure."""
        return self.start + (figure - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> Iterator[float]:
        """Yield round figures between the ends."""
        step = round_step((self.high - self.low) / TICKS)
        number = math.ceil(self.low / step)
        while number * step <= self.high:
            yield number * step
            number += 1


def scatter(title: str, x_label: str, y_label: str, dots: Sequence[Dot]) -> str:
    """Draw points, and a line through those on the frontier, from left to right.

    Parameters
    ----------
    title : of the picture
    x_label, y_label : of the axes
    dots : at least one

    Returns
    -------
    a whole SVG document
    """
    across = _scale([dot.x for dot in dots], LEFT, WIDTH - RIGHT)
    up = _scale([dot.y for dot in dots], HEIGHT - BOTTOM, TOP)
    parts = [
        f"<title>{_safe(title)}</title>",
        f"<desc>{_safe(_description(x_label, y_label, dots))}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" style="fill:#ffffff"/>',
        _text(LEFT, 26, title, size=16, weight="600"),
        *_legend(dots),
        *_across(across, x_label),
        *_up(up, y_label),
        _frontier(across, up, dots),
        *(_drawn(across.at(dot.x), up.at(dot.y), dot) for dot in _chosen_last(dots)),
        *_labels(across, up, dots),
    ]
    body = "\n".join(part for part in parts if part)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img">\n{body}\n</svg>\n'
    )


def round_step(length: float) -> float:
    """Round up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(length))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= length * (1 - 1e-9))


def _scale(figures: Sequence[float], start: float, end: float) -> Scale:
    """Leave some room around the figures; one figure alone stands in the middle."""
    low, high = min(figures), max(figures)
    room = MARGIN * (high - low) or max(abs(high), 1.0) / 2
    return Scale(low - room, high + room, start, end)


def _description(x_label: str, y_label: str, dots: Sequence[Dot]) -> str:
    """Return in words what the picture shows, for those who do not see it."""
    listed = "; ".join(f"{dot.story} ({dot.mark})" for dot in dots)
    return f"{y_label} against {x_label}. {listed}."


def _legend(dots: Sequence[Dot]) -> Iterator[str]:
    """Yield what the marks mean, those that occur."""
    left = float(LEFT)
    for mark in Mark:
        if any(dot.mark is mark for dot in dots):
            yield _shape(left + 6, 46, mark)
            yield _text(left + 18, 50, mark.value)
            left += 18 + LETTER_WIDTH * len(mark.value) + 22


def _across(scale: Scale, label: str) -> Iterator[str]:
    """Draw the horizontal axis."""
    base = HEIGHT - BOTTOM
    yield _line(LEFT, base, WIDTH - RIGHT, base, SOFT)
    for tick in scale.ticks():
        place = scale.at(tick)
        yield _line(place, TOP, place, base, LINE)
        yield _text(place, base + 18, f"{tick:.6g}", anchor="middle", color=SOFT)
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, label, size=13, anchor="middle")


def _up(scale: Scale, label: str) -> Iterator[str]:
    """Draw the vertical axis."""
    yield _line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, SOFT)
    for tick in scale.ticks():
        place = scale.at(tick)
        yield _line(LEFT, place, WIDTH - RIGHT, place, LINE)
        yield _text(LEFT - 8, place + 4, f"{tick:.6g}", anchor="end", color=SOFT)
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = _text(0, 0, label, size=13, anchor="middle")
    yield f'<g transform="translate(22 {middle:.1f}) rotate(-90)">{turned}</g>'


def _frontier(across: Scale, up: Scale, dots: Sequence[Dot]) -> str:
    """Draw the line through the points that none is better than."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in _corners(across, up, dots))
    color = COLORS[Mark.BEST]
    return f'<polyline points="{places}" fill="none" stroke="{color}" stroke-width="2"/>'


def _corners(across: Scale, up: Scale, dots: Sequence[Dot]) -> list[tuple[float, float]]:
    """Return the places of the frontier, from left to right and downwards."""
    best = [dot for dot in dots if dot.mark is not Mark.BEATEN]
    return sorted((across.at(dot.x), up.at(dot.y)) for dot in best)


def _along(across: Scale, up: Scale, dots: Sequence[Dot]) -> Iterator[tuple[float, float]]:
    """Yield places close to each other along the frontier."""
    for (x1, y1), (x2, y2) in pairwise(_corners(across, up, dots)):
        steps = math.ceil(math.hypot(x2 - x1, y2 - y1) / SPACING) or 1
        for step in range(steps):
            yield x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps


def _chosen_last(dots: Sequence[Dot]) -> list[Dot]:
    """Sort the points so that the more important one lies on top."""
    order = list(reversed(Mark))
    return sorted(dots, key=lambda dot: order.index(dot.mark))


def _drawn(x: float, y: float, dot: Dot) -> str:
    """Draw a point with its story."""
    return f"<g><title>{_safe(dot.story)}</title>{_shape(x, y, dot.mark)}</g>"


def _shape(x: float, y: float, mark: Mark) -> str:
    """Draw a diamond, a filled circle or a ring."""
    color = COLORS[mark]
    if mark is Mark.CHOSEN:
        corners = f"{x:.1f},{y - 9:.1f} {x + 9:.1f},{y:.1f} {x:.1f},{y + 9:.1f} {x - 9:.1f},{y:.1f}"
        return f'<polygon points="{corners}" fill="{color}" stroke="#ffffff" stroke-width="1.5"/>'
    if mark is Mark.BEST:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{color}"/>'
    ring = f'fill="#ffffff" stroke="{color}" stroke-width="1.5"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {ring}/>'


def _labels(across: Scale, up: Scale, dots: Sequence[Dot]) -> Iterator[str]:
    """Write labels where they cover nothing, the important ones first."""
    taken = [_around(across.at(dot.x), up.at(dot.y), 6) for dot in dots]
    line = [_around(x, y, 2) for x, y in _along(across, up, dots)]
    for dot in reversed(_chosen_last(dots)):
        places = list(_places(across.at(dot.x), up.at(dot.y), LETTER_WIDTH * len(dot.label)))
        free = [box for box in places if _is_free(box, taken)]
        clear = [box for box in free if _is_free(box, line)]
        # The points of the frontier have labels even where these cross its line.
        chosen = clear or ([] if dot.mark is Mark.BEATEN else free)
        for box in chosen[:1]:
            taken.append(box)
            yield _label(box, dot)


def _label(box: PlotArea, dot: Dot) -> str:
    """Write a label into its box."""
    weight = "600" if dot.mark is Mark.CHOSEN else "400"
    color = SOFT if dot.mark is Mark.BEATEN else INK
    return _text(box[0], box[3] - 3, dot.label, weight=weight, color=color)


def _places(x: float, y: float, width: float) -> Iterator[PlotArea]:
    """Yield the boxes beside a point where its label may stand, the best first."""
    for left in (x + 11, x - 11 - width, x - width / 2):
        for top in (y - 17, y + 4, y - 7, y - 4, y - 10):
            yield left, top, left + width, top + LABEL_HEIGHT


def _around(x: float, y: float, radius: float) -> PlotArea:
    """Return the box around a point."""
    return x - radius, y - radius, x + radius, y + radius


def _is_free(box: PlotArea, taken: Iterable[PlotArea]) -> bool:
    """Return whether a box lies inside the picture and on none of the others."""
    left, top, right, bottom = box
    if left < LEFT + 2 or right > WIDTH - 2 or top < TOP - 16 or bottom > HEIGHT - BOTTOM - 2:
        return False
    return all(
        right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
        for other in taken
    )


def _line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    """Draw a thin line."""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{color}" stroke-width="1"/>'


def _text(  # noqa: PLR0913 - a text has that many sides
    x: float,
    y: float,
    text: str,
    *,
    size: int = 12,
    anchor: str = "start",
    color: str = INK,
    weight: str = "400",
) -> str:
    """Write a text."""
    # Said as a style, which the rules of a page around the picture do not overrule.
    style = f"fill:{color};font:{weight} {size}px system-ui,sans-serif;text-anchor:{anchor}"
    return f'<text x="{x:.1f}" y="{y:.1f}" style="{style}">{_safe(text)}</text>'


def _safe(text: str) -> str:
    """Escape a text."""
    return html.escape(text)
