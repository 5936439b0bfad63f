"""Small tables, hierarchies, models and problems for Hypothesis."""

from functools import cache

import numpy as np
import polars as pl
from hypothesis import assume

from handfuls import Handful, drawn, numbers_of_rows
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import GeneralizationHierarchy, from_levels
from indistinct.base.parameters import declared
from indistinct.errors import ParameterError
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import FrequencyTable, SensitiveColumn, ValueCounts
from indistinct.tables.core.protocols import Problem, Scope
from indistinct.tables.metrics import AGGREGATES, METRICS, SeparableMetric
from indistinct.tables.models import MODELS, KAnonymity
from indistinct.tables.models.bounded import Needs
from indistinct.tables.search import ALGORITHMS

ILLNESS = "illness"
SUPPRESSIONS = (0.0, 0.1, 0.25, 0.5, 1.0)
WEIGHTS = (1.0, 0.5, 0.3)
AGGREGATE_NAMES = tuple(sorted(AGGREGATES))


# Models that judge a class by its own records: what the plain enumeration of the oracle knows.
JUDGED_ALONE = tuple(
    kind
    for kind in MODELS
    if kind.scope is Scope.CLASS and kind.needs is Needs.TABLE and not kind.republishes
)
# Algorithms that need to know nothing of earlier releases.
OF_ONE_RELEASE = tuple(kind.name for kind in ALGORITHMS if not kind.republishes)


@cache  # Hypothesis checks every strategy that it has not seen, which takes longer than a draw
def hierarchies(n_values: int, max_height: int = 3):
    """Draw a hierarchy of equal depth over ``v0``, ``v1`` ...; its top need not be one label."""
    n_numbers = 2 + max_height * n_values
    return drawn(n_numbers, lambda numbers: read_hierarchy(numbers, n_values, max_height))


def read_hierarchy(numbers: Handful, n_values: int, max_height: int = 3):
    """Make a hierarchy of small numbers."""
    levels = [[f"v{value}" for value in range(n_values)]]
    group = list(range(n_values))
    for level in range(1, max(0, numbers.below(max_height + 2) - 1) + 1):
        n_below = max(group) + 1
        parents = [numbers.below(n_below) for _ in range(n_below)]
        names = {parent: number for number, parent in enumerate(dict.fromkeys(parents))}
        group = [names[parents[below]] for below in group]
        levels.append([f"level {level} group {number}" for number in group])
    if numbers.below(5) > 2:
        levels.append(["*"] * n_values)
    return from_levels(levels)


MODEL_NUMBERS = 8  # more than the parameters of any model


@cache
def models_of(kind: type, column: str = ILLNESS):
    """Draw an instance of a model within the bounds that its parameters declare."""
    return drawn(MODEL_NUMBERS, lambda numbers: read_model(numbers, kind, column))


def read_model(numbers: Handful, kind: type, column: str = ILLNESS):
    """Make a model of small numbers."""
    words = {}
    for name, bounds in declared(kind).items():
        if bounds.choices:
            words[name] = numbers.one_of(bounds.choices)
        elif bounds.kind is str:
            words[name] = column
        elif bounds.kind is bool:
            words[name] = False  # missing values have tests of their own
        else:
            low = bounds.at_least if bounds.at_least is not None else bounds.above or 0
            high = min(low + 3, bounds.at_most if bounds.at_most is not None else low + 3)
            if bounds.kind is int:
                words[name] = numbers.between(int(low), int(high))
            else:
                steps = numbers.between(0 if bounds.above is None else 1, 12)
                words[name] = low + (high - low) * steps / 12
    if "others" in words:
        words["others"] = "separate"  # one sensitive column here; several have tests of their own
    if words.get("ground") == "value":
        words["ground"] = "rank"  # the values here are words; numbers have tests of their own
    try:
        return kind(**words)
    except (ParameterError, TypeError):
        assume(condition=False)
        raise


