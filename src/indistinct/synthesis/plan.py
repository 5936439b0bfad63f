"""All that the declaration and epsilon decide, before any record is read."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, final

from indistinct.database.dataset import Dataset, plain
from indistinct.errors import Fault, ParameterError
from indistinct.mechanisms.accountant import BILLION, Accounting, as_number, billionths, rho_within
from indistinct.mechanisms.membership import membership_bound
from indistinct.synthesis.counts import Attribute
from indistinct.synthesis.derived import Derived, derived_columns
from indistinct.synthesis.domain import CodedColumn, columns_of, domain_sha256
from indistinct.synthesis.forbidden import forbidden_faults, rules_of
from indistinct.synthesis.mst import candidates
from indistinct.synthesis.rules import Rules
from indistinct.synthesis.spending import Spending, divide, expected_pair_scale
from indistinct.synthesis.tree import hangs_together

MOST_OF_FOCUS = 16
FEWEST_COLUMNS = 2


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """What a synthesis costs and counts.

    Parameters
    ----------
    columns : all that are made up, in the order of the output, the focus among them
    focus : the column that every marginal keeps, or None
    epsilon : billionths asked for
    budget : billionths of rho that epsilon allows at delta: the price
    rules : which codes may occur together
    derived : columns that are looked up
    """

    dataset: Dataset
    columns: Sequence[CodedColumn]
    focus: CodedColumn | None
    epsilon: int
    delta: float
    budget: int
    spending: Spending
    rules: Rules
    derived: Mapping[str, Derived]

    @property
    def measured(self) -> list[CodedColumn]:
        """The columns besides the focus."""
        return [column for column in self.columns if column is not self.focus]

    @property
    def attributes(self) -> list[Attribute]:
        """The columns besides the focus as the synthesizer sees them."""
        return [column.attribute for column in self.measured]

    @property
    def pair_scale(self) -> float:
        """The noise that scores expect on pairs."""
        if self.spending.pairs is None:
            return 0.0
        return expected_pair_scale(self.budget, len(self.measured), self.dataset.rows_per_person)

    @property
    def epsilon_text(self) -> str:
        """Epsilon as people write it."""
        return f"{Decimal(self.epsilon).scaleb(-9).normalize():f}"

    @property
    def canonical(self) -> str:
        """The request as the ledger keeps it: equal requests are equal texts."""
        listed = ", ".join(f"{column.name} {column.n_codes}" for column in self.measured)
        focus = "" if self.focus is None else f" FOCUS {self.focus.name} {self.focus.n_codes}"
        return (
            f"SYNTHESIZE {self.dataset.synthesis.algorithm} ({listed}){focus} "
            f"DOMAIN sha256:{domain_sha256(self.columns)}{self._forbidden} "
            f"EPSILON {self.epsilon_text} "
            f"DELTA {self.delta!r} {self.dataset.budget.conversion.value}"
        )

    @property
    def _forbidden(self) -> str:
        """What is forbidden, as the ledger keeps it: by its hash."""
        forbidden = self.dataset.synthesis.forbidden
        if not forbidden:
            return ""
        text = json.dumps(
            [[one.columns, [[*map(plain, p)] for p in one.pairs]] for one in forbidden]
        )
        return f" FORBIDDEN sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    @property
    def membership_bound(self) -> float:
        """The most by which any attacker's true positive rate exceeds the false positive one."""
        return membership_bound(as_number(self.epsilon), as_number(self.budget), self.delta)


def make_plan(dataset: Dataset, epsilon: Any) -> Plan:
    """Decide everything that needs no record.

    Raises
    ------
    ParameterError
        With everything that the declaration lacks.
    """
    columns = columns_of(dataset)
    named = {column.name: column for column in columns}
    focus = None if dataset.synthesis.focus is None else named.get(dataset.synthesis.focus)
    measured = [column for column in columns if column is not focus]
    derived, lookup_faults = derived_columns(dataset, columns)
    faults = [
        *_faults(dataset, columns, focus),
        *forbidden_faults(dataset, columns, focus),
        *lookup_faults,
    ]
    try:
        asked = billionths(epsilon)
    except ParameterError as error:
        raise ParameterError([*faults, *error.faults]) from None
    delta = dataset.budget.delta
    if faults or delta is None:
        raise ParameterError(faults)
    rules = rules_of(dataset, measured, focus)
    rho = rho_within(as_number(asked), delta, dataset.budget.conversion)
    budget = math.floor(rho * BILLION)
    spending = divide(
        budget,
        len(measured),
        dataset.rows_per_person,
        focused=focus is not None,
        paired=dataset.synthesis.algorithm == "mst",
        given=len(rules.pairs),
    )
    return Plan(dataset, columns, focus, asked, delta, budget, spending, rules, derived)


def _faults(
    dataset: Dataset, columns: Sequence[CodedColumn], focus: CodedColumn | None
) -> Iterator[Fault]:
    if dataset.budget.accounting is not Accounting.ZCDP or dataset.budget.delta is None:
        yield Fault(
            "budget.accounting",
            "counts pure epsilon, but synthetic records cost rho",
            'Make a new declaration with accounting = "zcdp" and a delta, such as 1e-9.',
        )
    if len(columns) < FEWEST_COLUMNS:
        yield Fault(
            "synthesis.columns",
            "fewer than two columns have values or bounds",
            'Add values = ["...", "..."] or bounds = [low, high] to the columns to be synthesized.',
        )
        return
    if focus is not None and focus.n_codes > MOST_OF_FOCUS:
        yield Fault(
            "synthesis.focus",
            f"has {focus.n_codes} codes, and a focus has at most {MOST_OF_FOCUS}",
            "Choose a column with fewer values, or set complete = true where none are missing.",
        )
    attributes = [column.attribute for column in columns if column is not focus]
    n_focus = 1 if focus is None else focus.n_codes
    if not hangs_together(list(candidates(attributes, n_focus)), len(attributes)):
        yield Fault(
            "synthesis.columns",
            "have so many values that no pairs of them connect all columns",
            "List fewer values, or leave the column with the most values out.",
        )
