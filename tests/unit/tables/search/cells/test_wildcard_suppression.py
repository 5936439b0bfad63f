"""Cell suppression where a star is any value: enough for everyone, and nothing too much."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from indistinct.errors import NoSolutionError, ParameterError
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import DistinctLDiversity, KAnonymity
from indistinct.tables.search.cells import wildcard_suppression
from indistinct.tables.search.cells.cell_suppression import CellSuppression
from indistinct.tables.search.cells.wildcard_suppression import (
    UnsuppressedTuples,
    cheapest_masks,
    own_masks,
)
from indistinct.tables.search.finish import solve
from strategies import ILLNESS, problems

STAR = "*"


def solved(problem):
    """Search; skip the example where there is no solution."""
    try:
        return solve(CellSuppression("any"), problem, Deadline(), no_progress)
    except NoSolutionError:
        assume(condition=False)
        raise


def written(problem, recoding):
    """Write the released records as rows of texts."""
    return [
        tuple(domain.labels[cell] for domain, cell in zip(recoding.domains, cells, strict=True))
        for label, weight in zip(recoding.labels, recoding.weights, strict=True)
        if recoding.released[label]
        for cells in [recoding.cells[label]] * int(weight)
    ]


def originals(problem, recoding):
    """Write the same records with nothing suppressed, at their lowest levels."""
    return [
        tuple(
            hierarchy.labels[level][hierarchy.codes[level, code]]
            for hierarchy, level, code in zip(
                problem.hierarchies, problem.min_levels, problem.table.codes[tuple_], strict=True
            )
        )
        for tuple_, label, weight in zip(
            recoding.tuples, recoding.labels, recoding.weights, strict=True
        )
        if recoding.released[label]
        for _ in range(int(weight))
    ]


def compatible(one, other):
    """Return whether two rows agree where both show something."""
    return all(a == b or STAR in {a, b} for a, b in zip(one, other, strict=True))


def group(rows, one):
    """Count the rows compatible with one."""
    return sum(compatible(one, other) for other in rows)


sized = problems(kinds=(KAnonymity,), metrics=("loss",), max_rows=16)


@given(sized)
def test_every_record_has_k_compatible_ones(problem):
    """Counted from the definition, pair by pair."""
    rows = written(problem, solved(problem).recoding)
    k = problem.models[0].k
    assert all(group(rows, row) >= k for row in rows)


@given(sized)
def test_cells_stand_at_their_lowest_level_or_are_stars(problem):
    """Nothing is generalized, and a column that must stay below its root keeps all its cells."""
    recoding = solved(problem).recoding
    pairs = zip(written(problem, recoding), originals(problem, recoding), strict=True)
    for row, before in pairs:
        for column, (cell, value) in enumerate(zip(row, before, strict=True)):
            assert cell in {value, STAR}
            if problem.max_levels[column] < problem.hierarchies[column].height:
                assert cell == value


@given(sized)
def test_no_star_can_be_given_back(problem):
    """Whichever single star gives way to its value, some record has too few compatible ones."""
    recoding = solved(problem).recoding
    rows, before = written(problem, recoding), originals(problem, recoding)
    k = problem.models[0].k
    for number, (row, value) in enumerate(zip(rows, before, strict=True)):
        for column, cell in enumerate(row):
            if cell == value[column]:
                continue
            given_back = (*row[:column], value[column], *row[column + 1 :])
            others = [*rows[:number], given_back, *rows[number + 1 :]]
            assert any(group(others, one) < k for one in others)


@given(sized)
def test_only_rare_records_lose_cells(problem):
    """Who has k equals already keeps every cell."""
    recoding = solved(problem).recoding
    before = originals(problem, recoding)
    for row, value in zip(written(problem, recoding), before, strict=True):
        if before.count(value) >= problem.models[0].k:
            assert row == value


@given(sized)
def test_candidates_are_counted_from_the_persons_own_values(problem):
    """The manifest's figure is the fewest rows that fit what someone knows of a person."""
    solution = solved(problem)
    rows = written(problem, solution.recoding)
    assume(rows)
    counts = [group(rows, value) for value in originals(problem, solution.recoding)]
    assert solution.facts["fewest_candidates"] == min(counts)
    k = problem.models[0].k
    few = solution.facts["few_candidates"]
    if solution.recoding.n_suppressed == 0:
        assert few == sum(count < k for count in counts)
    assert 0 <= few <= solution.recoding.n_records - solution.recoding.n_suppressed
    assert (few == 0) == (min(counts) >= k)
    risk = solution.facts["risk"]
    assert risk["prosecutor"] == pytest.approx(1 / min(counts))
    assert risk["marketer"] == pytest.approx(sum(1 / count for count in counts) / len(counts))


@st.composite
def some_tuples(draw):
    """Draw distinct tuples with weights, costs and a k that the whole table reaches."""
    n_columns = draw(st.integers(1, 4))
    cells = draw(
        st.lists(st.tuples(*[st.integers(0, 2)] * n_columns), min_size=1, max_size=12, unique=True)
    )
    weights = draw(st.lists(st.integers(1, 3), min_size=len(cells), max_size=len(cells)))
    costs = draw(st.lists(st.integers(1, 5), min_size=n_columns, max_size=n_columns))
    k = draw(st.integers(2, 5))
    assume(sum(weights) >= k)
    return UnsuppressedTuples(
        np.array(cells, np.int32),
        np.array(weights, np.int64),
        np.array(costs, np.int64),
        np.ones(n_columns, np.bool_),
        k,
    )


