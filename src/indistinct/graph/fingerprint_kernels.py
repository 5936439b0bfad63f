"""Compiled fingerprints: color refinement, and neighborhoods compared up to isomorphism."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Ints, Words
from indistinct.base.compiled.kernels import compiled, compiled_part, stable_order, with_room
from indistinct.graph.edges_kernels import are_adjacent, first_not_below

# Odd, so that no two words are mixed to one. Fixed, so that every process finds the same words.
FIRST = np.uint64(0xA0761D6478BD642F)
SECOND = np.uint64(0xE7037ED1A0B428DB)
# How far a color looks. Neighborhoods are small, so that further rounds tell few more apart.
ROUNDS = 4


@compiled_part
def mixed(word: np.uint64) -> np.uint64:
    """Spread the bits of a word."""
    word = (word ^ (word >> np.uint64(32))) * FIRST
    word = (word ^ (word >> np.uint64(29))) * SECOND
    return word ^ (word >> np.uint64(32))


@compiled
def refine(starts: Ints, neighbors: Codes, colors: Codes, n_colors: int) -> tuple[Codes, int]:
    """Color each vertex by the multiset of its neighbors' colors, exactly.

    Parameters
    ----------
    starts, neighbors : rows of the graph
    colors : (n_vertices,), 0 <= color < n_colors

    Returns
    -------
    colors : (n_vertices,), numbered in order of first appearance
    n_colors : how many there are

    Notes
    -----
    Handing out colors in ascending order leaves every row sorted; rows are then compared whole, so
    a collision of hashes costs time only. O(n_vertices + n_edges) expected.
    """
    n_vertices = len(starts) - 1
    begins = np.zeros(n_colors + 1, np.int64)
    for vertex in range(n_vertices):
        begins[colors[vertex] + 1] += 1
    for color in range(n_colors):
        begins[color + 1] += begins[color]
    by_color = np.empty(n_vertices, np.int32)
    for vertex in range(n_vertices):
        by_color[begins[colors[vertex]]] = vertex
        begins[colors[vertex]] += 1
    cursor = np.empty(n_vertices, np.int64)
    for vertex in range(n_vertices):
        cursor[vertex] = starts[vertex]
    rows = np.empty(len(neighbors), np.int32)
    for vertex in by_color:
        color = colors[vertex]
        for entry in range(starts[vertex], starts[vertex + 1]):
            other = neighbors[entry]
            rows[cursor[other]] = color
            cursor[other] += 1
    return group_rows_of(starts, rows)


@compiled_part
def group_rows_of(starts: Ints, rows: Codes) -> tuple[Codes, int]:
    """Return numbers of rows such that equal rows, and only those, share a number."""
    n_rows = len(starts) - 1
    bits = 4
    while (1 << bits) < 2 * n_rows:
        bits += 1
    mask = np.uint64((1 << bits) - 1)
    table = np.full(1 << bits, -1, np.int32)
    labels = np.empty(n_rows, np.int32)
    first = np.empty(n_rows, np.int32)
    words = np.empty(n_rows, np.uint64)
    n_groups = 0
    for row in range(n_rows):
        length = starts[row + 1] - starts[row]
        word = mixed(np.uint64(length + 1))
        for entry in range(starts[row], starts[row + 1]):
            word = mixed(word + np.uint64(rows[entry]))
        slot = word & mask
        while True:
            group = table[slot]
            if group < 0:
                table[slot] = n_groups
                first[n_groups] = row
                words[n_groups] = word
                labels[row] = n_groups
                n_groups += 1
                break
            # Equal words are only a hint: rows are compared entry by entry, so that no accident of
            # the hash puts two different rows together.
            other = first[group]
            same = words[group] == word and starts[other + 1] - starts[other] == length
            index = 0
            while same and index < length:
                same = rows[starts[row] + index] == rows[starts[other] + index]
                index += 1
            if same:
                labels[row] = group
                break
            slot = (slot + np.uint64(1)) & mask
    return labels, n_groups


@compiled_part
def local_graph(
    begins: Ints, ends: Ints, neighbors: Codes, vertex: int, position: Codes
) -> tuple[Ints, Codes]:
    """Return the subgraph among the neighbors of a vertex, which itself is left out.

    Parameters
    ----------
    begins, ends, neighbors : rows of the graph
    vertex : whose neighborhood
    position : (n_vertices,), all -1, and again when the function ends

    Returns
    -------
    starts, others : rows of the subgraph; its vertices are numbered as in the row of ``vertex``
    """
    begin, size = begins[vertex], ends[vertex] - begins[vertex]
    for index in range(size):
        position[neighbors[begin + index]] = index
    starts = np.zeros(size + 1, np.int64)
    others = np.empty(4 * size + 4, np.int32)
    filled = 0
    for index in range(size):
        member = neighbors[begin + index]
        low, high = begins[member], ends[member]
        # To read the whole row of a vertex with very many neighbors takes longer than to look each
        # of the few up in it.
        if high - low > 16 * size:
            for entry in range(size):
                other = np.int64(neighbors[begin + entry])
                place = first_not_below(neighbors, low, high, other)
                if place < high and neighbors[place] == other:
                    if filled == len(others):
                        others = with_room(others)
                    others[filled] = entry
                    filled += 1
        else:
            for entry in range(low, high):
                place = position[neighbors[entry]]
                if place >= 0:
                    if filled == len(others):
                        others = with_room(others)
                    others[filled] = place
                    filled += 1
        starts[index + 1] = filled
    for index in range(size):
        position[neighbors[begin + index]] = -1
    return starts, others[:filled]


@compiled_part
def local_words(begins: Ints, others: Codes, labels: Words, members: Codes) -> Words:
    """Color the vertices of a small graph by words that do not depend on their order.

    Parameters
    ----------
    begins, others : rows of the graph
    labels, members : a word per vertex label of the whole graph, and its vertices that the small
        one has: (n,)

    Notes
    -----
    Equal up to isomorphism for equal graphs; different graphs may agree.
    """
    size = len(begins) - 1
    words = np.empty(size, np.uint64)
    for index in range(size):
        degree = np.uint64(begins[index + 1] - begins[index])
        words[index] = mixed(labels[members[index]] + mixed(degree))
    for _ in range(ROUNDS):
        fresh = np.empty(size, np.uint64)
        for index in range(size):
            total = np.uint64(0)
            for entry in range(begins[index], begins[index + 1]):
                total += mixed(words[others[entry]])
            fresh[index] = mixed(words[index] * FIRST + total)
        words = fresh
    return words


@compiled_part
def summary(words: Words, n_entries: int, root: np.uint64) -> np.uint64:
    """Sum up the colors of a small graph in one word."""
    total = np.uint64(0)
    for word in words:
        total += mixed(word)
    return mixed(
        total + mixed(np.uint64(len(words) * 2 + 1)) + np.uint64(n_entries) * SECOND + root
    )


@compiled_part
def neighborhood_word(
    begins: Ints, ends: Ints, neighbors: Codes, vertex: int, labels: Words, position: Codes
) -> np.uint64:
    """Return a word that is equal for vertices with isomorphic (labeled) neighborhoods."""
    starts, others = local_graph(begins, ends, neighbors, vertex, position)
    members = neighbors[begins[vertex] : ends[vertex]]
    words = local_words(starts, others, labels, members)
    return summary(words, len(others), mixed(labels[vertex]))


@compiled
def neighborhood_words(starts: Ints, neighbors: Codes, labels: Words, members: Ints) -> Words:
    """Return the word of the neighborhood of each of some vertices: (n_members,)."""
    position = np.full(len(starts) - 1, -1, np.int32)
    words = np.empty(len(members), np.uint64)
    for index, vertex in enumerate(members):
        words[index] = neighborhood_word(
            starts[:-1], starts[1:], neighbors, vertex, labels, position
        )
    return words


@compiled_part
def word_order(words: Words) -> Ints:
    """List the places of words so that equal words stand together, as they stand: (n,)."""
    keys = np.empty(len(words), np.int64)
    for index in range(len(words)):
        keys[index] = np.int64(words[index])
    return stable_order(keys)


@compiled_part
def are_isomorphic(
    begins: Ints,
    others: Codes,
    words: Words,
    begins_two: Ints,
    others_two: Codes,
    words_two: Words,
    budget: int,
) -> int:
    """Decide whether two small graphs are isomorphic by a mapping that respects words.

    Parameters
    ----------
    begins, others, words : rows of a graph and its order-free colors, which include its labels
    begins_two, others_two, words_two : the same of the other
    budget : most candidate pairs to look at

    Returns
    -------
    1 yes, 0 no, -1 not decided within the budget

    Notes
    -----
    Backtracking over vertices in an order that stays connected and begins with rare colors.
    """
    size = len(words)
    if size != len(words_two) or len(others) != len(others_two):
        return 0
    by_word_one, by_word = word_order(words), word_order(words_two)
    # The run of equal words that a vertex's word has in ``by_word``, and how long that is.
    lows = np.empty(size, np.int64)
    rarity = np.empty(size, np.int64)
    begin = 0
    while begin < size:
        word = words_two[by_word[begin]]
        end = begin
        while end < size and words_two[by_word[end]] == word:
            if words[by_word_one[end]] != word:
                return 0
            end += 1
        for place in range(begin, end):
            lows[by_word_one[place]] = begin
            rarity[by_word_one[place]] = end - begin
        begin = end
    order = np.empty(size, np.int64)
    parent = np.full(size, -1, np.int64)
    placed = np.zeros(size, np.int32)
    filled, head = 0, 0
    for seed in stable_order(rarity):
        if placed[seed]:
            continue
        placed[seed] = 1
        order[filled] = seed
        filled += 1
        while head < filled:
            here = order[head]
            head += 1
            for entry in range(begins[here], begins[here + 1]):
                other = others[entry]
                if not placed[other]:
                    placed[other] = 1
                    parent[other] = here
                    order[filled] = other
                    filled += 1
    # Invariant: the first ``depth`` vertices of ``order`` have an ``image``, with ``origin`` its
    # inverse, that keeps words, degrees and edges among them; ``cursor`` says which candidates of
    # each depth were tried.
    image = np.full(size, -1, np.int64)
    origin = np.full(size, -1, np.int64)
    cursor = np.zeros(size + 1, np.int64)
    depth = 0
    while depth < size:
        vertex = order[depth]
        if image[vertex] >= 0:
            origin[image[vertex]] = -1
            image[vertex] = -1
        if parent[vertex] >= 0:
            root = image[parent[vertex]]
            low, high = begins_two[root], begins_two[root + 1]
        else:
            low = lows[vertex]
            high = low + rarity[vertex]
        chosen = np.int64(-1)
        while low + cursor[depth] < high:
            place = low + cursor[depth]
            cursor[depth] += 1
            budget -= 1
            if budget < 0:
                return -1
            candidate = np.int64(others_two[place]) if parent[vertex] >= 0 else by_word[place]
            if origin[candidate] >= 0 or words_two[candidate] != words[vertex]:
                continue
            if begins_two[candidate + 1] - begins_two[candidate] != (
                begins[vertex + 1] - begins[vertex]
            ):
                continue
            mapped, fits = 0, True
            for entry in range(begins[vertex], begins[vertex + 1]):
                target = image[others[entry]]
                if target >= 0:
                    mapped += 1
                    if not are_adjacent(begins_two, others_two, candidate, target):
                        fits = False
                        break
            if not fits:
                continue
            for entry in range(begins_two[candidate], begins_two[candidate + 1]):
                if origin[others_two[entry]] >= 0:
                    mapped -= 1
            if mapped == 0:
                chosen = candidate
                break
        if chosen >= 0:
            image[vertex] = chosen
            origin[chosen] = vertex
            depth += 1
            cursor[depth] = 0
        else:
            depth -= 1
            if depth < 0:
                return 0
    return 1


@compiled_part
def same_neighborhood(
    starts: Ints,
    neighbors: Codes,
    labels: Words,
    one: int,
    other: int,
    position: Codes,
    budget: int,
) -> int:
    """Decide whether two vertices have isomorphic (labeled) neighborhoods: 1, 0, -1 undecided."""
    if labels[one] != labels[other]:
        return 0
    begins, others = local_graph(starts[:-1], starts[1:], neighbors, one, position)
    begins_two, others_two = local_graph(starts[:-1], starts[1:], neighbors, other, position)
    members = neighbors[starts[one] : starts[one + 1]]
    words = local_words(begins, others, labels, members)
    members = neighbors[starts[other] : starts[other + 1]]
    words_two = local_words(begins_two, others_two, labels, members)
    return are_isomorphic(begins, others, words, begins_two, others_two, words_two, budget)


@compiled
def split_by_isomorphism(
    starts: Ints,
    neighbors: Codes,
    labels: Words,
    members: Ints,
    words: Words,
    order: Ints,
    budget: int,
) -> tuple[Codes, int, int]:
    """Return numbers of vertices such that isomorphic neighborhoods, and only those, share one.

    Parameters
    ----------
    starts, neighbors : rows of the graph
    labels : (n_vertices,), a word per vertex label
    members, words : (n_members,), vertices, and the words of their neighborhoods
    order : (n_members,), places of the members by ascending word
    budget : most candidate pairs per comparison

    Returns
    -------
    classes : (n_members,)
    n_classes : how many
    n_undecided : vertices that were put into a class of their own because a comparison took longer
    """
    position = np.full(len(starts) - 1, -1, np.int32)
    classes = np.full(len(members), -1, np.int32)
    first = np.empty(len(members), np.int64)
    n_classes, n_undecided, base = 0, 0, 0
    for rank in range(len(members)):
        index = order[rank]
        vertex = members[index]
        # Isomorphic neighborhoods have the same word, so only the classes of this word have to be
        # compared. They begin at ``base``.
        if rank == 0 or words[index] != words[order[rank - 1]]:
            base = n_classes
        undecided = False
        for group in range(base, n_classes):
            verdict = same_neighborhood(
                starts, neighbors, labels, first[group], vertex, position, budget
            )
            if verdict == 1:
                classes[index] = group
                break
            undecided = undecided or verdict < 0
        if classes[index] < 0:
            classes[index] = n_classes
            first[n_classes] = vertex
            n_classes += 1
            n_undecided += undecided
    return classes, n_classes, n_undecided
