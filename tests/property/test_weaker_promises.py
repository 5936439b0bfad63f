"""A weaker promise never costs more than a stronger one in the same sweep."""

import math

import numpy as np
import polars as pl
from hypothesis import given, settings, strategies as st

import indistinct as ind

COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 40]}},
    "town": {"role": "quasi-identifier"},
    "disease": {"role": "sensitive"},
}
VARIED = {
    "t-closeness": ("t", [0.25, 0.5], {"column": "disease"}),
    "distinct-l-diversity": ("l", [2, 3], {"column": "disease"}),
    "entropy-l-diversity": ("l", [1.5, 2.5], {"column": "disease"}),
}
WEAKER_IF_GREATER = {"t", "max_suppression"}


def table_of(seed, n_records):
    draws = np.random.default_rng(seed)
    age = draws.integers(18, 80, n_records)
    return pl.DataFrame(
        {
            "age": age,
            "town": draws.choice(["A", "B", "C", "D"], n_records),
            "disease": np.where(age < 40, "flu", draws.choice(["flu", "ulcer", "gout"], n_records)),
        }
    )


def is_weaker(one, other):
    """Return whether no parameter of one asks for more than that of the other."""
    return all(
        value >= other[name] if name in WEAKER_IF_GREATER else value <= other[name]
        for name, value in one.items()
    )


@settings(deadline=None, max_examples=4)
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(VARIED)), st.integers(25, 90))
def test_no_weaker_promise_costs_more_than_a_stronger_one(seed, name, n_records):
    letter, values, words = VARIED[name]
    models = [{"name": "k-anonymity", "k": 2}, {"name": name, letter: values[0], **words}]
    policy = ind.Policy.from_words({"columns": COLUMNS, "models": models})
    found = ind.sweep(
        table_of(seed, n_records),
        policy,
        vary={"k": [2, 6], letter: values, "max_suppression": [0.0, 0.1]},
    )
    for one in found.points:
        for other in found.points:
            if is_weaker(one.parameters, other.parameters):
                assert cost_of(one) <= cost_of(other) + 1e-12


def cost_of(point):
    """Return what a point costs, infinity where there is no solution."""
    return math.inf if point.cost is None else point.cost
