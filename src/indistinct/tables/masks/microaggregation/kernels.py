"""The compiled loops of microaggregation: a tree of boxes, MDAV on it, the univariate optimum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part

SQUARED = 0  # weight * (x - y)**2, a number under the Euclidean distance
ABSOLUTE = 1  # weight * abs(x - y), a number or a rank under Gower's distance
RANKED = 2  # the same, and its centre is the lower median
NOMINAL = 3  # weight where the codes differ; its centre is the mode

LEAF = 12  # records per leaf of the tree, about
ROUNDING = 1 + 1e-9  # more than all rounding of a bound together


class Tree(NamedTuple):
    """A complete binary tree of boxes around the records that are left.

    Node ``v`` has the children ``2 v`` and ``2 v + 1``; the root is 1.

    Parameters
    ----------
    points : (n_records, n_columns), in the order of the leaves
    weights : (n_columns,)
    kinds : (n_columns,), how a column's distance is measured
    names : (n_records,), which record stands at a place
    places : (n_records,), where a record stands
    low, high : (n_nodes, n_columns), the box of each node's records
    left : (n_nodes,), records left
    least : (n_nodes,), the least name among them
    starts : (n_nodes,), where a leaf's records begin, those that are left first
    """

    points: Floats
    weights: Floats
    kinds: Codes
    names: Codes
    places: Codes
    low: Floats
    high: Floats
    left: Codes
    least: Codes
    starts: Codes


@compiled_part
def select_place(order: Codes, keys: Floats, first: int, last: int, place: int) -> None:
    """Arrange ``order[first:last]`` so that ``place`` splits it by key: Hoare's selection."""
    last -= 1
    while first < last:
        pivot = keys[order[(first + last) >> 1]]
        i = first
        j = last
        while i <= j:
            while keys[order[i]] < pivot:
                i += 1
            while keys[order[j]] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if place <= j:
            last = j
        elif place >= i:
            first = i
        else:
            return


@compiled_part
def widest_column(
    points: Floats, weights: Floats, kinds: Codes, order: Codes, first: int, last: int
) -> int:
    """Find the column whose weighted range over ``order[first:last]`` is greatest."""
    best = 0
    most = -1.0
    for column in range(points.shape[1]):
        low = np.inf
        high = -np.inf
        for place in range(first, last):
            value = points[order[place], column]
            low = min(low, value)
            high = max(high, value)
        span = high - low
        if kinds[column] == SQUARED:
            span *= span
        elif kinds[column] == NOMINAL:
            span = 1.0 if span > 0 else 0.0
        span *= weights[column]
        if span > most:
            best = column
            most = span
    return best


@compiled
def split_order(points: Floats, weights: Floats, kinds: Codes, depth: int) -> Codes:
    """Order the records so that the nodes of each level are runs of equal length, cut by median."""
    n_records = len(points)
    order = np.empty(n_records, np.int32)
    for record in range(n_records):
        order[record] = record
    keys = np.empty(n_records)
    for level in range(depth):
        for node in range(1 << level):
            first = (n_records * node) >> level
            last = (n_records * (node + 1)) >> level
            middle = (n_records * (2 * node + 1)) >> (level + 1)
            column = widest_column(points, weights, kinds, order, first, last)
            for place in range(first, last):
                keys[order[place]] = points[order[place], column]
            select_place(order, keys, first, last, middle)
    return order


@compiled_part
def fit_leaf(tree: Tree, node: int) -> None:
    """Draw the box of a leaf anew."""
    first = tree.starts[node]
    least = np.int32(2147483647)
    for column in range(tree.points.shape[1]):
        tree.low[node, column] = np.inf
        tree.high[node, column] = -np.inf
    for place in range(first, first + tree.left[node]):
        least = min(least, tree.names[place])
        for column in range(tree.points.shape[1]):
            value = tree.points[place, column]
            tree.low[node, column] = min(tree.low[node, column], value)
            tree.high[node, column] = max(tree.high[node, column], value)
    tree.least[node] = least


@compiled_part
def fit_node(tree: Tree, node: int) -> None:
    """Draw the box of an inner node around those of its children."""
    one = 2 * node
    two = one + 1
    tree.left[node] = tree.left[one] + tree.left[two]
    tree.least[node] = min(tree.least[one], tree.least[two])
    for column in range(tree.points.shape[1]):
        tree.low[node, column] = min(tree.low[one, column], tree.low[two, column])
        tree.high[node, column] = max(tree.high[one, column], tree.high[two, column])


