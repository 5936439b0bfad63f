"""What is said of a wrong word or number of a policy: in our voice, and not in pydantic's."""

import pytest

import indistinct as ind
from indistinct.errors import PolicyError


def said_of(column, method=None):
    words = {
        "columns": {"age": column},
        "models": [{"name": "k-anonymity", "k": 2}],
        "method": method or {},
    }
    with pytest.raises(PolicyError) as found:
        ind.Policy.from_words(words)
    return str(found.value)


def test_a_word_that_is_none_of_those_known():
    said = said_of({"role": "identifiers"})
    assert "columns.age.role: is none of identifier, quasi-identifier, sensitive" in said
    assert 'Did you mean "identifier"?' in said


def test_a_number_out_of_range_and_a_text_for_a_number():
    said = said_of({"role": "quasi-identifier"}, {"time_limit": -1, "max_suppression": "much"})
    assert "method.time_limit: must be greater than 0" in said
    assert "method.max_suppression: must be a valid number" in said
    assert "Input should" not in said
