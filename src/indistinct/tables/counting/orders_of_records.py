"""The order of the released rows: canonical, so that it tells nothing that the cells do not tell.

What the cells do not decide is secret: which of several records with equal quasi-identifiers goes
to which class.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.recoding import Recoding, inverse
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.engines.tallies import without
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.row_ranks import canonical_order, canonical_ranks
from indistinct.tables.frames.tuples import classes_of_rows, divides_tuples


def quasi_identifier_columns(class_names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a release by which it is sorted first, bounds included."""
    return (*class_names, *(f"{name}_{end}" for name in class_names for end in ("min", "max")))


def in_canonical_order(frame: Frame, rows: Ints, class_names: Sequence[str]) -> tuple[Frame, Ints]:
    """Sort a release.

    Parameters
    ----------
    rows : (n_rows,), what goes with each row, such as its number in the input
    """
    order = canonical_order(frame, quasi_identifier_columns(class_names))
    return frame[order], rows[order]


def secret_order(
    frame: Frame, class_names: Sequence[str], left_out: Sequence[str], chance: RandomSource
) -> Ints:
    """Draw an order of records that depends on what may be released of them, and on nothing else.

    Parameters
    ----------
    frame : the records
    chance : secure, or seeded; a seed gives one order of the same records in any order

    Returns
    -------
    (n_rows,), numbers of the records
    """
    order = chance.permutation(frame.height)
    kept = without(frame, left_out)
    if chance.seed is None or not kept.columns:
        return order
    return canonical_order(kept, class_names)[order]


def classes_of_records(recoding: Recoding, prepared: Prepared, chance: RandomSource) -> Codes:
    """Return the class of each record; which of equal records goes where is secret: (n_rows,)."""
    if not divides_tuples(recoding):
        return classes_of_rows(recoding, prepared.tuple_of_row)
    order = secret_order(
        prepared.frame,
        prepared.spec.class_names,
        prepared.spec.left_out,
        chance.apart("which of equal records"),
    )
    classes = classes_of_rows(recoding, prepared.tuple_of_row[order])
    return classes[inverse(order)].astype(np.int32)


def numbers_of_groups(
    frame: Frame, groups: Ints, values: Sequence[Sequence[int]], class_names: Sequence[str]
) -> Ints:
    """Return numbers to groups by the rows that come first in canonical order.

    Parameters
    ----------
    frame : the rows, without the numbers of their groups
    groups : (n_rows,), group of each row
    values : per group, the places of its sensitive values in their order

    Returns
    -------
    (n_groups,), a number for each; groups that differ in nothing have any order
    """
    ranks = canonical_ranks(frame, quasi_identifier_columns(class_names))
    members: list[list[int]] = [[] for _ in values]
    for row in np.lexsort((ranks, groups)).tolist():
        members[groups[row]].append(int(ranks[row]))
    keys = [(own, sorted(listed)) for own, listed in zip(members, values, strict=True)]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    among_equals = inverse(np.array(order, np.int64))
    in_order = groups[np.lexsort((among_equals[groups], ranks))]
    found = list(dict.fromkeys([*in_order.tolist(), *order]))
    return inverse(np.array(found, np.int64)).astype(np.int64)
