"""The shape of codes: the length that nearly all records have, whatever a few others are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

COMMON = 0.98  # share of the records that have the common shape; others are odd cells
FEWEST_ODD = 2  # records that contradict a shape
WITH_AN_E = r"^[0-9]{1,3}[eE][0-9]{1,2}$"  # 1E2; a number has a point or a sign, too: 1.0E2, 1e+02
WITH_A_POINT = r"[.,+-]"
MASKED = re.compile(r"([0-9]+)\*+")


def common_length(texts: Sequence[str], records: Iterable[int]) -> int | None:
    """Return the length of nearly all records' texts; None where several lengths are common.

    Parameters
    ----------
    texts, records : the different texts, and the records of each

    Examples
    --------
    >>> common_length(["2038", "2040", "20385"], [200, 99, 1])
    4
    >>> common_length(["2038", "20385"], [200, 99])
    """
    lengths: Counter[int] = Counter()
    for text, count in zip(texts, records, strict=True):
        lengths[len(text)] += count
    if not lengths:
        return None
    (length, most), *_ = lengths.most_common(1)
    total = lengths.total()
    return length if total - most < max(FEWEST_ODD, (1 - COMMON) * total) else None


def are_first_digits(label: str, value: str) -> bool:
    """Return whether the digits before the stars of a label are the first ones of a number.

    Labels of another form, and values that are no digits, say nothing.

    Examples
    --------
    >>> are_first_digits("20**", "2038"), are_first_digits("020**", "2038")
    (True, False)
    >>> are_first_digits("others", "2038"), are_first_digits("12**", "AB12")
    (True, True)
    """
    found = MASKED.fullmatch(label)
    is_number = value.isascii() and value.isdigit()
    return found is None or not is_number or value.startswith(found[1])