def likenesses(tuples, one, mask):
    """Count the records like a tuple outside some columns."""
    kept = [column for column in range(len(tuples.costs)) if not mask >> column & 1]
    return sum(
        weight
        for cells, weight in zip(tuples.cells, tuples.weights, strict=True)
        if all(cells[column] == tuples.cells[one][column] for column in kept)
    )


def cost(tuples, mask):
    """Add up the costs of some columns."""
    return sum(price for column, price in enumerate(tuples.costs) if mask >> column & 1)


@given(some_tuples())
def test_own_columns_are_the_cheapest_that_suffice(tuples):
    """Compared with every set of columns there is."""
    masks = own_masks(tuples, np.zeros(len(tuples.cells), np.bool_), Deadline(), no_progress)
    for one, mask in enumerate(masks.tolist()):
        assert likenesses(tuples, one, mask) >= tuples.k
        every = range(1 << len(tuples.costs))
        fitting = [other for other in every if likenesses(tuples, one, other) >= tuples.k]
        assert cost(tuples, mask) == min(cost(tuples, other) for other in fitting)


def test_of_equal_columns_the_one_that_helps_other_rare_records_is_taken():
    """(a, x) may join the common (b, x) or the rare (a, y): with the rare one both are helped."""
    tuples = UnsuppressedTuples(
        np.array([[0, 0], [1, 0], [0, 1]], np.int32),
        np.array([1, 3, 1], np.int64),
        np.ones(2, np.int64),
        np.ones(2, np.bool_),
        2,
    )
    masks = own_masks(tuples, np.zeros(3, np.bool_), Deadline(), no_progress)
    assert masks.tolist() == [0b10, 0, 0b10]


@given(some_tuples())
def test_columns_found_from_the_nearest_tuples_suffice(tuples):
    """Where there are too many sets of columns to try, near tuples say which to suppress."""
    nobody = np.zeros(len(tuples.cells), np.bool_)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wildcard_suppression, "MOST_MASKS", 0)
        masks = own_masks(tuples, nobody, Deadline(), no_progress)
    for one, mask in enumerate(masks.tolist()):
        assert likenesses(tuples, one, mask) >= tuples.k
        assert (mask == 0) == bool(tuples.weights[one] >= tuples.k)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.data())
def test_sets_of_columns_come_in_order_and_once(costs, data):
    """Every set that may be suppressed but the empty one, none twice, the cheapest first."""
    n_columns = len(costs)
    may = data.draw(st.lists(st.booleans(), min_size=n_columns, max_size=n_columns))
    tuples = UnsuppressedTuples(
        np.zeros((1, n_columns), np.int32),
        np.ones(1, np.int64),
        np.array(costs, np.int64),
        np.array(may, np.bool_),
        2,
    )
    listed = list(cheapest_masks(tuples))
    columns = [column for column in range(n_columns) if may[column]]
    sets = itertools.chain.from_iterable(
        itertools.combinations(columns, size) for size in range(1, len(columns) + 1)
    )
    expected = sorted(sum(1 << column for column in chosen) for chosen in sets)
    assert sorted(mask for _, mask in listed) == expected
    assert [price for price, _ in listed] == sorted(price for price, _ in listed)
    assert all(price == cost(tuples, mask) for price, mask in listed)


@given(sized)
def test_without_time_the_result_still_holds(problem):
    """A search that may not begin suppresses more, never too little."""
    over = Deadline(0.0)
    try:
        recoding = solve(CellSuppression("any"), problem, over, no_progress).recoding
    except NoSolutionError:
        return
    rows = written(problem, recoding)
    assert all(group(rows, row) >= problem.models[0].k for row in rows)


@given(problems(kinds=(DistinctLDiversity,)))
def test_models_that_look_into_a_group_are_refused(problem):
    """Groups overlap: what l-diversity of one means is not defined."""
    with pytest.raises(ParameterError, match="compatible"):
        solve(CellSuppression("any"), problem, Deadline(), no_progress)


@settings(max_examples=5)
@given(problems(kinds=(KAnonymity,), max_columns=1))
def test_more_columns_than_bits_are_refused(problem):
    """Beyond 62 columns the program says so."""
    table = problem.table
    wide = replace(
        problem,
        table=replace(
            table, columns=tuple(map(str, range(63))), codes=np.repeat(table.codes, 63, axis=1)
        ),
    )
    with pytest.raises(ParameterError, match="at most 62"):
        solve(CellSuppression("any"), wide, Deadline(), no_progress)


@given(problems(kinds=(KAnonymity,), suppressions=(0.0,)))
def test_a_column_of_many_values_takes_a_word_of_its_own(problem):
    """Codes that fill more than one word are compared like small ones."""
    many = np.int32(2**20)
    big = problem.table.codes.astype(np.int32) * many
    layout = wildcard_suppression.WordLayout.of(np.hstack([big] * 4))
    words = layout.words(np.hstack([big] * 4))
    same = (words[:, None, :] == words[None, :, :]).all(axis=2)
    assert (same == (big[:, None, :] == big[None, :, :]).all(axis=2)).all()
    assert ILLNESS not in problem.table.columns
