"""How many vertices look alike, counted from the definitions for the verification of a release."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

# Steps of the search for an isomorphism, and of laying out all neighborhoods, before it gives up.
MOST_STEPS = 20_000
MOST_WORK = 300_000_000

NeighborSets = Sequence[set[int]]
LocalNeighbors = dict[int, set[int]]


@dataclass(frozen=True, slots=True)
class Level:
    """The size of the smallest class, as far as it could be decided.

    Parameters
    ----------
    low, high : the level is at least ``low`` and at most ``high``
    """

    low: int
    high: int

    @property
    def exact(self) -> int | None:
        """Return the level; None where it is not decided."""
        return self.low if self.low == self.high else None


def smallest(values: Sequence[Hashable]) -> int:
    """Return the size of the smallest class of equal values; 0 without values."""
    return min(Counter(values).values(), default=0)


def degree_levels(rows: NeighborSets) -> dict[str, int]:
    """Return the levels against knowledge of degrees, of neighbors' degrees, and of theirs."""
    degrees = [len(row) for row in rows]
    second = named([tuple(sorted(degrees[other] for other in row)) for row in rows])
    third = [tuple(sorted(second[other] for other in row)) for row in rows]
    return {"degree": smallest(degrees), "h2": smallest(second), "h3": smallest(third)}


def named(values: Sequence[Hashable]) -> list[int]:
    """Return numbers of values, equal ones for equal values."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]


def neighborhood_level(rows: NeighborSets, labels: Sequence[str] | None = None) -> Level:
    """Return the level against knowledge of who among somebody's neighbors are linked.

    Parameters
    ----------
    rows : neighbors of each vertex
    labels : what the vertices must share, too

    Notes
    -----
    Neighborhoods are first told apart by what any isomorphism keeps: degrees inside, then the
    colors of repeated refinement. What is left is compared by a search with backtracking, which
    gives up after ``MOST_STEPS``; classes that are not told apart are then only an upper bound.
    """
    words = labels or [""] * len(rows)
    work = sum(
        min(len(rows[one]), len(rows[other])) for one in range(len(rows)) for other in rows[one]
    )
    # Neighborhoods are laid out edge by edge: around a few hubs that would take hours.
    if work > MOST_WORK:
        return Level(1 if rows else 0, degree_levels(rows)["degree"])
    rough: dict[Hashable, list[int]] = defaultdict(list)
    for vertex in range(len(rows)):
        inside = sorted((words[other], len(rows[other] & rows[vertex])) for other in rows[vertex])
        rough[words[vertex], tuple(inside)].append(vertex)
    least = min(map(len, rough.values()), default=0)
    if least <= 1:
        return Level(least, least)
    low = high = least
    names: dict[Hashable, int] = {}
    for key, members in rough.items():
        # Stars of the same labels are isomorphic: nothing more to compare.
        if not any(count for _, count in key[1]):  # type: ignore[index] - no edge inside
            continue
        fine: dict[Hashable, list[int]] = defaultdict(list)
        for vertex in members:
            fine[refined(rows, words, vertex, names)].append(vertex)
        for same in fine.values():
            one = split(rows, words, same, names)
            low, high = min(low, one.low), min(high, one.high)
            if high == 1:
                return Level(1, 1)
    return Level(low, high)


def local_graph(rows: NeighborSets, vertex: int) -> LocalNeighbors:
    """Return the graph among the neighbors of a vertex."""
    around = rows[vertex]
    return {other: rows[other] & around for other in around}


def colors_of(
    local: LocalNeighbors, words: Sequence[str], names: dict[Hashable, int]
) -> tuple[dict[int, int], list[tuple[int, ...]]]:
    """Refine colors until no class splits: the colors, and how often each came in each round."""
    colors = {one: names.setdefault(words[one], len(names)) for one in local}
    history = [tuple(sorted(colors.values()))]
    while True:
        finer = {
            one: names.setdefault(
                (colors[one], tuple(sorted(colors[other] for other in near))), len(names)
            )
            for one, near in local.items()
        }
        history.append(tuple(sorted(finer.values())))
        if len(set(finer.values())) == len(set(colors.values())):
            return finer, history
        colors = finer


def refined(
    rows: NeighborSets, words: Sequence[str], vertex: int, names: dict[Hashable, int]
) -> Hashable:
    """Return a value that isomorphic neighborhoods share."""
    return tuple(colors_of(local_graph(rows, vertex), words, names)[1])


def split(
    rows: NeighborSets, words: Sequence[str], members: Sequence[int], names: dict[Hashable, int]
) -> Level:
    """Split vertices whose neighborhoods have the same colors by isomorphism."""
    classes: list[tuple[LocalNeighbors, dict[int, int], list[int]]] = []
    unsure = False
    for vertex in members:
        local = local_graph(rows, vertex)
        colors, _ = colors_of(local, words, names)
        for known, known_colors, found in classes:
            same = isomorphic(known, known_colors, local, colors)
            unsure |= same is None
            if same is not False:
                found.append(vertex)
                break
        else:
            classes.append((local, colors, [vertex]))
    least = min(len(found) for _, _, found in classes)
    return Level(1 if unsure else least, least)


def isomorphic(
    one: LocalNeighbors,
    one_colors: dict[int, int],
    other: LocalNeighbors,
    other_colors: dict[int, int],
) -> bool | None:
    """Return whether two colored graphs are isomorphic; None where the search was too long."""
    rarity = Counter(one_colors.values())
    order = connected_order(one, lambda vertex: (rarity[one_colors[vertex]], -len(one[vertex])))
    by_color: dict[int, list[int]] = defaultdict(list)
    for vertex, color in other_colors.items():
        by_color[color].append(vertex)
    image: dict[int, int] = {}
    choices = [iter(by_color[one_colors[order[0]]])] if order else []
    steps = 0
    while choices:
        vertex = order[len(choices) - 1]
        image.pop(vertex, None)
        taken = set(image.values())
        wanted = {image[near] for near in one[vertex] if near in image}
        for candidate in choices[-1]:
            steps += 1
            if candidate not in taken and other[candidate] & taken == wanted:
                image[vertex] = candidate
                break
        else:
            choices.pop()
            continue
        if steps > MOST_STEPS:
            return None
        if len(image) == len(order):
            return True
        choices.append(iter(by_color[one_colors[order[len(choices)]]]))
    return not order


def connected_order(local: LocalNeighbors, rank: Callable[[int], tuple[int, int]]) -> list[int]:
    """Order vertices so that each stands after a neighbor where it has one, rare ones first."""
    left = set(local)
    order: list[int] = []
    while left:
        border = {near for vertex in order[-1:] for near in local[vertex]} & left
        border = border or {near for vertex in order for near in local[vertex]} & left or left
        chosen = min(border, key=lambda vertex: (rank(vertex), vertex))
        order.append(chosen)
        left.remove(chosen)
    return order
