"""Local recoding as a whole: valid from the written labels, near the optimum, repeatable.

It takes more than 20 seconds of a processor in a fresh clone: it begins before the other files that
call the loops of simulated annealing, which take longest of all to compile.
"""

import time

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.errors import NoSolutionError, ParameterError
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import DistinctLDiversity, KAnonymity, TCloseness
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local import local_search
from indistinct.tables.search.local.k_member import KMember
from indistinct.tables.search.local.lattice_peel import LatticePeel
from indistinct.tables.search.local.local import Local
from indistinct.tables.search.local.local_search import EFFORTS
from indistinct.tables.search.local.local_space import local_space
from indistinct.tables.search.local.lower_bound import NOT_COMPUTED, affordable_bound, lower_bound
from local_problems import (
    DISEASE,
    MODELS,
    SIZED,
    assert_valid,
    best_loss,
    halves,
    plain_loss,
    problem_of,
    problems,
    written,
)

ALGORITHMS = [
    Local("fast"),
    Local(),
    Local("thorough"),
    Local("best"),
    LatticePeel(),
    LatticePeel(1.0),
    KMember(),
]
NAMES = ["fast", "default", "thorough", "best", "lattice", "lattice-exact", "k-member"]
each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=NAMES)


def solution_of(algorithm, problem):
    return solve(algorithm, problem, Deadline(), no_progress)


@each_algorithm
@settings(deadline=None, max_examples=12)
@given(problem=problems())
def test_the_release_holds_what_it_promises(algorithm, problem):
    recoding = solution_of(algorithm, problem).recoding
    assert_valid(problem, recoding)
    rows = written(problem, recoding)
    assert plain_loss(problem, rows) == pytest.approx(
        problem.objective.evaluate(recoding), abs=1e-9
    )


@each_algorithm
@settings(deadline=None, max_examples=6)
@given(problem=problems(models=SIZED, max_records=8, max_columns=2))
def test_the_loss_lies_between_the_optimum_and_total_suppression(algorithm, problem):
    solution = solution_of(algorithm, problem)
    loss = problem.objective.evaluate(solution.recoding)
    optimum = best_loss(problem)
    bound = lower_bound(problem, 6).value
    assert bound <= optimum + 1e-9
    assert optimum <= loss + 1e-9
    assert loss <= sum(problem.weights) / len(problem.weights) + 1e-9


@settings(deadline=None, max_examples=15)
@given(problem=problems(models=SIZED, max_records=8, max_columns=2))
def test_a_default_search_finds_the_optimum_of_most_tiny_tables(problem):
    """Not a promise, but a third above the optimum on eight records would be a defect."""
    loss = problem.objective.evaluate(solution_of(Local(), problem).recoding)
    assert loss <= 1.34 * best_loss(problem) + 1e-9


@each_algorithm
@settings(deadline=None, max_examples=8)
@given(problem=problems(models=SIZED, limits=False, suppression=0.0))
def test_with_size_alone_demanded_everything_is_released(algorithm, problem):
    k = problem.models[0].k
    if problem.table.n_records < k:
        with pytest.raises(NoSolutionError, match="achieves as a single class, which is k"):
            solution_of(algorithm, problem)
    else:
        assert solution_of(algorithm, problem).recoding.n_suppressed == 0


@each_algorithm
def test_fewer_records_than_k_are_all_suppressed_where_that_is_allowed(algorithm):
    problem = problem_of([[0], [3]], [halves(4)], [KAnonymity(3)], suppression=1.0)
    recoding = solution_of(algorithm, problem).recoding
    assert recoding.n_suppressed == 2
    assert problem.objective.evaluate(recoding) == 1.0


@each_algorithm
def test_k_records_form_one_class_at_their_least_common_generalization(algorithm):
    problem = problem_of([[0, 1], [1, 1], [0, 1]], [halves(8)] * 2, [KAnonymity(3)])
    recoding = solution_of(algorithm, problem).recoding
    assert recoding.sizes.tolist() == [3]
    assert {labels for _, _, labels in written(problem, recoding)} == {("1:0", "0:1")}


@each_algorithm
def test_classes_of_one_lose_nothing(algorithm):
    problem = problem_of(
        [[0], [3], [5]], [halves(8)], [DistinctLDiversity(DISEASE, 1)], diseases=[0, 1, 0]
    )
    assert problem.objective.evaluate(solution_of(algorithm, problem).recoding) == 0.0


