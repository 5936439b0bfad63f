"""In which line of a text each of its rows begins, where cells have line breaks."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Ints

NEW_LINE, QUOTE = ord("\n"), ord('"')
PART = 1 << 20  # bytes that are looked through at once


def lines_of_rows(text: bytes) -> Ints:
    """Return the line, from 1, in which each row of a text with usual quotes begins: (n_rows,)."""
    is_end: list[Bools] = [np.ones(1, np.bool_)]
    is_inside = False
    for start in range(0, len(text), PART):
        part = np.frombuffer(text, np.uint8, min(PART, len(text) - start), start)
        inside = np.bitwise_xor.accumulate((part == QUOTE).view(np.uint8)).view(np.bool_)
        inside ^= is_inside
        is_inside = bool(inside[-1])
        is_end.append(~inside[np.flatnonzero(part == NEW_LINE)])
    return np.flatnonzero(np.concatenate(is_end)) + 1
