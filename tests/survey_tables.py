"""Fifteen tables with the faults of published surveys, made from a seed, with the truth beside.

Each stands for a kind of publisher: an office of statistics, a questionnaire on the web, a study
that was saved by a program for statistics. Nothing of a real survey is in them.
"""

from __future__ import annotations

import datetime as dt
import io
import random
from collections.abc import Callable, Sequence
from decimal import Decimal

import xlsxwriter

from made_files import MadeFile, Truth

N_RECORDS = 60
SURVEYS: dict[str, Callable[[random.Random], MadeFile]] = {}


def _survey(make: Callable[[random.Random], MadeFile]) -> Callable[[random.Random], MadeFile]:
    """Add a survey under the name of its function."""
    SURVEYS[make.__name__.strip("_")] = make
    return make


def survey_table(name: str, seed: int) -> MadeFile:
    """Make the table of a survey and a seed."""
    return SURVEYS[name](random.Random(f"{name} {seed}"))


def _days(chance: random.Random) -> list[dt.date]:
    first = dt.date(1935, 1, 31)
    return [first, *(first + dt.timedelta(chance.randint(0, 27_000)) for _ in range(N_RECORDS - 1))]


def _amounts(chance: random.Random, low: float, high: float, digits: int = 1) -> list[Decimal]:
    return [Decimal(f"{chance.uniform(low, high):.{digits}f}") for _ in range(N_RECORDS)]


def _words(chance: random.Random, words: Sequence[str]) -> list[str]:
    return [chance.choice(words) for _ in range(N_RECORDS)]


def _some(chance: random.Random, cells: Sequence[object], share: float = 0.15) -> list[object]:
    """Leave out some cells, never the first two."""
    return [None if at > 1 and chance.random() < share else c for at, c in enumerate(cells)]


def _comma(cells: Sequence[object], missing: str = "") -> list[str]:
    return [missing if cell is None else str(cell).replace(".", ",") for cell in cells]


def _text(
    rows: Sequence[Sequence[str]], separator: str, end: str = "\n", *, quoted: bool = False
) -> str:
    """Write rows, every text in quotes where asked for."""

    def cell(text: str) -> str:
        needs = quoted or any(mark in text for mark in (separator, '"', "\n"))
        return '"' + text.replace('"', '""') + '"' if needs else text

    return "".join(separator.join(map(cell, row)) + end for row in rows)


