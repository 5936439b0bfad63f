"""Roll a lattice node up from a finer one and judge its classes, in one pass over what is kept."""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints, Words
from indistinct.base.compiled.compiling import compiled, compiled_part
from indistinct.base.compiled.kernels import GOLDEN
from indistinct.tables.core.penalties import DISTANCE, DISTINCT, ENTROPY, LIMITS, SQUARES, TAIL

# What is suppressed counts only if it is proven by more than rounding.
MARGIN, LEAST_PART = 1e-9, 1e-6


class NodeColumns(NamedTuple):
    """The quasi-identifiers of the distinct tuples.

    Parameters
    ----------
    values : (n_columns, n_tuples), value codes
    words : flat table of a 64-bit word per column, level and value
    offsets : (n_columns, n_levels), where each level of a column begins in ``words``
    """

    values: Codes
    words: Words
    offsets: Ints


class KeptClasses(NamedTuple):
    """The classes of the nodes that others are rolled up from, one node after the other.

    Parameters
    ----------
    nodes : (n_nodes, n_columns), level per column
    starts : (n_nodes + 1,), where the classes of each begin
    representatives : (n_classes,), a tuple of each class
    sizes : (n_classes,), records
    keys : (n_classes,), sum of the words
    counts : (n_classes, n_bins), records in the bins of all demands
    """

    nodes: Codes
    starts: Ints
    representatives: Codes
    sizes: Ints
    keys: Words
    counts: Codes


class NodeRoom(NamedTuple):
    """Room to work in.

    Parameters
    ----------
    slots : a hash table of twice the classes of the finest node, a power of two
    moved, labels : (n_classes,), keys at the coarser node, and places there
    released : (n_classes,), written: which classes satisfy every demand
    sorted : (n_bins,), counts of a class
    """

    slots: Codes
    moved: Words
    labels: Codes
    released: Bools
    sorted: Ints


class NodePenalties(NamedTuple):
    """What the models demand of a class: see :class:`~indistinct.tables.core.penalties.Penalty`.

    Parameters
    ----------
    kinds, ranks, carries : (n_penalties,)
    bounds : (n_penalties,), in favor of the class by a tolerance
    starts : (n_penalties + 1,), where the bins of each begin
    n_own : (n_penalties,), bins of its values, before those of larger sets of values
    leaves_out : (n_penalties,), whether some records are in no bin, since their value is missing
    is_monotone : (n_penalties,), whether every part of a class fails where the class does
    weights, lowest, greatest : (n_bins,); the greatest as ``bounds``
    """

    kinds: Codes
    bounds: Floats
    ranks: Codes
    carries: Floats
    starts: Ints
    n_own: Ints
    leaves_out: Bools
    is_monotone: Bools
    weights: Floats
    lowest: Floats
    greatest: Floats


@compiled
def nearest_below(kept: KeptClasses, n_kept: int, node: Codes) -> int:
    """Find the kept node of fewest classes that is nowhere above another: its place; the first is.

    Parameters
    ----------
    n_kept : nodes in use
    node : (n_columns,), level per column
    """
    best = 0
    fewest = kept.starts[1]
    for place in range(1, n_kept):
        n_classes = kept.starts[place + 1] - kept.starts[place]
        if n_classes >= fewest:
            continue
        below = True
        for column in range(len(node)):
            if kept.nodes[place, column] > node[column]:
                below = False
                break
        if below:
            best, fewest = place, n_classes
    return best


@compiled
def check_sizes(
    columns: NodeColumns,
    kept: KeptClasses,
    n_kept: int,
    finer: int,
    node: Codes,
    least_size: int,
    room: NodeRoom,
) -> int:
    """Return the records in classes that are too small, where nothing else is demanded.

    See :func:`check_node`, which takes longer to compile.
    """
    roll_up_classes(columns, kept, n_kept, finer, node, room)
    begin = kept.starts[n_kept]
    n_suppressed = 0
    for index in range(begin, kept.starts[n_kept + 1]):
        size = kept.sizes[index]
        room.released[index - begin] = size >= least_size
        if size < least_size:
            n_suppressed += size
    return n_suppressed


