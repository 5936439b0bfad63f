"""The cells of a column of texts that hold what leads to a person.

A cell names a person if its text is one that does, or if it holds an identifier of the record that
it is of. Where a column has few different texts, only the records are looked at one by one whose
identifier is a phrase of one of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.tables.findings.counted_table import CountedTable
from indistinct.tables.frames.frame import Column
from indistinct.tables.frames.small_columns import SMALL, distinct
from indistinct.tables.frames.texts import cell_texts, rows_that_fold_to

SHORTEST = 4  # characters of an identifier; shorter ones are in texts by chance
LEAST_CELLS, LEAST_PART = 2, 0.02  # that hold an identifier: fewer do by chance
MOST_PHRASES = 50_000  # of the different texts of a column


def n_cells_naming(table: CountedTable, name: str, told: frozenset[str]) -> int:
    """Count the cells that hold what leads to a person.

    Parameters
    ----------
    told : the texts that do so whose record they are of
    """
    identifiers = table.identifiers or ()
    rows = table.count([name], identifiers)
    shown = cell_texts(rows.frame[name])
    found = _are_told(shown, told)
    phrases = phrases_of(distinct(shown)) if identifiers else None
    for identifier in identifiers:
        held = hold_their_own(shown, cell_texts(rows.before[identifier]), phrases)
        if rows.is_real is not None:
            held &= rows.is_real
        count = int(rows.records[held].sum())
        if count >= LEAST_CELLS and count >= LEAST_PART * table.n_records:
            found |= held
    return int(rows.records[found].sum())


def _are_told(shown: Column, told: frozenset[str]) -> Bools:
    """Return which texts are some of those that lead to a person."""
    if not told:
        return np.zeros(len(shown), np.bool_)
    return np.array([text in told for text in shown.to_list()], np.bool_)


def hold_their_own(shown: Column, beside: Column, phrases: set[str] | None) -> Bools:
    """Return which texts hold the identifier beside them.

    Parameters
    ----------
    beside : (n_rows,), the identifier of the record of each text
    phrases : :func:`phrases_of` the texts
    """
    rows = _in_question(beside, phrases)
    held = np.zeros(len(shown), np.bool_)
    pairs = zip(shown.gather(rows).to_list(), beside.gather(rows).to_list(), strict=True)
    held[rows] = [holds(text, folded(own)) for text, own in pairs]
    return held


def _in_question(beside: Column, phrases: set[str] | None) -> Ints:
    """Return the rows whose identifier may be in a text: all but those that are no phrase."""
    if phrases is None or len(beside) <= SMALL:
        return np.arange(len(beside))
    return rows_that_fold_to(beside, phrases)


def phrases_of(texts: Iterable[str | None]) -> set[str] | None:
    """Return what stands in texts between two signs that are neither letter nor digit.

    Returns
    -------
    folded, each of :data:`SHORTEST` characters or more; None where they are more than
    :data:`MOST_PHRASES`
    """
    found = set[str]()
    for text in texts:
        whole = "" if text is None else text.casefold()
        starts = [at for at in range(len(whole)) if not whole[at - 1 : at].isalnum()]
        ends = [at for at in range(1, len(whole) + 1) if not whole[at : at + 1].isalnum()]
        if len(starts) * len(ends) > MOST_PHRASES:
            return None
        found.update(whole[one:end] for one in starts for end in ends if end - one >= SHORTEST)
        if len(found) > MOST_PHRASES:
            return None
    return found


def folded(identifier: str | None) -> str:
    """Return an identifier without blanks around it, in small letters."""
    return (identifier or "").strip().casefold()


def holds(text: str | None, word: str) -> bool:
    """Return whether a text holds a word, and neither a letter nor a digit beside it.

    Parameters
    ----------
    word : folded
    """
    if text is None or len(word) < SHORTEST or word not in (held := text.casefold()):
        return False
    start = held.find(word)
    while start >= 0:
        before, after = held[:start][-1:], held[start + len(word) :][:1]
        if not (before.isalnum() or after.isalnum()):
            return True
        start = held.find(word, start + 1)
    return False
