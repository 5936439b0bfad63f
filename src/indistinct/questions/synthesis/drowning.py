"""Is the noise as large as what is counted? By public figures and the noisy number of records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import final

from indistinct.base.billionths import BILLION, as_number
from indistinct.questions.mechanisms.accountant import rho_within
from indistinct.questions.synthesis.compression import CLEAR
from indistinct.questions.synthesis.domain import CodedColumn
from indistinct.questions.synthesis.plan import FEWEST_COLUMNS, SynthesisPlan

QUARTERS = 4  # parts of a number with bounds, which are still told apart where bins are joined
SMALL_TABLE = 100  # records; synthetic tables of fewer are hardly ever made
LARGEST_EPSILON = 1000.0


@final
@dataclass(frozen=True, slots=True)
class Drowning:
    """How the noise compares with what is counted.

    Parameters
    ----------
    noise : scale of the noise on each of the finest counts
    counts : how many such counts a typical pair of columns has, or a typical column without pairs
    records : number of records, private and thus noisy, or as the owner expects it
    epsilon, columns : what would make counts three times the noise; None where nothing would
    """

    noise: float
    counts: float
    records: float
    epsilon: float | None
    columns: int | None

    @property
    def counted(self) -> float:
        """Records in a typical count."""
        return self.records / self.counts

    @property
    def drowns(self) -> bool:
        """Whether the noise is as large as what is counted, or larger."""
        return self.noise >= self.counted

    @property
    def warning(self) -> str | None:
        """What is wrong, and what would be needed; None where nothing is wrong."""
        if not self.drowns:
            return None
        return (
            f"The noise on each count ({self.noise:,.4g}) is as large as what is counted "
            f"({self.counted:,.3g} of {self.records:,.0f} records on average) or larger, so the "
            f"table says little about the data. Needed would be {self.needed}."
        )

    @property
    def needed(self) -> str:
        """What would make counts three times the noise."""
        ways = [] if self.epsilon is None else [f"an epsilon of at least {self.epsilon:.3g}"]
        if self.columns is not None:
            ways.append(f"at most {self.columns:,} columns")
        ways.append(f"about {math.ceil(CLEAR * self.noise * self.counts):,} records")
        return " or ".join(ways)


def fewest_records(plan: SynthesisPlan) -> int:
    """Return below how many records the noise is as large as what is counted."""
    return math.ceil(_noise(plan) * _typical_counts(plan))


def warning_beforehand(plan: SynthesisPlan, records: int | None) -> str | None:
    """Return what the owner should know before anything is charged; None where nothing is wrong.

    Parameters
    ----------
    records : about how many the table has, as its owner says. Where nobody says it, no count of
        the table may either: what is wrong with small tables is then said of tables of some size
    """
    if records is not None:
        return drowning(plan, records).warning
    # A delta is to be at most 1 over the square of the number of records.
    greatest = drowning(plan, plan.delta**-0.5)
    if greatest.drowns:
        return greatest.warning
    fewest = fewest_records(plan)
    if fewest <= SMALL_TABLE:
        return None
    size = int(float(f"{2 * fewest / 3:.0e}"))  # two thirds of it, in one digit
    return (
        f"With fewer than {fewest:,} records, the noise on each count ({_noise(plan):,.4g}) is as "
        "large as what is counted or larger, so the table would say little about the data. For "
        f"{size:,} records, needed would be {drowning(plan, size).needed}. Give your own number "
        "by --rows."
    )


def drowning(plan: SynthesisPlan, records: float) -> Drowning:
    """Compare the noise of a plan with what is counted of so many records."""
    noise, counts = _noise(plan), _typical_counts(plan)
    wanted = records / counts / CLEAR
    rho = as_number(plan.budget) * (noise / wanted) ** 2
    n_measured = len(plan.measured)
    # The squared noise of pairs grows with their number, and that of columns with theirs.
    links = 1 if plan.spending.pairs is not None else 0
    fewer = links + math.floor((n_measured - links) * (wanted / noise) ** 2)
    columns = fewer + (plan.focus is not None)
    return Drowning(
        noise,
        counts,
        records,
        _epsilon_of(rho, plan),
        columns if columns >= FEWEST_COLUMNS and fewer > links else None,
    )


def _noise(plan: SynthesisPlan) -> float:
    """Return the scale of the noise on pairs, or on columns where no pairs are measured."""
    finest = plan.spending.singles if plan.spending.pairs is None else plan.spending.pairs
    return float(finest.scale)


def _typical_counts(plan: SynthesisPlan) -> float:
    """Return the counts of a pair of columns with as many values as half of the columns have."""
    typical = median(_values(column) for column in plan.measured)
    together = typical if plan.spending.pairs is None else typical**2
    return together * (1 if plan.focus is None else _values(plan.focus))


def _values(column: CodedColumn) -> int:
    """Return how many values are told apart; other and missing values may be none at all."""
    return len(column.values) or min(QUARTERS, len(column.bins)) + len(column.points)


def _epsilon_of(rho: float, plan: SynthesisPlan) -> float | None:
    """Return the least epsilon, rounded up to three digits, that allows so much rho."""
    low, high = as_number(plan.epsilon), LARGEST_EPSILON

    def allows(epsilon: float) -> bool:
        budget = rho_within(epsilon, plan.delta, plan.dataset.budget.conversion)
        return math.floor(budget * BILLION) >= rho * BILLION

    if not allows(high):
        return None
    while high - low > low / 2000:
        middle = (low + high) / 2
        low, high = (low, middle) if allows(middle) else (middle, high)
    unit = 10 ** (math.floor(math.log10(high)) - 2)
    return math.ceil(high / unit) * unit
