"""Compiled edge repair: bring every vertex to its target degree with few edge changes.

The graph under change is the input's rows, a mark on each removed entry, and a linked list of added
neighbors per vertex. A pair that is or was an edge of the input is never added again.
"""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints, Words
from indistinct.base.compiled.kernels import compiled, compiled_part, stable_order
from indistinct.graph.edges_kernels import are_adjacent, first_not_below
from indistinct.graph.random_kernels import below

TRIES = 64  # random vertices or edges that are tried before all of them are, one after the other


class Changes(NamedTuple):
    """The edge changes of one attempt, which compiled loops write into the arrays.

    Parameters
    ----------
    starts, neighbors : rows of the input, whose edges may not be added
    need : (n_vertices,), edges each vertex still needs; below 0 for those that must lose some
    targets : (n_vertices,), target degrees
    counts : (n_vertices + 2,), vertices per target degree
    removed : (2 * n_edges,), entries of the rows that are removed
    head, follow, ends : a linked list of added neighbors per vertex
    added : (1,), number of added edges
    """

    starts: Ints
    neighbors: Codes
    need: Ints
    targets: Ints
    counts: Codes
    removed: Bools
    head: Codes
    follow: Codes
    ends: Codes
    added: Ints

    @property
    def settled(self) -> bool:
        """Whether every vertex has its target degree."""
        return not self.need.any()

    @property
    def needy(self) -> Ints:
        """Vertices below their target degree."""
        return np.flatnonzero(self.need > 0)

    @property
    def surplus(self) -> Ints:
        """Vertices above their target degree."""
        return np.flatnonzero(self.need < 0)

    @property
    def size(self) -> int:
        """Edges added and removed."""
        return int(self.added[0]) + int(np.count_nonzero(self.removed)) // 2


@compiled_part
def is_blocked(changes: Changes, one: int, other: int) -> bool:
    """Return whether a pair may not be added: equal ends, an input edge, or added before."""
    if one == other or are_adjacent(changes.starts, changes.neighbors, one, other):
        return True
    # An added edge is in the lists of both ends, so that the shorter of the two lists tells. Walked
    # side by side, they end with it: a vertex with many new edges costs no more than its partner.
    left, right = changes.head[one], changes.head[other]
    while left >= 0 and right >= 0:
        if changes.ends[left] == other or changes.ends[right] == one:
            return True
        left, right = changes.follow[left], changes.follow[right]
    return False


@compiled_part
def add_edge(changes: Changes, one: int, other: int) -> None:
    """Append an edge to the lists of both its ends."""
    head, follow, ends = changes.head, changes.follow, changes.ends
    entry = 2 * changes.added[0]
    ends[entry], ends[entry + 1] = other, one
    follow[entry], follow[entry + 1] = head[one], head[other]
    head[one], head[other] = entry, entry + 1
    changes.added[0] += 1


@compiled_part
def remove_entry(changes: Changes, one: int, entry: int) -> None:
    """Mark an edge of the input removed, seen from both its ends."""
    starts, neighbors = changes.starts, changes.neighbors
    changes.removed[entry] = True
    other = np.int64(neighbors[entry])
    changes.removed[first_not_below(neighbors, starts[other], starts[other + 1], one)] = True


