"""Wrong words in Python are refused as those of a policy file are, by no library's own error."""

import pytest

import indistinct as ind
from indistinct.errors import IndistinctError
from indistinct.tables.models import MODELS_BY_NAME

WRONG = {
    "a date step": lambda: ind.dates("fortnight"),
    "a number as a date step": lambda: ind.dates(5),
    "a negative width": lambda: ind.intervals(-1),
    "a text as a width": lambda: ind.intervals("a"),
    "a width without end": lambda: ind.intervals(float("inf")),
    "no number": lambda: ind.intervals(float("nan")),
    "a list as a width": lambda: ind.intervals([5, 10]),
    "a text as a mask": lambda: ind.mask("x"),
    "an empty mask": lambda: ind.mask(0),
    "an endless mask": lambda: ind.mask(10**9),
    "a number as a tree": lambda: ind.tree(5),
    "a list as a tree": lambda: ind.tree(["a"]),
    "a number as a path": lambda: ind.from_csv(3),
    "nothing as a path": lambda: ind.from_csv(None),
    "a long separator": lambda: ind.from_csv("x.csv", separator=";;"),
    "a small k": lambda: ind.KAnonymity(k=1),
    "a text as k": lambda: ind.KAnonymity(k="a"),
    "an unknown parameter": lambda: ind.KAnonymity(kk=1),
    "nothing": ind.KAnonymity,
    "too many": lambda: ind.KAnonymity(2, 3),
    "twice": lambda: ind.KAnonymity(2, k=3),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_word_is_told_in_our_words(name):
    with pytest.raises(IndistinctError) as error:
        WRONG[name]()
    assert error.value.faults
    assert "pydantic" not in str(error.value)


@pytest.mark.parametrize("name", MODELS_BY_NAME)
def test_every_model_refuses_unknown_and_missing_parameters(name):
    for words in ({"unknown": 1}, {}):
        with pytest.raises(IndistinctError, match=r"is missing|is not a parameter"):
            MODELS_BY_NAME[name](**words)


def test_right_words_are_taken():
    assert ind.KAnonymity(5).k == ind.KAnonymity(k=5).k == 5
    assert ind.dates("month", "year").dates == ("month", "year")
