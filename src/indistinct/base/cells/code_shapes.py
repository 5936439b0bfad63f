"""The shape of codes: the length that nearly all records have, whatever a few others are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from indistinct.base.cells.shares import are_few

COMMON = 0.98  # share of the records that have the common shape; others are odd cells
FEWEST_ODD = 2  # records that contradict a shape
WITH_AN_E = r"^[0-9]{1,3}[eE][0-9]{1,2}$"  # 1E2; a number has a point or a sign, too: 1.0E2, 1e+02
WITH_A_POINT = r"[.,+-]"
PLAIN_WITH_AN_E, PLAIN_WITH_A_POINT = re.compile(WITH_AN_E), re.compile(WITH_A_POINT)
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


def are_codes_with_an_e(counted: Mapping[str, int]) -> bool:
    """Return whether texts are codes such as 1E2 and 12, and no numbers with exponents.

    Programs write the exponent of a number with a sign, or behind decimals; one such text alone is
    an odd cell.

    Parameters
    ----------
    counted : the different cells, each with its records

    Examples
    --------
    >>> are_codes_with_an_e({"1E2": 3, "12": 9}), are_codes_with_an_e({"1E2": 3, "1.5E2": 1})
    (True, False)
    """
    odd = sum(count for text, count in counted.items() if PLAIN_WITH_AN_E.match(text))
    if not odd or any(PLAIN_WITH_A_POINT.search(text) for text in counted):
        return False
    return not are_few(odd, sum(counted.values()))


def first_digits(label: str) -> str:
    """Return the digits before the stars of a label; none of a label of another form.

    Examples
    --------
    >>> first_digits("20**"), first_digits("others")
    ('20', '')
    """
    found = MASKED.fullmatch(label)
    return "" if found is None else found[1]
