"""What may be asked of which table: one TOML file, read once and checked whole."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, cast, final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from indistinct.database import address
from indistinct.database.address import is_postgres
from indistinct.errors import AccessError, Fault, ParameterError, PolicyError
from indistinct.mechanisms.accountant import (
    BILLION,
    Accounting,
    billionths,
    rho_within,
)

# Floats hold every whole number up to here, and bounds are also read from floats.
LARGEST_UNIT = 2**53
# The square of a range then fits into 62 bits.
WIDEST_RANGE = 2**31
# Codes of values that are not declared and of missing ones; declared values count from 0.
OTHER = -1
MISSING = -2
OWNER = "owner"
LEAVE_OUT = "leave-out"
Scalar = str | Fraction


@final
@dataclass(frozen=True, slots=True)
class Range:
    """The public bounds of a number, in whole steps: value = units * step.

    Every value is moved into the bounds before it is added up; a missing one counts as ``missing``.
    """

    step: Fraction
    low: int
    high: int
    missing: int

    @property
    def farthest(self) -> int:
        """Units that one row adds to a sum at most."""
        return max(abs(self.low), abs(self.high))

    @property
    def middle(self) -> int:
        """The unit from which means are measured, so that rows add as little as can be."""
        return (self.low + self.high) // 2

    @property
    def radius(self) -> int:
        """Units that one row adds to a sum measured from the middle, at most."""
        return max(self.high - self.middle, self.middle - self.low)


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A column that questions may name.

    Parameters
    ----------
    kind : number or text
    bounds : of a number that may be added up
    """

    name: str
    kind: Literal["number", "text"]
    bounds: Range | None = None


@final
@dataclass(frozen=True, slots=True)
class Key:
    """A public set of values that answers may be grouped by.

    A row has the code of its value, -1 for any other value and -2 where it is missing.

    Parameters
    ----------
    column : whose values are looked at
    values : the public values, in code order; empty for bins
    edges : of bins of a number: below the first, between each two, from the last upwards
    """

    name: str
    column: str
    values: tuple[Scalar, ...] = ()
    edges: tuple[Fraction, ...] = ()

    @property
    def labels(self) -> tuple[str | int | float, ...]:
        """What an answer calls each code."""
        if self.edges:
            return tuple(bin_labels(self.edges))
        return tuple(plain(value) for value in self.values)

    @property
    def codes(self) -> range:
        """The codes that answers are grouped by."""
        return range(len(self.labels))


def plain(value: Scalar) -> str | int | float:
    """Give a value as JSON writes it."""
    if isinstance(value, str):
        return value
    return value.numerator if value.denominator == 1 else float(value)


def bin_labels(edges: Sequence[Fraction]) -> Iterator[str]:
    """Name bins that are disjoint and complete."""
    words = [str(plain(edge)) for edge in edges]
    yield f"< {words[0]}"
    yield from (f"[{low}, {high})" for low, high in pairwise(words))
    yield f">= {words[-1]}"


