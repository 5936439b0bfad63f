"""How the numbers of a column are written: with a decimal comma, thousands, a sign or a unit.

The cells of the whole column say which mark stands before the decimals; where they do not, the
other columns of the file do. A column that nothing decides stays text.

Numbers with more digits than a double holds stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import polars as pl

from indistinct.base.cells.code_shapes import WITH_A_POINT, WITH_AN_E
from indistinct.base.cells.shares import are_few
from indistinct.base.coded_text import joined, sentence
from indistinct.tables.frames.small_columns import SMALL, known_values
from indistinct.tables.reading.declared_formats import ColumnFormat

NEARLY = 0.9  # of the records whose cells are numbers, so that the others are words
BLANKS = "\u00a0\u202f\u2009\u2007\u200b"
UNIT = (
    r"[$€£¥]|USD|EUR|GBP|CHF|PLN|zł|kr|Kč|Ft|R\$|kg|mg|g|km|cm|mm|m|mmHg|mg/dl|mg/dL|mmol/l|mmol/L|°C|"
    r"h|min|days?|years?|yrs?|Tage|Jahre|jours|ans|días|años|dni|lat"
)
CELL = (
    rf"^(?<open>\()?(?<sign>[-+\x{{2212}}])?\s*(?<before>{UNIT})?\s*(?<minus>[-\x{{2212}}])?"
    rf"(?<body>[0-9][0-9.,' {BLANKS}]*|[.,][0-9]+)(?<power>[eE][-+]?[0-9]+)?"
    rf"\s*(?<after>{UNIT}|%)?(?<behind>-)?(?<close>\))?$"
)
LIKE_A_NUMBER = re.compile(
    rf"\s*\(?\s*[-+\u2212]?\s*({UNIT})?\s*[-\u2212]?[\d.,][\d.,'\s]*([eE][-+]?\d+)?\s*({UNIT}|%)?-?\)?\s*"
)
# Bodies of numbers whose thousands have no blanks or apostrophes between them any more.
POINTS = r"^(?:(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?|[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?)$"
COMMAS = r"^(?:(?:0|[1-9][0-9]*)?(?:,[0-9]*)?|[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]*)?)$"
GROUPS = rf"^[1-9][0-9]{{0,2}}(?:[' {BLANKS}][0-9]{{3}})+(?:[.,][0-9]*)?$"
CODE = r"^\s*0[0-9]+\s*$"  # its zeros are part of it, unless they are rare
LEADING_ZEROS = r"^\s*0+([0-9])"
WHOLE_NUMBER = r"^\s*[0-9]+\s*$"
FEWEST_ZEROS, MOST_ZEROS = 2, 0.02  # records that begin with a zero, and their share, in codes
MOST_DIGITS = 38
COMMA, POINT = ",", "."
SAID = {
    COMMA: "numbers with a decimal comma",
    POINT: "numbers",
}
SURELY_EXACT = r"^-?[0-9.]{1,15}$"  # every double gives fifteen digits back


def like_numbers(texts: Sequence[str]) -> bool:
    """Return whether some cells of a column look like numbers, so that all are worth a look."""
    return sum(LIKE_A_NUMBER.fullmatch(text) is not None for text in texts) >= NEARLY * len(texts)


def proved_mark(texts: pl.Series) -> str | None:
    """Return the mark before the decimals that the cells of a column prove; None where none."""
    bodies = _parts(texts)["body"].drop_nulls()
    if bodies.is_empty() or len(bodies) < NEARLY * len(texts):
        return None
    by_point, by_comma = bodies.str.contains(POINTS), bodies.str.contains(COMMAS)
    only_point, only_comma = int((by_point & ~by_comma).sum()), int((by_comma & ~by_point).sum())
    if only_point == only_comma or min(only_point, only_comma) > (1 - NEARLY) * len(texts):
        return None
    return POINT if only_point > only_comma else COMMA


def are_codes_with_an_e(texts: pl.Series, records: pl.Series | None = None) -> bool:
    """Return whether texts are codes such as 1E2 and 12, and no numbers with exponents.

    Programs write the exponent of a number with a sign, or behind decimals; one such text alone is
    an odd cell.

    Parameters
    ----------
    texts, records : the cells, or the different ones and the records of each
    """
    if len(texts) <= SMALL and not any("e" in text.lower() for text in known_values(texts)):
        return False
    has_an_e = texts.str.contains(WITH_AN_E).fill_null(value=False)
    if not has_an_e.any() or texts.str.contains(WITH_A_POINT).any():
        return False
    odd = int(has_an_e.sum()) if records is None else int(records.filter(has_an_e).sum())
    return not are_few(odd, len(texts) if records is None else int(records.sum()))


def found_numbers(
    texts: pl.Series, records: pl.Series, decimal: str | None, *, given: bool = False
) -> tuple[pl.Series, ColumnFormat] | None:
    """Find how numbers are written.

    Parameters
    ----------
    texts : (n_distinct,), the different cells, none missing
    records : (n_distinct,), records of each
    decimal : the mark before the decimals in other columns of the file; None where they have none
    given : whether the policy says that these are numbers

    Returns
    -------
    the cells as plain numbers, null where they are none, and the evidence; with a doubt, all cells
    are null. None where these are no numbers
    """
    begin_with_zero = texts.str.contains(CODE)
    n_zeros = 0 if given else int(records.filter(begin_with_zero).sum())
    has_an_e = are_codes_with_an_e(texts, records)
    if (has_an_e and not given) or (n_zeros and _are_codes(texts, n_zeros, int(records.sum()))):
        return None
    parts = _parts(texts.str.replace(LEADING_ZEROS, "$1") if n_zeros else texts)
    fits = parts["body"].is_not_null()
    least = 1 if given else NEARLY * int(records.sum())
    units = {*_words(parts["before"]), *_words(parts["after"])}
    is_one_unit = len(units) <= 1 and (given or _are_of_one_unit(parts.filter(fits)))
    if int(records.filter(fits).sum()) < least or not is_one_unit:
        return None
    mark = proved_mark(texts)
    commas = parts["body"].str.contains(COMMA, literal=True).fill_null(value=False)
    if mark is None or (given and decimal is not None):
        mark = decimal
    if mark is None and commas.any():
        said = sentence(
            "decimals-or-thousands",
            "Its values are numbers with a comma and three digits, which can be decimals or "
            "thousands. Name the mark before the decimals: decimal in [data].",
        )
        return pl.Series("", [None] * len(texts), pl.String), ColumnFormat(said, doubt=True)
    mark = mark or POINT
    if mark == COMMA and not given and _are_bands(parts["body"].filter(fits)):
        return None
    read = _plain(parts, mark)
    if has_an_e:
        read = read.cast(pl.Float64, strict=False).cast(pl.String)
    are_codes = not units and _are_grouped_codes(texts.filter(fits))
    fits = read.is_not_null()
    if are_codes or int(records.filter(fits).sum()) < least:
        return None
    unit = units.pop() if units else ""
    said = sentence(
        "numbers-with-a-unit" if unit else "numbers",
        f"{{count:,}} of {{of:,}} values are {{what}}{', written with {symbol}' if unit else ''}.",
        count=int(records.filter(fits).sum()),
        of=int(records.sum()),
        what=SAID[mark],
        symbol=unit,
    )
    if n_zeros:
        english = "{count:,} of them begin with a zero that says nothing."
        said = joined(said, sentence("zeros", english, count=n_zeros))
    return read, ColumnFormat(said)


def _are_codes(texts: pl.Series, n_zeros: int, n_records: int) -> bool:
    """Return whether numbers with leading zeros are codes, and not one as its number is written.

    Parameters
    ----------
    n_zeros : records whose cell begins with a zero
    """
    lengths = texts.filter(texts.str.contains(WHOLE_NUMBER)).str.strip_chars().str.len_chars()
    is_one_length = lengths.n_unique() == 1 and int(lengths[0]) > 1
    return is_one_length or n_zeros >= max(FEWEST_ZEROS, MOST_ZEROS * n_records)


def _parts(texts: pl.Series) -> pl.DataFrame:
    """Cut cells into sign, unit, body and power; the body without blanks between thousands."""
    cells = pl.col("").str.strip_chars(" \t" + BLANKS + "\ufeff")
    parts = texts.alias("").to_frame().select(cells.str.extract_groups(CELL)).unnest("")
    body = pl.col("body").str.strip_chars(" '" + BLANKS)
    without = body.str.replace_all(rf"[' {BLANKS}]", "")
    has_blanks = body.str.contains(rf"[' {BLANKS}]")
    body = pl.when(~has_blanks).then(body).when(body.str.contains(GROUPS)).then(without)
    return parts.with_columns(body.otherwise(None).alias("body"))


def _words(units: pl.Series) -> set[str]:
    """Return the different units."""
    return {unit for unit in units.unique().to_list() if unit}


def _are_of_one_unit(parts: pl.DataFrame) -> bool:
    """Return whether all numbers have a unit, or none has."""
    has_unit = parts["before"].is_not_null() | parts["after"].is_not_null()
    return bool(has_unit.all()) or not has_unit.any()


def _plain(parts: pl.DataFrame, mark: str) -> pl.Series:
    """Write numbers as every reader knows them; null where a cell is none."""
    other = POINT if mark == COMMA else COMMA
    body = (
        pl.col("body").str.replace_all(other, "", literal=True).str.replace(mark, ".", literal=True)
    )
    body = pl.when(body.str.starts_with(".")).then(pl.concat_str(pl.lit("0"), body)).otherwise(body)
    body = body.str.strip_chars_end(".")
    signs = [
        pl.col(name).is_in(["-", "\u2212"]).fill_null(value=False) for name in ("sign", "minus")
    ]
    is_negative = pl.any_horizontal(
        *signs,
        pl.col("behind").is_not_null(),
        pl.col("open").is_not_null() & pl.col("close").is_not_null(),
    )
    sign = (
        pl.when(is_negative & ~body.str.contains(r"^[0.]*$"))
        .then(pl.lit("-"))
        .otherwise(pl.lit(""))
    )
    known = (
        pl.col("body").str.contains(COMMAS if mark == COMMA else POINTS)
        & (pl.col("open").is_null() == pl.col("close").is_null())
        & body.str.contains(rf"^[0-9]{{1,{MOST_DIGITS}}}(?:\.|$)")
    )
    text = pl.concat_str(sign, body, pl.col("power").fill_null(""))
    return parts.select(pl.when(known).then(text).otherwise(None).alias("")).to_series()


def _are_bands(bodies: pl.Series) -> bool:
    """Return whether numbers with a comma are the two ends of bands that lie apart."""
    ends: list[tuple[int, int]] = []
    for body in bodies.unique().to_list():
        low, _, high = body.partition(COMMA)
        if not (low.isdigit() and high.isdigit()) or not int(low) < int(high):
            return False
        ends.append((int(low), int(high)))
    ends.sort()
    return len(ends) > 1 and all(above[0] > below[1] for below, above in pairwise(ends))


def _are_grouped_codes(texts: pl.Series) -> bool:
    """Return whether blanks stand in whole numbers of one length, as in telephone numbers."""
    trimmed = texts.str.strip_chars(" \t" + BLANKS)
    if not trimmed.str.contains(rf"^[0-9]+(?:[ {BLANKS}][0-9]{{3}})+$").all():
        return False
    return trimmed.str.len_chars().n_unique() == 1 and len(trimmed) > 1


def are_exact(texts: pl.Expr) -> pl.Expr:
    """Return which texts of numbers are the same number after they were read as doubles.

    A double is the nearest number, so that the same digits are the same number. Numbers beyond all
    doubles are infinite, which is refused elsewhere.
    """
    number = texts.cast(pl.Float64, strict=False)
    read = number.cast(pl.String)
    is_known = texts.str.contains(SURELY_EXACT) | number.is_infinite()
    return is_known | (texts == read) | (_digits(texts) == _digits(read))


def _digits(texts: pl.Expr) -> pl.Expr:
    """Return the digits of numbers from the first to the last that is not zero."""
    mantissas = texts.str.extract(r"^-?([0-9.]*)").str.replace(".", "", literal=True)
    return mantissas.str.strip_chars("0")


def keeps_all_digits(numbers: pl.Series) -> bool:
    """Return whether doubles hold all digits of numbers that are written as texts."""
    long = numbers.filter(~numbers.str.contains(SURELY_EXACT))
    return long.is_empty() or bool(
        long.alias("").to_frame().select(are_exact(pl.col("")).all()).item()
    )
