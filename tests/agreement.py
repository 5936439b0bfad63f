"""Every voice on every kind of release says what its statements say: run by ``make agreement``.

Each case makes a release by the command, with a form, an engine and an output of its own. Then it
listens to all that speak of it: the command's text, both manifests, ``verify`` of its owner and of
outsiders, ``assess``, the report and the public page. What they say is compared with the statements
of the owner's file, word by word. The first cases run in about a minute; with AGREEMENT=all all do.
"""

import html
import json
import os
import random
import re
from pathlib import Path

import polars as pl
import pytest

from indistinct.base.statements.checks import readers_verdict
from indistinct.base.statements.sentences import (
    highest_words,
    kept_words,
    readers_sentence,
    risk_note,
    risk_words,
    search_words,
    size_words,
    verdict_sentence,
    verdict_words,
)
from indistinct.base.statements.statements import Statements, is_known
from indistinct.frontends.cli.main import status
from indistinct.tables.reading import MANIFEST

N_CASES = 200 if os.environ.get("AGREEMENT") == "all" else 40
ROWS = 60
TOWNS = '{ tree = { north = ["a", "b", "c"], south = ["d", "e"] } }'
COMMON = """
[columns.name]
role = "identifier"
[columns.town]
role = "quasi-identifier"
hierarchy = TOWNS
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 30] }
[columns.sex]
role = "quasi-identifier"
[columns.fee]
role = "insensitive"
[columns.ill]
role = "sensitive"
""".replace("TOWNS", TOWNS)
K = '[[models]]\nname = "k-anonymity"\nk = 3\n'
L = '[[models]]\nname = "distinct-l-diversity"\ncolumn = "ill"\nl = 2\n'
LOSE = "[method]\nmax_suppression = 0.3\n"
FORMS = {
    "classes": COMMON + K + LOSE,
    "diverse": COMMON + K + L + LOSE,
    "one level": COMMON + K + '[method]\nalgorithm = "optimal"\nmax_suppression = 0.3\n',
    "ranges": COMMON.replace("hierarchy = { intervals = [10, 30] }", "")
    + K
    + '[method]\nalgorithm = "mondrian"\n',
    "bounds": COMMON + K + LOSE + '[release]\nintervals = "bounds"\n',
    "midpoints": COMMON + K + LOSE + '[release]\nintervals = "midpoint"\n',
    "people": COMMON + K + LOSE + '[data]\nperson = "name"\n',
    "stars": COMMON + K + LOSE + '[release]\nsuppressed = "mask"\n',
    "noise": COMMON.replace(
        '[columns.fee]\nrole = "insensitive"',
        '[columns.fee]\nrole = "insensitive"\nprotect = { name = "noise-additive" }',
    )
    + K
    + LOSE,
    "groups": COMMON + L + '[release]\nform = "anatomy"\n',
    "sets": COMMON
    + '[columns.basket]\nrole = "quasi-identifier"\ntype = "set"\n'
    + '[[models]]\nname = "km-anonymity"\ncolumn = "basket"\nk = 3\nm = 2\n'
    + LOSE,
    "masks": COMMON.replace(
        'role = "quasi-identifier"', 'role = "insensitive"\nprotect = { name = "pram" }'
    )
    .replace(f"hierarchy = {TOWNS}\n", "")
    .replace("hierarchy = { intervals = [10, 30] }\n", "")
    .replace(
        '[columns.age]\nrole = "insensitive"\nprotect = { name = "pram" }',
        AGE_MASK := ('[columns.age]\nrole = "insensitive"\nprotect = { name = "noise-additive" }'),
    ),
}
IN_PARTS = ("classes", "diverse", "one level", "bounds")  # what an engine can make
OUTPUTS = ("out.csv", "out.parquet", "out")