@compiled
def check_node(
    columns: NodeColumns,
    kept: KeptClasses,
    n_kept: int,
    finer: int,
    node: Codes,
    penalties: NodePenalties,
    least_size: int,
    n_steps: int,
    room: NodeRoom,
) -> tuple[int, int]:
    """Merge the classes of a kept node at a coarser one, and judge them.

    Parameters
    ----------
    finer : place of the node that is rolled up
    node : (n_columns,), level per column; written behind the last kept node
    least_size : records of the smallest class that can hold
    n_steps : how often the bound on what every finer node suppresses is made sharper; 0 for none

    Returns
    -------
    records in classes that fail, and records that every finer node suppresses
    """
    roll_up_classes(columns, kept, n_kept, finer, node, room)
    begin, end = kept.starts[n_kept], kept.starts[n_kept + 1]
    n_suppressed, n_least_suppressed = 0, 0
    for index in range(begin, end):
        size = kept.sizes[index]
        least_suppressed = size
        if size >= least_size:
            least_suppressed = least_suppressed_part(kept, index, size, penalties, n_steps, room)
        room.released[index - begin] = least_suppressed < 0
        if least_suppressed >= 0:
            n_suppressed += size
            n_least_suppressed += least_suppressed
    return n_suppressed, n_least_suppressed


@compiled_part
def roll_up_classes(
    columns: NodeColumns, kept: KeptClasses, n_kept: int, finer: int, node: Codes, room: NodeRoom
) -> None:
    """Merge classes that become equal at a coarser node: see :func:`check_node`.

    Notes
    -----
    As :func:`~indistinct.base.compiled.kernels.roll_up`, in order of first appearance.
    """
    first, last = kept.starts[finer], kept.starts[finer + 1]
    n_classes = last - first
    bits = 4
    while (1 << bits) < 2 * n_classes:
        bits += 1
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    slots, moved, labels = room.slots, room.moved, room.labels
    keys, representatives, sizes, counts = (
        kept.keys,
        kept.representatives,
        kept.sizes,
        kept.counts,
    )
    for slot in range(1 << bits):
        slots[slot] = -1
    for index in range(n_classes):
        moved[index] = keys[first + index]
    for column in range(len(node)):
        kept.nodes[n_kept, column] = node[column]
        before = columns.offsets[column, kept.nodes[finer, column]]
        after = columns.offsets[column, node[column]]
        if before != after:
            values, words = columns.values, columns.words
            for index in range(n_classes):
                value = values[column, representatives[first + index]]
                moved[index] += words[after + value] - words[before + value]
    begin = kept.starts[n_kept]
    end = begin
    # Each class is written as though it were new, so that no branch depends on whether it is, which
    # a processor cannot foresee.
    for index in range(n_classes):
        key = moved[index]
        keys[end] = key
        representatives[end] = representatives[first + index]
        sizes[end] = 0
        slot = np.int64((key * GOLDEN) >> shift)
        group = end if slots[slot] < 0 else np.int64(slots[slot])
        while keys[group] != key:
            slot = (slot + 1) & mask
            group = end if slots[slot] < 0 else np.int64(slots[slot])
        slots[slot] = group
        labels[index] = group
        sizes[group] += sizes[first + index]
        end += group == end
    n_bins = counts.shape[1]
    if n_bins > 0:
        for index in range(begin, end):
            for one in range(n_bins):
                counts[index, one] = 0
        for index in range(n_classes):
            group = np.int64(labels[index])
            for one in range(n_bins):
                counts[group, one] += counts[first + index, one]
    kept.starts[n_kept + 1] = end


