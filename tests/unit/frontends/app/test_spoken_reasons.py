"""Why a role is suggested, and how a table was read, is said in the language of a page."""

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter

import polars as pl
import pytest

import indistinct
import indistinct as ind
from indistinct.base.coded_text import CodedText, joined, sentence, sentences_of
from indistinct.frontends.app.coded_texts import OF_A_COMMAND, spoken
from indistinct.frontends.app.texts import ENGLISH, GERMAN, catalogue, text
from indistinct.tables.drafting.evidence.of_values import INSIDE
from indistinct.tables.drafting.roles import ASKS
from indistinct.tables.drafting.value_words import KNOWN
from indistinct.tables.drafting.values import OF_PEOPLE
from indistinct.tables.drafting.vocabulary import vocabulary

SOURCE = Path(indistinct.__file__).parent
# Codes that are put together.
COMPUTED = {"values-mean", "labels-mean", "repeated-numbers-of-person", "hidden-records",
            "repeated-numbers-of-household", "hidden-columns", "hidden-records-and-columns",
            "means", "means-that", "date-of", "date-of-that"}  # fmt: skip
# Functions that make a sentence, with the place of its code among their arguments.
MAKERS = {"sentence": 0, "_numbers": 2, "_differ": 1}


@cache
def sentences_of_source():
    """Return the English sentence of each code, and the names of its parts."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        source = path.read_text()
        of_stages = "search" in path.parts or path.name == "protect.py"
        if "coded_text import" not in source or "frontends" in path.parts or of_stages:
            continue
        constants = {}
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(said))):
                    constants[name] = said
                case ast.Call(func=ast.Name(id=name), args=args) if name in MAKERS:
                    if len(args) > MAKERS[name]:
                        given = (
                            None
                            if any(one.arg is None for one in node.keywords)
                            else {one.arg for one in node.keywords}
                        )
                        for code in codes_of(args[MAKERS[name]], constants):
                            found[code] = given if name == "sentence" else None
    return found


def codes_of(node, constants):
    match node:
        case ast.Constant(value=str(code)):
            return [code]
        case ast.Name(id=name) if name in constants:
            return [constants[name]]
        case ast.IfExp(body=body, orelse=other):
            return [*codes_of(body, constants), *codes_of(other, constants)]
    return []


def holes(said):
    return {name for _, name, _, _ in Formatter().parse(said) if name is not None}


def test_every_sentence_is_there_in_german_and_nothing_else():
    texts = catalogue(GERMAN)
    said = {one.removeprefix("reason.") for one in texts if one.startswith("reason.")}
    assert len(said) > 90
    assert said == sentences_of_source().keys() | COMPUTED
    for code, parts in sentences_of_source().items():
        assert parts is None or holes(texts[f"reason.{code}"]) <= parts, code


@pytest.mark.parametrize("name", [ENGLISH, GERMAN])
def test_no_text_speaks_of_the_policy_file(name):
    for one, said in catalogue(name).items():
        if one.startswith(("reason.", "part.")):
            assert not OF_A_COMMAND.search(said), one


def test_what_is_put_into_sentences_is_there_in_german():
    meanings = vocabulary().meanings
    parts = {one.name for one in (*meanings, *KNOWN)} | {one.why for one in (*meanings, *KNOWN)}
    parts |= {*OF_PEOPLE, *INSIDE, *ASKS.values(), *(role.value for role in ASKS)}
    assert {one for one in parts if f"part.{one}" not in catalogue(GERMAN)} == set()


def test_a_reason_keeps_figures_and_names(german):
    said = joined(
        sentence("refers-to-identifiers", "{held:,} {known:,} {column}", held=1234, known=2000,
                 column="numbers"),
        sentence("free-text", "{share:.0%}", share=0.823),
        sentence("lists", "{mean:.1f} {count}", mean=2.3, count=9),
    )  # fmt: skip
    shown = spoken(said)
    assert "1.234 der 2.000 Werte stehen in „numbers“" in shown
    assert "82,3\N{NO-BREAK SPACE}%" in shown
    assert "im Mittel mit 2,3 von 9" in shown


def test_what_a_sentence_has_no_hole_for_may_be_unknown(german):
    said = sentence(
        "fits", "{count} of {of} {format}.", count=3, of=4, format="dd/mm/yyyy", proof=None
    )
    assert spoken(said) == "3 von 4 Werten passen zu dd/mm/yyyy."


def test_facts_within_a_sentence_are_said_in_german(german):
    why = sentence("both", "{first} and {second}", first=sentence("is-shaped", "shaped"),
                   second=sentence("owns", "owns {column}", column="<sex>"))  # fmt: skip
    shown = spoken(sentence("repeats", "{count} {of} {why}", count=1, of=2, why=why))
    assert "die Werte sehen aus wie Nummern von Personen, und jeder hat einen Wert" in shown
    assert "„&lt;sex&gt;“" in shown


def test_what_speaks_of_the_policy_file_is_left_out_and_the_rest_stays():
    said = joined("Its values are few.", "Name the mark: decimal in [data].")
    assert spoken(said) == "Its values are few."
    assert spoken(joined()) == ""


def test_what_has_no_code_is_english_and_says_so(german):
    assert spoken("Somebody wrote it.") == (
        'Auf Englisch: <span lang="en">Somebody wrote it.</span>'
    )
    assert spoken(text("roles.title")) == text("roles.title")


def test_sentences_are_a_text_in_english():
    said = joined(sentence("zeros", "{count:,} zeros.", count=1200), "", "More of it.")
    assert isinstance(said, CodedText)
    assert said == "1,200 zeros. More of it."
    assert [one.code for one in sentences_of(said)] == ["zeros", ""]
    assert sentences_of("") == ()


N = 60
TABLE = {
    "patient_id": [f"P{n // 2:04}" for n in range(N)],
    "born": [f"{1 + n % 28:02}.{1 + n % 12:02}.{1950 + n % 40}" for n in range(N)],
    "town": [f"Ort {n % 7}" for n in range(N)],
    "gender": ["m" if n % 2 else "f" for n in range(N)],
    "zq": [n % 9 for n in range(N)],
    "text": [f"Call 0171 {1000000 + 7 * n} about the visit of {n} days" for n in range(N)],
    "price": [f"{n},{n % 10}0 €" for n in range(N)],
    "answer": ["unknown" if n % 3 else f"value {n}" for n in range(N)],
}


def test_a_german_page_says_all_reasons_and_doubts_of_a_table_in_german(german):
    found = ind.inspect(pl.DataFrame(TABLE))
    said = [one.reason for one in found.columns] + [one.text for one in found.doubts]
    said += [fact for doubt in found.doubts for one in doubt.candidates for fact in one.for_]
    assert len(said) > len(TABLE)
    for one in said:
        shown = spoken(one)
        assert shown
        assert "Auf Englisch" not in shown, one
        assert not re.search(r"\b(the|of|that|its|are|values|which)\b", shown), shown