def cases():
    """Yield the number, the form, the engine and the output of each case."""
    kinds = [(form, "memory", out) for form in FORMS for out in OUTPUTS[:2]]
    kinds += [(form, engine, out) for form in IN_PARTS for engine in ("polars", "duckdb")
              for out in OUTPUTS]  # fmt: skip
    for number in range(N_CASES):
        yield number, *kinds[number * 7 % len(kinds)]


def table(chance):
    """Draw the records of a case."""
    rows = range(ROWS)
    return pl.DataFrame(
        {
            "name": [f"n{chance.randrange(ROWS)}" for _ in rows],
            "town": [chance.choice("abcde") for _ in rows],
            "age": [chance.randint(18, 79) for _ in rows],
            "sex": [chance.choice("fm") for _ in rows],
            "fee": [chance.choice([1, 2, 3, chance.randint(0, 5000)]) for _ in rows],
            "ill": [chance.choice(["flu", "cold", "gout"]) for _ in rows],
            "basket": [";".join(sorted({chance.choice("pqrs") for _ in range(3)})) for _ in rows],
        }
    )


@pytest.fixture
def said(capsys, monkeypatch, tmp_path):
    """Return what runs a command in a folder of its own, and returns its code and its text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "4000")

    def run(*words):
        code = status(list(words), show_values=False)
        return code, capsys.readouterr().out

    return run


def in_one_line(page):
    """Return the text of a page without its marks."""
    body = re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))


def spaced(text):
    """Return a text with one blank between its words."""
    return re.sub(r"\s+", " ", text)


def are_close(one, other):
    """Compare parts of statements, numbers up to the digits that are written."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(are_close(one[n], other[n]) for n in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(are_close, one, other))
    return other == pytest.approx(one) if isinstance(one, float) else one == other


def command_says(text, stated):
    """Compare the lines of the command with the statements."""
    lines = {line.split("  ")[0]: spaced(line) for line in text.splitlines()}
    for name, words in (
        ("verdict", verdict_words(stated)),
        ("size", size_words(stated.size)),
        ("kept", kept_words(stated.kept)),
        ("risk", risk_words(stated.risk)),
        ("search", search_words(stated.search)),
    ):
        assert lines[name] == f"{name} {words}"


def findings_say(stated):
    """Compare the columns that single people out with the clause of the further columns."""
    further = stated.risk["further"].get("columns", {})
    for one in stated.findings["list"]:
        if one["code"] in {"insensitive-column-singles-out", "sensitive-column-singles-out"}:
            (name,) = one["columns"]
            assert one["unit"] == stated.risk["further"]["unit"]
            if is_known(further[name]):
                assert (one["count"], one["of"]) == (further[name]["alone"], further[name]["of"])


def manifest_says(manifest, stated):
    """Compare the public manifest with its owner's statements, and return its own."""
    public = Statements.read(manifest["statements"])
    assert public.size["records"] == stated.size["records"]
    assert manifest["records"]["released"] == stated.size["records"]["released"]
    if is_known(stated.risk["known"]):
        assert public.risk["known"] == stated.risk["known"]
    return public


def outsiders_say(said, out, by, public):
    """Compare what outsiders find with what the public page foretells."""
    code, text = said("verify", out, "--json", *by)
    found = json.loads(text)
    assert found["verdict"] == str(readers_verdict(public.verdict["checks"]))
    assert found["verdict"] != "does not hold"
    assert code == {"holds": 0, "undecided": 4}[found["verdict"]]
    assert found["statements"]["verdict"]["verdict"] == found["verdict"]


