"""What is refused by the counts of a table has no release, and what gives others back does."""

from itertools import product

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.drafting.joint import RecordsInMemory
from indistinct.tables.models import MODELS_BY_NAME
from indistinct.tables.publish.checks_before_search import _least_values
from indistinct.tables.publish.table_inspection import CountedColumns
from indistinct.tables.reading.files import TableFile

DIVERSITIES = [
    ("distinct-l-diversity", {"l": 2}),
    ("distinct-l-diversity", {"l": 4}),
    ("entropy-l-diversity", {"l": 2.5}),
    ("probabilistic-l-diversity", {"l": 1.5}),
    ("recursive-cl-diversity", {"c": 3.0, "l": 3}),
    ("alpha-k-anonymity", {"alpha": 0.3, "k": 2}),
]


def checked(frame, roles, *models, method=None):
    columns = {name: {"role": roles.get(name, "quasi-identifier")} for name in frame.columns}
    words = {"columns": columns, "models": [{"name": "k-anonymity", "k": 2}, *models]}
    policy = ind.Policy.from_words({**words, "method": method or {}})
    counted = CountedColumns[RecordsInMemory].of(RecordsInMemory(TableFile(frame, "")))
    return (*counted.checks(policy), policy)


def holds_somewhere(model, n_values):
    """Look at every class with up to three records of each value."""
    counts = [one for one in product(range(4), repeat=n_values) if any(one)]
    for one in counts:
        some = np.array([n for n in one if n])
        classes = EquivalenceClasses(
            np.array([some.sum()]),
            {"ill": ValueCounts(np.array([0, len(some)]), np.arange(len(some)), some)},
        )
        if model.holds(classes)[0]:
            return True
    return False


@pytest.mark.parametrize("n_values", [1, 2, 3, 4])
@pytest.mark.parametrize(("name", "words"), DIVERSITIES)
def test_fewer_values_than_are_needed_satisfy_no_class(name, words, n_values):
    """And as many do, for a class with three of each."""
    model = MODELS_BY_NAME[name](column="ill", **words)
    least, _ = _least_values(model)
    assert holds_somewhere(model, n_values) == (n_values >= least)


def table(n_values, n_missing=0):
    ages = list(range(20, 60))
    ill = [f"v{n % n_values}" for n in range(40 - n_missing)] + [None] * n_missing
    return pl.DataFrame({"age": ages, "ill": ill})


@pytest.mark.parametrize("n_values", [1, 2, 3])
def test_what_is_refused_has_no_release(n_values):
    model = {"name": "distinct-l-diversity", "column": "ill", "l": 3}
    refused, _, policy = checked(table(n_values), {"ill": "sensitive"}, model)
    if n_values == 3:
        assert refused == ()
        ind.anonymize(table(n_values), policy)
        return
    (fault,) = refused
    least, *_ = [way.value for way in fault.ways]
    assert (fault.code, least) == ("beyond-the-column", 2 if n_values == 2 else None)
    with pytest.raises(NoSolutionError):
        ind.anonymize(table(n_values), policy)


def test_records_without_a_value_may_be_all_that_is_released():
    """Half of the records have none, and the other half may be left out."""
    model = {"name": "distinct-l-diversity", "column": "ill", "l": 3}
    frame, roles = table(2, n_missing=20), {"ill": "sensitive"}
    refused, _, policy = checked(frame, roles, model, method={"max_suppression": 0.5})
    assert refused == ()
    assert ind.anonymize(frame, policy).frame.height == 20
    assert len(checked(frame, roles, model, method={"max_suppression": 0.4})[0]) == 1


def test_more_than_the_table_has_is_refused_as_the_search_refuses_it():
    frame = pl.DataFrame({"age": [1, 2, 3], "ill": ["a", "b", "c"]})
    many = {"name": "alpha-k-anonymity", "column": "ill", "alpha": 0.9, "k": 5}
    (fault,) = checked(frame, {"ill": "sensitive"}, many)[0]
    assert (fault.code, fault.ways[0].value) == ("k-beyond-the-table", 3)


def follows_plainly(frame, other, name):
    """By definition: all records with one value of a column have one value of the other."""
    pairs = set(zip(frame[name], frame[other], strict=True))
    return len(pairs) == len({one for one, _ in pairs})


@pytest.mark.parametrize("seed", range(8))
def test_a_column_gives_others_back_where_they_follow_from_it(seed):
    chance = np.random.default_rng(seed)
    city = chance.integers(0, 12, 240)
    noise = chance.random(240) < (0.0 if seed % 2 else 0.05)
    state = np.where(noise, chance.integers(0, 4, 240), city % 4)
    frame = pl.DataFrame(
        {
            "state": [f"s{n}" for n in state],
            "sex": chance.choice(["f", "m"], 240),
            "city": [f"c{n}" for n in city],
            "pay": chance.random(240),  # each value once, so that nobody learns a pair
        }
    )
    refused, doubtful, _ = checked(frame, {"city": "insensitive", "pay": "insensitive"})
    expected = [one for one in ("state", "sex") if follows_plainly(frame, one, "city")]
    assert refused == ()
    assert [(one.columns, one.parts["cells"]) for one in doubtful] == (
        [(("city",), expected)] if expected else []
    )
