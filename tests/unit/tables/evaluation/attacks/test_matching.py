"""People of whom the same is known are looked at once, and found alike."""

import numpy as np
from hypothesis import given, strategies as st

from indistinct.tables.evaluation.attacks.matching import _of_people


@given(
    st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=5),
    st.data(),
)
def test_each_person_gets_the_boxes_of_its_kind(of_kinds, data):
    kinds = data.draw(st.lists(st.integers(0, len(of_kinds) - 1), max_size=12))
    begins = np.concatenate([[0], np.cumsum([len(boxes) for boxes in of_kinds])]).astype(np.int64)
    found = np.array([box for boxes in of_kinds for box in boxes], np.int32)
    own, boxes = _of_people(np.array(kinds, np.int32), begins, found)
    assert len(own) == len(kinds) + 1
    for person, kind in enumerate(kinds):
        assert boxes[own[person] : own[person + 1]].tolist() == of_kinds[kind]
