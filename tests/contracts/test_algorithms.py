"""What every registered algorithm must satisfy."""

import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indistinct as ind
from indistinct.core.protocols import Deadline, no_progress
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.policy.policy import MethodPolicy
from indistinct.release.manifest import released_classes
from indistinct.search import ALGORITHMS, algorithm_named
from strategies import frames, policy_words, problems

each_algorithm = pytest.mark.parametrize("name", ALGORITHMS)


def built(name):
    """Give an algorithm with its plain settings."""
    words = MethodPolicy(effort="fast", target="identity").model_dump()
    return algorithm_named(name, words)


def solved(name, problem):
    """Search; None where there is no solution."""
    try:
        return built(name).search(problem, Deadline(), no_progress)
    except NoSolutionError:
        return None
    except PolicyError:
        assert not problem.table.sensitive, "refused, though there is a sensitive column"
        return None


@each_algorithm
def test_it_has_the_name_it_is_asked_for(name):
    """The registry gives what it is asked for."""
    assert built(name).name == name


@each_algorithm
def test_its_recoding_keeps_models_and_budget(name):
    """Every released class satisfies every model, and no more is suppressed than allowed."""

    @given(problems())
    def check(problem):
        solution = solved(name, problem)
        if solution is None:
            return
        recoding = solution.recoding
        assert recoding.n_suppressed <= problem.budget
        assert recoding.n_records == problem.table.n_records
        classes = released_classes(problem, recoding)
        assert problem.holds(classes).all()
        assert classes.sizes.sum() == recoding.n_records - recoding.n_suppressed

    check()


@each_algorithm
def test_the_same_problem_gives_the_same_recoding(name):
    """Nothing depends on chance or on hash order."""

    @settings(max_examples=20)
    @given(problems())
    def check(problem):
        first, second = solved(name, problem), solved(name, problem)
        assert (first is None) == (second is None)
        if first is not None:
            assert first.recoding.cells.tolist() == second.recoding.cells.tolist()
            assert first.recoding.labels.tolist() == second.recoding.labels.tolist()

    check()


@each_algorithm
def test_its_written_release_verifies(name, tmp_path):
    """What is measured afresh from the file alone, and against the input, holds."""

    @settings(max_examples=30)
    @given(frames(), policy_words(algorithms=(name,)), st.sampled_from(["csv", "parquet", "arrow"]))
    def check(frame, words, ending):
        policy = ind.Policy.from_words(words)
        path = tmp_path / f"release.{ending}"
        try:
            release = ind.anonymize(frame, policy, seed=1)
        except NoSolutionError:
            return
        manifest = release.write(path)
        for original in (None, frame):
            verdict = ind.verify(path, policy, original=original)
            assert verdict.holds, verdict.faults
        assert manifest["records"]["released"] == verdict.records
        assert manifest["classes"]["count"] == verdict.classes

    check()


@each_algorithm
def test_the_order_of_records_does_not_change_its_cost(name):
    """A shuffled table gives the same manifest but for time and hashes."""

    @settings(max_examples=20)
    @given(frames(), policy_words(algorithms=(name,)), st.randoms())
    def check(frame, words, random):
        policy = ind.Policy.from_words(words)
        rows = list(range(frame.height))
        random.shuffle(rows)
        assert _figures(frame, policy) == _figures(frame[rows], policy)

    check()


def _figures(frame: pl.DataFrame, policy) -> str | None:
    try:
        manifest = ind.anonymize(frame, policy, seed=1).manifest
    except NoSolutionError:
        return None
    figures = {part: manifest[part] for part in ("models", "records", "classes", "loss", "risk")}
    return json.dumps(_rounded(figures), sort_keys=True)


def _rounded(found):
    if isinstance(found, dict):
        return {name: _rounded(value) for name, value in found.items()}
    if isinstance(found, list):
        return [_rounded(value) for value in found]
    return float(f"{found:.9g}") if isinstance(found, float) else found
