"""The verdicts: a fault decides, an open question leaves it open."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.base.verdicts import Verdict
from indistinct.errors import Fault
from indistinct.graph import GraphVerification
from indistinct.questions.checks.verify import SyntheticVerification
from indistinct.tables.verification.verification import Verification

WRONG = (Fault("columns.age", "does not hold"),)
ALONE = pl.DataFrame({"age": [1, 2, 3], "ill": ["a", "b", "a"]})
ALIKE = pl.DataFrame({"age": [1, 1, 1], "ill": ["a", "b", "a"]})


def graph_verification(verdict):
    return GraphVerification(verdict, WRONG if verdict == Verdict.FAILS else ())


def assessed(frame, *models):
    words = {
        "columns": {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}},
        "models": list(models),
    }
    return ind.assess(frame, ind.Policy.from_words(words))


K = {"name": "k-anonymity", "k": 3}
FAILING = {
    "a release": lambda: Verification(False, WRONG, (), 3, 3),
    "a frame": lambda: ind.verify(
        ALONE, ind.Policy.from_keywords(quasi_identifiers=["age"], sensitive=["ill"], k=3)
    ),
    "a graph": lambda: graph_verification(Verdict.FAILS),
    "synthetic records": lambda: SyntheticVerification(("a count is wrong",)),
    "an assessment": lambda: assessed(ALONE, K),
}
HOLDING = {
    "a release": lambda: Verification(True, (), (), 3, 1),
    "a graph": lambda: graph_verification(Verdict.HOLDS),
    "synthetic records": lambda: SyntheticVerification(()),
    "an assessment": lambda: assessed(ALIKE, K),
}
OPEN = {
    "a release": lambda: Verification(None, (), (), 3, 1),
    "a graph": lambda: graph_verification(Verdict.UNDECIDED),
}


@pytest.mark.parametrize(
    ("faults", "undecided", "words", "holds"),
    [
        (False, False, "holds", True),
        (True, False, "does not hold", False),
        (True, True, "does not hold", False),
        (False, True, "undecided", None),
    ],
)
def test_a_fault_outweighs_an_open_question(faults, undecided, words, holds):
    verdict = Verdict.of(faults=faults, undecided=undecided)
    assert verdict == words
    assert verdict.holds is holds


@pytest.mark.parametrize("name", FAILING)
def test_what_does_not_hold_is_false_and_raises_on_demand(name):
    """``assert verify(...)`` fails where the release does."""
    found = FAILING[name]()
    assert found.holds is False
    assert not found
    with pytest.raises(ind.VerificationError) as error:
        found.raise_unless_holds()
    assert error.value.faults


@pytest.mark.parametrize("name", HOLDING)
def test_what_holds_is_true(name):
    found = HOLDING[name]()
    assert found
    assert found.raise_unless_holds() is None


@pytest.mark.parametrize("name", OPEN)
def test_what_is_not_decided_is_neither_true_nor_false(name):
    """No ``if``, ``not``, ``and`` or ``assert`` takes an open question for an answer."""
    found = OPEN[name]()
    assert found.holds is None
    for use in (bool, lambda one: not one, lambda one: one.raise_unless_holds()):
        with pytest.raises(ind.VerificationError, match="not decided"):
            use(found)