def read_models(numbers: Handful, kinds=JUDGED_ALONE):
    """Make one or two models of different kinds."""
    chosen = [numbers.one_of(kinds)]
    if len(kinds) > 1 and numbers.below(2):
        chosen.append(numbers.one_of([kind for kind in kinds if kind is not chosen[0]]))
    return tuple(read_model(numbers, kind) for kind in chosen)


def read_objective(numbers: Handful, n_columns: int, names=tuple(METRICS)):
    """Make an objective; with any aggregate and column weights where it has them."""
    kind = METRICS[numbers.one_of(names)]
    if not issubclass(kind, SeparableMetric):
        return kind()
    weights = [numbers.one_of(WEIGHTS) for _ in range(n_columns)]
    weights = tuple(weight / max(weights) for weight in weights)
    if numbers.below(2):
        return kind(weights)
    return kind(weights, AGGREGATES[numbers.one_of(AGGREGATE_NAMES)])


MAX_ROWS, MAX_COLUMNS, MAX_WIDTH = 24, 3, 4
HIERARCHY_NUMBERS = 2 + 3 * MAX_WIDTH
N_WIDTHS = MAX_COLUMNS + 1  # with that of the sensitive column
TABLE_NUMBERS = 2 + N_WIDTHS * (1 + HIERARCHY_NUMBERS) + numbers_of_rows(MAX_ROWS, N_WIDTHS)


@cache
def tables(max_rows: int = MAX_ROWS, max_columns: int = MAX_COLUMNS):
    """Draw records as codes: quasi-identifiers with hierarchies, and a sensitive column."""
    return drawn(TABLE_NUMBERS, lambda numbers: read_table(numbers, max_rows, max_columns))


def read_table(numbers: Handful, max_rows: int = MAX_ROWS, max_columns: int = MAX_COLUMNS):
    """Make records, with their hierarchies, of small numbers."""
    n_rows = numbers.length(1, max_rows)
    # Tables of few columns are a little rarer than others.
    n_columns = 1 + (numbers.below(8) * max_columns + max_columns - 1) // 8
    widths = [numbers.size(1, MAX_WIDTH) for _ in range(n_columns + 1)]
    full = [read_hierarchy(numbers.part(HIERARCHY_NUMBERS), width) for width in widths]
    return table_of(numbers.rows(n_rows, widths), full)


def table_of(rows, full):
    """Count rows of codes, the last of which is sensitive; hierarchies of the others beside."""
    codes = np.array(rows, np.int32).reshape(len(rows), -1)
    kept = []
    for column, hierarchy in enumerate(full):
        present, codes[:, column] = np.unique(codes[:, column], return_inverse=True)
        kept.append(hierarchy.restricted([hierarchy.values[code] for code in present]))
    _, first, weights = group_rows(np.ascontiguousarray(codes))
    distinct = codes[first]
    illness = SensitiveColumn(
        ILLNESS, kept[-1].values, None, np.bincount(codes[:, -1]).astype(np.int64), kept[-1]
    )
    columns = tuple(f"q{number}" for number in range(codes.shape[1] - 1))
    table = FrequencyTable(
        columns,
        np.ascontiguousarray(distinct[:, :-1]),
        weights,
        {ILLNESS: illness},
        {ILLNESS: np.ascontiguousarray(distinct[:, -1])},
    )
    return table, tuple(kept[:-1])


# Two numbers choose whether and how a column's levels are limited, and one chooses the budget.
PROBLEM_NUMBERS = TABLE_NUMBERS + 3 * MAX_COLUMNS + 3 + 2 * MODEL_NUMBERS + 3 + MAX_COLUMNS + 1


@cache
def problems(kinds=JUDGED_ALONE, metrics=tuple(METRICS), suppressions=SUPPRESSIONS, **size):
    """Draw a problem: table, hierarchies, level limits, models, objective and budget."""
    return drawn(
        PROBLEM_NUMBERS,
        lambda numbers: read_problem(numbers, kinds, metrics, suppressions, **size),
    )


