"""What the user of a release has to know and no model says: columns lost, classes of one value."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from indistinct.core.arrays import Codes
from indistinct.core.kernels import group_rows
from indistinct.core.recoding import Recoding
from indistinct.core.schema import Role
from indistinct.counting.prepare import Prepared
from indistinct.engines.encoding import encode_written
from indistinct.engines.missing_values import are_missing
from indistinct.metrics import Loss
from indistinct.release.entries import (
    KEEPS_LITTLE,
    MISSING,
    ONE_VALUE,
    WHOLLY_HIDDEN,
    WarningEntry,
)

LITTLE = 0.1
NOTHING = 1e-9


def truths_of(prepared: Prepared, recoding: Recoding, labels: Codes) -> Iterator[WarningEntry]:
    """Return what became of the columns of a release.

    Parameters
    ----------
    prepared : the counted input
    recoding : how its quasi-identifiers are released
    labels : (n_rows,), class of each record of the input
    """
    if prepared.resolved.class_names:
        yield from _kept(recoding, prepared.resolved.class_names)
    released = recoding.released[labels]
    for name in prepared.resolved.named(Role.SENSITIVE):
        if name in prepared.resolved.protections:
            continue
        column = prepared.frame[name]
        gone = are_missing(column, prepared.resolved.data.missing)[released]
        values = encode_written(prepared.frame[name], prepared.resolved.data.missing)
        yield from _of_one_value(name, values.codes[released], labels[released])
        if gone.any():
            share = float(gone.mean())
            message = f"{share:.1%} of the released records have no value of {name} (sensitive)"
            yield WarningEntry(MISSING, (name,), round(share, 6), message)


def _kept(recoding: Recoding, names: tuple[str, ...]) -> Iterator[WarningEntry]:
    """Find the columns that are wholly hidden, and those that keep less than a tenth."""
    losses = Loss((1.0,) * len(names)).column_losses(recoding)
    for name, loss in zip(names, losses.tolist(), strict=True):
        kept = max(0.0, 1.0 - loss)
        if kept <= NOTHING:
            message = f"{name} is wholly hidden: every released cell of it is *"
            yield WarningEntry(WHOLLY_HIDDEN, (name,), 1.0, message)
        elif kept < LITTLE:
            message = f"{name} keeps {kept:.1%} of its information"
            yield WarningEntry(KEEPS_LITTLE, (name,), round(kept, 6), message)


def _of_one_value(name: str, values: Codes, labels: Codes) -> Iterator[WarningEntry]:
    """Count the records in classes in which a sensitive column has one value."""
    if not len(values) or (values == values[0]).all():
        return
    pairs = np.stack([labels, values], axis=1).astype(np.int32)
    kinds, first, _ = group_rows(pairs)
    del kinds
    n_values = np.bincount(labels[first], minlength=int(labels.max()) + 1)
    share = float((n_values[labels] == 1).mean())
    if share > 0:
        message = (
            f"{share:.1%} of the released records are in classes with one value of {name} "
            "(sensitive), so that anybody who finds the class of a person learns this value"
        )
        yield WarningEntry(ONE_VALUE, (name,), round(share, 6), message)
