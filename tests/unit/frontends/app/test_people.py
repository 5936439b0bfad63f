"""The page People: whose record each is, weights, and new numbers that join a person's records."""

import random
import re

import polars as pl
import pytest

from app_visits import patients, roles_of, searched, visiting

PEOPLE = 60


def written(folder, *, weight=False):
    """Write visits of people, each with a number, a birth and a sex of their own."""
    chance = random.Random(3)
    lines = [f"patient_id,birth_year,sex,diagnosis{',survey_weight' if weight else ''}"]
    for number in range(PEOPLE):
        for _ in range(1 + number % 3):
            own = [f"P{1000 + number}", 1950 + number % 4 * 10, "mf"[number // 4 % 2]]
            own += [chance.choice(["flu", "cold", "asthma"])]
            own += [f"{chance.uniform(90, 1200):.2f}"] if weight else []
            lines.append(",".join(map(str, own)))
    path = folder / "visits.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def visitor(tmp_path):
    with visiting(tmp_path, written(tmp_path)) as visitor:
        yield visitor


def words(visitor):
    return visitor.app_state.project.words


def test_nothing_speaks_for_it_and_one_click_leads_on(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 60)) as visitor:
        page = visitor.get("/people").text
        assert "What speaks for" not in page
        assert 'name="next" value="roles"' in page
        answer = visitor.post("/people", next="roles")
        assert answer.headers["location"] == "/roles"
        assert "person" not in words(visitor).get("data", {})
        visitor.post("/roles", **roles_of(visitor))
        assert '<li class="done"><a href="/people"' in visitor.get("/people").text


def test_the_column_that_numbers_people_is_shown_with_its_evidence_and_can_be_changed(visitor):
    page = visitor.get("/people").text
    assert words(visitor)["data"]["person"] == "patient_id"
    assert "What speaks for patient_id:" in page
    assert "60 people have 120 rows." in page
    visitor.post("/people", person="")
    assert "person" not in words(visitor).get("data", {})
    assert "Every row counts as another person." in visitor.get("/people").text
    visitor.post("/roles", **roles_of(visitor, patient_id="insensitive"))
    visitor.post("/people", person="patient_id")
    assert words(visitor)["data"]["person"] == "patient_id"
    assert words(visitor)["columns"]["patient_id"]["role"] == "identifier"
    visitor.post("/people", person="nobody")  # no column of the table
    assert words(visitor)["data"]["person"] == "patient_id"


def test_a_weight_is_suggested_and_a_row_may_stand_for_one_person(tmp_path):
    with visiting(tmp_path, written(tmp_path, weight=True)) as visitor:
        assert words(visitor)["data"]["weight"] == "survey_weight"
        assert "Yes: survey_weight says for how many people" in visitor.get("/people").text
        visitor.post("/people", weight="")
        assert "weight" not in words(visitor)["data"]
        visitor.post("/people", weight="survey_weight")
        assert words(visitor)["columns"]["survey_weight"]["role"] in {"insensitive", "identifier"}


def test_new_numbers_join_the_rows_of_a_person_and_sizes_count_people(visitor):
    visitor.post("/roles", all="yes", **roles_of(visitor))
    assert "fall apart" in visitor.get("/people").text
    visitor.post("/people", joined="together")
    assert words(visitor)["data"] == {"household": "patient_id"}
    assert {one["name"] for one in words(visitor)["models"]} == {"k-anonymity"}
    run = searched(visitor)
    released = pl.read_csv(run.folder / run.about["release"])
    joined = released.group_by("patient_id").agg(pl.len(), pl.col("sex").n_unique().alias("sexes"))
    assert joined["len"].max() == 3  # as many as a person has in the input
    before = set(pl.read_csv(visitor.app_state.start.root / "visits.csv")["patient_id"].to_list())
    assert not before & set(joined["patient_id"].cast(pl.String).to_list())
    told = {one["code"] for one in run.about["warnings"]}
    assert "records-cannot-be-joined" not in told
    visitor.post("/people", joined="apart")
    assert words(visitor)["data"] == {"person": "patient_id"}
    told = {one["code"] for one in searched(visitor).about["warnings"]}
    assert "records-cannot-be-joined" in told


def test_a_table_of_which_nothing_is_known_leads_on_to_its_roles(tmp_path):
    """No column is a quasi-identifier before somebody said so; then the policy needs one."""
    rows = "".join(f"{n * 7 % 300},{'uvw'[n % 3]},{n / 7:.3f}\n" for n in range(300))
    (tmp_path / "unknown.csv").write_text(f"xa,xb,xc\n{rows}")
    with visiting(tmp_path, tmp_path / "unknown.csv") as visitor:
        assert set(visitor.app_state.project.roles.values()) <= {"identifier", "sensitive"}
        answer = visitor.post("/people", person="", weight="", next="roles")
        assert (answer.status_code, answer.headers["location"]) == (303, "/roles")
        none = roles_of(visitor, xa="sensitive", xb="sensitive", xc="insensitive")
        assert visitor.post("/roles", all="yes", **none).status_code == 422
        assert visitor.post("/roles/answer", answer="0-0", **roles_of(visitor)).status_code == 303
        known = roles_of(visitor, xa="sensitive", xb="quasi-identifier", xc="insensitive")
        assert visitor.post("/roles", all="yes", **known).status_code == 303
        assert visitor.get("/promise").status_code == 200


def test_every_answer_is_one_entry_of_the_history(visitor):
    before = words(visitor)
    visitor.post("/people", person="")
    visitor.post("/undo")
    assert words(visitor) == before
    assert re.search(r"<li class=\"open\"><a href=\"/people\"", visitor.get("/people").text)