@each_algorithm
def test_equal_records_lose_nothing(algorithm):
    problem = problem_of([[2, 1]] * 7, [halves(4)] * 2, [KAnonymity(5)])
    assert problem.objective.evaluate(solution_of(algorithm, problem).recoding) == 0.0


@pytest.mark.parametrize(("effort", "n_records"), [("fast", 4000), ("default", 700), ("best", 120)])
def test_threads_do_not_change_the_release(effort, n_records):
    draws = np.random.default_rng(0)
    problem = problem_of(draws.integers(0, 32, (n_records, 4)), [halves(32)] * 4, [KAnonymity(5)])
    one, two, four = (
        solution_of(Local(effort, threads=threads), problem).recoding for threads in (1, 2, 4)
    )
    for other in (two, four):
        assert np.array_equal(one.labels, other.labels)
        assert np.array_equal(one.cells, other.cells)


@settings(deadline=None, max_examples=8)
@given(problem=problems(models=MODELS), seed=st.integers(0, 1000))
def test_any_seed_and_order_of_records_give_a_valid_release(problem, seed):
    solved = solution_of(Local(seed=seed), problem).recoding
    assert_valid(problem, solved)


def test_a_passed_deadline_still_gives_a_valid_release():
    draws = np.random.default_rng(0)
    problem = problem_of(draws.integers(0, 32, (2000, 3)), [halves(32)] * 3, [KAnonymity(5)])
    for algorithm in (Local("thorough"), Local("best"), LatticePeel(), KMember()):
        solution = solve(algorithm, problem, Deadline.after(0), no_progress)
        assert_valid(problem, solution.recoding)


@pytest.mark.parametrize("effort", ["default", "thorough", "best"])
def test_no_deadline_cuts_the_first_descent(effort):
    """What is found without any time is what a search without any rounds finds."""
    draws = np.random.default_rng(0)
    problem = problem_of(draws.integers(0, 32, (500, 3)), [halves(32)] * 3, [KAnonymity(5)])
    late = solve(Local(effort), problem, Deadline.after(0), no_progress).recoding
    whole = solution_of(Local(effort, rounds=0), problem).recoding
    assert whole.n_suppressed == 0
    assert np.array_equal(late.labels, whole.labels)
    assert np.array_equal(late.cells, whole.cells)


def test_progress_is_told_after_each_round():
    told = []
    draws = np.random.default_rng(0)
    problem = problem_of(draws.integers(0, 16, (300, 3)), [halves(16)] * 3, [KAnonymity(3)])
    solution = solve(Local(), problem, Deadline(), lambda share, text: told.append((share, text)))
    assert len(told) == solution.facts["rounds"] > 0
    assert all(0 < share <= 1 for share, _ in told)


def test_rounds_may_be_given():
    draws = np.random.default_rng(0)
    problem = problem_of(draws.integers(0, 8, (60, 2)), [halves(8)] * 2, [KAnonymity(3)])
    few, many = (solution_of(Local(rounds=rounds), problem) for rounds in (5, 3000))
    assert (few.facts["rounds"], many.facts["rounds"]) == (5, 3000)
    assert_valid(problem, many.recoding)
    losses = [problem.objective.evaluate(found.recoding) for found in (few, many)]
    assert losses[1] <= losses[0]


def test_an_interrupt_between_rounds_reaches_the_caller():
    def interrupt(share, text):
        raise KeyboardInterrupt

    draws = np.random.default_rng(0)
    problem = problem_of(draws.integers(0, 16, (300, 3)), [halves(16)] * 3, [KAnonymity(3)])
    with pytest.raises(KeyboardInterrupt):
        solve(Local(), problem, Deadline(), interrupt)


@pytest.mark.parametrize("effort", ["default", "best"])
def test_the_bound_is_what_it_is_alone(effort):
    draws = np.random.default_rng(0)
    problem = problem_of(draws.integers(0, 16, (120, 3)), [halves(16)] * 3, [KAnonymity(3)])
    told = solution_of(Local(effort, rounds=3), problem).facts["lower_bound"]
    alone = affordable_bound(local_space(problem), EFFORTS[effort].bound)
    assert told == {"value": alone.value, "kind": alone.kind}


