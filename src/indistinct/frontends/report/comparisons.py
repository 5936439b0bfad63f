"""A comparison as a page for the owner, and as figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from indistinct.base.files.documents import json_text
from indistinct.base.files.writing import atomic
from indistinct.frontends.comparison.contestants import ContestantType
from indistinct.frontends.comparison.result import COSTS, Comparison, ContestantResult
from indistinct.frontends.report.charts.plane import RiskBar, plane_chart
from indistinct.frontends.report.components import (
    Block,
    Callout,
    Listing,
    Page,
    Paragraph,
    Section,
    Table,
)
from indistinct.frontends.report.endings import check_ending
from indistinct.frontends.report.pages import html_of
from indistinct.tables.evaluation import MEMBERSHIP
from indistinct.tables.reading import check_output

ENDINGS = (".html", ".json")
MARKING = "Confidential: these figures come from the original data, without noise"


def write(found: Comparison, path: str | Path) -> None:
    """Write a comparison for the owner alone; the ending chooses the form.

    Raises
    ------
    OutputError
        when the file cannot be written, or its ending is another
    """
    check_ending(path, ENDINGS)
    check_output(str(path), None, private=True)
    is_page = Path(path).suffix.lower() == ".html"
    text = html_of(comparison_page(found)) if is_page else json_text(found.document())
    with atomic(Path(path), private=True) as temporary:
        temporary.write_text(text, encoding="utf-8")


def comparison_page(found: Comparison) -> Page:
    """Return the page: the plane, the figures, and what they do not say."""
    return Page(
        title=f"{len(found.entries) - 2} ways to publish, compared",
        about="The same people, the same questions and the same attackers for all of them.",
        marking=MARKING,
        sections=[
            Section("plane", "Risk and loss", list(_plane(found))),
            Section("figures", "What each is good for", list(_figures(found))),
            Section("attacks", "What the attackers found", [_attacks(found)]),
            Section("fixed", "What was the same for all", [_fixed(found)]),
            Section("claims", "What these figures do not say", [Listing(found.notes)]),
        ],
        numbered=False,
    )


def _plane(found: Comparison) -> Iterator[Block]:
    bars = [_bar(found, entry) for entry in found.placed]
    if not bars:
        yield Callout("Nothing to draw.", f"No contestant has the loss {found.cost}.")
        return
    table = Table(
        "Risk and loss",
        ("", "measured", "upper end", "proven", found.cost),
        [_risks(found, entry) for entry in found.entries],
        numbers=(1, 2, 3, 4),
    )
    title = f"What each way to publish loses, and what it risks ({COSTS[found.cost]})"
    described = "; ".join(bar.story for bar in bars)
    yield plane_chart("plane", title, described, bars, loss=COSTS[found.cost], table=table)
    yield Paragraph(_named("By measured risk", found.frontier(proven=False)))
    yield Paragraph(_named("By proven risk", found.frontier(proven=True)))
    asking = list(_asking(found))
    if asking:
        yield Listing(asking)
    failed = [one for one in found.entries if one.no_solution is not None]
    if failed:
        rows = [(str(one.contestant), one.no_solution or "") for one in failed]
        yield Table("Without a solution", ("", "Why"), rows)


def _named(by: str, names: Sequence[str]) -> str:
    """Name the contestants on a frontier."""
    listed = ", ".join(names) or "none"
    return (
        f"{by}, no other contestant has both less risk and less loss than each of these: {listed}."
    )


def _asking(found: Comparison) -> Iterator[str]:
    """Yield how many questions may be asked before a made-up table is the better choice."""
    for entry in found.entries:
        until = found.questions_until(entry)
        if until is not None:
            yield (
                f"For up to {until:,} range queries, asking for the counts is at least as accurate "
                f"as {entry.contestant} at the same price."
            )


def _bar(found: Comparison, entry: ContestantResult) -> RiskBar:
    loss, upper = entry.loss(found.cost) or 0.0, entry.upper
    seen = "nothing to measure" if upper is None else f"measured at most {_percent(upper)}"
    story = f"{entry.contestant}: {seen}, proven {_percent(entry.proven)}, loss {loss:.3g}"
    return RiskBar(str(entry.contestant), upper, entry.proven, loss, story)


def _risks(found: Comparison, entry: ContestantResult) -> Sequence[str]:
    """Write a row of the table behind the picture."""
    risks = [run.risk for run in entry.runs if run.risk is not None]
    measured = _percent(sum(risks) / len(risks)) if risks else ""
    upper = "" if entry.upper is None else _percent(entry.upper)
    loss = entry.loss(found.cost)
    proven = "" if entry.contestant.kind is ContestantType.TRUE else _percent(entry.proven)
    return str(entry.contestant), measured, upper, proven, "" if loss is None else f"{loss:.3g}"


def _figures(found: Comparison) -> Iterator[Block]:
    yield Paragraph(
        "Means over all runs, the least and the greatest in brackets. Less is better everywhere. "
        "raw is the table itself, and fresh are other people of the same population: no table that "
        "teaches about the population only can be much closer than fresh."
    )
    rows = [
        (
            str(entry.contestant),
            *(_spread([r.losses[c] for r in entry.runs if c in r.losses]) for c in COSTS),
        )
        for entry in found.entries
    ]
    yield Table("Losses", ("", *COSTS), rows, numbers=tuple(range(1, len(COSTS) + 1)))
    yield Listing([f"{cost}: {meaning}." for cost, meaning in COSTS.items()])


def _spread(values: Sequence[float]) -> str:
    """Write a mean, and the ends where there are several values."""
    if not values:
        return ""
    mean = f"{sum(values) / len(values):.3f}"
    return mean if len(values) == 1 else f"{mean} ({min(values):.3f} to {max(values):.3f})"


def _attacks(found: Comparison) -> Block:
    first = [run.findings for entry in found.entries for run in entry.runs if run.findings]
    names = list(first[0]) if first else []
    heads = [head for name in names for head in _heads(name, has_area=name in MEMBERSHIP)]
    rows = [(str(entry.contestant), *_attack_cells(entry, names)) for entry in found.entries]
    caption = "Advantage of each attack, and area under the curve of its scores"
    return Table(caption, ("", *heads), rows, numbers=tuple(range(1, len(heads) + 1)))


def _attack_cells(entry: ContestantResult, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        kept = [run.findings[name] for run in entry.runs if run.findings is not None]
        yield _spread([one.advantage for one in kept])
        if name in MEMBERSHIP:
            yield _spread([one.auc for one in kept if one.auc is not None])


def _heads(name: str, *, has_area: bool) -> Iterator[str]:
    yield name
    if has_area:
        yield "area"


def _fixed(found: Comparison) -> Block:
    """List what all contestants share."""
    noise = "" if found.delta is None else f" Proofs hold with delta {found.delta:g}."
    people = (
        f"People: {found.n_inside:,} records are published, {found.n_outside:,} are held out and "
        f"{found.n_reference:,} are known to the attackers; no person is in two parts."
    )
    questions = (
        f"Questions: {found.n_queries:,}, one half ranges and one half single values, of up to "
        "three columns each."
    )
    columns = (
        f"Columns: {', '.join(found.columns)}. Models predict {found.target}, and it is what "
        "attackers guess."
    )
    attackers = (
        "Attackers: each scores as many people inside as outside by the nearest record and by a "
        "ratio of frequencies, and guesses the target by the vote of the nearest records. What "
        "they find in the table of other people is luck, and is subtracted."
    )
    chance = (
        f"Chance: seed {found.seed} for split, questions and targets; noise has no seed.{noise}"
    )
    return Listing([people, questions, columns, attackers, chance])


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
