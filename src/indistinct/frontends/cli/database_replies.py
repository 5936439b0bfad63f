"""Replies of a database in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from indistinct.base.one_line import one_line
from indistinct.questions.database import BatchPrice, ErrorUnit, Reply

EXAMPLES = (100, 1_000, 10_000)  # numbers of rows that an expected error is shown for


def sentences(reply: Reply) -> list[str]:
    """Return a reply in words."""
    if reply.dry_run:
        return [
            *notes(reply),
            f"Would cost {reply.price:.9g} {reply.unit}; {reply.left:.9g} left.",
            *expected_errors(reply.expected_error, reply.error_unit),
        ]
    said = [*notes(reply), f"Charged {reply.charged:.9g} {reply.unit}; {reply.left:.9g} left."]
    if reply.grouped:
        return [*table_lines(reply), *said]
    low, high = reply.interval
    scale = "" if isinstance(reply.scale, Mapping) else f", scale {reply.scale:.6g}"
    interval = f"95 % interval {low:.9g} to {high:.9g}{scale}."
    answer = reply.answer
    return [
        "not known: too few rows for the noise" if answer is None else str(answer),
        interval,
        *said,
    ]


def notes(reply: Reply) -> list[str]:
    """Return which rows count, and what an epsilon means where it means something else."""
    groups, rows = reply.limits["groups"], reply.limits["rows"]
    counted = "1 row" if rows == 1 else f"{rows} rows"
    within = "" if groups == 1 else f" in each of {groups} groups"
    in_all = reply.limits["rows_in_all"]
    most = "" if in_all >= groups * rows else f", and {in_all} in all"
    limit = f"One person counts at most as {counted}{within}{most}"
    lines = [f"{limit}; a person with more counts with less weight."]
    if "full_groups" in reply.limits:
        full = reply.limits["full_groups"]
        kept = "1 full group" if full == 1 else f"{full} full groups"
        lines.append(f"In sums and counts it is at most {kept}, by the sum of squares.")
    if reply.threshold is not None:
        lines.append(
            f"A group is shown if its noisy number of people is at least {reply.threshold}; this "
            f"costs {reply.delta:.3g} of delta."
        )
    return [*([reply.note] if reply.note else []), *lines]


def expected_errors(errors: Any, units: Any) -> list[str]:
    """Return the expected error of each measure, or of the only one, in words."""
    if not isinstance(errors, dict):
        return [expected_error(errors, units)]
    named = cast("dict[str, Any]", errors)
    return [f"{name}: {expected_error(error, units[name])}" for name, error in named.items()]


def expected_error(error: float | None, unit: str) -> str:
    """Return an expected error in words, in the answer's unit or in what can be known."""
    if error is None:
        return f"Expected error: that of {ErrorUnit.OF_PARTS}."
    said = f"Expected error: {error:.6g}"
    if unit == ErrorUnit.PER_ROW:
        examples = ", ".join(f"{error / n:.3g} for {n:,} rows" for n in EXAMPLES)
        return (
            f"{said} divided by the number of rows (95 %): {examples}. "
            "Give the number with --rows-expected."
        )
    if unit == ErrorUnit.RANKS:
        return (
            f"{said} {ErrorUnit.RANKS} (95 %). Give the number of rows with --rows-expected to see "
            "what this is in values."
        )
    condition = (
        "" if unit == ErrorUnit.ANSWER else f", {ErrorUnit.IF_EVEN.removeprefix('the answer, ')}"
    )
    return f"{said} (95 %{condition})."


def table_lines(reply: Reply) -> list[str]:
    """Write one line per group."""
    return [
        "  ".join(f"{name}={in_line(row, name, intervals)}" for name in row)
        for row, intervals in zip(reply.answer, reply.interval, strict=True)
    ] or ["No group has enough people to be shown."]


def in_line(row: Mapping[str, Any], name: str, intervals: Mapping[str, list[float]]) -> str:
    """Write a key, or a measure with its interval."""
    value = row[name]
    if name in intervals:
        low, high = intervals[name]
        return f"{'not known' if value is None else value} ({low:.9g} to {high:.9g})"
    if value is None:
        return "missing"
    return "other" if isinstance(value, Mapping) else str(value)


def price_lines(questions: Sequence[str], found: BatchPrice) -> list[str]:
    """Return what each question would cost, and whether all fit, in words."""
    lines: list[str] = []
    for question, one in zip(questions, found.questions, strict=True):
        price = f"{one['price']:.6g} epsilon, {one['delta']:.3g} of delta"
        errors = expected_errors(one["expected_error"], one["unit"])
        words = one_line(" ".join(question.split()))[:70]
        lines += [f"{price}: {words}", *(f"  {line}" for line in errors)]
    fit = "All fit." if found.fits else "They do not fit into what is left."
    return [*lines, f"All together: {found.all:.6g} epsilon, {found.delta:.3g} of delta. {fit}"]
