"""Names of columns that showed gaps in the vocabulary, beside names that it must not take."""

import pytest

from indistinct.tables.drafting.vocabulary import vocabulary


def roles(name):
    return {one.meaning.role for one in vocabulary().matches(name) if one.meaning.sure}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("subj_age", "quasi-identifier"),
        ("subj_sex", "quasi-identifier"),
        ("GNDR_CD", "quasi-identifier"),
        ("MAR_STAT", "quasi-identifier"),
        ("Fahrer_Alter", "quasi-identifier"),
        ("CP_resp_legal", "quasi-identifier"),
        ("std", "sensitive"),
        ("BASE_SAL", "sensitive"),
        ("immig_status", "sensitive"),
        ("Nb_sanctions", "sensitive"),
        ("Quotient_familial", "sensitive"),
        ("Betrugsverdacht", "sensitive"),
        ("LAST_NM", "identifier"),
    ],
)
def test_short_and_foreign_words_are_known(name, role):
    assert role in roles(name)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("STD_HRS", "sensitive"),
        ("std_dev", "sensitive"),
        ("veh_age", "quasi-identifier"),
        ("server_state", "quasi-identifier"),
        ("expert_mandate", "sensitive"),
        ("vehicle_class", "quasi-identifier"),
    ],
)
def test_words_of_other_meanings_decide_nothing(name, role):
    assert role not in roles(name)