def read_problem(numbers: Handful, kinds, metrics, suppressions, **size) -> Problem:
    """Make a problem of small numbers."""
    suppression = numbers.one_of(suppressions)
    objective_at, models_at = numbers.part(3 + MAX_COLUMNS), numbers.part(3 + 2 * MODEL_NUMBERS)
    limited = numbers.part(3 * MAX_COLUMNS)
    table, chosen = read_table(numbers, **size)
    limits = [
        tuple(sorted(limited.between(0, hierarchy.height) for _ in range(2)))
        if limited.below(2)
        else (0, hierarchy.height)
        for hierarchy in chosen
    ]
    objective = read_objective(objective_at, table.n_columns, metrics)
    return Problem(
        table,
        chosen,
        (None,) * table.n_columns,
        tuple(low for low, _ in limits),
        tuple(high for _, high in limits),
        read_models(models_at, kinds),
        objective,
        suppression,
        getattr(objective, "weights", (1.0,) * table.n_columns),
    )


def seeded_problem(seed: int, names=("precision", "loss", "discernibility-monotone")) -> Problem:
    """Make up a k-anonymity problem of uneven values, larger than Hypothesis draws them."""
    chance = np.random.default_rng(seed)
    n_columns = int(chance.integers(2, 4))
    widths = chance.integers(3, 8, n_columns + 1).tolist()
    rows = [
        tuple(min(int(chance.geometric(0.4)) - 1, width - 1) for width in widths)
        for _ in range(int(chance.integers(15, 60)))
    ]
    table, chosen = table_of(rows, [_seeded_hierarchy(width, chance) for width in widths])
    kind = METRICS[names[seed % len(names)]]
    weights = (1.0,) * n_columns
    return Problem(
        table,
        chosen,
        (None,) * n_columns,
        (0,) * n_columns,
        tuple(hierarchy.height for hierarchy in chosen),
        (KAnonymity(int(chance.integers(2, 6))),),
        kind(weights) if issubclass(kind, SeparableMetric) else kind(),
        float(chance.choice([0.0, 0.05, 0.2, 0.5, 1.0])),
        weights,
    )


def _seeded_hierarchy(width: int, chance: np.random.Generator) -> GeneralizationHierarchy:
    """Merge groups at random, level by level, up to one root."""
    levels = [[f"v{value}" for value in range(width)]]
    group = np.arange(width)
    for level in range(1, int(chance.integers(1, 4))):
        parents = chance.integers(0, max(1, group.max()), group.max() + 1)
        group = np.unique(parents[group], return_inverse=True)[1]
        levels.append([f"level {level} group {number}" for number in group])
    return from_levels([*levels, ["*"] * width])


MAX_CLASSES, MAX_VALUES = 6, 5


@cache
def classes(column: str = ILLNESS):
    """Draw equivalence classes of one sensitive column, whose values all occur."""
    n_numbers = 5 + 3 * MAX_VALUES + numbers_of_rows(MAX_CLASSES, MAX_VALUES)
    return drawn(n_numbers, lambda numbers: read_classes(numbers, column))


def read_classes(numbers: Handful, column: str) -> EquivalenceClasses:
    """Make classes of small numbers: up to four records of each value in each class."""
    n_values = numbers.size(1, MAX_VALUES)
    n_classes = numbers.between(1, MAX_CLASSES)
    hierarchy = read_hierarchy(numbers, n_values)
    above = numbers.one_of((5, 3))  # small counts are often equal
    matrix = numbers.rows(n_classes, [above] * n_values).astype(np.int64)
    matrix[matrix.sum(axis=1) == 0, 0] = 1  # no class is empty
    return classes_from(matrix, hierarchy, column)


