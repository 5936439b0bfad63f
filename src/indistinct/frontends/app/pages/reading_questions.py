"""What is asked of the reading of a file: each question with two answers, and cells in both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from indistinct.errors import Fault
from indistinct.frontends.app.coded_texts import OF_A_COMMAND, columns_of
from indistinct.frontends.app.number_words import count
from indistinct.frontends.app.texts import catalogue, text
from indistinct.tables.drafting import Doubt

PLACE = re.compile(r'(?:data|columns)\.(?:"([^"]+)"|([^.]+))(?:\.\w+)*')
SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z0-9])")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the reading, as the page shows it.

    Parameters
    ----------
    number : by which its form names it
    title : the question
    evidence : what the program says of it, in sentences; no value of a record
    answers : of its two buttons
    examples : the line of the file, or 0 where there is none, with the cell or line in each answer
    """

    number: int
    title: str
    evidence: str
    answers: tuple[str, str]
    examples: Sequence[tuple[int, tuple[str, str]]]


def question_of(
    number: int, doubt: Doubt, examples: Sequence[tuple[int, tuple[str, str]]]
) -> Question:
    """Return a question in the words of the page."""
    first, second = (_answer(doubt.kind, one.answer, one.settle) for one in doubt.candidates)
    words = {"column": columns_of(doubt), "number": count(doubt.records), "word": _word(doubt)}
    name = f"asks.{doubt.kind}" if f"asks.{doubt.kind}" in catalogue() else "asks.other"
    return Question(number, text(name, **words), doubt.text, (first, second), examples)


def _answer(kind: str, answer: str, settle: Mapping[str, object]) -> str:
    """Return the words of a button."""
    year = next((said for place, said in settle.items() if place.endswith(".last_year")), None)
    if year is not None:
        return text("asks.last_year", year=year)
    for name in (f"asks.{kind}_{answer}", f"asks.as_{kind}"):
        if name in catalogue():
            return text(name, answer="UTF-8" if answer == "utf-8" else answer)
    return answer


def _word(doubt: Doubt) -> str:
    """Return the word that may be missing; empty for another question."""
    if doubt.kind != "missing":
        return ""
    words = next(iter(doubt.candidates[1].settle.values()))
    return cast("list[str]", words)[-1]


def without_options(fault: Fault, root: str) -> Fault:
    """Return why a file cannot be read in words that the page knows.

    Parameters
    ----------
    root : of the start folder, which is left out of paths
    """
    place = fault.place.removeprefix(root)
    if (column := PLACE.fullmatch(place)) is not None:
        place = column[1] or column[2]
    sentences = SENTENCES.split(fault.remedy)
    plain = " ".join(one for one in sentences if not OF_A_COMMAND.search(one))
    return replace(fault, place=place, remedy=plain or text("opening.refused_remedy"))