@compiled_part
def least_suppressed_part(
    kept: KeptClasses, index: int, size: int, penalties: NodePenalties, n_steps: int, room: NodeRoom
) -> int:
    """Return how many records of a class every finer node suppresses; -1 where the class holds."""
    least_suppressed = -1
    for penalty in range(len(penalties.kinds)):
        start = penalties.starts[penalty]
        known = size
        if penalties.leaves_out[penalty]:
            known = 0
            for one in range(start, start + penalties.n_own[penalty]):
                known += kept.counts[index, one]
            if known == 0:
                continue
        found = least_suppressed_known(kept, index, known, penalties, penalty, n_steps, room)
        if found >= 0 and penalties.is_monotone[penalty]:
            return size
        least_suppressed = max(least_suppressed, found)
    return least_suppressed


@compiled_part
def least_suppressed_known(
    kept: KeptClasses,
    index: int,
    known: int,
    penalties: NodePenalties,
    penalty: int,
    n_steps: int,
    room: NodeRoom,
) -> int:
    """Return how many records every finer node suppresses for one demand; -1 where it is met."""
    kind = penalties.kinds[penalty]
    found = 0
    if kind == DISTANCE:
        found = beyond_distance_of(kept, index, known, penalties, penalty, n_steps)
    elif kind == DISTINCT:
        found = of_few_values(kept, index, penalties, penalty)
    elif kind == LIMITS:
        found = beyond_limits(kept, index, known, penalties, penalty)
    elif kind == ENTROPY:
        found = beyond_entropy(kept, index, known, penalties, penalty)
    elif kind == SQUARES:
        found = beyond_squares(kept, index, known, penalties, penalty)
    elif kind == TAIL:
        found = beyond_tail(kept, index, known, penalties, penalty, room)
    return found


@compiled_part
def of_few_values(kept: KeptClasses, index: int, penalties: NodePenalties, penalty: int) -> int:
    """Return 0 where a class has too few values; -1 where it has enough."""
    n_distinct = 0
    for one in range(penalties.starts[penalty], penalties.starts[penalty + 1]):
        n_distinct += kept.counts[index, one] > 0
    return -1 if n_distinct >= penalties.bounds[penalty] else 0


@compiled_part
def beyond_entropy(
    kept: KeptClasses, index: int, known: int, penalties: NodePenalties, penalty: int
) -> int:
    """Bound the records in parts of too little entropy; -1 where the class has enough.

    Entropy is concave, and 0 at least.
    """
    spread = 0.0
    for one in range(penalties.starts[penalty], penalties.starts[penalty + 1]):
        count = kept.counts[index, one]
        if count > 1:
            spread += count * np.log(count)
    entropy = np.log(known) - spread / known
    bound = penalties.bounds[penalty]
    return -1 if entropy >= bound else whole_part((bound - entropy) / bound, known)


@compiled_part
def beyond_squares(
    kept: KeptClasses, index: int, known: int, penalties: NodePenalties, penalty: int
) -> int:
    """Bound the records in parts whose squared shares add up to too much; -1 where they do not.

    The sum is convex, and 1 at most.
    """
    squares = 0.0
    for one in range(penalties.starts[penalty], penalties.starts[penalty + 1]):
        squares += (kept.counts[index, one] / known) ** 2
    bound = penalties.bounds[penalty]
    if squares <= bound:
        return -1
    return whole_part((squares - bound) / (1.0 - bound), known) if bound < 1.0 else 0


@compiled_part
def whole_part(share: float, known: int) -> int:
    """Return a share of a class's records as a whole number, rounded up but for rounding errors."""
    return max(np.int64(np.ceil(min(share, 1.0) * known - LEAST_PART)), 0)


@compiled_part
def beyond_distance_of(
    kept: KeptClasses, index: int, known: int, penalties: NodePenalties, penalty: int, n_steps: int
) -> int:
    """Bound the records in parts that are farther away than allowed; -1 where the class is not.

    Notes
    -----
    The parts that are released are together within the distance. What :func:`excess_of` says of
    unions of s records is convex in s and 0 at 0. Newton's method goes down from the whole class;
    since the tangent is nowhere above, no union of more records than where it ends is within.
    """
    part = np.float64(known)
    excess, rate = excess_of(kept, index, known, penalties, penalty, part)
    if excess <= 0.0:
        return -1
    for step in range(n_steps):
        if excess <= MARGIN * known:
            break
        part -= excess / rate
        if step < n_steps - 1:
            excess, rate = excess_of(kept, index, known, penalties, penalty, part)
    return max(known - np.int64(np.floor(part + LEAST_PART * (1.0 + known))), 0)


