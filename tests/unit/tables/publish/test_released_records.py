"""What records of a class share is written once, and reads as if each were written by itself."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Solution
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.publish.records_of_release import records_of

TREE = {"ab": ["a", "b"], "cd": ["c", "d"]}
QUASI = {"role": "quasi-identifier", "hierarchy": {"tree": TREE}}
# A column that is named as a bound of another one is sorted among the quasi-identifiers.
COLUMNS = {
    "note": {"role": "insensitive"},
    "x": QUASI,
    "x_max": {"role": "insensitive"},
    "y": QUASI,
}
LEADING = ("x", "x_max", "y", "note")


def policy_of(suppressed):
    models = [{"name": "k-anonymity", "k": 2}]
    words = {"columns": COLUMNS, "models": models, "release": {"suppressed": suppressed}}
    return resolve(ind.Policy.from_words(words))


@st.composite
def decided(draw, suppressed):
    """Draw records, a class for each of their tuples, and any cells for the classes."""
    letters = st.sampled_from("abcd")
    record = st.tuples(st.sampled_from(["n", "m", None]), letters, st.sampled_from("st"), letters)
    records = draw(st.lists(record, min_size=2, max_size=12))
    frame = pl.DataFrame(records, list(COLUMNS), orient="row")
    prepared = prepare(frame, policy_of(suppressed))
    problem = prepared.problem
    domains, n_tuples = problem.domains(), problem.table.n_tuples
    n_classes = draw(st.integers(1, n_tuples))
    labels = [
        *range(n_classes),
        *(draw(st.integers(0, n_classes - 1)) for _ in range(n_classes, n_tuples)),
    ]
    # Each column either keeps its values in all classes, or shows any labels.
    cells = np.zeros((n_classes, len(domains)), np.int32)
    for column, domain in enumerate(domains):
        fine = np.flatnonzero(domain.levels == 0).tolist()
        shown = fine if draw(st.booleans()) else list(range(len(domain.labels)))
        cells[:, column] = [draw(st.sampled_from(shown)) for _ in range(n_classes)]
    released = np.array([draw(st.booleans()) for _ in range(n_classes)])
    codes = np.array(labels, np.int32)
    everyone = np.arange(n_tuples, dtype=np.int32)
    recoding = Recoding(everyone, codes, problem.table.weights, cells, released, domains)
    return records, prepared, NoisyRecoding(Solution(recoding, {}), codes[prepared.tuple_of_row])


def plainly(records, noised, suppressed):
    """Write record by record, and sort by the cells; equal ones stay in the order of the input."""
    recoding, rows = noised.solution.recoding, []
    for number, (record, label) in enumerate(zip(records, noised.classes.tolist(), strict=True)):
        if not recoding.released[label]:
            continue
        cells = dict(zip(COLUMNS, record, strict=True))
        for column, name in enumerate("xy"):
            domain, own = recoding.domains[column], recoding.cells[:, column]
            if (domain.levels[own[recoding.released]] > 0).any():
                cells[name] = domain.labels[own[label]]
        rows.append((number, cells))
    if suppressed == "mask":
        left = sorted(set(range(len(records))) - {number for number, _ in rows})
        rows += [(number, dict.fromkeys(COLUMNS, "*")) for number in left]
    rows.sort(key=lambda row: [(row[1][name] is None, row[1][name] or "") for name in LEADING])
    return [row[0] for row in rows], [tuple(row[1].values()) for row in rows]


@pytest.mark.parametrize("suppressed", ["drop", "mask"])
@given(data=st.data())
def test_records_are_written_as_one_by_one(suppressed, data):
    """Whatever the classes are: cells of their own divide a class, and ties stay as they were."""
    records, prepared, noised = data.draw(decided(suppressed))
    frame, rows = records_of(prepared, noised, has_types=True)
    assert frame.columns == list(COLUMNS)
    assert (rows.tolist(), frame.rows()) == plainly(records, noised, suppressed)


def test_a_released_record_of_stars_is_no_masked_one():
    """A record is nothing but stars only if what it shares with its class and its own cells are."""
    records = [("*", "a", "*", "c"), ("n", "b", "s", "d")]
    prepared = prepare(pl.DataFrame(records, list(COLUMNS), orient="row"), policy_of("mask"))
    domains, weights = prepared.problem.domains(), prepared.problem.table.weights
    hidden = [domain.labels.index("*") if "*" in domain.labels else -1 for domain in domains]
    assert min(hidden) >= 0
    both = np.arange(2, dtype=np.int32)
    cells = np.array([hidden, hidden], np.int32)
    recoding = Recoding(both, both, weights, cells, np.array([True, True]), domains)
    noised = NoisyRecoding(Solution(recoding, {}), prepared.tuple_of_row.copy())
    with pytest.raises(NoSolutionError, match="1 released records are written as"):
        records_of(prepared, noised, has_types=True)