@final
@dataclass(frozen=True, slots=True)
class Analyst:
    """Somebody who may ask, known by the hash of a token.

    Parameters
    ----------
    role : ``analyst`` asks and sees what was charged to them, ``owner`` also sees the whole ledger
    cap : billionths
    """

    name: str
    role: Literal["analyst", "owner"]
    cap: int
    token_sha256: str = ""


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent, in billionths of the accounting's unit.

    Parameters
    ----------
    cap : by all analysts together, over all versions of the data
    per_version : by all analysts together, of one version of the data
    """

    accounting: Accounting
    cap: int
    per_analyst: int
    per_version: int
    delta: float | None = None


@final
@dataclass(frozen=True, slots=True)
class Dataset:
    """A table and what may be asked of it.

    Parameters
    ----------
    data : path of a file, or a PostgreSQL URL
    table : the name that questions use; in PostgreSQL also that of the table or view
    rows_per_person : c, the rows of one person that count
    version : of data in PostgreSQL; a file is known by its content
    ledger : path of a file, or a PostgreSQL URL
    misfits : what is done about lines of a text file that do not fit its header
    """

    name: str
    data: str
    table: str
    person: str
    rows_per_person: int
    version: str
    columns: Mapping[str, Column]
    keys: Mapping[str, Key]
    budget: Budget
    analysts: Mapping[str, Analyst]
    ledger: str
    misfits: Literal["refuse", "leave-out"] = "refuse"

    @property
    def reading(self) -> str:
        """Tell one way to read the rows from another.

        Answers, and charges confined to the codes of a key, are the same only where persons,
        bounds, values and edges are.
        """
        read = (self.person, self.rows_per_person, list(self.columns.values()))
        text = repr((*read, list(self.keys.values())))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def source(self) -> str:
        """Tell one table from another, across all states of its rows.

        A file's rows are known by their content, and a file may move; so may a database server.
        """
        where = "file"
        if is_postgres(self.data):
            where = address.place(self.data).rpartition("/")[2]
        text = repr((where, self.table, self.person))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def analyst(self, name: str) -> Analyst:
        """Find an analyst; the owner is always known.

        Raises
        ------
        AccessError
            If there is none of that name.
        """
        if name in self.analysts:
            return self.analysts[name]
        if name == OWNER:
            return Analyst(OWNER, "owner", self.budget.cap)
        raise AccessError("the analyst is not known here", "Ask the owner for a token.")


class _Declared(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    @field_validator("*", mode="before")
    @classmethod
    def _is_no_truth(cls, value: Any) -> Any:
        """Refuse true and false, which would else be read as 1 and 0."""
        several = cast("list[Any]", value) if isinstance(value, list) else [value]
        if any(isinstance(part, bool) for part in several):
            raise ValueError("true and false mean nothing here; write a number or a text in quotes")
        return cast("Any", value)


class _DatasetDeclared(_Declared):
    name: str = Field(min_length=1, max_length=200)
    data: str = Field(min_length=1)
    table: str = Field(min_length=1, max_length=200)
    person: str = Field(min_length=1)
    rows_per_person: int = Field(default=1, ge=1, le=10**6)
    version: str = "1"
    misfits: Literal["refuse", "leave-out"] = "refuse"
    ledger: str = Field(min_length=1)


class _BudgetDeclared(_Declared):
    accounting: Accounting = Accounting.PURE
    epsilon: Decimal
    per_analyst: Decimal | None = None
    per_version: Decimal | None = None
    delta: float | None = Field(default=None, gt=0, lt=0.1)


class _ColumnDeclared(_Declared):
    type: Literal["number", "text", "bins"]
    bounds: tuple[Decimal, Decimal] | None = None
    step: Decimal = Field(default=Decimal(1), gt=0)
    missing: Decimal | None = None
    values: tuple[str | Decimal, ...] = ()
    of: str | None = None
    edges: tuple[Decimal, ...] = ()


class _AnalystDeclared(_Declared):
    role: Literal["analyst", "owner"] = "analyst"
    epsilon: Decimal | None = None
    token_sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")


class _Declaration(_Declared):
    dataset: _DatasetDeclared
    budget: _BudgetDeclared
    columns: dict[str, _ColumnDeclared] = Field(default_factory=dict[str, _ColumnDeclared])
    analysts: dict[str, _AnalystDeclared] = Field(default_factory=dict[str, _AnalystDeclared])


def load(path: str | Path) -> Dataset:
    """Read a dataset's declaration.

    Raises
    ------
    PolicyError
        With every fault found, each with its place in the file.
    """
    path = Path(path)
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except (OSError, UnicodeDecodeError):
        raise PolicyError(
            f"{path.name}: cannot be read", "Make one with: indistinct database init."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path.name}: is not TOML: {error}", "Correct the line named.") from None
    return build(given, path.parent)


def build(given: Mapping[str, Any], directory: Path) -> Dataset:
    """Make a dataset of a declaration; paths in it are relative to ``directory``."""
    try:
        declared = _Declaration.model_validate(given)
    except ValidationError as error:
        raise PolicyError(_structural_faults(error)) from None
    faults = list(_faults(declared))
    if faults:
        raise PolicyError(faults)
    budget = _budget(declared.budget)
    about = declared.dataset
    return Dataset(
        name=about.name,
        data=_located(about.data, directory),
        table=about.table,
        person=about.person,
        rows_per_person=about.rows_per_person,
        version=about.version,
        columns=dict(_columns(declared)),
        keys=dict(_keys(declared)),
        budget=budget,
        analysts=dict(_analysts(declared, budget)),
        ledger=_located(about.ledger, directory),
        misfits=about.misfits,
    )


def _located(location: str, directory: Path) -> str:
    return location if is_postgres(location) else str(directory / location)


def _structural_faults(error: ValidationError) -> list[Fault]:
    return [
        Fault(
            ".".join(str(part) for part in found["loc"]),
            found["msg"][:1].lower() + found["msg"][1:],
        )
        for found in error.errors(include_input=False, include_url=False, include_context=False)
    ]


def _faults(declared: _Declaration) -> Iterator[Fault]:
    yield from _budget_faults(declared)
    for place in ("data", "ledger"):
        location = getattr(declared.dataset, place)
        if is_postgres(location):
            for problem, remedy in address.faults(location):
                yield Fault(f"dataset.{place}", problem, remedy)
    for name, column in declared.columns.items():
        for problem, remedy in _column_faults(column, declared):
            yield Fault(f"columns.{name}", problem, remedy)
    yield from _name_faults(declared)


def _name_faults(declared: _Declaration) -> Iterator[Fault]:
    folded: dict[str, str] = {}
    for name in declared.columns:
        if name.casefold() in folded:
            yield Fault(
                f"columns.{name}", "differs from another column in case only", "Rename one of them."
            )
        folded[name.casefold()] = name


def _budget_faults(declared: _Declaration) -> Iterator[Fault]:
    budget = declared.budget
    amounts = {
        "budget.epsilon": budget.epsilon,
        "budget.per_analyst": budget.per_analyst,
        "budget.per_version": budget.per_version,
        **{f"analysts.{name}.epsilon": who.epsilon for name, who in declared.analysts.items()},
    }
    for place, amount in amounts.items():
        if amount is not None:
            yield from _amount_faults(amount, place)
    if budget.accounting is Accounting.ZCDP and budget.delta is None:
        yield Fault("budget.delta", "is missing", "zCDP needs a delta, such as 1e-6.")


def _amount_faults(amount: Decimal, place: str) -> Iterator[Fault]:
    try:
        billionths(amount, place)
    except ParameterError as error:
        yield from error.faults


def _column_faults(column: _ColumnDeclared, declared: _Declaration) -> Iterator[tuple[str, str]]:
    match column.type:
        case "number":
            yield from _number_faults(column)
        case "text":
            if column.bounds or column.edges:
                yield (
                    "is a text, so it has no bounds or edges",
                    'Set type = "number", or leave them out.',
                )
            if not all(isinstance(value, str) for value in column.values):
                yield "is a text, so its values are texts", 'Write values = ["a", "b"].'
        case "bins":
            yield from _bins_faults(column, declared)
    if len(set(column.values)) != len(column.values):
        yield "lists a value twice", "List each value once."


def _number_faults(column: _ColumnDeclared) -> Iterator[tuple[str, str]]:
    if not all(isinstance(value, Decimal) and value.is_finite() for value in column.values):
        yield "is a number, so its values are numbers", "Write values = [1, 2]."
    if column.bounds is None:
        return
    if not all(number.is_finite() for number in (*column.bounds, column.step)):
        yield "has bounds or a step that are not finite numbers", "Write bounds = [0, 100]."
        return
    low, high = (Fraction(number) / Fraction(column.step) for number in column.bounds)
    if math.floor(high) <= math.ceil(low):
        yield "has an upper bound that is not above the lower one", "Write bounds = [low, high]."
    elif max(abs(low), abs(high)) > LARGEST_UNIT or high - low > WIDEST_RANGE:
        yield "has bounds too wide for its step", "Use a larger step: at most 2**31 steps."
    missing = column.missing
    if missing is not None and not column.bounds[0] <= missing <= column.bounds[1]:
        yield (
            "counts missing values outside its bounds",
            "Set missing to a number within the bounds.",
        )


def _bins_faults(column: _ColumnDeclared, declared: _Declaration) -> Iterator[tuple[str, str]]:
    of = declared.columns.get(column.of or "")
    if of is None or of.type != "number":
        yield "is not made of a declared number", 'Set of = "..." to the name of a number.'
    rising = all(low < high for low, high in pairwise(column.edges))
    if not column.edges or not all(edge.is_finite() for edge in column.edges) or not rising:
        yield "has no rising edges", "Write edges = [20, 50]."


def _columns(declared: _Declaration) -> Iterator[tuple[str, Column]]:
    for name, column in declared.columns.items():
        if column.type != "bins":
            yield name, Column(name, column.type, _range(column))


def _range(column: _ColumnDeclared) -> Range | None:
    if column.bounds is None:
        return None
    step = Fraction(column.step)
    low = math.ceil(Fraction(column.bounds[0]) / step)
    high = math.floor(Fraction(column.bounds[1]) / step)
    missing = 0 if column.missing is None else round(Fraction(column.missing) / step)
    return Range(step, low, high, min(max(missing, low), high))


def _keys(declared: _Declaration) -> Iterator[tuple[str, Key]]:
    for name, column in declared.columns.items():
        if column.type == "bins":
            yield name, Key(name, column.of or "", edges=tuple(map(Fraction, column.edges)))
        elif column.values:
            yield name, Key(name, name, tuple(_scalar(value) for value in column.values))


def _scalar(value: str | Decimal) -> Scalar:
    return value if isinstance(value, str) else Fraction(value)


def _budget(declared: _BudgetDeclared) -> Budget:
    cap = _granted(declared.epsilon, declared)
    per_analyst = declared.per_analyst
    per_version = declared.per_version
    return Budget(
        accounting=declared.accounting,
        cap=cap,
        per_analyst=cap if per_analyst is None else _granted(per_analyst, declared),
        per_version=cap if per_version is None else _granted(per_version, declared),
        delta=declared.delta,
    )


def _granted(epsilon: Decimal, budget: _BudgetDeclared) -> int:
    if budget.accounting is Accounting.PURE:
        return billionths(epsilon)
    return math.floor(rho_within(float(epsilon), budget.delta or 0.0) * BILLION)


def _analysts(declared: _Declaration, budget: Budget) -> Iterator[tuple[str, Analyst]]:
    for name, who in declared.analysts.items():
        cap = budget.cap if who.role == "owner" else budget.per_analyst
        if who.epsilon is not None:
            cap = _granted(who.epsilon, declared.budget)
        yield name, Analyst(name, who.role, cap, who.token_sha256)
