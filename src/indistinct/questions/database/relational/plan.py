"""A question with its noise and price: everything that is decided before any data are read."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, final

from indistinct.base.billionths import billionths
from indistinct.questions.database.dataset import DELTAS
from indistinct.questions.database.relational.limits import Reach
from indistinct.questions.database.relational.parts import Part
from indistinct.questions.database.relational.sizes import WORK_PER_SLOT, check_size, n_candidates
from indistinct.questions.database.relational.statement import CompiledQuestion
from indistinct.questions.database.relational.words import refusal
from indistinct.questions.mechanisms import gaussian, laplace, selection
from indistinct.questions.mechanisms.accountant import Accounting
from indistinct.questions.mechanisms.calibration import LARGEST_SENSITIVITY
from indistinct.questions.mechanisms.gaussian import Gaussian
from indistinct.questions.mechanisms.laplace import Laplace
from indistinct.questions.mechanisms.meaning import EpsilonMeaning
from indistinct.questions.mechanisms.selection import Selection
from indistinct.questions.mechanisms.thresholds import threshold

Noise = Laplace | Gaussian
PEOPLE = Part("people")
FIRST_STAGE = "first stage"


@final
@dataclass(frozen=True, slots=True)
class RelationalPlan:
    """All that a question's text decides.

    Parameters
    ----------
    epsilon : billionths asked for
    price : billionths of the account's unit that the mechanisms' own proofs charge
    noises : per part that is a vector
    selections : per part of a quantile: of the value and both ends
    stage : the noise of the first stage, where groups are not known beforehand
    delta : what the threshold costs, in units of 1e-18
    """

    statement: CompiledQuestion
    meaning: EpsilonMeaning
    epsilon: int
    price: int
    noises: dict[Part, Noise]
    selections: dict[Part, tuple[Selection, Selection, Selection]]
    stage: Noise | None = None
    threshold: int = 0
    delta: int = 0

    @property
    def canonical(self) -> str:
        """Write what is counted and paid, so that equal plans are equal texts."""
        select = self.statement.select
        parts = ", ".join(sorted(str(call) for call in self.statement.measures))
        groups = ", ".join(map(str, self.statement.nodes))
        limits = self.statement.limits
        words = [parts, f"FROM {select.source}", *map(str, select.joins)]
        words += [] if select.where is None else [f"WHERE {select.where}"]
        words += [f"GROUP BY {groups}"] if groups else []
        words.append(f"LIMITS {' '.join(map(str, limits.document().values()))}")
        words.append(f"EPSILON {Decimal(self.epsilon).scaleb(-9).normalize():f}")
        words += [f"DELTA {self.delta / DELTAS!r}"] if self.stage is not None else []
        return f"{' '.join(words)} [{self.statement.relation[:16]}]"

    @property
    def scales(self) -> dict[str, float]:
        """Return the scale of the noise of each part by its name, and of the first stage."""
        found = {} if self.stage is None else {FIRST_STAGE: self.stage.scale}
        for part in self.statement.parts:
            is_drawn = part.kind == "ranks"
            noise = self.selections[part][0] if is_drawn else self.noise_of(part)
            found[part.name] = noise.scale
        return found

    @property
    def stages(self) -> tuple[Part, ...]:
        """List the parts of the second stage, or of the only one."""
        free = self.statement.counts_people if self.stage is not None else None
        return tuple(part for part in self.statement.parts if part != free)

    def noise_of(self, part: Part) -> Noise:
        """Return the noise of a part."""
        if self.stage is not None and part == self.statement.counts_people:
            return self.stage
        return self.noises[part]

    @property
    def slots(self) -> int:
        """Return how many of the declared times a reply takes."""
        n_cells = 1 if self.statement.is_unknown else self.statement.n_cells
        return 1 + n_cells * sum(map(n_candidates, self.statement.parts)) // WORK_PER_SLOT


def make_plan(
    statement: CompiledQuestion,
    epsilon: Any,
    meaning: EpsilonMeaning,
    delta_of: Callable[[int], int] = lambda _: 0,
) -> RelationalPlan:
    """Share the price between the parts, by their weights.

    Parameters
    ----------
    epsilon : a positive decimal number of at most nine decimals
    delta_of : the delta of a threshold for a price, in units of 1e-18

    Raises
    ------
    QuestionError, ParameterError
        If groups need a delta that the budget has not, or a part has no useful limit.
    """
    asked = billionths(epsilon)
    budget = meaning.granted(asked)
    delta = delta_of(budget) if statement.is_unknown else 0
    check_size(statement, budget, meaning)
    free = statement.counts_people
    first = 0
    if statement.is_unknown:
        if not delta:
            raise refusal(
                "GROUP BY", "has values that are not known beforehand, and the budget has no delta",
                "Group by declared values, or the owner declares a delta.",
            )  # fmt: skip
        first = 1
    times = 2 if statement.is_unknown and free is None else 1
    rest = [part for part in statement.parts if part != free or not statement.is_unknown]
    weights = [part.weight * times for part in rest]
    total = first + sum(weights)
    shares = [budget * weight // total for weight in weights]
    if shares and not first:
        shares[0] += budget - sum(shares)
    accounting = meaning.accounting
    stage = None
    if statement.is_unknown:
        of_people = PEOPLE.reach(statement.of_people)
        stage = calibrated(PEOPLE, of_people, budget - sum(shares), accounting)
    noises: dict[Part, Noise] = {}
    selections: dict[Part, tuple[Selection, Selection, Selection]] = {}
    for part, share in zip(rest, shares, strict=True):
        if part.kind == "ranks":
            selections[part] = selected(part, statement, share, accounting)
        else:
            noises[part] = calibrated(part, part.reach(statement.limits), share, accounting)
    groups = statement.limits.groups
    price = sum(noise.charge() for noise in noises.values())
    price += groups * sum(one.charge() for three in selections.values() for one in three)
    price += 0 if stage is None else stage.charge()
    least = 0
    if stage is not None:
        least = threshold(stage, delta / DELTAS, groups, statement.min_people)
    return RelationalPlan(
        statement, meaning, asked, price, noises, selections, stage, least,
        delta,
    )  # fmt: skip


def calibrated(part: Part, reach: Reach, share: int, accounting: Accounting) -> Noise:
    """Return the noise of one vector."""
    is_pure = accounting is Accounting.PURE
    if (reach.total if is_pure else math.isqrt(reach.squares)) > LARGEST_SENSITIVITY:
        raise refusal(part.kind, "adds up too much of one person", "Use narrower bounds or limits.")
    if is_pure:
        return laplace.calibrate(reach.total, share)
    return gaussian.calibrate(reach.squares, share)


def selected(
    part: Part, statement: CompiledQuestion, share: int, accounting: Accounting
) -> tuple[Selection, Selection, Selection]:
    """Return the selections of a quantile and both ends, for each of a person's groups."""
    limits = statement.limits
    most = part.grid * part.most * part.rows_per_group(limits)
    each = share // limits.groups
    quarter = each // 4
    shares = (each - 2 * quarter, quarter, quarter)
    value, low, high = (selection.calibrate(most, one, accounting) for one in shares)
    return value, low, high