def classes_from(matrix, hierarchy, column: str = ILLNESS) -> EquivalenceClasses:
    """Build classes from counts per class and value; values that never occur are left out."""
    matrix = np.asarray(matrix, np.int64)
    present = np.flatnonzero(matrix.sum(axis=0))
    matrix = matrix[:, present]
    hierarchy = hierarchy.restricted([hierarchy.values[value] for value in present])
    owners, values = np.nonzero(matrix)
    starts = np.searchsorted(owners, np.arange(len(matrix) + 1)).astype(np.int64)
    found = ValueCounts(starts, values.astype(np.int32), matrix[owners, values])
    whole = SensitiveColumn(
        column, hierarchy.values, None, matrix.sum(axis=0).astype(np.int64), hierarchy
    )
    return EquivalenceClasses(matrix.sum(axis=1), {column: found}, {column: whole})


SEXES = ("f", "m")
CITIES = ("10115", "10117", "20095", "20097", "80331")
ILLNESSES = ("flu", "asthma", "ulcer", "gastritis")
ILLNESS_TREE = {"lungs": ["flu", "asthma"], "belly": ["ulcer", "gastritis"]}


@cache
def frames(min_rows: int = 6, max_rows: int = 30):
    """Draw a table of people: name, age, city, sex, illness."""
    return drawn(
        1 + numbers_of_rows(max_rows, 4), lambda numbers: read_frame(numbers, min_rows, max_rows)
    )


def read_frame(numbers: Handful, min_rows: int, max_rows: int) -> pl.DataFrame:
    """Make a table of people of small numbers."""
    n_rows = numbers.size(min_rows, max_rows)
    columns = {"age": range(20, 61), "city": CITIES, "sex": SEXES, "illness": ILLNESSES}
    rows = numbers.rows(n_rows, list(map(len, columns.values()))).tolist()
    drawn_values = {
        name: [values[code] for code in codes]
        for (name, values), codes in zip(columns.items(), zip(*rows, strict=True), strict=True)
    }
    return pl.DataFrame({"name": [f"person {row}" for row in range(n_rows)], **drawn_values})


@cache
def policy_words(algorithms=("optimal",)):
    """Draw a policy for :func:`frames`, in the words of a policy file."""
    return drawn(12, lambda numbers: read_policy_words(numbers, algorithms))


def read_policy_words(numbers: Handful, algorithms):
    """Make a policy of small numbers."""
    age = numbers.one_of([None, {"intervals": [5, 10, 20]}, {"intervals": [10]}])
    city = numbers.one_of([None, {"mask": 5}, {"mask": 2}])
    columns = {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier"} | ({"hierarchy": age} if age else {}),
        "city": {"role": "quasi-identifier"} | ({"hierarchy": city} if city else {}),
        "sex": {"role": "quasi-identifier"},
        "illness": {"role": "sensitive", "hierarchy": {"tree": ILLNESS_TREE}},
    }
    models = [{"name": "k-anonymity", "k": numbers.between(2, 4)}]
    if numbers.below(2):
        models.append(
            numbers.one_of(
                [
                    {"name": "distinct-l-diversity", "column": "illness", "l": 2},
                    {"name": "entropy-l-diversity", "column": "illness", "l": 1.5},
                    {"name": "t-closeness", "column": "illness", "t": 0.5},
                    {
                        "name": "t-closeness",
                        "column": "illness",
                        "t": 0.4,
                        "distance": "hierarchical",
                    },
                ]
            )
        )
    return {
        "columns": columns,
        "models": models,
        "method": {
            "algorithm": numbers.one_of(algorithms),
            "objective": numbers.one_of(tuple(METRICS)),
            "max_suppression": numbers.one_of([0.0, 0.2, 1.0]),
            "target": numbers.one_of(["sensitive", "identity"]),
            "trees": 3,
        },
        "release": {
            "suppressed": numbers.one_of(["drop", "mask"]),
            "intervals": numbers.one_of(["label", "bounds", "midpoint"]),
        },
    }
