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

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Ints, Words
from indistinct.base.compiled.kernels import compiled, compiled_part, stable_order
from indistinct.base.compiled.ordering_kernels import ascending
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
    """Return the word that a neighbor with this support adds to a quick fingerprint."""
    return mixed(np.uint64(support + 1) + label * np.uint64(0x9E3779B97F4A7C15))


class OpenRows(NamedTuple):
    """A graph under change.

    Parameters
    ----------
    begins, ends : where each row begins and ends
    neighbors, supports : the rows, and the support of each of their edges
    labels : (n_vertices,), a word per vertex label
    quick, full : (n_vertices,), fingerprints of the neighborhoods
    """

    begins: Ints
    ends: Ints
    neighbors: Codes
    supports: Codes
    labels: Words
    quick: Words
    full: Words


class WordCounts(NamedTuple):
    """How many vertices have each word, as a hash table.

    A word that no vertex has any more keeps its slot. So the table has room for many changes, and
    whoever changes edges stops before it is full.

    Parameters
    ----------
    keys, counts : the word of each slot, and how often it occurs; -1 for an empty slot
    used : (1,), slots that are not empty
    """

    keys: Words
    counts: Codes
    used: Ints


class EdgeTrial(NamedTuple):
    """What an edge change concerns.

    Parameters
    ----------
    found : the vertices that it concerns
    before, after : their fingerprints
    position : (n_vertices,), all -1 between two uses
    """

    found: Codes
    before: Words
    after: Words
    position: Codes


@compiled
def open_rows(starts: Ints, neighbors: Codes, labels: Words, full: Words, room: int) -> OpenRows:
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
    quick = np.empty(n_vertices, np.uint64)
    rows = OpenRows(begins, ends, copies, supports, labels, quick, full)
    write_quick_words(rows)
    return rows


@compiled
def write_quick_words(rows: OpenRows) -> None:
    """Write the quick fingerprint of every neighborhood."""
    for vertex in range(len(rows.ends)):
        rows.quick[vertex] = quick_word(rows, vertex)


@compiled_part
def change_support(rows: OpenRows, one: int, other: int, sign: int) -> None:
    """Change the support of an edge, seen from one end."""
    place = first_not_below(rows.neighbors, rows.begins[one], rows.ends[one], other)
    rows.supports[place] += sign


@compiled_part
def change_row(rows: OpenRows, one: int, other: int, sign: int, support: int) -> None:
    """Insert a neighbor into a row (sign 1) or take it out (sign -1)."""
    ends, neighbors, supports = rows.ends, rows.neighbors, rows.supports
    place = first_not_below(neighbors, rows.begins[one], ends[one], other)
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
def common_neighbors(rows: OpenRows, one: int, other: int, found: Codes) -> int:
    """Write the common neighbors of two vertices and give their number."""
    neighbors = rows.neighbors
    left, right, count = rows.begins[one], rows.begins[other], np.int64(0)
    while left < rows.ends[one] and right < rows.ends[other]:
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
def change_edge(rows: OpenRows, one: int, other: int, sign: int, found: Codes) -> int:
    """Add (sign 1) or remove (sign -1) an edge; write and count the vertices it concerns.

    Notes
    -----
    An edge changes the neighborhoods of its ends and of their common neighbors, and no other.
    """
    count = common_neighbors(rows, one, other, found)
    for index in range(count):
        third = np.int64(found[index])
        change_support(rows, one, third, sign)
        change_support(rows, third, one, sign)
        change_support(rows, other, third, sign)
        change_support(rows, third, other, sign)
    change_row(rows, one, other, sign, count)
    change_row(rows, other, one, sign, count)
    found[count] = one
    found[count + 1] = other
    return count + 2


@compiled_part
def quick_word(rows: OpenRows, vertex: int) -> np.uint64:
    """Return the quick fingerprint of a neighborhood."""
    begin, end = rows.begins[vertex], rows.ends[vertex]
    word = mixed(rows.labels[vertex]) + np.uint64(end - begin)
    for entry in range(begin, end):
        word += part(np.int64(rows.supports[entry]), rows.labels[rows.neighbors[entry]])
    return word


