"""Meanings of names: words and their parts, in five languages and every way of writing."""

from fnmatch import fnmatchcase

import pytest

from indistinct.tables.drafting.vocabulary import folded, readings_of, vocabulary


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("HHIncome", ("hh", "income")),
        ("diag_1", ("diag", "1")),
        ("SexEver", ("sex", "ever")),
        ("BPSysAve", ("bp", "sys", "ave")),
        ("emp.var.rate", ("emp", "var", "rate")),
        ("Staatsangehörigkeit", ("staatsangehorigkeit",)),
        ("płeć", ("plec",)),
        ("Straße", ("strasse",)),
    ],
)
def test_names_are_split_at_separators_and_changes_of_case(name, parts):
    assert parts in readings_of(name)


def test_digits_are_split_off_and_kept():
    assert {("age1st", "baby"), ("age", "1", "st", "baby")} <= set(readings_of("Age1stBaby"))


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("date_of_birth", "quasi-identifier"), ("Geburtsdatum", "quasi-identifier"),
        ("date_naissance", "quasi-identifier"), ("fecha_nacimiento", "quasi-identifier"),
        ("data_urodzenia", "quasi-identifier"), ("Postleitzahl", "quasi-identifier"),
        ("diagnóstico", "sensitive"), ("Bruttogehalt", "sensitive"), ("dochód", "sensitive"),
        ("revenuAnnuel", "sensitive"), ("wyznanie", "sensitive"), ("Gewerkschaft", "sensitive"),
        ("nazwisko", "identifier"), ("Vorname", "identifier"), ("prénom", "identifier"),
        ("primer_apellido", "identifier"), ("e-mail", "identifier"),
    ],
)  # fmt: skip
def test_words_of_five_languages(name, role):
    assert role in {match.meaning.role for match in vocabulary().matches(name)}


def test_some_words_must_stand_alone():
    """An age at something else is not the age; the sex of the person is the sex."""
    found = {name: {m.meaning.name for m in vocabulary().matches(name)} for name in
             ("patient_age", "DiabetesAge", "sex_code", "SameSex")}  # fmt: skip
    assert "an age" in found["patient_age"]
    assert "an age" not in found["DiabetesAge"]
    assert "the sex" in found["sex_code"]
    assert "the sex" not in found["SameSex"]


def test_a_number_of_things_counts_and_numbers_nobody():
    words = vocabulary()
    assert words.numbers_things("patient_nbr") == "nbr"
    assert words.numbers_things("num_lab_procedures") is None
    assert words.numbers_things("num_lab_procedures", may_count=True) == "num"
    assert words.is_of_a_person("patient_nbr")
    assert not words.is_of_a_person("invoice_nbr")


def test_every_word_is_written_as_names_are_read():
    """A word with an accent or a capital would never match."""
    for meaning in vocabulary().meanings:
        assert meaning.role in {"identifier", "quasi-identifier", "sensitive", "undecided"}
        assert meaning.rank in {1, 2, 3}
        for parts in meaning.words:
            for part in parts:
                assert part == folded(part).lower()


def test_words_are_found_by_their_beginnings_as_by_trying_all():
    words = vocabulary()
    parts = {
        part
        for first in words.firsts
        for stem in [first.replace("*", "").replace("?", "x")]
        for part in (stem, f"{stem}er", stem[:-1], f"my{stem}")
    }
    for part in sorted(parts)[::60]:
        tried = {
            place
            for word, places in words.firsts.items()
            if word == part or (("*" in word or "?" in word) and fnmatchcase(part, word))
            for place in places
        }
        assert {*words._begun_by(part)} == tried
