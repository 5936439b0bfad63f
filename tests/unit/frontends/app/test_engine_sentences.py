"""What the program says in English is said in German on German pages, or is marked as English."""

# ruff: noqa: E501 - sentences stand here as the program makes them

import ast
import re
from pathlib import Path

import pytest

import indistinct
from app_visits import patients, prepare, searched, visiting
from indistinct.frontends.app.engine_sentences import HOLE, in_language, pairs, translated
from indistinct.frontends.app.texts import GERMAN, language
from indistinct.tables.drafting.evidence.of_names import _found
from indistinct.tables.drafting.value_words import KNOWN
from indistinct.tables.drafting.vocabulary import Match, vocabulary
from indistinct.tables.findings.finding import Finding
from indistinct.tables.findings.kinds import KINDS

SOURCE = Path(indistinct.__file__).parent
# Where files are refused, tables beside a policy, and searches.
OF_REFUSALS = (
    "tables/reading/archives.py", "tables/reading/date_formats.py", "tables/reading/file_contents.py",
    "tables/reading/plain_columns.py", "tables/reading/text_layout.py", "frontends/app/worker.py", "frontends/app/edits.py",
)  # fmt: skip
RAISED = {"Fault", "DataError", "PolicyError", "ParameterError", "EmptyDataError"}


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


def assigned(tree):
    """Return the texts that have a name."""
    known = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if (said := template_of(value, known)) is not None:
                    known[name] = said
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for target, value in zip(names, values, strict=True):
                    if isinstance(target, ast.Name) and (said := template_of(value, known)):
                        known[target.id] = said
    return known


def refusals_in(path):
    """Return the templates of problems and remedies."""
    tree = ast.parse((SOURCE / path).read_text())
    known = assigned(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=args) if name in RAISED:
                for arg in args[1:3] if name == "Fault" else args[:2]:
                    yield template_of(arg, known)


def filled(template):
    """Return a sentence that the program may make of a template."""
    return template.replace("{} {} {} back", "x1 gives x1 back").replace(HOLE, "x1")


def are_said(templates):
    said = [one for one in templates if one and re.search(r"[a-z]{3}", one)]
    assert said
    return {one for one in said if translated(filled(one), GERMAN) is None}


@pytest.mark.parametrize("path", OF_REFUSALS)
def test_every_refusal_of_a_file_is_there_in_german(path):
    assert are_said(refusals_in(path)) == set()


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


UNITS = ("records", "people", "households")


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("code", KINDS)
def test_a_finding_keeps_its_figures_and_names(code, unit):
    """Every code of the registry, of one table and of several: what is found, and what to do."""
    for table, columns in (("", ("town",)), ("visits", ("town", "ward"))):
        one = Finding(code, columns, 1_234, 2_400, unit, table, k_after=3)
        for english in (one.message, one.remedy):
            german = translated(english, GERMAN)
            assert german is not None, english
            for figure in re.findall(r"\d[\d,.]*\d|\d", english):
                assert figure.translate(str.maketrans(",.", ".,")) in german, (figure, german)
            rest = re.sub(r'<span lang="en">.*?</span>', "", german)
            assert not re.search(r"\b(the|of|records|which|people|is|households)\b", rest), rest


@pytest.mark.parametrize("kind", ["warnings", "refusals", "phrases", "reasons", "pictures"])
def test_every_hole_of_a_sentence_is_one_of_the_english_one(kind):
    listed = pairs(GERMAN)[kind]
    assert len({english for english, _ in listed}) == len(listed)
    for english, german in listed:
        holes = {int(hole) for hole in re.findall(r"\{(\d)\}", german)}
        assert holes <= set(range(english.count(HOLE))), english
        assert HOLE not in german
        assert english.endswith((".", HOLE)) or not german.endswith("."), english


def test_what_is_not_listed_is_english_and_says_so():
    token = language.set(GERMAN)
    try:
        shown = in_language("something <new> went wrong", ".")
        known = in_language("the file is empty", ".")
    finally:
        language.reset(token)
    assert shown == 'Auf Englisch: <span lang="en">Something &lt;new&gt; went wrong.</span>'
    assert known == "Die Datei ist leer."
    assert in_language("the file is empty", ".") == "The file is empty."
    assert in_language("It ends.", ".") == "It ends."


def test_a_german_page_shows_german_warnings(tmp_path):
    """On the result, and where they are confirmed; nothing of a name becomes markup."""
    path = patients(tmp_path)
    with visiting(tmp_path, path) as visitor:
        prepare(visitor)
        searched(visitor)
        visitor.post("/language", language="de", page="release")
        page = visitor.get("/release").text
        result = visitor.get("/search").text
        # What the application refuses itself is in German, and not marked as English.
        refused = visitor.post("/release", approved_by="").text
    assert "Oben wurde nicht alles bestätigt" in refused
    assert "Auf Englisch" not in refused
    assert "% unverändert" in result
    assert not re.search("Levels of detail|unchanged|level 1", result)
    told = re.findall(r'name="confirmed" value="[^"]*"[^>]*> <span>(.*?)</span></label>', page)
    assert told
    for one in told:
        assert not re.search(r"\b(the|of|can be found)\b", one), one
