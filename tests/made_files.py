"""Files as people have them, made from a seed: the bytes, and the truth of every cell beside them.

Each kind is a function of a random generator that returns a :class:`MadeFile`. It writes its bytes
by plain code of its own, so that no writer of the program or of a library hides a fault.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

SECRET = "Quillfeather"  # stands in cells, and may stand in no message
TOWNS = ("Ulm", "Hof", "Celle", "Passau")
SPELLED = ("Köln", "Düren", "Münster", "Osnabrück", "Görlitz")
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia",
}
ROWS = 45


@dataclass(frozen=True)
class Truth:
    """What a column holds: ``number``, ``date``, ``moment`` or ``text``, and each of its cells.

    Parameters
    ----------
    cells : what must be read; None where a cell is missing
    days : of a column whose cells stay texts, the period of each: its year, or year and month
    """

    kind: str
    cells: Sequence[object]
    days: Sequence[str] = ()


@dataclass(frozen=True)
class MadeFile:
    """A file with the truth of its columns.

    Parameters
    ----------
    name, content : of the file
    columns : the truth, by the name that each column should have
    culprit : words of which a refusal must have one; empty where the file has to be read
    said : words of which the draft must have each, where something has to be said
    """

    name: str
    content: bytes
    columns: Mapping[str, Truth]
    culprit: Sequence[str] = ()
    said: Sequence[str] = field(default_factory=tuple)


KINDS: dict[str, Callable[[random.Random], MadeFile]] = {}


def _kind(make: Callable[[random.Random], MadeFile]) -> Callable[[random.Random], MadeFile]:
    """Add a kind under the name of its function."""
    KINDS[make.__name__.strip("_")] = make
    return make


def made_file(kind: str, seed: int) -> MadeFile:
    """Make the file of a kind and a seed."""
    return KINDS[kind](random.Random(f"{kind} {seed}"))


def _joined(rows: Sequence[Sequence[str]], separator: str = ",", end: str = "\n") -> str:
    """Write rows as text, quoted where a cell needs it."""

    def cell(text: str) -> str:
        if any(mark in text for mark in (separator, '"', "\n", "\r")):
            return '"' + text.replace('"', '""') + '"'
        return text

    return "".join(separator.join(map(cell, row)) + end for row in rows)


def _people(chance: random.Random, towns: Sequence[str] = TOWNS) -> dict[str, Truth]:
    """Make columns that need no care, beside which the one in question stands."""
    return {
        "age": Truth("number", [chance.randint(18, 89) for _ in range(ROWS)]),
        "sex": Truth("text", [chance.choice("mf") for _ in range(ROWS)]),
        "town": Truth("text", [chance.choice(towns) for _ in range(ROWS)]),
        "seen": Truth("text", [chance.choice(["flu", "gout", "asthma"]) for _ in range(ROWS)]),
    }


def _rows(columns: Mapping[str, Truth], written: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the header and the rows, with some columns written otherwise than by their truth."""
    texts = {
        name: written.get(name, ["" if cell is None else str(cell) for cell in one.cells])
        for name, one in columns.items()
    }
    return [list(columns), *(list(row) for row in zip(*texts.values(), strict=True))]


def _beside(
    chance: random.Random,
    name: str,
    truth: Truth,
    written: Sequence[str],
    separator: str = ",",
    *,
    said: Sequence[str] = (),
) -> MadeFile:
    """Write a column in question beside others."""
    columns = {**_people(chance), name: truth}
    text = _joined(_rows(columns, {name: written}), separator)
    return MadeFile("data.csv", text.encode(), columns, said=said)


# Dates.


def _days(chance: random.Random, first: int = 1941, last: int = 2019) -> list[dt.date]:
    """Draw days, some of which are behind the twelfth."""
    spread = (dt.date(last, 12, 31) - dt.date(first, 1, 1)).days
    days = [dt.date(first, 1, 1) + dt.timedelta(chance.randint(0, spread)) for _ in range(ROWS)]
    return [dt.date(first, 1, 31), dt.date(last, 5, 25), *days[2:]]


def _dated(chance: random.Random, form: str, *, first: int = 1941, last: int = 2019) -> MadeFile:
    """Write days in a form of Python's."""
    days = _days(chance, first, last)
    return _beside(chance, "birth", Truth("date", days), [f"{day:{form}}" for day in days])


@_kind
def _day_first(chance: random.Random) -> MadeFile:
    return _dated(chance, f"%d{(mark := chance.choice('/.-'))}%m{mark}%Y")


