"""Untidy files: what comes out of a draft is true of what somebody wrote into the file.

A made-up office exports people: in a text or a workbook, in its own encoding, with its own mark
between cells and before decimals, a title above and a total below, words for what is missing, and
now and then a cell that is not what its column is. The maker knows what each cell means. The file
goes through ``inspect --draft``, ``anonymize``, ``verify`` and ``report``; then each released cell
is held against the cell behind it.
"""

from __future__ import annotations

import csv
import random
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import xlsxwriter

Meaning = tuple[str, object]  # number, date, text, missing or odd, and the value
Cell = tuple[str, Meaning]
HIDDEN = "*"
RANGE = re.compile(r"[\[(](-?[\d.eE+]+), (-?[\d.eE+]+)[\])]")
PERIOD = re.compile(r"(\d{4})(?:-(?:(\d{2})|Q([1-4])|H([12])))?")
YEARS = re.compile(r"(\d{4})-(\d{4})")


@dataclass(frozen=True)
class Office:
    """How an office writes its files."""

    encodings: Sequence[str]
    towns: Sequence[str]
    names: Sequence[str]
    headers: str  # number, name, born, town, postcode, sex, fee, score, code, note
    sexes: Sequence[str]
    missing: Sequence[str]
    notes: Sequence[str]
    title: str
    total: str
    dates: Sequence[str]
    decimal: str


OFFICES = (
    Office(
        ("utf-8", "utf-8-sig", "cp1252", "utf-16"),
        ("Köln", "München", "Lübeck", "Osnabrück", "Fürth", "Weiß am See"),
        ("Jörg Müller", "Käthe Groß", "Anna Schröder", "Uwe Kühn", "Rita Böhm", "Max Weiß"),
        "Nr|Name|geboren|Ort|PLZ|Geschlecht|Beitrag|Punkte|Gruppe|Notiz",
        ("m", "w"),
        ("", "k.A.", "-", "unbekannt"),
        ("zahlt später", "möchte Rückruf", "neu", "wohnt über der Bäckerei"),
        "Mitglieder, Stand heute",
        "Summe",
        ("%d.%m.%Y", "%Y-%m-%d"),
        ",",
    ),
    Office(
        ("utf-8", "utf-8-sig", "cp1252"),
        ("Leeds", "York", "Bath", "Truro", "Stoke-on-Trent", "Hull"),
        ("Ann O'Hara", "Tom Reed", "Joan Pratt", "Ed Snow", "Sue Hill", "Bill Fox"),
        "id|name|date of birth|town|postcode|sex|fee|score|group|remark",
        ("M", "F"),
        ("", "n/a", "NA", "unknown"),
        ('said "no"', "pays late", "new, from May", "moved"),
        "Members of the club",
        "Total",
        ("%d/%m/%Y", "%Y-%m-%d", "%d %B %Y"),
        ".",
    ),
    Office(
        ("utf-8", "cp1252", "utf-8-sig"),
        ("Orléans", "Besançon", "Nîmes", "Évry", "Saint-Étienne", "Lyon"),
        ("Zoé Lefèvre", "Jean Garçon", "Léa Noël", "Rémi Forêt", "Inès Brûlé", "Luc Petit"),
        "n°|nom|né le|ville|code postal|sexe|cotisation|note|équipe|remarque",
        ("H", "F"),
        ("", "n.d.", "-", "inconnu"),
        ("à rappeler", "paie en retard", "nouvelle adhésion", "très content"),
        "Liste des membres",
        "Total",
        ("%d/%m/%Y", "%Y-%m-%d"),
        ",",
    ),
)  # fmt: skip
GROUPS = ("A1", "A2", "B1", "B2")
ODD = {
    "fee": ("see letter", "12 ?", "half"),
    "score": ("see letter", "n. a. 3"),
    "born": ("31.02.19", "soon"),
}
COUNTED = re.compile(r"(?:(one is)|([\d,]+) are) not \((?:line|row)")


@dataclass(frozen=True)
class UntidyFile:
    """A file, and what its cells mean.

    Parameters
    ----------
    headers : of its columns
    rows : per record, per column, the text and what it means
    encoding, separator : of a text; of a release of a workbook
    settings : what was chosen, for a message
    odd : the column with cells that are not what it is, if there is one, and how many
    """

    path: Path
    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    encoding: str
    separator: str
    settings: str
    odd: tuple[str, int] | None = None


