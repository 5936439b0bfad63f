"""Columns of numbers in plain form: the writing of ``base/cells`` applied to whole columns.

Numbers with more digits than a double holds stay as they are written.
"""

from __future__ import annotations

import polars as pl

from indistinct.base.cells.code_shapes import (
    WITH_A_POINT,
    WITH_AN_E,
    are_codes_with_an_e as are_counted_codes_with_an_e,
)
from indistinct.base.cells.number_formats import (
    BLANKS,
    CELL,
    CODE,
    COMMA,
    COMMAS,
    GROUPS,
    LEADING_ZEROS,
    MOST_DIGITS,
    PADDING,
    POINT,
    POINTS,
    find_numbers,
)
from indistinct.base.cells.shares import NEARLY, are_few
from indistinct.base.coded_text import joined, sentence
from indistinct.tables.frames.small_columns import SMALL, known_values
from indistinct.tables.reading.declared_formats import ColumnFormat
from indistinct.tables.reading.weighed_cells import weighed

SAID = {
    COMMA: "numbers with a decimal comma",
    POINT: "numbers",
}
SURELY_EXACT = r"^-?[0-9.]{1,15}$"  # every double gives fifteen digits back


def are_codes_with_an_e(texts: pl.Series) -> bool:
    """Return whether all cells of a column are codes such as 1E2 and 12, and no numbers.

    It decides as that of ``base/cells`` does, for columns of which nobody counts the cells.
    """
    if len(texts) <= SMALL and not any("e" in text.lower() for text in known_values(texts)):
        return False
    odd = int(texts.str.contains(WITH_AN_E).sum())
    if not odd or texts.str.contains(WITH_A_POINT).any():
        return False
    return not are_few(odd, len(texts))


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
    counted = weighed(texts, records)
    found = find_numbers(counted, decimal, given=given)
    if found is None:
        return None
    if found.doubt:
        return pl.Series("", [None] * len(texts), pl.String), ColumnFormat(found.doubt, doubt=True)
    read = plain_numbers(texts, found.mark, drops_zeros=found.drops_zeros)
    if given and are_counted_codes_with_an_e(counted):
        read = read.cast(pl.Float64, strict=False).cast(pl.String)
    fitting, known = int(records.filter(read.is_not_null()).sum()), int(records.sum())
    if fitting < (1 if given else NEARLY * known):
        return None
    unit = ", written with {symbol}" if found.unit else ""
    said = sentence(
        "numbers-with-a-unit" if unit else "numbers",
        f"{{count:,}} of {{of:,}} values are {{what}}{unit}.",
        count=fitting,
        of=known,
        what=SAID[found.mark],
        symbol=found.unit,
    )
    if found.drops_zeros:
        english = "{count:,} of them begin with a zero that says nothing."
        n_zeros = int(records.filter(texts.str.contains(CODE)).sum())
        said = joined(said, sentence("zeros", english, count=n_zeros))
    return read, ColumnFormat(said)


def plain_numbers(texts: pl.Series, mark: str, *, drops_zeros: bool = False) -> pl.Series:
    """Return cells as plain numbers; null where a cell is none.

    Parameters
    ----------
    mark : before the decimals
    drops_zeros : whether zeros in front say nothing
    """
    given = texts.str.replace(LEADING_ZEROS, "$1") if drops_zeros else texts
    groups = pl.col("").str.strip_chars(PADDING).str.extract_groups(CELL)
    parts = given.alias("").to_frame().select(groups).unnest("")
    body = pl.col("body").str.strip_chars(f" '{BLANKS}")
    without = body.str.replace_all(rf"[' {BLANKS}]", "")
    has_blanks = body.str.contains(rf"[' {BLANKS}]")
    body = pl.when(~has_blanks).then(body).when(body.str.contains(GROUPS)).then(without)
    return parts.with_columns(body.alias("body")).select(_plain(mark).alias("")).to_series()


def _plain(mark: str) -> pl.Expr:
    """Write numbers as every reader knows them; null where the parts of a cell are none."""
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
    return pl.when(known).then(text).otherwise(None)


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
