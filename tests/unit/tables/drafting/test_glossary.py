"""The words of the glossary, and the names of places and times beside it."""

import re
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.drafting.cldr_names import (
    are_codes_of_parts,
    is_part_of_a_country,
    is_time,
    territories,
)
from indistinct.tables.drafting.countries import is_country

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"
N = 240
CHANCE = np.random.default_rng(5)
LANGUAGES = {"en", "de", "fr", "es", "pl", "pt", "it", "cs", "hu", "id", "ja"}


@pytest.fixture
def glossary(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import glossary

    yield glossary
    sys.modules.pop("glossary")


def test_the_words_have_no_faults(glossary):
    assert list(glossary.faults()) == []


def test_each_list_is_of_one_language_and_none_is_missing(glossary):
    found = {language for _, lists in glossary.concepts().values() for language in lists}
    assert found == LANGUAGES
    for concept in ("name", "birth", "age", "sex", "place", "health", "money", "occupation"):
        assert set(glossary.concepts()[concept][1]) == LANGUAGES, concept


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("[words]\ntr = ['Yaş']", "plain form"),
        ("[words]\ntr = ['yas', 'yas']", "twice"),
        ("[words]\ntr = ['cinsiyet']", "stands in"),
        ("[words]\nTurkish = ['yas']", "code of a language"),
    ],
)
def test_faulty_words_are_told(glossary, monkeypatch, tmp_path, words, said):
    for path in glossary.GLOSSARY.glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    sex = (tmp_path / "sex.toml").read_text(encoding="utf-8")
    (tmp_path / "sex.toml").write_text(sex + 'tr = ["cinsiyet"]\n', encoding="utf-8")
    (tmp_path / "made-up.toml").write_text(f'role = "sensitive"\n{words}\n', encoding="utf-8")
    monkeypatch.setattr(glossary, "GLOSSARY", tmp_path)
    (fault,) = glossary.faults()
    assert said in fault


def test_names_of_places_and_times_are_known_in_their_languages():
    assert all(map(is_country, ["Deutschland", "Pays-Bas", "Węgry", "日本", "Belanda", "NL"]))
    assert not is_country("Isolated")
    assert all(map(is_part_of_a_country, ["Jawa Timur", "São Paulo", "Bayern", "千葉県", "Ohio"]))
    assert not any(map(is_part_of_a_country, ["isolated", "released", "deceased"]))
    assert all(map(is_time, ["Monday", "lunes", "Środa", "月曜日", "Maret", "července"]))
    assert are_codes_of_parts(["CA", "TX", "NY", "OH", "WA", "FL", "GA"])
    assert not are_codes_of_parts(["QX", "ZB", "KK", "LW", "PP", "JJ", "XX"])
    assert all(re.fullmatch("[A-Z]{2}", code) for code in territories())


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (["Jambi", "Jawa Barat", "Jawa Timur", "Riau", "Aceh", "Bengkulu"], "quasi-identifier"),
        (["lundi", "mardi", "mercredi", "jeudi", "vendredi"], "quasi-identifier"),
        (["zul", "zal", "zol", "zel", "zil", "zyl"], "undecided"),
    ],
)
def test_values_that_are_names_of_places_or_times_say_so(values, role):
    table = {"vrk": CHANCE.choice(values, N), "plo": CHANCE.random(N)}
    found = {one.name: one for one in ind.inspect(pl.DataFrame(table)).columns}
    assert found["vrk"].role == role
