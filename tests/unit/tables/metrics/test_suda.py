"""Special uniques: the worked example, and every set of columns looked through."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.errors import ParameterError
from indistinct.tables.metrics.suda import special_uniques

ROWS = """U F SI E; U F SI E; U F PI N; U M SC E; R F SC Un; U M SC E; U F PC N; U M PS Un;
U F SI N; U F SI N"""


def coded(rows):
    """Return numbers to the words of each column."""
    columns = zip(*rows, strict=True)
    return np.stack([np.unique(column, return_inverse=True)[1] for column in columns], axis=1)


def example():
    return coded([row.split() for row in ROWS.split(";")]).astype(np.int32)


def plain_uniques(codes, largest):
    """Return the minimal sample uniques of every record, by looking at every set of columns."""
    rows = [tuple(row) for row in codes.tolist()]
    found = [[] for _ in rows]
    for size in range(1, largest + 1):
        for columns in combinations(range(codes.shape[1]), size):
            parts = [tuple(row[column] for column in columns) for row in rows]
            times = Counter(parts)
            for index, part in enumerate(parts):
                if times[part] == 1 and not any(set(m) < set(columns) for m in found[index]):
                    found[index].append(columns)
    return found


def plain_score(uniques, n_columns, end):
    """Add up the products of A - i from each set's size on."""
    return sum(
        math.prod(n_columns - i for i in range(len(columns), end + 1)) for columns in uniques
    )


def plain_disclosure(scores, uniques, pairs, n_columns, fraction=0.01):
    """Spread the chance of a right match over the scores."""
    if not any(scores):
        return [0.0] * len(scores)
    dis = uniques * fraction / (uniques * fraction + pairs * (1 - fraction))
    power = 1 + (8 - n_columns) / 20
    total = sum(score**-power for score in scores if score)
    return [
        1 / (1 + (uniques / dis - uniques) / (score**power * total)) if score else 0.0
        for score in scores
    ]


def test_the_worked_example():
    """Ten records: scores, DIS and DIS-SUDA as sdcMicro gives them."""
    found = special_uniques(example())
    assert found.scores.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert found.sample_uniques == 4
    assert found.intrusion == pytest.approx(0.00668896, abs=5e-9)
    special = found.disclosure[[2, 4, 6, 7]]
    assert special == pytest.approx([0.0050, 0.0114, 0.0050, 0.0092], abs=5e-5)
    assert not np.delete(found.disclosure, [2, 4, 6, 7]).any()


tables = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 3), min_size=width, max_size=width), min_size=1, max_size=14
    )
)


@given(tables, st.one_of(st.none(), st.integers(1, 5)))
def test_as_by_brute_force(rows, largest):
    """Scores, numbers of minimal uniques and DIS-SUDA, with and without a limit."""
    codes = np.array(rows, np.int32)
    n_columns = codes.shape[1]
    found = special_uniques(codes, largest=largest)
    uniques = plain_uniques(codes, min(largest or n_columns, n_columns))
    end = min(largest or n_columns, n_columns - 1)
    scores = [plain_score(listed, n_columns, end) for listed in uniques]
    assert found.minimal_uniques.tolist() == [len(listed) for listed in uniques]
    assert found.scores.tolist() == scores
    sizes = Counter(Counter(map(tuple, rows)).values())
    assert found.sample_uniques == sizes[1]
    expected = plain_disclosure(scores, sizes[1], 2 * sizes[2], n_columns)
    assert found.disclosure == pytest.approx(expected)


@given(tables, st.randoms())
def test_the_order_of_records_and_columns_does_not_matter(rows, chance):
    codes = np.array(rows, np.int32)
    order = chance.sample(range(len(codes)), len(codes))
    columns = chance.sample(range(codes.shape[1]), codes.shape[1])
    found, other = special_uniques(codes), special_uniques(codes[order][:, columns])
    assert found.scores[order].tolist() == other.scores.tolist()


def test_alike_records_are_not_special():
    found = special_uniques(np.zeros((5, 3), np.int32))
    assert not found.scores.any()
    assert found.sample_uniques == 0


def test_records_that_only_larger_sets_single_out_are_not_special():
    """Each of four records stands alone on two columns, and none on one."""
    found = special_uniques(np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32), largest=1)
    assert found.sample_uniques == 4
    assert found.scores.tolist() == found.disclosure.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "words", [{"sampling_fraction": 0}, {"sampling_fraction": 1.5}, {"largest": 0}]
)
def test_what_is_out_of_range_is_refused(words):
    with pytest.raises(ParameterError):
        special_uniques(example(), **words)


def test_too_many_columns_are_refused():
    with pytest.raises(ParameterError):
        special_uniques(np.zeros((2, 63), np.int32))
