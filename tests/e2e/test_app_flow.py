"""The application without a browser: from a table to a verified release, and back in history."""

import json
import os
import re
import shlex
import signal
import time
import tomllib

import polars as pl
import pytest

from app_visits import patients, prepare, roles_of, searched, signed, visiting
from indistinct.frontends.app import state
from indistinct.frontends.app.pages import script
from indistinct.frontends.cli.main import status
from indistinct.tables.policy.policy import Policy
from indistinct.tables.verification.verify_release import verify
from shared import needs, shared


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """One project in which a release was found."""
    folder = tmp_path_factory.mktemp("found")
    with visiting(folder, patients(folder)) as visitor:
        prepare(visitor)
        searched(visitor)
        yield visitor


def test_nothing_runs_before_a_person_has_confirmed_every_role(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 200)) as visitor:
        refused = visitor.post("/search")
        assert refused.status_code == 422
        assert "columns.birth_date.role" in refused.text
        visitor.post("/roles", **{"checked-0": "yes"}, **roles_of(visitor))
        assert visitor.post("/search").status_code == 422
        policy = str(visitor.app_state.project.policy_file)
        asked = ["anonymize", str(tmp_path / "patients.csv"), "--policy", policy]
        assert status([*asked, "--out", str(tmp_path / "x.csv")], show_values=False) == 2
        visitor.post("/roles", all="yes", **roles_of(visitor))
        assert "undecided" not in visitor.app_state.project.policy_file.read_text()


def test_the_script_gives_the_same_rows(found, tmp_path, monkeypatch):
    project = found.app_state.project
    lines = script.commands(project).splitlines()
    assert lines[0] == f"cd {project.start.root}"
    monkeypatch.chdir(project.start.root)
    for line in lines[1:]:
        words = shlex.split(line)
        assert words[0] == "indistinct"
        assert status(words[1:], show_values=False) == 0, line
    ours = pl.read_csv(found.app_state.current_run().release, infer_schema=False)
    theirs = pl.read_csv("patients-release.csv", infer_schema=False)
    assert ours.sort(ours.columns).equals(theirs.sort(ours.columns))
    assert ours.height > 0


@pytest.mark.slow
def test_the_python_of_the_script_gives_the_same_rows(found, monkeypatch):
    project = found.app_state.project
    monkeypatch.chdir(project.start.root)
    known = {}
    exec(script.python(project), known)
    ours = pl.read_csv(found.app_state.current_run().release, infer_schema=False)
    theirs = pl.read_csv("patients-release.csv", infer_schema=False)
    assert ours.sort(ours.columns).equals(theirs.sort(ours.columns))


def test_the_release_that_is_written_verifies_and_is_apart_from_what_is_kept(found):
    answer = signed(found, purpose="care")
    assert answer.status_code == 303
    assert found.wait().state.value == "done"
    written = found.app_state.jobs.results[f"publish {found.app_state.current_run().number}"]
    folder = found.app_state.project.folder / "releases" / "0001"
    assert sorted(written["give"]) == sorted(p.name for p in (folder / "give-away").iterdir())
    assert {"crosswalk.csv", "owner.json", "policy.toml", "report.html"} == set(written["keep"])
    assert not {"crosswalk.csv", "owner.json"} & set(written["give"])
    policy = Policy.load(folder / "keep" / "policy.toml")
    assert policy.context.approved_by == "the office"
    assert verify(folder / "give-away" / "release.csv", policy).holds is True
    page = found.get("/release").text
    for name in written["give"]:
        assert found.get(f"/release/1/give-away/{name}").status_code == 200
        assert name in page
    report = found.get("/release/1/keep/report.html")
    assert "sandbox" in report.headers["content-security-policy"]


def test_the_attack_says_what_somebody_finds(found):
    found.post("/compare/attack", known=["0", "1", "2"])
    assert found.wait().state.value == "done"
    page = found.get("/compare").text
    assert "Somebody who knows birth_date, sex and postcode" in page
    result = found.app_state.jobs.results[f"attack {found.app_state.current_run().number}"]
    assert result["rate"] <= 0.25
    assert result["alone"] > 0.9


def test_the_bar_says_what_the_manifest_says(found):
    run = found.app_state.current_run()
    document = json.loads(run.owner.read_text())
    records = document["records"]
    kept = records["released"] / (records["released"] + records["suppressed"])
    outcome = run.outcome()
    assert outcome.kept == pytest.approx(kept)
    risk = document["statements"]["risk"]
    assert outcome.risk == risk["highest"]["chance"]
    assert risk["known"]["chance"] == document["risk"]["prosecutor"] <= 0.25
    page = found.get("/data").text
    assert re.search(rf"Records kept</dt><dd>{100 * kept:.1f}"[:-1], page)


