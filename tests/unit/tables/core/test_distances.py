"""Distances between distributions: worked figures, definitions, and the five desiderata."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linprog
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

from handmade import classes_from, some_classes
from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.distances import Distance, divergence, ground_distances, positions

KINDS = {
    "equal": Distance("equal"),
    "ordered": Distance("ordered"),
    "ordered by value": Distance("ordered", "value"),
    "hierarchical": Distance("hierarchical"),
    "kernel": Distance("kernel"),
    "kernel by value": Distance("kernel", "value", 0.4),
    "kernel along the tree": Distance("kernel", "tree", 0.8),
    "kernel handing on mass": Distance("kernel", "rank", 0.5, "mass"),
}
MOVERS = ("equal", "ordered", "ordered by value", "hierarchical")
SMOOTHED = tuple(name for name in KINDS if name not in MOVERS)
EVERY = pytest.mark.parametrize("name", KINDS)

SALARIES = [1] * 9
LOW, MIXED, HIGH = ({3, 4, 5}, {3, 5, 9}, {6, 8, 11})


def holding(salaries) -> list[int]:
    return [int(salary in salaries) for salary in range(3, 12)]


def tree_over(n_values):
    leaves = [f"v{index:02d}" for index in range(n_values)]
    pairs = [f"pair {index // 2}" for index in range(n_values)]
    fours = [f"four {index // 4}" for index in range(n_values)]
    return from_levels([leaves, pairs, fours, ["*"] * n_values])


def described(counts, table=None):
    """Make classes whose column has numbers and a tree."""
    n_values = len(counts[0])
    numbers = np.arange(n_values) ** 2 + 1.0
    return classes_from(counts, table, numbers, tree_over(n_values))


def to_table(distance, classes):
    found, column = classes.value_counts["s"], classes.sensitive["s"]
    return distance.to_table(found, classes.sizes, column)


def pair(name, first, second):
    column = described([[1] * len(first)]).sensitive["s"]
    return float(KINDS[name].between(np.array([first]), np.array([second]), column)[0])


@pytest.mark.parametrize(
    ("salaries", "expected"),
    [
        ({3, 4, 5}, 0.375),
        ({6, 8, 11}, 0.166667),
        ({7, 9, 10}, 0.236111),
        ({3, 5, 9}, 0.166667),
        ({4, 7, 10}, 0.083333),
    ],
)
def test_nine_salaries_by_rank(salaries, expected):
    classes = described([holding(salaries)], SALARIES)
    assert to_table(Distance("ordered"), classes) == pytest.approx([expected], abs=5e-7)


@pytest.mark.parametrize(
    ("salaries", "smoothing", "bandwidth", "expected"),
    [
        (LOW, "nw", 0.25, 0.3779),
        (LOW, "nw", 0.5, 0.2498),
        (LOW, "nw", 1.0, 0.0272),
        (LOW, "nw", 0.05, 0.4591),
        (HIGH, "nw", 0.25, 0.1337),
        (HIGH, "nw", 0.5, 0.0218),
        (HIGH, "nw", 1.0, 0.0042),
        (HIGH, "mass", 0.25, 0.1339),
        (HIGH, "mass", 0.5, 0.0326),
        (HIGH, "mass", 1.0, 0.0058),
    ],
)
def test_nine_salaries_smoothed(salaries, smoothing, bandwidth, expected):
    classes = described([holding(salaries)], SALARIES)
    distance = Distance("kernel", "rank", bandwidth, smoothing)
    assert to_table(distance, classes) == pytest.approx([expected], abs=5e-5)


DISEASES = {
    "bronchitis": ("respiratory infection", "respiratory"),
    "flu": ("respiratory infection", "respiratory"),
    "gastric ulcer": ("stomach", "digestive"),
    "gastritis": ("stomach", "digestive"),
    "pneumonia": ("respiratory infection", "respiratory"),
    "stomach cancer": ("stomach", "digestive"),
}
TRUE_COUNTS = {"gastritis": 2, "stomach cancer": 2, "bronchitis": 2}


@pytest.mark.parametrize(
    ("held", "uniform", "true"),
    [
        ({"gastric ulcer", "gastritis", "stomach cancer"}, 0.5, 0.444444),
        ({"gastric ulcer", "stomach cancer", "pneumonia"}, 0.277778, 0.259259),
        ({"gastritis", "flu", "bronchitis"}, 0.277778, 0.296296),
        ({"gastritis", "bronchitis", "stomach cancer"}, 0.277778, 0.185185),
    ],
)
def test_diseases_along_their_tree(held, uniform, true):
    tree = from_levels(
        [
            list(DISEASES),
            [group for group, _ in DISEASES.values()],
            [organ for _, organ in DISEASES.values()],
            ["*"] * 6,
        ]
    )
    counts = [[int(disease in held) for disease in DISEASES]]
    for table, expected in (
        ([1] * 6, uniform),
        ([TRUE_COUNTS.get(disease, 1) for disease in DISEASES], true),
    ):
        classes = classes_from(counts, table, hierarchy=tree)
        assert to_table(Distance("hierarchical"), classes) == pytest.approx([expected], abs=5e-7)


def test_the_divergence_of_the_papers_pairs():
    first = np.array([[0.01, 0.99], [0.4, 0.6]])
    second = np.array([[0.11, 0.89], [0.5, 0.5]])
    assert divergence(first, second) == pytest.approx([0.037090, 0.007299], abs=5e-7)


def test_by_value_a_missing_one_stands_a_mean_step_behind():
    column = classes_from([[1, 1, 1, 1]], numbers=[0, 1, 6, np.nan]).sensitive["s"]
    assert positions(column, "value") == pytest.approx([0, 1 / 9, 6 / 9, 1])


def test_one_value_is_at_no_distance():
    for distance in KINDS.values():
        assert to_table(distance, described([[3]])) == pytest.approx([0])


def test_a_column_of_words_has_no_distance_by_value():
    with pytest.raises(ValueError, match="not numbers"):
        to_table(Distance("ordered", "value"), classes_from([[1, 2]]))


@EVERY
@given(some_classes(max_values=6))
def test_both_forms_of_a_distance_agree(name, counts):
    classes = described(counts)
    p = counts / counts.sum(axis=1, keepdims=True)
    q = np.tile(counts.sum(axis=0) / counts.sum(), (len(counts), 1))
    pairs = KINDS[name].between(p, q, classes.sensitive["s"])
    assert to_table(KINDS[name], classes) == pytest.approx(pairs, abs=1e-12)


@pytest.mark.parametrize("name", MOVERS)
@given(some_classes(max_classes=1, max_values=6), st.data())
def test_the_earth_movers_distance_is_the_cheapest_transport(name, counts, data):
    n = len(counts[0])
    row = st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any)
    table = np.array(data.draw(row))
    distance, column = KINDS[name], described([[1] * n]).sensitive["s"]
    ground = 1.0 - np.eye(n)
    if name != "equal":
        word = "tree" if name == "hierarchical" else distance.ground
        ground = ground_distances(column, word)
    p, q = counts[0] / counts[0].sum(), table / table.sum()
    solved = linprog(
        ground.ravel(),
        A_eq=np.vstack([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))]),
        b_eq=np.concatenate([p, q]),
    )
    assert distance.between(p[None], q[None], column)[0] == pytest.approx(solved.fun, abs=1e-9)


@given(some_classes(max_values=6))
def test_by_value_equals_scipys_distance_over_the_range(counts):
    classes = described(counts)
    numbers = classes.sensitive["s"].numbers
    spread = max(numbers[-1] - numbers[0], 1)
    whole = counts.sum(axis=0)
    expected = [wasserstein_distance(numbers, numbers, row, whole) / spread for row in counts]
    assert to_table(KINDS["ordered by value"], classes) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", SMOOTHED)
@given(some_classes(max_values=6))
def test_a_smoothed_distance_is_the_divergence_of_smoothed_shares(name, counts):
    distance, classes = KINDS[name], described(counts)
    reach = ground_distances(classes.sensitive["s"], distance.ground) / distance.bandwidth
    kernel = np.where(reach < 1, 1 - reach**2, 0)

    def smooth(shares):
        if distance.smoothing == "mass":
            return kernel @ (shares / kernel.sum(axis=0))
        means = kernel @ shares / kernel.sum(axis=1)
        return means / means.sum()

    whole = smooth(counts.sum(axis=0) / counts.sum())
    expected = [jensenshannon(smooth(row / row.sum()), whole, base=2) ** 2 for row in counts]
    assert to_table(distance, classes) == pytest.approx(np.nan_to_num(expected), abs=1e-9)


# The desiderata of the closeness paper, one after another.


@EVERY
@given(some_classes(max_classes=1, max_values=6))
def test_identity_holds_for_every_distance(name, counts):
    shares = counts[0] / counts[0].sum()
    assert pair(name, shares, shares) == pytest.approx(0, abs=1e-12)


@EVERY
@given(some_classes(max_values=6))
def test_no_distance_is_negative_or_above_one(name, counts):
    found = to_table(KINDS[name], described(counts))
    assert (found >= 0).all()
    assert (found <= 1 + 1e-12).all()


def scaling(name):
    """Return what it costs to move a tenth from or to a rare value, and between frequent ones."""
    return pair(name, [0.01, 0.99], [0.11, 0.89]), pair(name, [0.4, 0.6], [0.5, 0.5])


@pytest.mark.parametrize("name", MOVERS)
def test_probability_scaling_fails_for_the_earth_movers_distances(name):
    rare, frequent = scaling(name)
    assert rare == pytest.approx(frequent)


@pytest.mark.parametrize("name", SMOOTHED)
def test_probability_scaling_holds_after_smoothing(name):
    rare, frequent = scaling(name)
    assert rare > frequent


@EVERY
def test_every_distance_is_finite_where_a_share_is_zero(name):
    assert np.isfinite(pair(name, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]))
    assert np.isfinite(pair(name, [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]))


@pytest.mark.parametrize("name", [name for name in KINDS if name != "equal"])
def test_semantic_awareness_holds_where_values_have_distances(name):
    here = [1.0] + [0.0] * 7
    near, far = [0.0, 1.0] + [0.0] * 6, [0.0] * 7 + [1.0]
    assert pair(name, here, near) < pair(name, here, far)


def test_semantic_awareness_fails_for_the_equal_distance():
    assert pair("equal", [1.0, 0, 0], [0, 1.0, 0]) == pair("equal", [1.0, 0, 0], [0, 0, 1.0])


@pytest.mark.parametrize("name", [name for name in KINDS if KINDS[name].is_convex])
@given(some_classes(max_values=6))
def test_a_union_is_no_farther_away_than_its_farthest_part(name, counts):
    """The generalization property, with the whole table held fixed."""
    table = counts.sum(axis=0) + 1
    parts = to_table(KINDS[name], described(counts, table))
    union = to_table(KINDS[name], described(counts.sum(axis=0, keepdims=True), table))
    assert union[0] <= parts.max() + 1e-12


def test_renormalized_means_are_not_taken_for_convex():
    assert not KINDS["kernel"].is_convex
    assert KINDS["kernel handing on mass"].is_convex