@_kind
def _month_first(chance: random.Random) -> MadeFile:
    return _dated(chance, f"%m{(mark := chance.choice('/-.'))}%d{mark}%Y")


@_kind
def _year_first(chance: random.Random) -> MadeFile:
    return _dated(chance, f"%Y{(mark := chance.choice('/.'))}%m{mark}%d")


@_kind
def _single_digits(chance: random.Random) -> MadeFile:
    days, first = _days(chance), chance.random() < 0.5
    texts = [
        f"{day.day}/{day.month}/{day.year}" if first else f"{day.month}/{day.day}/{day.year}"
        for day in days
    ]
    return _beside(chance, "birth", Truth("date", days), texts)


@_kind
def _two_digit_years(chance: random.Random) -> MadeFile:
    mark = chance.choice("/.-")
    order = chance.choice([f"%d{mark}%m{mark}%y", f"%m{mark}%d{mark}%y"])
    return _dated(chance, order, first=1931, last=1999)


@_kind
def _month_names(chance: random.Random) -> MadeFile:
    days, language = _days(chance), chance.choice(list(MONTHS))
    names = MONTHS[language].split()
    of = " de " if language == "es" else ". " if language == "de" else " "
    texts = [
        f"{d.day}{of}{names[d.month - 1]}{' de ' if language == 'es' else ' '}{d.year}"
        for d in days
    ]
    return _beside(chance, "birth", Truth("date", days), texts)


@_kind
def _short_month_names(chance: random.Random) -> MadeFile:
    days, form = _days(chance), chance.choice(["%d-%b-%Y", "%b %d, %Y", "%d %b %y", "%B %d, %Y"])
    days = days if "%y" not in form else _days(chance, 1935, 1999)
    return _beside(chance, "birth", Truth("date", days), [f"{day:{form}}" for day in days])


@_kind
def _packed_dates(chance: random.Random) -> MadeFile:
    return _dated(chance, "%Y%m%d")


@_kind
def _moments(chance: random.Random) -> MadeFile:
    form = chance.choice(["%d.%m.%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M"])
    times = [
        dt.datetime.combine(day, dt.time(chance.randint(0, 23), chance.randint(0, 59)))
        for day in _days(chance)
    ]
    return _beside(chance, "visit", Truth("moment", times), [f"{one:{form}}" for one in times])


@_kind
def _dates_that_cannot_tell(chance: random.Random) -> MadeFile:
    days = [dt.date(chance.randint(1950, 2010), chance.randint(1, 12), chance.randint(1, 12))]
    days += [
        one.replace(day=chance.randint(1, 12), year=chance.randint(1950, 2010))
        for one in days * (ROWS - 1)
    ]
    texts = [f"{day:%d/%m/%Y}" for day in days]
    truth = Truth("text", texts, [str(day.year) for day in days])
    return _beside(chance, "birth", truth, texts, said=("cannot",))


@_kind
def _dates_of_both_orders(chance: random.Random) -> MadeFile:
    days = _days(chance)
    texts = [f"{day:%d/%m/%Y}" if at % 2 else f"{day:%m/%d/%Y}" for at, day in enumerate(days)]
    texts[0], texts[1] = f"{days[0]:%m/%d/%Y}", f"{days[1]:%d/%m/%Y}"
    truth = Truth("text", texts, [str(day.year) for day in days])
    return _beside(chance, "birth", truth, texts, said=("day", "month"))


@_kind
def _partial_dates(chance: random.Random) -> MadeFile:
    days = _days(chance)
    forms = ["%Y", "%Y-%m", "%Y-%m-00", "%Y-00-00"]
    texts = [
        f"{day:{chance.choice(forms) if at % 9 == 0 else '%Y-%m-%d'}}"
        for at, day in enumerate(days)
    ]
    truth = Truth("text", texts, [str(day.year) for day in days])
    return _beside(chance, "birthDate", truth, texts, said=("full dates",))


@_kind
def _months(chance: random.Random) -> MadeFile:
    form = chance.choice(["%Y-%m", "%Y/%m", "%m/%Y"])
    days = _days(chance)
    texts = [f"{day:{form}}" for day in days]
    return _beside(chance, "birth_month", Truth("text", texts, [str(d.year) for d in days]), texts)


@_kind
def _weeks(chance: random.Random) -> MadeFile:
    days = _days(chance, 2015, 2023)
    texts = [f"{day.isocalendar().year}-W{day.isocalendar().week:02d}" for day in days]
    truth = Truth("text", texts, [str(day.isocalendar().year) for day in days])
    return _beside(chance, "visit_week", truth, texts)


