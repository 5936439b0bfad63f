"""Definitions, written as slowly and plainly as possible."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from scipy.optimize import linprog

from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import PlainClass, PlainColumn, Problem


def plain_column(column) -> PlainColumn:
    """Return a sensitive column as a reader of the file sees it, one root above all."""
    hierarchy = column.hierarchy.with_root()
    paths = {
        value: [
            hierarchy.labels[level][hierarchy.codes[level, index]]
            for level in range(1, hierarchy.n_levels)
        ]
        for index, value in enumerate(hierarchy.values)
    }
    counts = dict(zip(column.values, column.counts.tolist(), strict=True))
    return PlainColumn(counts, list(column.values), {}, paths)


def plain_classes(classes: EquivalenceClasses) -> list[PlainClass]:
    """Give each class as a reader of the file counts it."""
    table = {name: plain_column(column) for name, column in classes.sensitive.items()}
    plain = []
    for index, size in enumerate(classes.sizes.tolist()):
        counts = {}
        for name, found in classes.value_counts.items():
            run = slice(found.starts[index], found.starts[index + 1])
            values = [classes.sensitive[name].values[value] for value in found.values[run]]
            counts[name] = dict(zip(values, found.counts[run].tolist(), strict=True))
        plain.append(PlainClass(size, counts, table, classes.sizes.tolist()))
    return plain


def within(model, measure: float) -> bool:
    """Compare a measure with a model's bound, with a slack for rounding."""
    slack = 1e-12 * max(1.0, abs(model.bound))
    if model.strict:
        return measure > model.bound + slack if model.grows else measure < model.bound - slack
    return measure >= model.bound - slack if model.grows else measure <= model.bound + slack


def earth_movers(class_shares, table_shares, distances) -> float:
    """Solve the transport of a class's distribution to the table's as a linear program."""
    n_values = len(class_shares)
    leaves = np.kron(np.eye(n_values), np.ones(n_values))
    arrives = np.kron(np.ones(n_values), np.eye(n_values))
    solved = linprog(
        np.asarray(distances).ravel(),
        A_eq=np.vstack([leaves, arrives]),
        b_eq=np.concatenate([class_shares, table_shares]),
        method="highs",
    )
    return float(solved.fun)


def ground_distances(kind: str, column: PlainColumn) -> list[list[float]]:
    """Return the distance between any two values: equal, by rank, or by their common ancestor."""
    values = list(column.order)
    if kind == "equal":
        return [[float(a != b) for b in values] for a in values]
    if kind == "ordered":
        steps = max(len(values) - 1, 1)
        return [[abs(i - j) / steps for j in range(len(values))] for i in range(len(values))]
    return [[_common_level(column.paths, a, b) for b in values] for a in values]


def _common_level(paths: Mapping, first: str, second: str) -> float:
    """Return the level of the lowest common ancestor / height."""
    above, other = [first, *paths[first]], [second, *paths[second]]
    lowest = next(level for level in range(len(above)) if above[level:] == other[level:])
    return lowest / max(len(above) - 1, 1)


def _shares(one: PlainClass, column: str) -> list[float]:
    return [count / one.size for count in one.counts[column].values()]


def _tail(model, one: PlainClass) -> float:
    counts = sorted(one.counts[model.column].values(), reverse=True)
    tail = sum(counts[model.l - 1 :])
    return counts[0] / tail if tail else math.inf


def _closeness(model, one: PlainClass) -> float:
    column = one.table[model.column]
    total = sum(column.counts.values())
    return earth_movers(
        [one.counts[model.column].get(value, 0) / one.size for value in column.order],
        [column.counts[value] / total for value in column.order],
        ground_distances(model.distance, column),
    )


MODEL_DEFINITIONS = {
    "k-anonymity": lambda _, one: one.size,
    "distinct-l-diversity": lambda model, one: len(one.counts[model.column]),
    "probabilistic-l-diversity": lambda model, one: 1 / max(_shares(one, model.column)),
    "entropy-l-diversity": lambda model, one: math.prod(
        share**-share for share in _shares(one, model.column)
    ),
    "recursive-cl-diversity": _tail,
    "t-closeness": _closeness,
}


@dataclass(frozen=True)
class Group:
    """One class of a lattice node: its released cells, and who is in it."""

    cells: tuple[str, ...]
    size: int
    plain: PlainClass
    leaves: tuple[float, ...]
    values: tuple[Mapping[int, int], ...]  # per column, records per original value


def groups_at(problem: Problem, node) -> list[Group]:
    """Group the records of a problem by their labels at a node."""
    members = defaultdict(list)
    for index in range(problem.table.n_tuples):
        members[_cells(problem, node, index)].append(index)
    table = {name: plain_column(column) for name, column in problem.table.sensitive.items()}
    return [_group(problem, node, cells, indices, table) for cells, indices in members.items()]


def _cells(problem: Problem, node, index: int) -> tuple[str, ...]:
    return tuple(
        hierarchy.labels[level][hierarchy.codes[level, problem.table.codes[index, column]]]
        for column, (hierarchy, level) in enumerate(zip(problem.hierarchies, node, strict=True))
    )