def _columns(names: Sequence[str], written: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return a header and the rows of columns."""
    return [list(names), *(list(row) for row in zip(*written, strict=True))]


@_survey
def _notifications_of_a_ministry(chance: random.Random) -> MadeFile:
    """Latin letters, semicolons, days first, codes with zeros, decimal commas, all in quotes."""
    days, seen = _days(chance), [dt.date(2022, 1, 25)] * N_RECORDS
    seen = [day + dt.timedelta(chance.randint(0, 500)) for day in seen]
    towns = _words(chance, ["São Paulo", "Maceió", "Belém", "Goiânia"])
    codes = [f"{chance.randint(1, 99):06d}" for _ in range(N_RECORDS)]
    weights = _some(chance, _amounts(chance, 40, 110))
    columns = {
        "DT_NASC": Truth("date", days),
        "DT_NOTIF": Truth("date", seen),
        "MUNICIPIO": Truth("text", towns),
        "CO_UNIDADE": Truth("text", codes),
        "PESO": Truth("number", weights),
    }
    written = [[f"{d:%d/%m/%Y}" for d in one] for one in (days, seen)]
    written += [towns, codes, _comma(weights)]
    text = _text(_columns(list(columns), written), ";", "\r\n", quoted=True)
    return MadeFile("data.csv", text.encode("latin-1"), columns)


@_survey
def _census_extract_of_an_office(chance: random.Random) -> MadeFile:
    """A title, a blank line, departments such as 2A and 01, thousands with narrow blanks."""
    departments = ["2A", "2B", "01", *(f"{chance.randint(1, 95):02d}" for _ in range(57))]
    incomes = [chance.randint(1_000, 90_000) for _ in range(N_RECORDS)]
    shares = _amounts(chance, 0, 1, 3)
    sexes = _words(chance, ["Hommes", "Femmes"])
    columns = {
        "Département": Truth("text", departments),
        "Sexe": Truth("text", sexes),
        "Revenu médian": Truth("number", incomes),
        "Part": Truth("number", shares),
    }
    written = [departments, sexes, [f"{n:,}".replace(",", "\u202f") for n in incomes]]
    rows = _columns(list(columns), [*written, _comma(shares)])
    rows = [["Recensement de la population"], [], *rows]
    return MadeFile("data.csv", _text(rows, ";", "\r\n").encode("utf-8-sig"), columns)


@_survey
def _tables_of_a_statistics_office(chance: random.Random) -> MadeFile:
    """Title rows, marks for what is secret, decimal commas, and a line with the source below."""
    ages = [chance.randint(18, 90) for _ in range(N_RECORDS)]
    towns = _words(chance, ["Köln", "Düren", "Münster"])
    hours = _some(chance, _amounts(chance, 1, 60))
    columns = {
        "Alter": Truth("number", ages),
        "Kreis": Truth("text", towns),
        "Stunden": Truth("number", hours),
    }
    rows = _columns(list(columns), [list(map(str, ages)), towns, _comma(hours, "-")])
    rows = [["Mikrozensus", "", ""], ["Stand: 2021", "", ""], *rows, ["Insgesamt", "", ""]]
    return MadeFile("data.csv", _text(rows, ";", "\r\n").encode("cp1252"), columns)


@_survey
def _accidents_of_a_country(chance: random.Random) -> MadeFile:
    """A mark of UTF-8, months first, dollars with thousands, commas in quoted cells."""
    days = _days(chance)
    places = _words(chance, ["Dayton, OH", "Salem, OR", "Athens, GA"])
    zips = [f"0{chance.randint(1000, 9999)}" for _ in range(N_RECORDS)]
    costs = _some(chance, _amounts(chance, 100, 99_000, 2))
    columns = {
        "DOB": Truth("date", days),
        "City": Truth("text", places),
        "ZIP": Truth("text", zips),
        "Cost": Truth("number", costs),
    }
    written = [[f"{d.month}/{d.day}/{d.year}" for d in days], places, zips]
    written.append(["" if c is None else f"${c:,}" for c in costs])
    return MadeFile(
        "data.csv", _text(_columns(list(columns), written), ",").encode("utf-8-sig"), columns
    )


@_survey
def _questionnaire_on_the_web(chance: random.Random) -> MadeFile:
    """Three rows of headers, one with line breaks, and moments of the day."""
    starts = [
        dt.datetime(2023, 3, 1) + dt.timedelta(seconds=chance.randint(0, 9**7))  # noqa: DTZ001
        for _ in range(N_RECORDS)
    ]
    ages = [chance.randint(18, 90) for _ in range(N_RECORDS)]
    answers = _words(chance, ["Agree", "Disagree", "Neither agree, nor disagree"])
    columns = {
        "StartDate": Truth("moment", starts),
        "Q1": Truth("number", ages),
        "Q2": Truth("text", answers),
    }
    written = [[f"{one:%Y-%m-%d %H:%M:%S}" for one in starts], list(map(str, ages)), answers]
    rows = _columns(list(columns), written)
    more = [
        ["Start Date", "How old are you?\n(in years)", "Do you like it?\nChoose one."],
        ['{"ImportId":"startDate"}', '{"ImportId":"QID1"}', '{"ImportId":"QID2"}'],
    ]
    return MadeFile("data.csv", _text([rows[0], *more, *rows[1:]], ",").encode(), columns)


@_survey
def _questions_as_names(chance: random.Random) -> MadeFile:
    """Whole questions in the header, with commas, quotes and question marks; N/A among numbers."""
    ages = _some(chance, [chance.randint(18, 90) for _ in range(N_RECORDS)])
    answers = _words(chance, ["Yes", "No"])
    days = _days(chance)
    columns = {
        'What is your age, in "full" years?': Truth("number", ages),
        "Do you smoke, or did you smoke?": Truth("text", answers),
        "When were you born?": Truth("date", days),
    }
    written = [["N/A" if age is None else str(age) for age in ages], answers]
    written.append([f"{day:%d.%m.%Y}" for day in days])
    text = _text(_columns(list(columns), written), ",", quoted=True)
    return MadeFile("data.csv", text.encode(), columns)


@_survey
def _households_from_the_field(chance: random.Random) -> MadeFile:
    """Names of groups with slashes, coordinates of many digits, n/a, choices as 0 and 1."""
    sizes = _some(chance, [chance.randint(1, 12) for _ in range(N_RECORDS)])
    latitudes = _amounts(chance, -3, 3, 7)
    chosen = [chance.randint(0, 1) for _ in range(N_RECORDS)]
    villages = _words(chance, ["Kasese", "Mbale", "Gulu"])
    columns = {
        "hh/roster/size": Truth("number", sizes),
        "_gps_latitude": Truth("number", latitudes),
        "hh/water/well": Truth("number", chosen),
        "hh/village": Truth("text", villages),
    }
    written = [["n/a" if size is None else str(size) for size in sizes]]
    written += [list(map(str, latitudes)), list(map(str, chosen)), villages]
    return MadeFile("data.csv", _text(_columns(list(columns), written), ",").encode(), columns)


@_survey
def _records_of_a_study(chance: random.Random) -> MadeFile:
    """Moments without seconds, checkboxes in columns, minus signs, a separator behind each line."""
    visits = [
        dt.datetime(2021, 5, 25) + dt.timedelta(minutes=chance.randint(0, 10**6))  # noqa: DTZ001
        for _ in range(N_RECORDS)
    ]
    boxes = [chance.randint(0, 1) for _ in range(N_RECORDS)]
    scores = _amounts(chance, -3, 3, 2)
    arms = _words(chance, ["A", "B"])
    columns = {
        "visit_dt": Truth("moment", visits),
        "race___1": Truth("number", boxes),
        "z_score": Truth("number", [abs(one) if one == 0 else one for one in scores]),
        "arm": Truth("text", arms),
    }
    written = [[f"{one:%d/%m/%Y %H:%M}" for one in visits], list(map(str, boxes))]
    written += [[str(one).replace("-", "\u2212") for one in scores], arms]
    rows = [[*row, ""] for row in _columns(list(columns), written)]
    return MadeFile("data.csv", _text(rows, ";").encode(), columns)


@_survey
def _frame_of_r(chance: random.Random) -> MadeFile:
    """Names of rows in front, NA without quotes, numbers with exponents."""
    incomes = [chance.randint(1, 9) * 100_000 for _ in range(N_RECORDS)]
    weights = _some(chance, _amounts(chance, 0, 3, 5))
    sexes = _words(chance, ["male", "female"])
    columns = {
        "income": Truth("number", incomes),
        "pweight": Truth("number", weights),
        "sex": Truth("text", sexes),
    }
    lines = [",".join(f'"{name}"' for name in columns)]
    for at, (income, weight, sex) in enumerate(zip(incomes, weights, sexes, strict=True), 1):
        written = "NA" if weight is None else str(weight)
        lines.append(f'"{at}",{income // 100_000}e+05,{written},"{sex}"')
    return MadeFile("data.csv", "\n".join(lines).encode(), columns)


@_survey
def _workbook_of_a_ward(chance: random.Random) -> MadeFile:
    """Titles, a table that begins in the second column, errors, texts that are dates, a total."""
    ages = _some(chance, [chance.randint(18, 90) for _ in range(N_RECORDS)])
    days, wards = _days(chance), _words(chance, ["Surgery", "Neurology"])
    columns = {
        "Age": Truth("number", ages),
        "Admitted": Truth("date", days),
        "Ward": Truth("text", wards),
    }
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        sheet = book.add_worksheet("Table 1")
        sheet.write_string(1, 1, "Patients by ward")
        sheet.write_row(3, 1, list(columns))
        for at, (age, day, ward) in enumerate(zip(ages, days, wards, strict=True), start=4):
            if age is None:
                sheet.write_formula(at, 1, "=NA()", None, "#N/A")
            else:
                sheet.write_number(at, 1, age)
            sheet.write_string(at, 2, f"{day:%d.%m.%Y}")
            sheet.write_string(at, 3, ward)
        sheet.write_string(N_RECORDS + 4, 1, "Total")
        sheet.write_number(N_RECORDS + 4, 3, N_RECORDS)
    said = ("error of the workbook", "skip_last")
    return MadeFile("data.xlsx", content.getvalue(), columns, said=said)


@_survey
def _text_from_a_program_for_statistics(chance: random.Random) -> MadeFile:
    """Tabs, decimal commas, a mark for missing numbers, and short years behind names of months."""
    days = [day.replace(year=1935 + day.year % 60) for day in _days(chance) if day.day < 29]
    days = (days * 2)[:N_RECORDS]
    scores = _some(chance, _amounts(chance, 0, 40, 2))
    groups = _words(chance, ["1", "2", "3"])
    columns = {
        "gebdat": Truth("date", days),
        "score": Truth("number", scores),
        "gruppe": Truth("number", list(map(int, groups))),
    }
    written = [[f"{day:%d-%b-%y}".upper() for day in days], _comma(scores, "#NULL!"), groups]
    return MadeFile(
        "data.dat.txt", _text(_columns(list(columns), written), "\t", "\r\n").encode(), columns
    )


@_survey
def _survey_of_japan(chance: random.Random) -> MadeFile:
    """Letters of Shift_JIS, and dates with the year first."""
    days = _days(chance)
    towns = _words(chance, ["東京都新宿区", "大阪府堺市", "北海道札幌市"])
    ages = [chance.randint(18, 90) for _ in range(N_RECORDS)]
    columns = {
        "生年月日": Truth("date", days),
        "住所": Truth("text", towns),
        "年齢": Truth("number", ages),
    }
    written = [[f"{day:%Y/%m/%d}" for day in days], towns, list(map(str, ages))]
    return MadeFile(
        "data.csv",
        _text(_columns(list(columns), written), ",", "\r\n").encode("shift_jis"),
        columns,
    )


@_survey
def _register_of_poland(chance: random.Random) -> MadeFile:
    """Letters of Windows-1250, names of months, złoty behind the amounts."""
    months = (  # noqa: SIM905 - twelve words
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
        "listopada grudnia"
    ).split()
    days, wages = _days(chance), _amounts(chance, 1000, 9000, 2)
    towns = _words(chance, ["Łódź", "Kraków", "Częstochowa", "Świdnica"])
    columns = {
        "data urodzenia": Truth("date", days),
        "miejscowość": Truth("text", towns),
        "płaca": Truth("number", wages),
    }
    written = [[f"{d.day} {months[d.month - 1]} {d.year}" for d in days], towns]
    written.append([f"{one:,}".replace(",", " ").replace(".", ",") + " zł" for one in wages])
    return MadeFile(
        "data.csv", _text(_columns(list(columns), written), ";", "\r\n").encode("cp1250"), columns
    )


@_survey
def _unicode_text_of_excel(chance: random.Random) -> MadeFile:
    """UTF-16 with a mark, tabs, percent signs, dashes for nothing, blank lines at the end."""
    shares = _some(chance, _amounts(chance, 0, 99, 1))
    counts = [chance.randint(1_000, 9_999_999) for _ in range(N_RECORDS)]
    names = _words(chance, ["Žilina", "Bratislava"])
    columns = {
        "okres": Truth("text", names),
        "podiel": Truth("number", shares),
        "počet": Truth("number", counts),
    }
    written = [names, ["\u2013" if one is None else f"{_comma([one])[0]} %" for one in shares]]
    written.append([f"{one:,}".replace(",", "\u00a0") for one in counts])
    text = _text(_columns(list(columns), written), "\t", "\r\n") + "\r\n\r\n"
    return MadeFile("data.txt", text.encode("utf-16"), columns)


@_survey
def _export_padded_with_blanks(chance: random.Random) -> MadeFile:
    """Bars between padded cells, a rule of dashes, comments in front, years beside full dates."""
    days = _days(chance)
    texts = [f"{d:%Y}" if at % 11 == 3 else f"{d:%Y-%m-%d}" for at, d in enumerate(days)]
    ages = [chance.randint(18, 90) for _ in range(N_RECORDS)]
    sexes = _words(chance, ["m", "f"])
    columns = {
        "birthdate": Truth("text", texts, [str(day.year) for day in days]),
        "age": Truth("number", ages),
        "sex": Truth("text", sexes),
    }
    rows = _columns(list(columns), [texts, list(map(str, ages)), sexes])
    lines = ["| " + " | ".join(f"{cell:<10}" for cell in row) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * 12 for _ in columns) + "|")
    lines.insert(0, "# exported on Monday")
    said = ("full dates",)
    return MadeFile("data.txt", "\n".join(lines).encode(), columns, said=said)