@compiled
def join_needy(changes: Changes, liked_starts: Ints, liked: Codes) -> None:
    """Join vertices that need edges with each other, neediest first; the others take no part.

    Parameters
    ----------
    liked_starts, liked : rows of edges that are added first, if both ends need them

    Notes
    -----
    SuperGraph of liu2008, section 5.2; without forbidden edges ConstructGraph, and with liked ones
    Priority of section 5.3. Needy vertices stand in descending order of need, in blocks;
    a partner that has lost one unit swaps with the last of its block, which keeps the order.
    """
    starts, neighbors, need = changes.starts, changes.neighbors, changes.need
    n_vertices = len(need)
    most = 0
    for vertex in range(n_vertices):
        most = max(most, need[vertex])
    if most == 0:
        return
    # The vertices that need at least ``level`` edges come first in ``order``: their number is also
    # where the block of those that need exactly ``level`` ends.
    block_end = np.zeros(most + 2, np.int64)
    for vertex in range(n_vertices):
        if need[vertex] > 0:
            block_end[need[vertex]] += 1
    for level in range(most, 0, -1):
        block_end[level] += block_end[level + 1]
    n_needy = block_end[1]
    order = np.empty(n_needy, np.int32)
    place = np.full(n_vertices, -1, np.int32)
    cursor = block_end.copy()
    for vertex in range(n_vertices - 1, -1, -1):
        if need[vertex] > 0:
            cursor[need[vertex]] -= 1
            order[cursor[need[vertex]]] = vertex
            place[vertex] = cursor[need[vertex]]
    # Who may not be joined with the current vertex bears its number: no mark need be erased.
    stamp = np.full(n_vertices, -1, np.int32)
    partners = np.empty(n_needy, np.int32)
    for first in range(n_needy):
        vertex = np.int64(order[first])
        wanted = need[vertex]
        if wanted == 0:
            break
        for entry in range(starts[vertex], starts[vertex + 1]):
            stamp[neighbors[entry]] = vertex
        entry = np.int64(changes.head[vertex])
        while entry >= 0:
            stamp[changes.ends[entry]] = vertex
            entry = changes.follow[entry]
        found = 0
        likely = liked_starts[vertex]
        urgency = np.empty(liked_starts[vertex + 1] - likely, np.int64)
        for index in range(len(urgency)):
            urgency[index] = -need[liked[likely + index]]
        for index in stable_order(urgency):
            other = liked[likely + index]
            if found == wanted or need[other] <= 0:
                break
            if stamp[other] != vertex:
                stamp[other] = vertex
                partners[found] = other
                found += 1
        for position in range(first + 1, n_needy):
            other = order[position]
            if found == wanted or need[other] == 0:
                break
            if stamp[other] != vertex:
                partners[found] = other
                found += 1
        for index in range(found - 1, -1, -1):
            other = np.int64(partners[index])
            add_edge(changes, vertex, other)
            block_end[need[other]] -= 1
            last = block_end[need[other]]
            moved = order[last]
            order[place[other]], place[moved] = moved, place[other]
            order[last], place[other] = other, last
            need[other] -= 1
        need[vertex] -= found


@compiled
def part_needy(changes: Changes, surplus: Ints) -> None:
    """Remove edges between vertices that must lose edges, those that must lose most first.

    Parameters
    ----------
    surplus : the vertices that must lose edges, those that must lose most first
    """
    starts, neighbors, need = changes.starts, changes.neighbors, changes.need
    for vertex in surplus:
        entries = np.empty(starts[vertex + 1] - starts[vertex], np.int64)
        needs = np.empty(starts[vertex + 1] - starts[vertex], np.int64)
        found = 0
        for entry in range(starts[vertex], starts[vertex + 1]):
            if need[neighbors[entry]] < 0 and not changes.removed[entry]:
                entries[found] = entry
                needs[found] = need[neighbors[entry]]
                found += 1
        for place in stable_order(needs[:found]):
            entry = entries[place]
            if need[vertex] == 0:
                break
            remove_entry(changes, vertex, entry)
            need[vertex] += 1
            need[neighbors[entry]] += 1


@compiled
def hand_over(changes: Changes, takers: Ints, givers: Ints, state: Words) -> None:
    """Move ends of edges from vertices that must lose one to vertices that need one.

    Parameters
    ----------
    takers, givers : the vertices whose need is above 0, and those below

    Notes
    -----
    Operation (+,-) of casasroma2017: an edge ``wx`` becomes ``vx``.
    """
    starts, neighbors = changes.starts, changes.neighbors
    need, removed = changes.need, changes.removed
    first = 0
    for taker in takers:
        while first < len(givers) and need[givers[first]] == 0:
            first += 1
        for position in range(first, len(givers)):
            giver = givers[position]
            begin, size = starts[giver], starts[giver + 1] - starts[giver]
            while need[taker] > 0 and need[giver] < 0 and size > 0:
                # The search begins at a random edge: which one moves does not depend on their
                # order.
                shift = below(state, size)
                chosen = np.int64(-1)
                for step in range(size):
                    entry = begin + (shift + step) % size
                    if not removed[entry] and not is_blocked(
                        changes, taker, np.int64(neighbors[entry])
                    ):
                        chosen = entry
                        break
                if chosen < 0:
                    break
                remove_entry(changes, giver, chosen)
                add_edge(changes, taker, np.int64(neighbors[chosen]))
                need[taker] -= 1
                need[giver] += 1
            if need[taker] == 0:
                break


@compiled
def lean_up(changes: Changes, needy: Ints, k: int, state: Words) -> None:
    """Add an edge between needy vertices and one whose class can spare it for the next higher one.

    Parameters
    ----------
    needy : the vertices whose need is above 0

    Notes
    -----
    A class can spare a member when it keeps k, and the next can take it when it has k already.
    """
    need, targets, counts = changes.need, changes.targets, changes.counts
    n_vertices = len(need)
    for vertex in needy:
        while need[vertex] > 0:
            chosen = np.int64(-1)
            for attempt in range(TRIES + n_vertices):
                other = below(state, n_vertices) if attempt < TRIES else attempt - TRIES
                level = targets[other]
                if (
                    counts[level] > k
                    and counts[level + 1] >= k
                    and not is_blocked(changes, vertex, other)
                ):
                    chosen = other
                    break
            if chosen < 0:
                break
            add_edge(changes, vertex, chosen)
            counts[targets[chosen]] -= 1
            targets[chosen] += 1
            counts[targets[chosen]] += 1
            need[vertex] -= 1


