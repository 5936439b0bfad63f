"""Lay out the demands of the models for compiled loops."""

from __future__ import annotations

import numpy as np

from indistinct.tables.core.penalties import DISTINCT, MOST_BINS, Penalty
from indistinct.tables.core.protocols import PrivacyModel, Scope, is_sized
from indistinct.tables.search.local.local_space import LocalSpace
from indistinct.tables.search.local.violation_kernels import (
    COUNTERS,
    N_DISTINCT,
    N_KNOWN,
    Penalties,
)


def has_price(space: LocalSpace) -> bool:
    """Return whether every model beside those for size has a price."""
    return all(_penalty(space, model) is not None for model in _models_beyond_size(space))


def priced(space: LocalSpace) -> list[Penalty]:
    """Return the demands of the models that have a price."""
    found = [_penalty(space, model) for model in _models_beyond_size(space)]
    return [penalty for penalty in found if penalty is not None]


def _models_beyond_size(space: LocalSpace) -> list[PrivacyModel]:
    """Return the models that ask a class for more than its size."""
    return [
        model
        for model in space.problem.models
        if not is_sized(model) and model.scope != Scope.TABLE
    ]


def _penalty(space: LocalSpace, model: PrivacyModel) -> Penalty | None:
    """Return what a model demands, if that has a price."""
    found = model.penalty(space.problem.table.sensitive)
    if found is None or found.column not in space.values:
        return None
    return found if found.kind == DISTINCT or found.n_bins <= MOST_BINS else None


def penalties_of(space: LocalSpace) -> Penalties:
    """Lay out the demands that have a price one after the other."""
    penalties = [] if space.sized else priced(space)
    n_bins = [COUNTERS + penalty.n_bins for penalty in penalties]
    starts = np.concatenate([[0], np.cumsum(n_bins)]).astype(np.int64)
    places: list[np.ndarray] = []
    distinct: list[int] = []
    laid = {name: np.zeros(int(starts[-1])) for name in ("weights", "lowest", "greatest")}
    for penalty, start, end in zip(penalties, starts[:-1], starts[1:], strict=True):
        values = space.values[penalty.column]
        bins = penalty.places[:, values]
        first = int(start) + COUNTERS
        places += [np.where(row < 0, -1, row + first) for row in bins]
        distinct += [
            int(start) + N_DISTINCT if penalty.kind == DISTINCT and not row else -1
            for row in range(len(bins))
        ]
        places.append(np.where(bins[0] < 0, -1, int(start) + N_KNOWN))
        distinct.append(-1)
        for name, numbers in laid.items():
            given = getattr(penalty, name)
            numbers[first:end][: len(given)] = given[: end - first]
    return Penalties(
        np.ascontiguousarray(np.array(places, np.int32).reshape(len(places), space.n_items).T),
        np.array(distinct, np.int32),
        np.array([penalty.kind for penalty in penalties], np.int32),
        np.array([penalty.bound for penalty in penalties], np.float64),
        np.array([penalty.rank for penalty in penalties], np.int32),
        np.array([penalty.carry for penalty in penalties], np.float64),
        starts,
        laid["weights"],
        laid["lowest"],
        laid["greatest"],
    )
