"""The compiled loops of refinement: open better classes, house the homeless, find components."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints
from indistinct.core.kernels import compiled
from indistinct.search.local.peel_kernels import Items, PeeledGroups, tighten

GAIN = 1e-12  # least gain for which a group is opened


@compiled
def open_groups(
    items: Items,
    groups: PeeledGroups,
    ranking: Ints,
    labels: Codes,
    prices: Floats,
    members: Codes,
    starts: Ints,
    sizes: Ints,
    locked: Codes,
    least: int,
    price: float,
    anger: float,
    loyalty: float,
) -> Codes:
    """Open every group whose members gain more than they and those left behind lose.

    Parameters
    ----------
    ranking : groups in the order they have their turn
    labels : (n_items,), class of each item, -1 for none; changed here, new classes counted on
    prices : (n_items,), what a record of each item pays; changed here
    members, starts : the items of each class; (n_classes + 1,) begins
    sizes : (n_classes,), records; changed here
    locked : (n_classes,), 1 where a class may not be touched
    price : what a suppressed record pays
    anger : expected relative rise in price of a record that loses its class
    loyalty : a record that pays less than this share of a group's loss does not join it

    Returns
    -------
    groups opened: (n_opened,); class ``n_classes + i`` is the i-th. Classes left with fewer than
    ``least`` records are dissolved.
    """
    n_classes = len(sizes)
    opened = np.empty(len(ranking), np.int32)
    n_opened = 0
    leaving = np.zeros(n_classes, np.int64)
    touched = np.empty(n_classes, np.int32)
    joining = np.empty(len(labels) + least, np.int32)
    lenders = np.empty(least, np.int32)
    for place in range(len(ranking)):
        group = ranking[place]
        loss = groups.losses[group]
        first = groups.starts[group]
        n_joining = 0
        weight = 0
        gain = 0.0
        n_eligible = 0
        for position in range(first, first + groups.sizes[group]):
            item = groups.members[position]
            label = labels[item]
            if label >= n_classes or (label >= 0 and locked[label] == 1):
                continue
            if prices[item] > loss:
                joining[n_joining] = item
                n_joining += 1
                weight += items.weights[item]
                gain += items.weights[item] * (prices[item] - loss)
            elif prices[item] >= loyalty * loss:
                n_eligible += items.weights[item]
        if n_joining == 0 or weight + n_eligible < least:
            continue
        if weight < least:
            need = least - weight
            n_lenders = 0
            for position in range(first, first + groups.sizes[group]):
                item = groups.members[position]
                label = labels[item]
                if label >= n_classes or (label >= 0 and locked[label] == 1):
                    continue
                paid = prices[item]
                if paid > loss or paid < loyalty * loss:
                    continue
                # Invariant: the lenders are the items that pay most, dearest first. Each has a
                # record or more, so that no more than the records that are missing are ever needed.
                slot = n_lenders
                if n_lenders == need:
                    if paid <= prices[lenders[need - 1]]:
                        continue
                    slot = need - 1
                else:
                    n_lenders += 1
                while slot > 0 and prices[lenders[slot - 1]] < paid:
                    lenders[slot] = lenders[slot - 1]
                    slot -= 1
                lenders[slot] = item
            for slot in range(n_lenders):
                if weight >= least:
                    break
                item = lenders[slot]
                joining[n_joining] = item
                n_joining += 1
                weight += items.weights[item]
                gain += items.weights[item] * (prices[item] - loss)
            if gain <= 0.0:
                continue
        n_touched = 0
        for position in range(n_joining):
            item = joining[position]
            label = labels[item]
            if label >= 0:
                if leaving[label] == 0:
                    touched[n_touched] = label
                    n_touched += 1
                leaving[label] += items.weights[item]
        for position in range(n_touched):
            label = touched[position]
            rest = sizes[label] - leaving[label]
            # A class that is left with too few is given up; what its last members then pay counts
            # against this group.
            if 0 < rest < least:
                gain -= rest * anger * prices[members[starts[label]]]
        if gain > GAIN:
            for position in range(n_joining):
                labels[joining[position]] = n_classes + n_opened
                prices[joining[position]] = loss
            opened[n_opened] = group
            n_opened += 1
            for position in range(n_touched):
                label = touched[position]
                sizes[label] -= leaving[label]
                if 0 < sizes[label] < least:
                    sizes[label] = 0
                    for entry in range(starts[label], starts[label + 1]):
                        item = members[entry]
                        if labels[item] == label:
                            labels[item] = -1
                            prices[item] = min(prices[item] * (1.0 + anger), price)
        # Only what was touched is cleared: a group costs its own size, not that of the table.
        for position in range(n_touched):
            leaving[touched[position]] = 0
    return opened[:n_opened].copy()


@compiled
def house_items(
    items: Items,
    groups: PeeledGroups,
    ranking: Ints,
    homeless: Codes,
    labels: Codes,
    nodes: Codes,
    cells: Codes,
    losses: Floats,
    order: Ints,
    begins: Ints,
    columns: Ints,
    first_label: int,
    least: int,
) -> Codes:
    """House each homeless item in the cheapest class that contains it, or in a new group.

    Parameters
    ----------
    groups : candidates among the homeless; ``ranking`` lists them by loss
    labels : (n_items,), -1 for the homeless; changed here, new classes counted from
        ``first_label``
    nodes, cells : (n_classes, n_columns), level and cell of the open classes per column
    losses : (n_classes,)
    order, begins : the open classes by cell of ``columns[0]``, then loss; (n_cells + 1,) begins
    columns : the columns, those that tell most classes from an item first

    Returns
    -------
    groups opened. An item that no class contains keeps -1.
    """
    n_columns = items.codes.shape[1]
    home = np.full(len(labels), -1, np.int32)
    rent = np.full(len(labels), np.inf)
    for position in range(len(homeless)):
        item = homeless[position]
        for level in range(items.tops[columns[0]] + 1):
            key = items.cells[items.offsets[columns[0], level] + items.codes[item, columns[0]]]
            for place in range(begins[key], begins[key + 1]):
                index = order[place]
                # The classes of a cell stand in order of loss: none that follows is cheaper.
                if losses[index] >= rent[item]:
                    break
                contained = True
                for entry in range(1, n_columns):
                    column = columns[entry]
                    offset = items.offsets[column, nodes[index, column]]
                    if items.cells[offset + items.codes[item, column]] != cells[index, column]:
                        contained = False
                        break
                if contained:
                    home[item] = index
                    rent[item] = losses[index]
                    break
    opened = np.empty(len(ranking), np.int32)
    n_opened = 0
    for place in range(len(ranking)):
        group = ranking[place]
        loss = groups.losses[group]
        first = groups.starts[group]
        weight = 0
        for position in range(first, first + groups.sizes[group]):
            item = groups.members[position]
            if labels[item] < 0 and rent[item] > loss:
                weight += items.weights[item]
        if weight < least:
            continue
        for position in range(first, first + groups.sizes[group]):
            item = groups.members[position]
            if labels[item] < 0 and rent[item] > loss:
                labels[item] = first_label + n_opened
        opened[n_opened] = group
        n_opened += 1
    for position in range(len(homeless)):
        item = homeless[position]
        if labels[item] < 0:
            labels[item] = home[item]
    return opened[:n_opened].copy()


@compiled
def tighten_classes(items: Items, members: Codes, starts: Ints, nodes: Codes) -> Floats:
    """Lower every class's levels as far as its members allow; give the losses: (n_classes,).

    Parameters
    ----------
    members, starts : the items of each class; an empty class keeps its levels and loses nothing
    nodes : (n_classes, n_columns), levels; changed here
    """
    losses = np.zeros(len(starts) - 1)
    for index in range(len(losses)):
        if starts[index + 1] > starts[index]:
            losses[index] = tighten(items, members, starts[index], starts[index + 1], nodes[index])
    return losses


@compiled
def components(before: Codes, after: Codes, n_classes: int) -> Codes:
    """Join the classes that exchanged items: (n_classes,), a number shared by each component.

    Parameters
    ----------
    before, after : (n_items,), class of each item, -1 for none
    """
    parents = np.empty(n_classes, np.int32)
    for index in range(n_classes):
        parents[index] = index
    for item in range(len(before)):
        one = before[item]
        other = after[item]
        if one == other or one < 0 or other < 0:
            continue
        while parents[one] != one:
            parents[one] = parents[parents[one]]
            one = parents[one]
        while parents[other] != other:
            parents[other] = parents[parents[other]]
            other = parents[other]
        parents[max(one, other)] = min(one, other)
    # No parent is greater than its child. In ascending order a parent is therefore at its root
    # before its children look at it.
    for index in range(n_classes):
        parents[index] = parents[parents[index]]
    return parents
