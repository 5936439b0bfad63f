"""A resistant search chooses by quasi-identifiers alone, and costs what it costs."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.frames.tuples import classes_of_rows
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.fictitious_patients import sample
from indistinct.tables.publish.searching import searched
from indistinct.tables.search.resistant import without_sensitive

COLUMNS = {
    "sex": {"role": "quasi-identifier"},
    "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
    "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
    "diagnosis": {"role": "sensitive"},
}
DIVERSE = {"name": "distinct-l-diversity", "column": "diagnosis", "l": 3}
ALGORITHMS = ("optimal", "ola", "mondrian", "local", "lattice-peel", "k-member", "cell-suppression")
TABLE = sample("patients", rows=150, seed=3).select(list(COLUMNS))


def policy_of(algorithm="optimal", suppressed=0.3, models=(), **words):
    method = {"algorithm": algorithm, "replay": "resistant", "max_suppression": suppressed, **words}
    models = [{"name": "k-anonymity", "k": 4}, *(models or [DIVERSE])]
    return ind.Policy.from_words({"columns": COLUMNS, "models": models, "method": method})


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_classes_are_the_same_whatever_the_sensitive_values_are(algorithm):
    """Before any class is given up: the same seed, other values, the same cells of each record."""
    found = []
    for seed in (1, 2):
        chance = np.random.default_rng(seed)
        # No two values alike: every class is diverse, and only the order of ties could differ.
        table = TABLE.unique(["sex", "postcode", "height_cm"], maintain_order=True)
        values = pl.Series(chance.permutation(table.height).astype(str))
        prepared = prepare(table.with_columns(diagnosis=values), resolve(policy_of(algorithm, 1.0)))
        recoding = searched(prepared, chance=RandomSource(7)).recoding
        classes = classes_of_rows(recoding, prepared.tuple_of_row)
        found.append((recoding.cells[classes].tolist(), recoding.released[classes].tolist()))
    assert found[0] == found[1]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_its_releases_verify(algorithm):
    policy = policy_of(algorithm, 1.0)
    release = ind.anonymize(TABLE, policy, seed=1)
    assert release.manifest["verified"] is True
    assert release.owner["method"]["replay"] == "resistant"


def test_every_record_keeps_its_values():
    """Records that are alike are divided by chance; none is lost or doubled."""
    policy = policy_of("k-member", 1.0)
    prepared = prepare(TABLE, resolve(policy))
    recoding = searched(prepared, chance=RandomSource(1)).recoding
    weights = np.bincount(recoding.tuples, recoding.weights, prepared.problem.table.n_tuples)
    assert (weights == prepared.problem.table.weights).all()


def test_the_table_without_sensitive_values_has_each_record_once_in_another_order():
    prepared = prepare(TABLE, resolve(policy_of()))
    plain, group_of = without_sensitive(prepared.problem, RandomSource(3))
    table = prepared.problem.table
    assert plain.table.n_records == table.n_records
    assert (plain.table.codes[group_of] == table.codes).all()
    assert plain.table.sensitive == {}
    assert {model.name: model.least_size for model in plain.models} == {"k-anonymity": 4}
    other, _ = without_sensitive(prepared.problem, RandomSource(4))
    assert Counter(map(tuple, other.table.codes.tolist())) == Counter(
        map(tuple, plain.table.codes.tolist())
    )
    assert not np.array_equal(other.table.codes, plain.table.codes)


def test_ties_are_broken_by_secret_chance():
    """Without a seed two runs of a greedy search differ."""
    policy = policy_of("k-member", 1.0)
    prepared = prepare(TABLE, resolve(policy))
    texts = {searched(prepared).recoding.labels.tobytes() for _ in range(4)}
    assert len(texts) > 1


def test_it_suppresses_no_more_than_allowed():
    with pytest.raises(NoSolutionError, match="chosen without a look at sensitive values need"):
        ind.anonymize(TABLE, policy_of("local", 0.0, [{**DIVERSE, "l": 4}]))


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"algorithm": "top-down-specialization"}, "looks at sensitive values"),
        ({"weights": "vulnerability"}, "taken from sensitive values"),
        (
            {"models": [{"name": "nt-closeness", "column": "diagnosis", "n": 20, "t": 0.5}]},
            "judged by larger sets",
        ),
    ],
)
def test_what_looks_at_sensitive_values_is_refused(words, problem):
    with pytest.raises(PolicyError, match=problem):
        policy_of(**words)


def test_wildcards_are_refused():
    words = {
        "columns": COLUMNS,
        "models": [{"name": "k-anonymity", "k": 4}],
        "method": {"algorithm": "cell-suppression", "replay": "resistant"},
        "release": {"suppressed_cell": "any"},
    }
    with pytest.raises(PolicyError, match="classes that share their cells"):
        ind.Policy.from_words(words)
