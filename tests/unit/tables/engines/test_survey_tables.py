"""Tables with the faults of published surveys open without a policy, and are read truly."""

import pytest

from survey_tables import SURVEYS, survey_table
from unit.tables.engines.test_made_files import check


def test_there_are_fifteen():
    assert len(SURVEYS) == 15


@pytest.mark.parametrize("name", SURVEYS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_survey_opens_without_a_policy(tmp_path, name, seed):
    check(tmp_path, survey_table(name, seed))
