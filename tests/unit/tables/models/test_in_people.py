"""Models that count people instead of records, on classes that one can count by hand."""

import numpy as np
import pytest

from handmade import sizes_only
from indistinct.tables.core.classes import count_values
from indistinct.tables.core.frequencies import PERSON
from indistinct.tables.core.protocols import Monotonicity
from indistinct.tables.models import EntropyLDiversity, KAnonymity
from indistinct.tables.models.in_people import InPeople, counted_in_people


def classes_of_people(*people, **more):
    """Make classes; each argument lists who has each record of one class."""
    labels = np.repeat(np.arange(len(people)), [len(one) for one in people]).astype(np.int32)
    who = np.array([person for one in people for person in one], np.int32)
    counts = count_values(labels, who, np.ones(len(who), np.int64), len(people), int(who.max()) + 1)
    return sizes_only([len(one) for one in people], value_counts={PERSON: counts}, **more)


def test_a_person_with_three_records_is_one():
    classes = classes_of_people([0, 0, 0], [1, 2, 2])
    assert InPeople(KAnonymity(2)).measured(classes).tolist() == [1, 2]
    assert InPeople(KAnonymity(2)).holds(classes).tolist() == [False, True]


def test_nothing_is_proven_of_records_that_every_partition_leaves_out():
    """One bound per class, as for every other model, and none above 0."""
    assert InPeople(KAnonymity(2)).least_suppressed(classes_of_people([0, 0], [1])).tolist() == [
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (KAnonymity(2), KAnonymity(2).monotone),
        (EntropyLDiversity("ill", 2.0), Monotonicity.NEVER),
    ],
)
def test_merging_keeps_what_counts_people_and_no_share(model, expected):
    """Of two classes with other people each, a union may have more of those with one value."""
    assert InPeople(model).monotone is expected


def test_regions_are_there_where_they_were_and_nowhere_else():
    plain = classes_of_people([0], [1])
    assert counted_in_people(plain, KAnonymity(2)).regions is None
    within = classes_of_people([0], [1], regions=lambda: iter(()))
    counted = counted_in_people(within, KAnonymity(2)).regions
    assert counted is not None
    assert list(counted()) == []
