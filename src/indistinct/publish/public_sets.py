"""What a public manifest says of a column of sets."""

from __future__ import annotations

from dataclasses import replace

from indistinct.publish.released_loss import roughly
from indistinct.release.set_entry import SetEntry


def public_set_entry(exact: SetEntry, n_records: int) -> SetEntry:
    """Round what items that were left out have a part in, and name none of them.

    The number of labels and the empty cells follow from the file.
    """
    step = 1 / max(n_records, 1)

    def rounded(share: float) -> float:
        return roughly(share, step)

    return replace(
        exact,
        occurrences=int(roughly(float(exact.occurrences or 0), 0.0)),
        generalized=rounded(exact.generalized),
        deleted=rounded(exact.deleted),
        loss=rounded(exact.loss),
        left_out_items=None,
        lower_bound=None if exact.lower_bound is None else rounded(exact.lower_bound),
    )
