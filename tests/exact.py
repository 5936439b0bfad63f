"""Cells as an engine casts them, by plain Python; and questions and rows by chance."""

from __future__ import annotations

import math
from fractions import Fraction

ODD = (
    "",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "-0.0",
    "5e-324",
    "1e308",
    "-1e308",
    "1e400",
    "x",
    "  7 ",
    "0x10",
)


def number(cell):
    """Read a cell as DuckDB casts a text: a number, or nothing."""
    text = str(cell).strip()
    try:
        value = float(text)
    except ValueError:
        return None
    return None if math.isnan(value) else value


def units(value, bounds):
    """Move a number into the bounds and count its steps."""
    if value is None:
        return bounds.missing
    value = max(float(bounds.low * bounds.step), min(float(bounds.high * bounds.step), value))
    value = 0.0 if abs(value) < 1e-150 else value
    return max(bounds.low, min(bounds.high, math.floor(value / float(bounds.step) + 0.5)))


def code(key, row, dataset):
    """Return the code of a row's key."""
    cell = row[key.column]
    is_number = dataset.columns[key.column].kind == "number"
    value = number(cell) if is_number else (cell or None)
    if value is None:
        return -2
    if key.edges:
        return sum(value >= float(edge) for edge in key.edges)
    values = [float(v) if isinstance(v, Fraction) else v for v in key.values]
    return values.index(value) if value in values else -1


MEASURES = (
    "COUNT(*)",
    "COUNT(age)",
    "COUNT(note)",
    "COUNT(sex)",
    "COUNT(DISTINCT id)",
    "SUM(age)",
    "SUM(weight)",
    "AVG(weight)",
    "VARIANCE(age)",
    "MEDIAN(age)",
    "QUANTILE(weight, 0.9)",
)
CONDITIONS = (
    "age > 40",
    "age <= 7.5",
    "age = 0",
    "age <> 0",
    "age < -5",
    "weight BETWEEN 20 AND 90",
    "weight IN (0, 7)",
    "sex = 'F'",
    "sex <> 'F'",
    "city IN ('a', 'c')",
    "city NOT IN ('b')",
    "age_group = '< 20'",
    "NOT (age > 40 AND sex = 'M')",
    "age IS NULL",
    "weight IS NOT NULL",
    "sex IS NULL",
    "sex IS NOT NULL",
    "note IS NULL",
    "NOT (note IS NULL)",
    "note = 'x'",
    "note <> 'x'",
    "note IN ('', 'y')",
)
GROUPS = ("", "", " GROUP BY sex", " GROUP BY sex, city", " GROUP BY age_group")


def any_question(chance):
    """Make up a question."""
    where = chance.sample(CONDITIONS, chance.randrange(3))
    words = f" {chance.choice(('AND', 'OR'))} ".join(where)
    measure, group = chance.choice(MEASURES), chance.choice(GROUPS)
    return f"SELECT {measure} FROM people{' WHERE ' + words if words else ''}{group}"


def any_rows(chance, persons, most=1):
    """Make up rows, odd ones among them, up to ``most`` of each person."""
    return [
        (
            number,
            chance.choice(ODD) if chance.random() < 0.3 else chance.randint(-5, 110),
            chance.choice(ODD) if chance.random() < 0.3 else round(chance.uniform(-10, 210), 3),
            chance.choice(("F", "M", "X", "")),
            chance.choice(("a", "b", "c", "d", "")),
            chance.choice(("x", "y", "", "'; DROP", 'a,"b\n', "\u00e9")),
        )
        for number in persons
        for _ in range(chance.randint(1, most))
    ]
