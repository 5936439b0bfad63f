"""Replies of a database in words."""

from __future__ import annotations

from indistinct.database.answers import ANSWER, IF_EVEN, PER_ROW, RANKS
from indistinct.database.dataset import rows_that_count
from indistinct.database.session import Reply

EXAMPLES = (100, 1_000, 10_000)  # numbers of rows that an expected error is shown for


def sentences(reply: Reply) -> list[str]:
    """Return a reply in words."""
    if reply.dry_run:
        return [
            *notes(reply),
            f"Would cost {reply.price:.9g} {reply.unit}; {reply.left:.9g} left.",
            expected_error(reply),
        ]
    said = [
        *notes(reply),
        f"Charged {reply.charged:.9g} {reply.unit}; {reply.left:.9g} left.",
    ]
    if reply.grouped:
        return [*table_lines(reply), *said]
    low, high = reply.interval
    interval = f"95 % interval {low:.9g} to {high:.9g}, scale {reply.scale:.6g}."
    return [value_text(reply.answer), interval, *said]


def value_text(value: float | None) -> str:
    """Write a number, or say why there is none."""
    return "not known: too few rows for the noise" if value is None else str(value)


def notes(reply: Reply) -> list[str]:
    """Return which rows count, and what an epsilon means where it means something else."""
    return [*([reply.note] if reply.note else []), rows_that_count(reply.limits["rows_in_all"])]


def expected_error(reply: Reply) -> str:
    """Return the expected error in the answer's unit, or in what can be known."""
    error = f"Expected error: {reply.expected_error:.6g}"
    if reply.error_unit == PER_ROW:
        examples = ", ".join(f"{reply.expected_error / n:.3g} for {n:,} rows" for n in EXAMPLES)
        return (
            f"{error} divided by the number of rows (95 %): {examples}. "
            "Give the number with --rows-expected."
        )
    if reply.error_unit == RANKS:
        return (
            f"{error} {RANKS} (95 %). Give the number of rows with --rows-expected to see what "
            "this is in values."
        )
    condition = "" if reply.error_unit == ANSWER else f", {IF_EVEN.removeprefix('the answer, ')}"
    return f"{error} (95 %{condition})."


def table_lines(reply: Reply) -> list[str]:
    """Write one line per group."""
    return [
        "  ".join(f"{name}={value_in_line(value)}" for name, value in row.items())
        + f"  ({low:.9g} to {high:.9g})"
        for row, (low, high) in zip(reply.answer, reply.interval, strict=True)
    ]


def value_in_line(value: object) -> str:
    """Write a cell of a row."""
    return "not known" if value is None else str(value)
