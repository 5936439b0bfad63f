"""Why a role is suggested is said in German on German pages."""

# ruff: noqa: E501 - sentences stand here as the program makes them

import ast
import re
from pathlib import Path

import pytest

import indistinct
from indistinct.frontends.app.engine_sentences import HOLE, pairs, translated
from indistinct.frontends.app.texts import GERMAN
from indistinct.tables.drafting.evidence.of_names import _found
from indistinct.tables.drafting.value_words import KNOWN
from indistinct.tables.drafting.vocabulary import Match, vocabulary

SOURCE = Path(indistinct.__file__).parent


def template_of(node, known):
    """Return a text of the source with a hole for each part that is put in."""
    match node:
        case ast.Constant(value=str(said)):
            return said
        case ast.JoinedStr(values=values):
            return "".join(template_of(value, known) or HOLE for value in values)
        case ast.BinOp(left=left, right=right):
            both = template_of(left, known), template_of(right, known)
            return None if None in both else "".join(both)
        case ast.Name(id=name):
            return known.get(name)
    return None


def filled(template):
    """Return a sentence that the program may make of a template."""
    return template.replace("{} {} {} back", "x1 gives x1 back").replace(HOLE, "x1")


def are_said(templates):
    said = [one for one in templates if one and re.search(r"[a-z]{3}", one)]
    assert said
    return {one for one in said if translated(filled(one), GERMAN) is None}


# Where roles are suggested.
OF_REASONS = (
    "tables/drafting/roles.py",
    "tables/drafting/evidence/of_values.py",
    "tables/drafting/evidence/of_names.py",
    "tables/drafting/evidence/of_neighbors.py",
    "tables/drafting/table_roles.py",
    "tables/drafting/sums_of_ages.py",
    "tables/drafting/persons.py",
    "tables/drafting/together.py",
)


def reasons_in(path):
    """Return the templates of reasons: what is said of a column, and given to a suggestion."""
    for function in ast.walk(ast.parse((SOURCE / path).read_text())):
        if not isinstance(function, ast.FunctionDef):
            continue
        known = {}
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(id="said")], value=value):
                    known.setdefault("said", template_of(value, {}))
                    yield from whole(template_of(value, {}))
                case ast.Call(func=ast.Name(id="Suggestion"), args=[_, _, reason, *_]):
                    yield from whole(template_of(reason, known))


def whole(template):
    """Return the sentences of a template, but for those that go on with another one."""
    for sentence in re.split(r"(?<=[.!?]) (?=[A-Z{])", (template or "").removeprefix("{} ")):
        if sentence.endswith(".") and not sentence.startswith(("{},", "{};", "{}.", "Its {} are")):
            yield sentence


@pytest.mark.parametrize("path", OF_REASONS)
def test_every_reason_for_a_role_is_there_in_german(path):
    assert are_said(reasons_in(path)) == set()


ENDS = (".", ", and it has 20 different values.", ", but it has 20 different values only.",
        ", but its values are dates, which others may know.")  # fmt: skip


def test_what_names_mean_is_there_in_german():
    """Of every meaning of the vocabulary, and of words that are values."""
    meanings = vocabulary().meanings
    found = [Match(one, "x1", whole=True, alone=alone, place=place)
             for one in meanings for alone in (True, False) for place in ("name", "label")]  # fmt: skip
    sentences = [_found(match) + end for match in found for end in ENDS
                 if end == "." or ":" not in _found(match)]  # fmt: skip
    words = [f"{one.name}, {one.why}" for one in KNOWN]
    words += ["the sexes, which everybody who meets a person knows"]
    sentences += [
        f"Its {read} are words for {one}." for read in ("values", "labels") for one in words
    ]
    english = [(one, translated(one, GERMAN)) for one in sentences]
    missing = {one for one, german in english if german is None or re.search("which|whom", german)}
    assert missing == set()


@pytest.mark.parametrize("kind", ["phrases", "reasons"])
def test_every_hole_of_a_sentence_is_one_of_the_english_one(kind):
    listed = pairs(GERMAN)[kind]
    assert len({english for english, _ in listed}) == len(listed)
    for english, german in listed:
        holes = {int(hole) for hole in re.findall(r"\{(\d)\}", german)}
        assert holes <= set(range(english.count(HOLE))), english
        assert HOLE not in german
        assert english.endswith((".", HOLE)) or not german.endswith("."), english
