"""Top-down specialization."""

from math import log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.search.adaptive.cut import Cut, information_gain, score


def people(n_records, seed):
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": chance.integers(18, 60, n_records),
            "town": chance.choice(["11", "12", "21", "22"], n_records),
            "disease": chance.choice(["flu", "gout", "none"], n_records),
        }
    )


def policy_of(k=3, **method):
    return Policy(
        columns={
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 20]}},
            "town": {"role": "quasi-identifier", "hierarchy": {"mask": 2}},
            "disease": {"role": "sensitive"},
        },
        models=[{"name": "k-anonymity", "k": k}],
        method={"algorithm": "top-down-specialization", **method},
    )


def test_the_worked_example():
    """Four and four, divided in three and one, one and three; the smallest class falls to 4."""
    gain = information_gain(np.array([[3, 1], [1, 3]]))
    assert gain == pytest.approx(0.188722, abs=5e-7)
    assert score(gain, 8 - 4) == pytest.approx(0.037744, abs=5e-7)


@given(
    st.lists(
        st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), min_size=1, max_size=5
    )
)
def test_information_is_the_fall_of_the_entropy(parts):
    def entropy(counts):
        return -sum(n / sum(counts) * log2(n / sum(counts)) for n in counts if n)

    whole = [sum(column) for column in zip(*parts, strict=True)]
    left = sum(sum(part) / sum(whole) * entropy(part) for part in parts)
    assert information_gain(np.array(parts)) == pytest.approx(entropy(whole) - left, abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(10, 60), st.integers(2, 5), st.integers(0, 1000))
def test_the_first_label_replaced_has_the_best_score(n_records, k, seed):
    frame = people(n_records, seed)
    cut = Cut.of(prepare(frame, resolve(policy_of(k))).problem)
    found = {}
    for column, of in (("age", lambda age: age // 20), ("town", lambda town: town[0])):
        groups = {}
        for value, disease in zip(frame[column], frame["disease"], strict=True):
            groups.setdefault(of(value), []).append(disease)
        smallest = min(map(len, groups.values()))
        names = sorted(set(frame["disease"]))
        counts = np.array([[own.count(name) for name in names] for own in groups.values()])
        if smallest >= k:
            found[column] = score(information_gain(counts), n_records - smallest)
    assert cut.specialized() == bool(found)
    if found:
        raised = np.flatnonzero((cut.levels < cut.space.highest).any(axis=0))
        chosen = ["age", "town"][int(raised[0])]
        assert found[chosen] == pytest.approx(max(found.values()))


@settings(max_examples=15, deadline=None)
@given(st.integers(10, 150), st.integers(2, 6), st.integers(0, 1000))
def test_the_release_verifies_and_nothing_more_may_be_replaced(n_records, k, seed):
    frame = people(n_records, seed)
    release = ind.anonymize(frame, policy_of(k))
    assert release.frame.height == n_records
    assert ind.verify(release.frame, policy_of(k), manifest=release.manifest).holds
    cut = Cut.of(prepare(frame, resolve(policy_of(k))).problem)
    while cut.specialized():
        assert cut.sizes.min() >= k
    for node in cut.nodes:
        assert cut._smallest_part(node) < k


def test_a_label_stands_at_one_level_in_all_records():
    release = ind.anonymize(people(150, 2), policy_of(4))
    widths = release.frame["town"].unique().to_list()
    assert not any(
        fine != coarse and coarse.endswith("*") and fine.startswith(coarse.rstrip("*"))
        for fine in widths
        for coarse in widths
    )


def test_other_models_stop_it_too():
    words = policy_of(3).words()
    words["models"].append({"name": "distinct-l-diversity", "column": "disease", "l": 3})
    release = ind.anonymize(people(150, 3), Policy.from_words(words))
    assert all(model["holds"] for model in release.manifest["models"])


def test_it_says_when_there_is_no_release():
    words = policy_of(9).words()
    words["columns"]["age"]["max_level"] = 1
    with pytest.raises(ind.NoSolutionError, match="the most general release allowed"):
        ind.anonymize(people(20, 1), Policy.from_words(words))
    words["columns"]["disease"] = {"role": "insensitive"}
    with pytest.raises(ind.PolicyError, match="there is"):
        ind.anonymize(people(30, 1), Policy.from_words(words))
