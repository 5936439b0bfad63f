"""What attacks found, as a table."""

from __future__ import annotations

from collections.abc import Iterable

from indistinct.base.statements.number_texts import count, figure, percent
from indistinct.frontends.report.components import Table
from indistinct.tables.evaluation import AttackReport

HEADS = ("Attack", "Attempts", "Found", "Rate", "95% interval", "Control group")


def attack_table(reports: Iterable[AttackReport]) -> Table:
    """List attempts, successes, interval and control of every attack."""
    rows = [row for report in reports for row in _rows(report)]
    return Table("Attacks on the release", HEADS, rows, numbers=(1, 2, 3, 4, 5))


def _rows(report: AttackReport) -> list[tuple[str, ...]]:
    """Write what came of an attacker's attacks."""
    rows: list[tuple[str, ...]] = []
    for outcome in report.outcomes:
        found, control = outcome.found, outcome.control
        low, high = found.interval
        rows.append(
            (
                outcome.attack,
                count(found.attempts),
                figure(round(found.successes, 1)),
                percent(found.rate),
                f"{percent(low)} to {percent(high)}",
                "none" if control is None else percent(control.rate),
            )
        )
    return rows
