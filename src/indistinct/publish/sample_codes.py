"""Made-up diagnosis codes: a few per patient, with a hierarchy of chapters.

Their shares have the shape of a hospital's: a quarter of the patients, or somewhat more, can be
told from all but four others by two codes. The codes mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from indistinct.core.arrays import Floats, Ints

CHAPTERS = "ABCDEFGHIJKLMNOPQRS"
TENS = 4  # groups of ten per chapter
FIRSTS = 6  # three-character codes per group
LASTS = 2  # codes per three-character code
FLATNESS = 2.0  # how many of the commonest codes are about equally common
STEEPNESS = 1.35  # how fast codes become rare
OWN_CHAPTER = 0.25  # of further codes
MEAN_CODES = {1: 0.02, 2: 0.04, 3: 0.94}  # share of patients by their number of codes


def hierarchy_of_codes() -> list[tuple[str, str, str, str]]:
    """List every code with the groups above it: three characters, ten, chapter."""
    return [
        (f"{three}.{last}", f"{three}.*", f"{chapter}{ten}0-{chapter}{ten}9", f"chapter {chapter}")
        for chapter in CHAPTERS
        for ten in range(TENS)
        for first in range(FIRSTS)
        for three in [f"{chapter}{ten}{first}"]
        for last in range(LASTS)
    ]


def diagnosis_codes(rows: int, chance: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Draw the codes of each patient: some are common, most are rare, some go together.

    Parameters
    ----------
    rows : number of patients
    """
    codes = [row[0] for row in hierarchy_of_codes()]
    per_chapter = len(codes) // len(CHAPTERS)
    ranked: Floats = (np.arange(len(codes), dtype=np.float64) + FLATNESS) ** -STEEPNESS
    shares: Floats = ranked[np.random.default_rng(1).permutation(len(codes))]
    sizes = chance.choice(list(MEAN_CODES), rows, p=list(MEAN_CODES.values()))
    first = _drawn(shares, chance.random(rows))
    columns = [first]
    for _ in range(max(MEAN_CODES) - 1):
        further = _drawn(shares, chance.random(rows))
        near = _in_chapter(shares, first // per_chapter, per_chapter, chance.random(rows))
        columns.append(np.where(chance.random(rows) < OWN_CHAPTER, near, further))
    drawn_codes: list[list[int]] = np.stack(columns, 1).tolist()
    for size, drawn in zip(sizes.tolist(), drawn_codes, strict=True):
        yield tuple(codes[code] for code in dict.fromkeys(drawn[:size]))


def _drawn(shares: Floats, points: Floats) -> Ints:
    """Draw by weight."""
    bounds = np.cumsum(shares)
    return np.searchsorted(bounds, points * bounds[-1], side="right").astype(np.int64)


def _in_chapter(shares: Floats, chapters: Ints, per_chapter: int, points: Floats) -> Ints:
    """Draw by weight among the codes of a chapter."""
    bounds = np.concatenate([[0.0], np.cumsum(shares)])
    low, high = bounds[chapters * per_chapter], bounds[(chapters + 1) * per_chapter]
    found = np.searchsorted(bounds, low + points * (high - low), side="right") - 1
    last: Ints = (chapters + 1) * per_chapter - 1
    return np.minimum(np.maximum(found, chapters * per_chapter), last)