@compiled
def lean_down(changes: Changes, surplus: Ints, k: int, state: Words) -> None:
    """Remove an edge between vertices with a surplus and one that may go to the next lower class.

    Parameters
    ----------
    surplus : the vertices whose need is below 0
    """
    starts, neighbors, need = changes.starts, changes.neighbors, changes.need
    targets, counts = changes.targets, changes.counts
    for vertex in surplus:
        begin, size = starts[vertex], starts[vertex + 1] - starts[vertex]
        while need[vertex] < 0:
            # The other end goes to the next lower target degree. Its class can spare it if more
            # than k vertices are in it, and k vertices have the lower degree already.
            shift = below(state, size)
            chosen = np.int64(-1)
            for step in range(size):
                entry = begin + (shift + step) % size
                level = targets[neighbors[entry]]
                if (
                    not changes.removed[entry]
                    and level > 0
                    and counts[level] > k
                    and counts[level - 1] >= k
                ):
                    chosen = entry
                    break
            if chosen < 0:
                break
            remove_entry(changes, vertex, chosen)
            other = neighbors[chosen]
            counts[targets[other]] -= 1
            targets[other] -= 1
            counts[targets[other]] += 1
            need[vertex] += 1


@compiled
def detour_up(changes: Changes, needy: Ints, sources: Codes, state: Words) -> None:
    """Add two units to needy vertices by opening an edge between two others.

    Parameters
    ----------
    needy : the vertices whose need is above 0
    sources : (2 * n_edges,), the vertex whose row each entry is in

    Notes
    -----
    Operation (+,+) of casasroma2017: an edge ``xy`` becomes ``vx`` and ``wy``.
    """
    neighbors, need = changes.neighbors, changes.need
    n_entries = len(neighbors)
    low, high = 0, len(needy) - 1
    while low <= high:
        one = needy[low]
        if need[one] == 0:
            low += 1
            continue
        while high > low and need[needy[high]] == 0:
            high -= 1
        other = needy[high]
        if one == other and need[one] < 2:
            return
        if not is_blocked(changes, one, other):
            add_edge(changes, one, other)
            need[one] -= 1
            need[other] -= 1
            continue
        chosen = np.int64(-1)
        shift = below(state, n_entries) if n_entries else np.int64(0)
        for attempt in range(n_entries):
            # Random first, then one after the other.
            entry = below(state, n_entries) if attempt < TRIES else (shift + attempt) % n_entries
            left, right = np.int64(sources[entry]), np.int64(neighbors[entry])
            if (
                not changes.removed[entry]
                and right != one
                and left != other
                and not is_blocked(changes, one, left)
                and not is_blocked(changes, other, right)
            ):
                chosen = entry
                break
        if chosen < 0:
            low += 1
            continue
        left, right = np.int64(sources[chosen]), np.int64(neighbors[chosen])
        remove_entry(changes, left, chosen)
        add_edge(changes, one, left)
        add_edge(changes, other, right)
        need[one] -= 1
        need[other] -= 1


@compiled
def detour_down(changes: Changes, surplus: Ints, state: Words) -> None:
    """Remove two units from vertices with a surplus by closing an edge between their neighbors.

    Parameters
    ----------
    surplus : the vertices whose need is below 0

    Notes
    -----
    Operation (-,-) of casasroma2017: edges ``vx`` and ``wy`` become ``xy``.
    """
    starts, neighbors = changes.starts, changes.neighbors
    need, removed = changes.need, changes.removed
    low, high = 0, len(surplus) - 1
    # Vertices before ``low`` and behind ``high`` need nothing more, or no edge was found for them.
    while low <= high:
        one = surplus[low]
        if need[one] == 0:
            low += 1
            continue
        while high > low and need[surplus[high]] == 0:
            high -= 1
        other = surplus[high]
        # One vertex alone can give up two units, by two of its edges, but not one.
        if one == other and need[one] > -2:
            return
        first, second = np.int64(-1), np.int64(-1)
        begin, size = starts[one], starts[one + 1] - starts[one]
        start, width = starts[other], starts[other + 1] - starts[other]
        shift, turn = below(state, size), below(state, width)
        for step in range(size):
            entry = begin + (shift + step) % size
            left = np.int64(neighbors[entry])
            if removed[entry] or left == other:
                continue
            for pace in range(width):
                opposite = start + (turn + pace) % width
                right = np.int64(neighbors[opposite])
                if not removed[opposite] and right != one and not is_blocked(changes, left, right):
                    first, second = entry, opposite
                    break
            if first >= 0:
                break
        if first < 0:
            low += 1
            continue
        remove_entry(changes, one, first)
        remove_entry(changes, other, second)
        left, right = np.int64(neighbors[first]), np.int64(neighbors[second])
        add_edge(changes, left, right)
        need[one] += 1
        need[other] += 1


