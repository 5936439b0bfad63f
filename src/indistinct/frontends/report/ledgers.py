"""The report on a database that answers questions: what was asked, what it cost, what is left."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from indistinct.base.billionths import as_number
from indistinct.base.statements.number_texts import count, figure, percent, some
from indistinct.frontends.report.charts.bars import Bar, bar_chart
from indistinct.frontends.report.components import (
    Block,
    Callout,
    Chart,
    Figure,
    Figures,
    Listing,
    Page,
    Paragraph,
    Section,
    Table,
    Tone,
)
from indistinct.questions.database import Dataset, Statement
from indistinct.questions.mechanisms import Accounting

MOST_CHARGES = 200
# How a charged question ends; no text of an analyst stands behind its limits.
CHARGED_LIMITS = re.compile(
    r" LIMITS [0-9]+ [0-9]+ (?P<rows>[0-9]+)( (?P<full>[0-9]+))? EPSILON [0-9.]+( DELTA \S+)? "
    r"\[[0-9a-f]{16}\]$"
)
ALMOST_SPENT = 0.9
UNITS = {
    Accounting.PURE: "pure differential privacy, in epsilon",
    Accounting.ZCDP: "zero-concentrated differential privacy, in rho",
}
MECHANISMS = {
    Accounting.PURE: "discrete Laplace noise; the exponential mechanism for quantiles",
    Accounting.ZCDP: "discrete Gaussian noise; the exponential mechanism for quantiles",
}


def ledger_page(dataset: Dataset, found: Statement) -> Page:
    """Write the owner's report on a ledger."""
    return Page(
        title=f"Report on the questions about {dataset.name}",
        about="For the owner of the data: what was asked, what it cost, and what is left.",
        marking="Confidential: this report lists who asked what",
        sections=[
            Section("budget", "The budget", _budget(dataset, found)),
            Section("promise", "The promise", _promise(dataset, found)),
            Section("questions", "What was asked", _questions(found)),
            Section("limits", "What this does not protect against", [Listing(_limits(dataset))]),
        ],
    )


def _budget(dataset: Dataset, found: Statement) -> list[Block]:
    """Return what was spent and what is left."""
    share = found.spent / found.cap if found.cap else 1.0
    nearly = share >= ALMOST_SPENT
    text = (
        f"{figure(found.spent)} of {figure(found.cap)} {found.unit} were spent on "
        f"{some(len(found.charges), 'charge')}. When nothing is left, no further question is "
        "answered. More cannot be added without weakening the promise."
    )
    blocks: list[Block] = [
        Callout(
            f"{percent(share)} of the budget is spent.", text, Tone.WARNING if nearly else Tone.GOOD
        ),
        Figures(
            [
                Figure("Spent", figure(found.spent), found.unit),
                Figure("Left", figure(found.left), found.unit),
                Figure("Questions paid for", count(len(found.charges))),
                Figure("Analysts", count(len(dataset.analysts))),
            ]
        ),
    ]
    return [*blocks, _by_analyst(found)] if found.charges else blocks


def _by_analyst(found: Statement) -> Chart:
    """Draw what each analyst has spent."""
    spent: dict[str, float] = defaultdict(float)
    for charge in found.charges:
        spent[str(charge["analyst"])] += float(charge["charged"])
    bars = [Bar(name, (total,), f"{figure(total)} {found.unit}") for name, total in spent.items()]
    listed = "; ".join(f"{bar.label}: {bar.text}" for bar in bars)
    title = "What each analyst has spent"
    return bar_chart("analysts", title, f"{listed}.", bars, heads=("Analyst", "Spent"))