def owner_says(said, out, stated, *, has_report):
    """Compare what the owner finds with everything at hand.

    Parameters
    ----------
    has_report : whether the release is one table whose cells can be assessed
    """
    given = ("--policy", "policy.toml", "--original", "in.csv", "--crosswalk", "cross.csv")
    code, text = said("verify", out, *given, "--json", "--warnings", "all")
    own = json.loads(text)["statements"]
    assert code == 0
    for part in ("size", "reached", "kept", "risk"):
        assert are_close(stated.document()[part], own[part]), part
    if not has_report:
        return
    code, text = said("assess", out, *given, "--json")
    assert code == 0
    assert json.loads(text)["statements"] == own
    code, text = said("report", out, *given, "--out", "r.html", "--json")
    assert code == 0
    told = json.loads(text)["statements"]
    assert all(told[part] == own[part] for part in own if part != "findings")
    page = in_one_line(Path("r.html").read_text("utf-8"))
    assert verdict_sentence(stated) in page
    assert f"Highest re-identification risk {highest_words(stated.risk)}" in page
    assert risk_note(stated.risk) in page
    assert kept_words(stated.kept)[1:] in page


def public_page_says(said, out, public):
    """Compare the public page with the statements of the manifest."""
    given = ("report", out, "--policy", "policy.toml", "--public", "--out", "p.html")
    code, text = said(*given, "--json")
    assert code in {0, 4}
    assert json.loads(text)["statements"] == public.document()
    page = in_one_line(Path("p.html").read_text("utf-8"))
    assert verdict_sentence(public) in page
    assert readers_sentence(public) in page
    if "highest" in public.risk:
        assert f"Highest re-identification risk {highest_words(public.risk)}" in page
        assert risk_note(public.risk) in page


@pytest.mark.parametrize(("number", "form", "engine", "out"), list(cases()))
def test_every_voice_says_what_the_statements_say(number, form, engine, out, said):
    frame = table(random.Random(number))
    (frame if form == "sets" else frame.drop("basket")).write_csv("in.csv")
    Path("policy.toml").write_text(FORMS[form], encoding="utf-8")
    by, is_here = ("--engine", engine), engine == "memory"
    beside = ("--owner", "owner.json", *(("--crosswalk", "cross.csv") if is_here else ()))
    made = ("--policy", "policy.toml", "--out", out, "--replace")
    code, text = said("anonymize", "in.csv", *made, *by, *beside)
    assert code == 0
    stated = Statements.read(json.loads(Path("owner.json").read_text("utf-8"))["statements"])
    assert stated.verdict["verdict"] == "holds"
    command_says(text, stated)
    findings_say(stated)
    place = Path(out, MANIFEST) if out == "out" else Path(f"{out}.manifest.json")
    public = manifest_says(json.loads(place.read_text("utf-8")), stated)
    outsiders_say(said, out, by, public)
    if is_here:
        owner_says(said, out, stated, has_report=form not in {"groups", "midpoints"})
        public_page_says(said, out, public)


@pytest.mark.parametrize("form", ["classes", "people", "noise"])
def test_every_voice_says_that_a_broken_release_does_not_hold(form, said):
    table(random.Random(form)).drop("basket").write_csv("in.csv")
    Path("policy.toml").write_text(FORMS[form], encoding="utf-8")
    made = ("--policy", "policy.toml", "--out", "out.csv", "--crosswalk", "cross.csv")
    assert said("anonymize", "in.csv", *made)[0] == 0
    asked = FORMS[form].replace("k = 3", "k = 30")
    Path("policy.toml").write_text(asked, encoding="utf-8")
    closely = ("--json", "--warnings", "all")
    code, text = said("verify", "out.csv", "--policy", "policy.toml", *closely)
    found = json.loads(text)
    assert (code, found["verdict"]) == (1, "does not hold")
    assert found["statements"]["verdict"]["verdict"] == "does not hold"
    code, text = said("assess", "out.csv", "--policy", "policy.toml", "--json")
    assert json.loads(text)["statements"] == found["statements"]
    given = ("--original", "in.csv", "--crosswalk", "cross.csv", "--out", "r.html")
    assert said("report", "out.csv", "--policy", "policy.toml", *given)[0] == 0
    assert "the promise does not hold" in in_one_line(Path("r.html").read_text("utf-8"))
