"""Compiled evaluation of a relaxed problem: every group decides for itself at given prices."""

from __future__ import annotations

from typing import NamedTuple

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.compiling import compiled, compiled_part


class Choice(NamedTuple):
    """What the groups choose, and what they chose before.

    Parameters
    ----------
    covered : (n_items,), records of each item that the open groups take, all groups together
    often : (n_groups,), mean of how often each was open, the last times counting most
    taken : (n_members,), records of each member taken since they are noted
    dearest : (least,), in use: prices of the records that fill a group up, in descending order
    places : (least,), in use: where these stand among the members of all groups
    """

    covered: Ints
    often: Floats
    taken: Floats
    dearest: Floats
    places: Ints


class PricedGroups(NamedTuple):
    """Groups to choose from.

    Parameters
    ----------
    starts, members, losses : as in ``NearGroups``
    weights : (n_items,), records of each item
    least : records that an open group takes at least
    """

    starts: Ints
    members: Codes
    losses: Floats
    weights: Ints
    least: int


@compiled
def choose(pool: PricedGroups, prices: Floats, share: float, notes: bool, choice: Choice) -> float:
    """Open every group that is paid more than it costs; give the sum of costs less prices.

    A group takes the records priced above its loss, and if these are fewer than ``least``, the
    dearest others besides.

    Parameters
    ----------
    prices : (n_items,), of a record of each item
    share : of this time in the mean of how often a group was open
    notes : whether the records taken are noted
    """
    total = 0.0
    for item in range(len(prices)):
        choice.covered[item] = 0
    for group in range(len(pool.losses)):
        loss, value, size = pool.losses[group], 0.0, 0
        for place in range(pool.starts[group], pool.starts[group + 1]):
            item = pool.members[place]
            if prices[item] > loss:
                value += pool.weights[item] * (loss - prices[item])
                size += pool.weights[item]
        choice.often[group] *= 1.0 - share
        if value >= 0.0:
            continue
        lacking = max(pool.least - int(size), 0)
        if lacking > 0:
            if find_dearest(pool, prices, group, lacking, choice) < lacking:
                continue
            for rank in range(lacking):
                value += loss - choice.dearest[rank]
            if value >= 0.0:
                continue
        total += value
        choice.often[group] += share
        take_records(pool, prices, group, lacking, notes, choice)
    return total


@compiled_part
def find_dearest(
    pool: PricedGroups, prices: Floats, group: int, lacking: int, choice: Choice
) -> int:
    """Find the dearest records that a group is not paid for by themselves; give how many.

    Parameters
    ----------
    lacking : how many are looked for
    """
    loss, found = pool.losses[group], 0
    for place in range(pool.starts[group], pool.starts[group + 1]):
        price = prices[pool.members[place]]
        if price > loss:
            continue
        for _ in range(min(pool.weights[pool.members[place]], lacking)):
            if found == lacking and price <= choice.dearest[lacking - 1]:
                break
            found = min(found + 1, lacking)
            rank = found - 1
            while rank > 0 and choice.dearest[rank - 1] < price:
                choice.dearest[rank] = choice.dearest[rank - 1]
                choice.places[rank] = choice.places[rank - 1]
                rank -= 1
            choice.dearest[rank] = price
            choice.places[rank] = place
    return found


@compiled_part
def take_records(
    pool: PricedGroups,
    prices: Floats,
    group: int,
    lacking: int,
    notes: bool,
    choice: Choice,
) -> None:
    """Count the records that an open group takes: the dear ones, and those that fill it up."""
    for place in range(pool.starts[group], pool.starts[group + 1]):
        item = pool.members[place]
        if prices[item] > pool.losses[group]:
            choice.covered[item] += pool.weights[item]
            if notes:
                choice.taken[place] += pool.weights[item]
    for rank in range(lacking):
        choice.covered[pool.members[choice.places[rank]]] += 1
        if notes:
            choice.taken[choice.places[rank]] += 1
