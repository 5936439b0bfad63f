"""Compiled greedy search for edge changes that leave no neighborhood alone.

The graph under change keeps its rows sorted, with room behind each: row ``v`` is
``neighbors[begins[v]:ends[v]]`` and may grow to ``begins[v + 1]``. Beside each neighbor stands the
number of common neighbors (the support of the edge). The sum of words of a row's supports is a
quick fingerprint of a neighborhood, which an edge change updates in time proportional to its
support; the full fingerprint judges the few best candidates.
"""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Codes, Ints, Words
from indistinct.core.kernels import compiled, compiled_part, stable_order
from indistinct.core.ordering_kernels import ascending
from indistinct.graph.edges_kernels import are_adjacent, first_not_below
from indistinct.graph.fingerprint_kernels import mixed, neighborhood_word
from indistinct.graph.random_kernels import below

# Each trial costs the full fingerprints of all whom a change concerns, so that only the changes
# that the quick fingerprints put first are tried.
FULL_TRIALS = 16
MOST_PAIRS = 60  # of each kind, around one vertex
OTHERS = 16  # vertices that are drawn where nothing can be changed around the one in question


@compiled_part
def part(support: int, label: np.uint64) -> np.uint64:
    """Give the word that a neighbor with this support adds to a quick fingerprint."""
    return mixed(np.uint64(support + 1) + label * np.uint64(0x9E3779B97F4A7C15))


