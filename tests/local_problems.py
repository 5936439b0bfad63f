"""Small problems for local recoding, and what a reader of a release counts by hand."""

import itertools
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import strategies as st

from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.frequencies import FrequencyTable, SensitiveColumn
from indistinct.tables.core.protocols import Deadline, PlainClass, PlainColumn, Problem, no_progress
from indistinct.tables.metrics import Loss
from indistinct.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
from indistinct.tables.search.local.run import LocalSearchRun

DISEASE = "disease"
POOL = ThreadPoolExecutor(2)


def run_of(seed=0, deadline=None):
    return LocalSearchRun(seed, POOL, deadline or Deadline(), no_progress)


def groups_at_every_node(space):
    """Return every group of every node: its cells, and its items."""
    items = space.items
    for node in itertools.product(*(range(top + 1) for top in items.tops)):
        groups = {}
        for item, codes in enumerate(items.codes.tolist()):
            cells = tuple(
                int(items.cells[items.offsets[column, level] + code])
                for column, (level, code) in enumerate(zip(node, codes, strict=True))
            )
            groups.setdefault(cells, []).append(item)
        yield from groups.items()


def prices_of_records(space, prices, members):
    """Return the prices of the records of some items, the highest first."""
    weights = space.items.weights
    return sorted((prices[item] for item in members for _ in range(weights[item])), reverse=True)


