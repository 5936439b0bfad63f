"""Promises beside size: what a class misses is what the models say, and no release misses any."""

import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import (
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    ProbabilisticLDiversity,
    RecursiveCLDiversity,
    SimpsonDiversity,
    TCloseness,
)
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local.annealing import planted, similar_tuples, whole_problem
from indistinct.tables.search.local.annealing_kernels import anneal
from indistinct.tables.search.local.annealing_state_kernels import lay_out
from indistinct.tables.search.local.forest import ClusterTrees, joined
from indistinct.tables.search.local.local import Local
from indistinct.tables.search.local.local_search import EFFORTS, affordable_work
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, local_space
from indistinct.tables.search.local.peel_kernels import count_members
from indistinct.tables.search.local.penalty_layout import penalties_of, priced
from indistinct.tables.search.local.promises import can_price, distinct_tuples, kept_promises
from local_problems import DISEASE, MODELS, assert_valid, halves, problem_of, problems, run_of
from promises import drafted, patients

MEASURED = {
    "distinct": DistinctLDiversity(DISEASE, 3),
    "probabilistic": ProbabilisticLDiversity(DISEASE, 2.5),
    "entropy": EntropyLDiversity(DISEASE, 2.2),
    "recursive": RecursiveCLDiversity(DISEASE, 1.5, 2),
    "recursive, deep": RecursiveCLDiversity(DISEASE, 2, 3),
    "alpha": AlphaKAnonymity(DISEASE, 0.5, 1),
    "beta": BetaLikeness(DISEASE, 1.0),
    "beta, basic": BetaLikeness(DISEASE, 1.0, "basic"),
    "delta": DeltaDisclosure(DISEASE, 1.5),
    "simpson": SimpsonDiversity(DISEASE, 2.0),
    "simpson, gini": SimpsonDiversity(DISEASE, 0.5, form="gini"),
    "t, equal": TCloseness(DISEASE, 0.25),
    "t, ordered": TCloseness(DISEASE, 0.2, distance="ordered"),
    "t, hierarchical": TCloseness(DISEASE, 0.2, distance="hierarchical"),
}


def with_diseases(problem, *, missing=False):
    """Give the sensitive column a hierarchy, and a missing value at its end."""
    column = problem.table.sensitive[DISEASE]
    column = replace(column, hierarchy=halves(column.n_values), has_missing=missing)
    return replace(problem, table=replace(problem.table, sensitive={DISEASE: column}))


def random_problem(models, *, n_records=400, seed=0, missing=False):
    draws = np.random.default_rng(seed)
    rows = draws.integers(0, 16, (n_records, 2))
    diseases = draws.choice(6, n_records, p=[0.4, 0.2, 0.2, 0.1, 0.07, 0.03])
    models = [model.with_missing_columns([DISEASE] if missing else []) for model in models]
    problem = problem_of(rows, [halves(16)] * 2, models, diseases=diseases, suppression=0.05)
    return with_diseases(problem, missing=missing)


def land_under(space, price=0.0):
    """Lay out the records of a space for the compiled loops."""
    groups, tuples = distinct_tuples(space)
    similar = similar_tuples(tuples, run_of())
    return whole_problem(replace(space, tuples=groups), similar)._replace(price=price)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", MEASURED)
def test_a_class_misses_nothing_exactly_where_its_model_holds(name, missing):
    model = MEASURED[name].with_missing_columns([DISEASE] if missing else [])
    problem = random_problem([model], missing=missing)
    space = local_space(problem).expanded()
    labels = np.random.default_rng(1).integers(0, 60, space.n_items).astype(np.int32)
    state = Assignment(labels, np.zeros((60, 2), np.int32))
    members, starts = state.members()
    n_values = problem.table.sensitive[DISEASE].n_values
    counts = count_members(members, starts, space.values[DISEASE], space.items.weights, n_values)
    classes = EquivalenceClasses(
        np.diff(starts), {DISEASE: ValueCounts(*counts)}, problem.table.sensitive
    )
    holds = model.holds(classes)
    assert 0 < np.count_nonzero(holds) < len(holds) or name == "delta"
    assigned = lay_out(land_under(space), labels, state.nodes, np.zeros(60), 61)
    assert np.array_equal(assigned.lacks[:-1] == 0, holds)


