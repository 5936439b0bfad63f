"""What every registered privacy model must satisfy."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from indistinct.base.parameters import declared
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import Monotonicity, Scope
from indistinct.tables.models import MODELS, MODELS_BY_NAME
from oracles import MODEL_DEFINITIONS, plain_classes, within
from strategies import ILLNESS, classes, classes_from, models_of

each_model = pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.name)


def merged(found: EquivalenceClasses, first: int, second: int) -> EquivalenceClasses:
    """Merge two classes, the table staying what it is."""
    matrix = _matrix(found)
    matrix[first] += matrix[second]
    smaller = classes_from(np.delete(matrix, second, axis=0), found.sensitive[ILLNESS].hierarchy)
    return dataclasses.replace(smaller, sensitive=found.sensitive)


def _matrix(found: EquivalenceClasses) -> np.ndarray:
    counts = found.value_counts[ILLNESS]
    matrix = np.zeros((found.n_classes, found.sensitive[ILLNESS].n_values), np.int64)
    matrix[counts.owners, counts.values] = counts.counts
    return matrix


def doubled(found: EquivalenceClasses) -> EquivalenceClasses:
    """Take every record twice."""
    counts, whole = found.value_counts[ILLNESS], found.sensitive[ILLNESS]
    return EquivalenceClasses(
        found.sizes * 2,
        {ILLNESS: dataclasses.replace(counts, counts=counts.counts * 2)},
        {ILLNESS: dataclasses.replace(whole, counts=whole.counts * 2)},
    )


@each_model
def test_its_name_and_parameters_are_complete(kind):
    """It is found by its name; its bound is one of its parameters; each has bounds and help."""
    assert MODELS_BY_NAME[kind.name] is kind
    assert kind.letter in declared(kind)
    assert all(bounds.help for bounds in declared(kind).values())
    assert isinstance(kind.monotone, property) or kind.monotone in set(Monotonicity)
    assert (kind.__doc__ or "").count("Source: ") == 1


@each_model
def test_both_definitions_agree(kind):
    """The measure on arrays is the measure of one class counted by hand."""

    @given(models_of(kind), classes())
    def check(model, found):
        measured = model.measure(found)
        assert measured.shape == (found.n_classes,)
        plainly = [model.measure_plainly(one) for one in plain_classes(found)]
        assert measured.tolist() == pytest.approx(plainly, rel=1e-9, abs=1e-12)
        assert model.holds(found).tolist() == [
            within(model, measure) for measure in measured.tolist()
        ]

    check()


@each_model
def test_it_agrees_with_the_oracle(kind):
    """The plain measure is the paper's definition, where the oracle has it."""
    define = MODEL_DEFINITIONS.get(kind.name)
    if define is None:
        pytest.skip(f"no oracle of {kind.name}; both of its definitions are compared above")

    @given(models_of(kind), classes())
    def check(model, found):
        assume(getattr(model, "distance", "") != "kernel")
        for one in plain_classes(found):
            expected = define(model, one)
            assert model.measure_plainly(one) == pytest.approx(expected, rel=1e-7, abs=1e-7)

    check()


@each_model
def test_doubling_every_record_doubles_sizes_and_leaves_shares_alone(kind):
    """Distances and diversities look at shares; only sizes grow."""

    @given(models_of(kind), classes())
    def check(model, found):
        before, after = model.measure(found), model.measure(doubled(found))
        same = np.allclose(after, before, rtol=1e-9, atol=1e-12)
        if kind.republishes:
            # A value that stands in a group twice breaks the promise, so that doubling does, too.
            assert not model.holds(doubled(found)).any()
        elif model.scope is Scope.CLASS and not {"alpha", "k"} <= declared(kind).keys():
            assert same or np.allclose(after, 2 * before)
        else:
            # A size is part of the bound: more records of the same kind never protect less.
            assert same or (after >= before if model.grows else after <= before).all()

    check()


@each_model
def test_the_order_of_classes_is_irrelevant(kind):
    """A class's measure does not depend on where it stands."""

    @given(models_of(kind), classes(), st.randoms())
    def check(model, found, random):
        order = list(range(found.n_classes))
        random.shuffle(order)
        shuffled = classes_from(_matrix(found)[order], found.sensitive[ILLNESS].hierarchy)
        expected = model.measure(found)[order].tolist()
        assert model.measure(shuffled).tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)

    check()


@each_model
def test_it_is_as_monotone_as_it_says(kind):
    """Merging two classes keeps what is declared: one that holds, or two that hold."""
    if kind.monotone is Monotonicity.NEVER:
        pytest.skip(f"{kind.name} is declared not monotone")

    @given(models_of(kind), classes(), st.data())
    def check(model, found, data):
        assume(found.n_classes > 1)
        first = data.draw(st.integers(0, found.n_classes - 2))
        before = model.holds(found)[first : first + 2]
        after = model.holds(merged(found, first, first + 1))[first]
        enough = before.any() if model.monotone is Monotonicity.ALWAYS else before.all()
        assert after or not enough

    check()


@each_model
def test_no_class_below_its_least_size_satisfies_it(kind):
    """The search may drop smaller classes unseen."""

    @given(models_of(kind), classes())
    def check(model, found):
        assert model.least_size >= 1
        assert (found.sizes[model.holds(found)] >= model.least_size).all()

    check()


@each_model
def test_the_manifest_can_name_what_is_asked_and_reached(kind):
    """Asked: every parameter, buildable again. Reached: the bound's letter, in its own units."""

    @given(models_of(kind), classes())
    def check(model, found):
        asked = model.required()
        again = kind(**asked)
        assert again.required() == asked
        assert np.array_equal(again.measure(found), model.measure(found))
        measured = model.measure(found)
        worst = float(measured.min() if model.grows else measured.max())
        reached = model.achieved(worst)
        assert reached.keys() & declared(kind).keys()
        assert set(reached) <= set(declared(kind))
        if model.letter in reached and math.isfinite(worst):
            assert reached[model.letter] == pytest.approx(worst)

    check()