def untidy_file(chance: random.Random, folder: Path, n_rows: int) -> UntidyFile:
    """Write an untidy file into a folder."""
    office = chance.choice(OFFICES)
    is_workbook = chance.random() < 0.25
    separator = chance.choice(";,\t|" if office.decimal == "." else ";\t|")
    encoding = "utf-8" if is_workbook else chance.choice(office.encodings)
    form, token = chance.choice(office.dates), chance.choice(office.missing)
    share = chance.choice([0.0, 0.03, 0.15])
    odd = chance.choice(["", "", *ODD])
    rows = [_record(chance, office, number, form) for number in range(n_rows)]
    for row in rows:
        for place in range(2, len(row)):
            if chance.random() < share:
                row[place] = token, ("missing", token)
    places = {"born": 2, "fee": 6, "score": 7}
    n_odd = chance.choice([1, 1, 2, 3]) if odd else 0
    text = chance.choice(ODD[odd]) if odd else ""
    for number in chance.sample(range(n_rows), n_odd):
        rows[number][places[odd]] = text, ("odd", text)
    above = [[office.title], []][: chance.choice([0, 0, 1, 2])]
    below = []
    if chance.random() < 0.3:
        fees = [value for row in rows for kind, value in (row[6][1],) if kind == "number"]
        total = sum(map(Decimal, map(str, fees)), Decimal(0))
        below = [[office.total, *[""] * 5, _decimal(total, office), "", "", ""]]
    texts = [
        *above,
        office.headers.split("|"),
        *([text for text, _ in row] for row in rows),
        *below,
    ]
    settings = (
        f"{office.title}: {encoding} {separator!r} {form} {token!r} {share} {n_odd} {odd} {text!r} "
    )
    settings += f"above {len(above)} below {len(below)}"
    path = folder / ("members.xlsx" if is_workbook else "members.csv")
    if is_workbook:
        _write_workbook(path, texts, rows, len(above) + 1)
    else:
        with path.open("w", encoding=encoding, newline="") as file:
            csv.writer(file, delimiter=separator).writerows(texts)
    return UntidyFile(
        path,
        office.headers.split("|"),
        rows,
        encoding,
        "," if is_workbook else separator,
        f"{path.suffix} {settings}",
        (office.headers.split("|")[places[odd]], n_odd) if odd else None,
    )


def _write_workbook(
    path: Path, texts: Sequence[Sequence[str]], rows: Sequence[Sequence[Cell]], first: int
) -> None:
    """Write numbers and days as a workbook has them, and all else as text.

    Parameters
    ----------
    rows : of records, the first of them in the row ``first`` of the sheet
    """
    with xlsxwriter.Workbook(str(path)) as book:
        sheet, day = book.add_worksheet(), book.add_format({"num_format": "dd.mm.yyyy"})
        for at, line in enumerate(texts):
            for column, text in enumerate(line):
                is_record = first <= at < first + len(rows)
                kind, value = rows[at - first][column][1] if is_record else ("text", text)
                if kind == "number":
                    sheet.write_number(at, column, float(str(value)))
                elif kind == "date":
                    sheet.write_datetime(at, column, value, day)
                elif text:
                    sheet.write_string(at, column, text)


def _record(chance: random.Random, office: Office, number: int, form: str) -> list[Cell]:
    """Draw a person: number, name, birth, town, postcode, sex, fee, score, group and a remark."""
    born = date(1935, 1, 1) + timedelta(days=chance.randrange(27_000))
    fee = Decimal(chance.randrange(500, 90_000, 50)) / 100
    score = chance.randrange(0, 60)
    place = chance.randrange(len(office.towns))
    postcode = f"{place * 9_103 + 1_060 + chance.randrange(4):05}"
    texts = {
        "name": f"{chance.choice(office.names)} {chance.choice('abcdefg')}",
        "town": office.towns[place],
        "postcode": postcode,
        "sex": chance.choice(office.sexes),
        "group": chance.choice(GROUPS),
        "note": chance.choice([*office.notes, *[""] * 3]),
    }
    found = {
        name: (text, ("text", text) if text else ("missing", "")) for name, text in texts.items()
    }
    return [
        (str(number + 1), ("number", Decimal(number + 1))),
        found["name"],
        (born.strftime(form), ("date", born)),
        found["town"],
        found["postcode"],
        found["sex"],
        (_decimal(fee, office), ("number", fee)),
        (str(score), ("number", Decimal(score))),
        found["group"],
        found["note"],
    ]


