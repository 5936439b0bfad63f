"""What names of columns mean: the words of ``glossary``, matched in parts of names."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

LETTERS = str.maketrans({"ł": "l", "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe"})
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
SERIES_SUFFIX = re.compile(r"([_\W])\d+$")  # columns of one kind, such as lab_17
WORDS = re.compile(r"[^\W\d_]+")
WILDCARD = re.compile(r"[*?]")
DIGITS = re.compile(r"(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])")

LONG_LABEL = 5  # words
SHORTEST_LAST = 3  # characters of the last part of a path
# Between what a name means and what says more of it.
OF = frozenset({"of", "at", "de", "del", "della", "di", "do", "da", "du", "des", "der", "von"})
# In front of a region they say whose it is.
OF_PEOPLE = frozenset({"birth", "death", "home", "residence", "res", "living", "origin", "work"})
LONGEST_ENDING, LONG_STEM = 3, 4  # letters behind a beginning, and of it, that leave it certain
AROUND = "around.toml"
# Words of these languages count whatever else stands in a table.
OF_ALL = ("en", "de", "fr", "es", "pl")
WITHOUT_BLANKS = "ja"
JAPANESE = frozenset({WITHOUT_BLANKS})

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
    test : what its values are held against, by a name of :data:`.evidence.value_tests.TESTS`
    inside : words that are found anywhere in a name, of languages that write no blanks
    languages : of the words of no common language, the languages
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
    test: str = "anything"
    inside: tuple[str, ...] = ()
    languages: Mapping[Parts, frozenset[str]] = field(default_factory=dict[Parts, frozenset[str]])


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
    is_head : whether it is the word that the others say more of: the last one, or the first in
        front of "of"
    is_doubtful : whether it means several things, or is the beginning of a longer word only
    languages : those that it is a word of; empty for a word of English, German, French, Spanish
        or Polish, which counts in every table
    """

    meaning: Meaning
    word: str
    whole: bool
    alone: bool
    place: str = "name"
    is_head: bool = False
    is_doubtful: bool = False
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """All meanings, and the words around them; see ``glossary``.

    Parameters
    ----------
    firsts : per first word of a pattern, the places of the meanings that have it, so that few of
        them are tried for a name
    openings : per beginning of the words among these that have a star or a question mark, the words
    """

    meanings: tuple[Meaning, ...]
    fillers: frozenset[str]
    keys: tuple[str, ...]
    persons: tuple[str, ...]
    households: tuple[str, ...]
    counts: frozenset[str]
    ambiguous: frozenset[str]
    firsts: Mapping[str, tuple[int, ...]]
    openings: Mapping[str, Parts]

    def matches(self, name: str) -> tuple[Match, ...]:
        """Find every meaning of a column's name, one match for each."""
        return _matches_of(self, SERIES_SUFFIX.sub(r"\g<1>1", name))

    def find(self, name: str) -> tuple[Match, ...]:
        """Find the meanings of a name that was not asked for before."""
        readings = readings_of(name)
        parts = {part for reading in readings for part in reading if not part.isdigit()}
        places = sorted({place for part in parts for place in self._begun_by(part)})
        found = [self._match(self.meanings[place], readings) for place in places]
        by_parts = tuple(
            replace(match, word=_as_written(match.word, name))
            for match in found
            if match is not None
        )
        return by_parts if name.isascii() else (*by_parts, *self._inside(name))

    def _inside(self, name: str) -> Iterator[Match]:
        """Find the words of languages without blanks; the last word of a name is its head."""
        plain = folded(name).lower()
        for meaning in self.meanings:
            word = max((one for one in meaning.inside if one in plain), key=len, default="")
            if word:
                is_last = plain.endswith(word) or plain[plain.index(word) :].isalpha()
                ends = plain.endswith(word)
                yield Match(meaning, word, ends, plain == word, is_head=is_last, languages=JAPANESE)

    def _begun_by(self, part: str) -> Iterator[int]:
        """Yield the places of the meanings that a pattern has which begins with a part."""
        yield from self.firsts.get(part, ())
        for end in range(len(part) + 1):
            for word in self.openings.get(part[:end], ()):
                if _fits(part, word):
                    yield from self.firsts[word]

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

    def telling_words(self, name: str) -> Parts:
        """Return the parts of a name that say what it is: without numbers and form words."""
        parts = next(iter(readings_of(name)), ())
        return tuple(one for one in parts if one not in self.fillers and not one.isdigit())

    def numbers_things(self, name: str, *, may_count: bool = False) -> str | None:
        """Return the part of a name that says that its values tell records or people apart.

        Parameters
        ----------
        may_count : take a word such as ``number`` in front of a noun, too, which mostly counts
        """
        for parts in readings_of(SERIES_SUFFIX.sub(r"\g<1>1", name)):
            for place, part in enumerate(parts):
                counts = place == 0 and len(parts) > 1 and part in self.counts
                if (may_count or not counts) and _is_one_of(part, self.keys):
                    return part
        return None

    def is_key(self, name: str) -> bool:
        """Return whether a name is a word for a number and nothing else."""
        return any(len(parts) == 1 and parts[0] in self.keys for parts in readings_of(name)[:1])

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
            # Of places that are as certain the shortest counts, whatever the order of the words.
            for start, end, word in sorted(_places(parts, meaning.words), key=_length_of):
                others = parts[:start] + parts[end:]
                whole = all(
                    part in self.fillers or part.isdigit() or (part,) in meaning.words
                    for part in others
                )
                is_head = self._is_head(parts, start, end)
                is_of_people = all(part in OF_PEOPLE for part in others)
                may_be_head = meaning.test == "region" and is_head and is_of_people
                if (meaning.exact and others) or (meaning.alone and not whole and not may_be_head):
                    continue
                is_alone = not others and len(readings[0]) == 1
                one = Match(
                    meaning,
                    " ".join(parts[start:end]),
                    whole,
                    not others,
                    is_head=is_head,
                    is_doubtful=self._is_doubtful(parts[start:end], word, is_alone=is_alone),
                    languages=meaning.languages.get(word, frozenset()),
                )
                if found is None or _certainty(one) > _certainty(found):
                    found = one
        return found

    def _is_head(self, parts: Parts, start: int, end: int) -> bool:
        """Return whether what was found is what the other parts of a name say more of."""
        behind = parts[end:]
        if behind and behind[0] in OF:
            return all(part in self.fillers for part in parts[:start])
        is_last = all(part in self.fillers or part.isdigit() for part in behind)
        return is_last and not any(part in OF for part in parts[:start])

    def _is_doubtful(self, parts: Parts, word: Parts, *, is_alone: bool) -> bool:
        """Return whether a word means several things, or is a beginning that much follows."""
        if len(parts) == 1 and parts[0] in self.ambiguous:
            return True
        if len(parts) > 1:
            return False
        rests = [
            (len(one) - len(stem.strip("*")), len(stem.strip("*")))
            for one, stem in zip(parts, word, strict=True)
            if "*" in stem
        ]
        return any(
            rest > LONGEST_ENDING and not (is_alone and stem >= LONG_STEM) for rest, stem in rests
        )


