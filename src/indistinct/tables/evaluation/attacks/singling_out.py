"""Singling out: a description that fits one released record, and one person only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.advantage import Advantage
from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.parameters import parameter
from indistinct.base.success import SuccessRate
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, Attack, Outcome
from indistinct.tables.evaluation.attacks.known import KnownColumn
from indistinct.tables.evaluation.attacks.matching import joined
from indistinct.tables.evaluation.attacks.scenario import CONTROL, ORIGINAL, AttackScenario
from indistinct.tables.evaluation.attacks.singled_shares import Count, singled_shares
from indistinct.tables.evaluation.attacks.singling_out_kernels import (
    AT_LEAST,
    AT_MOST,
    IN_CELL,
    Predicates,
    count_described,
)

TRIES, BATCH = 25, 500
POINTS = 10
MOST_COUNTED = 1_000_000_000


@final
@dataclass(frozen=True, slots=True)
class Ground:
    """The columns as the counting loops take them.

    Parameters
    ----------
    columns : what is known
    plain : numbers of the released records per column whose cells are all plain numbers
    """

    columns: tuple[KnownColumn, ...]
    plain: tuple[Floats | None, ...]

    def records(self, predicates: Predicates, enough: int) -> Ints:
        """Count the released records that each predicate describes."""
        codes = np.stack([column.cells for column in self.columns])
        numbers = [np.full(codes.shape[1], np.nan) if n is None else n for n in self.plain]
        return self._count(predicates, codes, numbers, enough, released=True)

    def people(
        self, predicates: Predicates, table: str, enough: int, rows: Ints | None = None
    ) -> Ints:
        """Count the people of a table, or of some rows of it, that each predicate describes."""
        among = slice(None) if rows is None else rows
        codes = np.stack([column.people[table][among] for column in self.columns])
        numbers = [
            np.full(codes.shape[1], np.nan) if column.numbers is None else column.numbers[own]
            for column, own in zip(self.columns, codes, strict=True)
        ]
        return self._count(predicates, codes, numbers, enough, released=False)

    def _count(
        self,
        predicates: Predicates,
        codes: Codes,
        numbers: Sequence[Floats],
        enough: int,
        *,
        released: bool,
    ) -> Ints:
        """Run the counting loop."""
        in_order = Predicates._make(map(np.ascontiguousarray, predicates))
        return count_described(
            in_order, codes, np.stack(numbers), joined(self.columns), released, enough
        )


@final
@dataclass(frozen=True, slots=True)
class SinglingOutUnivariate(Attack):
    """Describe a person by one rare or extreme released cell.

    Predicates: a cell that one record has, the least and the greatest number where one record has
    it. An attempt succeeds when exactly one person of the original fits.

    Source: giomi2023, singling out (univariate).
    """

    attempts: int = parameter(**ATTEMPTS)

    name: ClassVar[str] = "singling-out-univariate"
    needs_original: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        ground = _ground(scenario)
        rare = _rare(ground).without_repeats()
        rare = rare.chosen(scenario.chance.permutation(rare.number))
        kept = rare.chosen(slice(0))
        for start in range(0, rare.number, self.attempts):
            tried = rare.chosen(slice(start, start + self.attempts))
            kept = _together(kept, tried.chosen(ground.records(tried, 2) == 1))
            if kept.number >= self.attempts:
                break
        kept = kept.chosen(slice(self.attempts))
        naive = _naive(ground, scenario.chance, kept.number, 1)
        return [_outcome(scenario, ground, self.name, kept, naive)]


@final
@dataclass(frozen=True, slots=True)
class SinglingOutMultivariate(Attack):
    """Describe a person by some released cells of one record.

    Conditions are made of random columns of a random record: a plain number gives "at least" where
    it is above the column's median and "at most" else, any other cell gives "in this cell".
    Descriptions that fit more than one released record are dropped. An attempt succeeds when
    exactly one person of the original fits.

    Source: giomi2023, singling out (multivariate).
    """

    attempts: int = parameter(**ATTEMPTS)
    predicate_columns: int = parameter(
        int, at_least=1, default=3, help="columns of a multivariate predicate"
    )

    name: ClassVar[str] = "singling-out-multivariate"
    needs_original: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        ground = _ground(scenario)
        width = min(self.predicate_columns, len(ground.columns))
        kept = _described(ground, scenario.chance, 0, width)
        for _ in range(math.ceil(TRIES * self.attempts / BATCH)):
            tried = _described(ground, scenario.chance, BATCH, width)
            tried = tried.chosen(ground.records(tried, 2) == 1)
            kept = _together(kept, tried).without_repeats()
            if kept.number >= self.attempts:
                break
        chosen = kept.chosen(scenario.chance.permutation(kept.number)[: self.attempts])
        naive = _naive(ground, scenario.chance, chosen.number, width)
        return [_outcome(scenario, ground, self.name, chosen, naive)]


def size_correction(counts: Ints, n_control: int, n_original: int) -> float:
    """Return how many times more predicates would single out somebody in a table of another size.

    Parameters
    ----------
    counts : (n_predicates,), people of the control group that each predicate describes
    n_control, n_original : people of the control group and of the original

    Returns
    -------
    factor, 1 where no predicate singles anybody out

    Notes
    -----
    In a smaller table, drawn from the control group, a predicate that describes c of its n people
    singles one out with a hypergeometric chance. To a larger table the chance is extrapolated by
    the expected number n w (1 - w)^(n - 1) for predicates of weights w spread evenly up to some
    greatest weight, fitted to the smaller ones.

    Source: giomi2023, control group of another size; the exact curve is ours.
    """
    if n_control == n_original or not (counts == 1).any():
        return 1.0
    whole = _singled(counts, n_control, n_control)
    if n_original < n_control:
        return _singled(counts, n_control, n_original) / whole
    sizes = np.unique(np.linspace(max(1, n_control // POINTS), n_control, POINTS).astype(int))
    curve = np.array([_singled(counts, n_control, int(size)) for size in sizes])
    greatest = _fitted_weight(sizes.astype(np.float64), curve)
    grown = weight_integral(np.array([float(n_original), float(n_control)]), 0.0, greatest)
    return float(grown[0] / grown[1])


def weight_integral(sizes: Floats, low: float, high: float) -> Floats:
    """Integrate n w (1 - w)^(n - 1) over the weights from ``low`` to ``high``.

    Parameters
    ----------
    sizes : (n,), people of a table, at least 1
    low, high : 0 <= low <= high <= 1

    Source: giomi2023, control group of another size.
    """

    def left(weight: float) -> Floats:
        return (sizes * weight + 1.0) * (1.0 - weight) ** sizes

    return (left(low) - left(high)) / (sizes + 1.0)


def _fitted_weight(sizes: Floats, curve: Floats) -> float:
    """Find the greatest weight whose curve, scaled, is nearest to the measured one."""
    weights = np.exp(np.linspace(math.log(1e-3 / sizes[-1]), 0.0, 400))
    errors: list[float] = []
    for weight in weights.tolist():
        model = weight_integral(sizes, 0.0, weight)
        scale = float(model @ curve) / max(float(model @ model), 1e-300)
        errors.append(float(np.square(scale * model - curve).sum()))
    return float(weights[int(np.argmin(errors))])


def _singled(counts: Ints, n_people: int, n_drawn: int) -> float:
    """Expect the number of predicates that describe exactly one of the people drawn.

    c C(n - c, m - 1) / C(n, m) for m drawn of n people, of whom c fit.
    """
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n_people + 1)))])
    fits = counts[(counts >= 1) & (counts <= n_people - n_drawn + 1)]
    left = n_people - fits
    chances = (
        np.log(fits)
        + (logs[left] - logs[n_drawn - 1] - logs[left - n_drawn + 1])
        - (logs[n_people] - logs[n_drawn] - logs[n_people - n_drawn])
    )
    return float(np.exp(chances).sum())


def _ground(scenario: AttackScenario) -> Ground:
    """Encode the columns that predicates may be about."""
    roles = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE)
    columns = tuple(scenario.columns(scenario.common(ORIGINAL, *roles)))
    plain = tuple(
        column.lows[column.cells] if column.is_plain and column.lows is not None else None
        for column in columns
    )
    return Ground(columns, plain)


def _outcome(
    scenario: AttackScenario, ground: Ground, name: str, predicates: Predicates, naive: Predicates
) -> Outcome:
    """Count the predicates that describe exactly one person."""
    hits = ground.people(predicates, ORIGINAL, 2) == 1
    blind = ground.people(naive, ORIGINAL, 2) == 1
    columns = [column.name for column in ground.columns]
    return Outcome(
        name,
        scenario.rate(float(hits.sum()), predicates.number),
        control=_control(scenario, ground, predicates),
        baseline=scenario.rate(float(blind.sum()), naive.number),
        details={"columns": columns},
        compared=_compared(scenario, ground, predicates),
        uncontrolled=scenario.uncontrolled(columns),
    )


def _compared(scenario: AttackScenario, ground: Ground, predicates: Predicates) -> Advantage | None:
    """Compare the predicates' success on equally many people of the original and outside."""
    if not scenario.has(CONTROL) or any(CONTROL not in c.people for c in ground.columns):
        return None
    heights = {name: scenario.people[name].height for name in (ORIGINAL, CONTROL)}

    def counted(name: str) -> Count:
        order = scenario.chance.permutation(heights[name])
        return lambda rows, enough: ground.people(predicates, name, enough, order[rows])

    fewest = min(heights.values())
    return singled_shares(counted(ORIGINAL), counted(CONTROL), fewest, scenario.plan.confidence)


