"""The verdicts: a fault decides, an open question leaves it open."""

import pytest

from indistinct.core.verdicts import Verdict


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
