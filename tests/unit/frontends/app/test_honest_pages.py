"""Pages keep what was typed, ask where two things can be meant, and say what they measured."""

import re
import sqlite3
from contextlib import closing

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from app_visits import patients, prepare, roles_of, searched, signed, visiting
from indistinct.frontends.app.edits import mattering
from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.pages import explore
from indistinct.frontends.app.pages.noise_chart import noise_chart
from indistinct.frontends.app.sources import tables
from indistinct.questions.mechanisms.accountant import Accounting
from indistinct.tables.findings.kinds import KEEPS_LITTLE


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """One project in which a release was found."""
    folder = tmp_path_factory.mktemp("honest")
    with visiting(folder, patients(folder, 300)) as visitor:
        prepare(visitor)
        searched(visitor)
        yield visitor


def number_of(visitor, name):
    return list(visitor.app_state.project.words["columns"]).index(name)


def test_the_attacker_knows_every_quasi_identifier_at_first(found):
    page = found.get("/compare").text
    boxes = re.findall(r'name="known" value="\d+"( checked)?', page)
    assert len(boxes) == len(found.app_state.project.policy().class_names) > 1
    assert all(boxes)


def test_the_report_has_the_attacks_that_were_run(found):
    assert "No attack was run" in found.get("/release").text
    found.post("/compare/attack", known=["0", "1"])
    assert found.wait().state.value == "done"
    assert "The report lists this attack" in found.get("/release").text
    assert signed(found).status_code == 303
    assert found.wait().state.value == "done", found.app_state.jobs.latest.faults
    kept = max((found.app_state.project.folder / "releases").iterdir()) / "keep"
    report = (kept / "report.html").read_text()
    assert "The release was attacked as others would attack it" in report
    assert "No attack was run" not in report


def test_what_is_typed_beside_another_choice_is_asked_about_and_kept(found):
    number = number_of(found, "height_cm")
    found.post("/roles", **{f"role-{number}": "quasi-identifier"})
    before = found.app_state.project.words
    answer = found.post(f"/hierarchies/{number}", kind="none", intervals="7, 14")
    assert answer.status_code == 422
    assert "Ranges of numbers" in answer.text
    assert 'value="7, 14"' in answer.text
    assert found.app_state.project.words == before
    refused = found.post(f"/hierarchies/{number}", kind="intervals", intervals="7, 15")
    assert refused.status_code == 422
    assert 'value="7, 15"' in refused.text
    found.post(f"/hierarchies/{number}", kind="intervals", intervals="7, 14")
    rule = found.app_state.project.words["columns"]["height_cm"]["hierarchy"]
    assert rule == {"intervals": [7, 14]}
    found.post("/undo")
    found.post("/undo")


def test_a_column_matters_in_words_and_stays_as_detailed_as_is_said(found):
    number = number_of(found, "postcode")
    found.post(f"/hierarchies/{number}/matters", importance="4", least="3")
    column = found.app_state.project.words["columns"]["postcode"]
    assert (column["importance"], column["max_level"]) == (4, 3)
    page = found.get(f"/hierarchies/{number}").text
    assert '<option value="4" selected>most of all' in page
    assert found.post(f"/hierarchies/{number}/matters", importance="x").status_code == 422
    found.post(f"/hierarchies/{number}/matters", importance="1", least="")
    assert not {"importance", "max_level"} & set(
        found.app_state.project.words["columns"]["postcode"]
    )


