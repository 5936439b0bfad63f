"""The order of a release: secret, and told by none of its columns."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.randomness import RandomSource
from indistinct.counting.table_faults import numbers_the_records
from indistinct.engines.frames import Frame
from indistinct.engines.rebuild import rebuilt
from indistinct.engines.row_order import columns_in_order, follows_by_chance, follows_the_rows
from indistinct.errors import PolicyError
from indistinct.policy.policy import Policy

MOST_ORDERS = 20  # that are drawn; of ten rows, one order in a thousand is drawn again


def in_no_order(frame: Frame, rows: Ints, source: RandomSource) -> tuple[Frame, Ints]:
    """Draw the order again where a column of a small release happens to rise or fall with it.

    Verification could not tell that from an order that somebody chose.

    Parameters
    ----------
    frame : in an order that chance drew
    rows : (n_rows,), what goes with each row, such as its number in the input
    source : of further orders
    """
    for attempt in range(MOST_ORDERS):
        if not follows_by_chance(frame):
            break
        order = source.apart(f"order {attempt}").permutation(len(rows))
        frame, rows = rebuilt(frame[order]), rows[order]
    return frame, rows


def refuse_order_of_input(frame: Frame, rows: Ints, source: Frame, policy: Policy) -> None:
    """Refuse a release with a column that tells which row of the input each of its records was.

    Parameters
    ----------
    rows : row of the input of each row of ``frame``, -1 for a record that has none
    source : the input, before any column was protected

    Raises
    ------
    PolicyError
        when there is such a column

    Notes
    -----
    What protects a column may bring its values into the order of a small input by chance. Nothing
    of that order is told then, unless the values were in it before.
    """
    order = np.argsort(rows, kind="stable")
    order = order[rows[order] >= 0]
    faults = [
        numbers_the_records(name)
        for name in columns_in_order(frame, order)
        if name not in policy.protections or follows_the_rows(source[name])
    ]
    if faults:
        raise PolicyError(faults)