@pytest.mark.parametrize("temperature", [1e-6, 0.3])
def test_sums_that_follow_every_move_are_those_of_the_classes_in_the_end(temperature):
    models = [KAnonymity(3), MEASURED["t, hierarchical"], MEASURED["distinct"]]
    space = local_space(random_problem(models)).expanded()
    problem = land_under(space, 2.0)
    labels = (np.arange(space.n_items) // 5).astype(np.int32)
    state = Assignment(labels, np.full((labels.max() + 1, 2), 4, np.int32))
    assigned = lay_out(problem, labels, state.nodes, state.losses(space), state.n_classes + 90)
    before = cost_of(assigned, 2.0)
    trees = joined([tree.result() for tree in planted(space, problem, run_of(), 0)])
    rise = anneal(problem, assigned, trees, 300_000, temperature, temperature / 10, np.uint64(0))
    outside = len(assigned.heads) - 1
    told = np.where(assigned.labels == outside, OUTSIDE, assigned.labels)
    after = Assignment(told.astype(np.int32), assigned.levels[:-1])
    counted = lay_out(problem, after.labels, after.nodes, assigned.losses[:-1], outside + 1)
    assert np.array_equal(counted.counts_in[:-1], assigned.counts_in[:-1])
    used = assigned.counts[:-1] > 0
    assert counted.lacks[:-1][used] == pytest.approx(assigned.lacks[:-1][used], abs=1e-9)
    assert np.array_equal(counted.sizes, assigned.sizes)
    assert assigned.sizes[outside] <= space.problem.budget
    assert rise == pytest.approx(cost_of(assigned, 2.0) - before, abs=1e-6)
    assert not np.array_equal(told, labels)


def cost_of(assigned, price):
    """Sum what all records pay, and the price of what the classes in use miss."""
    used = assigned.counts > 0
    used[-1] = False
    paid = float(assigned.sizes @ assigned.losses)
    return paid + price * float(assigned.lacks[used].sum())


@settings(deadline=None, max_examples=25)
@given(problems(models=MODELS, suppression=0.3), st.integers(0, 100))
def test_what_is_released_keeps_every_promise(problem, seed):
    space = local_space(problem)
    if not can_price(space):
        return
    found = kept_promises(space.expanded(), ClusterTrees(), 20_000, 4, run_of(seed)).assignment
    if found.n_classes:
        assert space.expanded().judge(*found.members()).all()
    problem = replace(problem, max_suppression=1.0)
    assert_valid(problem, solve(Local(seed=seed), problem, Deadline(), no_progress).recoding)


def test_models_without_a_price_are_searched_as_before():
    problem = random_problem([KAnonymity(3), TCloseness(DISEASE, 0.3, distance="kernel")])
    assert not priced(local_space(problem))
    assert not can_price(local_space(problem))
    assert not can_price(local_space(random_problem([KAnonymity(3)])))
    divided = DistinctLDiversity(DISEASE, 2, others="quasi-identifiers")
    sensitive = random_problem([KAnonymity(3)]).table.sensitive
    assert divided.penalty(sensitive) is not None
    assert divided.penalty(sensitive | {"income": sensitive[DISEASE]}) is None


def test_many_values_are_counted_together_where_that_proves_no_less():
    model = DistinctLDiversity("glucose", 2)
    problem = patients(1500, 0).problem([KAnonymity(2), model])
    space = local_space(problem)
    assert problem.table.sensitive["glucose"].n_values > 512
    assert penalties_of(space).starts[-1] == 512 + 2


@pytest.mark.parametrize("k", [3, 10])
def test_patients_lose_much_less_than_where_no_class_may_fail_on_the_way(k):
    problem = patients(1200, 0).problem(drafted(k))
    found = solve(Local(), problem, Deadline(), no_progress).recoding
    before = solve(Local("fast"), problem, Deadline(), no_progress).recoding
    loss = problem.objective.evaluate
    assert found.n_suppressed <= problem.budget
    assert loss(found) < 0.75 * loss(before)


def test_a_short_time_goes_through_all_prices():
    """Rounds end early, and the last of them still leave little to be suppressed."""
    problem = patients(1200, 0).problem(drafted(5))
    space = local_space(problem).expanded()
    run = run_of(deadline=Deadline.after(0.5))
    found, rounds, _ = kept_promises(space, ClusterTrees(), 20_000_000, 1000, run)
    assert 0 < rounds < 1000
    assert space.judge(*found.members()).all()
    assert len(found.outside()) <= problem.budget
    assert run_of().time_share(time.monotonic() - 1.0) == 0.0
    assert run_of(deadline=Deadline.after(0.0)).time_share(time.monotonic() - 1.0) == 1.0


def test_the_facts_say_what_size_alone_loses_and_which_promise_it_breaks():
    problem = patients(1200, 0).problem(drafted(5))
    solution = solve(Local(), problem, Deadline(), no_progress)
    told = solution.facts["size_alone"]
    alone = solve(Local(), patients(1200, 0).problem([KAnonymity(5)]), Deadline(), no_progress)
    least = problem.objective.evaluate(alone.recoding)
    assert 0.9 * least <= told["loss"] < 0.5 * problem.objective.evaluate(solution.recoding)
    shares = {model["column"]: model["share"] for model in told["broken"]}
    assert list(shares) == ["pressure", "heart", "stroke", "smoking", "glucose", "bmi"]
    assert max(shares, key=shares.get) == "smoking"
    assert 0.1 < shares["smoking"] < 0.9
    assert "size_alone" not in alone.facts


@pytest.mark.parametrize("is_sized", [False, True])
def test_a_greater_effort_does_more_work_and_less_on_few_records(is_sized):
    default, thorough = (
        partial(affordable_work, EFFORTS[effort], is_sized=is_sized)
        for effort in ("default", "thorough")
    )
    most = [
        EFFORTS[effort].work if is_sized else EFFORTS[effort].priced
        for effort in ("default", "thorough")
    ]
    assert [default(10**6), thorough(10**6)] == most
    assert thorough(9000) == most[1]
    assert default(100) < thorough(100) < 3 * default(100)
