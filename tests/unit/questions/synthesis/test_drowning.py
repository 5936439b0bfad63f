"""Warnings where the noise is as large as what is counted: when, and what would be needed."""

import json
import re

import pytest

import indistinct as ind
from indistinct.frontends.cli.main import status
from indistinct.questions.database.loading import load
from indistinct.questions.synthesis.drowning import drowning, fewest_records
from indistinct.questions.synthesis.plan import make_plan
from indistinct.questions.synthesis.request import price_of
from people import write_rows

COLUMNS = 12


def study(folder, n=150, columns=COLUMNS, words=""):
    """Declare a small study of many answers; give the declaration's path."""
    header = ("id", *(f"x{number}" for number in range(columns)))
    rows = [
        (f"p{row}", *("abc"[(row + number) % 3] for number in range(columns))) for row in range(n)
    ]
    data = write_rows(folder / "study.csv", rows, header)
    path = folder / "study.toml"
    values = dict.fromkeys(header[1:], ("a", "b", "c"))
    ind.database.init(data, person="id", epsilon=500, delta=1e-6, out=path, values=values)
    path.write_text(f"{path.read_text('utf-8')}\n{words}", "utf-8")
    return path


def planned(path, epsilon):
    return make_plan(load(path), epsilon)


def test_a_small_study_of_many_columns_is_warned_before_and_after(tmp_path, capsys):
    path = study(tmp_path)
    before = price_of(path, "0.5", rows=150).warning
    assert before.startswith("The noise on each count (")
    assert "of 150 records on average" in before
    assert re.search(r"Needed would be an epsilon of at least [\d.]+ or .* records\.$", before)
    found = ind.synthesize(path, epsilon="0.5")
    assert found.warning is not None
    assert "warning" not in found.manifest
    assert (
        status(["synthesize", str(path), "--epsilon", "0.5", "--dry-run"], show_values=False) == 0
    )
    assert "warning: " in capsys.readouterr().out
    out = str(tmp_path / "s.csv")
    words = ["synthesize", str(path), "--epsilon", "0.5", "--out", out, "--json"]
    assert status(words, show_values=False) == 0
    assert json.loads(capsys.readouterr().out)["warning"].startswith("The noise on each count")


@pytest.mark.parametrize(
    "words", ["", '[synthesis]\nfocus = "x3"\n', '[synthesis]\nalgorithm = "independent"\n']
)
def test_what_is_said_to_be_needed_is_enough(tmp_path, words):
    """With it counts are three times the noise, and with a little less they are not."""
    path = study(tmp_path, words=words)
    plan = planned(path, "0.5")
    n = fewest_records(plan) * 2 // 3
    said = drowning(plan, n)
    assert said.drowns
    with_it = drowning(planned(path, f"{said.epsilon:.6g}"), n)
    assert with_it.counted == pytest.approx(3 * with_it.noise, rel=0.02)
    assert with_it.counted >= 3 * with_it.noise * (1 - 1e-6)
    needed = int(re.search(r"about ([\d,]+) records", said.warning)[1].replace(",", ""))
    more = drowning(plan, needed)
    assert more.counted == pytest.approx(3 * more.noise, rel=0.01)
    if said.columns is not None and "focus" not in words:
        (tmp_path / "fewer").mkdir()
        fewer = drowning(
            planned(study(tmp_path / "fewer", columns=said.columns, words=words), "0.5"), n
        )
        assert fewer.counted >= 3 * fewer.noise * 0.99


def test_fewer_columns_are_named_where_they_help(tmp_path):
    plan = planned(study(tmp_path, columns=40), "3")
    said = drowning(plan, fewest_records(plan) - 1)
    assert 2 <= said.columns < 40
    assert f"at most {said.columns} columns" in said.warning


def test_the_number_below_which_it_drowns_is_exact(tmp_path):
    plan = planned(study(tmp_path), "1")
    fewest = fewest_records(plan)
    assert drowning(plan, fewest - 1).drowns
    assert not drowning(plan, fewest + 1).drowns


def test_nothing_is_said_where_there_is_enough(tmp_path):
    path = study(tmp_path, n=900, columns=4)
    assert price_of(path, "5", rows=900).warning is None
    assert price_of(path, "5").warning is None
    assert ind.synthesize(path, epsilon="5").warning is None


def test_a_dry_run_does_not_count_the_records(tmp_path):
    """What it says of 150 and of 900 people is the same; of small tables it says what they need."""
    said = []
    for n in (150, 900):
        (tmp_path / str(n)).mkdir()
        said.append(price_of(study(tmp_path / str(n), n=n), "0.5").document())
    assert said[0]["warning"] == said[1]["warning"]
    assert said[0]["fewest_records"] == said[1]["fewest_records"]
    assert said[0]["warning"].startswith(f"With fewer than {said[0]['fewest_records']:,} records")
    assert "needed would be an epsilon of at least" in said[0]["warning"]


def test_a_budget_too_small_for_what_the_delta_is_meant_for_is_warned_of(tmp_path):
    said = price_of(study(tmp_path, columns=3), "0.01").warning
    assert "of 1,414 records on average" in said
