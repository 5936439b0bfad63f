"""What names of columns mean: the words of ``vocabulary.toml``, matched in parts of names."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase, translate
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

LETTERS = str.maketrans({"ł": "l", "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe"})
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
NUMBERED = re.compile(r"([_\W])\d+$")  # columns of one kind, such as lab_17
WORDS = re.compile(r"[^\W\d_]+")
DIGITS = re.compile(r"(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])")

LONG_LABEL = 5  # words
SHORTEST_LAST = 3  # characters of the last part of a path

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a column may hold, by its name.

    Parameters
    ----------
    name : in words
    role : the role of such a column; ``undecided`` where the name is a warning only
    words : patterns of one or more neighboring parts of a name
    why : the end of the sentence that gives the reason
    rank : how commonly others know it, or how much harm its disclosure does; 1 to 3
    alone : the other parts of a name may only be fillers
    exact : the name is the word and nothing else
    sure : whether the name alone decides
    kind : ``number``, ``nominal``, ``date``, ``place``, or empty
    fits : least and greatest number that such a column can hold
    """

    name: str
    role: str
    words: tuple[Parts, ...]
    why: str
    rank: int = 1
    alone: bool = False
    exact: bool = False
    sure: bool = True
    kind: str = ""
    fits: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A meaning that was found in a name.

    Parameters
    ----------
    meaning : what was found
    word : the part of the name, as it is written there but in lower case
    whole : whether all other parts of the name are fillers
    alone : whether the name has no other part
    place : where the word stands: in the ``name`` of a column or in its ``label``
    """

    meaning: Meaning
    word: str
    whole: bool
    alone: bool
    place: str = "name"


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """All meanings, and the words around them; see ``vocabulary.toml``.

    Parameters
    ----------
    firsts : per first word of a pattern, the places of the meanings that have it, so that few of
        them are tried for a name
    open_firsts : matches what some of these words with a star or a question mark fits
    """

    meanings: tuple[Meaning, ...]
    fillers: frozenset[str]
    keys: tuple[str, ...]
    persons: tuple[str, ...]
    households: tuple[str, ...]
    counts: frozenset[str]
    firsts: Mapping[str, tuple[int, ...]]
    open_firsts: re.Pattern[str]

    def matches(self, name: str) -> tuple[Match, ...]:
        """Find every meaning of a column's name, one match for each."""
        return _matches_of(self, NUMBERED.sub(r"\g<1>1", name))

    def find(self, name: str) -> tuple[Match, ...]:
        """Find the meanings of a name that was not asked for before."""
        readings = readings_of(name)
        parts = {part for reading in readings for part in reading if not part.isdigit()}
        places = sorted({place for part in parts for place in self._begun_by(part)})
        found = (self._match(self.meanings[place], readings) for place in places)
        return tuple(
            replace(match, word=_as_written(match.word, name))
            for match in found
            if match is not None
        )

    def _begun_by(self, part: str) -> Iterator[int]:
        """Yield the places of the meanings that a pattern has which begins with a part."""
        yield from self.firsts.get(part, ())
        if self.open_firsts.fullmatch(part):
            for word, places in self.firsts.items():
                if _fits(part, word):
                    yield from places

    def matches_of_label(self, label: str) -> tuple[Match, ...]:
        """Find what the label of a column says, such as a question of a survey.

        Labels are sentences. A long one often names a thing that it does not ask for, so that only
        what is sensitive is taken from it; and no label makes a suggestion certain.
        """
        is_long = len(label.split()) > LONG_LABEL
        return tuple(
            replace(match, whole=False, place="label")
            for match in self.matches(label)
            if not is_long or match.meaning.role == "sensitive"
        )

    def numbers_things(self, name: str, *, may_count: bool = False) -> str | None:
        """Return the part of a name that says that its values tell records or people apart.

        Parameters
        ----------
        may_count : take a word such as ``number`` in front of a noun, too, which mostly counts
        """
        for parts in readings_of(NUMBERED.sub(r"\g<1>1", name)):
            for place, part in enumerate(parts):
                counts = place == 0 and len(parts) > 1 and part in self.counts
                if (may_count or not counts) and _is_one_of(part, self.keys):
                    return part
        return None

    def is_of_a_person(self, name: str) -> bool:
        """Return whether a name says that its numbers are those of people."""
        return any(_is_one_of(part, self.persons) for parts in readings_of(name) for part in parts)

    def is_of_a_household(self, name: str) -> bool:
        """Return whether a name says that its numbers are those of households or families."""
        return any(
            _is_one_of(part, self.households) for parts in readings_of(name) for part in parts
        )

    def _match(self, meaning: Meaning, readings: Sequence[Parts]) -> Match | None:
        """Find one meaning in the readings of a name."""
        found = None
        for parts in readings:
            for start, end in _places(parts, meaning.words):
                others = parts[:start] + parts[end:]
                whole = all(part in self.fillers or part.isdigit() for part in others)
                if (meaning.exact and others) or (meaning.alone and not whole):
                    continue
                if found is None or (whole and not found.whole):
                    found = Match(meaning, " ".join(parts[start:end]), whole, not others)
        return found


