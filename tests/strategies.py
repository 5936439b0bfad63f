"""Small tables, hierarchies, models and problems for Hypothesis."""

import math
from functools import cache

import numpy as np
import polars as pl
from hypothesis import assume
from hypothesis import strategies as st

from indistinct.core.classes import EquivalenceClasses
from indistinct.core.frequencies import FrequencyTable, SensitiveColumn, ValueCounts
from indistinct.core.hierarchy import GeneralizationHierarchy, from_levels
from indistinct.core.kernels import group_rows
from indistinct.core.parameters import declared
from indistinct.core.protocols import Problem, Scope
from indistinct.errors import ParameterError
from indistinct.metrics import AGGREGATES, METRICS, SeparableMetric
from indistinct.models import MODELS, KAnonymity
from indistinct.models.bounded import Needs
from indistinct.search import ALGORITHMS

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


def decoded(widths):
    """Draw a tuple of codes, each below its width, as one number: a draw takes longer than a sum.

    Parameters
    ----------
    widths : their product stays below 2**24, where Hypothesis draws numbers evenly
    """
    return _decoded(tuple(widths))


@cache  # Hypothesis checks every strategy that it has not seen, which takes longer than a draw
def _decoded(widths):
    """Make the strategy of :func:`decoded` once."""

    def codes_of(number):
        codes = []
        for width in widths:
            number, code = divmod(number, width)
            codes.append(code)
        return tuple(codes)

    return st.integers(0, math.prod(widths) - 1).map(codes_of)


@cache
def _rows(widths: tuple[int, ...], fewest: int, most: int):
    """Make the strategy of so many rows of codes once."""
    return st.lists(decoded(widths), min_size=fewest, max_size=most)


@cache
@st.composite
def hierarchies(draw, n_values: int, max_height: int = 3) -> GeneralizationHierarchy:
    """Draw a hierarchy of equal depth over ``v0``, ``v1`` ...; its top need not be one label."""
    levels = [[f"v{value}" for value in range(n_values)]]
    group = list(range(n_values))
    for level in range(1, draw(st.integers(0, max_height)) + 1):
        n_below = max(group) + 1
        parents = draw(decoded((n_below,) * n_below))
        names = {parent: number for number, parent in enumerate(dict.fromkeys(parents))}
        group = [names[parents[below]] for below in group]
        levels.append([f"level {level} group {number}" for number in group])
    if draw(st.booleans()):
        levels.append(["*"] * n_values)
    return from_levels(levels)


@cache
@st.composite
def models_of(draw, kind: type, column: str = ILLNESS):
    """Draw an instance of a model within the bounds that its parameters declare."""
    words = {}
    for name, bounds in declared(kind).items():
        if bounds.choices:
            words[name] = draw(st.sampled_from(bounds.choices))
        elif bounds.kind is str:
            words[name] = column
        else:
            low = bounds.at_least if bounds.at_least is not None else bounds.above or 0
            high = min(low + 3, bounds.at_most if bounds.at_most is not None else low + 3)
            if bounds.kind is int:
                words[name] = draw(st.integers(int(low), int(high)))
            else:
                steps = draw(st.integers(0 if bounds.above is None else 1, 12))
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


@cache
@st.composite
def model_lists(draw, kinds=JUDGED_ALONE):
    """Draw one or two models of different kinds."""
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=2, unique=True))
    return tuple(draw(models_of(kind)) for kind in chosen)


@cache
@st.composite
def objectives(draw, n_columns: int, names=tuple(METRICS)):
    """Draw an objective; with any aggregate and column weights where it has them."""
    kind = METRICS[draw(st.sampled_from(names))]
    if not issubclass(kind, SeparableMetric):
        return kind()
    weights = draw(st.lists(st.sampled_from(WEIGHTS), min_size=n_columns, max_size=n_columns))
    weights = tuple(weight / max(weights) for weight in weights)
    if draw(st.booleans()):
        return kind(weights)
    return kind(weights, AGGREGATES[draw(st.sampled_from(AGGREGATE_NAMES))])


