"""What is said of the cells of a column does not take it out of the classes."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.sections.column import TYPES
from indistinct.tables.reading.declared_formats import SET


def policy(kind):
    age = {"role": "quasi-identifier", "type": kind}
    if kind in {"moment", "truth"}:
        age["unreadable"] = "missing"
    columns = {"age": age, "sex": {"role": "insensitive"}}
    return Policy.from_words({"columns": columns, "models": [{"name": "k-anonymity", "k": 5}]})


@pytest.mark.parametrize("kind", sorted({*TYPES} - {SET, "date"}))
def test_a_quasi_identifier_of_any_type_is_generalized(kind):
    """Forty ages of one record each: released as they are, every class would be of one record."""
    ages = pl.DataFrame({"age": [str(20 + n) for n in range(40)], "sex": ["m", "f"] * 20})
    assert policy(kind).class_names == ("age",)
    released = ind.anonymize(ages, policy(kind)).frame
    assert released["age"].value_counts()["count"].min() >= 5


@pytest.mark.parametrize("kind", TYPES)
def test_no_quasi_identifier_is_neither_in_a_class_nor_a_set(kind):
    columns = {"age": {"role": "quasi-identifier", "type": kind}}
    models = [{"name": "k-anonymity", "k": 5}]
    if kind == SET:
        models.append({"name": "km-anonymity", "column": "age", "k": 5, "m": 2})
    found = Policy.from_words({"columns": columns, "models": models})
    assert {*found.class_names, *found.set_names} == {"age"}
