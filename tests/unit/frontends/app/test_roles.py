"""The roles of many columns are set as in a spreadsheet, and each with a reason."""

import random
import re
import time

import pytest

from app_visits import roles_of, visiting
from indistinct.tables.publish.inspection import Inspection

QUASI = "quasi-identifier"
ROWS = "".join(
    f"{n % 40},{20 + n % 50},{'abc'[n % 3]},see form {n % 30},{'mf'[n % 2]}\n" for n in range(200)
)


@pytest.fixture
def visitor(tmp_path):
    (tmp_path / "visits.csv").write_text(f"patient_id,age,diagnosis,remark,sex\n{ROWS}")
    with visiting(tmp_path, tmp_path / "visits.csv") as one:
        yield one


def columns(visitor):
    return visitor.app_state.project.words["columns"]


def known(visitor, **changed):
    """Return the form with one column that others may know, whatever the others become."""
    return roles_of(visitor, sex="quasi-identifier", **changed)


def test_values_are_shown_only_to_those_who_ask(visitor):
    assert "see form" not in visitor.get("/roles").text
    form = roles_of(visitor, remark="left-out")
    page = visitor.post("/roles/examples", **form, **{"reason-3": "not needed"}).text
    assert "<code>see form 0</code>" in page
    assert 'value="not needed"' in page
    assert columns(visitor)["remark"]["role"] != "left-out"  # nothing is saved by it


def test_several_columns_get_a_role_at_once(visitor):
    picked = {"pick-1": "yes", "pick-3": "yes", "checked-0": "yes"}
    answer = visitor.post("/roles/several", several="left-out", **known(visitor), **picked)
    assert answer.status_code == 303
    assert [columns(visitor)[name]["role"] for name in ("age", "remark")] == ["left-out"] * 2
    assert visitor.app_state.project.confirmed == {"patient_id", "age", "remark"}
    assert visitor.post("/roles/several", several="sensitive").status_code == 422


def test_a_reason_of_ones_own_stays_until_the_role_changes(visitor):
    drafted = columns(visitor)["age"]["reason"]
    visitor.post("/roles", **roles_of(visitor), **{"reason-1": "known from the register"})
    assert columns(visitor)["age"]["reason"] == "known from the register"
    assert 'value="known from the register"' in visitor.get("/roles").text
    visitor.post("/roles", **roles_of(visitor), **{"reason-1": ""})
    assert columns(visitor)["age"]["reason"].startswith(drafted)
    visitor.post("/roles", **known(visitor, age="insensitive"), **{"reason-1": ""})
    assert "reason" not in columns(visitor)["age"]
    changed = known(visitor, age="quasi-identifier")
    visitor.post("/roles", **changed, **{"reason-1": "seen by neighbors"})
    assert columns(visitor)["age"]["reason"] == "seen by neighbors"


def test_a_reason_of_the_program_is_never_shown_as_ones_own(tmp_path):
    """Not even when the project is opened again, and its dates are read as the policy says."""
    days = "".join(f"{n},{1 + n % 28:02}/{1 + n % 12:02}/{1950 + n % 40}\n" for n in range(200))
    (tmp_path / "born.csv").write_text(f"no,date of birth\n{days}")
    with visiting(tmp_path, tmp_path / "born.csv") as one:
        one.post("/roles", all="yes", **roles_of(one), **{"reason-0": "", "reason-1": ""})
        assert "values fit dd/mm/yyyy" in columns(one)["date of birth"]["reason"]
    with visiting(tmp_path) as one:
        one.post("/data/project", folder="born.indistinct")
        page = one.get("/roles").text
    assert re.findall(r'name="reason-\d+" value="([^"]*)"', page) == ["", ""]


def test_undecided_columns_stand_out_and_reasons_are_one_line(visitor):
    page = visitor.get("/roles").text
    undecided = [name for name, one in columns(visitor).items() if one["role"] == "undecided"]
    marked = re.findall(r'<tr data-name="(\w+)" class="doubtful" data-open>', page)
    assert marked == undecided != []