def test_an_interruption_of_the_longest_search_ends_its_bound(monkeypatch):
    """The bound is computed beside the search, and the caller need not wait for all of it."""
    ended = []

    def bounding(space, work, deadline):
        del space, work
        begun = time.monotonic()
        while not deadline.passed and time.monotonic() - begun < 20:
            time.sleep(0.01)
        ended.append(deadline.passed)
        return NOT_COMPUTED

    def interrupt(share, text):
        raise KeyboardInterrupt

    monkeypatch.setattr(local_search, "affordable_bound", bounding)
    draws = np.random.default_rng(0)
    problem = problem_of(draws.integers(0, 16, (120, 3)), [halves(16)] * 3, [KAnonymity(3)])
    with pytest.raises(KeyboardInterrupt):
        solve(Local("best", threads=2), problem, Deadline(), interrupt)
    assert ended == [True]


def test_what_the_whole_table_lacks_is_said():
    problem = problem_of(
        [[0], [1], [2]], [halves(4)], [DistinctLDiversity(DISEASE, 3)], diseases=[0, 0, 1]
    )
    with pytest.raises(NoSolutionError, match="l = 2"):
        solution_of(Local(), problem)


def test_a_level_limit_that_leaves_too_many_is_said():
    problem = problem_of([[0], [7], [6]], [halves(8)], [KAnonymity(2)], max_levels=(1,))
    with pytest.raises(NoSolutionError, match=r"1 of 3 records suppressed"):
        solution_of(Local(), problem)
    allowed = problem_of(
        [[0], [7], [6]], [halves(8)], [KAnonymity(2)], max_levels=(1,), suppression=0.4
    )
    recoding = solution_of(Local(), allowed).recoding
    assert recoding.n_suppressed == 1
    assert_valid(allowed, recoding)


def test_closeness_to_the_whole_table_is_always_reached_by_one_class():
    draws = np.random.default_rng(5)
    problem = problem_of(
        draws.integers(0, 16, (200, 3)),
        [halves(16)] * 3,
        [TCloseness(DISEASE, 0.01)],
        diseases=draws.integers(0, 3, 200),
    )
    assert_valid(problem, solution_of(Local(), problem).recoding)


def test_a_heavier_column_is_generalized_less():
    draws = np.random.default_rng(2)
    rows = draws.integers(0, 16, (400, 2))
    losses = []
    for weights in [(1.0, 0.1), (0.1, 1.0)]:
        problem = problem_of(rows, [halves(16)] * 2, [KAnonymity(4)], weights=weights)
        recoding = solution_of(Local(), problem).recoding
        losses.append(problem.objective.column_losses(recoding))
    assert losses[0][0] < losses[1][0]
    assert losses[1][1] < losses[0][1]


def test_many_quasi_identifiers_are_no_obstacle():
    draws = np.random.default_rng(3)
    problem = problem_of(draws.integers(0, 8, (300, 26)), [halves(8)] * 26, [KAnonymity(3)])
    solution = solution_of(Local(), problem)
    assert_valid(problem, solution.recoding)
    bound = solution.facts["lower_bound"]
    assert bound["value"] is None or 0 < bound["value"] < problem.objective.evaluate(
        solution.recoding
    )


def test_effort_is_one_of_three_words():
    with pytest.raises(ParameterError, match="effort"):
        Local("heroic")


def test_nothing_is_searched_where_the_lowest_levels_keep_every_promise(monkeypatch):
    rows = np.repeat(np.random.default_rng(0).integers(0, 8, (40, 2)), 3, axis=0)
    diseases = np.tile([0, 1, 2], 40)
    models = [KAnonymity(3), DistinctLDiversity(DISEASE, 3)]
    problem = problem_of(rows, [halves(8)] * 2, models, diseases=diseases)

    def never(*_):
        raise AssertionError("this searches")

    monkeypatch.setattr(local_search, "constructed", never)
    found = solve(Local(), problem, Deadline(), no_progress)
    assert problem.objective.evaluate(found.recoding) == 0.0
    assert found.recoding.n_suppressed == 0
    assert found.facts["lower_bound"] == {"value": 0.0, "kind": "dual"}
    assert_valid(problem, found.recoding)
    lacking = problem_of(rows, [halves(8)] * 2, models, diseases=0 * diseases + (diseases > 1))
    with pytest.raises(AssertionError, match="this searches"):
        solve(Local(), lacking, Deadline(), no_progress)
