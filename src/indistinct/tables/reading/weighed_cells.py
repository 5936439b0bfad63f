"""The different cells of a column by which its writing is found."""

from __future__ import annotations

import polars as pl

from indistinct.base.cells.shares import MOST_WEIGHED


def weighed(texts: pl.Series, records: pl.Series) -> dict[str, int]:
    """Return different cells with their records; of very many, some at equal distances.

    Parameters
    ----------
    texts, records : (n_distinct,), none missing
    """
    step = max(1, -(-len(texts) // MOST_WEIGHED))
    some, counts = texts.gather_every(step), records.gather_every(step)
    return dict(zip(some.to_list(), counts.to_list(), strict=True))
