"""Adaptive generalization: diverse classes keep detail."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.search.adaptive.adaptive import Adaptive
from indistinct.tables.search.adaptive.generalizing import (
    adaptive_levels,
    default_diversity,
)
from indistinct.tables.search.adaptive.settings import GROUPINGS
from indistinct.tables.search.adaptive.similarity import similarity_of
from indistinct.tables.search.finish import solve


def people(n_records, seed=0):
    """Make up people."""
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": chance.integers(18, 80, n_records),
            "town": chance.choice(["1201", "1202", "1310", "1311"], n_records),
            "sex": chance.choice(["f", "m"], n_records),
            "disease": chance.choice(["flu", "gout", "none", "none"], n_records),
        }
    )


def policy_of(k=3, **method):
    return Policy(
        columns={
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 20]}},
            "town": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
            "sex": {"role": "quasi-identifier"},
            "disease": {"role": "sensitive"},
        },
        models=[{"name": "k-anonymity", "k": k}],
        method={"algorithm": "adaptive", "target": "identity", **method},
    )


def plain_similarity(problem, weights, one, two):
    """Compare two records of codes column by column."""
    total = 0.0
    for column, hierarchy in enumerate(problem.hierarchies):
        whole = hierarchy.with_root()
        numbers = problem.numbers[column]
        a, b = one[column], two[column]
        if numbers is not None:
            alike = 1 - abs(numbers[a] - numbers[b]) / (numbers.max() - numbers.min())
        else:
            levels = [
                level
                for level in range(whole.n_levels)
                if whole.codes[level, a] == whole.codes[level, b]
            ]
            alike = 1 - levels[0] / whole.height
        total += weights[column] * alike
    return total


def plain_classes(problem, weights, codes, size, similarity=plain_similarity):
    """Group greedily, as the definition says."""
    free = list(range(len(codes)))
    labels = [0] * len(codes)
    number = 0
    while len(free) >= 2 * size:
        first, *rest = free
        rest.sort(
            key=lambda other: (
                -round(similarity(problem, weights, codes[first], codes[other]), 12),
                other,
            )
        )
        for member in [first, *rest[: size - 1]]:
            labels[member] = number
            free.remove(member)
        number += 1
    for member in free:
        labels[member] = number
    return labels


@settings(max_examples=20)
@given(st.integers(6, 40), st.integers(2, 4), st.integers(0, 1000))
def test_classes_are_those_of_the_definition(n_records, size, seed):
    problem = prepare(people(n_records, seed), resolve(policy_of())).problem
    weights = np.array([0.5, 0.25, 0.25])
    codes = np.repeat(problem.table.codes, problem.table.weights, axis=0)
    found = similarity_of(problem, weights).classes(np.ascontiguousarray(codes), size)
    assert found.tolist() == plain_classes(problem, weights, codes, size)


def plain_cosine(problem, weights, one, two):
    """Return the cosine of the vectors of two records, numbers scaled and words one-hot."""
    vectors = []
    for record in (one, two):
        vector = []
        for column, hierarchy in enumerate(problem.hierarchies):
            numbers, length = problem.numbers[column], np.sqrt(weights[column])
            if numbers is None:
                vector += (length * (np.arange(len(hierarchy.values)) == record[column])).tolist()
            else:
                least, greatest = numbers.min(), numbers.max()
                vector.append(length * (numbers[record[column]] - least) / (greatest - least))
        vectors.append(np.array(vector))
    lengths = np.sqrt((vectors[0] @ vectors[0]) * (vectors[1] @ vectors[1]))
    return float(vectors[0] @ vectors[1] / lengths)


@settings(max_examples=15, deadline=None)
@given(st.integers(6, 30), st.integers(2, 4), st.integers(0, 1000))
def test_classes_by_cosine_are_those_of_the_definition(n_records, size, seed):
    words = policy_of().words()
    del words["columns"]["age"]["hierarchy"]
    problem = prepare(people(n_records, seed), resolve(Policy.from_words(words))).problem
    weights = np.array([0.5, 0.3, 0.2])
    codes = np.repeat(problem.table.codes, problem.table.weights, axis=0)
    found = similarity_of(problem, weights, "cosine").classes(np.ascontiguousarray(codes), size)
    expected = plain_classes(problem, weights, codes, size, plain_cosine)
    assert found.tolist() == expected


@given(st.integers(0, 50))
def test_blocks_make_classes_of_the_right_size(seed):
    problem = prepare(people(300, seed), resolve(policy_of())).problem
    codes = np.ascontiguousarray(np.repeat(problem.table.codes, problem.table.weights, axis=0))
    labels = similarity_of(problem, np.full(3, 1 / 3)).classes_by_blocks(codes, 4, block=50)
    sizes = np.bincount(labels)
    assert sizes.min() >= 4
    assert sizes.max() < 8


def test_numbers_are_compared_by_their_difference():
    frame = people(40, 2)
    policy = Policy(
        columns={
            "age": {"role": "quasi-identifier"},
            "town": {"role": "insensitive"},
            "sex": {"role": "insensitive"},
            "disease": {"role": "sensitive"},
        },
        models=[{"name": "k-anonymity", "k": 2}],
        method={"algorithm": "adaptive", "target": "identity"},
    )
    problem = prepare(frame, resolve(policy)).problem
    codes = np.ascontiguousarray(np.repeat(problem.table.codes, problem.table.weights, axis=0))
    found = similarity_of(problem, np.ones(1)).classes(codes, 2)
    assert found.tolist() == plain_classes(problem, np.ones(1), codes, 2)


def test_low_diversity_rises_by_vulnerability():
    levels = adaptive_levels(
        np.array([[1, 0], [1, 0]]), np.array([True, False]), np.array([0.7, 0.3])
    )
    assert levels.tolist() == [[1, 0], [3, 1]]


@given(
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.lists(st.booleans(), min_size=2, max_size=2),
    st.lists(st.floats(0.01, 1), min_size=3, max_size=3),
)
def test_a_class_of_low_diversity_is_never_more_specific_than_a_diverse_one_would_be(
    common, diverse, weights
):
    table = np.array(common).reshape(2, 3)
    levels = adaptive_levels(table, np.array(diverse), np.array(weights))
    assert (levels >= table).all()
    assert (levels[~np.array(diverse)] > table[~np.array(diverse)]).all()


@pytest.mark.parametrize(
    ("shares", "size", "expected"),
    [
        ([0.5, 0.5], 5, 1.6),  # eight tenths of the table's 2
        ([0.99, 0.01], 5, 1.0001),  # 0.8 * 1.02 is below 1
        ([0.1] * 10, 5, 0.8 / (0.2 + 0.8 * 0.1)),  # ten values do not fit into five records
    ],
)
def test_the_default_threshold_comes_from_the_table(shares, size, expected):
    assert default_diversity(np.array(shares), size) == pytest.approx(expected)


@settings(max_examples=15)
@given(st.integers(0, 1000), st.integers(2, 6), st.sampled_from([60, 150]))
def test_the_release_is_k_anonymous_and_keeps_everyone(seed, k, n_records):
    release = ind.anonymize(people(n_records, seed), policy_of(k))
    assert release.frame.height == n_records
    assert release.frame.group_by("age", "town", "sex").len()["len"].min() >= k
    assert ind.verify(release.frame, policy_of(k), manifest=release.manifest).holds


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("similarity", ["hierarchy", "cosine"])
@pytest.mark.parametrize("step", ["needed", "fixed"])
def test_every_option_gives_a_release_that_holds(grouping, similarity, step):
    policy = policy_of(4, grouping=grouping, similarity=similarity, step=step)
    release = ind.anonymize(people(90, 5), policy)
    assert release.frame.height == 90
    assert ind.verify(release.frame, policy, manifest=release.manifest).holds


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 5), st.sampled_from(GROUPINGS))
def test_as_far_as_needed_leaves_no_class_of_little_diversity(seed, k, grouping):
    """A threshold below the table's own diversity; three values, of which one is half of all."""
    frame = people(150, seed)
    policy = policy_of(k, diversity=1.3, evenness=0.0, grouping=grouping)
    released = ind.anonymize(frame, policy).frame
    for _, part in released.group_by("age", "town", "sex"):
        shares = part["disease"].value_counts()["count"].to_numpy() / part.height
        assert 1 / (shares**2).sum() >= 1.3 - 1e-9


