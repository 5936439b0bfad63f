"""The roles of many columns are set as in a spreadsheet, and each with a reason."""

import re

import pytest

from app_visits import roles_of, visiting

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
