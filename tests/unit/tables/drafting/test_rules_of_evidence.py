"""Each rule by which roles are suggested, with a column for it and one against it."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.base.coded_text import sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.evidence.calculus import Agreement, Witness, decide, two_shown
from indistinct.tables.drafting.vocabulary import vocabulary

N = 240
CHANCE = np.random.default_rng(9)
BITS = {f"zf{n}k": CHANCE.integers(0, 2, N) for n in "abcdef"}


def columns(table):
    return {one.name: one for one in ind.inspect(pl.DataFrame(table)).columns}


def role(name, values, **others):
    return columns({name: values} | others)[name].role


def witness(answer, agreement, *, against=False, family="name"):
    return Witness(answer, family, sentence("x", "It is."), agreement, is_against=against)


SENSITIVE, KNOWN = Role.SENSITIVE, Role.QUASI_IDENTIFIER


@pytest.mark.parametrize(
    ("facts", "answer", "confidence"),
    [
        ([witness(SENSITIVE, Agreement.WHOLE_AND_VALUES)], SENSITIVE, "high"),
        ([witness(SENSITIVE, Agreement.WHOLE)], SENSITIVE, "medium"),
        ([witness(SENSITIVE, Agreement.HINT)], None, "low"),
        ([], None, "low"),
        ([witness(SENSITIVE, Agreement.WHOLE, against=True)], None, "low"),
        # Two answers of one weight are asked, and a heavier one wins.
        ([witness(SENSITIVE, Agreement.WHOLE), witness(KNOWN, Agreement.WHOLE)], None, "low"),
        ([witness(SENSITIVE, Agreement.PART_AND_VALUES), witness(KNOWN, Agreement.WHOLE)],
         KNOWN, "medium"),
        # Another whole name takes the certainty away.
        ([witness(SENSITIVE, Agreement.WHOLE_AND_VALUES), witness(KNOWN, Agreement.WHOLE)],
         SENSITIVE, "medium"),
    ],
)  # fmt: skip
def test_decisions(facts, answer, confidence):
    found = decide(facts)
    assert (found.chosen and found.chosen.answer, found.confidence) == (answer, confidence)


def test_two_answers_are_shown_and_contradicted_ones_come_last():
    facts = [witness(SENSITIVE, Agreement.HINT), witness(KNOWN, Agreement.HINT, against=True)]
    shown = two_shown(decide(facts).candidates, (KNOWN, Role.INSENSITIVE))
    assert [one.answer for one in shown] == [SENSITIVE, Role.INSENSITIVE]


def test_values_among_those_of_an_identifier_lead_to_people():
    ids = [f"A{n:05d}" for n in range(N)]
    others = [ids[n] for n in CHANCE.integers(0, N, N)]
    strange = [f"B{n:05d}" for n in CHANCE.integers(0, 90, N)]
    found = columns({"case_id": ids, "infected_by": others, "seen_by": strange})
    assert (found["infected_by"].role, found["infected_by"].confidence) == ("identifier", "high")
    assert found["seen_by"].role != "identifier" or found["seen_by"].confidence != "high"
    # Small numbers lie among others by chance, if no name says that they lead to them.
    counts = CHANCE.integers(1, 20, N)
    found = columns({"person_id": CHANCE.permutation(N) + 1, "floors": counts})
    assert found["floors"].role != "identifier"


def test_a_block_of_answers_is_sensitive_and_five_flags_are_not():
    block = {f"zq{n}x": CHANCE.choice(["aa", "bb", "cc", "dd"], N) for n in "abcde"}
    assert {one.role for one in columns(block).values()} == {"sensitive"}
    few = dict(list(block.items())[:4])
    assert {one.role for one in columns(few).values()} == {"undecided"}
    assert "sensitive" not in {one.role for one in columns(BITS).values()}


def test_numbers_up_to_a_hundred_side_by_side_are_marks():
    marks = {f"sub{n}": CHANCE.integers(55, 100, N) for n in "pqrst"}
    assert {one.role for one in columns(marks).values()} == {"sensitive"}
    counts = {f"sub{n}": CHANCE.integers(0, 40, N) for n in "pqrst"}
    assert {one.role for one in columns(counts).values()} == {"undecided"}


def test_flags_in_a_table_of_health_are_sensitive():
    health = {name: CHANCE.choice(["yes", "no"], N) for name in ("fever", "cough", "nausea")}
    assert columns(health | {"zzt": BITS["zfak"]})["zzt"].role == "sensitive"
    assert columns({"age": CHANCE.integers(20, 90, N), "zzt": BITS["zfak"]})["zzt"].role == (
        "undecided"
    )


def test_questions_with_few_answers_are_sensitive():
    question = "How often do you go out?"
    assert role(question, CHANCE.choice(["often", "never", "now and then"], N)) == "sensitive"
    assert role(question, CHANCE.random(N)) == "undecided"


def test_twins_have_the_meaning_of_the_word_that_they_share():
    ages = {name: CHANCE.integers(18, 60, N) for name in ("fage", "mage")}
    assert {one.role for one in columns(ages).values()} == {"quasi-identifier"}
    assert role("wage_x", CHANCE.integers(18, 60, N)) != "quasi-identifier"
    assert role("mage", CHANCE.choice(["yes", "no"], N), fage=CHANCE.choice(["yes", "no"], N)) != (
        "sensitive"
    )


def test_names_that_begin_alike_are_a_family():
    family = {"Ed primaria": BITS["zfak"], "Ed secundaria": BITS["zfbk"], "Ed zq": BITS["zfck"]}
    assert columns(family)["Ed zq"].role == "quasi-identifier"
    assert columns(family | {"Xx zq": BITS["zfdk"]})["Xx zq"].role == "undecided"


def test_numbers_with_two_units_are_asked_together():
    table = {"age": CHANCE.integers(1, 90, N), "age_unit": CHANCE.choice(["years", "months"], N)}
    found = ind.inspect(pl.DataFrame(table))
    assert [one.about for one in found.doubts] == [("age", "age_unit")]
    one_unit = table | {"age_unit": ["years"] * N}
    assert columns(one_unit)["age"].role == "quasi-identifier"


def test_an_age_that_a_birth_follows_from_is_an_age():
    births, years = CHANCE.integers(1940, 1990, N), CHANCE.integers(2010, 2018, N)
    table = {"birth_year": births, "year_of_diagnosis": years, "age_at_diagnosis": years - births}
    assert {one.role for one in columns(table).values()} == {"quasi-identifier"}
    table["age_at_diagnosis"] = CHANCE.integers(20, 80, N)
    found = columns(table)["age_at_diagnosis"]
    assert (found.role, set(found.candidates)) == ("undecided", {"sensitive", "quasi-identifier"})


def test_texts_that_hold_telephone_numbers_are_identifiers():
    calls = [f"call 0351 35{n:04d}" for n in range(10)] * 3
    notes = [*calls, *["left early"] * (N - len(calls))]
    assert role("zz", notes) == "identifier"
    once = ["call 0351 353990", *["left early", "paid late"] * (N // 2)][:N]
    assert role("zz", once) != "identifier"


def test_amounts_with_a_currency_are_money():
    assert role("zz", [f"S/ {n},000.00" for n in CHANCE.integers(1, 90, N)]) == "sensitive"
    assert role("zz", [f"A {n}" for n in CHANCE.integers(1, 30, N)]) != "sensitive"


def test_a_tick_says_yes():
    """Its contrary is the blank cell."""
    ticks = [None if n % 2 else "x" for n in range(N)]
    assert role("smoker", ticks) == "sensitive"


@pytest.mark.parametrize(
    ("name", "meaning", "whole", "head"),
    [
        ("monthly_income", "money", False, True), ("income_source_zz", "money", False, False),
        ("Lugar de Domicilio", "the place of living", False, True),
        ("患者_性別", "the sex", True, True), ("Età", "an age", True, True),
    ],
)  # fmt: skip
def test_the_head_of_a_name(name, meaning, whole, head):
    found = [one for one in vocabulary().matches(name) if one.meaning.name == meaning]
    assert [(one.whole, one.is_head) for one in found] == [(whole, head)]


def test_a_beginning_that_much_follows_is_doubtful():
    found = {name: [one.is_doubtful for one in vocabulary().matches(name)] for name in
             ("zz_heartland", "state", "sex")}  # fmt: skip
    assert found["sex"] == [False]
    assert found["state"] == [True]
    assert found["zz_heartland"] == [True]


def test_short_words_count_where_their_language_is_spoken():
    """The Italian word for an age is no word beside English names."""
    ages = CHANCE.integers(18, 90, N)
    towns = CHANCE.choice(["Bari", "Roma", "Pisa"], N)
    assert columns({"eta": ages, "regione": towns, "cognome": towns})["eta"].role == (
        "quasi-identifier"
    )
    assert columns({"eta": ages, "weight": ages})["eta"].role == "undecided"


def test_no_word_of_one_language_has_two_roles():
    """Such a word would have to stand among the ambiguous ones."""
    roles = {}
    for meaning in vocabulary().meanings:
        for word, language in meaning.languages.items():
            roles.setdefault((language, word), set()).add(meaning.role)
    double = {key for key, some in roles.items() if len(some) > 1}
    assert {word for _, (word, *_) in double} <= vocabulary().ambiguous


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (["R on L", "L on R", "Neither"], {"insensitive", "quasi-identifier"}),
        (["kiri", "kanan"], {"insensitive", "quasi-identifier"}),
        (["left", "center", "right"], {"quasi-identifier", "sensitive"}),
    ],
)
def test_left_and_right_are_asked_as_what_tells_little(values, shown):
    found = columns({"zfold": CHANCE.choice(values, N)} | BITS)["zfold"]
    assert (found.role, set(found.candidates)) == ("undecided", shown)


def test_a_number_that_repeats_is_no_measurement():
    found = columns({"numero": CHANCE.integers(1, 60, N)} | BITS)["numero"]
    assert (found.role, set(found.candidates)) == ("undecided", {"identifier", "quasi-identifier"})
