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
from indistinct.tables.release.entries import RANK_OF

SOURCE = Path(indistinct.__file__).parent
# Where warnings are made, and where files are refused, tables beside a policy, and searches.
OF_WARNINGS = (
    "tables/publish/owner_manifest.py", "tables/publish/unprotected.py", "tables/drafting/repeated_identifiers.py",
    "tables/publish/searching.py", "tables/publish/release_warnings.py",
)  # fmt: skip
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


def warnings_in(path):
    """Return the templates of warnings: what is called a message, and said of a column."""
    tree = ast.parse((SOURCE / path).read_text())
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="message")], value=value):
                yield template_of(value, {})


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


@pytest.mark.parametrize("path", OF_WARNINGS)
def test_every_warning_is_there_in_german(path):
    assert are_said(warnings_in(path)) == set()


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


# A sentence of each kind of warning, as it is made.
SAID = {
    "repeated-identifier": [
        (
            '9 of 24 classes have fewer than 5 different values of "id": class sizes count records, '
            'and one person has several. If each value is one person, write person = "id" under [data]'
        ),
        (
            'identifier "id": 45.0% of the records share their value with another record. If each value '
            "is one person, name the column as data.person, so that class sizes count people and not "
            "records."
        ),
    ],
    "repeated-pseudonym": [
        (
            "the pseudonym id joins 1,200 records to 300 groups: who finds one record of a group has "
            "found all of them, and knows how many there are"
        )
    ],
    "key-used-before": [
        (
            "the key of the pseudonym id was there before: whoever has another release with this key "
            "joins its records to these by id, and k does not count that. To keep releases apart, give "
            "each of them its own key or domain"
        )
    ],
    "columns-not-looked-at": [
        (
            "it was not examined whether a, b and 2 more tell people apart, because the records stay where "
            "they are: run indistinct assess on a sample of the release, with the engine memory"
        )
    ],
    "insensitive-column-singles-out": [
        (
            "162 of 400 people (40.5%) can be found by someone who knows visits (insensitive) besides "
            "the quasi-identifiers"
        )
    ],
    "sensitive-column-singles-out": [
        (
            "162 of 400 records (40.5%) can be found by someone who knows income (sensitive) besides "
            "the quasi-identifiers"
        )
    ],
    "columns-together-single-out": [
        (
            "162 of 400 people (40.5%) can be found by someone who knows a, b besides the "
            "quasi-identifiers"
        )
    ],
    "looks-like-an-identifier": [
        (
            "note (declared insensitive) is released unchanged, but looks like an identifier: 100% of "
            "its values differ, so that each leads to one record"
        )
    ],
    "composition": [
        (
            "together with release 2, 12.0% of the 400 people who are in both share their classes with "
            "fewer than 5 people and 3.0% can be singled out by someone who knows their classes, and "
            "for 4.0% the two classes have a single value of ill in common"
        )
    ],
    "persons-written-differently": [
        (
            "3 ways of writing a person in id read like another one, and count as the same person: "
            "write each person in one way, or tell different people apart"
        )
    ],
    "column-gives-cells-back": [
        (
            "weight gives 12 generalized cells back: the smallest class then has 1 record, in place of "
            "5"
        ),
        "a, b give 1 generalized cell back: the smallest class then has 2 records, in place of 5",
    ],
    "classes-of-one-sensitive-value": [
        (
            "2.5% of the released records are in classes with one value of ill (sensitive), so that "
            "anybody who finds the class of a person learns this value"
        )
    ],
    "values-differ-by-case": [
        (
            "4 values of ill (sensitive) differ by upper and lower case alone, and count as different "
            "values: write them in one way if they mean the same"
        )
    ],
    "texts-read-alike": [
        (
            "4 cells of town read like another one but for case, blanks or the form of a number: "
            "programs that take them for one only make classes larger"
        )
    ],
    "column-wholly-hidden": [
        "town is wholly hidden: every released cell of it is *",
        "town tells no record from another",
        "town shows one label alone: North in every record",
    ],
    "column-keeps-little": [
        "town keeps 4.0% of its information",
        "town, which the policy calls important, keeps 40.0% of its information",
    ],
    "missing-sensitive-values": ["4.0% of the released records have no value of ill (sensitive)"],
    "no-suggested-hierarchy": [
        (
            "no suggested hierarchy of a, b agrees with the cells that it shows, so that values are "
            "kept or hidden: write its hierarchy in the policy"
        )
    ],
    "labels-with-their-level": [
        (
            "2 labels of town are also values or labels of other groups, so that their level is added "
            "to them (the first is Ulm (level 1)): give these groups names of their own"
        )
    ],
    "nobody-returns": ["no person in this table was in an earlier release, by the column id"],
}


def test_each_kind_of_warning_has_a_sentence_here():
    assert SAID.keys() == RANK_OF.keys()


@pytest.mark.parametrize("code", SAID)
def test_a_warning_keeps_its_figures_and_names(code):
    for english in SAID[code]:
        german = translated(english, GERMAN)
        assert german is not None, english
        for figure in re.findall(r"\d[\d,.]*\d|\d", english):
            assert figure.translate(str.maketrans(",.", ".,")) in german, (figure, german)
        rest = re.sub(r'<span lang="en">.*?</span>', "", german)
        assert not re.search(r"\b(the|of|records|which|people|is)\b", rest), rest


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
