"""The application speaks two languages, each complete."""

import re
from string import Formatter

import pytest

from app_visits import patients, visiting
from indistinct.frontends.app.number_words import chance, count, figure, listed, percent
from indistinct.frontends.app.texts import ENGLISH, FILES, GERMAN, catalogue, language, preferred
from indistinct.frontends.report.promises import ALWAYS_OPEN
from indistinct.tables.models import MODELS

# What other languages have besides: the sentences of the definitions, and what the engine says.
OF_DEFINITIONS = ("model.", "always_open.")
OF_CODES = ("finding.", "fault.", "part.", "reason.", "levels.", "doubt.")


def fields(said):
    return sorted((name, form) for _, name, form, _ in Formatter().parse(said) if name is not None)


@pytest.mark.parametrize("name", sorted({*FILES} - {ENGLISH}))
def test_every_text_is_there_in_every_language(name):
    english, other = catalogue(ENGLISH), catalogue(name)
    besides = (*OF_DEFINITIONS, *OF_CODES)
    assert {one for one in other if not one.startswith(besides)} == {
        one for one in english if not one.startswith(OF_CODES)
    }
    for text, said in english.items():
        if text.startswith(OF_CODES):
            assert text in other, text
            continue
        assert fields(other[text]) == fields(said), text
        assert other[text].strip(), text
        assert (other[text][-1] == ".") == (said[-1] == "."), text


@pytest.mark.parametrize("name", sorted({*FILES} - {ENGLISH}))
def test_every_sentence_of_a_definition_is_there_in_every_language(name):
    wanted = {f"always_open.open_{place}": said for place, said in enumerate(ALWAYS_OPEN, 1)}
    for model in MODELS:
        wanted[f"model.{model.name}.promise"] = model.promise
        for place, said in enumerate(model.leaves_open, 1):
            wanted[f"model.{model.name}.open_{place}"] = said
    found = {
        text: said
        for text, said in catalogue(name).items()
        if text.startswith(OF_DEFINITIONS) and not text.startswith("model.word.")
    }
    assert {*found} == {*wanted}
    for text, said in wanted.items():
        assert {field for field, _ in fields(found[text])} == {field for field, _ in fields(said)}


@pytest.mark.parametrize(
    ("accepted", "name"),
    [
        ("", ENGLISH),
        ("de", GERMAN),
        ("de-CH,de;q=0.9,en;q=0.8", GERMAN),
        ("fr,en;q=0.5,de;q=0.7", GERMAN),
        ("fr;q=1,en;q=0.8,de;q=0.7", ENGLISH),
        ("de;q=0", ENGLISH),
        ("de;q=x, ;q=, *", ENGLISH),
    ],
)
def test_the_browser_chooses_the_language(accepted, name):
    assert preferred(accepted) == name


def test_numbers_are_written_in_the_language():
    token = language.set(GERMAN)
    try:
        assert count(12_345) == "12.345"
        assert percent(0.0345) == "3,5\N{NO-BREAK SPACE}%"
        assert percent(1e-9) == "weniger als 0,01\N{NO-BREAK SPACE}%"
        assert chance(0.2) == "1 von 5"
        assert (chance(1.0), count(None)) == ("sicher", "nicht bekannt")
        assert figure(0.25) == "0,25"
        assert figure("a.b") == "a.b"
        assert listed(["a", "b", "c"]) == "a, b und c"
    finally:
        language.reset(token)
    assert (count(12_345), chance(0.2)) == ("12,345", "1 in 5")


def test_the_page_asks_the_browser_and_then_the_person(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 60)) as visitor:
        assert '<html lang="en">' in visitor.get("/promise").text
        german = visitor.ask("GET", "/promise", headers={"accept-language": "de-AT"}).text
        assert '<html lang="de">' in german
        assert "Jeder veröffentlichte Datensatz gehört zu einer Gruppe" in re.sub(
            r"<[^>]*>", "", german
        )
        answer = visitor.post("/language", language="de", page="promise")
        assert answer.headers["location"] == "/promise"
        assert "Was sagen Sie den Menschen in der Tabelle zu?" in visitor.get("/promise").text
        for wrong in ("//elsewhere.example", "../x", "promise?x"):
            assert visitor.post("/language", language="fr", page=wrong).headers["location"] == "/"
        assert '<html lang="de">' in visitor.get("/search").text
        visitor.post("/language", language="en", page="search")
        assert '<html lang="en">' in visitor.get("/search").text
