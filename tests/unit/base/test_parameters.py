"""Bounds on parameters, and what is said when a value is outside."""

import math

import pytest

from indistinct.base.parameters import build, parameter
from indistinct.errors import ParameterError
from indistinct.tables.models import (
    DistinctLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (KAnonymity, {"k": 1}),
        (KAnonymity, {"k": 2.5}),
        (KAnonymity, {"k": True}),
        (KAnonymity, {"k": "5"}),
        (DistinctLDiversity, {"column": "illness", "l": 0}),
        (DistinctLDiversity, {"column": "", "l": 2}),
        (RecursiveCLDiversity, {"column": "illness", "c": 0, "l": 2}),
        (TCloseness, {"column": "illness", "t": -0.1}),
        (TCloseness, {"column": "illness", "t": 1.1}),
        (TCloseness, {"column": "illness", "t": math.nan}),
        (TCloseness, {"column": "illness", "t": math.inf}),
        (TCloseness, {"column": "illness", "t": 0.1, "distance": "far"}),
    ],
)
def test_values_outside_are_refused_built_or_read(kind, words):
    """k < 2, l < 1, t outside [0, 1], NaN and wrong types are refused by class and by policy."""
    with pytest.raises(ParameterError):
        kind(**words)
    with pytest.raises(ParameterError):
        build(kind, words, kind.name)


def test_all_faults_come_at_once():
    """An unknown word, a missing one and one outside its range are three faults."""
    with pytest.raises(ParameterError) as caught:
        build(TCloseness, {"t": 2, "colour": "red"}, "t-closeness")
    assert {fault.place for fault in caught.value.faults} == {
        "t-closeness.colour", "t-closeness.column", "t-closeness.t",
    }  # fmt: skip


def test_words_are_converted_to_their_kind():
    """A whole number where a number is asked becomes one; bounds themselves are allowed."""
    assert build(TCloseness, {"column": "illness", "t": 1}, "").t == 1.0
    assert isinstance(build(TCloseness, {"column": "illness", "t": 0}, "").t, float)
    assert build(KAnonymity, {"k": 2.0}, "") == KAnonymity(2)


@pytest.mark.parametrize(("lifted", "allowed"), [(False, False), (True, True)])
def test_a_limit_can_be_lifted_where_it_is_said(lifted, allowed):
    """Infinity is a number for such limits only; what is no number is none anywhere."""
    bounds = parameter(float, at_least=0, help="seconds", infinite=lifted).metadata["bounds"]
    assert bounds.allows(math.inf) is allowed
    assert not bounds.allows(-math.inf)
    assert not bounds.allows(math.nan)
