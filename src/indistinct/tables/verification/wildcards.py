"""Count compatible records where a star stands for any value: a reader's definition.

Two records are compatible when, in every column, their cells are equal or one of them is a star.
Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indistinct.tables.core.compatible import count_compatible
from indistinct.tables.frames.frame import Frame
from indistinct.tables.verification.order_traces import numbered
from indistinct.tables.verification.texts import HIDDEN


def group_sizes(rows: Frame, weights: Sequence[int]) -> list[int]:
    """Count the records that are compatible with each distinct row, its own included.

    Parameters
    ----------
    rows : texts, all different
    weights : records of each row
    """
    if rows.height == 0:
        return []
    codes = np.column_stack([numbered(rows[name]).codes for name in rows.columns])
    hidden = np.column_stack([(rows[name] == HIDDEN).to_numpy() for name in rows.columns])
    return count_compatible(codes, hidden, np.array(weights, np.int64)).tolist()
