"""What a release is still good for, measured against the table that it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from indistinct.base.arrays import Codes, Floats
from indistinct.base.files.documents import plain
from indistinct.errors import DataError
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.distances import Distance
from indistinct.tables.core.grouping import counted_numbers
from indistinct.tables.core.recoding import CellDomain, Recoding
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.evaluation.utility.recover import ReadCells, recoding_of
from indistinct.tables.frames.cell_numbers import floats_of, is_numeric
from indistinct.tables.frames.frame import Frame
from indistinct.tables.metrics import (
    CertaintyPenalty,
    EntropyLoss,
    KullbackLeibler,
    Loss,
    MonotoneEntropy,
    MutualInformation,
    Precision,
)
from indistinct.tables.metrics.disclosure import learned_information
from indistinct.tables.metrics.marginals import correlation_difference, total_variation
from indistinct.tables.metrics.sensitive import (
    classification_metric,
    granularity_of_sensitive,
    private_probabilities,
)
from indistinct.tables.release.cells import is_number


@dataclass(frozen=True, slots=True)
class Compared:
    """A release beside its original.

    Parameters
    ----------
    prepared : the original
    released : the released records that are not masked
    read : their cells
    classes : their equivalence classes
    secrets : per sensitive column, (n_original,) and (n_released,), its codes
    tuple_bits : sum over original records of log2(records with the same quasi-identifiers)
    """

    prepared: Prepared
    released: Frame
    read: ReadCells
    classes: EquivalenceClasses
    secrets: Mapping[str, tuple[Codes, Codes]]
    tuple_bits: float

    @property
    def recoding(self) -> Recoding:
        """What the cells show of the recoding; suppressed records are one class of whole cells."""
        return replace(recoding_of(self.read, self.prepared.problem), tuple_bits=self.tuple_bits)

    @property
    def n_hidden(self) -> int:
        """Records that are not released."""
        return self.prepared.problem.table.n_records - self.released.height


@dataclass(frozen=True, slots=True)
class Utility:
    """What a release is still good for, beside its original.

    Parameters
    ----------
    measures : of the whole table
    columns, sensitive : per column, the measures of that column
    asked : what was asked for besides: ``masking``, ``query_error``, ``learning``
    """

    measures: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    columns: Mapping[str, Mapping[str, float]] = field(
        default_factory=dict[str, Mapping[str, float]]
    )
    sensitive: Mapping[str, Mapping[str, float]] = field(
        default_factory=dict[str, Mapping[str, float]]
    )
    asked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    def document(self) -> dict[str, Any]:
        """Return the measures as JSON has them."""
        compared: dict[str, Any] = {}
        if self.measures:
            compared = {**self.measures, "columns": self.columns, "sensitive": self.sensitive}
        return plain({**compared, **self.asked})

    def figures(self) -> dict[str, float]:
        """Return every measure by name: ``gcp`` of the table, ``loss(age)`` of one column."""
        figures = {name: value for name, value in self.measures.items() if value is not None}
        for part in (self.columns, self.sensitive):
            for column, found in part.items():
                figures |= {f"{name}({column})": value for name, value in found.items()}
        return figures


def utility_entry(compared: Compared) -> Utility:
    """Return every measure of utility; columns count alike, whatever their weights."""
    problem, recoding = compared.prepared.problem, compared.recoding
    alike = (1.0,) * problem.table.n_columns
    columns = _columns(compared, recoding)
    lost = MutualInformation(alike).evaluate(recoding)
    entropies = [domain.entropy for domain in recoding.domains]
    n_cells = recoding.n_records * problem.table.n_columns
    entropy = EntropyLoss(alike).evaluate(recoding)
    measures = {
        "precision_kept": 1.0 - Precision(alike).evaluate(recoding),
        "gcp": CertaintyPenalty(alike).evaluate(recoding),
        "entropy_loss": entropy,
        "entropy_loss_per_cell": entropy / n_cells,
        "monotone_entropy_loss": MonotoneEntropy(alike).evaluate(recoding),
        "mutual_bits": max(float(np.mean(entropies)) - lost, 0.0),
        "information_lost": lost,
        "kl_divergence": KullbackLeibler().evaluate(recoding),
        "total_variation": float(np.mean([c["total_variation"] for c in columns.values()])),
        "correlation_difference": _correlations(compared),
    }
    sensitive = {name: _sensitive(compared, name) for name in compared.secrets}
    return Utility(measures, columns, sensitive)


def _columns(compared: Compared, recoding: Recoding) -> dict[str, dict[str, float]]:
    """Measure each quasi-identifier by itself."""
    table = compared.prepared.problem.table
    alike = (1.0,) * table.n_columns
    per_column = {
        "loss": Loss(alike).column_losses(recoding),
        "ncp": CertaintyPenalty(alike).column_losses(recoding),
        "precision_kept": 1.0 - Precision(alike).column_losses(recoding),
        "information_lost": MutualInformation(alike).column_losses(recoding),
    }
    found: dict[str, dict[str, float]] = {}
    for column, name in enumerate(table.columns):
        domain = recoding.domains[column]
        figures = {measure: float(values[column]) for measure, values in per_column.items()}
        figures["mutual_bits"] = max(domain.entropy - figures["information_lost"], 0.0)
        figures["total_variation"] = total_variation(
            domain,
            table.value_weights(column),
            recoding.cell_counts(column, released=True),
            compared.n_hidden,
        )
        found[name] = figures
    return found


def _sensitive(compared: Compared, name: str) -> dict[str, float]:
    """Measure what the release says of a sensitive column."""
    kept, lost = _private_information(compared, name)
    return {
        "classification_metric": classification_metric(compared.classes, name, compared.n_hidden),
        "granularity_of_sensitive": granularity_of_sensitive(
            compared.classes, name, compared.n_hidden
        ),
        "private_mutual_bits": kept,
        "private_information_lost": lost,
        "learned_information": learned_information(compared.classes, name, Distance()),
    }


def _private_information(compared: Compared, name: str) -> tuple[float, float]:
    """Return the information that cells keep about a sensitive column, and lose, per record.

    U = mean of log2(Pr(Y = own | X in cell) / Pr(Y = own)) over records and quasi-identifiers, and
    loss = mean of -log2(Pr(Y = own | X in cell)); a suppressed record's cell is the whole column.

    Raises
    ------
    DataError
        when a released record has a value that no original record under its cell has
    """
    table = compared.prepared.problem.table
    before, after = compared.secrets[name]
    n_values = int(max(before.max(initial=-1), after.max(initial=-1))) + 1
    own = np.bincount(before, minlength=n_values)
    remaining = np.bincount(after, minlength=n_values)
    # Bits of each value in the whole table; a value that it lacks is caught below.
    bits = -np.log2(np.maximum(own, 1) / len(before))
    all_bits, hidden_bits = float(own @ bits), float((own - remaining) @ bits)
    lost = 0.0
    for column, domain in enumerate(compared.read.domains):
        codes = table.codes[compared.prepared.tuple_of_row, column]
        keys = compared.read.rows[:, column].astype(np.int64) * n_values + after
        pairs, counts = counted_numbers(keys, len(domain.labels) * n_values)
        cells, values = (part.astype(np.int32) for part in np.divmod(pairs, n_values))
        shares = private_probabilities(domain, codes, before, cells, values)
        if len(shares) and shares.min() <= 0:
            problem = f'has values of "{name}" that the original does not have under their cells'
            raise DataError(problem, "Compare the release with the table that it was made from.")
        lost += float(counts @ -np.log2(shares)) + hidden_bits
    lost /= max(len(before), 1) * table.n_columns
    return all_bits / max(len(before), 1) - lost, lost


def _correlations(compared: Compared) -> float | None:
    """Compare the correlations of the numeric columns; a cell counts as the middle of its range."""
    prepared = compared.prepared
    frame = prepared.frame
    table = prepared.problem.table
    before: list[Floats] = []
    after: list[Floats] = []
    for name in frame.columns:
        if not is_numeric(frame[name]):
            continue
        if name in table.columns:
            column = table.columns.index(name)
            texts = prepared.problem.hierarchies[column].values
            numbers = np.array([float(t) if is_number(t) else np.nan for t in texts])
            before.append(numbers[table.codes[prepared.tuple_of_row, column]])
            middles = _middles(compared.read.domains[column], numbers)
            after.append(middles[compared.read.rows[:, column]])
        elif name in compared.released.columns:
            before.append(floats_of(frame[name]))
            after.append(floats_of(compared.released[name]))
    if len(before) < 2:  # noqa: PLR2004 - a pair
        return None
    return correlation_difference(np.stack(before, axis=1), np.stack(after, axis=1))


def _middles(domain: CellDomain, numbers: Floats) -> Floats:
    """Return the middle of the numbers that each cell covers: (n_cells,)."""
    coverage = domain.coverage
    by_rank = np.full(int(coverage.ranks.max(initial=-1)) + 1, np.nan)
    by_rank[coverage.ranks] = numbers
    # Pairs of an end and the next start: every other run is a cell's own.
    ends = np.stack([coverage.first, coverage.last + 1], axis=1).ravel()
    known = np.append(by_rank, np.nan)
    low = np.fmin.reduceat(known, ends)[::2]
    high = np.fmax.reduceat(known, ends)[::2]
    return (low + high) / 2
