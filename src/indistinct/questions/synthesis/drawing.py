"""Draw records from a model: as many of each value as the model says, within one record."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.questions.synthesis.model import Model
from indistinct.questions.synthesis.tree import order


def draw(model: Model, n_records: int, source: RandomSource) -> tuple[Ints, Ints]:
    """Draw records of joined codes' own codes.

    Parameters
    ----------
    n_records : at least 1
    source : the order of the records and the rounding of counts come from it

    Returns
    -------
    codes : shape (records, columns)
    focus : shape (records,); zeros without a focus

    Notes
    -----
    Source: mckenna2021, section 3.3: rounding in place of independent draws, so that a count
    differs from the model's by less than 1.
    """
    focus = _spread(model.totals, n_records, source.apart("focus"))
    joined = np.zeros((n_records, len(model.attributes)), np.int64)
    for column, parent in order(model.links, len(model.attributes)):
        own = source.apart(f"column {column}")
        if parent is None:
            cells, shares = focus, _or_even(model.nodes[column].T, model.rules.singles[column].T)
        else:
            n_parent = model.joined[parent].n_groups
            cells = focus * n_parent + joined[:, parent]
            shares = _given(model, column, parent)
        joined[:, column] = _within(cells, shares, own)
    codes = np.stack(
        [
            _divided(model, c, joined[:, c], source.apart(f"codes {c}"))
            for c in range(joined.shape[1])
        ],
        axis=1,
    )
    mixed = source.apart("order").permutation(n_records)
    return codes[mixed], focus[mixed]


def _given(model: Model, column: int, parent: int) -> Floats:
    """Return a column's counts per focus and value of its parent, shape (focus * parent, own)."""
    link = (parent, column) if (parent, column) in model.edges else (column, parent)
    table = model.edges[link]
    allowed = model.rules.table(link)
    if link[0] != parent:
        table, allowed = table.swapaxes(0, 1), allowed.swapaxes(0, 1)
    own = table.shape[1]
    counts = table.transpose(2, 0, 1).reshape(-1, own)
    return _or_even(counts, allowed.transpose(2, 0, 1).reshape(-1, own))


def _or_even(counts: Floats, allowed: Bools) -> Floats:
    """Where nothing is known of a row, give its allowed cells the same share."""
    return np.where(counts.sum(axis=1, keepdims=True) > 0, counts, allowed)


def _within(cells: Ints, shares: Floats, source: RandomSource) -> Ints:
    """Return every record a value, so that each cell's records follow the cell's shares."""
    found = np.empty(len(cells), np.int64)
    records = np.argsort(cells, kind="stable")
    starts = np.searchsorted(cells[records], np.arange(len(shares) + 1))
    for cell in np.unique(cells):
        members = records[starts[cell] : starts[cell + 1]]
        found[members] = _spread(shares[cell], len(members), source.apart(f"cell {cell}"))
    return found


def _divided(model: Model, column: int, joined: Ints, source: RandomSource) -> Ints:
    """Undo the joining: a joined code's records get its codes by their projected counts."""
    groups = model.joined[column]
    shares = np.zeros((groups.n_groups, len(groups.groups)))
    shares[groups.groups, np.arange(len(groups.groups))] = model.fine[column]
    empty = shares.sum(axis=1) <= 0
    # Nothing is known of the parts of such a code: they get the same share.
    shares[empty] = groups.groups == np.flatnonzero(empty)[:, np.newaxis]
    return _within(joined, shares, source)


def _spread(shares: Floats, n_records: int, source: RandomSource) -> Ints:
    """Return values to records: floor(n p) of each for certain, the rest by the fractional parts.

    The rest is drawn systematically, in a random order of the values, so each value gets one more
    with a chance of exactly its fractional part, and never two.
    """
    total = shares.sum()
    even = np.full(len(shares), 1.0 / len(shares))
    expected = n_records * (shares / total if total > 0 else even)
    certain = np.floor(expected + 1e-9).astype(np.int64)
    rest = n_records - int(certain.sum())
    if rest > 0:
        certain += _systematic(np.maximum(expected - certain, 0.0), rest, source.apart("rest"))
    values = np.repeat(np.arange(len(shares)), certain)
    return values[source.apart("places").permutation(len(values))]


def _systematic(fractions: Floats, count: int, source: RandomSource) -> Ints:
    """Draw ``count`` different values whose chances are the fractions, which add up to it."""
    mixed = source.permutation(len(fractions))
    ends = np.cumsum(fractions[mixed])
    start = float(source.shifted().words(1)[0] >> np.uint64(11)) / 2**53
    places: Floats = np.arange(count, dtype=np.float64)
    marks: Floats = (start + places) * (float(ends[-1]) / count)
    taken = np.zeros(len(fractions), np.int64)
    # A mark that rounding puts at the very end belongs to the last value that has a chance.
    last = int(np.flatnonzero(fractions[mixed] > 0)[-1])
    np.add.at(taken, mixed[np.minimum(np.searchsorted(ends, marks, side="right"), last)], 1)
    return taken
