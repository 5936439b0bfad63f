"""Every text of the application stands in one catalogue, and is used."""

import re
from pathlib import Path
from string import Formatter

import indistinct.frontends.app
from indistinct.frontends.app.pages.explore import AROUND
from indistinct.frontends.app.pages.promise import PRESETS
from indistinct.frontends.app.pages.release import FIELDS
from indistinct.frontends.app.texts import catalogue, text
from indistinct.frontends.app.work import WORK
from indistinct.tables.core.schema import Role

ROOM = Path(indistinct.frontends.app.__file__).parent
TEMPLATES = sorted((ROOM / "templates").glob("*.html"))
SOURCES = [*TEMPLATES, *ROOM.rglob("*.py")]


def test_a_template_has_no_words_of_its_own():
    for path in TEMPLATES:
        source = path.read_text(encoding="utf-8")
        bare = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", source, flags=re.DOTALL)
        shown = re.sub(r"<[^>]*>", " ", bare, flags=re.DOTALL)
        assert not re.search(r"[A-Za-z]{2,}", shown), path.name
        for said in re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', bare):
            assert not re.search(r"[A-Za-z]{2,}", said), path.name


def test_every_text_that_is_asked_for_is_there():
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        asked = r"""\b(?:t|text)\(\s*["']([a-z_]+(?:\.[a-z_-]+)*)["']\s*[,)]"""
        for name in re.findall(asked, source):
            assert name in catalogue(), (path.name, name)


def test_every_text_is_asked_for_somewhere():
    everything = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    for name in catalogue():
        family = name.rpartition(".")[0]
        made = re.escape(family.partition(".")[0])
        if f'"{name}"' in everything or f"'{name}'" in everything:
            continue
        is_made = rf"""["']{made}\.?[a-z_.]*(["']\s*~|\{{)|, "{made}"\)"""
        assert re.search(is_made, everything), name


def test_words_that_are_made_of_names_are_there():
    for family, names in (
        ("job", WORK),
        ("role", [role.value for role in Role]),
        ("context", FIELDS),
        ("explore", [f"vary_{name}" for name in AROUND]),
        ("preset", [f"{name}.about" for name in PRESETS]),
    ):
        for name in names:
            assert text(f"{family}.{name}")


def test_texts_are_written_as_sentences_and_names():
    for name, said in catalogue().items():
        assert said == said.strip(), name
        assert "  " not in said, name
        assert "&" not in said, name
        list(Formatter().parse(said))