@compiled
def lay_out_with_room(starts: Ints, neighbors: Codes, room: int) -> tuple[Ints, Ints, Codes, Codes]:
    """Copy rows with room behind each, and count the support of every edge."""
    n_vertices = len(starts) - 1
    begins = np.empty(n_vertices + 1, np.int64)
    begins[0] = 0
    for vertex in range(n_vertices):
        size = starts[vertex + 1] - starts[vertex]
        begins[vertex + 1] = begins[vertex] + size + (size // 2 + room if room else 0)
    ends = np.empty(n_vertices, np.int64)
    copies = np.empty(begins[n_vertices], np.int32)
    supports = np.zeros(begins[n_vertices], np.int32)
    mark = np.full(n_vertices, -1, np.int32)
    for vertex in range(n_vertices):
        low, high = starts[vertex], starts[vertex + 1]
        ends[vertex] = begins[vertex] + high - low
        for entry in range(low, high):
            copies[begins[vertex] + entry - low] = neighbors[entry]
            mark[neighbors[entry]] = vertex
        for entry in range(low, high):
            other = neighbors[entry]
            count = 0
            # The support of an edge is the number of triangles with it: of vertices next to both
            # ends.
            for opposite in range(starts[other], starts[other + 1]):
                count += mark[neighbors[opposite]] == vertex
            supports[begins[vertex] + entry - low] = count
    return begins, ends, copies, supports


@compiled_part
def change_support(
    begins: Ints, ends: Ints, neighbors: Codes, supports: Codes, one: int, other: int, sign: int
) -> None:
    """Change the support of an edge, seen from one end."""
    supports[first_not_below(neighbors, begins[one], ends[one], other)] += sign


@compiled_part
def change_row(
    begins: Ints,
    ends: Ints,
    neighbors: Codes,
    supports: Codes,
    one: int,
    other: int,
    sign: int,
    support: int,
) -> None:
    """Insert a neighbor into a row (sign 1) or take it out (sign -1)."""
    place = first_not_below(neighbors, begins[one], ends[one], other)
    if sign > 0:
        for entry in range(ends[one], place, -1):
            neighbors[entry] = neighbors[entry - 1]
            supports[entry] = supports[entry - 1]
        neighbors[place] = other
        supports[place] = support
        ends[one] += 1
    else:
        for entry in range(place, ends[one] - 1):
            neighbors[entry] = neighbors[entry + 1]
            supports[entry] = supports[entry + 1]
        ends[one] -= 1


@compiled_part
def common_neighbors(
    begins: Ints, ends: Ints, neighbors: Codes, one: int, other: int, found: Codes
) -> int:
    """Write the common neighbors of two vertices and give their number."""
    left, right, count = begins[one], begins[other], np.int64(0)
    while left < ends[one] and right < ends[other]:
        if neighbors[left] < neighbors[right]:
            left += 1
        elif neighbors[left] > neighbors[right]:
            right += 1
        else:
            found[count] = neighbors[left]
            count += 1
            left += 1
            right += 1
    return count


@compiled
def change_edge(
    begins: Ints,
    ends: Ints,
    neighbors: Codes,
    supports: Codes,
    one: int,
    other: int,
    sign: int,
    found: Codes,
) -> int:
    """Add (sign 1) or remove (sign -1) an edge; write and count the vertices it concerns.

    Notes
    -----
    An edge changes the neighborhoods of its ends and of their common neighbors, and no other.
    """
    count = common_neighbors(begins, ends, neighbors, one, other, found)
    for index in range(count):
        third = np.int64(found[index])
        change_support(begins, ends, neighbors, supports, one, third, sign)
        change_support(begins, ends, neighbors, supports, third, one, sign)
        change_support(begins, ends, neighbors, supports, other, third, sign)
        change_support(begins, ends, neighbors, supports, third, other, sign)
    change_row(begins, ends, neighbors, supports, one, other, sign, count)
    change_row(begins, ends, neighbors, supports, other, one, sign, count)
    found[count] = one
    found[count + 1] = other
    return count + 2


@compiled_part
def quick_word(
    begins: Ints, ends: Ints, neighbors: Codes, supports: Codes, labels: Words, vertex: int
) -> np.uint64:
    """Give the quick fingerprint of a neighborhood."""
    word = mixed(labels[vertex]) + np.uint64(ends[vertex] - begins[vertex])
    for entry in range(begins[vertex], ends[vertex]):
        word += part(np.int64(supports[entry]), labels[neighbors[entry]])
    return word


@compiled
def quick_changes(
    begins: Ints,
    ends: Ints,
    neighbors: Codes,
    supports: Codes,
    labels: Words,
    quick: Words,
    one: int,
    other: int,
    sign: int,
    before: Words,
    after: Words,
) -> int:
    """Write the quick fingerprints an edge change would change, before and after; count them."""
    left, right, count = begins[one], begins[other], np.int64(0)
    first, second = quick[one], quick[other]
    while left < ends[one] and right < ends[other]:
        if neighbors[left] < neighbors[right]:
            left += 1
        elif neighbors[left] > neighbors[right]:
            right += 1
        else:
            # The edge closes, or opens, a triangle with each common neighbor. So the edges to it
            # have one triangle more or less, and its own neighborhood has an edge more or less.
            third = neighbors[left]
            here, there = np.int64(supports[left]), np.int64(supports[right])
            first += part(here + sign, labels[third]) - part(here, labels[third])
            second += part(there + sign, labels[third]) - part(there, labels[third])
            before[count] = quick[third]
            after[count] = (
                quick[third]
                + part(here + sign, labels[one])
                - part(here, labels[one])
                + part(there + sign, labels[other])
                - part(there, labels[other])
            )
            count += 1
            left += 1
            right += 1
    if sign > 0:
        first += part(count, labels[other]) + np.uint64(1)
        second += part(count, labels[one]) + np.uint64(1)
    else:
        first -= part(count, labels[other]) + np.uint64(1)
        second -= part(count, labels[one]) + np.uint64(1)
    before[count], after[count] = quick[one], first
    before[count + 1], after[count + 1] = quick[other], second
    return count + 2


@compiled_part
def slot_of(keys: Words, counts: Codes, word: np.uint64) -> int:
    """Find the slot of a word in a table of counts; an empty slot has the count -1."""
    mask = len(keys) - 1
    slot = np.int64(mixed(word) & np.uint64(mask))
    while counts[slot] >= 0 and keys[slot] != word:
        slot = (slot + 1) & mask
    return slot


@compiled_part
def count_word(keys: Words, counts: Codes, word: np.uint64, step: int) -> int:
    """Change the count of a word and give 1 when it is new in the table."""
    slot = slot_of(keys, counts, word)
    fresh = 0
    if counts[slot] < 0:
        keys[slot] = word
        counts[slot] = 0
        fresh = 1
    counts[slot] += step
    return fresh


@compiled_part
def class_size(keys: Words, counts: Codes, word: np.uint64) -> int:
    """Give the number of vertices with a word."""
    return max(counts[slot_of(keys, counts, word)], 0)


@compiled_part
def change_of_small(
    keys: Words, counts: Codes, before: Words, after: Words, size: int, k: int
) -> int:
    """Give how many more vertices would be in classes smaller than k."""
    # Only that equal words stand together matters, so their bits are sorted as signed numbers.
    words = np.empty(2 * size, np.int64)
    for index in range(size):
        words[index] = np.int64(before[index])
        words[size + index] = np.int64(after[index])
    order = stable_order(words)
    change = 0
    index = 0
    while index < 2 * size:
        same = words[order[index]]
        word = np.uint64(same)
        step = 0
        while index < 2 * size and words[order[index]] == same:
            step += 1 if order[index] >= size else -1
            index += 1
        if step != 0:
            old = class_size(keys, counts, word)
            new = old + step
            change += (new if new < k else 0) - (old if old < k else 0)
    return change


@compiled_part
def candidates(
    starts: Ints,
    originals: Codes,
    begins: Ints,
    ends: Ints,
    neighbors: Codes,
    vertex: int,
    adding: bool,
    removing: bool,
    small: Codes,
    pairs: Codes,
    filled: int,
    state: Words,
) -> int:
    """Write edges whose change concerns a vertex: rows (one end, other end, sign).

    Notes
    -----
    What was added is not removed again, and what was removed is not added again.
    """
    n_vertices = len(ends)
    low, size = begins[vertex], ends[vertex] - begins[vertex]
    limit = min(len(pairs), filled + MOST_PAIRS)
    if removing:
        # Where there are more edges than room, a random first one gives each its chance.
        shift = below(state, size) if size else np.int64(0)
        for step in range(size):
            member = np.int64(neighbors[low + (shift + step) % size])
            if filled == limit:
                break
            if are_adjacent(starts, originals, vertex, member):
                pairs[filled, 0] = vertex
                pairs[filled, 1] = member
                pairs[filled, 2] = -1
                filled += 1
        for step in range(size):
            member = np.int64(neighbors[low + (shift + step) % size])
            for entry in range(begins[member], ends[member]):
                other = np.int64(neighbors[entry])
                place = first_not_below(neighbors, low, low + size, other)
                # Both ends see their edge; only the smaller one lists it.
                if other > member and place < low + size and neighbors[place] == other:
                    if filled == limit:
                        break
                    if are_adjacent(starts, originals, member, other):
                        pairs[filled, 0] = member
                        pairs[filled, 1] = other
                        pairs[filled, 2] = -1
                        filled += 1
    if adding:
        limit = min(len(pairs), filled + MOST_PAIRS)
        for _ in range(MOST_PAIRS):
            if filled == limit:
                break
            one, other = vertex, below(state, n_vertices)
            # A quarter each: to a neighbor of a neighbor and between two neighbors, both of which
            # close a triangle in the neighborhood; anywhere; and to a small neighborhood.
            way = below(state, np.int64(4))
            if way == 3:
                other = np.int64(small[below(state, len(small))])
            elif size and way < 2:
                middle = np.int64(neighbors[low + below(state, size)])
                place = begins[middle] + below(state, ends[middle] - begins[middle])
                other = np.int64(neighbors[place])
            if size and way == 1:
                one = np.int64(neighbors[low + below(state, size)])
                other = np.int64(neighbors[low + below(state, size)])
            place = first_not_below(neighbors, begins[one], ends[one], other)
            if one == other or (place < ends[one] and neighbors[place] == other):
                continue
            if are_adjacent(starts, originals, one, other):
                continue
            pairs[filled, 0] = one
            pairs[filled, 1] = other
            pairs[filled, 2] = 1
            filled += 1
    return filled


@compiled_part
def pair_at(pairs: Codes, index: int) -> tuple[int, int, int]:
    """Give both ends of a pair, and the sign of its change."""
    return np.int64(pairs[index, 0]), np.int64(pairs[index, 1]), np.int64(pairs[index, 2])


@compiled
def improve(
    starts: Ints,
    originals: Codes,
    begins: Ints,
    ends: Ints,
    neighbors: Codes,
    supports: Codes,
    labels: Words,
    quick: Words,
    full: Words,
    k: int,
    adding: bool,
    removing: bool,
    steps: int,
    state: Words,
) -> tuple[int, int, int]:
    """Change edges, best first, until no class of full fingerprints is smaller than k.

    Parameters
    ----------
    starts, originals : rows at the beginning; no change is ever changed back
    begins, ends, neighbors, supports : rows with room, changed in place
    labels : (n_vertices,), a word per vertex label
    quick, full : (n_vertices,), fingerprints, changed in place
    k : least size of a class
    adding, removing : which changes are allowed
    steps : most changes

    Returns
    -------
    small : vertices in classes smaller than k; 0 when done
    changes : edges changed; fewer than ``steps`` with ``small`` above 0 means that a row is full
        or that nothing is left to change
    work : neighbors looked at, as a measure of time that no clock disturbs
    """
    n_vertices = len(ends)
    # A word that no vertex has any more keeps its slot. So the tables have room for many changes,
    # and the loop returns before they are full; whoever calls it begins again with new ones.
    bits = 6
    while (1 << bits) < 8 * n_vertices:
        bits += 1
    quick_keys, quick_counts = np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1, np.int32)
    full_keys, full_counts = np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1, np.int32)
    added, gone = np.int64(1), np.int64(-1)
    used = 0
    for vertex in range(n_vertices):
        count_word(quick_keys, quick_counts, quick[vertex], added)
        used += count_word(full_keys, full_counts, full[vertex], added)
    position = np.full(n_vertices, -1, np.int32)
    found = np.empty(n_vertices + 2, np.int32)
    before = np.empty(n_vertices + 2, np.uint64)
    after = np.empty(n_vertices + 2, np.uint64)
    pairs = np.empty((2 * MOST_PAIRS * OTHERS, 3), np.int32)
    small = np.empty(n_vertices, np.int32)
    done = 0
    work = 0
    while True:
        n_small = np.int64(0)
        work += n_vertices
        for vertex in range(n_vertices):
            if class_size(full_keys, full_counts, full[vertex]) < k:
                small[n_small] = vertex
                n_small += 1
        if n_small == 0 or done == steps or used > (3 << bits) // 4:
            return n_small, done, work
        # Large neighborhoods first: what they lose, smaller ones have less to adapt to.
        worst = np.int64(small[0])
        for place in range(1, n_small):
            vertex = np.int64(small[place])
            if ends[vertex] - begins[vertex] > ends[worst] - begins[worst]:
                worst = vertex
        if adding and not removing and below(state, np.int64(2)):
            worst = np.int64(small[below(state, n_small)])
        filled = candidates(
            starts,
            originals,
            begins,
            ends,
            neighbors,
            worst,
            adding,
            removing,
            small[:n_small],
            pairs,
            np.int64(0),
            state,
        )
        if filled == 0:
            for _ in range(OTHERS):
                vertex = below(state, n_vertices)
                filled = candidates(
                    starts,
                    originals,
                    begins,
                    ends,
                    neighbors,
                    vertex,
                    adding,
                    removing,
                    small[:n_small],
                    pairs,
                    filled,
                    state,
                )
        scores = np.empty(filled, np.float64)
        for index in range(filled):
            one, other, sign = pair_at(pairs, index)
            size = quick_changes(
                begins, ends, neighbors, supports, labels, quick, one, other, sign, before, after
            )
            work += size
            scores[index] = (
                change_of_small(quick_keys, quick_counts, before, after, size, k)
                + 1e-4 * size * sign
            )
        order = ascending(scores)
        # Of equal removals the one that concerns most vertices leaves the fewest to do.
        best, least = np.int64(-1), np.inf
        for rank in range(min(filled, FULL_TRIALS)):
            index = order[rank]
            one, other, sign = pair_at(pairs, index)
            if sign > 0 and (ends[one] == begins[one + 1] or ends[other] == begins[other + 1]):
                continue
            # Made for the trial, and undone behind it: the same change with the other sign.
            size = change_edge(begins, ends, neighbors, supports, one, other, sign, found)
            for item in range(size):
                work += ends[found[item]] - begins[found[item]]
                before[item] = full[found[item]]
                after[item] = neighborhood_word(
                    begins, ends, neighbors, np.int64(found[item]), labels, position
                )
            score = 1e-3 * size * sign + change_of_small(
                full_keys, full_counts, before, after, size, k
            )
            change_edge(begins, ends, neighbors, supports, one, other, -sign, found)
            if score < least:
                best, least = index, score
        if best < 0:
            return n_small, done, work
        one, other, sign = pair_at(pairs, best)
        size = change_edge(begins, ends, neighbors, supports, one, other, sign, found)
        for item in range(size):
            vertex = np.int64(found[item])
            count_word(quick_keys, quick_counts, quick[vertex], gone)
            count_word(full_keys, full_counts, full[vertex], gone)
            quick[vertex] = quick_word(begins, ends, neighbors, supports, labels, vertex)
            full[vertex] = neighborhood_word(begins, ends, neighbors, vertex, labels, position)
            used = max(used, 0) + count_word(quick_keys, quick_counts, quick[vertex], added)
            used += count_word(full_keys, full_counts, full[vertex], added)
        done += 1


