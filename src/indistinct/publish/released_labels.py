"""Which labels of a statistics file go with a release."""

from __future__ import annotations

from typing import Any

from indistinct.engines.statistical import Labels
from indistinct.policy.resolved import Resolved


def released_labels(labels: Labels | None, resolved: Resolved, frame: Any) -> Labels | None:
    """Return the labels of the released columns, and of the values that their cells show.

    Parameters
    ----------
    labels : of the input; None where it has none
    frame : the released records, as Polars has them

    Notes
    -----
    Where a protection changed the numbers of a column, or a number is the middle of an interval,
    equal numbers no longer mean the same, and the labels of its values are left out.
    """
    if labels is None:
        return None
    changed = set(resolved.protections) | set(resolved.set_names)
    if resolved.release.intervals == "midpoint":
        changed |= set(resolved.class_names)
    kept = {name: own for name, own in labels.values.items() if name not in changed}
    return Labels(labels.columns, kept).shown_in(frame)
