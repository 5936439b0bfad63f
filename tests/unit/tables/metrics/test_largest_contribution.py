"""How far one record may move a cost: the bounds that published figures are rounded by."""

import dataclasses
import math
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from handfuls import drawn, numbers_of_rows
from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.protocols import Problem
from indistinct.tables.metrics import METRICS, SeparableMetric
from indistinct.tables.metrics.classes import AverageClassSize, Discernibility
from indistinct.tables.metrics.information import EntropyLoss, NormalizedNonUniformEntropy
from indistinct.tables.search.lattice.lattice import Lattice
from strategies import table_of

LETTERS = from_levels([list("abc"), ["ab", "ab", "c"], ["*"] * 3])
NUMBERS = from_levels([list("01"), ["*"] * 2])
KINDS = {**METRICS, EntropyLoss.name: EntropyLoss}
WIDTHS = (3, 2, 1)
ROWS = drawn(
    1 + numbers_of_rows(30, len(WIDTHS)),
    lambda numbers: numbers.rows(numbers.length(1, 30), WIDTHS).tolist(),
)
each_kind = pytest.mark.parametrize("name", KINDS)


def problem_of(name, table, chosen):
    """Ask for nothing but a cost."""
    kind, width = KINDS[name], table.n_columns
    weights = (1.0,) * width
    objective = kind(weights) if issubclass(kind, SeparableMetric) else kind()
    heights = tuple(hierarchy.height for hierarchy in chosen)
    return Problem(
        table, chosen, (None,) * width, (0,) * width, heights, (), objective, 1.0, weights
    )


def one_more(name, table, chosen, node, at):
    """Return the recodings of a node with a table, and with one record more of a tuple."""
    weights = table.weights.copy()
    weights[at] += 1
    both = table, dataclasses.replace(table, weights=weights)
    return [Lattice(problem_of(name, one, chosen)).recoding(node) for one in both]


def change(name, outcomes, released):
    """Give by how much the cost moves."""
    kind = KINDS[name]
    weights = (1.0,) * len(outcomes[0].domains)
    objective = kind(weights) if issubclass(kind, SeparableMetric) else kind()
    fewer, more = (
        objective.evaluate(dataclasses.replace(one, released=np.array(released)))
        for one in outcomes
    )
    return abs(more - fewer)


@each_kind
@given(ROWS, st.data())
def test_one_record_more_moves_the_cost_by_no_more(name, rows, data):
    """The same classes and cells, released or not, with one record more in one of them."""
    table, chosen = table_of(rows, [LETTERS, NUMBERS, LETTERS])
    node = tuple(data.draw(st.integers(0, hierarchy.height)) for hierarchy in chosen)
    at = data.draw(st.integers(0, table.n_tuples - 1))
    outcomes = one_more(name, table, chosen, node, at)
    n_classes = outcomes[1].n_classes
    released = data.draw(st.lists(st.booleans(), min_size=n_classes, max_size=n_classes))
    bound = KINDS[name].largest_contribution(outcomes[1])
    assert change(name, outcomes, released) <= bound + 1e-9


@each_kind
@pytest.mark.parametrize("counts", [(2000, 1, 2), (2000, 1, 1), (500, 500, 1)])
def test_in_a_column_of_nearly_one_value_too(name, counts):
    """Few bits tell such values apart, so that one record more is a large share of them."""
    rows = [(value, 0) for value, count in enumerate(counts) for _ in range(count)]
    table, chosen = table_of(rows, [LETTERS, LETTERS])
    for level, at in product(range(3), range(table.n_tuples)):
        outcomes = one_more(name, table, chosen, (level,), at)
        bound = KINDS[name].largest_contribution(outcomes[1])
        for released in product([False, True], repeat=outcomes[1].n_classes):
            assert change(name, outcomes, released) <= bound + 1e-9


def test_the_bounds_of_one_record():
    """A table of one record, and a column of one value, whose bits cannot be shared."""
    table, chosen = table_of([(0, 0)], [LETTERS, LETTERS])
    outcome = Lattice(problem_of("loss", table, chosen)).recoding((0,))
    assert Discernibility.largest_contribution(outcome) == 2
    assert AverageClassSize.largest_contribution(outcome) == 1
    bits = 2 * (math.log2(2) + 2)
    assert NormalizedNonUniformEntropy.largest_contribution(outcome) == pytest.approx(2 * bits)
    assert KINDS["non-uniform-entropy"].largest_contribution(outcome) == pytest.approx(bits)
    # Twice log2(1 + 1) and two bits more, and the bits of the space of three letters.
    space = 2 * (1 + 2) + math.log2(3)
    assert KINDS["kl-divergence"].largest_contribution(outcome) == pytest.approx(space)


def test_the_bounds_of_eight_records():
    """a, b and six times c in one column of three values, at most so much each."""
    rows = [(0, 0), (1, 0)] + [(2, 0)] * 6
    table, chosen = table_of(rows, [LETTERS, LETTERS])
    outcome = Lattice(problem_of("loss", table, chosen)).recoding((0,))
    found = {name: kind.largest_contribution(outcome) for name, kind in KINDS.items()}
    bits = 2 * (math.log2(9) + 2)
    whole = 8 * 1.0612781244591328  # bits that tell the eight records' values
    expected = {
        **dict.fromkeys(("loss", "ncp", "precision", "precision-monotone"), 1 / 8),
        **dict.fromkeys(("non-uniform-entropy", "non-uniform-entropy-monotone"), bits),
        **dict.fromkeys(("monotone-entropy", "entropy"), bits),
        **dict.fromkeys(("discernibility", "discernibility-monotone"), 16),
        "height": 2 / 8,
        "normalized-non-uniform-entropy": 2 * bits / whole,
        "mutual-information": bits / 8,
        "average-class-size": 8,
        "ambiguity": 3,
        "kl-divergence": (bits + math.log2(3)) / 8,
    }
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("n_records", [0, 1, 2])
def test_a_single_record_moves_precision_by_a_whole_cell_in_each_column(n_records):
    """Divided by the records, of which no table has fewer than one."""
    outcome = SimpleNamespace(domains=(0, 0, 0), n_records=n_records)
    expected = 3 / 2 if n_records == 2 else 3
    assert METRICS["precision-monotone"].largest_contribution(outcome) == expected
