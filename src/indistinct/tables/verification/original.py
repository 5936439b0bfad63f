"""A release beside the input that it is said to come from.

Without the crosswalk nobody knows which record became which row. But the columns that are neither
generalized nor protected must hold what the input holds: every combination of their cells at most
as often as there, and where each value of a quasi-identifier has one released cell, together with
that cell. With the crosswalk each row is compared with its own record.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

import numpy as np
import polars as pl

from indistinct.errors import Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.tallies import kinds_of
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.columns import renderer_of, shows_midpoints
from indistinct.tables.verification.evidence import (
    CheckedRelease,
    VerificationInput,
    has_made_up_rows,
    released_names,
)
from indistinct.tables.verification.owners import Owners, owners_of
from indistinct.tables.verification.texts import (
    AS_A_NUMBER,
    CLOSED,
    is_finite,
    numbers_as_read,
    step_of_ends,
    text_as_read,
)

DISMISS = "Do not publish this file."
MOST_HIDDEN = 0.05  # share of the values of a column that may be written as missing
OTHER_INPUT = "Is this the input that the release was made from?"


def input_faults(evidence: CheckedRelease) -> list[Fault]:
    """Compare a release with its input, and with the crosswalk where it is at hand."""
    if evidence.original is None:
        return []
    faults = list(_number_faults(evidence))
    if evidence.rows is not None:
        return [*faults, *_row_faults(evidence)]
    return [*faults, *_containment_faults(evidence)]


def linked_input_faults(evidence: CheckedRelease, values: Mapping[str, int]) -> Iterator[Fault]:
    """Compare two linked tables with their input, whose quasi-identifiers they show as they were.

    Parameters
    ----------
    evidence : the first table
    values : records of each sensitive value, over all groups of the second
    """
    if evidence.original is None:
        return
    (sensitive,) = evidence.spec.named(Role.SENSITIVE)
    protected = evidence.spec.protections
    names = [
        name
        for name in evidence.release.columns
        if name in evidence.spec.columns and name not in protected
    ]
    pairs = [_alike(evidence, name) for name in names if evidence.before(name) is not None]
    yield from _multiset_faults(pairs)
    column = evidence.before(sensitive)
    if column is None:
        return
    held: dict[str, int] = dict(
        _texts(column, evidence.spec.data.missing).value_counts().iter_rows()
    )
    excess = sum(max(0, count - held.get(value, 0)) for value, count in values.items())
    if excess:
        problem = f"{excess} sensitive values are not in the input, or not so often"
        yield Fault(f"sensitive.{sensitive}", problem, DISMISS)


def limit_of(
    spec: Specification, original: pl.DataFrame, n_input: int, weights: pl.Series | None = None
) -> float:
    """Return how many of an input's records the policy lets a release leave out.

    Parameters
    ----------
    original : the columns of the input that are not protected, of which there may be none
    n_input : records of the input
    weights : of each row of ``original``, where these are distinct rows
    """
    takes_out_later = any(one.withholds for one in spec.protections.values()) or any(
        model.suppresses_later for model in spec.models
    )
    if takes_out_later or spec.method.max_suppression >= 1:
        return math.inf
    incomplete = 0
    if spec.data.missing_as == "suppress":
        names = (*spec.named(Role.QUASI_IDENTIFIER), *spec.named(Role.SENSITIVE))
        gone = [original[name].is_null() for name in names if name in original]
        if len(gone) < len(names):
            return math.inf
        lacking = np.zeros(original.height if weights is not None else n_input, np.bool_)
        for column in gone:
            lacking |= column.to_numpy()
        incomplete = int(lacking.sum() if weights is None else weights.filter(lacking).sum())
    complete = n_input - incomplete
    return incomplete + math.floor(spec.method.max_suppression * complete + 1e-9)


def _number_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Find more records than the input has, and more suppressed ones than the policy allows."""
    if evidence.original is None or evidence.n_input is None:
        return
    n_input, n_released = evidence.n_input, evidence.n_released
    if n_released > n_input:
        problem = f"the release has {n_released}, but the input {n_input}"
        yield Fault("records", problem, OTHER_INPUT)
    elif n_input - n_released > limit_of(
        evidence.spec, evidence.original, n_input, evidence.original_weights
    ):
        yield Fault(
            "records.suppressed",
            f"{n_input - n_released} of {n_input} records are not released, which is more than "
            "max_suppression allows",
            OTHER_INPUT,
        )


