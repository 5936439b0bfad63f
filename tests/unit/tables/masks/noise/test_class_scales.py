"""The scale of the noise of each class."""

import math

import numpy as np
import pytest
from hypothesis import given

from indistinct.tables.masks.noise.class_scales import (
    MOST_EXACT_COLUMNS,
    BudgetSplit,
    class_scales,
    vector_diameters,
)
from noisy_classes import classed, peers, plain_vector_diameter, plain_widths, records, tables
from shared import examples

ROWS = [(160, 50), (170, 90), (180, 70)]


def test_the_scale_of_one_column_is_the_diameter_over_epsilon():
    """Three heights at epsilon 1: 20; two classes at epsilon 2: half their diameters."""
    assert class_scales(*classed([160, 170, 180]), 1).scales.tolist() == [[20]]
    two = classed([160, 170, 180], [50, 60, 80, 100])
    assert class_scales(*two, 2).scales.tolist() == [[10], [25]]


def test_several_columns_share_epsilon_as_one_vector():
    """The worked example: diameters 20 and 40, the class 1.5 wide; and in equal parts."""
    values, members = records(ROWS)
    vector = class_scales(values, members, 1)
    assert vector.widths.tolist() == [[20, 40]]
    assert vector_diameters(values, members).tolist() == [1.5]
    assert vector.scales.tolist() == [[30, 60]]
    assert class_scales(values, members, 1, BudgetSplit.SPLIT).scales.tolist() == [[40, 80]]


def test_a_column_and_its_copy_get_twice_the_noise():
    """Two identical columns: as a vector no less than in equal parts."""
    values, members = records([(160, 160), (170, 170), (180, 180)])
    for budget in (BudgetSplit.VECTOR, BudgetSplit.SPLIT):
        assert class_scales(values, members, 1, budget).scales.tolist() == [[40, 40]]


def test_the_whole_of_epsilon_for_each_column_costs_its_multiple():
    """Per attribute the scales are the diameters over epsilon, and the total is said."""
    values, members = records(ROWS)
    found = class_scales(values, members, 0.5, BudgetSplit.PER_ATTRIBUTE)
    assert found.scales.tolist() == [[40, 80]]
    assert found.epsilon == 1.0
    assert class_scales(values, members, 0.5, BudgetSplit.SPLIT).epsilon == 0.5


def test_equal_values_get_no_noise_and_take_no_part():
    """A column that is constant in a class leaves all of epsilon to the others."""
    values, members = records([(160, 7), (170, 7), (180, 7)])
    for budget in (BudgetSplit.VECTOR, BudgetSplit.SPLIT):
        assert class_scales(values, members, 1, budget).scales.tolist() == [[20, 0]]


def test_public_bounds_stand_in_place_of_the_diameter():
    """The scale is the width of the bounds, in every class alike; both columns count in full."""
    values, members = classed([160, 170, 180], [170, 170])
    assert class_scales(values, members, 2, bounds=(100.0,)).scales.tolist() == [[50], [50]]
    values, members = records(ROWS)
    both = class_scales(values, members, 1, bounds=(100.0, 200.0))
    assert both.scales.tolist() == [[200, 400]]
    one = class_scales(values, members, 1, bounds=(None, 200.0))
    assert one.scales.tolist() == [[40, 400]]


@examples(60)
@given(tables())
def test_scales_are_the_definition_and_a_vector_is_never_noisier_than_equal_parts(table):
    """Widths and the vector's diameter agree with all pairs compared; 1 <= D <= columns."""
    values, members, _ = table
    vector = class_scales(values, members, 0.7)
    split = class_scales(values, members, 0.7, BudgetSplit.SPLIT)
    assert (vector.scales <= split.scales + 1e-9).all()
    for record, label in enumerate(members.labels):
        widths = plain_widths(values, members, record)
        diameter = plain_vector_diameter(values[peers(members, record)])
        assert vector.widths[label].tolist() == widths.tolist()
        assert np.allclose(vector.scales[label], widths * diameter / 0.7)
        assert diameter == 0 or 1 - 1e-9 <= diameter <= (widths > 0).sum() + 1e-9


@examples(40)
@given(tables())
def test_densities_of_two_records_of_a_class_differ_by_at_most_e_to_epsilon(table):
    """The log-ratio at any point is at most the sum of distance over scale: at most epsilon."""
    values, members, _ = table
    epsilon = 1.3
    for budget in (BudgetSplit.VECTOR, BudgetSplit.SPLIT):
        scales = class_scales(values, members, epsilon, budget).scales
        for record, label in enumerate(members.labels):
            for other in peers(members, record):
                away = np.abs(values[record] - values[other])
                used = away > 0
                assert (away[used] / scales[label][used]).sum() <= epsilon * (1 + 1e-12)


def test_the_difference_of_many_columns_is_bounded_by_their_number():
    """Beyond 12 columns the number of columns is taken, which is never less."""
    rng = np.random.default_rng(1)
    values, members = records(rng.integers(0, 9, (6, MOST_EXACT_COLUMNS + 1)))
    wide = vector_diameters(values, members)[0]
    assert wide == MOST_EXACT_COLUMNS + 1 >= plain_vector_diameter(values)


def test_noise_per_class_is_never_more_than_global_noise():
    """The diameter of a class is at most that of the table, and so the variance."""
    values, members = classed([160, 170, 180], [50, 60, 80, 100])
    whole = class_scales(values, members.together(7), 2).scales
    assert whole.tolist() == [[65]]
    assert (2 * class_scales(values, members, 2).scales ** 2 <= 2 * whole**2).all()


def test_averaging_copies_of_a_column_gains_nothing():
    """Four copies as a vector: the variance of their mean is 4 times that of one noisy column."""
    column = np.array([[160.0], [170.0], [180.0]])
    one = class_scales(*records(column), 1).scales[0, 0]
    four = class_scales(*records(np.repeat(column, 4, axis=1)), 1).scales[0]
    assert math.isclose(2 * four[0] ** 2 / 4, 4 * 2 * one**2)


@pytest.mark.parametrize("n_records", [0, 1])
def test_few_records_need_no_noise(n_records):
    """An empty table has no class; one record has no diameter."""
    values, members = np.full((n_records, 2), 5.0), classed([0] * n_records)[1]
    assert class_scales(values, members, 1).scales.tolist() == [[0, 0]] * n_records