@compiled
def take_back(
    begins: Ints,
    ends: Ints,
    neighbors: Codes,
    supports: Codes,
    labels: Words,
    full: Words,
    k: int,
    sources: Codes,
    targets: Codes,
    sign: int,
) -> int:
    """Add again (sign 1) or remove again (sign -1) edges whose change was not needed; count them.

    Parameters
    ----------
    begins, ends, neighbors, supports, full : see :func:`improve`, changed in place
    sources, targets : (n_edges,), edges to try, in turn
    """
    n_vertices = len(ends)
    bits = 6
    while (1 << bits) < 8 * (n_vertices + len(sources)):
        bits += 1
    keys, counts = np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1, np.int32)
    added, gone = np.int64(1), np.int64(-1)
    used = 0
    for word in full:
        used += count_word(keys, counts, word, added)
    position = np.full(n_vertices, -1, np.int32)
    found = np.empty(n_vertices + 2, np.int32)
    before = np.empty(n_vertices + 2, np.uint64)
    after = np.empty(n_vertices + 2, np.uint64)
    done = 0
    for index in range(len(sources)):
        one, other = np.int64(sources[index]), np.int64(targets[index])
        # A row has room up to where the next one begins. And the table of counts keeps a quarter of
        # its slots free, since the search for a word ends at a free one.
        full_rows = ends[one] == begins[one + 1] or ends[other] == begins[other + 1]
        if (sign > 0 and full_rows) or used > (3 << bits) // 4:
            continue
        size = change_edge(begins, ends, neighbors, supports, one, other, sign, found)
        for item in range(size):
            vertex = np.int64(found[item])
            before[item] = full[vertex]
            after[item] = neighborhood_word(begins, ends, neighbors, vertex, labels, position)
        if change_of_small(keys, counts, before, after, size, k) > 0:
            change_edge(begins, ends, neighbors, supports, one, other, -sign, found)
            continue
        done += 1
        for item in range(size):
            count_word(keys, counts, before[item], gone)
            used += count_word(keys, counts, after[item], added)
            full[found[item]] = after[item]
    return done


@compiled
def quick_words(
    begins: Ints, ends: Ints, neighbors: Codes, supports: Codes, labels: Words
) -> Words:
    """Give the quick fingerprint of every neighborhood."""
    words = np.empty(len(ends), np.uint64)
    for vertex in range(len(ends)):
        words[vertex] = quick_word(begins, ends, neighbors, supports, labels, vertex)
    return words


@compiled
def edges_of_rows(begins: Ints, ends: Ints, neighbors: Codes) -> tuple[Codes, Codes]:
    """List every edge of rows with room once, by its smaller end."""
    total = 0
    for vertex in range(len(ends)):
        total += ends[vertex] - begins[vertex]
    sources = np.empty(total // 2, np.int32)
    targets = np.empty(total // 2, np.int32)
    filled = 0
    for vertex in range(len(ends)):
        for entry in range(begins[vertex], ends[vertex]):
            if neighbors[entry] > vertex:
                sources[filled] = vertex
                targets[filled] = neighbors[entry]
                filled += 1
    return sources, targets