@compiled_part
def excess_of(
    kept: KeptClasses,
    index: int,
    known: int,
    penalties: NodePenalties,
    penalty: int,
    part: float,
) -> tuple[float, float]:
    """Bound how much farther away a part of a class is than allowed, times its records.

    Of the whole class that is exact. A part of s records has in each bin at most what the class
    has, and, carried along a line, up to each bin no less than what the class has less the records
    that are left out.

    Parameters
    ----------
    part : records of the part

    Returns
    -------
    the excess, and how fast it grows with the records
    """
    limit = penalties.bounds[penalty]
    excess, rate = -limit * part, -limit
    # No branch depends on the counts, which a processor cannot foresee.
    if penalties.carries[penalty] == 0.0:
        for one in range(penalties.starts[penalty], penalties.starts[penalty + 1]):
            share, twice = penalties.greatest[one], 2.0 * penalties.weights[one]
            lack = max(share * part - kept.counts[index, one], 0.0)
            # What a bin lacks, others of its level have too much.
            excess += twice * lack
            rate += twice * share if lack > 0.0 else 0.0
    else:
        held, wanted = 0.0, 0.0
        for one in range(penalties.starts[penalty], penalties.starts[penalty + 1]):
            weight = penalties.weights[one]
            held += kept.counts[index, one]
            wanted += penalties.greatest[one]
            lack = max(wanted * part - held, 0.0)
            surplus = max(held - (known - part) - wanted * part, 0.0)
            excess += weight * max(lack, surplus)
            growth = wanted if lack >= surplus else 1.0 - wanted
            rate += weight * growth if lack + surplus > 0.0 else 0.0
    return excess, rate


@compiled_part
def beyond_limits(
    kept: KeptClasses, index: int, known: int, penalties: NodePenalties, penalty: int
) -> int:
    """Bound the records in parts in which a value is too common; -1 where all are within limits."""
    least_suppressed = -1
    for one in range(penalties.starts[penalty], penalties.starts[penalty + 1]):
        count, limit = kept.counts[index, one], penalties.greatest[one]
        if count > limit * known:
            least_suppressed = max(least_suppressed, beyond_share(count, limit, known))
        elif count < penalties.lowest[one] * known:
            least_suppressed = max(least_suppressed, 0)
    return least_suppressed


@compiled_part
def beyond_share(count: int, limit: float, known: int) -> int:
    """Bound the records in parts in which a value takes more than a share of the records."""
    return whole_part((count / known - limit) / (1.0 - limit), known) if limit < 1.0 else 0


@compiled_part
def beyond_tail(
    kept: KeptClasses,
    index: int,
    known: int,
    penalties: NodePenalties,
    penalty: int,
    room: NodeRoom,
) -> int:
    """Bound the records in parts whose commonest value outweighs the tail; -1 where it does not."""
    start, end = penalties.starts[penalty], penalties.starts[penalty + 1]
    rank, bound = penalties.ranks[penalty], penalties.bounds[penalty]
    # The greatest counts, descending; all others are the tail.
    n_above = 0
    tail = known
    for one in range(start, end):
        count = np.int64(kept.counts[index, one])
        place = n_above
        while place > 0 and room.sorted[place - 1] < count:
            if place < rank:
                room.sorted[place] = room.sorted[place - 1]
            place -= 1
        if place < rank:
            room.sorted[place] = count
            n_above = min(n_above + 1, rank)
    for place in range(min(n_above, rank - 1)):
        tail -= room.sorted[place]
    greatest = room.sorted[0]
    if tail > 0 and greatest <= bound * tail:
        return -1
    # The tail is at most all but the commonest value.
    return beyond_share(greatest, bound / (1.0 + bound) if rank > 1 else bound, known)
