"""Whether a text may have blank lines, found without a search for them."""

from __future__ import annotations

import numpy as np

NEW_LINE, SHORTEST = ord("\n"), 4  # bytes of a line and its end that may be more than a blank one
PART = 1 << 20  # bytes that are looked through at once


def has_short_lines(text: bytes, size: int) -> bool:
    """Return whether some line is as short as a blank one; to search for these takes longer."""
    last = -SHORTEST
    for start in range(0, size, PART):
        part = np.frombuffer(text, np.uint8, min(PART, size - start), start)
        ends = np.append([last], np.flatnonzero(part == NEW_LINE) + start)
        if np.diff(ends).min(initial=SHORTEST) < SHORTEST:
            return True
        last = ends[-1]
    return False
