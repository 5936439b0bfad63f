"""Simpson diversity as a privacy model."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.core.protocols import PlainClass
from indistinct.tables.models import SimpsonDiversity

FORMS = ("inverse", "gini")


def one_class(counts):
    """Return one class on arrays, and as a reader counts it."""
    found = ValueCounts(
        np.array([0, len(counts)]),
        np.arange(len(counts), dtype=np.int32),
        np.array(counts, np.int64),
    )
    size = sum(counts)
    plain = PlainClass(size, {"x": {str(i): n for i, n in enumerate(counts)}}, {})
    return EquivalenceClasses(np.array([size]), {"x": found}), plain


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=5),
    st.sampled_from(FORMS),
    st.sampled_from([0.0, 0.5, 0.9]),
)
def test_both_definitions_agree(counts, form, evenness):
    model = SimpsonDiversity("x", d=0.3, evenness=evenness, form=form)
    classes, plain = one_class(counts)
    assert model.measure(classes)[0] == pytest.approx(model.measure_plainly(plain), abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "d", "evenness", "holds"),
    [
        ([3, 1], 1.6, 0.0, True),
        ([3, 1], 1.61, 0.0, False),
        ([3, 1], 1.6, 0.8, True),
        ([3, 1], 1.6, 0.81, False),
        ([4], 1.0001, 0.0, False),
        ([99, 1], 1.01, 0.0, True),
        ([99, 1], 1.01, 0.6, False),
    ],
)
def test_a_class_is_diverse_and_even_or_it_fails(counts, d, evenness, holds):
    classes, _ = one_class(counts)
    assert bool(SimpsonDiversity("x", d=d, evenness=evenness).holds(classes)[0]) is holds


def test_a_release_reaches_the_diversity_it_promises():
    frame = pl.DataFrame(
        {
            "age": [number % 40 for number in range(400)],
            "disease": ["abc"[number // 7 % 3] for number in range(400)],
        }
    )
    policy = ind.Policy(
        columns={
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [2, 4, 8, 16]}},
            "disease": {"role": "sensitive"},
        },
        models=[{"name": "simpson-diversity", "column": "disease", "d": 2.5}],
        method={"max_suppression": 0.1},
    )
    release = ind.anonymize(frame, policy)
    assert release.manifest["models"][0]["achieved"]["d"] >= 2.5
    counts = release.frame.group_by("age", "disease").len().group_by("age")
    smallest = counts.agg(pl.col("len").sum() ** 2 / (pl.col("len") ** 2).sum())["len"].min()
    assert smallest == pytest.approx(release.manifest["models"][0]["achieved"]["d"])
