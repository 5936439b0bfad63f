"""What the page on questions shows is what the program does."""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path

import pytest

from indistinct.frontends.cli.database import app
from indistinct.questions.database import open_session
from indistinct.questions.database.loading import build
from people import declare, person

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "database.md").read_text(encoding="utf-8")


def test_the_declaration_on_the_page_is_one(tmp_path):
    """Every line of it is understood, those behind a comment sign too."""
    text, of_cells = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert {"dataset", "columns"} == {*tomllib.loads(of_cells)}
    text = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE).replace('"..."', f'"{"0" * 64}"')
    dataset = build(tomllib.loads(text), tmp_path)
    assert dataset.keys["age_group"].labels == ("< 20", "[20, 50)", ">= 50")
    assert dataset.analyst("alice").cap == 10**9


@pytest.mark.parametrize("measure", ["COUNT(*)", "SUM(x)", "AVG(x)", "MEDIAN(x)", "VARIANCE(x)"])
def test_every_measure_on_the_page_is_answered(tmp_path, measure):
    """The grammar of the page is that of the program."""
    assert re.search(rf"`{re.escape(measure.removesuffix('(x)'))}", PAGE)
    with open_session(declare(tmp_path, [person(1)])) as session:
        session.ask(f"SELECT {measure.replace('x', 'age')} FROM people", epsilon=1)


def test_every_command_is_on_the_page():
    """Nothing can be typed that is not explained there, or on the page of questions."""
    pages = PAGE + (DOCS / "questions.md").read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert f"indistinct database {command.name}" in pages


@pytest.mark.parametrize(
    ("epsilon", "sure"), re.findall(r"^\| ([\d.]+) \| (\d+) % \|$", PAGE, re.MULTILINE)
)
def test_how_sure_somebody_can_be(epsilon, sure):
    """From one half, by e^epsilon."""
    odds = math.exp(float(epsilon))
    assert round(100 * odds / (1 + odds)) == int(sure)