def _control(
    scenario: AttackScenario, ground: Ground, predicates: Predicates
) -> SuccessRate | None:
    """Count the predicates that describe exactly one of the people who are not in the release."""
    if not scenario.has(CONTROL) or any(CONTROL not in c.people for c in ground.columns):
        return None
    n_control, n_original = (scenario.people[name].height for name in (CONTROL, ORIGINAL))
    enough = 2 if n_control == n_original else MOST_COUNTED
    counts = ground.people(predicates, CONTROL, enough)
    corrected = float((counts == 1).sum()) * size_correction(counts, n_control, n_original)
    return scenario.rate(min(corrected, predicates.number), predicates.number)


def _rare(ground: Ground) -> Predicates:
    """Describe every cell that one record has, and every single extreme number."""
    conditions: list[tuple[int, int, int, float]] = []
    for index, (column, plain) in enumerate(zip(ground.columns, ground.plain, strict=True)):
        times = np.bincount(column.cells, minlength=len(column.book.texts))
        conditions += [(index, IN_CELL, int(cell), 0.0) for cell in np.flatnonzero(times == 1)]
        if plain is None or np.isnan(plain).all():
            continue
        conditions += [
            (index, AT_MOST, 0, float(np.nanmin(plain))),
            (index, AT_LEAST, 0, float(np.nanmax(plain))),
        ]
    return _predicates([[condition] for condition in conditions], 1)


