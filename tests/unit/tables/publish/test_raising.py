"""Classes that are made coarser because they tell others: worked examples, and plain loops."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings, strategies as st

from indistinct.tables.publish.repair.raising import Raise, TellingGroups, raises_for
from indistinct.tables.release.cell_spans import cell_spans
from indistinct.tables.release.read_back import GivenBack

CELLS = ["25", "[20, 30)", "[20, 40)", "*", "55"]
INSIDE = {("25", "[20, 30)"), ("25", "[20, 40)"), ("[20, 30)", "[20, 40)")}
INSIDE |= {(cell, "*") for cell in CELLS[:3] + CELLS[4:]}


def state_of(cells, classes):
    """Return records with a cell of age and a class each, as far as raising looks at them."""
    codes = np.array([CELLS.index(cell) for cell in cells], np.int32)
    column = SimpleNamespace(spans=cell_spans(CELLS))
    state = SimpleNamespace(
        cells={"age": codes},
        classes=np.array(classes),
        is_kept=np.ones(len(cells), np.bool_),
        records=SimpleNamespace(
            columns=SimpleNamespace(generalized={"age": column}),
            cell_losses={"age": np.array([0.0, 0.1, 0.2, 1.0, 0.0])},
        ),
    )

    def raise_class(name, label, cell):
        state.cells[name][state.classes == label] = cell

    state.raise_class = raise_class
    return state


def groups_of(state, values, told):
    """Return the groups of a telling column, which tells some rows another cell."""
    finer = state.cells["age"].copy()
    finer[told] = CELLS.index("25")
    one = GivenBack(("rent",), {}, np.zeros(0, np.int64), {"age": finer}, np.array(values))
    return [TellingGroups.of(one, np.arange(len(values)))]


def test_the_class_that_tells_shows_the_coarser_cell():
    """One home: a member of class 7 shows 25, one of class 8 a range, one of class 9 nothing."""
    state = state_of(["25", "[20, 40)", "*", "55"], [7, 8, 9, 7])
    groups = groups_of(state, [0, 0, 0, 1], [1])
    assert raises_for(state, groups, [1]) == [Raise("age", 7, 0, 2)]
    groups = groups_of(state, [0, 0, 0, 1], [1, 2])
    assert raises_for(state, groups, [1, 2]) == [Raise("age", 7, 0, 3), Raise("age", 8, 2, 3)]


def test_it_costs_the_loss_of_all_records_of_the_class():
    state = state_of(["25", "25", "[20, 40)"], [7, 7, 8])
    assert Raise("age", 7, 0, 2).cost(state) == 2 * 0.2
    Raise("age", 7, 0, 2).do(state)
    assert state.cells["age"].tolist() == [2, 2, 2]
    assert not Raise("age", 7, 0, 3).is_possible(state)
    assert Raise("age", 7, 2, 3).is_possible(state)
    Raise("age", 7, 0, 2).undo(state)
    assert state.cells["age"].tolist() == [0, 0, 2]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_nobody_of_the_group_shows_more_than_a_record_whose_class_stays(seed):
    draws = np.random.default_rng(seed)
    n = int(draws.integers(2, 12))
    classes = draws.integers(0, 5, n)
    of_class = draws.integers(0, len(CELLS), 5)
    state = state_of([CELLS[of_class[one]] for one in classes], classes)
    values = draws.integers(-1, 3, n)
    told = [at for at in range(n) if values[at] >= 0 and CELLS[of_class[classes[at]]] != "25"]
    moves = raises_for(state, groups_of(state, values, told), told)
    for move in moves:
        assert (CELLS[move.before], CELLS[move.cell]) in INSIDE
        move.do(state)
    raised = {move.label for move in moves}
    for at in (place for place in told if classes[place] not in raised):
        group = [other for other in range(n) if values[other] == values[at]]
        shown = {
            (CELLS[state.cells["age"][other]], CELLS[state.cells["age"][at]]) for other in group
        }
        assert not shown & INSIDE
