"""What every registered algorithm must satisfy.

It takes more than 20 seconds of a processor: each property is tried on many tables for every
algorithm, and in a fresh clone the loops of all of them are compiled.
"""

import dataclasses
import json
import subprocess
import sys

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.base.parameters import bounds_of
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.policy.sections.method import MethodPolicy
from indistinct.tables.policy.sections.release import ReleasePolicy
from indistinct.tables.publish.anonymization import draft_release
from indistinct.tables.release.manifest import released_classes
from indistinct.tables.search import ALGORITHMS, algorithm_named
from indistinct.tables.search.finish import solve
from shared import environment, examples, longer
from strategies import OF_ONE_RELEASE, frames, policy_words, problems

each_algorithm = pytest.mark.parametrize("name", OF_ONE_RELEASE)


FEWEST_SOLVED = 20  # of a hundred problems, many of which ask for what no release gives
# Whole releases take longer than other examples, so that fewer are tried.
FEWER = settings(max_examples=settings.default.max_examples // 2)
FEWEST = settings(max_examples=settings.default.max_examples * 3 // 5)


def built(name):
    """Return an algorithm with its plain settings."""
    words = MethodPolicy(effort="fast", target="identity").model_dump()
    return algorithm_named(name, words)


def solved(name, problem):
    """Search; None where there is no solution."""
    try:
        return solve(built(name), problem, Deadline(), no_progress)
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

    n_solved = 0

    @examples(100)
    @given(problems())
    def check(problem):
        nonlocal n_solved
        solution = solved(name, problem)
        if solution is None:
            return
        n_solved += 1
        recoding = solution.recoding
        assert recoding.n_suppressed <= problem.budget
        assert recoding.n_records == problem.table.n_records
        classes = released_classes(problem, recoding)
        assert problem.holds(classes).all()
        assert classes.sizes.sum() == recoding.n_records - recoding.n_suppressed

    check()
    assert n_solved >= FEWEST_SOLVED


@each_algorithm
def test_it_finds_a_release_where_the_whole_table_is_one(name):
    """A table that holds its models as one class has a solution, and no algorithm may miss it."""

    @FEWER
    @given(frames(min_rows=4))
    def check(frame):
        names = ["age", "city", "sex"]
        policy = ind.Policy.from_keywords(
            quasi_identifiers=names,
            identifiers=["name"],
            sensitive=["illness"],
            k=2,
            algorithm=name,
            target="identity",
            effort="fast",
        )
        release = ind.anonymize(frame, policy, seed=1)
        assert release.frame.height == frame.height

    check()


@each_algorithm
def test_the_same_problem_gives_the_same_recoding(name):
    """Nothing depends on chance or on hash order."""

    @FEWER
    @given(problems())
    def check(problem):
        first, second = solved(name, problem), solved(name, problem)
        assert (first is None) == (second is None)
        if first is not None:
            assert first.recoding.cells.tolist() == second.recoding.cells.tolist()
            assert first.recoding.labels.tolist() == second.recoding.labels.tolist()

    check()


@pytest.mark.parametrize("name", longer(OF_ONE_RELEASE, ("optimal", "mondrian")))
def test_its_written_release_verifies(name, tmp_path):
    """What is measured afresh from the file alone, and against the input, holds.

    Whether a distance to the input's distribution holds, of which records were suppressed, is the
    one thing that may take the input.
    """

    @FEWEST
    @given(frames(), policy_words(algorithms=(name,)), st.sampled_from(["csv", "parquet", "arrow"]))
    def check(frame, words, ending):
        policy = ind.Policy.from_words(words)
        path = tmp_path / f"release.{ending}"
        try:
            release = draft_release(frame, policy, seed=1)
        except NoSolutionError:
            return
        manifest = release.write(path)
        alone = ind.verify(path, policy)
        open_ = {entry["name"] for entry in alone.models if entry["holds"] is None}
        if manifest["records"]["suppressed"]:
            open_ -= {model.name for model in policy.models if model.compares_with_table}
        assert alone.holds is not False, alone.faults
        assert not open_, alone.notes
        verdict = ind.verify(path, policy, original=frame)
        assert verdict.holds, verdict.faults
        assert manifest["records"]["released"] == verdict.records
        assert manifest["classes"]["count"] == verdict.classes

    check()


@pytest.mark.parametrize("name", longer(OF_ONE_RELEASE, ("optimal", "mondrian")))
def test_the_order_of_records_does_not_change_its_cost(name):
    """A shuffled table gives the same manifest but for time and hashes."""

    @FEWER
    @given(frames(), policy_words(algorithms=(name,)), st.randoms())
    def check(frame, words, random):
        policy = ind.Policy.from_words(words)
        rows = list(range(frame.height))
        random.shuffle(rows)
        assert _figures(frame, policy) == _figures(frame[rows], policy)

    check()


@each_algorithm
def test_one_table_in_three_orders_costs_the_same(name):
    """The same of one larger table, with a model of its sensitive values."""
    frame = ind.sample("patients", rows=90).select("sex", "height_cm", "insurance")
    policy = ind.Policy.from_words(
        {
            "columns": {
                "sex": {"role": "quasi-identifier"},
                "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
                "insurance": {"role": "sensitive"},
            },
            "models": [
                {"name": "k-anonymity", "k": 3},
                {"name": "distinct-l-diversity", "column": "insurance", "l": 2},
            ],
            "method": {"algorithm": name, "max_suppression": 0.1, "target": "identity"},
        }
    )
    expected = _figures(frame, policy)
    assert expected is not None
    for order in (frame.reverse(), frame.sample(fraction=1, shuffle=True, seed=1)):
        assert _figures(order, policy) == expected


def _figures(frame: pl.DataFrame, policy) -> str | None:
    try:
        manifest = draft_release(frame, policy, seed=1).manifest
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


def test_naming_an_algorithm_loads_no_compiled_code():
    """The registry is read with every policy."""
    code = (
        "import sys, indistinct.tables.search;"
        "print([m for m in ('numba', 'polars', 'sklearn', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.strip() == "[]"


def test_algorithms_that_share_a_word_mean_the_same_by_it():
    """A policy has each word once."""
    words = {}
    for kind in ALGORITHMS:
        for field in dataclasses.fields(kind):
            if "bounds" not in field.metadata:
                continue
            bounds = dataclasses.replace(bounds_of(field), help="")
            assert words.setdefault(field.name, (bounds, field.default)) == (bounds, field.default)
    assert set(words) - {"seed", "mix"} <= {*MethodPolicy.model_fields, *ReleasePolicy.model_fields}
