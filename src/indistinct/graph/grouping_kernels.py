"""Compiled annealing over partitions into groups."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.base.compiled.kernels import GOLDEN, compiled, compiled_part
from indistinct.graph.random_kernels import below, uniform


class GroupedGraph(NamedTuple):
    """A graph whose vertices are in groups.

    Parameters
    ----------
    starts, neighbors : rows of the graph
    groups : (n_vertices,)
    sizes : (n_groups,)
    weights : (n_groups, n_groups), edges between groups, symmetric
    """

    starts: Ints
    neighbors: Codes
    groups: Codes
    sizes: Ints
    weights: Codes


@compiled_part
def log_factorials(most: int) -> Floats:
    """Return log(0!), log(1!) ... log(most!)."""
    logs = np.zeros(most + 1, np.float64)
    for number in range(2, most + 1):
        logs[number] = math.lgamma(number + 1.0)
    return logs


@compiled_part
def pair_cost(one: int, other: int, sizes: Ints, edges: int, logs: Floats) -> float:
    """Return the log count of ways to lay the edges between two groups, or inside one."""
    total = sizes[one] * (sizes[one] - 1) // 2 if one == other else sizes[one] * sizes[other]
    return logs[total] - logs[edges] - logs[total - edges]


@compiled_part
def total_cost(sizes: Ints, weights: Codes, logs: Floats) -> float:
    """Return the log count of worlds: weights (n_groups, n_groups), symmetric."""
    cost = 0.0
    for one in range(len(sizes)):
        for other in range(one, len(sizes)):
            if weights[one, other] > 0:
                cost += pair_cost(one, other, sizes, weights[one, other], logs)
    return cost


@compiled_part
def collect(
    partition: GroupedGraph, vertex: int, seen: Codes, turn: int, touched: Codes, filled: int
) -> int:
    """Write the groups of a vertex's neighbors that this turn has not seen yet; count them all."""
    for entry in range(partition.starts[vertex], partition.starts[vertex + 1]):
        group = partition.groups[partition.neighbors[entry]]
        if seen[group] != turn:
            seen[group] = turn
            touched[filled] = group
            filled += 1
    return filled


@compiled_part
def cost_around(
    partition: GroupedGraph, one: int, other: int, touched: Codes, logs: Floats
) -> float:
    """Return the cost of the pairs of two groups with those touched, both of them included.

    Notes
    -----
    While sizes stay, no other pair changes its cost when two vertices change places.
    """
    sizes, weights = partition.sizes, partition.weights
    cost = 0.0
    for each in touched:
        third = np.int64(each)
        if weights[one, third] > 0:
            cost += pair_cost(one, third, sizes, weights[one, third], logs)
        if third != one and weights[other, third] > 0:
            cost += pair_cost(other, third, sizes, weights[other, third], logs)
    return cost


@compiled_part
def carry(partition: GroupedGraph, vertex: int, to: int) -> None:
    """Move a vertex to a group and keep the weights right."""
    starts, neighbors, groups, sizes, weights = partition
    here = groups[vertex]
    for entry in range(starts[vertex], starts[vertex + 1]):
        group = groups[neighbors[entry]]
        weights[here, group] -= 1
        if group != here:
            weights[group, here] -= 1
    for entry in range(starts[vertex], starts[vertex + 1]):
        group = groups[neighbors[entry]]
        weights[to, group] += 1
        if group != to:
            weights[group, to] += 1
    sizes[here] -= 1
    sizes[to] += 1
    groups[vertex] = to


@compiled
def anneal(
    partition: GroupedGraph, k: int, steps: int, first_temperature: float, state: Words
) -> tuple[Codes, float]:
    """Search a partition of least log count of worlds by moving and swapping vertices.

    Parameters
    ----------
    partition : changed in place
    k : least size of a group; a group never exceeds 2k - 1 unless it began larger
    steps, first_temperature : the temperature falls linearly from ``first_temperature`` to 0

    Returns
    -------
    groups, cost : the best partition that was seen
    """
    starts, neighbors, groups, sizes, weights = partition
    n_vertices = len(groups)
    n_groups = len(sizes)
    most = 2 * k
    for group in range(n_groups):
        most = max(most, sizes[group])
    # Two groups have at most so many pairs of vertices.
    logs = log_factorials(most * most)
    cost = total_cost(sizes, weights, logs)
    best, least = groups.copy(), cost
    seen = np.full(n_groups, -1, np.int32)
    touched, every = np.empty(n_groups, np.int32), np.empty(n_groups, np.int32)
    for group in range(n_groups):
        every[group] = group
    for step in range(steps):
        # Simulated annealing: a change that costs more is taken the more rarely the colder it is.
        temperature = first_temperature * (1.0 - step / steps)
        vertex = below(state, n_vertices)
        degree = starts[vertex + 1] - starts[vertex]
        # Neighbors and their neighbors mostly: groups that share edges gain most from an exchange.
        if degree > 0 and uniform(state) < 0.8:
            middle = np.int64(neighbors[starts[vertex] + below(state, degree)])
            width = starts[middle + 1] - starts[middle]
            other = np.int64(neighbors[starts[middle] + below(state, width)])
            if uniform(state) < 0.3:
                other = middle
        else:
            other = below(state, n_vertices)
        one, two = np.int64(groups[vertex]), np.int64(groups[other])
        if one == two or n_groups < 2:
            continue
        can_move = sizes[one] > k and sizes[two] < 2 * k - 1
        moving = can_move and uniform(state) < 0.5
        # Where sizes change, the costs of two groups with all others do.
        around = every
        if not moving:
            seen[one], seen[two] = step, step
            touched[0], touched[1] = one, two
            filled = collect(partition, vertex, seen, step, touched, np.int64(2))
            filled = collect(partition, other, seen, step, touched, filled)
            around = touched[:filled]
        before = cost_around(partition, one, two, around, logs)
        carry(partition, vertex, two)
        if not moving:
            carry(partition, other, one)
        change = cost_around(partition, one, two, around, logs) - before
        if change <= 0 or (temperature > 0 and uniform(state) < math.exp(-change / temperature)):
            cost += change
            # The sum of changes drifts by rounding; less than that is no better partition.
            if cost < least - 1e-9:
                least = cost
                for each in range(n_vertices):
                    best[each] = groups[each]
        else:
            carry(partition, vertex, one)
            if not moving:
                carry(partition, other, two)
    return best, least


