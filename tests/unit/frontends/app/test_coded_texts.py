"""What the engine says by a code is said in German on German pages, or is marked as English."""

import ast
import json
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import indistinct
from app_visits import patients, prepare, searched, visiting
from indistinct.errors import Fault, Way
from indistinct.frontends.app.coded_texts import coded, fault_text, finding_text
from indistinct.frontends.app.texts import ENGLISH, GERMAN, catalogue
from indistinct.tables.findings.finding import Finding
from indistinct.tables.findings.kinds import KINDS
from indistinct.tables.reading.formats import OTHER_KINDS, SIGNATURES

SOURCE = Path(indistinct.__file__).parent
OF_POLICIES = re.compile(
    r"\b(data|columns|method|release|models)\.\w|role =|protect =|--\w|\[\w+\]"
)


@cache
def coded_faults():
    """Return the parts of each code of a fault that the source gives; None where it is computed."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        source = path.read_text()
        if "code=" not in source or "frontends/cli" in str(path):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                given = {one.arg: one.value for one in node.keywords}
                for code in codes_of(given.get("code")) if "code" in given else ():
                    found[code] = parts_of(given)
    return found


def codes_of(node):
    match node:
        case ast.Constant(value=str(code)):
            return [code]
        case ast.IfExp(body=body, orelse=other):
            return [*codes_of(body), *codes_of(other)]
    return []


def parts_of(given):
    match given.get("parts"):
        case ast.Dict(keys=keys):
            return {key.value for key in keys}
        case None:
            return {*given} - {"code", "columns", "ways", "remedy", "place"}
    return None  # a name: it is assigned in front of the call


def holes(said):
    return {name for _, name, _, _ in Formatter().parse(said) if name is not None}


def test_the_codes_of_the_source_are_found():
    assert len(coded_faults()) > 50
    assert coded_faults()["infinite-numbers"] == {"count"}


def test_every_fault_with_a_code_is_there_in_german():
    texts = catalogue(GERMAN)
    for code, parts in coded_faults().items():
        assert f"fault.{code}.problem" in texts, code
        assert f"fault.{code}.remedy" in texts, code
        used = holes(texts[f"fault.{code}.problem"]) | holes(texts[f"fault.{code}.remedy"])
        assert parts is None or used <= parts, code


@pytest.mark.parametrize("name", [ENGLISH, GERMAN])
def test_no_text_of_a_code_is_without_one(name):
    """What nothing says any more is not translated, and no text names a word of the policy file."""
    said = {one.split(".")[1] for one in catalogue(name) if one.startswith("fault.")}
    computed = {"not-by-its-bytes", "packed-file", "of-another-kind", "not-a-table"}
    assert said <= coded_faults().keys() | computed
    for one, text in catalogue(name).items():
        if one.startswith(("fault.", "finding.")):
            assert not OF_POLICIES.search(text), (one, text)


def test_every_kind_of_a_file_is_there_in_german():
    kinds = {kind for kind, _, _ in SIGNATURES} | {*OTHER_KINDS.values()} - {"JSON", "XML"}
    assert {kind for kind in kinds if f"part.{kind}" not in catalogue(GERMAN)} == set()


UNITS = ("records", "people", "households")


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("code", KINDS)
def test_a_finding_keeps_its_figures_and_names(code, unit, german):
    """Every code of the registry, of one table and of several: what is found, and what to do."""
    for table, columns in (("", ("town",)), ("visits", ("town", "ward"))):
        one = Finding(code, columns, 1_234, 2_400, unit, table, k_after=3)
        shown = finding_text(one)
        for figure in re.findall(r"\d[\d,.]*\d|\d", one.message):
            assert figure.translate(str.maketrans(",.", ".,")) in shown, (figure, shown)
        for name in columns if "{columns}" in KINDS[code].message else ():
            assert name in shown
        assert not re.search(r"\b(the|of|records|which|people|is|households)\b", shown), shown


def test_what_has_no_code_is_english_and_says_so(german):
    shown = fault_text(Fault("a.csv", "something <new> went wrong"))
    known = fault_text(Fault("", "the file is empty", "Check it.", code="empty-file"))
    assert shown == (
        "<code>a.csv</code>: Auf Englisch: "
        '<span lang="en">something &lt;new&gt; went wrong.</span> '
    )
    assert known == "Die Datei ist leer. Prüfen Sie, ob dies die richtige Datei ist."


def test_what_has_no_text_in_english_is_as_the_engine_writes_it():
    assert coded("fault.unknown.problem", "it <ends>", ending=".") == "It &lt;ends&gt;."
    assert coded("fault.unknown.problem", "It ends.", ending=".") == "It ends."


def test_a_name_is_no_markup_and_keeps_its_letters(german):
    one = Finding("column-keeps-little", ("<b>age",), 1, 2)
    assert finding_text(one).startswith("&lt;b&gt;age behält 50")


def test_a_fault_comes_through_another_process_without_values():
    ways = (Way(("columns", "age", "role"), "identifier", True, 0.1, 0.2),)
    one = Fault("a", "b", "c", ("Ann",), "no-values", ("age",), {"count": 3}, ways)
    read = Fault.read(json.loads(json.dumps(one.document())))
    assert (read.values, read.ways, read.columns, read.parts) == ((), ways, ("age",), {"count": 3})
    assert (read.code, str(read)) == (one.code, str(one))


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