@cache
@st.composite
def tables(draw, max_rows: int = 24, max_columns: int = 3):
    """Draw records as codes: quasi-identifiers with hierarchies, and a sensitive column."""
    n_columns = draw(st.integers(1, max_columns))
    widths = draw(st.lists(st.integers(1, 4), min_size=n_columns, max_size=n_columns))
    n_illnesses = draw(st.integers(1, 4))
    rows = draw(_rows((*widths, n_illnesses), 1, max_rows))
    full = [draw(hierarchies(width)) for width in (*widths, n_illnesses)]
    return table_of(rows, full)


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


@st.composite
def problems(draw, kinds=JUDGED_ALONE, metrics=tuple(METRICS), suppressions=SUPPRESSIONS, **size):
    """Draw a problem: table, hierarchies, level limits, models, objective and budget."""
    table, chosen = draw(tables(**size))
    limits = [
        tuple(sorted(draw(st.tuples(*[st.integers(0, hierarchy.height)] * 2))))
        if draw(st.integers(0, 3)) == 0
        else (0, hierarchy.height)
        for hierarchy in chosen
    ]
    objective = draw(objectives(table.n_columns, metrics))
    return Problem(
        table,
        chosen,
        (None,) * table.n_columns,
        tuple(low for low, _ in limits),
        tuple(high for _, high in limits),
        draw(model_lists(kinds)),
        objective,
        draw(st.sampled_from(suppressions)),
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


@cache
def _counts(n_values: int):
    """Make the strategy of a class's records per value once."""
    return st.lists(st.integers(0, 4), min_size=n_values, max_size=n_values).filter(any)


@cache
@st.composite
def classes(draw, column: str = ILLNESS) -> EquivalenceClasses:
    """Draw equivalence classes of one sensitive column, whose values all occur."""
    n_values = draw(st.integers(1, 5))
    n_classes = draw(st.integers(1, 6))
    matrix = np.array([draw(_counts(n_values)) for _ in range(n_classes)], np.int64)
    return classes_from(matrix, draw(hierarchies(n_values)), column)


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


@st.composite
def frames(draw, min_rows: int = 6, max_rows: int = 30) -> pl.DataFrame:
    """Draw a table of people: name, age, city, sex, illness."""
    n_rows = draw(st.integers(min_rows, max_rows))
    columns = {"age": range(20, 61), "city": CITIES, "sex": SEXES, "illness": ILLNESSES}
    rows = draw(_rows(tuple(map(len, columns.values())), n_rows, n_rows))
    drawn = {
        name: [values[code] for code in codes]
        for (name, values), codes in zip(columns.items(), zip(*rows, strict=True), strict=True)
    }
    return pl.DataFrame({"name": [f"person {row}" for row in range(n_rows)], **drawn})


@st.composite
def policy_words(draw, algorithms=("optimal",)):
    """Draw a policy for :func:`frames`, in the words of a policy file."""
    age = draw(st.sampled_from([None, {"intervals": [5, 10, 20]}, {"intervals": [10]}]))
    city = draw(st.sampled_from([None, {"mask": 5}, {"mask": 2}]))
    columns = {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier"} | ({"hierarchy": age} if age else {}),
        "city": {"role": "quasi-identifier"} | ({"hierarchy": city} if city else {}),
        "sex": {"role": "quasi-identifier"},
        "illness": {"role": "sensitive", "hierarchy": {"tree": ILLNESS_TREE}},
    }
    models = [{"name": "k-anonymity", "k": draw(st.integers(2, 4))}]
    if draw(st.booleans()):
        models.append(
            draw(
                st.sampled_from(
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
        )
    return {
        "columns": columns,
        "models": models,
        "method": {
            "algorithm": draw(st.sampled_from(algorithms)),
            "objective": draw(st.sampled_from(tuple(METRICS))),
            "max_suppression": draw(st.sampled_from([0.0, 0.2, 1.0])),
            "target": draw(st.sampled_from(["sensitive", "identity"])),
            "trees": 3,
        },
        "release": {
            "suppressed": draw(st.sampled_from(["drop", "mask"])),
            "intervals": draw(st.sampled_from(["label", "bounds", "midpoint"])),
        },
    }