def _predicates(rows: Sequence[Sequence[tuple[int, int, int, float]]], width: int) -> Predicates:
    """Return conditions as arrays."""
    table = np.array(rows, np.float64).reshape(len(rows), width, 4)
    whole = table[:, :, :3].astype(np.int32)
    return Predicates(whole[:, :, 0], whole[:, :, 1], whole[:, :, 2], table[:, :, 3].copy())


def _described(ground: Ground, chance: np.random.Generator, count: int, width: int) -> Predicates:
    """Describe random records by random columns."""
    n_columns, n_records = len(ground.columns), len(ground.columns[0].cells)
    if n_records == 0:
        count = 0
    columns = np.argsort(chance.random((count, n_columns)), axis=1)[:, :width].astype(np.int32)
    records = chance.integers(0, max(n_records, 1), count)
    kinds, cells = np.zeros_like(columns), np.zeros_like(columns)
    bounds = np.zeros(columns.shape)
    for index, (column, plain) in enumerate(zip(ground.columns, ground.plain, strict=True)):
        row, place = np.nonzero(columns == index)
        cells[row, place] = column.cells[records[row]]
        if plain is None or np.isnan(plain).all():
            continue
        values, median = plain[records[row]], np.nanmedian(plain)
        kind = np.where(values > median, AT_LEAST, AT_MOST)
        kinds[row, place] = np.where(np.isnan(values), IN_CELL, kind)
        bounds[row, place] = np.nan_to_num(values)
    cells[kinds != IN_CELL] = 0
    return Predicates(columns, kinds, cells, bounds)


def _naive(ground: Ground, chance: np.random.Generator, count: int, width: int) -> Predicates:
    """Describe nobody in particular: random columns, cells, directions and bounds."""
    n_columns = len(ground.columns)
    columns = np.argsort(chance.random((count, n_columns)), axis=1)[:, :width].astype(np.int32)
    kinds, cells = np.zeros_like(columns), np.zeros_like(columns)
    bounds = np.zeros(columns.shape)
    for index, (column, plain) in enumerate(zip(ground.columns, ground.plain, strict=True)):
        row, place = np.nonzero(columns == index)
        drawn = chance.integers(0, len(column.book.texts), len(row))
        cells[row, place] = drawn
        if plain is None or column.lows is None or np.isnan(plain).all():
            continue
        values = column.lows[drawn]
        kind = chance.integers(AT_LEAST, AT_MOST + 1, len(row))
        kinds[row, place] = np.where(np.isnan(values), IN_CELL, kind)
        bounds[row, place] = np.nan_to_num(values)
    return Predicates(columns, kinds, cells, bounds)


def _together(first: Predicates, second: Predicates) -> Predicates:
    """Return two lists of predicates as one."""
    return Predicates._make(map(np.vstack, zip(first, second, strict=True)))