def halves(n_values, height=None):
    """Return a hierarchy in which each level joins two labels of the one below, up to one label."""
    levels, group = [], list(range(n_values))
    while True:
        levels.append([f"{len(levels)}:{label}" for label in group])
        if len(set(group)) == 1 or len(levels) == height:
            return from_levels(levels)
        group = [label // 2 for label in group]


def problem_of(rows, hierarchies, models, *, diseases=None, suppression=0.0, **changes):
    """Give the problem of some rows of codes; ``diseases`` are the codes of a sensitive column."""
    rows = np.asarray(rows, np.int32).reshape(len(rows), -1)
    n_columns = rows.shape[1]
    used, codes = [], np.empty_like(rows)
    for column, hierarchy in enumerate(hierarchies):
        present, codes[:, column] = np.unique(rows[:, column], return_inverse=True)
        used.append(hierarchy.restricted([hierarchy.values[value] for value in present]))
    whole = codes if diseases is None else np.column_stack([codes, diseases])
    _, first, weights = group_rows(np.ascontiguousarray(whole, dtype=np.int32))
    sensitive, sensitive_codes = {}, {}
    if diseases is not None:
        counts = np.bincount(diseases)
        values = tuple(f"d{value}" for value in range(len(counts)))
        sensitive[DISEASE] = SensitiveColumn(DISEASE, values, None, counts)
        sensitive_codes[DISEASE] = np.asarray(diseases, np.int32)[first]
    weights_of_columns = changes.pop("weights", (1.0,) * n_columns)
    table = FrequencyTable(
        tuple(f"q{column}" for column in range(n_columns)),
        np.ascontiguousarray(codes[first]),
        weights,
        sensitive,
        sensitive_codes,
    )
    return Problem(
        table,
        tuple(used),
        (None,) * n_columns,
        changes.pop("min_levels", (0,) * n_columns),
        changes.pop("max_levels", tuple(hierarchy.height for hierarchy in used)),
        tuple(models),
        Loss(weights_of_columns),
        suppression,
        weights_of_columns,
    )


@st.composite
def hierarchies(draw, max_values=6):
    """Draw a hierarchy of equal depth; its top may have more than one label."""
    n_values = draw(st.integers(1, max_values))
    group = list(range(n_values))
    levels = [[f"0:{label}" for label in group]]
    for level in range(1, draw(st.integers(1, 4))):
        n_labels = draw(st.integers(1, max(group) + 1))
        parents = [draw(st.integers(0, n_labels - 1)) for _ in range(max(group) + 1)]
        group = [parents[label] for label in group]
        levels.append([f"{level}:{label}" for label in group])
    return from_levels(levels)


SIZED = st.integers(2, 4).map(lambda k: (KAnonymity(k),))
MODELS = st.one_of(
    SIZED,
    st.just((KAnonymity(2), DistinctLDiversity(DISEASE, 2))),
    st.just((DistinctLDiversity(DISEASE, 3),)),
    st.just((KAnonymity(3), EntropyLDiversity(DISEASE, 1.7))),
    st.just((KAnonymity(2), TCloseness(DISEASE, 0.4))),
)


@st.composite
def problems(draw, *, models=MODELS, max_records=40, max_columns=4, suppression=1.0, limits=True):
    """Draw a problem; ``limits``: the levels of a column may be limited."""
    columns = draw(st.lists(hierarchies(), min_size=1, max_size=max_columns))
    n_records = draw(st.integers(1, max_records))
    seed = draw(st.integers(0, 2**32 - 1))
    draws = np.random.default_rng(seed)
    rows = np.column_stack(
        [draws.integers(0, len(hierarchy.values), n_records) for hierarchy in columns]
    )
    diseases = draws.choice(4, n_records, p=[0.55, 0.25, 0.15, 0.05])
    low = [draw(st.integers(0, h.height)) if limits else 0 for h in columns]
    high = [
        draw(st.integers(level, h.height)) if limits else h.height
        for level, h in zip(low, columns, strict=True)
    ]
    chosen = draw(models)
    has_columns = any(model.columns for model in chosen)
    return problem_of(
        rows,
        columns,
        chosen,
        diseases=np.unique(diseases, return_inverse=True)[1] if has_columns else None,
        suppression=suppression,
        min_levels=tuple(low),
        max_levels=tuple(high),
        weights=tuple(draw(st.sampled_from([1.0, 0.5, 0.25])) for _ in columns),
    )


def written(problem, recoding):
    """Write the release: per record, its original codes, disease and labels; None suppressed."""
    rows = []
    for tuple_, label, weight in zip(
        recoding.tuples.tolist(), recoding.labels.tolist(), recoding.weights.tolist(), strict=True
    ):
        labels = tuple(
            domain.labels[cell]
            for domain, cell in zip(recoding.domains, recoding.cells[label].tolist(), strict=True)
        )
        codes = tuple(problem.table.codes[tuple_].tolist())
        disease = (
            int(problem.table.sensitive_codes[DISEASE][tuple_]) if problem.table.sensitive else None
        )
        row = (codes, disease, labels if recoding.released[label] else None)
        rows += [row] * weight
    return rows


def assert_valid(problem, recoding):
    """Check a release from its label texts alone."""
    rows = written(problem, recoding)
    assert len(rows) == problem.table.n_records
    originals = Counter()
    for codes, weight in zip(
        problem.table.codes.tolist(), problem.table.weights.tolist(), strict=True
    ):
        originals[tuple(codes)] += weight
    assert Counter(codes for codes, _, _ in rows) == originals
    for codes, _, labels in rows:
        if labels is not None:
            assert_ancestors(problem, codes, labels)
    assert_models_hold(problem, rows)
    suppressed = sum(labels is None for _, _, labels in rows)
    assert suppressed == recoding.n_suppressed <= problem.budget


def assert_ancestors(problem, codes, labels):
    for column, (code, label) in enumerate(zip(codes, labels, strict=True)):
        hierarchy = problem.hierarchies[column].with_root()
        last = problem.max_levels[column]
        if last == problem.hierarchies[column].height:
            last = hierarchy.height
        allowed = range(problem.min_levels[column], last + 1)
        assert label in {hierarchy.labels[lv][hierarchy.codes[lv, code]] for lv in allowed}


def assert_models_hold(problem, rows):
    classes = defaultdict(list)
    for _, disease, labels in rows:
        if labels is not None:
            classes[labels].append(disease)
    table = {
        name: PlainColumn(
            dict(zip(column.values, column.counts.tolist(), strict=True)), column.values
        )
        for name, column in problem.table.sensitive.items()
    }
    for members in classes.values():
        counts = {DISEASE: Counter(f"d{disease}" for disease in members)}
        one = PlainClass(len(members), counts, table)
        for model in problem.models:
            measured = model.measure_plainly(one)
            sign = 1 if model.grows else -1
            assert sign * measured >= sign * model.bound - 1e-9


def plain_loss(problem, rows):
    """Compute the loss from the written labels and the hierarchies' leaves."""
    total = 0.0
    for codes, _, labels in rows:
        for column, code in enumerate(codes):
            weight = problem.weights[column] / len(codes)
            hierarchy = problem.hierarchies[column].with_root()
            if labels is None:
                total += weight
                continue
            level = next(
                lv
                for lv in range(hierarchy.n_levels)
                if hierarchy.labels[lv][hierarchy.codes[lv, code]] == labels[column]
            )
            leaves = hierarchy.extents[level][hierarchy.codes[level, code]]
            total += weight * (leaves - 1) / max(hierarchy.domain - 1, 1)
    return total / len(rows)


def best_loss(problem):
    """Find the least loss of all partitions of the records into classes, by trying them all."""
    codes = np.repeat(problem.table.codes, problem.table.weights, axis=0)
    k = max(model.least_size for model in problem.models)
    price = sum(problem.weights) / len(problem.weights)
    best = [price * len(codes)]

    def place(record, classes, alone):
        if record == len(codes):
            if all(len(members) >= k for members in classes):
                paid = sum(len(m) * _class_loss(problem, codes[m]) for m in classes)
                best[0] = min(best[0], paid + price * alone)
            return
        for members in classes:
            members.append(record)
            place(record + 1, classes, alone)
            members.pop()
        place(record + 1, [*classes, [record]], alone)
        place(record + 1, classes, alone + 1)

    place(0, [], 0)
    return best[0] / len(codes)


def _class_loss(problem, codes):
    """Return the loss of one record at the least common generalization; infinite if forbidden."""
    total = 0.0
    for column in range(codes.shape[1]):
        hierarchy = problem.hierarchies[column]
        last = problem.max_levels[column]
        if last == hierarchy.height:
            hierarchy = hierarchy.with_root()
            last = hierarchy.height
        for level in range(problem.min_levels[column], last + 1):
            labels = hierarchy.codes[level, codes[:, column]]
            if len(set(labels.tolist())) == 1:
                loss = hierarchy.cell_loss(level)[labels[0]]
                total += problem.weights[column] / codes.shape[1] * loss
                break
        else:
            return np.inf
    return total
