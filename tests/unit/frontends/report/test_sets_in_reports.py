"""Columns of sets in the owner's report and on the public page."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

import indistinct as ind
from indistinct.frontends.app.runs import outcome_of
from indistinct.frontends.cli.main import status
from indistinct.frontends.report.write import write_release_report
from unit.tables.publish.test_set_forms import LONG, as_lists, as_rows, asked
from unit.tables.publish.test_sets import policy, table


def rows_of(page: Path) -> dict[str, list[str]]:
    """The rows of all tables by their first cell, and the page as one text."""
    text = page.read_text("utf-8")
    cells = [
        [
            html.unescape(re.sub("<[^>]+>", "", cell))
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row)
        ]
        for row in re.findall(r"<tr>.*?</tr>", text, re.DOTALL)
    ]
    return {one[0]: one[1:] for one in cells if one} | {"text": [html.unescape(text)]}


def test_the_owner_reads_what_sets_lost_and_who_is_found(tmp_path: Path) -> None:
    asked_for = policy(column={"suppression": "items"})
    release = ind.anonymize(table(), asked_for, seed=1)
    write_release_report(release, tmp_path / "o.html", name="r.csv")
    found, entry = rows_of(tmp_path / "o.html"), release.owner["sets"]["diagnoses"]
    assert float(found["Loss"][0]) == pytest.approx(entry["loss"], rel=0.1)
    bound = found["No release that leaves out whole items can have a loss below"][0]
    assert 0 < float(bound) <= float(found["Loss"][0])
    assert found["Labels that the release shows nowhere"] == [str(len(entry["left_out_items"]))]
    for label in entry["left_out_items"]:
        assert label in found
    raw, released = found["People for whom fewer than 5 records fit"]
    assert (float(raw.rstrip("%")) > 10, released) == (True, "0%")
    assert int(found["Fewest records that fit"][1]) >= 5


def test_readers_see_figures_and_no_label(tmp_path: Path) -> None:
    asked_for = policy(column={"suppression": "items"})
    release = ind.anonymize(table(), asked_for, seed=1)
    write_release_report(release, tmp_path / "p.html", name="r.csv", public=True)
    found = rows_of(tmp_path / "p.html")
    assert "under more general labels" in found["diagnoses"][1]
    assert "Different labels in the release" in found
    assert "Loss" not in found
    assert "Fewest records that fit" not in found
    for label in release.owner["sets"]["diagnoses"]["left_out_items"]:
        assert label not in found


def test_no_figure_of_the_other_columns_stands_for_the_sets(tmp_path: Path) -> None:
    """Two groups of ages are large, but whoever knows two diagnoses finds five records."""
    asked_for = policy(age="quasi-identifier", method={"max_suppression": 0.5})
    release = ind.anonymize(table(), asked_for, seed=1)
    exact = release.owner
    lost = exact["sets"]["diagnoses"]["loss"]
    assert exact["classes"]["smallest"] > 50
    assert exact["risk"]["prosecutor"] == 1 / exact["models"][0]["achieved"]["k"]
    assert exact["loss"] == {"loss": pytest.approx(lost / 2), "ncp": pytest.approx(lost / 2)}
    for public in (False, True):
        write_release_report(release, tmp_path / "o.html", name="r.csv", public=public)
        plain = re.sub(
            r"\s+", " ", re.sub("<[^>]+>", " ", (tmp_path / "o.html").read_text("utf-8"))
        )
        kept = re.search(r"Information kept (\d+)", plain)
        assert (kept is None) is public  # left out items have a part in it
        share = exact["statements"]["kept"]["share"]
        assert kept is None or int(kept[1]) == pytest.approx(100 * share, abs=1)
        least = exact["models"][0]["achieved"]["k"]
        assert f"Highest re-identification risk 1 in {least}" in plain
        assert "apart from the items in diagnoses" in plain
    assert outcome_of(exact).information == exact["statements"]["kept"]["share"]
    assert outcome_of(exact).risk == 1 / least


@pytest.mark.parametrize("form", [as_lists, as_rows])
def test_reports_of_lists_and_long_files(
    form: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the commands, from files alone."""
    monkeypatch.chdir(tmp_path)
    form(table()).write_parquet("in.parquet")
    asked(LONG if form is as_rows else None).save("policy.toml")
    given = ("--policy", "policy.toml")
    out = ("--out", "out.parquet", "--crosswalk", "cross.csv")
    assert status(["anonymize", "in.parquet", *given, *out], show_values=False) == 0
    before = ("--original", "in.parquet", "--crosswalk", "cross.csv", "--out", "o.html")
    assert status(["report", "out.parquet", *given, *before], show_values=False) == 0
    assert rows_of(tmp_path / "o.html")["People for whom fewer than 5 records fit"][1] == "0%"
    assert (
        status(["report", "out.parquet", *given, "--public", "--out", "p.html"], show_values=False)
        == 0
    )
    assert "Different labels in the release" in rows_of(tmp_path / "p.html")