def test_a_question_has_its_two_answers_as_buttons_and_one_click_decides_all_its_columns(tmp_path):
    rows = "".join(f"{20 + n % 50},{n * 7 % 90},{n * 11 % 83}\n" for n in range(300))
    (tmp_path / "scores.csv").write_text(f"age,zq,vx\n{rows}")
    with visiting(tmp_path, tmp_path / "scores.csv") as visitor:
        page = visitor.get("/roles").text
        shown = page.replace(re.search(r"<details>.*?</details>", page, re.DOTALL)[0], "")
        buttons = re.findall(r'name="answer" value="(\d+)-(\d)"', shown)
        assert [place for _, place in buttons] == ["0", "1"]
        assert re.findall(r'<tr data-name="(\w+)"', page) == ["zq", "vx", "age"]  # open ones first
        answer = visitor.post("/roles/answer", answer=f"{buttons[0][0]}-0", **roles_of(visitor))
        assert answer.headers["location"] == "/roles"
        decided = {columns(visitor)[name]["role"] for name in ("zq", "vx")}
        assert len(decided) == 1
        assert decided != {"undecided"}
        assert visitor.app_state.project.unconfirmed() == ["age"]
        assert 'name="answer"' not in visitor.get("/roles").text
        visitor.post("/roles/answer", answer="99-0", **roles_of(visitor))


def test_what_is_hidden_from_the_start_is_said_kept_and_computed_again(tmp_path, monkeypatch):
    names = ("age", "sex", "town", "marital_status", "education", "occupation", "nationality",
             "race", "employer", "household_size", "native_language")  # fmt: skip
    chance = random.Random(5)
    rows = "".join(
        ",".join([str(chance.randrange(20, 70)), *(chance.choice("abcd") for _ in names[1:])])
        + "\n"
        for _ in range(300)
    )
    (tmp_path / "known.csv").write_text(",".join(names) + "\n" + rows)
    asked = []

    def hidden(inspection):
        roles = {one.name: one.role for one in inspection.columns}
        asked.append(roles)
        minor = [name for name in ("race", "native_language") if roles[name] == QUASI]
        return dict.fromkeys(minor, 1) if list(roles.values()).count(QUASI) > 8 else {}

    monkeypatch.setattr(Inspection, "hidden", hidden)
    with visiting(tmp_path, tmp_path / "known.csv") as visitor:
        known = roles_of(visitor, **dict.fromkeys(names, QUASI))
        visitor.app_state.change(with_importance(visitor.app_state.project.words), "", frozenset())
        visitor.post("/roles", **known)
        page = settled_page(visitor)
        plain = re.sub(r"(?s)<details(?![^>]*\bopen\b).*?</details>", " ", page)
        assert len(re.findall("it is hidden from the start", plain)) == 2
        assert columns(visitor)["race"]["min_level"] == 1
        number = names.index("race")
        assert "hidden from the start, at level 1" in visitor.get(f"/hierarchies/{number}").text
        visitor.post("/roles/keep", column="race")
        assert "min_level" not in columns(visitor)["race"]
        fewer = dict.fromkeys(("age", "sex", "town"), "insensitive")
        visitor.post("/roles", **roles_of(visitor, **fewer))
        assert "are shown again: native_language" in settled_page(visitor)
        assert "min_level" not in columns(visitor)["native_language"]
        n_asked = len(asked)
        assert "it is hidden from the start" not in settled_page(visitor)
        assert len(asked) == n_asked  # once for the same roles
        visitor.post("/roles", **known)
        settled_page(visitor)
        assert "min_level" not in columns(visitor)["race"]  # somebody kept it
        assert columns(visitor)["native_language"]["min_level"] == 1


def with_importance(words):
    """Return the words as a draft has them: the columns beyond the eighth count less."""
    changed = {name: dict(one) for name, one in words["columns"].items()}
    for name in ("race", "native_language"):
        changed[name] |= {"role": QUASI, "importance": 0.2}
    return {**words, "columns": changed}


def settled_page(visitor):
    """Return the page of roles once a trial has ended."""
    while "It is being tried" in (page := visitor.get("/roles").text):
        time.sleep(0.02)
    return page
