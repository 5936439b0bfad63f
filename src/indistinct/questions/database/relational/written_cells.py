"""Cells in their plain form, written as SQL: the readings of ``base/cells`` in both engines.

A cell that is not of its reading is null. What is left is cast as a cell in plain form is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from string import ascii_lowercase, ascii_uppercase
from typing import Protocol, final

from indistinct.base.cells.cell_reading import CellReading
from indistinct.base.cells.centuries import CENTURY
from indistinct.base.cells.date_formats import (
    DAYS,
    LETTER,
    MARK,
    MIDNIGHT,
    MOST_DAYS,
    NOON,
    SHAPES,
    DateFormat,
)
from indistinct.base.cells.month_names import MONTHS
from indistinct.base.cells.number_formats import BLANKS, COMMA, MOST_DIGITS, PADDING, POINT
from indistinct.questions.database.preparation import literal

MICROSECONDS = len("05.123456")
THOUSANDS = rf"[' {BLANKS}]"
MINUS = "[-\u2212]"
SMALL_LETTERS = str.maketrans(ascii_uppercase, ascii_lowercase)


class Patterns(Protocol):
    """How an engine looks for patterns."""

    @property
    def letter(self) -> str:
        """The pattern of a letter."""
        ...

    def whole(self, text: str) -> str:
        """Write a text of digits as a whole number; null where it has none."""
        ...

    def matches(self, text: str, pattern: str) -> str:
        """Write whether a text is of a pattern."""
        ...

    def part(self, text: str, pattern: str, group: int) -> str:
        """Write what a group of a pattern holds; empty, or null, where it holds nothing."""
        ...

    def without(self, text: str, pattern: str) -> str:
        """Write a text without all that is of a pattern."""
        ...


@final
class DuckDbPatterns:
    """DuckDB knows the letters of all scripts."""

    letter = r"\p{L}"

    def whole(self, text: str) -> str:
        """Write a text of digits as a whole number."""
        return f"TRY_CAST({text} AS INTEGER)"

    def matches(self, text: str, pattern: str) -> str:
        """Write whether a text is of a pattern."""
        return f"regexp_matches({text}, {literal(pattern)})"

    def part(self, text: str, pattern: str, group: int) -> str:
        """Write what a group of a pattern holds."""
        return f"regexp_extract({text}, {literal(pattern)}, {group})"

    def without(self, text: str, pattern: str) -> str:
        """Write a text without all that is of a pattern."""
        return f"regexp_replace({text}, {literal(pattern)}, '', 'g')"


@final
class PostgresPatterns:
    """PostgreSQL classes letters by collations, so that they are what is no other sign of ASCII."""

    letter = r"[^0-9\s!-/:-@\[-`{-~]"

    def whole(self, text: str) -> str:
        """Write a text of digits as a whole number."""
        return f"CAST(nullif({text}, '') AS INTEGER)"

    def matches(self, text: str, pattern: str) -> str:
        """Write whether a text is of a pattern."""
        return f"{text} ~ {literal(pattern)}"

    def part(self, text: str, pattern: str, group: int) -> str:
        """Write what a group of a pattern holds."""
        return f"(regexp_match({text}, {literal(pattern)}))[{group}]"

    def without(self, text: str, pattern: str) -> str:
        """Write a text without all that is of a pattern."""
        return f"regexp_replace({text}, {literal(pattern)}, '', 'g')"


def plain_cell(text: str, reading: CellReading, engine: Patterns) -> str:
    """Write a text in plain form; null where it is missing, or is not of its reading."""
    trimmed = f"trim({text}, {literal(PADDING)})"
    words = ", ".join(map(literal, ("", *reading.missing)))
    if reading.format is not None:
        value = _date(trimmed, reading.format, engine)
    elif reading.decimal:
        value = _number(trimmed, reading.decimal, engine)
    else:
        value = text
    return f"CASE WHEN {trimmed} NOT IN ({words}) THEN {value} END"


def _date(text: str, form: DateFormat, engine: Patterns) -> str:
    """Write a date as ISO does; a time follows it where the format has one."""
    if form.since is not None:
        days = engine.whole(engine.part(text, "^([-+]?[0-9]{1,6})", 1))
        is_day = f"{engine.matches(text, DAYS)} AND abs({days}) <= {MOST_DAYS}"
        day = f"CAST(DATE '{form.since.isoformat()}' + {days} AS VARCHAR)"
        return f"CASE WHEN {is_day} THEN {day} END"
    pattern = _pattern(form)
    groups = re.compile(pattern).groupindex
    plain = re.sub(r"\(\?P<\w+>", "(", pattern).replace(LETTER, engine.letter)

    def part(name: str) -> str:
        return engine.part(text, plain, groups[name])

    year, month, day = (part(name) for name in form.parts)
    if form.named:
        month = _number_of_month(month)
    if form.short:
        number = engine.whole(year)
        last = form.last_year
        year = f"CAST({last} - ({last} - {number}) % {CENTURY} AS VARCHAR)"
    iso = f"{year} || '-' || lpad({month}, 2, '0') || '-' || lpad({day}, 2, '0')"
    if form.timed:
        clock = _clock(part("clock"), f"lower({part('half')})", engine)
        iso = f"{iso} || ' ' || {clock}"
    return f"CASE WHEN {engine.matches(text, plain)} THEN {iso} END"


def _pattern(form: DateFormat) -> str:
    """Return the pattern of a format's shape, with its own mark and its own length of years."""
    pattern = SHAPES[form.shape].replace("[0-9]{4}|[0-9]{2}", f"[0-9]{{{2 if form.short else 4}}}")
    if form.named:
        return pattern
    mark = "".join(f"[{one}]" for one in form.mark)
    for group in ("mark", "again"):
        for known in (MARK, ""):
            pattern = pattern.replace(f"(?P<{group}>{known})", f"(?P<{group}>{mark})")
    if form.short and form.order == "ymd":
        pattern = pattern.replace("(?P<first>[0-9]{1,2})", "(?P<first>[0-9]{2})")
    return pattern