@compiled
def quick_changes(
    rows: OpenRows, one: int, other: int, sign: int, before: Words, after: Words
) -> int:
    """Write the quick fingerprints an edge change would change, before and after; count them."""
    neighbors, supports, labels, quick = rows.neighbors, rows.supports, rows.labels, rows.quick
    left, right, count = rows.begins[one], rows.begins[other], np.int64(0)
    first, second = quick[one], quick[other]
    while left < rows.ends[one] and right < rows.ends[other]:
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
def no_words(size: int) -> WordCounts:
    """Make a table with room for the words of ``size`` vertices and for many changes."""
    bits = 6
    while (1 << bits) < 8 * size:
        bits += 1
    return WordCounts(
        np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1, np.int32), np.zeros(1, np.int64)
    )


@compiled_part
def is_nearly_full(table: WordCounts) -> bool:
    """Return whether fewer than a quarter of the slots are free: a search ends at a free one."""
    return table.used[0] > 3 * len(table.keys) // 4


@compiled_part
def slot_of(table: WordCounts, word: np.uint64) -> int:
    """Find the slot of a word."""
    mask = len(table.keys) - 1
    slot = np.int64(mixed(word) & np.uint64(mask))
    while table.counts[slot] >= 0 and table.keys[slot] != word:
        slot = (slot + 1) & mask
    return slot


@compiled_part
def count_word(table: WordCounts, word: np.uint64, step: int) -> None:
    """Change the count of a word."""
    slot = slot_of(table, word)
    if table.counts[slot] < 0:
        table.keys[slot] = word
        table.counts[slot] = 0
        table.used[0] += 1
    table.counts[slot] += step


@compiled_part
def class_size(table: WordCounts, word: np.uint64) -> int:
    """Return the number of vertices with a word."""
    return max(table.counts[slot_of(table, word)], 0)


@compiled_part
def new_trial(n_vertices: int) -> EdgeTrial:
    """Make room for what an edge change concerns."""
    return EdgeTrial(
        np.empty(n_vertices + 2, np.int32),
        np.empty(n_vertices + 2, np.uint64),
        np.empty(n_vertices + 2, np.uint64),
        np.full(n_vertices, -1, np.int32),
    )


@compiled_part
def try_change(rows: OpenRows, trial: EdgeTrial, one: int, other: int, sign: int) -> int:
    """Change an edge; write the full fingerprints it changes, before and after; count them.

    To undo a trial, the same edge is changed with the other sign.
    """
    size = change_edge(rows, one, other, sign, trial.found)
    for item in range(size):
        vertex = np.int64(trial.found[item])
        trial.before[item] = rows.full[vertex]
        trial.after[item] = neighborhood_word(
            rows.begins, rows.ends, rows.neighbors, vertex, rows.labels, trial.position
        )
    return size


@compiled_part
def keep_change(rows: OpenRows, trial: EdgeTrial, full: WordCounts, size: int) -> None:
    """Let the full fingerprints that a trial changed take the place of those before it."""
    for item in range(size):
        count_word(full, trial.before[item], np.int64(-1))
        count_word(full, trial.after[item], np.int64(1))
        rows.full[trial.found[item]] = trial.after[item]


@compiled_part
def has_room(rows: OpenRows, vertex: int) -> bool:
    """Return whether a neighbor can be added: a row may grow to where the next one begins."""
    return rows.ends[vertex] < rows.begins[vertex + 1]


@compiled_part
def change_of_small(table: WordCounts, before: Words, after: Words, size: int, k: int) -> int:
    """Return how many more vertices would be in classes smaller than k."""
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
            old = class_size(table, word)
            new = old + step
            change += (new if new < k else 0) - (old if old < k else 0)
    return change


