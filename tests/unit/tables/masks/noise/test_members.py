"""Records by class."""

import numpy as np

from indistinct.tables.masks.noise.members import Members


def test_classes_are_numbered_anew():
    """Gaps close, and the records of a class stand together."""
    members = Members.of(np.array([7, 2, 7, 9], np.int32))
    assert members.labels.tolist() == [1, 0, 1, 2]
    assert members.sizes.tolist() == [1, 2, 1]
    assert members.order.tolist() == [1, 0, 2, 3]


def test_figures_of_classes():
    """Sums, spreads and least values; missing values have no part in the least."""
    members = Members.of(np.array([1, 0, 1, 0], np.int32))
    values = np.array([5.0, np.nan, 3.0, np.nan])
    assert members.least(values).tolist() == [0, 3]
    assert members.spreads(np.array([5.0, 1.0, 3.0, 1.5])).tolist() == [0.5, 2]
    assert members.sums(np.array([5.0, 1.0, 3.0, 1.5])).tolist() == [2.5, 8]
    assert members.sorted_by(np.array([5.0, 1.0, 3.0, 0.5])).tolist() == [3, 1, 2, 0]
    nobody = Members.of(np.zeros(0, np.int32))
    assert nobody.spreads(np.zeros((0, 2))).shape == nobody.least(np.zeros((0, 2))).shape == (0, 2)
