"""Check the words of the glossary, and show what they do to files whose roles are known.

    python benchmarks/glossary.py [FOLDER] [--words LANGUAGE]

It fails for a word that is not in plain form, that stands in two concepts of different roles, or
twice in one list. With `--words tr` it lists how many words each concept has in this language. If
FOLDER has labelled files (see `calibration.py`), it prints per language how many of their columns
are right, and with `--words` the columns whose names have one of these words.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from calibration import FOLDER, Judged, measured
from indistinct.tables.drafting.vocabulary import folded, readings_of

GLOSSARY = Path(__file__).resolve().parents[1] / "src/indistinct/tables/drafting/glossary"
AROUND = "around"
PLAIN = re.compile(r"[a-z0-9*?]+( [a-z0-9*?]+)*")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
WITHOUT_BLANKS = {"ja", "zh"}

Words = Mapping[str, Sequence[str]]


def concepts() -> dict[str, tuple[str, Words]]:
    """Return the role and the words per language of each concept."""
    found: dict[str, tuple[str, Words]] = {}
    for path in sorted(GLOSSARY.glob("*.toml")):
        entry = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.stem != AROUND:
            found[path.stem] = entry["role"], entry["words"]
    return found


def faults() -> Iterator[str]:
    """Yield what is wrong with the words."""
    around = tomllib.loads((GLOSSARY / f"{AROUND}.toml").read_text(encoding="utf-8"))
    ambiguous = {word for words in around["ambiguous"].values() for word in words}
    roles: dict[str, dict[str, str]] = defaultdict(dict)
    for concept, (role, lists) in concepts().items():
        yield from _faults_of_lists(concept, lists)
        for words in lists.values():
            for word in words:
                roles[word][role] = concept
    for section, lists in around.items():
        yield from _faults_of_lists(f"{AROUND}, {section}", lists)
    for word, by_role in sorted(roles.items()):
        if len(by_role) > 1 and word not in ambiguous:
            where = " and ".join(f"{concept} ({role})" for role, concept in by_role.items())
            yield f'"{word}" stands in {where}: leave one out, or add it to [ambiguous] of {AROUND}'


def _faults_of_lists(where: str, lists: Words) -> Iterator[str]:
    """Yield what is wrong with the lists of one concept."""
    for language, words in lists.items():
        if LANGUAGE.fullmatch(language) is None:
            yield f'{where}: "{language}" is not the code of a language, such as tr or pt-BR'
        for word, times in Counter(words).items():
            if times > 1:
                yield f'{where}: "{word}" stands twice in {language}'
            is_plain = PLAIN.fullmatch(word) or (language in WITHOUT_BLANKS and word)
            if not is_plain:
                plain = folded(word).lower()
                yield f'{where}: "{word}" is not in plain form; write "{plain}"'


def language_of(names: Sequence[str], telling: Mapping[str, str]) -> str:
    """Return the language that most names of a file have words of; empty for none.

    Parameters
    ----------
    telling : the language of each word that one language alone has
    """
    parts = {part for name in names for parts in readings_of(name) for part in parts}
    plain = " ".join(folded(name).lower() for name in names)
    found: Counter[str] = Counter()
    for word, language in telling.items():
        is_there = word in plain if language in WITHOUT_BLANKS else _stands_in(word, parts)
        found[language] += is_there
    language, times = found.most_common(1)[0]
    return language if times else ""


def telling_words() -> dict[str, str]:
    """Return the words that one language alone has, with this language."""
    languages: dict[str, set[str]] = defaultdict(set)
    for _, lists in concepts().values():
        for language, words in lists.items():
            for word in words:
                languages[word].add(language)
    return {
        word: next(iter(some))
        for word, some in languages.items()
        if len(some) == 1 and " " not in word
    }


def _stands_in(word: str, parts: set[str]) -> bool:
    """Return whether a word, or the first word of several, is a part of a name."""
    first = word.split(maxsplit=1)[0].strip("*?")
    return first in parts and len(first) > 2


def shares(columns: Sequence[Judged]) -> Iterator[str]:
    """Yield per language the labelled columns that are right, asked and wrong."""
    names: dict[str, list[str]] = defaultdict(list)
    for one in columns:
        names[one.file].append(one.name)
    telling = telling_words()
    languages = {file: language_of(some, telling) for file, some in names.items()}
    yield f"{'language':<10}{'files':>6}{'right':>7}{'asked':>7}{'wrong':>7}"
    for language in sorted(set(languages.values())):
        some = [one for one in columns if languages[one.file] == language]
        counts = Counter(one.verdict for one in some)
        n_files = sum(one == language for one in languages.values())
        figures = [f"{counts[word] / len(some):>7.0%}" for word in ("right", "asked", "wrong")]
        yield f"{language or '?':<10}{n_files:>6}{''.join(figures)}"


def touched(columns: Sequence[Judged], language: str) -> Iterator[str]:
    """Yield the labelled columns whose names have a word of a language, and what is said."""
    words = {word for _, lists in concepts().values() for word in lists.get(language, ())}
    for one in columns:
        parts = {part for parts in readings_of(one.name) for part in parts}
        plain = folded(one.name).lower()
        has_word = language in WITHOUT_BLANKS and any(word in plain for word in words)
        if has_word or any(_stands_in(word, parts) for word in words):
            yield f"{one.file}: {one.name}: {one.role} ({one.confidence}), {one.verdict}"


def main() -> None:
    """Check the words, and print what they do."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--words", default="", help="a language, such as tr")
    told = parser.parse_args()
    lines: list[str] = []
    if told.words:
        lists = {name: words.get(told.words, ()) for name, (_, words) in concepts().items()}
        lines += [f"{name:<20}{len(words):>4}  {', '.join(words)}" for name, words in lists.items()]
    wrong = list(faults())
    lines += [*wrong, f"{len(wrong)} faults in the words of {len(concepts())} concepts"]
    if (told.folder / "labels.json").exists():
        columns = measured(told.folder).columns
        lines += ["", *shares(columns)]
        lines += ["", *touched(columns, told.words)] if told.words else []
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
