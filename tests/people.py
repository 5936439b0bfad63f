"""Small tables of made-up people, and datasets over them."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

from indistinct.base.billionths import BILLION
from indistinct.questions.database import init, open_session

HEADER = ("id", "age", "weight", "sex", "city", "note")
SEXES = ("F", "M")
CITIES = ("a", "b", "c")
OPTIONS = {
    "bounds": {"age": (0, 100), "weight": (0, 200)},
    "values": {"sex": SEXES, "city": CITIES},
}
SOON = "[dataset]\nreply_seconds = 0.01\n"
BINS = '\n[columns.age_group]\ntype = "bins"\nof = "age"\nedges = [20, 50]\n'


def person(number):
    """Make up one person, always the same."""
    values = number * 7 % 101, number * 13 % 173 + 0.5, SEXES[number % 2], CITIES[number % 3]
    return (number, *values, "x")


def write_rows(path, rows, header=HEADER):
    """Write a CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def declare(folder, rows, epsilon=100, name="people", **options):
    """Write a table and its declaration; give the declaration's path."""
    data = write_rows(folder / f"{name}.csv", rows)
    out = folder / f"{name}.toml"
    words = {"unreadable": "missing", **OPTIONS, **options}
    init(data, person="id", epsilon=epsilon, out=out, **words)
    text = out.read_text(encoding="utf-8") + BINS
    out.write_text(text.replace("[dataset]\n", SOON, 1), encoding="utf-8")
    return out


def redeclare(path, folder, rows):
    """Declare other rows in the very words of a declaration."""
    folder.mkdir(parents=True)
    write_rows(folder / f"{path.stem}.csv", rows)
    shutil.copy(path.with_suffix(".ledger"), folder)
    return Path(shutil.copy(path, folder))


def opened(folder, rows, epsilon=100, **options):
    """Return a session over a new table."""
    return open_session(declare(folder, rows, epsilon, **options))


def spent_in_rho(path):
    """Return what a ledger has spent; people are told the epsilon of it."""
    with open_session(path) as session:
        return session.ledger.spent() / BILLION