@_kind
def _decades(chance: random.Random) -> MadeFile:
    texts = [f"{chance.randint(193, 200)}0s" for _ in range(ROWS)]
    return _beside(chance, "birth_decade", Truth("text", texts), texts)


@_kind
def _dates_with_missing_ones(chance: random.Random) -> MadeFile:
    days = _days(chance)
    gone = [at > 1 and chance.random() < 0.15 for at in range(ROWS)]
    texts = ["" if out else f"{day:%d.%m.%Y}" for out, day in zip(gone, days, strict=True)]
    truth = [None if out else day for out, day in zip(gone, days, strict=True)]
    return _beside(chance, "birth", Truth("date", truth), texts)


# Numbers.


def _amounts(chance: random.Random, most: float = 90.0, digits: int = 2) -> list[Decimal]:
    """Draw numbers with decimals."""
    return [Decimal(f"{chance.uniform(1.01, most):.{digits}f}") for _ in range(ROWS)]


def _grouped(number: Decimal, group: str, point: str) -> str:
    """Write a number with a mark between its thousands."""
    return f"{number:,}".replace(",", "\0").replace(".", point).replace("\0", group)


@_kind
def _decimal_commas(chance: random.Random) -> MadeFile:
    numbers = _amounts(chance)
    texts = [str(number).replace(".", ",") for number in numbers]
    return _beside(chance, "height", Truth("number", numbers), texts, chance.choice(";\t,"))


@_kind
def _decimal_commas_of_three_digits(chance: random.Random) -> MadeFile:
    numbers = [Decimal(f"{chance.uniform(0.1, 0.99):.3f}") for _ in range(ROWS)]
    texts = [str(number).replace(".", ",") for number in numbers]
    return _beside(chance, "share", Truth("number", numbers), texts, ";")


@_kind
def _long_decimal_commas(chance: random.Random) -> MadeFile:
    numbers = _amounts(chance, digits=9)
    texts = [str(number).replace(".", ",") for number in numbers]
    return _beside(chance, "latitude", Truth("number", numbers), texts, ";")


@_kind
def _thousands(chance: random.Random) -> MadeFile:
    numbers = _amounts(chance, 9_999_999.0)
    group, point = chance.choice(
        [(",", "."), (".", ","), (" ", ","), ("\u00a0", ","), ("'", "."), ("\u202f", ",")]
    )
    texts = [_grouped(number, group, point) for number in numbers]
    return _beside(chance, "income", Truth("number", numbers), texts, chance.choice(";\t"))


@_kind
def _thousands_of_whole_numbers(chance: random.Random) -> MadeFile:
    numbers = [chance.randint(200, 9_000_000) for _ in range(ROWS - 1)] + [1_234_567]
    texts = [f"{number:,}" for number in numbers]
    return _beside(chance, "income", Truth("number", numbers), texts)


@_kind
def _commas_that_cannot_tell(chance: random.Random) -> MadeFile:
    texts = [f"{chance.randint(1, 99)},{chance.randint(100, 999)}" for _ in range(ROWS)]
    return _beside(chance, "income", Truth("text", texts), texts, ";", said=("decimal",))


@_kind
def _leading_points(chance: random.Random) -> MadeFile:
    numbers = [Decimal(f"{chance.uniform(-0.99, 0.99):.2f}") for _ in range(ROWS)]
    texts = [str(number).replace("0.", ".") for number in numbers]
    return _beside(chance, "z", Truth("number", [abs(n) if n == 0 else n for n in numbers]), texts)


@_kind
def _percents(chance: random.Random) -> MadeFile:
    numbers, end = _amounts(chance, 99.0, 1), chance.choice(["%", " %", "\u00a0%"])
    return _beside(
        chance, "share", Truth("number", numbers), [f"{number}{end}" for number in numbers]
    )


@_kind
def _currencies(chance: random.Random) -> MadeFile:
    numbers = _amounts(chance, 90_000.0)
    before, after = chance.choice(
        [("$", ""), ("£", ""), ("", " €"), ("€ ", ""), ("", " zł"), ("$", " ")]
    )
    texts = [f"{before}{number:,}{after}" for number in numbers]
    return _beside(chance, "wage", Truth("number", numbers), texts)


