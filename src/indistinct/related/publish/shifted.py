"""Dates of related tables moved by one secret shift per unit, before anything is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.errors import PolicyError
from indistinct.related.links import NONE, Attached
from indistinct.related.policy import RelatedPolicy
from indistinct.related.read_tables import key_texts
from indistinct.tables.frames import Column, Frame, shifted, with_whole_columns
from indistinct.tables.masks import DateShiftProtection
from indistinct.tables.policy import Specification

SECRET_WORDS = 4  # of 64 bits


@dataclass(frozen=True, slots=True)
class ShiftedTables:
    """Tables whose dates were moved.

    Parameters
    ----------
    frames : all tables with people
    attached : where their rows belong; rows at the edges of a column belong nowhere
    """

    frames: Mapping[str, Frame]
    attached: Mapping[str, Attached]

    __repr__ = short_repr


def shifted_tables(
    policy: RelatedPolicy,
    flat: Mapping[str, Specification],
    frames: Mapping[str, Frame],
    attached: Mapping[str, Attached],
    chance: RandomSource,
) -> ShiftedTables:
    """Move the dates of all tables with people.

    Parameters
    ----------
    flat : per table, its policy by itself

    Raises
    ------
    PolicyError
        when columns cannot be shifted so, all of them named
    """
    masks = {name: shifts_of(flat[name], of_people=name == policy.people) for name in attached}
    faults = [
        replace(fault, place=f"tables.{name}.{fault.place}")
        for name, own in masks.items()
        for column, mask in own.items()
        for fault in mask.faults(frames[name][[column]])
    ]
    if faults:
        raise PolicyError(faults)
    secret = chance.apart("secret of the masks").words(SECRET_WORDS).tobytes()
    units = np.array(
        [*key_texts(frames[policy.people], policy.tables[policy.people].key or ""), ""]
    )
    found, places = dict(frames), dict(attached)
    units_above = np.zeros(0, np.int64)
    for name in (policy.people, *policy.row_tables):
        persons: list[str] = units[attached[name].units].tolist()
        kept = np.ones(len(persons), np.bool_)
        moved: list[Column] = []
        for column, mask in masks[name].items():
            own, drawn = frames[name][column], mask.with_secret(secret)
            moved.append(shifted(own, drawn.offsets(persons)))
            kept &= drawn.is_kept(own, moved[-1])
        found[name] = with_whole_columns(frames[name], moved)
        if name != policy.people:
            places[name] = _without(attached[name], units_above, kept)
            units_above = np.concatenate([units_above, places[name].units])
    return ShiftedTables(found, places)


def shifts_of(flat: Specification, *, of_people: bool) -> dict[str, DateShiftProtection]:
    """Return the shifts of a table; dates of people, such as birth, stay at the edges, too."""
    return {
        column: replace(mask, edges="keep") if of_people else mask
        for column, mask in flat.protections.items()
        if isinstance(mask, DateShiftProtection)
    }


def _without(own: Attached, units_above: Ints, kept: Bools) -> Attached:
    """Return where rows belong when some are left out, with those below rows that are gone.

    Parameters
    ----------
    units_above : of the rows of all tables above; -1 for those that are gone
    """
    is_gone = ~kept | (np.append(units_above, 0)[own.parents] < 0)
    return Attached(np.where(is_gone, NONE, own.parents), np.where(is_gone, NONE, own.units))
