"""From the cells of a release back to the recoding that made it."""

import polars as pl
import pytest
from hypothesis import given

import indistinct as ind
from indistinct.errors import DataError, NoSolutionError
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.evaluation.utility.recover import full_domain, read_cells, recoding_of
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.manifest import loss_entry
from shared import examples
from strategies import frames, policy_words


@examples(12)
@given(frames(), policy_words())
def test_both_ways_back_cost_what_the_release_cost(frame, words):
    """The node is found again, or one that costs the same; cell by cell, loss and ncp agree."""
    words["release"] = {}
    policy = ind.Policy.from_words(words)
    try:
        release = ind.anonymize(frame, policy, seed=1)
    except NoSolutionError:
        return
    problem = prepare(frame, resolve(policy)).problem
    cells = release.frame.select(policy.named(Role.QUASI_IDENTIFIER))
    if release.frame.height:
        found = full_domain(cells, problem)
        assert found is not None
        said = release.owner["loss"]
        assert loss_entry(problem, found)["loss"] == pytest.approx(said["loss"], abs=1e-9)
        single = loss_entry(problem, recoding_of(read_cells(cells, problem), problem))
        for name in ("loss", "ncp", "discernibility"):
            assert single[name] == pytest.approx(said[name], abs=1e-9)


def test_mixed_levels_are_no_node():
    """Cells of two levels in one column are a local recoding."""
    words = {
        "columns": {"q": {"role": "quasi-identifier", "hierarchy": {"mask": 2}}},
        "models": [{"name": "k-anonymity", "k": 2}],
    }
    frame = pl.DataFrame({"q": ["11", "12", "21", "21"]})
    problem = prepare(frame, resolve(ind.Policy.from_words(words))).problem
    mixed = pl.DataFrame({"q": ["1*", "1*", "21", "21"]})
    assert full_domain(mixed, problem) is None
    assert recoding_of(read_cells(mixed, problem), problem).sizes.tolist() == [2, 2]
    foreign = pl.DataFrame({"q": ["3*", "1*", "21", "21"]})
    with pytest.raises(DataError, match=r"columns\.q"):
        read_cells(foreign, problem)
