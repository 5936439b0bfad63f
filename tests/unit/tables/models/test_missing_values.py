"""A missing value counts as none, unless the policy says so: every model, in both definitions."""

import dataclasses

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings, strategies as st

import indistinct as ind
from indistinct.tables.core.protocols import Monotonicity
from indistinct.tables.models import MODELS, MInvariance
from indistinct.tables.models.of_one_column import ColumnModel
from oracles import plain_classes
from strategies import ILLNESS, classes, classes_from, models_of

KINDS = [kind for kind in MODELS if issubclass(kind, ColumnModel)]
PRUNING = [
    kind
    for kind in KINDS
    if kind.monotone is not Monotonicity.NEVER and kind.name != "nt-closeness"
]
each_model = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def with_missing(found):
    """Take the last value of some classes for a missing one."""
    whole = found.sensitive[ILLNESS]
    named = (*whole.values[:-1], "")
    column = dataclasses.replace(
        whole, values=named, hierarchy=whole.hierarchy.renamed(named), has_missing=True
    )
    return dataclasses.replace(found, sensitive={ILLNESS: column})


def matrix_of(found):
    """Count the values of each class."""
    return found.value_counts[ILLNESS].dense(found.sensitive[ILLNESS].n_values)


def without_missing(found):
    """Leave the records without a value out, and the classes that have no other."""
    matrix = matrix_of(found)[:, :-1]
    held = matrix.sum(axis=1) > 0
    hierarchy = found.sensitive[ILLNESS].hierarchy.without_last
    return held, classes_from(matrix[held], hierarchy)


@each_model
def test_a_class_is_measured_by_its_known_values(kind):
    """As if the other records were not there; a class without any value is as good as can be."""

    @settings(max_examples=20)
    @given(models_of(kind), classes())
    def check(model, found):
        found = with_missing(found)
        held, known = without_missing(found)
        assume(held.any())
        measured = model.measured(found)
        plain = [model.measured_plainly(one) for one in plain_classes(found)]
        assert measured.tolist() == pytest.approx(plain, rel=1e-9, abs=1e-12)
        small = kind.name == "alpha-k-anonymity" and found.sizes < model.k
        assert model.holds(found)[~held & ~np.asarray(small)].all()
        if kind.name != "alpha-k-anonymity":  # whose k counts records without a value, too
            assert measured[held].tolist() == pytest.approx(model.measured(known).tolist())
        counting = dataclasses.replace(model, missing_counts=True)
        assert counting.measured(found).tolist() == model.measure(found).tolist()
        plain = [counting.measured_plainly(one) for one in plain_classes(found)]
        assert counting.measured(found).tolist() == pytest.approx(plain, rel=1e-9, abs=1e-12)

    check()


@pytest.mark.parametrize("kind", PRUNING, ids=lambda kind: kind.name)
def test_pruning_is_right_beside_missing_values(kind):
    """Merging breaks no model that says so, classes without a known value included."""

    @settings(max_examples=20)
    @given(models_of(kind), classes(), st.data())
    def check(model, found, data):
        model = model.with_missing_columns([ILLNESS])
        assume(model.monotone is not Monotonicity.NEVER and found.n_classes > 1)
        found = with_missing(found)
        holds = model.holds(found)
        assert (found.sizes[holds] >= model.least_size).all()
        first, second = data.draw(st.permutations(range(found.n_classes)))[:2]
        if model.monotone is Monotonicity.WITHOUT_SUPPRESSION:
            assume(holds[first] and holds[second])
        else:
            assume(holds[first] or holds[second])
        matrix = matrix_of(found)
        matrix[first] += matrix[second]
        whole = found.sensitive[ILLNESS]
        merged = dataclasses.replace(
            classes_from(matrix, whole.hierarchy), sensitive=found.sensitive
        )
        assert model.holds(merged)[first]

    check()


def test_a_model_asks_for_as_many_records_as_before_where_nothing_is_missing():
    model = ind.DistinctLDiversity("ill", l=3)
    told = model.with_missing_columns(["ill"])
    assert (model.least_size, model.monotone) == (3, Monotonicity.ALWAYS)
    assert (told.least_size, told.monotone) == (1, Monotonicity.WITHOUT_SUPPRESSION)
    counting = ind.DistinctLDiversity("ill", l=3, missing_counts=True)
    assert counting.with_missing_columns(["ill"]).least_size == 3
    assert ind.AlphaKAnonymity("ill", alpha=0.1, k=4).with_missing_columns(["ill"]).least_size == 4


def test_the_policy_names_it_only_where_it_says_something():
    assert ind.EntropyLDiversity("ill", l=2).required() == {"column": "ill", "l": 2}
    assert ind.TCloseness("ill", t=0.2, missing_counts=True).required()["missing_counts"] is True
    assert MInvariance("ill", m=2).required() == {"column": "ill", "m": 2}


@given(classes())
def test_records_that_every_partition_suppresses_are_known_ones(found):
    """No more than have a value, and none of a class that holds."""
    found = with_missing(found)
    for model in (
        ind.ProbabilisticLDiversity(ILLNESS, l=2.5),
        ind.EntropyLDiversity(ILLNESS, l=2.5),
        ind.TCloseness(ILLNESS, t=0.2),
    ):
        least_suppressed = model.least_suppressed(found)
        assert (least_suppressed <= matrix_of(found)[:, :-1].sum(axis=1)).all()
        assert not least_suppressed[model.holds(found)].any()
        held, known = without_missing(found)
        if held.any():
            assert least_suppressed[held].tolist() == model.least_suppressed(known).tolist()


@pytest.mark.parametrize("algorithm", ["k-member", "lattice-peel", "local", "mondrian"])
def test_no_search_begins_with_single_records_where_values_are_missing(algorithm):
    """A single record without a value is a class that holds, but hardly ever a good beginning."""
    chance = np.random.default_rng(1)
    n = 240
    frame = pl.DataFrame(
        {
            "age": chance.integers(20, 60, n),
            "sex": chance.choice(["f", "m"], n),
            "ill": chance.choice(["flu", "gout", "ulcer", ""], n),
        }
    )
    policy = ind.Policy.from_words(
        {
            "columns": {
                "age": {"role": "quasi-identifier"},
                "sex": {"role": "quasi-identifier"},
                "ill": {"role": "sensitive"},
            },
            "models": [{"name": "distinct-l-diversity", "column": "ill", "l": 3}],
            "method": {"algorithm": algorithm, "max_suppression": 0.1},
        }
    )
    release = ind.anonymize(frame, policy, seed=1)
    assert release.manifest["records"]["suppressed"] <= 24
