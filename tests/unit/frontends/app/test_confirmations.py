"""What a release gives away is read and confirmed, one by one, before somebody signs."""

import re

import pytest
from markupsafe import escape

from app_visits import searched, visiting
from indistinct.base.statements.number_texts import capitalized
from indistinct.frontends.app.confirmations import ranks_of
from indistinct.tables.findings import TITLES, Finding
from indistinct.tables.policy.policy import Policy

POLICY = """
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20, 40] }
[columns.income]
role = "sensitive"
[columns.diagnosis]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 5
[[models]]
name = "distinct-l-diversity"
column = "diagnosis"
l = 2
"""
SIGNED = {"approved_by": "the office", "reason": "a contract binds them", "approved_on": ""}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """One project in which a release was found that tells the income of everybody."""
    folder = tmp_path_factory.mktemp("told")
    rows = "".join(f"p{n},{20 + n % 60},{1000 + 37 * n % 151},{'abc'[n % 3]}\n" for n in range(150))
    (folder / "people.csv").write_text(f"name,age,income,diagnosis\n{rows}")
    (folder / "policy.toml").write_text(POLICY)
    with visiting(folder, folder / "policy.toml") as visitor:
        searched(visitor)
        yield visitor


def asked(page):
    return re.findall(r'name="confirmed" value="([^"]*)"', page)


def test_a_warning_has_the_words_of_the_command():
    for rank, code in (("found", "composition"), ("given-away", "column-gives-cells-back")):
        finding = Finding(code, ("town",), 5, 10)
        (one,) = ranks_of([finding.document()])
        assert one.title == capitalized(TITLES[rank])
        said = f"{capitalized(finding.message)}. {finding.remedy}"
        if code == "composition":  # whose remedy names a word of the policy file
            said = said.partition(", or set")[0]
        (item,) = one.items
        assert item.sentence.startswith(escape(said))


@pytest.mark.parametrize("page", ["/promise", "/release"])
def test_a_sensitive_column_without_a_promise_is_named_in_red(found, page):
    red = re.search(r'<div class="callout bad".*?</div>', found.get(page).text, re.DOTALL).group()
    assert "No promise is about income" in red
    assert "diagnosis" not in red


def test_the_result_has_its_warnings_by_rank(found):
    page = found.get("/search").text
    assert "Who can be found" in page
    assert "150 of 150 records (100%) can be found by someone who knows income" in page


def test_nothing_is_signed_before_each_warning_is_confirmed_with_a_name_and_a_reason(found):
    keys = asked(found.get("/release").text)
    assert keys == ["no-promise: income", "sensitive-column-singles-out: income"]
    for lacking in (
        {**SIGNED, "confirmed": keys[:1]},
        {**SIGNED, "confirmed": keys, "reason": " "},
        {**SIGNED, "confirmed": keys, "approved_by": ""},
    ):
        answer = found.post("/release", **lacking)
        assert answer.status_code == 422
        assert "a contract binds them" in answer.text or lacking["reason"] == " "
        assert found.app_state.jobs.current() is None
    assert found.post("/release", **SIGNED, confirmed=keys).status_code == 303
    assert found.wait().state.value == "done"
    kept = found.app_state.project.folder / "releases" / "0001" / "keep"
    context = Policy.load(kept / "policy.toml").context
    assert context.accepted == tuple(keys)
    assert context.reason == "a contract binds them"
    report = (kept / "report.html").read_text()
    assert "a contract binds them" in report
    assert "sensitive-column-singles-out: income" in report
    given = kept.parent / "give-away"
    assert all(b"a contract" not in one.read_bytes() for one in given.iterdir())


def test_one_click_adds_a_promise_for_each_column(found):
    project = found.app_state.project
    words = {**project.words, "models": project.words["models"][:1]}
    found.app_state.change(words, "", project.confirmed)
    page = found.get("/promise").text
    assert "Add a promise for each of the 2 columns" in page
    names = re.findall(r'type="hidden" name="column" value="([^"]*)"', page)
    assert names == ["income", "diagnosis"]
    assert found.post("/promise/cover", column=[*names, "age"]).status_code == 422
    assert found.post("/promise/cover", column=names).status_code == 303
    assert "No promise is about" not in found.get("/promise").text
    found.post("/undo")
    found.post("/undo")


def test_one_click_adds_a_promise(found):
    assert found.post("/promise/cover", column="age").status_code == 422
    answer = found.post("/promise/cover", column="income")
    assert (answer.status_code, answer.headers["location"]) == (303, "/promise")
    models = found.app_state.project.words["models"]
    assert [one["name"] for one in models if one.get("column") == "income"] == [
        "distinct-l-diversity"
    ]
    assert "No promise is about" not in found.get("/promise").text
    found.post("/undo")
