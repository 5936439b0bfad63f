"""The known word that somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LEAST_LIKENESS = 0.6  # of two words, in [0, 1]


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like a word; None where none is like it.

    Case, hyphens, underscores and spaces make no difference.
    """
    plain = {_plain(one): one for one in known}
    found = get_close_matches(_plain(word), plain, n=1, cutoff=LEAST_LIKENESS)
    return plain[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str], otherwise: str) -> str:
    """Ask for the nearest known word; give another sentence where there is none."""
    found = nearest(word, known)
    return otherwise if found is None else f'Did you mean "{found}"?'


def _plain(word: str) -> str:
    """Write a word in one way."""
    return word.strip().lower().replace("-", "_").replace(" ", "_")