@compiled
def grow_tree(points: Floats, weights: Floats, kinds: Codes) -> Tree:
    """Build the tree. O(n log n) expected time in the number of records."""
    n_records, n_columns = points.shape
    depth = 0
    while n_records > (LEAF << depth):
        depth += 1
    order = split_order(points, weights, kinds, depth)
    places = np.empty(n_records, np.int32)
    sorted_points = np.empty((n_records, n_columns))
    for place in range(n_records):
        places[order[place]] = place
        # Column by column: the assignment of a whole row takes a second to compile.
        for column in range(n_columns):
            sorted_points[place, column] = points[order[place], column]
    n_nodes = 2 << depth
    tree = Tree(
        sorted_points,
        weights,
        kinds,
        order,
        places,
        np.empty((n_nodes, n_columns)),
        np.empty((n_nodes, n_columns)),
        np.zeros(n_nodes, np.int32),
        np.empty(n_nodes, np.int32),
        np.zeros(n_nodes, np.int32),
    )
    for leaf in range(1 << depth):
        node = leaf + (1 << depth)
        tree.starts[node] = (n_records * leaf) >> depth
        tree.left[node] = ((n_records * (leaf + 1)) >> depth) - tree.starts[node]
        fit_leaf(tree, node)
    for node in range((1 << depth) - 1, 0, -1):
        fit_node(tree, node)
    return tree


@compiled
def remove_record(tree: Tree, record: int) -> None:
    """Remove a record and shrink the boxes around it."""
    # Leaf ``i`` begins at place ``n * i >> depth``. Rounding may make the first guess too low, but
    # never too high.
    n_records = len(tree.points)
    n_leaves = len(tree.left) // 2
    depth = 0
    while (1 << depth) < n_leaves:
        depth += 1
    place = tree.places[record]
    leaf = (np.int64(place) << depth) // n_records
    while ((n_records * (leaf + 1)) >> depth) <= place:
        leaf += 1
    node = int(leaf) + n_leaves
    last = tree.starts[node] + tree.left[node] - 1
    other = tree.names[last]
    for column in range(tree.points.shape[1]):
        value = tree.points[place, column]
        tree.points[place, column] = tree.points[last, column]
        tree.points[last, column] = value
    tree.names[place] = other
    tree.names[last] = record
    tree.places[other] = place
    tree.places[record] = last
    tree.left[node] -= 1
    fit_leaf(tree, node)
    node >>= 1
    while node > 0:
        fit_node(tree, node)
        node >>= 1


@compiled_part
def distance(tree: Tree, place: int, centre: Floats) -> float:
    """Return the distance between a record and a centre: squared, or Gower's."""
    total = 0.0
    for column in range(len(centre)):
        gap = tree.points[place, column] - centre[column]
        kind = tree.kinds[column]
        if kind == SQUARED:
            total += tree.weights[column] * (gap * gap)
        elif kind != NOMINAL:
            total += tree.weights[column] * abs(gap)
        elif gap != 0:
            total += tree.weights[column]
    return total


@compiled_part
def least_distance(tree: Tree, node: int, centre: Floats) -> float:
    """Bound from below the distance of every record in a box; rounding keeps the bound."""
    total = 0.0
    for column in range(len(centre)):
        gap = max(
            tree.low[node, column] - centre[column], centre[column] - tree.high[node, column], 0.0
        )
        kind = tree.kinds[column]
        if kind == SQUARED:
            total += tree.weights[column] * (gap * gap)
        elif kind != NOMINAL:
            total += tree.weights[column] * gap
        elif gap > 0:
            total += tree.weights[column]
    return total


@compiled_part
def greatest_distance(tree: Tree, node: int, centre: Floats) -> float:
    """Bound from above the distance of every record in a box; rounding keeps the bound."""
    total = 0.0
    for column in range(len(centre)):
        gap = max(centre[column] - tree.low[node, column], tree.high[node, column] - centre[column])
        kind = tree.kinds[column]
        if kind == SQUARED:
            total += tree.weights[column] * (gap * gap)
        elif kind != NOMINAL:
            total += tree.weights[column] * gap
        elif tree.low[node, column] != centre[column] or tree.high[node, column] != centre[column]:
            total += tree.weights[column]
    return total


@compiled_part
def push_node(
    tree: Tree, node: int, bound: float, stack: Codes, bounds: Floats, waiting: int
) -> int:
    """Push a box on the stack, unless nothing is left in it; return how many are there."""
    if tree.left[node] > 0:
        stack[waiting] = node
        bounds[waiting] = bound
        waiting += 1
    return waiting


