"""What the engine says, in the language of a page: by its code and its parts, not by its words.

A catalogue has a text for a code, with a hole for each part. What it does not have is shown in the
words of the engine, which are English, and marked as such for readers and for screen readers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from markupsafe import Markup, escape

from indistinct.base.coded_text import CodedText, sentences_of
from indistinct.base.statements.number_texts import capitalized
from indistinct.errors import Fault
from indistinct.frontends.app.number_words import count, figure, listed, percent
from indistinct.frontends.app.texts import ENGLISH, CatalogueText, catalogue, language, text
from indistinct.tables.drafting import Doubt
from indistinct.tables.findings import Finding

# Parts that are sentences of the engine, and in English where the catalogue does not have them.
IN_ENGLISH = frozenset({"why", "kind", "achieved", "bounds"})
# Parts that are names or texts of the table, even if they are words of the engine as well.
OF_THE_TABLE = frozenset({"column", "other", "year", "age", "word", "symbol", "separator"})
AMOUNTS = frozenset({"mean", "asked", "left", "most"})  # numbers that are no shares
# Words of a policy file, and options of the command: a page has a field or a button for each.
OF_A_COMMAND = re.compile(
    r"--\w|\bind\.|\[data\]|\bdata\.\w|\bcolumns\.|\b(?:unreadable|type|missing|quote|escape) = "
)
MOST_NAMES = 4  # columns that are named before the others are counted


def finding_text(finding: Finding) -> Markup:
    """Return what was found, and what to do."""
    prefix = f"{finding.table}." if finding.table else ""
    names = [f"{prefix}{name}" for name in finding.columns]
    more = [text("bar.more", number=len(names) - MOST_NAMES)] * (len(names) > MOST_NAMES)
    parts = {
        "columns": " ".join([", ".join(names[:MOST_NAMES]), *more]),
        "count": finding.count,
        "of": finding.of,
        "unit": finding.unit,
        "share": float(finding.share),
        "k_after": finding.k_after or 0,
    }
    name = f"finding.{finding.code}"
    message = coded(f"{name}.message", finding.message, parts, ending=".")
    return Markup("{} {}").format(message, coded(f"{name}.remedy", finding.remedy, parts))


def columns_of(doubt: Doubt) -> str:
    """Return the columns that a question is about, in short."""
    first, *others = doubt.about
    if len(others) < MOST_NAMES:
        return listed(doubt.about)
    return text("doubt.columns", first=first, last=others[-1], number=len(doubt.about))


def fault_text(fault: Fault) -> Markup:
    """Return where something is wrong, what is, and what to do about it."""
    where, name = _where(fault), f"fault.{fault.code}"
    lead = Markup("<code>{}</code>: ").format(where) if where else Markup("")
    problem = coded(f"{name}.problem", fault.problem, fault.parts, ending=".", begins=not where)
    remedy = coded(f"{name}.remedy", fault.remedy, fault.parts) if fault.remedy else Markup("")
    return Markup("{}{} {}").format(lead, problem, remedy)


def spoken(said: str) -> Markup:
    """Return sentences of the engine in the language of the request, escaped."""
    return Markup(" ").join(spoken_sentences(said))


def spoken_sentences(said: str) -> list[Markup]:
    """Return the same one by one.

    A sentence that speaks of the policy file or of an option is left out, unless the catalogue has
    it in other words.
    """
    if isinstance(said, CatalogueText):
        return [escape(said)]
    return [
        coded(name, one.english, one.parts)
        for one in sentences_of(said)
        if (name := f"reason.{one.code}") in catalogue() or not OF_A_COMMAND.search(one.english)
    ]


def _where(fault: Fault) -> str:
    """Return the model and the columns that a fault is about, else its file; no policy's words."""
    table, _, rest = fault.place.partition(".")
    if not fault.code or table not in {"models", "columns", "data", "method", "release"}:
        return ", ".join(fault.columns) or fault.place
    model = [rest.partition(".")[0]] if table == "models" else []
    return ", ".join([*model, *fault.columns])


def coded(
    name: str,
    english: str,
    parts: Mapping[str, Any] | None = None,
    *,
    ending: str = "",
    begins: bool = True,
) -> Markup:
    """Return a sentence by its name, escaped, in the language of the request.

    Parameters
    ----------
    name : in the catalogue
    english : the sentence as the engine writes it
    parts : by the names of the holes of the text
    ending : a mark that follows it, unless it has one
    begins : whether nothing stands in front of it
    """
    found = catalogue().get(name)
    words = {one: _part(one, value) for one, value in (parts or {}).items() if value is not None}
    said = escape(english) if found is None else escape(found).format(**words)
    said += "" if said.endswith(ending) else ending
    if begins and not (found or "").startswith("{"):
        said = Markup(capitalized(said))  # noqa: S704 - escaped above
    if found is not None:
        return said
    if language.get() == ENGLISH or isinstance(english, CatalogueText):
        return said
    return Markup('{} <span lang="en">{}</span>').format(text("language.in_english"), said)


def _part(name: str, value: Any) -> Markup:
    """Return what is put into a sentence: a figure, a word of the engine, or a name as it is."""
    if isinstance(value, CodedText):
        (one,) = value.sentences
        return coded(f"reason.{one.code}", one.english, one.parts, begins=False)
    if name in AMOUNTS or isinstance(value, float):
        return escape(figure(float(value)) if name in AMOUNTS else percent(value))
    if isinstance(value, int):
        return escape(count(value))
    if not isinstance(value, str):
        return escape(listed(map(str, cast("Sequence[Any]", value))))
    word = None if name in OF_THE_TABLE else catalogue().get(f"part.{value}")
    if word is None and name in IN_ENGLISH and " " in value and language.get() != ENGLISH:
        return Markup('<span lang="en">{}</span>').format(value)
    return escape(value if word is None else word)
