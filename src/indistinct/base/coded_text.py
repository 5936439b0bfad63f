"""Sentences in English that know their codes and parts, so that other languages can say them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, or what is put into one.

    Parameters
    ----------
    english : as it is said where no other language is asked for
    code : what it says; empty where nothing but its words tells
    parts : what is put into it, by the names of its holes
    """

    english: str
    code: str = ""
    parts: dict[str, Any] = field(default_factory=dict[str, Any])


class CodedText(str):
    """Sentences one after another: a text for all who read English."""

    __slots__ = ("sentences",)
    sentences: tuple[Sentence, ...]


def sentence(code: str, english: str, /, **parts: Any) -> CodedText:
    """Return a sentence.

    Parameters
    ----------
    english : with a hole for each part

    Examples
    --------
    >>> sentence("rows", "It has {count:,} rows.", count=2000)
    'It has 2,000 rows.'
    """
    return _of((Sentence(english.format(**parts), code, parts),))


def joined(*texts: str) -> CodedText:
    """Return the sentences of several texts; those without a code stay as they are."""
    return _of(tuple(one for text in texts for one in sentences_of(text)))


def read_sentences(documents: Iterable[Mapping[str, Any]]) -> CodedText:
    """Return sentences that came as JSON through another process."""
    return _of(tuple(Sentence(**one) for one in documents))


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text; one without a code for any other text."""
    if isinstance(text, CodedText):
        return text.sentences
    return (Sentence(text),) if text else ()


def _of(sentences: tuple[Sentence, ...]) -> CodedText:
    """Return a text of sentences."""
    found = CodedText(" ".join(one.english for one in sentences))
    found.sentences = sentences
    return found
