"""A sweep as a table, as a picture, and as a page with both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from indistinct.base.files.documents import json_text
from indistinct.base.files.writing import atomic
from indistinct.frontends.report.charts.scatter import Dot, Mark, scatter
from indistinct.frontends.report.components import Block, Callout, Page, Picture, Section, Table
from indistinct.frontends.report.endings import check_ending
from indistinct.frontends.report.pages import html_of
from indistinct.tables.publish import Point, Sweep
from indistinct.tables.reading import check_output

RISK_WORDS = {
    "prosecutor": "prosecutor risk: chance to find the least protected person",
    "journalist": "journalist risk: the same, of people in the population",
    "marketer": "marketer risk: share of records that can be found",
}
ENDINGS = (".csv", ".json", ".svg", ".html")


def write(sweep: Sweep, path: str | Path) -> None:
    """Write a sweep for the owner alone; the ending chooses the form.

    Parameters
    ----------
    path : ends with ``.csv``, ``.json``, ``.svg`` or ``.html``

    Raises
    ------
    OutputError
        when the file cannot be written, or its ending is another
    """
    check_ending(path, ENDINGS)
    check_output(str(path), None, private=True)
    with atomic(Path(path), private=True) as temporary:
        temporary.write_text(written(sweep, Path(path).suffix.lower()), encoding="utf-8")


def written(sweep: Sweep, ending: str) -> str:
    """Return the text of a sweep's file."""
    if ending == ".csv":
        return sweep.frame.write_csv()
    if ending == ".svg":
        return chart(sweep)
    if ending == ".html":
        return sweep_page(sweep)
    return json_text(sweep.document())


def chart(sweep: Sweep, *, knee_alone: bool = False) -> str:
    """Draw risk against cost, the frontier and the recommendation marked.

    Parameters
    ----------
    knee_alone : whether nothing is recommended where the frontier has no knee
    """
    chosen = sweep.recommended if sweep.is_bent or not knee_alone else None
    dots = [_dot(sweep, number, chosen) for number, point in enumerate(sweep.points) if point.found]
    names, verb = " and ".join(sweep.parameters), "cost" if len(sweep.parameters) > 1 else "costs"
    return scatter(
        f"What {names} {verb}, and the risk that is left",
        RISK_WORDS[sweep.risk],
        f"cost: {sweep.cost} (less is better)",
        dots,
    )


def sweep_page(sweep: Sweep) -> str:
    """Write a page that stands alone: the recommendation, the picture and the table."""
    varied = " and ".join(sweep.parameters)
    heads, rows = _columns(sweep)
    blocks: list[Block] = [
        Callout("Recommended.", sweep.reason),
        Picture(chart(sweep)),
        Table("All combinations", heads, list(rows), numbers=tuple(range(1, len(heads) - 1))),
    ]
    failed = [point for point in sweep.points if point.found is None]
    if failed:
        why = [(point.words(), point.no_solution or "") for point in failed]
        blocks.append(Table("Without a solution", ("Combination", "Why"), why))
    return html_of(
        Page(
            title=f"{len(sweep.points)} combinations of {varied}",
            about="What each combination costs, and the risk that it leaves.",
            marking="Confidential: these figures come from the original data",
            sections=[Section("combinations", "Cost and risk", blocks)],
            numbered=False,
        )
    )


def _columns(sweep: Sweep) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """Return heads and rows of the table."""
    frame = sweep.frame.drop("no_solution", "frontier", "recommended")
    marks = [_mark(sweep, number) for number in range(len(sweep.points))]
    rows = [[*map(_figure, row), mark] for row, mark in zip(frame.iter_rows(), marks, strict=True)]
    return [*frame.columns, ""], rows


def _mark(sweep: Sweep, number: int) -> str:
    """Return what a combination is."""
    if sweep.points[number].found is None:
        return "no solution"
    if number == sweep.recommended:
        return "recommended"
    return "frontier" if number in sweep.frontier else ""


def _dot(sweep: Sweep, number: int, recommended: int | None) -> Dot:
    """Draw a combination."""
    point = sweep.points[number]
    risk, cost = sweep.risk_of(number), float(point.cost or 0.0)
    story = f"{point.words()}: {sweep.risk} {risk:.4g}, {sweep.cost} {cost:.4g}"
    mark = Mark.BEST if number in sweep.frontier else Mark.BEATEN
    chosen = Mark.CHOSEN if number == recommended else mark
    return Dot(risk, cost, _label(point), story, chosen)


def _label(point: Point) -> str:
    """Write a combination short: the letters of its parameters and their values."""
    return ", ".join(f"{_short(name)}={value}" for name, value in point.parameters.items())


def _short(name: str) -> str:
    """Shorten a name: the last part, of several words their first letters."""
    last = name.rpartition(".")[2]
    return "".join(part[0] for part in last.split("_")) if "_" in last else last


def _figure(value: object) -> str:
    """Write a figure as people read it."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
