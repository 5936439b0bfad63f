"""From a declaration to the dataset that it declares: read once and checked whole."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from indistinct.base.billionths import BILLION, billionths
from indistinct.base.files.postgres_address import is_postgres
from indistinct.base.inputs import bounded_decimal, read_document, toml_words
from indistinct.errors import PolicyError
from indistinct.questions.database.dataset import (
    Analyst,
    Budget,
    Column,
    Dataset,
    Forbidden,
    Key,
    Lookup,
    Range,
    Scalar,
    SynthesisWords,
)
from indistinct.questions.database.declaration import BudgetDeclared, ColumnDeclared, Declaration
from indistinct.questions.database.declaration_faults import declaration_faults, structural_faults
from indistinct.questions.database.declared_tables import tables_of
from indistinct.questions.database.synthesis_faults import ordered_pair
from indistinct.questions.mechanisms.accountant import Accounting, rho_within


def load(path: str | Path, *, former: bool = False) -> Dataset:
    """Read a dataset's declaration; see :func:`build`.

    Raises
    ------
    PolicyError
        With every fault found, each with its place in the file.
    """
    path = Path(path)
    try:
        given = toml_words(read_document(path), bounded_decimal)
    except (OSError, UnicodeDecodeError):
        raise PolicyError(
            f"{path.name}: cannot be read", "Make one with: indistinct database init."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path.name}: is not TOML: {error}", "Correct the file there.") from None
    return build(given, path.parent, former=former)


def build(given: Mapping[str, Any], directory: Path, *, former: bool = False) -> Dataset:
    """Make a dataset of a declaration; paths in it are relative to ``directory``.

    Parameters
    ----------
    former : whether its ledger was begun by a version in which no threshold spent any delta
    """
    try:
        declared = Declaration.model_validate(given)
    except ValidationError as error:
        raise PolicyError(structural_faults(error)) from None
    faults = list(declaration_faults(declared))
    if faults:
        raise PolicyError(faults)
    budget = _budget(declared.budget, former=former)
    about = declared.dataset
    return Dataset(
        name=about.name,
        data=_located(about.data, directory),
        table=about.table,
        person=about.person,
        rows_per_person=about.rows_per_person,
        version=about.version,
        is_frozen=about.frozen or not is_postgres(about.data),
        reply_seconds=about.reply_seconds,
        min_people=about.min_people,
        tables=dict(tables_of(declared)),
        columns=dict(_columns(declared)),
        keys=dict(_keys(declared)),
        budget=budget,
        analysts=dict(_analysts(declared, budget)),
        ledger=_located(about.ledger, directory),
        misfits=about.misfits,
        lot_key=about.lot_key,
        synthesis=_synthesis(declared, directory),
    )


def _located(location: str, directory: Path) -> str:
    return location if is_postgres(location) else str(directory / location)


def _columns(declared: Declaration) -> Iterator[tuple[str, Column]]:
    for name, column in declared.columns.items():
        if column.type == "number" or column.type == "text":  # noqa: PLR1714 - tells the type
            yield name, Column(name, column.type, _range(column))


def _range(column: ColumnDeclared) -> Range | None:
    if column.bounds is None:
        return None
    step = Fraction(column.step)
    low = math.ceil(Fraction(column.bounds[0]) / step)
    high = math.floor(Fraction(column.bounds[1]) / step)
    if column.missing is None:
        return Range(step, low, high)
    missing = round(Fraction(column.missing) / step)
    return Range(step, low, high, min(max(missing, low), high))


def _keys(declared: Declaration) -> Iterator[tuple[str, Key]]:
    for name, column in declared.columns.items():
        if column.type == "bins":
            yield name, Key(name, column.of or "", edges=tuple(map(Fraction, column.edges)))
        elif column.values and column.type in {"number", "text"}:
            yield name, Key(name, name, tuple(_scalar(value) for value in column.values))


def _synthesis(declared: Declaration, directory: Path) -> SynthesisWords:
    words, columns = declared.synthesis, declared.columns
    return SynthesisWords(
        columns=words.columns,
        focus=words.focus,
        bins=words.bins,
        algorithm=words.algorithm,
        other=words.other,
        points={
            name: tuple(sorted(round(Fraction(point) / Fraction(of.step)) for point in of.points))
            for name, of in columns.items()
            if of.points
        },
        complete=frozenset(name for name, of in columns.items() if of.complete),
        declared=tuple(columns),
        lookups={
            name: Lookup(of.looked_up.column, str(directory / of.looked_up.csv))
            for name, of in columns.items()
            if of.looked_up is not None
        },
        forbidden=tuple(
            Forbidden(one.columns, tuple((_scalar(a), _scalar(b)) for a, b in one.pairs))
            for one in words.forbidden
        ),
        rules=tuple(pair for pair in map(ordered_pair, words.rules) if pair is not None),
    )


def _scalar(value: str | Decimal) -> Scalar:
    return value if isinstance(value, str) else Fraction(value)


def _budget(declared: BudgetDeclared, *, former: bool) -> Budget:
    threshold_delta = _threshold_delta(declared, former=former)
    declared = declared.model_copy(update={"threshold_delta": threshold_delta})
    cap = _granted(declared.epsilon, declared)
    per_analyst = declared.per_analyst
    per_version = declared.per_version
    return Budget(
        accounting=declared.accounting,
        cap=cap,
        per_analyst=cap if per_analyst is None else _granted(per_analyst, declared),
        per_version=cap if per_version is None else _granted(per_version, declared),
        delta=declared.delta,
        conversion=declared.conversion,
        threshold_delta=Fraction(repr(threshold_delta)),
    )


def _threshold_delta(declared: BudgetDeclared, *, former: bool) -> float:
    """Return what thresholds may spend: half of delta, or all of it where nothing else needs it."""
    if declared.delta is None or former:
        return 0.0
    if declared.threshold_delta is not None:
        return declared.threshold_delta
    return declared.delta if declared.accounting is Accounting.PURE else declared.delta / 2


def _granted(epsilon: Decimal, budget: BudgetDeclared) -> int:
    if budget.accounting is Accounting.PURE:
        return billionths(epsilon)
    whole, part = (Fraction(repr(one or 0.0)) for one in (budget.delta, budget.threshold_delta))
    return math.floor(rho_within(float(epsilon), float(whole - part), budget.conversion) * BILLION)


def _analysts(declared: Declaration, budget: Budget) -> Iterator[tuple[str, Analyst]]:
    for name, who in declared.analysts.items():
        cap = budget.cap if who.role == "owner" else budget.per_analyst
        if who.epsilon is not None:
            part = {"threshold_delta": float(budget.threshold_delta)}
            cap = _granted(who.epsilon, declared.budget.model_copy(update=part))
        yield name, Analyst(name, who.role, cap, who.token_sha256, who.per)