@compiled
def furthest_record(tree: Tree, centre: Floats, stack: Codes, bounds: Floats) -> int:
    """Find the record furthest from a centre, the one of least name among equals.

    Parameters
    ----------
    stack, bounds : room for the nodes to visit, at least twice the depth of the tree
    """
    # Invariant: the record sought is ``best``, or lies in a box on the stack. The box that may hold
    # the furthest is put there last and opened first, so that most others need not be opened.
    n_leaves = len(tree.left) // 2
    best = np.int32(2147483647)
    most = -1.0
    stack[0] = 1
    bounds[0] = np.inf
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        bound = bounds[waiting]
        if bound < most or (bound == most and tree.least[node] > best):
            continue
        if node >= n_leaves:
            for place in range(tree.starts[node], tree.starts[node] + tree.left[node]):
                far = distance(tree, place, centre)
                if far > most or (far == most and tree.names[place] < best):
                    most = far
                    best = tree.names[place]
            continue
        one = 2 * node
        two = one + 1
        bound_one = greatest_distance(tree, one, centre) if tree.left[one] > 0 else -1.0
        bound_two = greatest_distance(tree, two, centre) if tree.left[two] > 0 else -1.0
        if bound_one > bound_two:
            one, two = two, one
            bound_one, bound_two = bound_two, bound_one
        waiting = push_node(tree, one, bound_one, stack, bounds, waiting)
        waiting = push_node(tree, two, bound_two, stack, bounds, waiting)
    return int(best)


@compiled
def nearest_records(
    tree: Tree, centre: Floats, count: int, found: Codes, fars: Floats, stack: Codes, bounds: Floats
) -> int:
    """Find the ``count`` records nearest to a centre, in order of distance, then of name.

    Parameters
    ----------
    found, fars : (count,) or more, where the names and distances are written
    stack, bounds : room for the nodes to visit, at least twice the depth of the tree

    Returns
    -------
    how many there are, at most ``count``
    """
    # A box as far away as the last record found is opened only if it may hold a lesser name.
    # Invariant: ``found`` has the nearest of the records seen, in order; each that is nearer than
    # the last of them and was not seen lies in a box on the stack.
    n_leaves = len(tree.left) // 2
    n_found = 0
    stack[0] = 1
    bounds[0] = 0.0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        bound = bounds[waiting]
        if n_found == count and (
            bound > fars[count - 1]
            or (bound == fars[count - 1] and tree.least[node] > found[count - 1])
        ):
            continue
        if node >= n_leaves:
            for place in range(tree.starts[node], tree.starts[node] + tree.left[node]):
                far = distance(tree, place, centre)
                name = tree.names[place]
                if n_found == count and (
                    far > fars[count - 1] or (far == fars[count - 1] and name > found[count - 1])
                ):
                    continue
                slot = min(n_found, count - 1)
                while slot > 0 and (
                    fars[slot - 1] > far or (fars[slot - 1] == far and found[slot - 1] > name)
                ):
                    fars[slot] = fars[slot - 1]
                    found[slot] = found[slot - 1]
                    slot -= 1
                fars[slot] = far
                found[slot] = name
                n_found = min(n_found + 1, count)
            continue
        one = 2 * node
        two = one + 1
        bound_one = least_distance(tree, one, centre) if tree.left[one] > 0 else np.inf
        bound_two = least_distance(tree, two, centre) if tree.left[two] > 0 else np.inf
        if bound_one < bound_two:
            one, two = two, one
            bound_one, bound_two = bound_two, bound_one
        waiting = push_node(tree, one, bound_one, stack, bounds, waiting)
        waiting = push_node(tree, two, bound_two, stack, bounds, waiting)
    return n_found


class Remaining(NamedTuple):
    """The centre of the records that are left, kept up to date.

    Parameters
    ----------
    sums : (n_columns,), of the numbers
    counts : (n_columns, most codes), records per code of the other columns
    """

    sums: Floats
    counts: Ints


@compiled_part
def count_remaining(points: Floats, kinds: Codes) -> Remaining:
    """Add up the numbers, and count the codes."""
    n_codes = 0
    for column in range(points.shape[1]):
        if kinds[column] >= RANKED:
            for record in range(len(points)):
                n_codes = max(n_codes, int(points[record, column]) + 1)
    remaining = Remaining(np.zeros(points.shape[1]), np.zeros((points.shape[1], n_codes), np.int64))
    for record in range(len(points)):
        change_remaining(remaining, kinds, points[record], 1)
    return remaining


