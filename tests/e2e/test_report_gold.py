"""Pages as they were accepted: compare a changed page by eye, then accept it with UPDATE_GOLD=1."""

import os
from pathlib import Path

import pytest

from components_page import every_component
from indistinct.frontends.report.pages import html_of
from reported import settled, write_pages

GOLD = Path(__file__).parent / "gold"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    written = write_pages(tmp_path_factory.mktemp("pages"))
    texts = {name: settled(path.read_text("utf-8")) for name, path in written.items()}
    return {**texts, "components": html_of(every_component())}


@pytest.mark.parametrize("name", ["components", "owner", "public"])
def test_a_page_is_as_it_was_accepted(pages, name):
    accepted = GOLD / f"{name}.html"
    if os.environ.get("UPDATE_GOLD"):
        accepted.write_text(pages[name], encoding="utf-8")
    assert pages[name].splitlines() == accepted.read_text("utf-8").splitlines()
