"""The worked examples of the papers: B1 to B3 of the specification."""

import math

import numpy as np
import pytest

from indistinct.base.hierarchy_builders import flat, from_rows, tree_rows
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.models import (
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    ProbabilisticLDiversity,
    RecursiveCLDiversity,
    TCloseness,
)
from oracles import plain_classes, within
from strategies import ILLNESS, classes_from

DISEASES = {
    "respiratory": {
        "infection": ["flu", "pneumonia", "bronchitis"],
        "vascular": ["pulmonary edema", "pulmonary embolism"],
    },
    "digestive": {
        "stomach": ["gastric ulcer", "stomach cancer", "gastritis"],
        "colon": ["colitis", "colon cancer"],
    },
}
SALARIES = range(3, 12)


def measured(model, classes: EquivalenceClasses) -> list[float]:
    """Measure by both definitions, and see that they agree."""
    found = model.measure(classes).tolist()
    plain = [model.measure_plainly(one) for one in plain_classes(classes)]
    assert found == pytest.approx(plain, abs=1e-12)
    return found


def holds(model, classes: EquivalenceClasses) -> list[bool]:
    """Judge by both definitions, and see that they agree."""
    found = model.holds(classes).tolist()
    plain = [within(model, model.measure_plainly(one)) for one in plain_classes(classes)]
    assert found == plain
    return found


def counted(*counts: int) -> EquivalenceClasses:
    """Return one class of so many records per value."""
    return classes_from([counts], flat([f"v{number}" for number in range(len(counts))]))


@pytest.mark.parametrize(
    ("counts", "distinct", "entropy", "probabilistic", "two_two", "two_three"),
    [
        ((1, 1, 1), 3, 3.0, 3.0, True, True),
        ((8, 1, 1), 3, 1.8946, 1.25, False, False),
        ((3, 2, 2, 1), 4, 3.7467, 2.6667, True, True),
        ((2, 1), 2, 1.8899, 1.5, False, False),
        ((4, 4), 2, 2.0, 2.0, True, False),
        ((5,), 1, 1.0, 1.0, False, False),
    ],
)
def test_diversity(  # noqa: PLR0917 - one for each column of the table
    counts, distinct, entropy, probabilistic, two_two, two_three
):
    """The four readings of l-diversity on one class."""
    one = counted(*counts)
    assert measured(DistinctLDiversity(ILLNESS, 2), one) == [distinct]
    assert measured(EntropyLDiversity(ILLNESS, 2), one) == [pytest.approx(entropy, abs=5e-5)]
    found = measured(ProbabilisticLDiversity(ILLNESS, 2), one)
    assert found == [pytest.approx(probabilistic, abs=5e-5)]
    assert holds(RecursiveCLDiversity(ILLNESS, 2.0, 2), one) == [two_two]
    assert holds(RecursiveCLDiversity(ILLNESS, 2.0, 3), one) == [two_three]


def test_the_correct_recursive_rule_is_the_stronger_one():
    """Counts 8, 6, 5 with c = 1.5 and l = 3: 8 is not below 1.5 * 5 (erratum D2)."""
    assert holds(RecursiveCLDiversity(ILLNESS, 1.5, 3), counted(8, 6, 5)) == [False]


def test_with_l_1_the_tail_is_the_whole_class():
    """(c, 1): r_1 < c * N, true for every c above 1."""
    assert holds(RecursiveCLDiversity(ILLNESS, 1.01, 1), counted(5)) == [True]
    assert holds(RecursiveCLDiversity(ILLNESS, 1.0, 1), counted(5)) == [False]


@pytest.mark.parametrize("l", [2, 3, 5, 6, 7, 10])
def test_rounding_never_breaks_equal_shares(l):  # noqa: E741 - the paper's letter
    """exp(log 3) counts as 3: l equally frequent values are entropy l-diverse."""
    one = counted(*[2] * l)
    assert holds(EntropyLDiversity(ILLNESS, l), one) == [True]
    assert holds(ProbabilisticLDiversity(ILLNESS, l), one) == [True]


def test_k_is_the_smallest_class():
    """Classes of 2 and 3 records: k = 2 holds, k = 3 fails in one."""
    classes = classes_from([[2, 0], [1, 2]], flat(["a", "b"]))
    assert measured(KAnonymity(2), classes) == [2, 3]
    assert holds(KAnonymity(3), classes) == [False, True]
    assert KAnonymity(3).achieved(2.0) == {"k": 2}


def against(values, table_counts, hierarchy) -> EquivalenceClasses:
    """Return one class of single values, against a table of other counts."""
    one = classes_from(
        [[values.count(value) for value in hierarchy.values], table_counts], hierarchy
    )
    whole = one.sensitive[ILLNESS]
    counts = np.array([table_counts[hierarchy.values.index(value)] for value in whole.values])
    column = type(whole)(ILLNESS, whole.values, None, counts, whole.hierarchy)
    return EquivalenceClasses(one.sizes, one.value_counts, {ILLNESS: column})


