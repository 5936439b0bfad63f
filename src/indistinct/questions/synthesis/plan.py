"""All that the declaration and epsilon decide, before any record is read."""

from __future__ import annotations

import csv
import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, final

from indistinct.base.billionths import BILLION, as_number, billionths, exact_number
from indistinct.errors import Fault, ParameterError
from indistinct.questions.database.dataset import Dataset, Lookup, plain
from indistinct.questions.mechanisms.accountant import Accounting, rho_within
from indistinct.questions.mechanisms.membership import membership_bound
from indistinct.questions.synthesis.counts import ColumnDomain
from indistinct.questions.synthesis.domain import CodedColumn, DomainCell, columns_of, domain_sha256
from indistinct.questions.synthesis.forbidden import forbidden_faults, rules_of
from indistinct.questions.synthesis.model import Rules
from indistinct.questions.synthesis.mst import candidates
from indistinct.questions.synthesis.spending import Spending, divide, expected_pair_scale
from indistinct.questions.synthesis.tree import hangs_together

# A number is looked up by each of its steps, and its table must list them all.
MOST_STEPS = 100_000
MOST_OF_FOCUS = 16
FEWEST_COLUMNS = 2


@final
@dataclass(frozen=True, slots=True)
class SynthesisPlan:
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
    def attributes(self) -> list[ColumnDomain]:
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
        """What is forbidden, and what is in order, as the ledger keeps it: by hashes."""
        words = self.dataset.synthesis
        forbidden = [
            [one.columns, [[*map(plain, p)] for p in one.pairs]] for one in words.forbidden
        ]
        parts = {"FORBIDDEN": forbidden, "RULES": list(words.rules)}
        return "".join(
            f" {name} sha256:{hashlib.sha256(json.dumps(part).encode()).hexdigest()}"
            for name, part in parts.items()
            if part
        )

    @property
    def membership_bound(self) -> float:
        """The most by which any attacker's true positive rate exceeds the false positive one."""
        return membership_bound(as_number(self.epsilon), as_number(self.budget), self.delta)


def make_plan(dataset: Dataset, epsilon: Any) -> SynthesisPlan:
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
    delta = dataset.budget.converted_delta
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
    return SynthesisPlan(dataset, columns, focus, asked, delta, budget, spending, rules, derived)


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


@final
@dataclass(frozen=True, slots=True)
class Derived:
    """A column that is looked up.

    Parameters
    ----------
    parent : the column whose cells are looked up
    cells : of every cell of the parent; a cell that is not in it is missing
    """

    parent: str
    cells: Mapping[DomainCell, DomainCell]

    def of(self, cells: Sequence[DomainCell]) -> list[DomainCell]:
        """Look cells up."""
        return [self.cells.get(cell) for cell in cells]


def derived_columns(
    dataset: Dataset, columns: Sequence[CodedColumn]
) -> tuple[dict[str, Derived], list[Fault]]:
    """Read the tables of all columns that are looked up; give them with all faults found."""
    named = {column.name: column for column in columns}
    wanted = dataset.synthesis.columns
    found: dict[str, Derived] = {}
    faults: list[Fault] = []
    for name, lookup in dataset.synthesis.lookups.items():
        if wanted is not None and name not in wanted:
            continue
        place = f"columns.{name}.from"
        parent = named.get(lookup.column)
        if parent is None:
            problem = f"looks {lookup.column} up, which is not made up from counts of its own"
            faults.append(Fault(place, problem, "Name a column with values or bounds."))
            continue
        try:
            pairs = read_pairs(lookup, name)
        except ValueError as error:
            faults.append(Fault(place, str(error), "Write a CSV file with both columns."))
            continue
        wrong = list(_gaps(parent, pairs, place))
        faults += wrong
        if not wrong:
            found[name] = Derived(parent.name, dict(_typed(parent, pairs)))
    return found, faults


def read_pairs(lookup: Lookup, name: str) -> dict[str, str]:
    """Read what each text of a column leads to.

    Raises
    ------
    ValueError
        when the file cannot be read, lacks a column, or lists a value twice
    """
    try:
        with Path(lookup.path).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise ValueError(f"{Path(lookup.path).name} cannot be read") from None
    if not rows or not {lookup.column, name} <= set(rows[0]):
        raise ValueError(f"{Path(lookup.path).name} has no columns {lookup.column} and {name}")
    pairs = {row[lookup.column] or "": row[name] or "" for row in rows}
    if len(pairs) < len(rows):
        raise ValueError(f"{Path(lookup.path).name} lists a value of {lookup.column} twice")
    return pairs


def _gaps(parent: CodedColumn, pairs: Mapping[str, str], place: str) -> Iterator[Fault]:
    if parent.bounds is not None and parent.bounds.high - parent.bounds.low >= MOST_STEPS:
        problem = f"looks up {parent.name}, which has more than {MOST_STEPS:,} steps"
        yield Fault(place, problem, "Look a column with fewer values up.")
        return
    keys = {_key(text) for text in pairs}
    gaps = sum(_key(str(cell)) not in keys for cell in _declared_cells(parent))
    if gaps:
        problem = f"lacks {gaps:,} of the declared values of {parent.name}"
        yield Fault(place, problem, "List every declared value in the CSV file.")


def _declared_cells(parent: CodedColumn) -> list[DomainCell]:
    if parent.bounds is None:
        return list(parent.values)
    return [parent.number(step) for step in range(parent.bounds.low, parent.bounds.high + 1)]


def _typed(
    parent: CodedColumn, pairs: Mapping[str, str]
) -> Iterator[tuple[DomainCell, DomainCell]]:
    """Yield cells of the parent, as they are made up, with what they lead to."""
    by_key = {_key(text): found for text, found in pairs.items()}
    texts = {found for found in pairs.values() if found}
    numbers = {text: exact_number(text) for text in texts}
    is_number = None not in numbers.values()
    own: list[DomainCell] = [*_declared_cells(parent), parent.other]
    for cell in own:
        # Beside a word for other values, declared numbers are made up as words, too.
        for written in (cell, str(cell)):
            found = by_key.get(_key("" if cell is None else str(cell)), "")
            exact = numbers.get(found)
            is_exact = is_number and exact is not None
            yield written, plain(exact) if is_exact and exact is not None else (found or None)
    yield None, by_key.get("") or None


def _key(text: str) -> str | Fraction:
    """Return what two texts of one value have in common."""
    exact = exact_number(text)
    return text if exact is None else exact