def test_undo_redo_branch_and_compare(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 300)) as visitor:
        project = visitor.app_state.project
        visitor.post("/roles", all="yes", **roles_of(visitor))
        visitor.post("/promise", **{"0-k": "7"})
        seven = project.policy_file.read_text()
        assert "k = 7" in seven
        visitor.post("/undo")
        assert "k = 7" not in project.policy_file.read_text()
        visitor.post("/redo")
        assert project.policy_file.read_text() == seven
        visitor.post("/undo")
        visitor.post("/promise", **{"0-k": "9"})  # a branch: what was undone stays in the history
        assert visitor.post("/redo").status_code == 303
        assert "k = 9" in project.policy_file.read_text()
        assert [entry.parent for entry in project.history.entries] == [0, 1, 2, 2]
        compared = visitor.get("/history?first=3&second=4").text
        assert "k-anonymity: k" in compared
        assert re.search(r"<td>7</td>\s*<td>9</td>", compared)
        visitor.post("/history/go", number="3")
        assert project.policy_file.read_text() == seven
        assert visitor.post("/history/go", number="99").status_code == 422


def test_a_project_is_there_again_after_the_application_has_ended(tmp_path):
    path = patients(tmp_path, 300)
    with visiting(tmp_path, path) as visitor:
        visitor.post("/roles", all="yes", **roles_of(visitor))
        words = visitor.app_state.project.words
    for given in (path, tmp_path / "patients.indistinct"):
        with visiting(tmp_path, given) as visitor:
            assert visitor.app_state.project.words == words
            assert not visitor.app_state.project.unconfirmed()


def test_a_policy_that_was_changed_by_hand_is_taken_over(tmp_path):
    path = patients(tmp_path, 300)
    with visiting(tmp_path, path) as visitor:
        visitor.post("/roles", all="yes", **roles_of(visitor))
        file = visitor.app_state.project.policy_file
    file.write_text(file.read_text().replace("k = 5", "k = 6"))
    with visiting(tmp_path, path) as visitor:
        assert visitor.app_state.project.words["models"][0]["k"] == 6
        assert "by hand" in visitor.get("/history").text


def test_one_job_at_a_time_and_each_can_be_stopped(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 3000)) as visitor:
        visitor.post("/roles", all="yes", **roles_of(visitor))
        visitor.post("/search")
        assert visitor.app_state.jobs.current() is not None
        assert visitor.post("/search/trial").status_code == 422
        started = time.monotonic()
        visitor.post("/job/cancel")
        assert time.monotonic() - started < 5
        assert visitor.app_state.jobs.poll().state.value == "cancelled"
        assert visitor.app_state.jobs.latest.process.poll() is not None
        assert visitor.app_state.runs() == []
        assert "was stopped" in visitor.get("/search").text


@pytest.mark.slow
def test_a_job_that_is_killed_says_so_and_the_application_goes_on(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 3000)) as visitor:
        visitor.post("/roles", all="yes", **roles_of(visitor))
        visitor.post("/search")
        os.kill(visitor.app_state.jobs.latest.process.pid, signal.SIGKILL)
        assert visitor.wait().state.value == "failed"
        page = visitor.get("/search")
        assert page.status_code == 200
        assert "more memory than a job may take" in page.text
        visitor.post("/search/trial")
        assert visitor.wait().state.value == "done"


def test_a_job_that_fails_says_why_without_a_value(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 100)) as visitor:
        visitor.post("/roles", all="yes", **roles_of(visitor))
        visitor.post("/promise", **{"0-k": "101"})
        visitor.post("/search/trial")  # the search itself is not begun
        assert visitor.wait().state.value == "failed"
        page = visitor.get("/search").text
        assert "ended without a result" in page
        assert "k" in visitor.app_state.jobs.latest.faults[0].problem


def test_a_hierarchy_that_does_not_cover_the_values_is_refused_at_once(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 300)) as visitor:
        names = list(visitor.app_state.project.words["columns"])
        number = names.index("birth_date")
        before = visitor.app_state.project.words
        refused = visitor.post(f"/hierarchies/{number}", kind="intervals", intervals="5, 10")
        assert refused.status_code == 422
        assert visitor.app_state.project.words == before
        assert visitor.post(f"/hierarchies/{number}", kind="dates", dates="year").status_code == 303
        changed = tomllib.loads(visitor.app_state.project.policy_file.read_text())
        assert changed["columns"]["birth_date"]["hierarchy"] == {"dates": ["year"]}


def test_values_are_put_into_groups(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 300)) as visitor:
        number = list(visitor.app_state.project.words["columns"]).index("insurance")
        roles = roles_of(visitor, insurance="quasi-identifier")
        visitor.post("/roles", all="yes", **roles)
        visitor.post(f"/hierarchies/{number}", kind="none")
        page = visitor.get(f"/hierarchies/{number}").text
        values = re.findall(r'name="group-(\d+)"[^>]*aria-label="Group of ([^"]+)"', page)
        groups = {f"group-{n}": "some" if value != "none" else "" for n, value in values}
        assert visitor.post(f"/hierarchies/{number}", kind="tree", **groups).status_code == 303
        tree = visitor.app_state.project.words["columns"]["insurance"]["hierarchy"]["tree"]
        assert sorted(tree["some"]) == ["private", "public"]
        assert tree["none"] == ["none"]


