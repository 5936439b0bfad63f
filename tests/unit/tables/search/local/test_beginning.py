"""The longest search from a rounded relaxation: valid, repeatable, and as before without one."""

import time
from concurrent.futures import Future
from dataclasses import replace

import numpy as np
import pytest

from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import KAnonymity
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local import local_search, near_groups, rounded_beginning as rounding
from indistinct.tables.search.local.annealing import annealed
from indistinct.tables.search.local.annealing_plans import FROM_PEEL, FROM_RELAXATION, SHORT
from indistinct.tables.search.local.local import Local
from indistinct.tables.search.local.local_search import EFFORTS
from indistinct.tables.search.local.local_space import local_space
from indistinct.tables.search.local.lower_bound import NOT_COMPUTED, LowerBound, affordable_bound
from indistinct.tables.search.local.rounded_beginning import rounded_beginning
from local_problems import assert_valid, halves, plain_loss, problem_of, run_of, written
from promises import drafted, patients

ROUNDING = 1e-12  # of a sum of losses in another order


def table(n_records=600, k=4, **changes):
    draws = np.random.default_rng(0)
    rows = np.minimum(draws.geometric(0.12, (n_records, 3)) - 1, 31)
    return problem_of(rows, [halves(32)] * 3, [KAnonymity(k)], **changes)


def pricing_of(space, bound=None):
    pricing = Future()
    pricing.set_result(affordable_bound(space, 10**6) if bound is None else bound)
    return pricing


def search(problem, deadline=None, told=no_progress, **changes):
    return solve(Local("best", **changes), problem, deadline or Deadline(), told)


def coolings_of(monkeypatch):
    """Note how warm each search is."""
    used = []

    def noting(*arguments):
        used.append(arguments[4].schedule)
        return annealed(*arguments)

    monkeypatch.setattr(local_search, "annealed", noting)
    return used


@pytest.mark.parametrize("suppression", [0.0, 0.05])
def test_the_release_is_valid_and_depends_on_the_seed_alone(monkeypatch, suppression):
    problem = table(300, suppression=suppression)
    used = coolings_of(monkeypatch)
    found = search(problem, threads=2, seed=1)
    assert used == [SHORT, FROM_RELAXATION]
    assert_valid(problem, found.recoding)
    again = search(problem, threads=1, seed=1)
    certified = search(problem, threads=2, seed=1, bound="certified")
    other = search(problem, threads=2, seed=2)
    for one in (again, certified):
        assert np.array_equal(found.recoding.labels, one.recoding.labels)
        assert np.array_equal(found.recoding.cells, one.recoding.cells)
    assert not np.array_equal(found.recoding.labels, other.recoding.labels)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("n_records", [600, 1500])
def test_it_never_costs_more_than_thorough(n_records, seed):
    problem = table(n_records)
    thorough = solve(Local("thorough", seed=seed), problem, Deadline(), no_progress)
    found = search(problem, seed=seed)
    losses = [plain_loss(problem, written(problem, one.recoding)) for one in (found, thorough)]
    assert losses[0] <= losses[1] + ROUNDING


@pytest.mark.parametrize("seed", [0, 1])
def test_under_further_promises_it_never_costs_more_than_thorough(monkeypatch, seed):
    """Work is cut short: what is kept of the first search does not depend on its length."""
    for effort in ("thorough", "best"):
        shorter = replace(EFFORTS[effort], priced=EFFORTS[effort].priced // 100)
        monkeypatch.setitem(EFFORTS, effort, shorter)
    problem = patients(600, 0).problem(drafted(3))
    found, thorough = (
        solve(Local(effort, seed=seed), problem, Deadline(), no_progress).recoding
        for effort in ("best", "thorough")
    )
    assert problem.objective.evaluate(found) <= problem.objective.evaluate(thorough) + ROUNDING
    assert found.n_suppressed <= problem.budget


@pytest.mark.parametrize("n_records", [600, 1500])
def test_it_costs_no_more_than_what_was_peeled(n_records):
    problem = table(n_records)
    short = search(problem, rounds=1)
    fast = solve(Local("thorough", rounds=0), problem, Deadline(), no_progress)
    assert short.facts["rounds"] == 1
    assert plain_loss(problem, written(problem, short.recoding)) <= plain_loss(
        problem, written(problem, fast.recoding)
    )


def test_progress_grows_from_the_beginning_to_the_last_round():
    told = []
    search(table(), told=lambda share, text: told.append((share, text)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] == 1
    for word in ("prices", "groups", "relaxation", "round"):
        assert any(word in text for _, text in told)


@pytest.mark.parametrize("word", ["prices", "groups", "relaxation", "round"])
def test_an_interruption_reaches_the_caller_at_any_step(word):
    def interrupt(share, text):
        if word in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(table(), told=interrupt)


def test_without_the_beginning_it_is_the_search_from_what_was_peeled(monkeypatch):
    problem = table()
    used = coolings_of(monkeypatch)
    monkeypatch.setattr(near_groups, "MOST_PER_TUPLE", 10)
    far = search(problem)
    monkeypatch.undo()
    used += coolings_of(monkeypatch)
    monkeypatch.setattr(rounding, "relaxed", lambda *_: None)
    none = search(problem)
    assert far.facts["rounds"] == none.facts["rounds"]
    assert np.array_equal(far.recoding.labels, none.recoding.labels)
    assert_valid(problem, far.recoding)
    monkeypatch.undo()
    used = coolings_of(monkeypatch)
    monkeypatch.setattr(local_search, "EXPANDED_RECORDS", 100)
    assert_valid(problem, search(problem, rounds=3).recoding)
    monkeypatch.setattr(local_search, "is_walkable", lambda _: False)
    search(problem, rounds=3)
    assert used == [SHORT, FROM_PEEL] * 2


def test_without_prices_or_time_there_is_no_beginning():
    problem = table(200)
    space = local_space(problem)
    whole = space.expanded()
    assert rounded_beginning(space, whole, pricing_of(space), run_of()) is not None
    for bound in (NOT_COMPUTED, LowerBound(0.1, "dual")):
        assert rounded_beginning(space, whole, pricing_of(space, bound), run_of()) is None
    late = run_of(deadline=Deadline.after(0))
    assert rounded_beginning(space, whole, pricing_of(space), late) is None


def test_no_more_than_half_of_the_time_is_waited_for_prices():
    space = local_space(table(200))
    begun = time.monotonic()
    run = run_of(deadline=Deadline.after(0.4))
    assert rounded_beginning(space, space.expanded(), Future(), run) is None
    assert time.monotonic() - begun >= 0.19
    assert not run.deadline.passed


def test_a_deadline_ends_the_longest_search():
    problem = table()
    for seconds in (0.0, 0.1):
        assert_valid(problem, search(problem, Deadline.after(seconds)).recoding)