def crosswalk_faults(reading: VerificationInput) -> Iterator[Fault]:
    """Find a crosswalk that names no record of the input, or one twice."""
    if reading.rows is None:
        return
    rows = np.asarray(reading.rows, np.int64)
    n_input = None if reading.original is None else reading.original.height
    # A row of stars, or a counterfeit, may have no record behind it.
    is_made_up = has_made_up_rows(reading.spec)
    least = -1 if is_made_up or reading.spec.release.suppressed == "mask" else 0
    if len(rows) != reading.frame.height:
        yield Fault("crosswalk", "has another number of records than the release", OTHER_INPUT)
    elif len(rows) and (rows.min() < least or (n_input is not None and rows.max() >= n_input)):
        yield Fault("crosswalk", "names records that the input does not have", OTHER_INPUT)
    elif bool((np.diff(np.sort(rows[rows >= 0])) == 0).any()):
        yield Fault("crosswalk", "names a record of the input twice", DISMISS)


def _row_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Compare every row with its own record in the columns that stay as they were."""
    for name, wrong in wrong_cells(evidence).items():
        yield Fault(f"columns.{name}", f"{wrong} cells are not their record's own", DISMISS)
    yield from _range_faults(evidence)


def _range_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Find ranges that no algorithm makes of the input's numbers: with other ends than they have.

    A rounded end is the next multiple of its step beyond a number of the input.
    """
    spec = evidence.spec
    for name in spec.class_names:
        before = evidence.before(name)
        if before is None or not spec.columns[name].in_ranges or not before.dtype.is_numeric():
            continue
        texts = text_as_read(_as_bounds(before.drop_nulls().unique())).to_list()
        numbers = sorted(Decimal(text) for text in texts if is_finite(text))
        is_rounded = spec.release.range_ends == "rounded"
        wrong = sum(
            count
            for cell, count in evidence.counts(name)
            if CLOSED.match(cell) and not _has_ends(cell, numbers, is_rounded=is_rounded)
        )
        if wrong:
            problem = f"{wrong} ranges do not end where numbers of the input do"
            yield Fault(f"columns.{name}", problem, DISMISS)


def _has_ends(cell: str, numbers: Sequence[Decimal], *, is_rounded: bool) -> bool:
    """Return whether a range ends at numbers, or else at the round ones next to two of them."""
    ends, step = CLOSED.match(cell), step_of_ends(cell) if is_rounded else Decimal(0)
    if ends is None or step is None:
        return False
    least, greatest = Decimal(ends[1]), Decimal(ends[2])
    first, last = bisect_left(numbers, least), bisect_right(numbers, greatest) - 1
    if first > last:
        return False
    if not is_rounded:
        return numbers[first] == least and numbers[last] == greatest
    return numbers[first] < least + step and numbers[last] > greatest - step


def wrong_cells(evidence: CheckedRelease) -> dict[str, int]:
    """Count the cells that are not their record's own, in columns that stay as they were."""
    rows = np.asarray(evidence.rows, np.int64)
    found: dict[str, int] = {}
    for name in _untouched(evidence):
        released, before = _alike(evidence, name)
        own = before[rows]
        differs = released != own
        if name in evidence.may_be_hidden:
            hidden = differs & (released == "")
            if int(hidden.sum()) <= MOST_HIDDEN * int((own != "").sum()):
                differs &= ~hidden
        wrong = int(differs.sum())
        if wrong:
            found[name] = wrong
    return found


def _containment_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Find what the release has and the input has not, or has less often."""
    pairs = {name: _alike(evidence, name) for name in _untouched(evidence)}
    foreign = False
    for name, (released, before) in pairs.items():
        is_foreign = ~released.is_in(before.unique().implode())
        if name in evidence.may_be_hidden:
            yield from _hidden_faults(name, released, before)
            is_foreign &= released != ""
        count = int(is_foreign.sum())
        if count:
            foreign = True
            problem = f"{count} cells hold what no record of the input holds"
            yield Fault(f"columns.{name}", problem, DISMISS)
    yield from _range_faults(evidence)
    owned = _owned(evidence)
    strangers = list(_stranger_faults(owned))
    yield from strangers
    pairs |= {
        name: (found.released, found.owner)
        for name, found in owned.items()
        if found.owner is not None
    }
    if not foreign and not strangers:
        # Of a record with a hidden value nobody knows which of the input's combinations it has.
        known = [pair for name, pair in pairs.items() if name not in evidence.may_be_hidden]
        yield from _multiset_faults(known, evidence.weights, evidence.original_weights)


def _hidden_faults(name: str, released: pl.Series, before: pl.Series) -> Iterator[Fault]:
    """Find a column with more missing cells than the input has and a repair may add."""
    hidden = int((released == "").sum()) - int((before == "").sum())
    if hidden > MOST_HIDDEN * int((released != "").sum() + max(hidden, 0)):
        problem = f"{hidden} more cells are missing than in the input, too many for a repair"
        yield Fault(f"columns.{name}", problem, DISMISS)


def stranger_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Find cells that cover no value of the input, where each cell has a person behind it."""
    yield from _stranger_faults(_owned(evidence))


