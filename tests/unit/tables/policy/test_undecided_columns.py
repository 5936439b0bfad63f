"""What is said of columns whose role nobody decided, some of which a draft asks with others."""

import pytest

import indistinct as ind
from indistinct.errors import PolicyError


def faults_of(**reasons):
    """Return the places and problems of a policy with undecided columns, each with its reason."""
    columns = {
        name: {"role": "undecided", "reason": reason} for name, reason in reasons.items()
    } | {"age": {"role": "quasi-identifier"}}
    words = {"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]}
    with pytest.raises(PolicyError) as raised:
        ind.Policy.from_words(words)
    return {fault.place: fault.problem for fault in raised.value.faults}


def test_columns_that_are_asked_with_another_one_are_told_there():
    found = faults_of(q1="Three of a kind.", q2='As "q1".', q3='As "q1".', other="")
    assert found == {
        "columns.q1.role": "is undecided, and so are 2 more: Three of a kind.",
        "columns.other.role": "is undecided",
    }


def test_questions_are_told_in_their_order():
    found = faults_of(
        b="Words. This is question 10.", a="Numbers. This is question 2.", c='As "a".'
    )
    assert list(found.items()) == [
        ("columns.a.role", "is undecided, and so is 1 more column: Numbers. This is question 2."),
        ("columns.b.role", "is undecided: Words. This is question 10."),
    ]


@pytest.mark.parametrize("reasons", [{"a": 'As "a".'}, {"a": 'As "b".', "b": 'As "a".'}])
def test_columns_that_refer_to_one_another_are_told_one_by_one(reasons):
    """No text of a policy makes an undecided column run."""
    assert faults_of(**reasons).keys() == {f"columns.{name}.role" for name in reasons}
