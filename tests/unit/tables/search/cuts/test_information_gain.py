"""Mondrian by information gain."""

from collections import Counter
from math import log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.search.cuts.gain_cuts import Cutting


def policy_of(k=3, **words):
    return Policy(
        columns={
            "age": {"role": "quasi-identifier"},
            "town": {"role": "quasi-identifier", "hierarchy": {"mask": 2}},
            "disease": {"role": "sensitive"},
        },
        models=[{"name": "k-anonymity", "k": k}],
        method={"algorithm": "infogain-mondrian"},
        **words,
    )


def people(n_records, seed):
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": chance.integers(0, 12, n_records),
            "town": chance.choice(["11", "12", "21", "22"], n_records),
            "disease": chance.choice(["flu", "gout", "none"], n_records),
        }
    )


def bits(values):
    """Give size times entropy."""
    counts = Counter(values).values()
    return sum(count * log2(len(values) / count) for count in counts)


def best_split(rows, k):
    """Return the least entropy left after any cut in two parts of at least k records."""
    found = []
    for column in (0, 1):
        for border in sorted({row[column] for row in rows})[:-1]:
            left = [row[2] for row in rows if row[column] <= border]
            right = [row[2] for row in rows if row[column] > border]
            if min(len(left), len(right)) >= k:
                found.append(bits(left) + bits(right))
    return min(found, default=None)


@settings(max_examples=25)
@given(st.integers(4, 40), st.integers(2, 5), st.integers(0, 10_000))
def test_the_first_cut_leaves_the_least_entropy(n_records, k, seed):
    frame = people(n_records, seed)
    if k > n_records:
        return
    problem = prepare(frame, resolve(policy_of(k))).problem
    parts = Cutting.of(problem).best_cut(np.arange(problem.table.n_tuples, dtype=np.int32))
    expected = best_split(frame.rows(), k)
    if expected is None:
        assert parts is None
        return
    table = problem.table
    left = [
        np.repeat(table.sensitive_codes["disease"][part], table.weights[part]).tolist()
        for part in parts
    ]
    assert sum(map(bits, left)) == pytest.approx(expected)


@settings(max_examples=15)
@given(st.integers(10, 200), st.integers(2, 6), st.integers(0, 10_000))
def test_the_release_verifies_and_keeps_everyone(n_records, k, seed):
    release = ind.anonymize(people(n_records, seed), policy_of(k))
    assert release.frame.height == n_records
    assert ind.verify(release.frame, policy_of(k), manifest=release.manifest).holds


def test_it_cuts_where_the_disease_changes():
    frame = pl.DataFrame(
        {
            "age": list(range(20)),
            "town": ["11", "12", "21", "22"] * 5,
            "disease": ["flu"] * 8 + ["gout"] * 12,
        }
    )
    release = ind.anonymize(frame, policy_of(8))
    assert sorted(release.frame["age"].unique()) == ["[0, 7]", "[8, 19]"]


def test_it_says_what_to_do_without_a_sensitive_column():
    words = policy_of().words()
    words["columns"]["disease"] = {"role": "insensitive"}
    with pytest.raises(ind.PolicyError, match="there is none"):
        ind.anonymize(people(30, 1), Policy.from_words(words))
