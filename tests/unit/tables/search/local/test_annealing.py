"""Annealing: its running sums are true, its classes whole, its lists right."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import KAnonymity
from indistinct.tables.search.local import annealing, paths
from indistinct.tables.search.local.annealing import (
    StepLimit,
    anneal_once,
    annealed,
    partial_problem,
    planted,
    similar_tuples,
    whole_problem,
)
from indistinct.tables.search.local.annealing_kernels import anneal, find_similar
from indistinct.tables.search.local.annealing_plans import longest_plan, short_plan
from indistinct.tables.search.local.annealing_state_kernels import lay_out
from indistinct.tables.search.local.annealing_undo_kernels import (
    STEP_CLASS,
    WORK,
    count_class,
    empty_undo_log,
)
from indistinct.tables.search.local.forest import ClusterTrees, forest_peel, joined
from indistinct.tables.search.local.local import Local
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, local_space
from indistinct.tables.search.local.merge_into import merge_into
from indistinct.tables.search.local.parts import combined, settled
from local_problems import SIZED, assert_valid, halves, problem_of, problems, run_of


def peeled(space, seed=0):
    everything = np.arange(space.n_items, dtype=np.int32)
    return settled(
        space, merge_into(space, forest_peel(space, everything, ClusterTrees(), run_of(seed)))
    )


def random_space(n_records, *, k=4, seed=0, expanded=True, n_values=32, n_columns=3):
    rows = np.random.default_rng(seed).integers(0, n_values, (n_records, n_columns))
    tuples = local_space(problem_of(rows, [halves(n_values)] * n_columns, [KAnonymity(k)]))
    return tuples, tuples.expanded() if expanded else tuples


def annealed_until(space, similar, state, *, work=200_000, temperature=0.05, seed=0):
    """Walk over all classes ; give the state after it and the rise that it tells."""
    whole = whole_problem(space, similar)
    assigned = lay_out(whole, state.labels, state.nodes, state.losses(space), state.n_classes + 900)
    groups = joined([tree.result() for tree in planted(space, whole, run_of(seed), 0)])
    rise = anneal(whole, assigned, groups, work, temperature, temperature / 10, np.uint64(seed))
    return assigned, rise


def assert_consistent(space, assigned):
    """Recompute by plain loops what every class is said to be."""
    items = space.items
    listed = np.zeros(space.n_items, np.int64)
    for index, head in enumerate(assigned.heads):
        members, before = [], -1
        item = head
        while item >= 0:
            assert assigned.previous[item] == before
            assert assigned.labels[item] == index
            members.append(item)
            before, item = item, assigned.nexts[item]
        listed[members] += 1
        size = int(items.weights[members].sum())
        assert assigned.sizes[index] == size
        assert assigned.counts[index] == len(members)
        if not members:
            continue
        assert size >= space.least
        loss = 0.0
        for column, level in enumerate(assigned.levels[index]):
            cells = items.cells[items.offsets[column, level] + items.codes[members, column]]
            assert len(set(cells.tolist())) == 1
            loss += items.costs[cells[0]]
        assert assigned.losses[index] == pytest.approx(loss, abs=1e-12)
    assert np.all(listed == 1)
    free = assigned.spare[: assigned.n_spare[0]]
    # The last class is that of the suppressed items.
    assert sorted(free.tolist()) == np.flatnonzero(assigned.counts[:-1] == 0).tolist()


@pytest.mark.parametrize("expanded", [True, False])
@pytest.mark.parametrize("temperature", [1e-6, 0.05, 2.0])
def test_the_rise_told_is_the_rise_of_the_loss(temperature, expanded):
    tuples, space = random_space(500, n_values=8, expanded=expanded)
    state = peeled(space)
    similar = similar_tuples(tuples, run_of())
    assigned, rise = annealed_until(space, similar, state, temperature=temperature)
    assert_consistent(space, assigned)
    after = settled(space, Assignment(assigned.labels, assigned.levels))
    n_records = space.problem.table.n_records
    assert rise == pytest.approx(
        n_records * (after.total(space) - state.total(space)), abs=1e-7 * n_records
    )
    assert not np.array_equal(assigned.labels, state.labels)


@settings(deadline=None, max_examples=15)
@given(problems(models=SIZED, limits=True), st.integers(0, 100))
def test_no_round_breaks_a_class_and_the_best_is_kept(problem, seed):
    tuples = local_space(problem)
    space = tuples.expanded()
    state = peeled(space, seed)
    if state.n_classes == 0:
        return
    run = run_of(seed)
    similar = similar_tuples(tuples, run)
    inside = np.flatnonzero(state.labels != OUTSIDE).astype(np.int32)
    problem = partial_problem(space, whole_problem(space, similar), similar, inside)
    groups = joined([tree.result() for tree in planted(space, problem, run, 0)])
    limit = StepLimit(20_000, 0.1, 0.01)
    after = anneal_once(space, problem, inside, state, groups, limit, np.uint64(seed))
    assert space.judge(*after.members()).all()
    assert np.array_equal(after.labels == OUTSIDE, state.labels == OUTSIDE)
    best, _ = annealed(
        space, state, similar, run, longest_plan(space.n_items, 26_000 * space.n_items, 2)
    )
    assert best.total(space) <= state.total(space) + 1e-12


def test_millions_of_items_have_one_round_unless_much_is_looked_at():
    """Few items have many rounds, and all rounds together look at what was given."""
    rounds = {
        n_items: short_plan(n_items, 40_000_000).rounds
        for n_items in (1000, 40_000, 500_000, 1_500_000, 9_000_000)
    }
    assert list(rounds.values()) == [100, 10, 2, 1, 1]
    assert short_plan(1_500_000, 240_000_000).rounds == 2
    assert short_plan(1_500_000, 40_000_000).work == 40_000_000
    assert short_plan(500_000, 40_000_000).work == 20_000_000


def test_cold_annealing_only_gains():
    tuples, space = random_space(250, k=5)
    state = peeled(space)
    best, rounds = annealed(
        space,
        state,
        similar_tuples(tuples, run_of()),
        run_of(),
        longest_plan(space.n_items, 26_000 * space.n_items, 10),
    )
    assert rounds == 10
    assert best.total(space) < 0.97 * state.total(space)
    assigned, rise = annealed_until(space, similar_tuples(tuples, run_of()), best, temperature=1e-9)
    assert rise <= 1e-6
    assert_consistent(space, assigned)


def test_a_passed_deadline_ends_the_rounds():
    tuples, space = random_space(200)
    state = peeled(space)
    run = run_of(deadline=Deadline.after(0))
    best, rounds = annealed(
        space,
        state,
        similar_tuples(tuples, run),
        run,
        longest_plan(space.n_items, 26_000 * space.n_items, 10),
    )
    assert np.array_equal(best.labels, state.labels)
    assert best.total(space) <= state.total(space)
    assert rounds == 0


def test_the_similar_tuples_are_those_that_cost_least_together():
    tuples, _ = random_space(150)
    similar = similar_tuples(tuples, run_of())
    items, n_similar = tuples.items, 10
    whole = whole_problem(tuples, similar)
    orders = np.arange(tuples.n_items, dtype=np.int32)[None, :]
    nearest, shared = find_similar(whole, orders, tuples.n_items, n_similar, np.uint64(0))
    common = np.zeros((tuples.n_items, tuples.n_items))
    for column, top in enumerate(items.tops):
        of_column = np.full_like(common, np.inf)
        for level in range(top, -1, -1):
            cells = items.cells[items.offsets[column, level] + items.codes[:, column]]
            of_column = np.where(cells[:, None] == cells, items.costs[cells], of_column)
        common += of_column
    np.fill_diagonal(common, -1.0)
    for one, listed in enumerate(nearest):
        assert listed[0] == one
        assert len(set(listed.tolist())) == n_similar
        costs, least = common[one, listed], np.sort(common[one])
        assert shared[one, 1:] == pytest.approx(costs[1:], abs=1e-12)
        # Costs are shaken by up to a twentieth before they are compared.
        assert np.all(costs[1:] <= 1.05 * least[n_similar - 1] + 1e-12)
        assert set(np.flatnonzero(common[one] * 1.05 < least[n_similar - 1])) <= set(listed)


def test_lists_longer_than_the_table_are_filled_with_the_tuple_itself():
    tuples, space = random_space(3, k=2)
    assert similar_tuples(tuples, run_of()).tuples.shape == (3, 3)
    assert (
        annealed(
            space,
            peeled(space),
            similar_tuples(tuples, run_of()),
            run_of(),
            longest_plan(space.n_items, 26_000 * space.n_items, 2),
        )[1]
        == 2
    )


def test_lists_of_large_tables_are_shorter(monkeypatch):
    tuples, _ = random_space(150)
    monkeypatch.setattr(annealing, "MOST_LISTED", 10 * tuples.n_items)
    assert similar_tuples(tuples, run_of()).tuples.shape == (tuples.n_items, 10)


def test_paths_without_ladders_and_in_several_words_give_the_same_classes(monkeypatch):
    tuples, space = random_space(300)
    state = peeled(space)
    found = []
    for word_bits, table_bits in ((64, 12), (8, 0)):
        monkeypatch.setattr(paths, "WORD_BITS", word_bits)
        monkeypatch.setattr(paths, "TABLE_BITS", table_bits)
        similar = similar_tuples(tuples, run_of())
        found.append(
            annealed(
                space,
                state,
                similar,
                run_of(),
                longest_plan(space.n_items, 26_000 * space.n_items, 2),
            )[0]
        )
    assert np.array_equal(found[0].labels, found[1].labels)
    assert np.array_equal(found[0].nodes, found[1].nodes)


def test_with_longer_paths_than_a_word_classes_are_searched_all_the_same():
    """Every level of these hierarchies joins one more value to the first: 90 levels."""
    rows = np.random.default_rng(0).integers(0, 100, (200, 2))
    levels = [[f"{level}:{max(value - level, 0)}" for value in range(100)] for level in range(90)]
    problem = problem_of(rows, [from_levels(levels)] * 2, [KAnonymity(3)])
    losses = []
    for rounds in (0, 40):
        found = Local(rounds=rounds).find(problem, Deadline(), no_progress)
        assert_valid(problem, found.recoding)
        losses.append(problem.objective.evaluate(found.recoding))
    assert losses[1] < 0.97 * losses[0]


@pytest.mark.parametrize("n_records", [40, 300])
def test_trees_over_tuples_give_whole_groups_of_items(n_records):
    tuples, space = random_space(n_records, n_values=8)
    problem = whole_problem(space, similar_tuples(tuples, run_of()))
    for tree in (tree.result() for tree in planted(space, problem, run_of(), 0)):
        for start, size, node in zip(tree.starts, tree.sizes, tree.nodes, strict=True):
            members = tree.members[start : start + size]
            first = members[0]
            inside = np.ones(space.n_items, np.bool_)
            for column, level in enumerate(node):
                offset = space.items.offsets[column, level]
                cells = space.items.cells[offset + space.items.codes[:, column]]
                inside &= cells == cells[first]
            assert set(members.tolist()) <= set(np.flatnonzero(inside).tolist())
            assert len(set(members.tolist())) == size >= space.least


def test_two_ways_give_the_better_of_both_in_every_part(monkeypatch):
    """The last rounds are annealed_until twice; what comes out costs no more than either way."""
    tuples, space = random_space(400)
    state, similar = peeled(space), similar_tuples(tuples, run_of())
    joined_ways = []

    def joining(of_space, one, other):
        joined_ways.append((one, other))
        return combined(of_space, one, other)

    monkeypatch.setattr(annealing, "combined", joining)
    best, rounds = annealed(
        space, state, similar, run_of(), longest_plan(space.n_items, 26_000 * space.n_items, 10)
    )
    again, _ = annealed(
        space, state, similar, run_of(), longest_plan(space.n_items, 26_000 * space.n_items, 10)
    )
    (one, other), _ = joined_ways
    assert rounds == 10
    assert not np.array_equal(one.labels, other.labels)
    assert best.total(space) <= min(one.total(space), other.total(space)) + 1e-12
    assert space.judge(*best.members()).all()
    assert np.array_equal(best.labels, again.labels)


def test_an_interruption_of_one_way_ends_the_other():
    tuples, space = random_space(200)
    state, similar = peeled(space), similar_tuples(tuples, run_of())

    def progress(share, message):
        del message
        if share > 0.7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        annealed(
            space,
            state,
            similar,
            replace(run_of(), progress=progress),
            longest_plan(space.n_items, 26_000 * space.n_items, 10),
        )


def test_looking_through_a_large_class_counts_as_work():
    """Few distinct tuples of many records have classes of thousands: moves then take longer."""
    log = empty_undo_log.py_func(2, 10, 3)
    count_class.py_func(log, STEP_CLASS)
    assert log.tally[WORK] == 0
    count_class.py_func(log, STEP_CLASS + 44)
    assert log.tally[WORK] == 44