@pytest.mark.slow
def test_a_pinned_level_is_kept_by_the_search(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 400)) as visitor:
        prepare(visitor, k=2)
        number = list(visitor.app_state.project.words["columns"]).index("sex")
        visitor.post("/explore/pin", column=str(number), level="1")
        assert searched(visitor).document["method"]["transformation"]["sex"] == 1


@pytest.mark.slow
def test_exploring_gives_points_to_pick_and_steps_around(found):
    found.post("/explore/sweep", k="2,4", max_suppression="", l="")
    assert found.wait().state.value == "done"
    page = found.get("/explore").text
    assert page.count('name="row"') == 2
    found.post("/explore/around")
    assert found.wait().state.value == "done"
    levels = found.app_state.current_run().document["method"]["transformation"]
    steps = found.app_state.jobs.results[f"around {found.app_state.project.fingerprint()}"]["rows"]
    assert {row["column"] for row in steps} == set(levels)
    cost = {(row["column"], row["up"]): row for row in steps}
    assert all(abs(row["level"] - levels[row["column"]]) == 1 for row in cost.values())


def watched(visitor):
    """Wait for the job; give what it told on the way, each message once."""
    told, looked = [], 0.0
    while visitor.app_state.jobs.current() is not None:
        said = visitor.app_state.jobs.latest.progress()
        if not told or told[-1] != said:
            told.append(said)
        if time.monotonic() - looked > 0.4:  # as often as a page asks
            looked = time.monotonic()
            assert visitor.get("/job").status_code == 200
        time.sleep(0.05)
    return told


def searched_with_progress(visitor):
    """Stop a search, search again, and check that its progress never goes back."""
    visitor.post("/search")
    assert visitor.app_state.jobs.current() is not None
    visitor.post("/job/cancel")
    assert visitor.app_state.jobs.poll().state.value == "cancelled"
    assert visitor.app_state.runs() == []
    visitor.post("/search")
    told = watched(visitor)
    job = visitor.app_state.jobs.poll()
    assert job.state.value == "done", job.faults
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert len({message for _, message in told}) > 1
    return visitor.app_state.current_run()


@pytest.mark.slow  # a job of a small table is stopped above
@needs("data/adult/adult.csv")
def test_adult_is_searched_with_progress_after_it_was_stopped(tmp_path):
    (tmp_path / "adult.csv").write_bytes(shared("data/adult/adult.csv").read_bytes())
    with visiting(tmp_path, tmp_path / "adult.csv") as visitor:
        assert "30,162 records" in visitor.get("/data").text
        private = {"occupation": "sensitive", "salary-class": "insensitive"}
        known = dict.fromkeys(visitor.app_state.project.words["columns"], "quasi-identifier")
        visitor.post("/roles", all="yes", **roles_of(visitor, **{**known, **private}))
        visitor.post("/search/method", algorithm="local", max_suppression="5", time_limit="")
        run = searched_with_progress(visitor)
        records = run.document["records"]
        assert records["released"] + records["suppressed"] == 30_162
        assert run.document["models"][0]["holds"]


def opened_with_progress(visitor, name):
    """Open a table, and check that the bar that the page shows meanwhile never goes back."""
    visitor.post("/data/open", path=name)
    told = []
    while visitor.app_state.pending is not None:
        told += re.findall(r'<progress max="1" value="([0-9.]+)"', visitor.get("/data").text)
        time.sleep(0.02)
    shares = list(map(float, told))
    assert shares == sorted(shares)
    assert len(set(shares)) > 3


@pytest.mark.slow
def test_a_million_records_are_searched_with_progress_after_they_were_stopped(
    tmp_path, monkeypatch
):
    """No page waits for the table, or counts it again: one that lacks a figure asks once more."""
    path = patients(tmp_path, 1_000_000)
    with visiting(tmp_path) as visitor:
        opened_with_progress(visitor, path.name)
        assert "1,000,000 records" in visitor.get("/data").text
        prepare(visitor, k=5)
        visitor.post("/search/method", algorithm="local", max_suppression="5", time_limit="")
        run = searched_with_progress(visitor)
        records = run.document["records"]
        assert records["released"] + records["suppressed"] == 1_000_000
        monkeypatch.setattr(state, "PATIENCE_SECONDS", 0.0)
        assert "will update by itself" in visitor.get("/hierarchies").text
        monkeypatch.setattr(state, "PATIENCE_SECONDS", 60.0)
        assert "will update by itself" not in visitor.get("/hierarchies").text
        for page in ("data", "roles", "hierarchies", "promise", "search", "compare", "release"):
            began = time.process_time()
            assert visitor.get(f"/{page}").status_code == 200
            assert time.process_time() - began < 0.3, page