@pytest.mark.parametrize(
    ("salaries", "expected"),
    [
        ((3, 4, 5), 0.375),
        ((6, 8, 11), 0.166667),
        ((7, 9, 10), 0.236111),
        ((3, 5, 9), 0.166667),
        ((4, 7, 10), 0.083333),
    ],
)
def test_ordered_distance_of_salaries(salaries, expected):
    """The paper's salaries of a class, against 3K to 11K once each."""
    hierarchy = flat([f"{salary:02}" for salary in SALARIES])
    classes = against([f"{salary:02}" for salary in salaries], [1] * 9, hierarchy)
    found = measured(TCloseness(ILLNESS, 0.2, "ordered"), classes)[0]
    assert found == pytest.approx(expected, abs=1e-6)


TRUE_COUNTS = {
    "flu": 1, "pneumonia": 1, "bronchitis": 2, "gastric ulcer": 1, "stomach cancer": 2,
    "gastritis": 2,
}  # fmt: skip


@pytest.mark.parametrize(
    ("illnesses", "uniform", "true"),
    [
        (("gastric ulcer", "gastritis", "stomach cancer"), 0.5, 0.444444),
        (("gastric ulcer", "stomach cancer", "pneumonia"), 0.277778, 0.259259),
        (("gastritis", "flu", "bronchitis"), 0.277778, 0.296296),
        (("gastritis", "bronchitis", "stomach cancer"), 0.277778, 0.185185),
    ],
)
def test_hierarchical_distance_of_diseases(illnesses, uniform, true):
    """The paper's classes, against each present disease once and against the true table."""
    tree = from_rows(tree_rows(DISEASES))
    model = TCloseness(ILLNESS, 0.2, "hierarchical")
    for counts, expected in ((dict.fromkeys(TRUE_COUNTS, 1), uniform), (TRUE_COUNTS, true)):
        classes = against(list(illnesses), [counts.get(value, 0) for value in tree.values], tree)
        assert measured(model, classes)[0] == pytest.approx(expected, abs=1e-6)


# Values per class of Sweeney's eleven rows: chest pain, short breath, hypertension, obesity.
SWEENEY = [[1, 1, 0, 0], [0, 0, 2, 0], [1, 0, 0, 1], [1, 1, 0, 1], [2, 0, 0, 0]]


def test_sweeney_s_table():
    """Eleven rows in five classes: k, distinct values and equal distance per class."""
    classes = classes_from(SWEENEY, flat(["chest pain", "short breath", "hyper", "obesity"]))
    assert min(measured(KAnonymity(2), classes)) == 2
    assert measured(DistinctLDiversity(ILLNESS, 2), classes) == [2, 1, 2, 3, 1]
    found = measured(TCloseness(ILLNESS, 0.2), classes)
    assert found == pytest.approx([0.3636, 0.8182, 0.3636, 0.3030, 0.5455], abs=5e-5)
    assert sum(classes.sizes**2) == 25
    assert classes.n_classes / classes.sizes.sum() == pytest.approx(0.454545, abs=1e-6)


@pytest.mark.parametrize(
    ("matrix", "k", "distinct", "entropy", "closeness"),
    [
        ([[3, 0, 0], [1, 1, 1], [1, 2, 0]], 3, [1, 3, 2], [1, 3, 1.8899], [0.4444, 0.2222, 0.3333]),
        ([[3, 2, 1], [3, 2, 1]], 6, [3, 3], [2.7495, 2.7495], [0, 0]),
        ([[2, 1, 0, 0], [0, 0, 2, 1]], 3, [2, 2], [1.8899, 1.8899], [0.5, 0.5]),
    ],
)
def test_tables_of_the_overview(matrix, k, distinct, entropy, closeness):
    """Size, diversity and equal distance of whole small tables."""
    classes = classes_from(matrix, flat([f"v{number}" for number in range(len(matrix[0]))]))
    assert min(measured(KAnonymity(2), classes)) == k
    assert measured(DistinctLDiversity(ILLNESS, 2), classes) == distinct
    found = measured(EntropyLDiversity(ILLNESS, 2), classes)
    assert found == pytest.approx(entropy, abs=5e-5)
    found = measured(TCloseness(ILLNESS, 0.2), classes)
    assert found == pytest.approx(closeness, abs=5e-5)


def test_a_tail_that_is_missing_needs_an_infinite_c():
    """Fewer values than l: no c is enough."""
    model = RecursiveCLDiversity(ILLNESS, 2.0, 3)
    assert measured(model, counted(4, 4)) == [math.inf]
