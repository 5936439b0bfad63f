"""Masks that draw for each record what all members of a household have in common.

A release shows who belongs to one household. The mean over its members, or what most of them have,
then undoes the mask.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from indistinct.base.cells.shares import FEW
from indistinct.errors import Fault
from indistinct.tables.frames.encoding import value_codes
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.policy.specification import Specification


def household_mask_faults(frame: Frame, spec: Specification) -> Iterator[Fault]:
    """Find masked columns of which the members of a household have one value."""
    name = spec.data.household
    if name is None:
        return
    for column, mask in spec.protections.items():
        if mask.draws_for_each_record and _is_of_households(frame[column], frame[name]):
            yield Fault(
                f"columns.{column}.protect",
                "draws another cell for each member of a household, and they have one value in the "
                "input, which their cells together give back",
                'Give the column a hierarchy and level = "household" in place of the mask, or '
                'leave it out: role = "identifier".',
                code="one-value-in-household",
                columns=(column,),
            )


def _is_of_households(values: Column, households: Column) -> bool:
    """Return whether households of several members with a value have one, but for few."""
    known, codes = value_codes(values)
    owners = value_codes(households)[1]
    is_known = codes < len(known)
    order = np.lexsort((codes[is_known], owners[is_known]))
    codes, owners = codes[is_known][order], owners[is_known][order]
    first = np.flatnonzero(np.diff(owners, prepend=-1))
    last = np.append(first[1:], len(owners)) - 1
    several = int((last > first).sum())
    n_odd = int((codes[first] != codes[last]).sum())
    return len(known) > 1 and several > 0 and n_odd <= FEW * several