@_kind
def _padded(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    texts = {
        "age": [f"{cell:>6}" for cell in columns["age"].cells],
        "sex": [f"{cell!s:<4}" for cell in columns["sex"].cells],
    }
    return MadeFile("data.csv", _joined(_rows(columns, texts)).encode(), columns)


@_kind
def _no_break_blanks(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    blank = chance.choice(["\u00a0", "\u202f", "\u2009"])
    texts = {
        "age": [
            f"{cell}{blank if at % 3 == 0 else ''}" for at, cell in enumerate(columns["age"].cells)
        ]
    }
    return MadeFile("data.csv", _joined(_rows(columns, texts)).encode(), columns)


@_kind
def _signs(chance: random.Random) -> MadeFile:
    numbers = [chance.randint(-60, 60) or 7 for _ in range(ROWS)]
    minus = chance.choice(["-", "\u2212"])
    texts = [f"+{number}" if number > 0 else f"{minus}{-number}" for number in numbers]
    return _beside(chance, "change", Truth("number", numbers), texts)


@_kind
def _minus_behind(chance: random.Random) -> MadeFile:
    numbers = [-12, *(chance.randint(-900, 900) or 3 for _ in range(ROWS - 1))]
    texts = [f"{-n}-" if n < 0 else str(n) for n in numbers]
    return _beside(chance, "balance", Truth("number", numbers), texts)


@_kind
def _a_word_among_numbers(chance: random.Random) -> MadeFile:
    numbers = [chance.randint(20, 80) for _ in range(ROWS)]
    at = chance.randrange(3, ROWS)
    texts = [f"asked {SECRET}" if row == at else str(number) for row, number in enumerate(numbers)]
    truth = [None if row == at else number for row, number in enumerate(numbers)]
    said = (f"{ROWS - 1} of {ROWS} values are numbers", f"line {at + 2}")
    return _beside(chance, "weight", Truth("number", truth), texts, said=said)


@_kind
def _codes_with_zeros(chance: random.Random) -> MadeFile:
    texts = [f"{chance.randint(0, 99999):05d}" for _ in range(ROWS - 1)] + ["01067"]
    return _beside(chance, "plz", Truth("text", texts), texts)


@_kind
def _too_large_numbers(chance: random.Random) -> MadeFile:
    texts = [str(chance.randint(10**39, 10**42)) for _ in range(ROWS)]
    return _beside(chance, "serial", Truth("text", texts), texts)


@_kind
def _bands_of_numbers(chance: random.Random) -> MadeFile:
    texts = [chance.choice(["18,24", "25,34", "35,44", "45,54"]) for _ in range(ROWS)]
    return _beside(chance, "ages", Truth("text", texts), texts, ";")


@_kind
def _versions(chance: random.Random) -> MadeFile:
    texts = [
        f"{chance.randint(1, 9)}.{chance.randint(0, 9)}.{chance.randint(0, 20)}"
        for _ in range(ROWS - 1)
    ] + ["2.0.17"]
    return _beside(chance, "release", Truth("text", texts), texts)


# Files.


def _encoded(
    chance: random.Random, encoding: str, towns: Sequence[str] = SPELLED, mark: bytes = b""
) -> MadeFile:
    """Write a table in an encoding."""
    columns = _people(chance, towns)
    return MadeFile(
        "data.csv",
        mark + _joined(_rows(columns, {}), chance.choice(",;")).encode(encoding),
        columns,
    )


@_kind
def _windows_1252(chance: random.Random) -> MadeFile:
    return _encoded(chance, "cp1252", [*SPELLED, "Besançon", "Orléans", "Vila d\u2019Este"])


@_kind
def _latin_1(chance: random.Random) -> MadeFile:
    return _encoded(
        chance, "latin-1", ["São Paulo", "Brasília", "Belém", "Maceió", "Goiânia", "Cuiabá"]
    )


@_kind
def _windows_1250(chance: random.Random) -> MadeFile:
    made = _encoded(
        chance, "cp1250", ["Łódź", "Kraków", "Poznań", "Gdańsk", "Wrocław", "Częstochowa"]
    )
    return MadeFile(made.name, made.content, made.columns, culprit=("encoding",))


@_kind
def _shift_jis(chance: random.Random) -> MadeFile:
    return _encoded(
        chance, "shift_jis", ["東京都", "大阪府", "京都府", "北海道", "神奈川県", "さいたま市"]
    )


@_kind
def _utf_16(chance: random.Random) -> MadeFile:
    encoding, mark = chance.choice(
        [("utf-16-le", b""), ("utf-16-be", b""), ("utf-16-le", b"\xff\xfe")]
    )
    return _encoded(chance, encoding, SPELLED, mark=mark)


@_kind
def _utf_8_with_mark(chance: random.Random) -> MadeFile:
    return _encoded(chance, "utf-8", SPELLED, mark=b"\xef\xbb\xbf")


@_kind
def _line_ends(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    end = chance.choice(["\r", "\r\r\n", "\r\n"])
    return MadeFile("data.csv", _joined(_rows(columns, {}), ",", end).encode(), columns)


@_kind
def _blank_lines(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    end = chance.choice(["\n\n", "\r\n\r\n", "\n  \n"])
    return MadeFile("data.csv", _joined(_rows(columns, {}), ",", end).encode(), columns)


@_kind
def _comment_lines(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    head = "# made by a program\n# version 2, all rights reserved\n"
    return MadeFile("data.csv", (head + _joined(_rows(columns, {}))).encode(), columns)


@_kind
def _named_separator(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    mark = chance.choice(";,|\t")
    end = chance.choice(["\n", "\r\n"])
    text = f"sep={mark}{end}" + _joined(_rows(columns, {}), mark, end)
    return MadeFile("data.csv", text.encode(), columns)


@_kind
def _bars_around_lines(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    pad = chance.choice(["", " "])
    rows = _rows(columns, {})
    lines = ["|" + "|".join(f"{pad}{cell}{pad}" for cell in row) + "|" for row in rows]
    if pad:
        lines.insert(1, "|" + "|".join("---" for _ in columns) + "|")
    return MadeFile("data.txt", ("\n".join(lines) + "\n").encode(), columns)


@_kind
def _separator_in_names(chance: random.Random) -> MadeFile:
    people = _people(chance)
    names = [
        "Age, in years, at last birthday",
        "Sex, if you like",
        "Town, or none",
        "Seen, chronic, or none",
    ]
    columns = dict(zip(names, people.values(), strict=True))
    rows = [";".join(row) for row in _rows(columns, {})]
    return MadeFile("data.csv", ("\n".join(rows) + "\n").encode(), columns)


@_kind
def _separator_in_cells(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    columns["note"] = Truth(
        "text", [chance.choice(["yes, twice, or more", "no", "a, b, c, d"]) for _ in range(ROWS)]
    )
    rows = [";".join(row) for row in _rows(columns, {})]
    return MadeFile("data.csv", ("\n".join(rows) + "\n").encode(), columns)


@_kind
def _single_quotes(chance: random.Random) -> MadeFile:
    columns = _people(chance, ["Ulm, Donau", "Hof, Saale", "Celle"])
    rows = _rows(columns, {})
    text = "".join(",".join(f"'{cell}'" for cell in row) + "\n" for row in rows)
    return MadeFile("data.csv", text.encode(), columns)


@_kind
def _several_header_rows(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    rows = _rows(columns, {})
    questions = [
        "How old are you, in years?",
        "What is your gender?",
        "Where do you live?",
        "What was it?",
    ]
    ids = ['{"ImportId":"Q1"}', '{"ImportId":"Q2"}', '{"ImportId":"Q3"}', '{"ImportId":"Q4"}']
    more = [questions, ids][: chance.choice([1, 2])]
    return MadeFile(
        "data.csv", _joined([rows[0], *more, *rows[1:]]).encode(), columns, said=("skip_rows",)
    )


@_kind
def _title_rows(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    rows = _rows(columns, {})
    title = chance.choice([["Patients of ward 3", "", "", ""], ["Patients of ward 3"]])
    blank = chance.choice([[[]], [], [["", "", "", ""]]])
    return MadeFile("data.csv", _joined([title, *blank, *rows]).encode(), columns, said=("header",))


@_kind
def _total_row(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    columns["score"] = Truth("number", [chance.randint(1, 9) for _ in range(ROWS)])
    total = [
        chance.choice(["Total", "Summe", "Sum"]),
        "",
        "",
        "",
        str(sum(map(int, columns["score"].cells))),
    ]
    text = _joined([*_rows(columns, {}), total])
    return MadeFile("data.csv", text.encode(), columns, said=("skip_last",))


@_kind
def _header_one_name_short(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    rows = _rows(columns, {})
    numbered = [rows[0], *([f"{at}", *row] for at, row in enumerate(rows[1:], start=1))]
    text = "".join(
        ",".join(
            f'"{cell}"' if at == 0 or not cell.isdigit() else cell for at, cell in enumerate(row)
        )
        + "\n"
        for row in numbered
    )
    return MadeFile("data.csv", text.encode(), columns)


@_kind
def _header_one_name_long(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    rows = _rows(columns, {})
    return MadeFile("data.csv", _joined([[*rows[0], ""], *rows[1:]]).encode(), columns)


@_kind
def _separators_at_line_ends(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    return MadeFile(
        "data.csv", _joined([[*row, ""] for row in _rows(columns, {})], ";").encode(), columns
    )


@_kind
def _blank_name(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    rows = _rows(columns, {})
    rows[0][chance.randrange(1, 4)] = ""
    return MadeFile("data.csv", _joined(rows).encode(), columns, culprit=("no name",))


@_kind
def _repeated_name(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    rows = _rows(columns, {})
    rows[0][3] = "town"
    numbered = {**columns, "town.1": columns["seen"]}
    del numbered["seen"]
    return MadeFile("data.csv", _joined(rows).encode(), numbered, said=("town.1",))


@_kind
def _ragged_line(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    rows = _rows(columns, {})
    at = chance.randrange(20, 40)
    rows[at] = [*rows[at], SECRET]
    return MadeFile(
        "data.csv", _joined(rows).encode(), columns, culprit=(f"line {at + 1}", f"lines {at + 1}")
    )


@_kind
def _cells_of_several_lines(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    columns["note"] = Truth(
        "text", [chance.choice(["one\ntwo", "one", 'he said "no"']) for _ in range(ROWS)]
    )
    return MadeFile("data.csv", _joined(_rows(columns, {})).encode(), columns)


@_kind
def _tabs_in_a_csv(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    return MadeFile("data.csv", _joined(_rows(columns, {}), "\t", "\r\n").encode(), columns)


@_kind
def _blanks_in_names(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    rows = _rows(columns, {})
    rows[0] = [chance.choice([f" {name}", f"{name} ", f"{name}\u00a0"]) for name in rows[0]]
    return MadeFile("data.csv", _joined(rows).encode(), columns)


@_kind
def _separators_behind_records(chance: random.Random) -> MadeFile:
    columns = {"id": Truth("number", chance.sample(range(1000, 9999), ROWS)), **_people(chance)}
    rows = _rows(columns, {})
    return MadeFile(
        "data.csv", _joined([rows[0], *([*row, ""] for row in rows[1:])]).encode(), columns
    )


@_kind
def _no_header(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    return MadeFile("data.csv", _joined(_rows(columns, {})[1:]).encode(), columns, ("no names",))


@_kind
def _fixed_width(chance: random.Random) -> MadeFile:
    columns = _people(chance)
    lines = ["".join(f"{cell:<10}" for cell in row) for row in _rows(columns, {})]
    return MadeFile("data.txt", "\n".join(lines).encode(), columns, ("blanks",))


@_kind
def _units(chance: random.Random) -> MadeFile:
    numbers, unit = (
        _amounts(chance),
        chance.choice([" kg", "kg", " cm", " years", " mg/dl", " Jahre"]),
    )
    return _beside(
        chance, "size", Truth("number", numbers), [f"{number}{unit}" for number in numbers]
    )


@_kind
def _weekdays(chance: random.Random) -> MadeFile:
    return _dated(chance, chance.choice(["%a, %d.%m.%Y", "%A, %d %B %Y", "%a %d/%m/%Y"]))


@_kind
def _survey_with_many_faults(chance: random.Random) -> MadeFile:
    """A table as it is published: title, further headers, totals, commas, dates, Latin letters."""
    separator, end = chance.choice(";\t"), chance.choice(["\n", "\r\n"])
    encoding = chance.choice(["cp1252", "utf-8", "utf-8-sig", "utf-16"])
    days, weights = _days(chance), _amounts(chance)
    form = chance.choice(["%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%b-%Y", "%Y/%m/%d"])
    columns = {
        **_people(chance, SPELLED),
        "birth": Truth("date", days),
        "weight": Truth("number", weights),
    }
    written = {
        "birth": [f"{day:{form}}" for day in days],
        "weight": [str(number).replace(".", ",") for number in weights],
    }
    rows = _rows(columns, written)
    if chance.random() < 0.5:
        rows.insert(1, ["How old?", "Sex of the person", "Place", "Reason", "Born on", "in kg"])
    if chance.random() < 0.5:
        rows.append(["Summe", "", "", "", "", ""])
    if chance.random() < 0.5:
        rows = [["Umfrage für alle"], [], *rows]
    text = _joined(rows, separator, end)
    return MadeFile("data.csv", text.encode(encoding), columns)