def _decimal(number: Decimal, office: Office) -> str:
    return f"{number:.2f}".replace(".", office.decimal)


def columns_in_question(inspected: Mapping[str, Any]) -> frozenset[str]:
    """Return the columns of which it is asked whether a word is a value or missing."""
    return frozenset(
        name
        for doubt in inspected["doubts"]
        if doubt["kind"] == "missing"
        for name in doubt["about"]
    )


def uncounted_cells(file: UntidyFile, inspected: Mapping[str, Any]) -> str:
    """Return which column has another number of odd cells than was written; empty where none has.

    Parameters
    ----------
    inspected : the document of an inspection
    """
    said: dict[str, list[str]] = {one["name"]: [one["reason"]] for one in inspected["columns"]}
    open_ones = columns_in_question(inspected)
    for doubt in inspected["doubts"]:
        for name in doubt["about"]:
            said.setdefault(name, []).append(doubt["text"])
    for name, texts in said.items():
        expected = file.odd[1] if file.odd is not None and file.odd[0] == name else 0
        counts = {
            1 if one else int(several.replace(",", ""))
            for text in texts
            for one, several in COUNTED.findall(text)
        }
        is_open = name in open_ones  # what it is, is only known when the word is
        if counts != ({expected} if expected else set()) and not (is_open and not counts):
            return f"{name} has {expected} odd cells, and {sorted(counts)} are counted"
    return ""


def false_cells(
    file: UntidyFile,
    header: Sequence[str],
    released: Sequence[Sequence[str]],
    behind: Sequence[int],
    open_ones: Collection[str],
) -> list[str]:
    """Return the released cells that are not true of what was written, each with its column.

    Parameters
    ----------
    behind : per released row, the record behind it, from 0 on
    open_ones : columns of which it is asked whether a word is missing; nobody answers here, and
        then it is a value
    """
    found: list[str] = []
    for cells, number in zip(released, behind, strict=True):
        for name, cell in zip(header, cells, strict=True):
            text, (kind, value) = file.rows[number][list(file.headers).index(name)]
            beside = zip(file.headers, file.rows[number], strict=True)
            is_word = kind == "text" or (kind == "missing" and name in open_ones)
            is_above = (is_word and cell.startswith("other")) or any(
                cell in {own, f"{other} {own}"} for other, (own, _) in beside if other != name
            )
            if not is_above and not is_true(cell, text, kind, value):
                found.append(f"{name}: {cell!r} for {text!r} ({kind})")
    return found


def is_true(cell: str, text: str, kind: str, value: object) -> bool:
    """Return whether a released cell says something true of a cell of the file."""
    if cell == HIDDEN or unicodedata.normalize("NFC", cell) == unicodedata.normalize("NFC", text):
        return True
    if kind in {"missing", "odd"}:
        return not cell
    if kind == "number":
        return _covers_number(cell, Decimal(str(value)))
    if kind == "date":
        assert isinstance(value, date)
        return _covers_date(cell, value)
    return _covers_text(cell, str(value))


def _covers_number(cell: str, value: Decimal) -> bool:
    if (ends := RANGE.fullmatch(cell)) is not None:
        low, high = Decimal(ends[1]), Decimal(ends[2])
        return low <= value < high or (cell.endswith("]") and value == high)
    try:
        return Decimal(cell) == value
    except InvalidOperation:
        return _covers_text(cell, f"{value.normalize():f}")


def _covers_text(cell: str, value: str) -> bool:
    kept = cell.rstrip(HIDDEN)
    return kept != cell and len(cell) == len(value) and value.startswith(kept)


def _covers_date(cell: str, value: date) -> bool:
    if cell == value.isoformat():
        return True
    if (years := YEARS.fullmatch(cell)) is not None:
        return int(years[1]) <= value.year <= int(years[2])
    if cell.endswith("s") and cell[:-1].isdigit():
        return value.year // 10 * 10 == int(cell[:-1])
    period = PERIOD.fullmatch(cell)
    if period is None:
        return False
    year, month, quarter, half = period.groups()
    tests: list[Callable[[], bool]] = [lambda: int(year) == value.year]
    if month:
        tests.append(lambda: int(month) == value.month)
    if quarter:
        tests.append(lambda: int(quarter) == (value.month + 2) // 3)
    if half:
        tests.append(lambda: int(half) == (value.month + 5) // 6)
    return all(test() for test in tests)
