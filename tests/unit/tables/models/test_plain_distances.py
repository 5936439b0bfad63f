"""Distances of two distributions on plain dictionaries, and the least sizes of classes."""

import pytest

from handmade import COLUMN as SECRET, classes_from
from indistinct.tables.core.distances import Distance
from indistinct.tables.core.protocols import PlainColumn
from indistinct.tables.models.closeness import plain_distance, plain_positions
from indistinct.tables.models.l_diversity import EntropyLDiversity, ProbabilisticLDiversity

COLUMN = PlainColumn(
    {"flu": 2, "gout": 1, "mumps": 1}, ["flu", "gout", "mumps"],
    paths={"flu": ["any"], "gout": ["any"], "mumps": ["any"]},
)  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "smoothing"),
    [
        ("equal", "nw"),
        ("ordered", "nw"),
        ("hierarchical", "nw"),
        ("kernel", "nw"),
        ("kernel", "mass"),
    ],
)
def test_values_that_one_side_lacks_have_no_share_on_either_side(kind, smoothing):
    """A distance is the same in both directions, whichever of the two lists fewer values."""
    distance = Distance(kind, "rank", 0.6, smoothing)
    some, other = {"flu": 1.0}, {"gout": 0.5, "mumps": 0.5}
    there = plain_distance(some, other, COLUMN, distance)
    assert there == pytest.approx(plain_distance(other, some, COLUMN, distance))
    listed = {"flu": 0.0, **other}
    assert there == pytest.approx(
        plain_distance({**dict.fromkeys(other, 0.0), **some}, listed, COLUMN, distance)
    )
    assert 0 < there <= 1


@pytest.mark.parametrize(("l", "least"), [(2.0, 2), (2.5, 3), (3.0, 3), (2 + 1e-12, 2)])
def test_fewer_records_than_l_have_too_little_entropy(l, least):  # noqa: E741 - the paper's letter
    """The least size is told as large as it is, so that hopeless classes cost no search."""
    assert EntropyLDiversity("ill", l).least_size == least


@pytest.mark.parametrize(
    ("texts", "ground", "expected"),
    [
        (("20", "30", "60"), "value", [0, 0.25, 1]),
        (("20", "30", "60"), "rank", [0, 0.5, 1]),
        (("20", "30", "60", ""), "value", [0, 1 / 6, 2 / 3, 1]),
        (("20", ""), "value", [0, 1]),
        (("20",), "value", [0]),
    ],
)
def test_values_stand_on_a_line_from_0_to_1(texts, ground, expected):
    """By their distance or by their rank; a missing one a mean step behind the last."""
    numbers = {text: float(text) for text in texts if text}
    table = PlainColumn(dict.fromkeys(texts, 1), texts, numbers)
    assert plain_positions(table, ground) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("counts", "l", "least_suppressed"),
    [([5, 5], 2, 0), ([8, 2], 2, 6), ([9, 1], 2, 8), ([6, 3, 3], 3, 3), ([4, 0], 2, 4)],
)
def test_records_beyond_the_share_of_the_commonest_value_go_in_any_partition(
    counts,
    l,  # noqa: E741 - the paper's letter
    least_suppressed,
):
    """No part has more than 1 / l of a value: of 8 and 2 at l = 2 two pairs stay, and six go."""
    model = ProbabilisticLDiversity(SECRET, l)
    assert model.least_suppressed(classes_from([counts])).tolist() == [least_suppressed]