@compiled_part
def candidates(
    starts: Ints,
    originals: Codes,
    rows: OpenRows,
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
    begins, ends, neighbors = rows.begins, rows.ends, rows.neighbors
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
    """Return both ends of a pair, and the sign of its change."""
    return np.int64(pairs[index, 0]), np.int64(pairs[index, 1]), np.int64(pairs[index, 2])


@compiled
def improve(
    starts: Ints,
    originals: Codes,
    rows: OpenRows,
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
    rows : the graph under change
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
    begins, ends = rows.begins, rows.ends
    n_vertices = len(ends)
    quick, full = no_words(n_vertices), no_words(n_vertices)
    added, gone = np.int64(1), np.int64(-1)
    for vertex in range(n_vertices):
        count_word(quick, rows.quick[vertex], added)
        count_word(full, rows.full[vertex], added)
    trial = new_trial(n_vertices)
    before, after = trial.before, trial.after
    pairs = np.empty((2 * MOST_PAIRS * OTHERS, 3), np.int32)
    small = np.empty(n_vertices, np.int32)
    done = 0
    work = 0
    while True:
        n_small = np.int64(0)
        work += n_vertices
        for vertex in range(n_vertices):
            if class_size(full, rows.full[vertex]) < k:
                small[n_small] = vertex
                n_small += 1
        if n_small == 0 or done == steps or is_nearly_full(full):
            return n_small, done, work
        # Large neighborhoods first: what they lose, smaller ones have less to adapt to.
        worst = np.int64(small[0])
        for place in range(1, n_small):
            vertex = np.int64(small[place])
            if ends[vertex] - begins[vertex] > ends[worst] - begins[worst]:
                worst = vertex
        if adding and not removing and below(state, np.int64(2)):
            worst = np.int64(small[below(state, n_small)])
        vertex, filled = worst, np.int64(0)
        # Where nothing can be changed around the worst vertex, others are drawn.
        for turn in range(1 + OTHERS):
            if turn == 1 and filled:
                break
            if turn:
                vertex = below(state, n_vertices)
            filled = candidates(
                starts,
                originals,
                rows,
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
            size = quick_changes(rows, one, other, sign, before, after)
            work += size
            scores[index] = change_of_small(quick, before, after, size, k) + 1e-4 * size * sign
        order = ascending(scores)
        # Of equal removals the one that concerns most vertices leaves the fewest to do.
        best, least = np.int64(-1), np.inf
        for rank in range(min(filled, FULL_TRIALS)):
            index = order[rank]
            one, other, sign = pair_at(pairs, index)
            if sign > 0 and not (has_room(rows, one) and has_room(rows, other)):
                continue
            size = try_change(rows, trial, one, other, sign)
            for item in range(size):
                work += ends[trial.found[item]] - begins[trial.found[item]]
            score = 1e-3 * size * sign + change_of_small(full, before, after, size, k)
            change_edge(rows, one, other, -sign, trial.found)
            if score < least:
                best, least = index, score
        if best < 0:
            return n_small, done, work
        one, other, sign = pair_at(pairs, best)
        size = try_change(rows, trial, one, other, sign)
        keep_change(rows, trial, full, size)
        for item in range(size):
            vertex = np.int64(trial.found[item])
            count_word(quick, rows.quick[vertex], gone)
            rows.quick[vertex] = quick_word(rows, vertex)
            count_word(quick, rows.quick[vertex], added)
        done += 1


@compiled
def take_back(rows: OpenRows, k: int, sources: Codes, targets: Codes, sign: int) -> int:
    """Add again (sign 1) or remove again (sign -1) edges whose change was not needed; count them.

    Parameters
    ----------
    rows : the graph under change; quick fingerprints are not kept up
    sources, targets : (n_edges,), edges to try, in turn
    """
    n_vertices = len(rows.ends)
    table = no_words(n_vertices + len(sources))
    for word in rows.full:
        count_word(table, word, np.int64(1))
    trial = new_trial(n_vertices)
    done = 0
    for index in range(len(sources)):
        one, other = np.int64(sources[index]), np.int64(targets[index])
        is_full = sign > 0 and not (has_room(rows, one) and has_room(rows, other))
        if is_full or is_nearly_full(table):
            continue
        size = try_change(rows, trial, one, other, sign)
        if change_of_small(table, trial.before, trial.after, size, k) > 0:
            change_edge(rows, one, other, -sign, trial.found)
            continue
        done += 1
        keep_change(rows, trial, table, size)
    return done


@compiled
def edges_of_rows(rows: OpenRows) -> tuple[Codes, Codes]:
    """List every edge of rows with room once, by its smaller end."""
    begins, ends, neighbors = rows.begins, rows.ends, rows.neighbors
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
