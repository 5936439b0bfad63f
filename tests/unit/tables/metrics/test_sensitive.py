"""What a release says of a sensitive column."""

import numpy as np
import pytest
from hypothesis import given

from handmade import COLUMN, classes_from, some_classes
from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.distances import Distance
from indistinct.tables.core.recoding import hierarchy_cells
from indistinct.tables.metrics.disclosure import learned_information
from indistinct.tables.metrics.sensitive import (
    classification_metric,
    granularity_of_sensitive,
    private_probabilities,
)


def test_classification_of_three_groups():
    """[A, A, B], [B, B], [A, C]: two of seven are in no majority (spec D)."""
    classes = classes_from([[2, 1, 0], [0, 2, 0], [1, 0, 1]])
    assert classification_metric(classes, COLUMN, 0) == pytest.approx(0.285714, abs=1e-6)
    assert classification_metric(classes, COLUMN, 3) == pytest.approx(5 / 10)


def test_nothing_released_is_all_lost():
    """Every suppressed record counts 1."""
    classes = classes_from([[1, 1]]).chosen(np.array([False]))
    assert classification_metric(classes, COLUMN, 2) == 1.0
    assert granularity_of_sensitive(classes, COLUMN, 2) == 1.0
    assert granularity_of_sensitive(classes, COLUMN, 1) == 1.0
    assert learned_information(classes, COLUMN, Distance()) == 0.0


def test_granularity_along_a_tree():
    """Five leaves, a class under a node of two: 1/4; one value 0; everything 1 (spec D)."""
    tree = from_levels([[f"v{number:02d}" for number in range(5)], list("aabbb"), ["*"] * 5])
    classes = classes_from([[1, 1, 0, 0, 0], [0, 0, 2, 0, 0], [1, 0, 0, 0, 1]], hierarchy=tree)
    expected = (2 * 0.25 + 2 * 0.0 + 2 * 1.0) / 6
    assert granularity_of_sensitive(classes, COLUMN, 0) == pytest.approx(expected)
    assert granularity_of_sensitive(classes, COLUMN, 4) == pytest.approx((6 * expected + 4) / 10)


def test_granularity_of_numbers():
    """30 to 40 of the range 20 to 60: 1/4 (spec D); missing beside others is everything."""
    numbers = [20.0, 30.0, 40.0, 60.0, np.nan]
    classes = classes_from(
        [[0, 1, 1, 0, 0], [1, 0, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 0, 2]], numbers=numbers
    )
    assert granularity_of_sensitive(classes, COLUMN, 0) == pytest.approx((0.25 + 1 + 1 + 0) / 4)


def test_private_information():
    """X = a,a,b,b,c*4, Y = 1,1,1,0*5, {a, b} merged: U .548795, loss .405639 (spec D)."""
    letters = from_levels([list("abc"), ["ab", "ab", "c"]])
    values = np.array([0, 0, 1, 1, 2, 2, 2, 2], np.int32)
    secrets = np.array([1, 1, 1, 0, 0, 0, 0, 0], np.int32)
    domain = hierarchy_cells(letters, np.bincount(values))
    cells = np.array([domain.labels.index("ab")] * 4 + [len(domain.labels) - 1] * 4, np.int32)
    shares = private_probabilities(domain, values, secrets, cells, secrets)
    own = np.where(secrets == 1, 3 / 8, 5 / 8)
    assert np.log2(shares / own).mean() == pytest.approx(0.548795, abs=1e-6)
    assert -np.log2(shares).mean() == pytest.approx(0.405639, abs=1e-6)


@pytest.mark.parametrize("dense", [0, 1000])
def test_shares_under_cells_are_counted_in_either_way(monkeypatch, dense):
    """By a table of all pairs where these are few, and by sorting otherwise."""
    monkeypatch.setattr("indistinct.tables.metrics.sensitive.DENSE", dense)
    letters = from_levels([list("abc"), ["ab", "ab", "c"]])
    values = np.array([0, 0, 1, 1, 2, 2], np.int32)
    secrets = np.array([1, 0, 1, 1, 0, 0], np.int32)
    domain = hierarchy_cells(letters, np.bincount(values))
    both, c = domain.labels.index("ab"), len(domain.labels) - 1
    cells, told = np.array([0, 0, both, both, c], np.int32), np.array([0, 1, 0, 1, 1], np.int32)
    shares = private_probabilities(domain, values, secrets, cells, told)
    assert shares == pytest.approx([1 / 2, 1 / 2, 1 / 4, 3 / 4, 0])


def test_one_record_under_a_cell_tells_its_value():
    """Of three records, each with a value of its own, each has the secret it has."""
    letters = from_levels([list("abc"), ["ab", "ab", "c"]])
    values = secrets = np.arange(3, dtype=np.int32)
    domain = hierarchy_cells(letters, np.ones(3, np.int64))
    shares = private_probabilities(domain, values, secrets, values, secrets)
    assert shares.tolist() == [1, 1, 1]
    assert private_probabilities(domain, values, secrets, values, secrets[::-1]).tolist() == [
        0,
        1,
        0,
    ]


@given(some_classes())
def test_against_the_plain_definitions(counts):
    """Counted value by value, class by class."""
    classes = classes_from(counts)
    n_records = counts.sum()
    minority = sum(int(row.sum() - row.max()) for row in counts)
    assert classification_metric(classes, COLUMN, 0) == pytest.approx(minority / n_records)
    whole = counts.sum(axis=0) / n_records
    learned = sum(
        row.sum() / n_records * np.abs(row / row.sum() - whole).sum() / 2 for row in counts
    )
    assert learned_information(classes, COLUMN, Distance()) == pytest.approx(learned)
    spread = sum(int(row.sum()) for row in counts if (row > 0).sum() > 1) / n_records
    assert granularity_of_sensitive(classes, COLUMN, 0) == pytest.approx(spread)
