"""Random cells in random readings: what an engine reads is what plain Python reads."""

import random

import polars as pl
import pytest

from indistinct.base.cells.date_formats import DateFormat
from indistinct.base.cells.month_names import MONTHS
from indistinct.base.cells.number_formats import BLANKS, plain_number
from indistinct.tables.reading.date_formats import dates_of
from indistinct.tables.reading.number_formats import plain_numbers

MARKS = ["-", "/", ".", ". ", " ", ""]
CELLS = 150


def a_format(chance: random.Random) -> DateFormat:
    """Draw a format that a policy can name."""
    if chance.random() < 0.1:
        found = DateFormat.of("days since 1899-12-30")
    else:
        day, month = "dd", chance.choice(["mm", "mm", "mmmm"])
        year = chance.choice(["yy", "yyyy", "yyyy"])
        orders = [[day, month, year], [month, day, year], [year, month, day]]
        parts = chance.choice(orders[: 2 if month == "mmmm" else 3])
        mark = " " if month == "mmmm" else chance.choice(MARKS)
        time = chance.choice(["", " hh:mm"])
        found = DateFormat.of(mark.join(parts) + time) or DateFormat.of("yyyymmdd")
    assert found is not None
    return found


def a_date(chance: random.Random) -> str:
    """Draw what looks like a date, now and then of a day or a time that does not exist."""
    month = chance.choice([f"{chance.randint(0, 14)}", f"{chance.randint(0, 14):02}"])
    if chance.random() < 0.3:
        name = chance.choice([*MONTHS, "foo"])
        month = chance.choice([name, name.upper(), name.title()])
    year = chance.choice([f"{chance.randint(1800, 2100)}", f"{chance.randint(0, 99):02}"])
    parts = [f"{chance.randint(0, 40)}", month, year]
    if chance.random() < 0.5:
        parts[:2] = reversed(parts[:2])
    if chance.random() < 0.3:
        parts.reverse()
    text = chance.choice(MARKS).join(parts)
    if chance.random() < 0.3:
        clock = f"{chance.randint(0, 26)}:{chance.randint(0, 70):02}"
        end = chance.choice(["", " pm", "AM", ":05", ":61", ":05.25", ":59.999 am"])
        text += chance.choice([" ", "T", ", "]) + clock + end
    return chance.choice(["", "", "", "Mon ", "Do., "]) + text


def a_number(chance: random.Random) -> str:
    """Draw what looks like a number in one of many writings."""
    whole, part = chance.randint(0, 10 ** chance.randint(1, 8)), chance.random() * 1000
    body = chance.choice(
        [f"{whole}", f"{part:.2f}", "0007", ".5", ",5", "5.", "1.2.3", "0", *[f"{whole:,}"] * 4]
    )
    body = body.translate({ord(","): chance.choice([",", " ", "'", ".", chance.choice(BLANKS)])})
    if chance.random() < 0.3:
        body = body.replace(".", ",")
    before = chance.choice(["", "", "", "-", "+", "(", "\u2212", "$", "- ", "€ "])
    return before + body + chance.choice(["", "", ")", "-", " kg", "%", "e5", "E+02"])


def a_cell(chance: random.Random) -> str:
    """Draw a cell: a date, a number, or a word."""
    draw = chance.choice([a_date, a_date, a_number, a_number, a_word])
    return chance.choice(["", "", "", " ", "\u00a0"]) + draw(chance) + chance.choice(["", "", " "])


def a_word(chance: random.Random) -> str:
    """Draw a word, or a number that may be a day of a spreadsheet."""
    return chance.choice(
        ["soon", "12 or so", "**", "20240131", "44000", "-5", "1e9", "999999", "x"]
    )


def hold(chance: random.Random) -> int:
    """Hold the engines against plain Python in a random reading; return the cells that are read."""
    cells = [a_cell(chance) for _ in range(CELLS)]
    texts = pl.Series("cell", cells)
    if chance.random() < 0.5:
        form = a_format(chance)
        expected = [form.iso(cell) for cell in cells]
        assert dates_of(texts, form).to_list() == expected, form.word
    else:
        mark, drops_zeros = chance.choice(",."), chance.random() < 0.5
        expected = [plain_number(cell, mark, drops_zeros=drops_zeros) for cell in cells]
        assert plain_numbers(texts, mark, drops_zeros=drops_zeros).to_list() == expected, mark
    return sum(one is not None for one in expected)


def test_random_cells_in_random_readings():
    assert sum(hold(random.Random(seed)) for seed in range(30)) > 100


@pytest.mark.slow
def test_two_thousand_readings():
    assert sum(hold(random.Random(f"slow {seed}")) for seed in range(2_000)) > 10_000