@compiled
def force_up(changes: Changes, needy: Ints, order: Ints) -> None:
    """Add edges between needy vertices and others in turn, whatever that does to their classes.

    Parameters
    ----------
    needy : the vertices whose need is above 0
    order : vertices that may be touched, those that come first are touched first
    """
    turn = 0
    for vertex in needy:
        for _ in range(len(order)):
            if changes.need[vertex] == 0:
                break
            other = order[turn % len(order)]
            turn += 1
            if not is_blocked(changes, vertex, other):
                add_edge(changes, vertex, other)
                changes.need[vertex] -= 1


@compiled_part
def put_in_row(starts: Ints, neighbors: Codes, vertex: int, old: int, new: int) -> None:
    """Replace a neighbor in an unsorted row."""
    for entry in range(starts[vertex], starts[vertex + 1]):
        if neighbors[entry] == old:
            neighbors[entry] = new
            return


@compiled
def swap_ends(
    starts: Ints,
    neighbors: Codes,
    liked_starts: Ints,
    liked: Codes,
    sources: Codes,
    targets: Codes,
    passes: int,
) -> None:
    """Swap ends of edges so that wanted edges come about; degrees stay.

    Parameters
    ----------
    starts, neighbors : rows of the graph, changed in place and then unsorted
    liked_starts, liked : rows of the wanted graph
    sources, targets : (n_wanted,), its edges, in the order they are tried
    passes : most times all of them are tried

    Notes
    -----
    For a wanted edge ab that is missing, unwanted edges ac and bd become ab and cd. Each swap
    gains at least one wanted edge.
    """
    n_vertices = np.int64(len(starts) - 1)
    # An edge is one number, lower end * n_vertices + higher end; -1 only tells the type of the set.
    edges = {np.int64(-1)}
    for vertex in range(n_vertices):
        for entry in range(starts[vertex], starts[vertex + 1]):
            if neighbors[entry] > vertex:
                edges.add(vertex * n_vertices + neighbors[entry])
    for _ in range(passes):
        gained = False
        for index in range(len(sources)):
            one, other = np.int64(sources[index]), np.int64(targets[index])
            if min(one, other) * n_vertices + max(one, other) in edges:
                continue
            first, second = np.int64(-1), np.int64(-1)
            for left in neighbors[starts[one] : starts[one + 1]]:
                if are_adjacent(liked_starts, liked, one, np.int64(left)):
                    continue
                for right in neighbors[starts[other] : starts[other + 1]]:
                    key = np.int64(min(left, right)) * n_vertices + max(left, right)
                    if (
                        left != right
                        and key not in edges
                        and not are_adjacent(liked_starts, liked, other, np.int64(right))
                    ):
                        first, second = np.int64(left), np.int64(right)
                        break
                if first >= 0:
                    break
            if first < 0:
                continue
            edges.remove(min(one, first) * n_vertices + max(one, first))
            edges.remove(min(other, second) * n_vertices + max(other, second))
            edges.add(min(one, other) * n_vertices + max(one, other))
            edges.add(min(first, second) * n_vertices + max(first, second))
            put_in_row(starts, neighbors, one, first, other)
            put_in_row(starts, neighbors, other, second, one)
            put_in_row(starts, neighbors, first, one, second)
            put_in_row(starts, neighbors, second, other, first)
            gained = True
        if not gained:
            break


@compiled
def changed_edges(changes: Changes) -> tuple[Codes, Codes]:
    """List the edges that were kept, then the added ones: two arrays."""
    starts, neighbors, removed = changes.starts, changes.neighbors, changes.removed
    n_added = changes.added[0]
    n_kept = 0
    for entry in range(len(neighbors)):
        if not removed[entry]:
            n_kept += 1
    n_kept //= 2
    sources = np.empty(n_kept + n_added, np.int32)
    targets = np.empty(n_kept + n_added, np.int32)
    filled = 0
    for vertex in range(len(starts) - 1):
        for entry in range(starts[vertex], starts[vertex + 1]):
            if neighbors[entry] > vertex and not removed[entry]:
                sources[filled] = vertex
                targets[filled] = neighbors[entry]
                filled += 1
    for edge in range(n_added):
        sources[filled] = changes.ends[2 * edge + 1]
        targets[filled] = changes.ends[2 * edge]
        filled += 1
    return sources, targets
