"""The sorts that compiled loops use, against NumPy's."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.compiled.kernels import compiled, sort_keys, stable_order

KEYS = st.lists(st.integers(-(2**31), 2**31 - 1) | st.integers(0, 3), max_size=200)


@compiled
def in_order(keys):
    return stable_order(keys)


@compiled
def sort_first(keys, n_keys):
    sort_keys(keys, n_keys)


@given(KEYS)
def test_equal_keys_stay_as_they_stand(listed):
    """The order is NumPy's stable one."""
    keys = np.array(listed, np.int64)
    assert in_order(keys).tolist() == np.argsort(keys, kind="stable").tolist()


@given(KEYS, st.data())
def test_only_the_first_keys_are_sorted(listed, data):
    """Those behind stay."""
    n_keys = data.draw(st.integers(0, len(listed)))
    keys = np.array(listed, np.int32)
    sort_first(keys, n_keys)
    assert keys.tolist() == sorted(listed[:n_keys]) + listed[n_keys:]


def test_python_cannot_call_a_part():
    """It raises instead of jumping to a wrapper that does not exist."""
    sort_first(np.zeros(2, np.int32), 2)
    with pytest.raises(TypeError, match="only compiled functions can call sort_keys"):
        sort_keys(np.zeros(2, np.int32), 2)