@compiled
def group_weights(starts: Ints, neighbors: Codes, groups: Codes, n_groups: int) -> Codes:
    """Count edges between groups, (n_groups, n_groups), symmetric; inside a group once each."""
    weights = np.zeros((n_groups, n_groups), np.int32)
    for vertex in range(len(groups)):
        for entry in range(starts[vertex], starts[vertex + 1]):
            other = neighbors[entry]
            if other < vertex:
                continue
            weights[groups[vertex], groups[other]] += 1
            if groups[vertex] != groups[other]:
                weights[groups[other], groups[vertex]] += 1
    return weights


@compiled_part
def slot_of(table: Ints, bits: int, number: int) -> int:
    """Find the slot of a number among the first 2**bits: where it is, or else a free one."""
    slot = np.int64((np.uint64(number) * GOLDEN) >> np.uint64(64 - bits))
    while table[slot] >= 0 and table[slot] != number:
        slot = (slot + 1) & ((1 << bits) - 1)
    return slot


@compiled
def lay_edges(
    sizes: Ints, begins: Ints, ones: Codes, others: Codes, counts: Ints, state: Words
) -> tuple[Codes, Codes]:
    """Draw a world: for each pair of groups, that many distinct vertex pairs, uniformly.

    Parameters
    ----------
    sizes, begins : members of group g are begins[g] .. begins[g] + sizes[g] - 1
    ones, others, counts : (n_pairs,), groups of each pair, and the edges between (or inside) them

    Notes
    -----
    Floyd's sampling over the numbers of the vertex pairs. Invariant: ``table`` holds the numbers
    chosen for the present pair of groups, each in the first free slot from its own on, and -1
    elsewhere; at least half of its slots are free, so that every search ends.
    """
    total, most = 0, 0
    for count in counts:
        total += count
        most = max(most, count)
    bits = 1
    while (1 << bits) < 2 * most:
        bits += 1
    table = np.empty(1 << bits, np.int64)
    sources = np.empty(total, np.int32)
    targets = np.empty(total, np.int32)
    filled = 0
    for pair in range(len(counts)):
        one, other, count = ones[pair], others[pair], counts[pair]
        inside = one == other
        width = sizes[other]
        size = sizes[one] * (sizes[one] - 1) // 2 if inside else sizes[one] * width
        bits = 1
        while (1 << bits) < 2 * count:
            bits += 1
        for slot in range(1 << bits):
            table[slot] = -1
        for last in range(size - count, size):
            number = below(state, last + 1)
            slot = slot_of(table, bits, number)
            if table[slot] == number:
                number = last
                slot = slot_of(table, bits, number)
            table[slot] = number
            if inside:
                # Pairs inside a group are numbered by rows of a triangle: row r has the numbers
                # from r(r - 1)/2 on. The root may be off by one, which the loops correct.
                row = np.int64((1.0 + math.sqrt(1.0 + 8.0 * number)) / 2.0)
                while row * (row - 1) // 2 > number:
                    row -= 1
                while (row + 1) * row // 2 <= number:
                    row += 1
                sources[filled] = begins[one] + row
                targets[filled] = begins[one] + number - row * (row - 1) // 2
            else:
                sources[filled] = begins[one] + number // width
                targets[filled] = begins[other] + number % width
            filled += 1
    return sources, targets


@compiled
def pair_costs(sizes: Ints, ones: Codes, others: Codes, counts: Ints) -> Floats:
    """Return the log count of ways for each pair of groups: (n_pairs,)."""
    costs = np.empty(len(counts), np.float64)
    for pair in range(len(counts)):
        one, other, count = sizes[ones[pair]], sizes[others[pair]], counts[pair]
        total = one * (one - 1) // 2 if ones[pair] == others[pair] else one * other
        costs[pair] = (
            math.lgamma(total + 1.0) - math.lgamma(count + 1.0) - math.lgamma(total - count + 1.0)
        )
    return costs
