"""Where nobody is beyond a limit, an answer without noise is the engine's own to the same text."""

from __future__ import annotations

import random

import pytest

from made_questions import MadeQuestion
from neighbours_in_postgres import URL
from own_answers import check_own_answer, compare, tidy, with_names
from shared import longer


@pytest.mark.parametrize("seed", longer(range(40), range(1)))
def test_an_answer_is_that_of_the_engine(seed):
    """To a quarter of the questions at least; others are refused, or ask for a quantile."""
    answered, _ = compare(seed)
    assert answered >= 5


@pytest.mark.parametrize("seed", longer(range(21), range(1)))
@pytest.mark.skipif(not URL, reason="no PostgreSQL")
@pytest.mark.postgres
def test_both_engines_count_alike(seed):
    """To the last unit, also of people beyond their limits."""
    _, counted = compare(seed, in_postgres=True)
    assert counted >= 4


def test_another_answer_is_found():
    """A sum that is not the engine's."""
    one = with_names(tidy(random.Random(1)))
    text = "SELECT dept, COUNT(*) FROM visits GROUP BY dept"
    assert check_own_answer(one, MadeQuestion(text, {}, ()))
    one.connection.execute("CREATE OR REPLACE VIEW visits AS SELECT c2 AS dept FROM t1 LIMIT 1")
    with pytest.raises(AssertionError, match="answered otherwise"):
        check_own_answer(one, MadeQuestion(text, {}, ()))
    one.close()