def _number_of_month(name: str) -> str:
    """Write the number of a month by its name, which is of letters alone; null of other names.

    It stands behind its name in one text: a list of cases takes an engine a tenth of a second to
    plan. PostgreSQL may know small letters of ASCII alone.
    """
    table = literal("".join(f"|{one}={number}" for one, number in sorted(_lowered().items())))
    lower = f"lower({name})"
    place = f"nullif(strpos({table}, '|' || {lower} || '='), 0)"
    return f"substr({table}, {place} + length({name}) + {len('|=')}, 2)"


@cache
def _lowered() -> Mapping[str, str]:
    """Return the number of each month by its names in small letters, of ASCII alone or of all."""
    written = {way for month in MONTHS for way in (month, month.upper(), month.title())}
    known = {way: MONTHS[way.lower()] for way in written if way.lower() in MONTHS}
    return {way.translate(SMALL_LETTERS): number for way, number in known.items()}


def _clock(clock: str, half: str, engine: Patterns) -> str:
    """Write a time of day with 24 hours and seconds."""
    hour = engine.whole(engine.part(clock, "^([0-9]+):", 1))
    minute = engine.part(clock, ":([0-9]{2})", 1)
    second = f"left({engine.part(clock, ':[0-9]{2}:(.+)$', 1)}, {MICROSECONDS})"
    of_half = f"{hour} % {NOON} + CASE WHEN {half} = 'pm' THEN {NOON} ELSE 0 END"
    hour = f"CASE WHEN {half} IN ('am', 'pm') THEN {of_half} ELSE {hour} END"
    shown = f"lpad(CAST({hour} AS VARCHAR), 2, '0') || ':' || {minute} || ':' || "
    shown += f"coalesce(nullif({second}, ''), '00')"
    return f"CASE WHEN coalesce({clock}, '') = '' THEN '{MIDNIGHT}' ELSE {shown} END"


def _number(text: str, mark: str, engine: Patterns) -> str:
    """Write a number with a point before its decimals, and nothing between its thousands."""
    other = POINT if mark == COMMA else COMMA
    bodies = (
        rf"(?:0|[1-9][0-9]{{0,{MOST_DIGITS - 1}}})(?:[{mark}][0-9]*)?",
        rf"[{mark}][0-9]+",
        rf"[1-9][0-9]{{0,2}}(?:[{other}][0-9]{{3}}){{1,12}}(?:[{mark}][0-9]*)?",
        rf"[1-9][0-9]{{0,2}}(?:{THOUSANDS}[0-9]{{3}}){{1,12}}(?:[{mark}][0-9]*)?",
    )
    blank = rf"[ \t{BLANKS}]*"
    pattern = (
        rf"^([(])?([-+\u2212])?{blank}({MINUS})?({'|'.join(bodies)}){THOUSANDS}*"
        rf"([eE][-+]?[0-9]+)?{blank}(-)?([)])?$"
    ).replace("\\u2212", "\u2212")
    opened, sign, minus, body, power, behind, closed = (
        f"coalesce({engine.part(text, pattern, group)}, '')" for group in range(1, 8)
    )
    digits = f"replace({engine.without(body, f'[^0-9{mark}]')}, '{mark}', '.')"
    is_negative = f"{opened} <> '' OR {behind} <> '' OR {sign} IN ('-', '\u2212') OR {minus} <> ''"
    is_one = f"{engine.matches(text, pattern)} AND ({opened} = '') = ({closed} = '')"
    negative = f"CASE WHEN {is_negative} THEN '-' ELSE '' END"
    return f"CASE WHEN {is_one} THEN {negative} || {digits} || {power} END"
