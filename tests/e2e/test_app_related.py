"""Several tables in the application: a folder is looked at, confirmed, released, and attacked."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import indistinct as ind
from app_visits import RELATED as FORM, related_form as confirmed, visiting
from hospitals import hospital


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """Return a start folder with a hospital in a folder of it."""
    (tmp_path / "hospital").mkdir()
    for name, frame in hospital(1, 40, 3).items():
        frame.write_csv(tmp_path / "hospital" / f"{name}.csv")
    return tmp_path


def looked(visitor: Any) -> str:
    """Look at the hospital; return the page."""
    assert "hospital" in visitor.get("/related").text
    visitor.post("/related/look", folder="hospital", profile="")
    assert visitor.wait().state.value == "done", visitor.app_state.jobs.latest.faults
    return html.unescape(visitor.get("/related").text)


def test_a_folder_becomes_a_release_that_verifies(start: Path) -> None:
    with visiting(start) as visitor:
        page = looked(visitor)
        assert "patients: 40 rows" in page
        assert "<svg" in page
        assert "patients by pid" in page
        visitor.post("/related", **confirmed(visitor), do="release")
        assert visitor.wait().state.value == "done", visitor.app_state.jobs.latest.faults
        page = html.unescape(visitor.get("/related").text)
        assert "k = 2 and m = 1 was verified" in page
        assert "known events" in page
        assert "/related/1/events.csv" in page
        assert visitor.get("/related/1/events.csv").status_code == 200
        assert visitor.get("/related/1/crosswalk").status_code == 422
    place = start / "related-releases" / "0001"
    assert place.stat().st_mode & 0o777 == 0o700
    found = ind.verify(
        place / "release",
        ind.RelatedPolicy.load(place / "policy.toml"),
        original=start / "hospital",
        crosswalk=place / "crosswalk",
    )
    assert found.holds is True, found.faults


def test_what_is_wrong_is_told_and_what_was_chosen_stays(start: Path) -> None:
    with visiting(start) as visitor:
        looked(visitor)
        form = confirmed(visitor)
        wrong = {name: "" if name.startswith("leads-") else said for name, said in form.items()}
        answer = visitor.post("/related", **{**wrong, "k": "7"}, do="release")
        assert answer.status_code == 422
        page = html.unescape(answer.text)
        assert "reaches no person" in page
        assert re.search(r'name="k"[^>]*value="7"', page)
        assert visitor.app_state.jobs.latest.kind == "related-tables"
        # What was sent as it was drafted names roles that nobody decided on.
        undecided = {**form, "role-0-1": "undecided", "role-1-1": "undecided"}
        assert "is undecided" in html.unescape(visitor.post("/related", **undecided).text)


def test_the_picture_follows_what_is_confirmed(start: Path) -> None:
    with visiting(start) as visitor:
        looked(visitor)
        form = confirmed(visitor, do="draw")
        public = {**form, "public-0": "yes", "people": "patients"}
        assert visitor.post("/related", **form).status_code == 303
        names = list(visitor.app_state.jobs.results["related-tables"]["tables"])
        assert names[0] == "events"
        assert visitor.post("/related", **public).status_code == 303
        page = html.unescape(visitor.get("/related").text)
        assert "events has no people in it" in page
        assert "patients by pid" not in page


def test_the_first_look_reads_no_folder_outside(start: Path) -> None:
    with visiting(start / "hospital") as visitor:
        for folder in ("..", "/", "../hospital", "nowhere"):
            assert visitor.post("/related/look", folder=folder, profile="").status_code == 422
        assert visitor.post("/related", **FORM).status_code == 422
        assert "Folder" in visitor.get("/related").text


def test_a_folder_of_one_table_is_not_offered(tmp_path: Path) -> None:
    hospital(1)["events"].write_csv(tmp_path / "events.csv")
    with visiting(tmp_path) as visitor:
        assert "No folder here holds two tables" in html.unescape(visitor.get("/related").text)


def test_an_open_table_leaves_the_release_of_a_folder(start: Path) -> None:
    with visiting(start) as visitor:
        looked(visitor)
        shutil.copy(start / "hospital" / "patients.csv", start / "one.csv")
        visitor.post("/data/open", path="one.csv")
        assert "patients: 40 rows" in html.unescape(visitor.get("/related").text)