def _promise(dataset: Dataset, found: Statement) -> list[Block]:
    """Return what an answer promises."""
    rows = registry_entry(dataset, found).items()
    return [
        Paragraph(
            "Every answer has random noise. Whatever else somebody knows, all answers together "
            "change the odds of any guess about one person by a bounded factor only, whether or "
            f"not the person is in the data. {_rows_that_count(dataset, found)}"
        ),
        Table(
            "The formal promise, as a registry of deployments asks for it",
            ("Fact", "Value"),
            [(name.replace("_", " "), figure(value)) for name, value in rows],
        ),
    ]


def _rows_that_count(dataset: Dataset, found: Statement) -> str:
    """Return how many rows of one person count, in words."""
    if dataset.is_flat:
        return f"A person counts with at most {some(dataset.rows_per_person, 'row')}."
    said = (
        "Each question states how many rows and groups of one person count, and its noise is made "
        "for them."
    )
    charged = most_charged(found, "rows")
    if charged is None:
        return said
    return f"{said} The questions charged so far count at most {some(charged, 'row')} of a person."


def most_charged(found: Statement, limit: str) -> int | None:
    """Return the largest limit of one person in the charged questions; None where one is not known.

    Parameters
    ----------
    limit : rows, in all groups; or full, the full groups that a person counts as
    """
    stated = [CHARGED_LIMITS.search(str(charge["question"])) for charge in found.charges]
    if None in stated:
        return None
    limits = [one[limit] for one in stated if one is not None and one[limit] is not None]
    return max(map(int, limits), default=None)


def _questions(found: Statement) -> list[Block]:
    """List the questions, the latest first."""
    latest: Sequence[dict[str, Any]] = found.charges[::-1][:MOST_CHARGES]
    rows = [
        (
            str(charge["asked_at"]),
            str(charge["analyst"]),
            str(charge["question"]),
            figure(float(charge["charged"])),
            "yes" if charge["answered"] else "no",
        )
        for charge in latest
    ]
    if not rows:
        return [Paragraph("Nothing was asked yet.")]
    heads = ("Asked at", "Analyst", "Question", f"Charged ({found.unit})", "Answered")
    more = len(found.charges) - len(rows)
    caption = "The latest questions" if more else "All questions, the latest first"
    return [Table(caption, heads, rows, numbers=(3,))]


def _limits(dataset: Dataset) -> list[str]:
    """Return what noise does not hide."""
    with_rows = f" with at most {some(dataset.rows_per_person, 'row')}" if dataset.is_flat else ""
    about_many = (
        "Differential privacy hides whether one person is in the data. It does not hide what is "
        "true of many people, which is what the answers are for."
    )
    about_groups = (
        f"The promise is about one person{with_rows}. Groups of people, such as families, are "
        "protected less, in proportion to their size."
    )
    return [
        about_many,
        about_groups,
        "Names of columns, bounds and the listed values are public, and no budget pays for them.",
        "Other releases of the same people are not counted here.",
    ]


def registry_entry(dataset: Dataset, found: Statement) -> dict[str, Any]:
    """Return what a registry of differential-privacy deployments asks for.

    Of several tables, each question has limits of its own: the largest that was charged is told.
    """
    rows = dataset.rows_per_person if dataset.is_flat else most_charged(found, "rows")
    full_groups = most_charged(found, "full")
    limits: dict[str, Any] = {"rows_per_person": rows}
    if full_groups is not None:
        limits["full_groups_per_person"] = full_groups
    budget = dataset.budget
    parameter = "epsilon" if budget.accounting is Accounting.PURE else "rho"
    return {
        "dataset": dataset.name,
        "unit_of_privacy": "person",
        **limits,
        "neighbors": "tables that differ by all rows of one person, added or removed",
        "model": "central, interactive",
        "definition": UNITS[budget.accounting],
        parameter: as_number(budget.cap),
        "delta": budget.delta or 0.0,
        "mechanism": MECHANISMS[budget.accounting],
        "accounting": f"sum of the charges, kept in a ledger, of at most the {parameter} above",
        "per_analyst": as_number(budget.per_analyst),
        "per_version_of_the_data": as_number(budget.per_version),
    }
