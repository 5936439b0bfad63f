"""How the numbers of a column are written: with a decimal comma, thousands, a sign or a unit.

The cells of the whole column say which mark stands before the decimals; where they do not, the
other columns of the file do. A column that nothing decides stays text. What a mark makes of a cell
is said here once, in plain Python; engines that read whole columns do the same in their own words,
and are tested by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from indistinct.base.cells.code_shapes import are_codes_with_an_e
from indistinct.base.cells.shares import NEARLY, are_few, some_of
from indistinct.base.coded_text import sentence

BLANKS = "\u00a0\u202f\u2009\u2007\u200b"
PADDING = " \t" + BLANKS + "\ufeff"
UNIT = (
    r"[$€£¥]|USD|EUR|GBP|CHF|PLN|zł|kr|Kč|Ft|R\$|kg|mg|g|km|cm|mm|m|mmHg|mg/dl|mg/dL|mmol/l|mmol/L"
    r"|°C|h|min|days?|years?|yrs?|Tage|Jahre|jours|ans|días|años|dni|lat"
)
# All patterns are read alike by Python and by Rust.
CELL = (
    rf"^(?P<open>\()?(?P<sign>[-+\u2212])?[ \t{BLANKS}]*(?P<before>{UNIT})?[ \t{BLANKS}]*"
    rf"(?P<minus>[-\u2212])?(?P<body>[0-9][0-9.,' {BLANKS}]*|[.,][0-9]+)"
    rf"(?P<power>[eE][-+]?[0-9]+)?[ \t{BLANKS}]*(?P<after>{UNIT}|%)?(?P<behind>-)?(?P<close>\))?$"
)
LIKE_A_NUMBER = re.compile(
    rf"\s*\(?\s*[-+\u2212]?\s*({UNIT})?\s*[-\u2212]?[\d.,][\d.,'\s]*([eE][-+]?\d+)?\s*"
    rf"({UNIT}|%)?-?\)?\s*"
)
# Bodies of numbers whose thousands have no blanks or apostrophes between them any more.
POINTS = r"^(?:(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?|[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?)$"
COMMAS = r"^(?:(?:0|[1-9][0-9]*)?(?:,[0-9]*)?|[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]*)?)$"
GROUPS = rf"^[1-9][0-9]{{0,2}}(?:[' {BLANKS}][0-9]{{3}})+(?:[.,][0-9]*)?$"
LEADING_ZEROS = r"^\s*0+([0-9])"
PLAIN_CELL, PLAIN_GROUPS, PLAIN_ZEROS = map(re.compile, (CELL, GROUPS, LEADING_ZEROS))
CODE = r"^\s*0[0-9]+\s*$"  # its zeros are part of it, unless they are rare
PLAIN_CODE = re.compile(CODE)
WHOLE = re.compile(r"\s*[0-9]+\s*")
DIALED = re.compile(r"\s*\+(?:[ ()/-]*[0-9]){7,}\s*")  # more digits than most differences have
GROUPED = re.compile(rf"[0-9]+(?:[ {BLANKS}][0-9]{{3}})+")
FEWEST_ZEROS, MOST_ZEROS = 2, 0.02  # records that begin with a zero, and their share, in codes
MOST_DIGITS = 38
COMMA, POINT = ",", "."
BODIES = {POINT: re.compile(POINTS), COMMA: re.compile(COMMAS)}
MINUS = frozenset("-\u2212")
DOUBT = sentence(
    "decimals-or-thousands",
    "Its values are numbers with a comma and three digits, which can be decimals or thousands. "
    "Name the mark before the decimals: decimal in [data].",
)


@dataclass(frozen=True, slots=True)
class NumberParts:
    """The parts of a cell that is a number.

    Parameters
    ----------
    body : its digits and marks, without blanks and apostrophes between thousands
    power : of ten, with its sign; empty where there is none
    units : that stand beside it
    is_negative : whether a sign or parentheses say so
    """

    body: str
    power: str
    units: tuple[str, ...]
    is_negative: bool

    def plain(self, mark: str) -> str | None:
        """Return the number as every reader knows it; None where its marks do not fit."""
        if not BODIES[mark].match(self.body):
            return None
        body = self.body.replace(POINT if mark == COMMA else COMMA, "").replace(mark, ".", 1)
        body = ("0" + body if body.startswith(".") else body).rstrip(".")
        if not 0 < len(body.partition(".")[0]) <= MOST_DIGITS:
            return None
        sign = "-" if self.is_negative and body.strip("0.") else ""
        return f"{sign}{body}{self.power}"


def number_parts(text: str) -> NumberParts | None:
    """Cut a cell into the parts of a number; None where it is none in any writing.

    Examples
    --------
    >>> number_parts("(1 234,50 EUR)").plain(","), number_parts("12 or so")
    ('-1234.50', None)
    """
    found = PLAIN_CELL.match(text.strip(PADDING))
    if found is None or bool(found["open"]) is not bool(found["close"]):
        return None
    body = found["body"].strip(f" '{BLANKS}")
    if any(one in body for one in f" '{BLANKS}"):
        if not PLAIN_GROUPS.match(body):
            return None
        body = "".join(one for one in body if one not in f" '{BLANKS}")
    is_negative = bool(found["open"] or found["behind"]) or not MINUS.isdisjoint(
        {found["sign"], found["minus"]}
    )
    units = tuple(one for one in (found["before"], found["after"]) if one)
    return NumberParts(body, found["power"] or "", units, is_negative)


def plain_number(text: str, mark: str, *, drops_zeros: bool = False) -> str | None:
    """Return a cell as a plain number; None where it is none.

    Parameters
    ----------
    mark : before the decimals
    drops_zeros : whether zeros in front say nothing

    Examples
    --------
    >>> plain_number("1.234,5", ","), plain_number("1.234,5", "."), plain_number("12,50 EUR", ",")
    ('1234.5', None, '12.50')
    """
    parts = number_parts(_without_zeros(text) if drops_zeros else text)
    return None if parts is None else parts.plain(mark)


def _without_zeros(text: str) -> str:
    """Return a cell without the zeros in front of its number."""
    return PLAIN_ZEROS.sub(r"\1", text)


def like_numbers(texts: Sequence[str]) -> bool:
    """Return whether some cells of a column look like numbers, so that all are worth a look."""
    return sum(LIKE_A_NUMBER.fullmatch(text) is not None for text in texts) >= NEARLY * len(texts)


def proved_mark(texts: Iterable[str]) -> str | None:
    """Return the mark before the decimals that the cells of a column prove; None where none."""
    parts = [number_parts(text) for text in texts]
    bodies = [one.body for one in parts if one is not None]
    if not bodies or len(bodies) < NEARLY * len(parts):
        return None
    only = {POINT: 0, COMMA: 0}
    for body in bodies:
        fitting = [mark for mark, pattern in BODIES.items() if pattern.match(body)]
        if len(fitting) == 1:
            only[fitting[0]] += 1
    if only[POINT] == only[COMMA] or min(only.values()) > (1 - NEARLY) * len(parts):
        return None
    return max(only, key=lambda mark: only[mark])


@dataclass(frozen=True, slots=True)
class FoundNumbers:
    """How the numbers of a column are written.

    Parameters
    ----------
    mark : before the decimals
    unit : that stands beside all of them
    drops_zeros : whether some begin with a zero that says nothing
    doubt : why the cells cannot tell
    """

    mark: str = POINT
    unit: str = ""
    drops_zeros: bool = False
    doubt: str = ""


def find_numbers(
    counted: Mapping[str, int], decimal: str | None, *, given: bool = False
) -> FoundNumbers | None:
    """Find how numbers are written.

    Parameters
    ----------
    counted : the different cells, none missing, each with its records; of many, some are weighed
    decimal : the mark before the decimals in other columns of the file; None where they have none
    given : whether somebody says that these are numbers

    Returns
    -------
    None where these are no numbers
    """
    counted = some_of(counted)
    n_zeros = 0 if given else sum(n for text, n in counted.items() if PLAIN_CODE.match(text))
    if not given and (
        are_codes_with_an_e(counted)
        or _are_dialed(counted)
        or (n_zeros and _are_codes(counted, n_zeros))
    ):
        return None
    parts = {
        text: found
        for text in counted
        if (found := number_parts(_without_zeros(text) if n_zeros else text)) is not None
    }
    least = 1 if given else NEARLY * sum(counted.values())
    units = {one for found in parts.values() for one in found.units}
    has_unit = {bool(found.units) for found in parts.values()}
    is_one_unit = len(units) <= 1 and (given or len(has_unit) == 1)
    if sum(counted[text] for text in parts) < least or not is_one_unit:
        return None
    mark = proved_mark(counted)
    if mark is None or (given and decimal is not None):
        mark = decimal
    if mark is None and any(COMMA in one.body for one in parts.values()):
        return FoundNumbers(doubt=DOUBT)
    mark = mark or POINT
    are_bands = mark == COMMA and not given and _are_bands({one.body for one in parts.values()})
    if are_bands or (not units and _are_grouped_codes([*parts])):
        return None
    return FoundNumbers(mark, units.pop() if units else "", n_zeros > 0)


def _are_dialed(counted: Mapping[str, int]) -> bool:
    """Return whether nearly all cells are telephone numbers with a plus, which is part of them."""
    known = sum(counted.values())
    others = sum(n for text, n in counted.items() if not DIALED.fullmatch(text))
    return others < known and are_few(others, known)


def _are_codes(counted: Mapping[str, int], n_zeros: int) -> bool:
    """Return whether numbers with leading zeros are codes, and not one as its number is written.

    Parameters
    ----------
    n_zeros : records whose cell begins with a zero
    """
    lengths = {len(text.strip()) for text in counted if WHOLE.fullmatch(text)}
    is_one_length = len(lengths) == 1 and lengths.pop() > 1
    return is_one_length or n_zeros >= max(FEWEST_ZEROS, MOST_ZEROS * sum(counted.values()))


def _are_bands(bodies: Iterable[str]) -> bool:
    """Return whether numbers with a comma are the two ends of bands that lie apart."""
    ends: list[tuple[int, int]] = []
    for body in bodies:
        low, _, high = body.partition(COMMA)
        if not (low.isdigit() and high.isdigit()) or not int(low) < int(high):
            return False
        ends.append((int(low), int(high)))
    ends.sort()
    return len(ends) > 1 and all(above[0] > below[1] for below, above in pairwise(ends))


def _are_grouped_codes(texts: Sequence[str]) -> bool:
    """Return whether blanks stand in whole numbers of one length, as in telephone numbers."""
    trimmed = [text.strip(f" \t{BLANKS}") for text in texts]
    if not all(GROUPED.fullmatch(text) for text in trimmed):
        return False
    return len(trimmed) > 1 and len({len(text) for text in trimmed}) == 1