@compiled_part
def change_remaining(remaining: Remaining, kinds: Codes, point: Floats, by: int) -> None:
    """Count a record in, or out."""
    for column in range(len(point)):
        if kinds[column] >= RANKED:
            remaining.counts[column, int(point[column])] += by
        else:
            remaining.sums[column] += by * point[column]


@compiled_part
def find_centre(remaining: Remaining, kinds: Codes, n_left: int, centre: Floats) -> None:
    """Write the mean, lower median or mode of each column into ``centre``."""
    for column in range(len(centre)):
        counts = remaining.counts[column]
        code = 0
        if kinds[column] == RANKED:
            seen = counts[0]
            while 2 * seen < n_left:
                code += 1
                seen += counts[code]
            centre[column] = code
        elif kinds[column] == NOMINAL:
            for other in range(1, len(counts)):
                if counts[other] > counts[code]:
                    code = other
            centre[column] = code
        else:
            centre[column] = remaining.sums[column] / n_left


class Queue(NamedTuple):
    """Records by a bound of their distance from the centre, the greatest first: a binary heap.

    A centre that moves by some way changes no distance by more. So the distance when a record was
    last looked at, less the way gone until then, bounds its distance now, less the way gone by now.

    Parameters
    ----------
    keys : (n_records,), distance less the way gone when it was measured
    names : (n_records,)
    size : (1,), records in the heap
    way : (1,), how far the centre has moved
    again : (n_records,), room for the records looked at
    """

    keys: Floats
    names: Codes
    size: Ints
    way: Floats
    again: Codes


@compiled_part
def sink_entry(queue: Queue, place: int) -> None:
    """Let an entry sink until none below it is greater."""
    key = queue.keys[place]
    name = queue.names[place]
    size = queue.size[0]
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        if below + 1 < size and queue.keys[below + 1] > queue.keys[below]:
            below += 1
        if queue.keys[below] <= key:
            break
        queue.keys[place] = queue.keys[below]
        queue.names[place] = queue.names[below]
        place = below
    queue.keys[place] = key
    queue.names[place] = name


@compiled_part
def push_entry(queue: Queue, key: float, name: int) -> None:
    """Add an entry."""
    place = queue.size[0]
    queue.size[0] += 1
    while place > 0 and queue.keys[(place - 1) >> 1] < key:
        queue.keys[place] = queue.keys[(place - 1) >> 1]
        queue.names[place] = queue.names[(place - 1) >> 1]
        place = (place - 1) >> 1
    queue.keys[place] = key
    queue.names[place] = name


@compiled_part
def pop_entry(queue: Queue) -> None:
    """Remove the first entry."""
    queue.size[0] -= 1
    queue.keys[0] = queue.keys[queue.size[0]]
    queue.names[0] = queue.names[queue.size[0]]
    if queue.size[0] > 0:
        sink_entry(queue, 0)