def test_more_diversity_than_the_table_has_is_not_looked_for():
    frame = people(80, 6)
    needed, fixed = (
        ind.anonymize(frame, policy_of(3, diversity=2.99, step=step)).frame.sort(pl.all())
        for step in ("needed", "fixed")
    )
    assert needed.equals(fixed)


def test_a_column_that_gives_nothing_away_is_not_lost_for_nothing():
    """The town alone tells the disease; of equal towns those of equal sex are taken together."""
    frame = pl.DataFrame(
        {
            "town": ["1201", "1310"] * 40,
            "sex": ["f", "f", "m", "m"] * 20,
            "age": [30] * 80,
            "disease": ["flu", "gout"] * 40,
        }
    )
    policy = policy_of(4, target="sensitive", trees=5, diversity=1.0)
    released = ind.anonymize(frame, policy).frame
    assert set(released["sex"]) == {"f", "m"}


def test_other_models_hold_too_and_failing_classes_rise():
    policy = policy_of().words()
    policy["models"].append({"name": "distinct-l-diversity", "column": "disease", "l": 3})
    release = ind.anonymize(people(120, 3), Policy.from_words(policy))
    assert all(model["holds"] for model in release.manifest["models"])


def test_limits_on_levels_are_kept_by_suppression():
    words = policy_of(max_suppression=1.0).words()
    words["columns"]["town"]["max_level"] = 1
    words["columns"]["age"]["max_level"] = 2
    words["columns"]["age"]["min_level"] = 1
    policy = Policy.from_words(words)
    release = ind.anonymize(people(150, 4), policy)
    assert not (release.frame["town"] == "*").any()
    assert release.frame["age"].str.starts_with("[").all()
    with pytest.raises(ind.NoSolutionError, match="adaptive generalization needs"):
        ind.anonymize(
            people(150, 4),
            Policy.from_words({**words, "method": {**words["method"], "max_suppression": 0}}),
        )


def test_without_a_sensitive_column_it_says_what_to_do():
    words = policy_of().words()
    words["columns"]["disease"] = {"role": "insensitive"}
    with pytest.raises(ind.PolicyError, match="there is none"):
        ind.anonymize(people(30), Policy.from_words(words))


def test_the_manifest_tells_the_weights():
    problem = prepare(people(60), resolve(policy_of())).problem
    facts = solve(Adaptive(target="identity"), problem, Deadline(), no_progress).facts
    assert sum(facts["vulnerability"]["weights"].values()) == pytest.approx(1)