@lru_cache(maxsize=1 << 14)
def _matches_of(words: Vocabulary, name: str) -> tuple[Match, ...]:
    """Find the meanings of a name, once for all columns that differ in a number behind it."""
    return words.find(name)


@lru_cache(maxsize=1 << 14)
def _is_one_of(part: str, words: tuple[str, ...]) -> bool:
    """Return whether a part of a name is one of some words."""
    return any(_fits(part, word) for word in words)


@lru_cache(maxsize=1 << 14)
def readings_of(name: str) -> tuple[Parts, ...]:
    """Split a column's name into lower-case parts, in every way that its writing allows.

    Examples
    --------
    >>> readings_of("HHIncome")
    (('hh', 'income'), ('hhincome',))
    >>> readings_of("diag_1")
    (('diag', '1'),)
    """
    plain = folded(name)
    last = plain.rsplit("/", maxsplit=1)[-1]  # of a form's groups of questions
    camel = CAMEL.sub(" ", plain)
    lower = plain.lower()
    written = [camel.lower(), DIGITS.sub(" ", camel.lower()), lower]
    if last != plain and len(last) >= SHORTEST_LAST:
        written.append(last.lower())
    readings = (tuple(re.findall(r"[a-z0-9]+", text)) for text in written)
    return tuple(dict.fromkeys(parts for parts in readings if parts))


def _as_written(word: str, name: str) -> str:
    """Return a word as it stands in a name, with its accents, in lower case."""
    written = (name, *WORDS.findall(name))
    return next((one.lower() for one in written if folded(one).lower() == word), word)


def folded(text: str) -> str:
    """Write a text without accents; the case stays."""
    lowered = "".join(
        character.translate(LETTERS) if character.islower() else _upper(character)
        for character in text
    )
    decomposed = unicodedata.normalize("NFKD", lowered)
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark))


@cache
def vocabulary() -> Vocabulary:
    """Read the vocabulary, once."""
    text = (
        files("indistinct.tables.drafting").joinpath("vocabulary.toml").read_text(encoding="utf-8")
    )
    words = tomllib.loads(text)
    meanings = tuple(_meaning(entry) for entry in words["meaning"])
    firsts: dict[str, tuple[int, ...]] = {}
    for place, meaning in enumerate(meanings):
        for first in {pattern[0] for pattern in meaning.words}:
            firsts[first] = (*firsts.get(first, ()), place)
    opened = [translate(first) for first in firsts if "*" in first or "?" in first]
    return Vocabulary(
        meanings=meanings,
        firsts=firsts,
        open_firsts=re.compile("|".join(opened) or r"(?!)"),
        fillers=frozenset(words["fillers"]),
        keys=tuple(words["keys"]),
        persons=(*words["persons"], *words["households"]),
        households=tuple(words["households"]),
        counts=frozenset(words["counts"]),
    )


def _meaning(entry: dict[str, Any]) -> Meaning:
    """Read one entry."""
    patterns = tuple(tuple(word.split()) for word in entry.pop("words"))
    fits = tuple(entry.pop("fits", ())) or None
    return Meaning(words=patterns, fits=fits, **entry)


def _places(parts: Parts, words: Iterable[Parts]) -> Iterator[tuple[int, int]]:
    """Find where patterns stand among the parts of a name."""
    for word in words:
        for start in range(len(parts) - len(word) + 1):
            end = start + len(word)
            if all(_fits(part, one) for part, one in zip(parts[start:end], word, strict=True)):
                yield start, end


def _fits(part: str, word: str) -> bool:
    """Return whether a part of a name is a word of the vocabulary."""
    if part == word:
        return True
    # A pattern is compiled on its first use, and most do not fit by their first letter alone.
    may_begin_so = word[0] in "*?[" or part.startswith(word[0])
    return ("*" in word or "?" in word) and may_begin_so and fnmatchcase(part, word)


def _upper(character: str) -> str:
    """Fold an upper-case letter that has no decomposition."""
    return character.lower().translate(LETTERS).upper() if character in "ŁØ" else character