@pytest.mark.parametrize(("importance", "is_named"), [(1, False), (2, True)])
def test_an_important_column_that_keeps_less_than_half_is_named(importance, is_named):
    """Ranges of 60 years leave two fifths of a column from 0 to 100."""
    age = {"role": "quasi-identifier", "hierarchy": {"intervals": [60]}, "min_level": 1}
    columns = {"age": {**age, "max_level": 1, "importance": importance}}
    policy = ind.Policy.from_words(
        {"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]}
    )
    release = ind.anonymize(pl.DataFrame({"age": list(range(101)) * 2}), policy)
    said = [one["message"] for one in release.warnings if one["code"] == KEEPS_LITTLE]
    assert [one.partition(" keeps")[0] for one in said] == (["age"] if is_named else [])


def test_a_point_is_recommended_only_where_the_frontier_is_bent():
    row = {"parameters": {"k": 5}}
    for is_bent, frontier, name in (
        (True, [0, 1, 2], "first_why"),
        (False, [0, 1, 2], "no_knee"),
        (False, [0], "one_best"),
    ):
        chosen = {"row": 0, "is_bent": is_bent}
        document = {"rows": [row], "frontier": frontier, "recommended": chosen}
        assert explore._why(document) == f"explore.{name}"
        assert bool(explore._recommended(document)) is is_bent


def test_a_file_that_was_opened_before_is_asked_about(tmp_path):
    patients(tmp_path, 100)
    with visiting(tmp_path) as visitor:
        visitor.post("/data/open", path="patients.csv")
        project = visitor.app_state.project.folder
        answer = visitor.post("/data/open", path="patients.csv")
        assert "has been opened before" in answer.text
        assert visitor.post("/data/project", folder=project.name).status_code == 303
        assert visitor.app_state.project.folder == project
        visitor.post("/data/open", path="patients.csv", new="yes")
        assert visitor.app_state.project.folder.name == "patients-2.indistinct"


def test_what_runs_released_is_offered_last_and_what_they_wrote_for_the_owner_not_at_all(tmp_path):
    for name in ("a-release.csv", "a-release.csv.manifest.json", "crosswalks.csv", "patients.csv"):
        (tmp_path / name).write_text("a\n1\n")
    owners = {
        "from-where.csv": "output_row,input_row\n0,4\n",
        "vertices.txt": "output_id,input_id,group\n0,4,1\n",
        "codes.txt": "0123456789abcdef" * 4 + "\n",
    }
    for name, content in owners.items():
        (tmp_path / name).write_text(content)
    pl.DataFrame({"output_row": [0], "input_row": [4]}).write_parquet(tmp_path / "where.parquet")
    for name, content in {"draft.toml": "", "draft.place.csv": "Hull;north\n"}.items():
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o600)
    with closing(sqlite3.connect(tmp_path / "people.db")) as history:
        history.execute("CREATE TABLE releases (number INTEGER)")
        history.execute("CREATE TABLE signatures (id INTEGER)")
    for ending in ("xls", "gz", "docx"):
        (tmp_path / f"table.{ending}").write_text("a\n1\n")
    start = StartFolder(tmp_path)
    assert tables(start) == ["crosswalks.csv", "patients.csv", "a-release.csv"]
    with visiting(tmp_path) as visitor:
        assert "people.db" not in visitor.get("/data").text


def test_the_folder_is_chosen_on_the_page_and_lies_below_the_first_one(tmp_path):
    (tmp_path / "2024" / "north").mkdir(parents=True)
    for name in ("2023.csv", "2024/all.csv", "2024/north/ward.csv"):
        (tmp_path / name).write_text("a\n1\n")
    with visiting(tmp_path) as visitor:
        assert 'value="2024/north"' in visitor.get("/data").text
        page = visitor.post("/data/folder", folder="2024/north").text
        assert "<option>2024/north/ward.csv" in page
        assert "2024/all.csv" not in page
        for outside in ("..", "/etc", "2024/../.."):
            assert "2023.csv" in visitor.post("/data/folder", folder=outside).text
        assert "start it again with the path of that folder" in page


