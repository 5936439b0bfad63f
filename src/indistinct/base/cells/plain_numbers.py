"""How plain numbers and ranges of them are written: what all readers of cells and labels take.

A plain number has ASCII digits and a point. What people write besides, such as units and marks of
thousands, is read by :mod:`indistinct.base.cells.number_formats`.
"""

from __future__ import annotations

import re

# All patterns are read alike by Python, by Rust and by engines. The digits of a power are few:
# Python writes out no integer of thousands of digits.
NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?"
PLAIN_NUMBER = rf"^{NUMBER}$"  # a cell of one
WHOLE = r"(?:0|[1-9][0-9]{0,17})"  # fits into 64 bits; with a zero in front it is a code
EITHER_MARK = r"[0-9]+(?:[.,][0-9]+)?"  # decimals behind a point or a comma
_END = rf"[+-]?[0-9]+,[0-9]+|{NUMBER}"
_NUMBER = re.compile(NUMBER)
# Brackets turned outwards leave an end out, as parentheses do.
RANGE = re.compile(
    rf"(?P<opens>[\[(\]])\s*(?P<low>{_END})\s*(?P<mark>[,;])\s*(?P<high>{_END})\s*"
    r"(?P<closes>[\])\[])"
)


def is_plain_number(text: str) -> bool:
    """Return whether a text is a number, without anything around it.

    Examples
    --------
    >>> [is_plain_number(text) for text in ("-1e5", ".5", "+5.", "1_000", "12 ")]
    [True, True, True, False, False]
    """
    return _NUMBER.fullmatch(text) is not None
