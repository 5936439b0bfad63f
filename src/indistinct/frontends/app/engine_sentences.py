"""Reasons for roles in the language of a page.

The program writes English. A catalogue has its sentences as templates, each with one in the other
language; figures and names are taken from the English sentence. What it does not have is shown in
English, and marked as such for readers and for screen readers.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from markupsafe import Markup, escape

from indistinct.base.statements.number_texts import capitalized
from indistinct.frontends.app.texts import ENGLISH, CatalogueText, language, text

FILES = {"de": "sentences.de.toml"}
HOLE = "{}"
FIGURE = re.compile(r"[\d,]*\d(?:\.\d+)?%?")
SENTENCE = re.compile(r"\w \w.* (?:of|the|its|that|is|are) ")  # and not the name of a column

Templates = tuple[tuple[re.Pattern[str], Markup], ...]


def in_language(sentence: str, ending: str = "", *, begins: bool = True) -> Markup:
    """Return a sentence of the program, escaped, in the language of the request.

    Parameters
    ----------
    sentence : as the program writes it; empty for none. A text of the catalogue stays as it is
    ending : a mark that follows it, unless it has one
    begins : whether nothing stands in front of it
    """
    asked = ENGLISH if isinstance(sentence, CatalogueText) else language.get()
    said = translated(sentence, asked) if asked != ENGLISH else None
    body = escape(capitalized(sentence) if begins else sentence) if said is None else said
    body += ending if sentence and not body.endswith(ending) else ""
    if said is not None or asked == ENGLISH or not sentence:
        return body
    lead = text("language.in_english")
    return escape(lead) + Markup(' <span lang="en">{}</span>').format(body)


def translated(sentence: str, asked: str) -> Markup | None:
    """Return a sentence in another language; None where the catalogue does not have it."""
    for form, other in _templates(asked, "reasons"):
        if (found := form.fullmatch(sentence)) is not None:
            return other.format(*(_part(part, asked) for part in found.groups()))
    return None


def _part(part: str, asked: str) -> Markup:
    """Return what is put into a sentence: a figure, a phrase, or a name as it is."""
    if FIGURE.fullmatch(part):
        figure = part.translate(str.maketrans(",.", ".,"))
        return escape(figure.replace("%", "\u00a0%"))
    for form, other in _templates(asked, "phrases"):
        if (found := form.fullmatch(part)) is not None:
            return other.format(*(_part(one, asked) for one in found.groups()))
    if SENTENCE.search(part):
        return Markup('<span lang="en">{}</span>').format(part)
    return escape(part)


@cache
def _templates(asked: str, kind: str) -> Templates:
    """Return the sentences of a kind that a catalogue has, as patterns of the English ones."""
    return tuple((_pattern(english), escape(other)) for english, other in pairs(asked)[kind])


@cache
def pairs(asked: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the pairs of sentences of a language by their kind."""
    source = files("indistinct.frontends.app").joinpath(FILES[asked]).read_text(encoding="utf-8")
    found = tomllib.loads(source)
    return {kind: tuple((one[0], one[1]) for one in listed) for kind, listed in found.items()}


def _pattern(english: str) -> re.Pattern[str]:
    """Return a pattern that a sentence matches that was made of a template."""
    return re.compile("(.+?)".join(map(re.escape, english.split(HOLE))), re.DOTALL)