def test_each_promise_says_what_it_costs(found):
    """A release without a promise keeps as much, but for what a search of a second misses."""
    words = found.app_state.project.words
    assert "Measure what each promise costs" in found.get("/promise").text
    found.post("/promise", then="prices")
    assert found.wait().state.value == "done", found.app_state.jobs.latest.faults
    prices = found.app_state.jobs.results[f"prices {found.app_state.project.fingerprint()}"]
    assert len(prices["without"]) == len(words["models"])
    assert all(one >= prices["kept"] - 0.02 for one in prices["without"])
    assert "without this one" in found.get("/promise").text


def test_every_record_of_a_release_can_be_looked_at_beside_its_original(found):
    """Page by page, and from a number that was typed; numbers that are none are refused."""
    found.post("/compare/measure")
    assert found.wait().state.value == "done", found.app_state.jobs.latest.faults
    run = found.app_state.current_run()
    released = pl.read_csv(run.release, infer_schema=False)
    seen = []
    for first in (1, 21, released.height, 10**9):
        found.post("/compare/records", **{"from": str(first)})
        found.wait()
        seen.append(re.search(r"Records ([\d,]+) to", found.get("/compare").text)[1])
        rows = found.app_state.jobs.results[f"records {run.number}"]
        after = [[pair[1] for pair in row] for row in rows["pairs"]]
        expected = released.select(rows["names"]).rows()[rows["start"] : rows["start"] + 20]
        assert after == [["" if cell is None else cell for cell in row] for row in expected]
    assert seen == ["1", "21", str(released.height), str(released.height)]
    assert found.post("/compare/records", next="x").status_code == 422


@pytest.mark.parametrize("accounting", Accounting)
def test_the_drawing_of_the_noise_shows_all_draws(accounting):
    """Of a hundred draws, five are beyond the expected error; against a million drawn numbers."""
    chart = noise_chart(12.0, accounting)
    shares = [float(text.rstrip("%")) for _, text in chart.table.rows]
    chance = np.random.default_rng(1)
    is_pure = accounting is Accounting.PURE
    draws = np.abs(chance.laplace(size=10**6) if is_pure else chance.normal(size=10**6))
    ends = np.quantile(draws, 0.95) * np.array([0, 0.25, 0.5, 1, np.inf])
    # Each share of a million draws is within .3 of a hundred but in one of a million runs.
    assert shares == pytest.approx(np.histogram(draws, ends)[0] / 10**4, abs=0.3)
    assert shares[-1] == pytest.approx(5, abs=0.05)


def test_nothing_that_was_found_about_a_table_is_shown_beside_another(tmp_path):
    """Both have a release number 1; that of the second was never attacked."""
    patients(tmp_path, 200)
    ages = "".join(f"{20 + n % 30},{'abc'[n % 3]}\n" for n in range(120))
    (tmp_path / "other.csv").write_text(f"age,illness\n{ages}")
    with visiting(tmp_path, tmp_path / "patients.csv") as visitor:
        prepare(visitor)
        searched(visitor)
        visitor.post("/compare/attack", known=["0"])
        assert visitor.wait().state.value == "done"
        visitor.post("/data/open", path="other.csv")
        while visitor.app_state.pending is not None:
            visitor.get("/data")
        visitor.post("/roles", all="yes", **roles_of(visitor, age="quasi-identifier"))
        searched(visitor)
        page = visitor.get("/compare").text
        assert "Somebody who knows" not in page
        assert re.findall(r'name="known" value="\d+"( checked)?', page) == [" checked"]
        assert "No attack was run" in visitor.get("/release").text
        assert signed(visitor).status_code == 303
        assert visitor.wait().state.value == "done", visitor.app_state.jobs.latest.faults


def test_a_word_of_importance_stays_while_its_number_does():
    """A column that must be shown is one after a page was sent with the same number, too."""
    words = {"columns": {"age": {"role": "quasi-identifier", "importance": "must"}}}
    assert mattering(words, "age", 4.0, None)["columns"]["age"]["importance"] == "must"
    assert mattering(words, "age", 2.0, None)["columns"]["age"]["importance"] == 2.0