def _stranger_faults(owned: Mapping[str, Owners]) -> Iterator[Fault]:
    for name, found in owned.items():
        if found.strangers:
            problem = f"{found.strangers} cells cover no value of the input"
            yield Fault(f"columns.{name}", problem, DISMISS)


def _owned(evidence: CheckedRelease) -> dict[str, Owners]:
    """Find the cells around the values of each quasi-identifier, where they can be compared."""
    owned: dict[str, Owners] = {}
    for name in evidence.spec.class_names:
        before = evidence.before(name)
        if before is None:
            continue
        if shows_midpoints(evidence, name):
            continue
        cells = renderer_of(evidence, name)
        if len(released_names(evidence.spec.columns[name], evidence.typed.columns)) > 1:
            before = _as_bounds(before)
        texts = _texts(before, evidence.spec.data.missing)
        found = owners_of(evidence.release[name], texts, cells, evidence.spec.columns[name])
        if found is not None:
            owned[name] = found
    return owned


def _multiset_faults(
    pairs: Sequence[tuple[pl.Series, pl.Series]],
    weights: pl.Series | None = None,
    original_weights: pl.Series | None = None,
) -> Iterator[Fault]:
    """Find combinations of cells that the release has more often than the input.

    Parameters
    ----------
    pairs : columns of the release, without a missing cell, and of the input, as texts
    weights, original_weights : records of each row; one each where left out
    """
    if not pairs:
        return
    both = [pl.concat([one, other.alias(one.name)]) for one, other in pairs]
    kinds, n_released = kinds_of(both)[0].to_numpy(), len(pairs[0][0])
    found = np.bincount(kinds[:n_released], weights, len(kinds))
    held = np.bincount(kinds[n_released:], original_weights, len(kinds))
    excess = int(np.maximum(found - held, 0).sum())
    if excess:
        problem = f"{excess} combinations of cells are not in the input, or not so often"
        yield Fault("records", problem, DISMISS)


def _untouched(evidence: CheckedRelease) -> list[str]:
    """List the released columns whose cells stay as they were."""
    spec = evidence.spec
    return [
        name
        for name in evidence.release.columns
        if name in spec.columns
        and name not in spec.class_names
        and name not in spec.protections
        and name not in spec.set_names
        and evidence.before(name) is not None
    ]


def _alike(evidence: CheckedRelease, name: str) -> tuple[pl.Series, pl.Series]:
    """Return a column of the release and of the input as texts that can be compared."""
    before = evidence.before(name)
    assert before is not None  # noqa: S101 - the caller chose it so
    typed, released = evidence.typed[name], evidence.release[name]
    own = _texts(before, evidence.spec.data.missing)
    is_kind = typed.dtype.is_numeric() or typed.dtype.is_temporal()
    if before.dtype.is_float() or before.dtype.is_decimal():
        released = numbers_as_read(released)
    elif (
        before.dtype == pl.String
        and released.filter(released != "").str.contains(AS_A_NUMBER).all()
    ):
        # A text that is not a number, in a record that is left out, made texts of all numbers.
        released, own = numbers_as_read(released), numbers_as_read(own)
    if is_kind and before.dtype not in {typed.dtype, pl.String()}:
        retyped = typed.cast(before.dtype, strict=False)
        is_same = retyped.cast(typed.dtype, strict=False) == typed
        released = text_as_read(retyped).zip_with(is_same.fill_null(value=False), released)
    return _one_text(released, before, evidence.spec.data.missing), own


def _texts(column: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Write a column of the input as a release would."""
    return _one_text(text_as_read(column), column, missing)


def _one_text(texts: pl.Series, column: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Write what is missing, and a zero below zero, in one way.

    Parameters
    ----------
    column : the input's: in one of texts, ``NaN`` is a word like any other
    """
    ways: Mapping[str, str] = dict.fromkeys(missing, "")
    if column.dtype.is_numeric():
        ways = {**ways, "NaN": "", "-0": "0"}
    return texts.replace(ways)


def _as_bounds(column: pl.Series) -> pl.Series:
    """Return numbers in the type that bounds have: a single float as the double that it shows."""
    is_single = column.dtype == pl.Float32
    return column.cast(pl.String).cast(pl.Float64) if is_single else column
