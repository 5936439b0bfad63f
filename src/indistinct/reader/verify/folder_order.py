"""The order of a release that is divided among folders by the values of a column.

The folders' names show these values, so that the order of the folders shows nothing more. What may
show the order of the input is the order of the rows within each folder.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints


def mixed(values: pl.Series) -> Ints:
    """Give an order in which the rows of all folders are mixed, those of each in their order.

    If the rows of every folder are shuffled, the rows that are mixed in this way are shuffled, too.
    If those of every folder rise, so do all of them, but for what the mixing adds.

    Parameters
    ----------
    values : (n_rows,), the value that each row's folder is named after

    Returns
    -------
    (n_rows,), row numbers; the same for the same values
    """
    folders = values.rank("dense").fill_null(0).to_numpy().astype(np.int64)
    shuffled = np.random.default_rng(0).permutation(folders)
    order = np.empty(len(folders), np.int64)
    order[np.argsort(shuffled, kind="stable")] = np.argsort(folders, kind="stable")
    return order
