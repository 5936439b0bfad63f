"""Section 6: what was lost, column by column, and which analyses stay valid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from indistinct.base.statements.number_texts import figure, listed, percent, some
from indistinct.frontends.report.charts.heat_map import heat_map
from indistinct.frontends.report.charts.pairs import Pair, pair_chart
from indistinct.frontends.report.components import (
    Block,
    Chart,
    Charts,
    Heading,
    Listing,
    Paragraph,
    Section,
    Table,
)
from indistinct.frontends.report.levels import level_blocks
from indistinct.frontends.report.owner.evidence import ColumnChanges, ReportEvidence
from indistinct.frontends.report.sets import set_blocks
from indistinct.tables.core import Role
from indistinct.tables.evaluation import Distribution, ValuePrecision

MOST_COLUMNS_IN_HEAT_MAP = 12
NOTICEABLE = 0.05
ROUNDING = 1e-9  # of sums of shares
# Months and quarters have fewer days than their mean.
UNITS_OF_TIME, NEARLY = (("year", 365.25), ("month", 30.44)), 0.03


def section(evidence: ReportEvidence) -> Section:
    """Return what was lost and what remains possible."""
    blocks: list[Block] = [
        Paragraph(
            "Protection costs detail. This section shows how much, and which analyses remain "
            "possible. A range or a general label is counted as if its records were spread evenly "
            "over its values, since a reader of the release does not know the exact ones."
        )
    ]
    blocks += level_blocks(evidence.manifest.get("method", {}))
    blocks += set_blocks(evidence.manifest.get("sets", {}), evidence.policy.columns)
    if evidence.columns is not None:
        blocks += _column_blocks(evidence.columns)
    blocks += _analyses(evidence)
    return Section("cost", "What it cost", blocks)


def _column_blocks(columns: ColumnChanges) -> list[Block]:
    """Show distributions and associations before and after."""
    charts = [_pair(number, one) for number, one in enumerate(columns.compared)]
    blocks: list[Block] = [Heading("Each column before and after"), Charts(charts)]
    if len(columns.names) > MOST_COLUMNS_IN_HEAT_MAP:
        blocks += [Heading("Associations between columns"), Paragraph(_pairs(columns))]
    elif len(columns.names) > 2:  # noqa: PLR2004 - a map of one field
        blocks += [
            Heading("Associations between columns"),
            _heat(columns),
            Paragraph(_pairs(columns)),
        ]
    return blocks


def _pair(number: int, one: Distribution) -> Chart:
    """Draw one column."""
    differences = [abs(a - b) for a, b in zip(one.before, one.after, strict=True)]
    furthest = differences.index(max(differences)) if differences else 0
    said = "There are no values."
    if differences:
        said = (
            f"The largest difference is at {one.labels[furthest]}: "
            f"{percent(one.before[furthest])} before and {percent(one.after[furthest])} after."
        )
    pair = Pair(one.labels, one.before, one.after, one.in_order)
    heads = ("Value", "original", "release")
    return pair_chart(f"column-{number}", one.column, said, pair, heads)


def _heat(columns: ColumnChanges) -> Chart:
    """Draw how associations changed."""
    figures = [[_or_none(value) for value in row] for row in columns.change.tolist()]
    return heat_map(
        "associations",
        "Change of the association between two columns, from original to release",
        _pairs(columns),
        columns.names,
        figures,
        furthest=0.4,
    )


def _or_none(value: float) -> float | None:
    """Leave out what is not defined."""
    return None if math.isnan(value) else value


def _pairs(columns: ColumnChanges) -> str:
    """Return which pairs of columns lost or gained association."""
    change = np.triu(np.nan_to_num(columns.change), 1)
    places = np.argwhere(np.abs(change) >= NOTICEABLE)
    scale = (
        "Association is measured from 0 (the two columns are independent) to 1 "
        "(one column determines the other)."
    )
    if not len(places):
        furthest = float(np.abs(change).max(initial=0.0))
        most = "" if furthest < 0.001 else f" by more than {math.ceil(furthest * 1000) / 1000:g}"  # noqa: PLR2004
        return f"{scale} No pair of columns changed{most}."
    first, second = np.unravel_index(np.argmax(np.abs(change)), change.shape)
    names = f"{columns.names[int(first)]} and {columns.names[int(second)]}"
    lost = "lost" if change[first, second] < 0 else "gained"
    return (
        f"{scale} {some(len(places), 'pair')} of columns changed by {NOTICEABLE} or more. The pair "
        f"{names} changed most: it {lost} {float(abs(change[first, second])):.2f}."
    )


def _analyses(evidence: ReportEvidence) -> list[Block]:
    """Return in words what remains possible, and the measures."""
    sentences = list(_sentences(evidence))
    blocks: list[Block] = [Heading("Which analyses stay valid"), Listing(sentences)]
    findings = evidence.findings
    if findings is not None and findings.loss:
        rows = [(name, figure(value)) for name, value in findings.loss.items()]
        blocks.append(
            Table(
                "All measures of loss, as the documentation defines them",
                ("Measure", "Value"),
                rows,
                numbers=(1,),
                folded=True,
            )
        )
    return blocks


def _sentences(evidence: ReportEvidence) -> Iterator[str]:
    """Yield what remains possible."""
    if evidence.columns is not None:
        yield from (precision_sentence(one) for one in evidence.columns.precise)
        yield from _untouched(evidence)
    utility = None if evidence.findings is None else evidence.findings.utility
    asked: Mapping[str, Mapping[str, Any]] = {} if utility is None else utility.asked
    if (errors := asked.get("query_error")) is not None:
        yield (
            f"{int(errors['queries'])} random questions were asked, of the kind: how many records "
            "lie in this range of one column and these values of another? Half of the answers of "
            f"the release are off by less than {percent(errors['median'])} of the true number; "
            f"the mean error is {percent(errors['mean'])}."
        )
    if (learned := asked.get("learning")) is not None:
        yield from _learning(learned)
    left_out = evidence.n_before - evidence.n_released
    if left_out:
        yield (
            f"{some(left_out, 'record')} were left out because they stood out. Groups of people "
            "with rare values are underrepresented in the release."
        )


def _untouched(evidence: ReportEvidence) -> Iterator[str]:
    """Name the released columns that nothing changed, and that no model looks at."""
    policy = evidence.policy
    shown = set[str]() if evidence.columns is None else set(evidence.columns.names)
    plain = [
        name
        for role in (Role.SENSITIVE, Role.INSENSITIVE)
        for name in policy.named(role)
        if name not in shown | set(policy.protections) | set(policy.set_names)
    ]
    if plain:
        is_one = len(plain) == 1
        what, verb, each = ("column", "is", "it") if is_one else ("columns", "are", "each")
        yield (
            f"The {what} {listed(plain)} {verb} unchanged. Every analysis of {each} alone stays "
            "valid."
        )


def precision_sentence(one: ValuePrecision) -> str:
    """Return how exactly a column is known."""
    if one.exact >= 1:
        return f"The column {one.column} is unchanged. Every analysis of it alone stays valid."
    if one.hidden >= 1:
        return f"The value of {one.column} is hidden in all records. Nothing can be said of it."
    parts: list[str] = []
    if one.exact > 0:
        parts.append(f"exact in {percent(one.exact)} of the records")
    if one.share > one.exact + ROUNDING:
        parts.append(f"{_width(one)} in {percent(one.share)} of the records")
    coarser = 1 - max(one.share, one.exact) - one.hidden
    if coarser > ROUNDING:
        parts.append(f"known less exactly in {percent(coarser)} of them")
    if one.hidden > 0:
        parts.append(f"hidden in {percent(one.hidden)} of them")
    return f"The value of {one.column} is {listed(parts)}."


def _width(one: ValuePrecision) -> str:
    """Write how wide what is known of a value is."""
    if one.unit == "values":
        return f"one of at most {figure(round(one.within))} values"
    if one.unit != "days":
        return f"known to a range of {figure(round(one.within, 3))} or better"
    for unit, days in UNITS_OF_TIME:
        if one.within >= days * (1 - NEARLY):
            return f"known to {some(round(one.within / days), unit)} or better"
    return f"known to {some(round(one.within), 'day')} or better"


def _learning(learned: Mapping[str, Any]) -> Iterator[str]:
    """Yield how well a model that learned from the release predicts a column."""
    numbers = {n: v for n, v in learned.items() if isinstance(v, float)}
    said = ", ".join(f"{name.replace('_', ' ')} {figure(value)}" for name, value in numbers.items())
    yield f"A model that is trained to predict {learned['target']} reaches: {said}."