def _group(problem: Problem, node, cells, indices, table) -> Group:
    weights = {index: int(problem.table.weights[index]) for index in indices}
    counts = {}
    for name, codes in problem.table.sensitive_codes.items():
        counter = Counter()
        for index, weight in weights.items():
            counter[problem.table.sensitive[name].values[codes[index]]] += weight
        counts[name] = dict(counter)
    values = []
    for column in range(problem.table.n_columns):
        counter = Counter()
        for index, weight in weights.items():
            counter[int(problem.table.codes[index, column])] += weight
        values.append(counter)
    leaves = tuple(
        float(hierarchy.extents[level][hierarchy.labels[level].index(cell)])
        for hierarchy, level, cell in zip(problem.hierarchies, node, cells, strict=True)
    )
    size = sum(weights.values())
    return Group(cells, size, PlainClass(size, counts, table), leaves, tuple(values))


def is_released(problem: Problem, group: Group) -> bool:
    """Return whether a class satisfies every model."""
    return all(within(model, model.measure_plainly(group.plain)) for model in problem.models)


def _combined(problem: Problem, losses: list[float]) -> float:
    weighted = [
        loss * weight for loss, weight in zip(losses, problem.objective.weights, strict=True)
    ]
    if problem.objective.aggregate.name == "sum":
        return sum(weighted)
    if problem.objective.aggregate.name == "maximum":
        return max(weighted)
    if problem.objective.aggregate.name == "geometric-mean":
        return math.prod(1 + loss for loss in weighted) ** (1 / len(weighted)) - 1
    return sum(weighted) / len(weighted)


def _mean_cells(problem: Problem, groups, cell) -> float:
    n_records = problem.table.n_records
    return _combined(
        problem,
        [
            sum(
                group.size * (cell(column, group) if is_released(problem, group) else 1.0)
                for group in groups
            )
            / n_records
            for column in range(problem.table.n_columns)
        ],
    )


def _loss(problem: Problem, node, groups) -> float:
    def cell(column: int, group: Group) -> float:
        domain = problem.hierarchies[column].domain
        return 0.0 if domain <= 1 else (group.leaves[column] - 1) / (domain - 1)

    return _mean_cells(problem, groups, cell)


def _ncp(problem: Problem, node, groups) -> float:
    def cell(column: int, group: Group) -> float:
        leaves = group.leaves[column]
        return 0.0 if leaves == 1 else leaves / problem.hierarchies[column].domain

    return _mean_cells(problem, groups, cell)


def _precision(problem: Problem, node, groups) -> float:
    def cell(column: int, group: Group) -> float:
        height = problem.hierarchies[column].height
        return node[column] / height if height else 0.0

    return _mean_cells(problem, groups, cell)


def _height(problem: Problem, node, groups) -> float:
    return _combined(problem, [float(level) for level in node])


def _unsuppressed_precision(problem: Problem, node, groups) -> float:
    heights = [hierarchy.height for hierarchy in problem.hierarchies]
    levels = zip(node, heights, strict=True)
    return _combined(problem, [level / height if height else 0.0 for level, height in levels])


def _records_of(problem: Problem, node, groups, column: int):
    """List, per record: its value, the counts of the values its cell covers, and its release."""
    of_cell = defaultdict(Counter)
    for group in groups:
        of_cell[group.cells[column]].update(group.values[column])
    for group in groups:
        for value, count in group.values[column].items():
            covered = of_cell[group.cells[column]]
            for _ in range(count):
                yield value, covered, is_released(problem, group)


def _entropy(counts: Counter) -> float:
    total = sum(counts.values())
    return -sum(count / total * math.log2(count / total) for count in counts.values())


def _whole(groups, column: int) -> Counter:
    counts = Counter()
    for group in groups:
        counts.update(group.values[column])
    return counts


def _entropies(problem: Problem, node, groups, *, weighted: bool) -> float:
    losses = []
    for column in range(problem.table.n_columns):
        whole = _whole(groups, column)
        bits = 0.0
        for _, covered, kept in _records_of(problem, node, groups, column):
            under = covered if kept else whole
            share = sum(under.values()) / sum(whole.values()) if weighted else 1.0
            bits += share * _entropy(under)
        losses.append(bits)
    return _combined(problem, losses)


def entropy_loss(problem: Problem, node, groups) -> float:
    return _entropies(problem, node, groups, weighted=False)


def _monotone_entropy(problem: Problem, node, groups) -> float:
    return _entropies(problem, node, groups, weighted=True)


def _mutual_information(problem: Problem, node, groups) -> float:
    losses = []
    for column in range(problem.table.n_columns):
        whole = _whole(groups, column)
        bits = [
            -math.log2(under[value] / sum(under.values()))
            for value, covered, kept in _records_of(problem, node, groups, column)
            for under in [covered if kept else whole]
        ]
        losses.append(sum(bits) / len(bits))
    return _combined(problem, losses)