@compiled_part
def open_queue(tree: Tree, centre: Floats) -> Queue:
    """Return a queue with every record in it."""
    n_records = len(tree.names)
    queue = Queue(
        np.empty(n_records),
        np.empty(n_records, np.int32),
        np.empty(1, np.int64),
        np.zeros(1),
        np.empty(n_records, np.int32),
    )
    queue.size[0] = n_records
    for name in range(n_records):
        queue.names[name] = name
        queue.keys[name] = np.sqrt(distance(tree, int(tree.places[name]), centre))
    for place in range(n_records // 2 - 1, -1, -1):
        sink_entry(queue, place)
    return queue


@compiled_part
def furthest_in_queue(tree: Tree, centre: Floats, queue: Queue, labels: Codes) -> int:
    """Find the record without a label furthest from a centre, the one of least name among equals.

    Only for squared distances. ``queue.way`` must count the way to this centre.
    """
    best = np.int32(2147483647)
    most = -1.0
    # Invariant: key + way is no less than the square root of an entry's distance now. So the search
    # can end at the first key that is too small; what was looked at goes back with its distance.
    n_again = 0
    way = queue.way[0]
    while queue.size[0] > 0:
        bound = queue.keys[0] + way
        if bound >= 0 and bound * bound * ROUNDING < most:
            break
        name = queue.names[0]
        pop_entry(queue)
        if labels[name] >= 0:
            continue
        far = distance(tree, int(tree.places[name]), centre)
        if far > most or (far == most and name < best):
            most = far
            best = name
        queue.again[n_again] = name
        n_again += 1
    for place in range(n_again):
        name = queue.again[place]
        push_entry(queue, np.sqrt(distance(tree, int(tree.places[name]), centre)) - way, name)
    return int(best)


@compiled_part
def move_centre(weights: Floats, centre: Floats, last: Floats, queue: Queue) -> None:
    """Count the way from the last centre to this one."""
    total = 0.0
    for column in range(len(centre)):
        gap = centre[column] - last[column]
        total += weights[column] * (gap * gap)
        last[column] = centre[column]
    queue.way[0] += np.sqrt(total) * ROUNDING


@compiled
def mdav_groups(points: Floats, weights: Floats, kinds: Codes, k: int) -> Codes:
    """Group records by MDAV.

    Parameters
    ----------
    points : (n_records, n_columns), numbers or codes; numbers near zero keep sums exact
    weights : (n_columns,), of each column's part of the distance
    kinds : (n_columns,), all ``SQUARED``, or each ``ABSOLUTE``, ``RANKED`` or ``NOMINAL``
    k : least records of a group, at most n_records

    Returns
    -------
    (n_records,), the group of each record, in the order the groups are formed

    Notes
    -----
    Each search follows the tree's boxes and leaves out those that cannot hold the record sought:
    the same groups as looking at every record.
    """
    n_records, n_columns = points.shape
    labels = np.full(n_records, -1, np.int32)
    tree = grow_tree(points, weights, kinds)
    remaining = count_remaining(points, kinds)
    stack = np.empty(128, np.int32)
    bounds = np.empty(128)
    found = np.empty(k, np.int32)
    fars = np.empty(k)
    centre = np.empty(n_columns)
    find_centre(remaining, kinds, n_records, centre)
    last = centre.copy()
    euclidean = kinds[0] == SQUARED
    queue = open_queue(tree, centre)
    n_left = n_records
    label = 0
    while n_left >= 2 * k:
        find_centre(remaining, kinds, n_left, centre)
        # Two groups a round: around the record furthest from the centre, and around the one
        # furthest from that. Between 2k and 3k records there is room for one, and at the end for
        # none: what is left, k to 2k - 1 records, is the last group.
        rounds = 2 if n_left >= 3 * k else 1
        move_centre(weights, centre, last, queue)
        for turn in range(rounds):
            if turn == 0 and euclidean:
                first = furthest_in_queue(tree, centre, queue, labels)
            else:
                first = furthest_record(tree, centre, stack, bounds)
            for column in range(n_columns):
                centre[column] = points[first, column]
            labels[first] = label
            remove_record(tree, first)
            change_remaining(remaining, kinds, points[first], -1)
            n_found = nearest_records(tree, centre, k - 1, found, fars, stack, bounds)
            for place in range(n_found):
                name = found[place]
                labels[name] = label
                remove_record(tree, name)
                change_remaining(remaining, kinds, points[name], -1)
            n_left -= k
            label += 1
    for record in range(n_records):
        if labels[record] < 0:
            labels[record] = label
    return labels


@compiled
def best_runs(values: Floats, k: int) -> Codes:
    """Cut sorted values into runs of k to 2k-1 of least sum of squared errors.

    Parameters
    ----------
    values : (n,), sorted, near zero; n at least k

    Returns
    -------
    (n,), the run of each value, from the least on

    Notes
    -----
    O(n k) time. Errors are those of sums about the first value of a run, so that large values far
    from zero cost no digits.

    Source: hansen2003, the algorithm.
    """
    # Invariant: before the turn of ``first``, ``cost[first]`` is the least error of all runs over
    # the values before it, and ``before[first]`` where the last of these runs begins.
    n = len(values)
    cost = np.full(n + 1, np.inf)
    before = np.zeros(n + 1, np.int32)
    cost[0] = 0.0
    for first in range(n - k + 1):
        if cost[first] == np.inf:
            continue
        total = 0.0
        squares = 0.0
        for last in range(first, min(first + 2 * k - 1, n)):
            gap = values[last] - values[first]
            total += gap
            squares += gap * gap
            size = last - first + 1
            if size >= k:
                error = cost[first] + max(squares - total * total / size, 0.0)
                if error < cost[last + 1]:
                    cost[last + 1] = error
                    before[last + 1] = first
    labels = np.zeros(n, np.int32)
    run = 0
    end = n
    while end > 0:
        labels[before[end] : end] = run
        run += 1
        end = before[end]
    for place in range(n):
        labels[place] = run - 1 - labels[place]
    return labels