def _length_of(place: tuple[int, int, Parts]) -> tuple[int, int, int, Parts]:
    """Order places in a name by their parts, then from left to right."""
    start, end, word = place
    return end - start, start, end, word


def _certainty(match: Match) -> tuple[bool, bool, bool]:
    """Order the places where a name has a meaning."""
    return match.whole, not match.is_doubtful, match.is_head


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
    folder = files("indistinct.tables.drafting").joinpath("glossary")
    entries = {
        one.name: tomllib.loads(one.read_text(encoding="utf-8"))
        for one in sorted(folder.iterdir(), key=lambda one: one.name)
        if one.name.endswith(".toml")
    }
    around = {word: _all_of(lists) for word, lists in entries.pop(AROUND).items()}
    meanings = tuple(map(_meaning, entries.values()))
    firsts: dict[str, tuple[int, ...]] = {}
    for place, meaning in enumerate(meanings):
        for first in {pattern[0] for pattern in meaning.words}:
            firsts[first] = (*firsts.get(first, ()), place)
    openings: dict[str, Parts] = {}
    for first in firsts:
        beginning = WILDCARD.split(first, maxsplit=1)[0]
        if beginning != first:
            openings[beginning] = (*openings.get(beginning, ()), first)
    return Vocabulary(
        meanings=meanings,
        firsts=firsts,
        openings=openings,
        fillers=frozenset(around["fillers"]),
        keys=around["keys"],
        persons=(*around["persons"], *around["households"]),
        households=around["households"],
        counts=frozenset(around["counts"]),
        ambiguous=frozenset(around["ambiguous"]),
    )


def _all_of(lists: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the words of all languages, once each."""
    return tuple(dict.fromkeys(word for words in lists.values() for word in words))


def _meaning(entry: dict[str, Any]) -> Meaning:
    """Read one concept."""
    words: dict[str, list[str]] = entry.pop("words")
    inside = tuple(folded(word).lower() for word in words.pop(WITHOUT_BLANKS, ()))
    languages: dict[Parts, frozenset[str]] = {}
    for language, some in words.items():
        for word in () if language in OF_ALL else some:
            parts = tuple(word.split())
            languages[parts] = languages.get(parts, frozenset()) | {language}
    common = {tuple(word.split()) for language in OF_ALL for word in words.get(language, ())}
    patterns = tuple(dict.fromkeys((*common, *languages)))
    fits = tuple(entry.pop("fits", ())) or None
    return Meaning(
        words=patterns,
        fits=fits,
        inside=inside,
        languages={word: one for word, one in languages.items() if word not in common},
        **entry,
    )


def _places(parts: Parts, words: Iterable[Parts]) -> Iterator[tuple[int, int, Parts]]:
    """Find where patterns stand among the parts of a name."""
    for word in words:
        for start in range(len(parts) - len(word) + 1):
            end = start + len(word)
            if all(_fits(part, one) for part, one in zip(parts[start:end], word, strict=True)):
                yield start, end, word


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