def _normalized_entropy(problem: Problem, node, groups) -> float:
    losses = _lost_bits(problem, groups)
    for column in range(problem.table.n_columns):
        whole = _whole(groups, column)
        if len(whole) > 1:
            losses[column] /= sum(whole.values()) * _entropy(whole)
    return _combined(problem, losses)


def _monotone_non_uniform_entropy(problem: Problem, node, groups) -> float:
    return _combined(problem, _lost_bits(problem, groups, hides=False))


def _volume(problem: Problem, group: Group) -> float:
    """Count the leaves of a region, those of the hierarchies that the data lack included."""
    return math.prod(group.leaves)


def _ambiguity(problem: Problem, node, groups) -> float:
    whole = math.prod(hierarchy.domain for hierarchy in problem.hierarchies)
    return sum(
        group.size * (_volume(problem, group) if is_released(problem, group) else whole)
        for group in groups
    )


def _divergence(problem: Problem, node, groups) -> float:
    n_records = problem.table.n_records
    whole = math.prod(hierarchy.domain for hierarchy in problem.hierarchies)
    n_hidden = sum(group.size for group in groups if not is_released(problem, group))
    tuples = defaultdict(lambda: [0, None])
    for index in range(problem.table.n_tuples):
        key = tuple(problem.table.codes[index].tolist())
        tuples[key][0] += int(problem.table.weights[index])
        tuples[key][1] = _cells(problem, node, index)
    by_cells = {group.cells: group for group in groups}
    divergence = 0.0
    for count, cells in tuples.values():
        group = by_cells[cells]
        guess = group.size / n_records / _volume(problem, group)
        if not is_released(problem, group):
            guess = n_hidden / n_records / whole
        divergence += count / n_records * math.log2(count / n_records / guess)
    return divergence


def _non_uniform_entropy(problem: Problem, node, groups) -> float:
    return _combined(problem, _lost_bits(problem, groups))


def _lost_bits(problem: Problem, groups, *, hides: bool = True) -> list[float]:
    losses = []
    for column in range(problem.table.n_columns):
        of_value, of_cell, hidden = Counter(), Counter(), Counter()
        for group in groups:
            of_cell[group.cells[column]] += group.size
            of_value.update(group.values[column])
            if hides and not is_released(problem, group):
                hidden[group.cells[column]] += group.size
        bits = 0.0
        for group in groups:
            for value, count in group.values[column].items():
                bits -= count * math.log2(of_value[value] / of_cell[group.cells[column]])
        for count in hidden.values():
            bits -= count * math.log2(count / sum(hidden.values()))
        losses.append(bits)
    return losses


def _discernibility(problem: Problem, node, groups) -> float:
    return sum(
        group.size**2 if is_released(problem, group) else group.size * problem.table.n_records
        for group in groups
    )


def _average_class_size(problem: Problem, node, groups) -> float:
    kept = sum(is_released(problem, group) for group in groups)
    return problem.table.n_records / (kept + (kept < len(groups)))


METRIC_DEFINITIONS = {
    "loss": _loss,
    "ncp": _ncp,
    "precision": _precision,
    "height": _height,
    "non-uniform-entropy": _non_uniform_entropy,
    "discernibility": _discernibility,
    "discernibility-monotone": lambda _, __, groups: sum(group.size**2 for group in groups),
    "average-class-size": _average_class_size,
    "precision-monotone": _unsuppressed_precision,
    "normalized-non-uniform-entropy": _normalized_entropy,
    "non-uniform-entropy-monotone": _monotone_non_uniform_entropy,
    "mutual-information": _mutual_information,
    "monotone-entropy": _monotone_entropy,
    "ambiguity": _ambiguity,
    "kl-divergence": _divergence,
}


@dataclass(frozen=True)
class Judged:
    """A lattice node that suppresses few enough records."""

    node: tuple[int, ...]
    n_suppressed: int
    value: float


def nodes_of(problem: Problem) -> Iterator[tuple[int, ...]]:
    """List every node between the levels allowed."""
    limits = zip(problem.min_levels, problem.max_levels, strict=True)
    return product(*(range(low, high + 1) for low, high in limits))


def feasible(problem: Problem) -> list[Judged]:
    """Judge every node of the lattice, and give those that suppress few enough records."""
    found = []
    for node in nodes_of(problem):
        groups = groups_at(problem, node)
        hidden = sum(group.size for group in groups if not is_released(problem, group))
        if hidden <= problem.max_suppression * problem.table.n_records + 1e-9:
            define = METRIC_DEFINITIONS[problem.objective.name]
            found.append(Judged(node, hidden, define(problem, node, groups)))
    return found


def minimal(nodes: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Keep the nodes that have none of the others below."""
    return [node for node in nodes if not any(_is_under(other, node) for other in nodes)]


def _is_under(low, high) -> bool:
    return low != high and all(a <= b for a, b in zip(low, high, strict=True))


def is_strictly_growing(numbers) -> bool:
    """Return whether each number is greater than the one before."""
    return all(a < b for a, b in pairwise(numbers))
