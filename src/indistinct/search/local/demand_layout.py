"""Lay out the demands of the models for compiled loops."""

from __future__ import annotations

import numpy as np

from indistinct.core.demands import DISTINCT, MOST_BINS, Demand
from indistinct.core.protocols import Scope
from indistinct.search.local.local_space import LocalSpace, is_sized
from indistinct.search.local.shortfall_kernels import COUNTERS, N_DISTINCT, N_KNOWN, Demands


def priced(space: LocalSpace) -> list[Demand] | None:
    """Return the demands of the models beside those for size; None where one has no price."""
    models = [
        model
        for model in space.problem.models
        if not is_sized(model) and model.scope != Scope.TABLE
    ]
    found = [model.demand(space.problem.table.sensitive) for model in models]
    demands = [demand for demand in found if demand is not None]
    is_narrow = all(one.kind == DISTINCT or one.n_bins <= MOST_BINS for one in demands)
    is_known = all(one.column in space.values for one in demands)
    return demands if len(demands) == len(found) and is_narrow and is_known else None


def demands_of(space: LocalSpace) -> Demands:
    """Lay out the demands one after the other; none where some model has no price."""
    demands = [] if space.sized else priced(space) or []
    n_bins = [COUNTERS + demand.n_bins for demand in demands]
    starts = np.concatenate([[0], np.cumsum(n_bins)]).astype(np.int64)
    places: list[np.ndarray] = []
    distinct: list[int] = []
    laid = {name: np.zeros(int(starts[-1])) for name in ("weights", "lowest", "greatest")}
    for demand, start, end in zip(demands, starts[:-1], starts[1:], strict=True):
        values = space.values[demand.column]
        bins = demand.places[:, values]
        first = int(start) + COUNTERS
        places += [np.where(row < 0, -1, row + first) for row in bins]
        distinct += [
            int(start) + N_DISTINCT if demand.kind == DISTINCT and not row else -1
            for row in range(len(bins))
        ]
        places.append(np.where(bins[0] < 0, -1, int(start) + N_KNOWN))
        distinct.append(-1)
        for name, numbers in laid.items():
            given = getattr(demand, name)
            numbers[first:end][: len(given)] = given[: end - first]
    return Demands(
        np.ascontiguousarray(np.array(places, np.int32).reshape(len(places), space.n_items).T),
        np.array(distinct, np.int32),
        np.array([demand.kind for demand in demands], np.int32),
        np.array([demand.bound for demand in demands], np.float64),
        np.array([demand.rank for demand in demands], np.int32),
        np.array([demand.carry for demand in demands], np.float64),
        starts,
        laid["weights"],
        laid["lowest"],
        laid["greatest"],
    )
