"""The database of the worked examples of questions over several tables."""

from __future__ import annotations

from typing import Any

WORKED: dict[str, list[Any]] = {
    "persons": [
        ("1", "F", "1950-05-10", "north", None), ("2", "M", "1990-01-01", "north", None),
        ("3", "F", "1970-12-31", "south", None), ("4", "M", None, None, None),
        ("5", "X", "1985-07-07", "west", None),
    ],
    "visits": [
        ("11", "1", "2021-01-05", "eye", "10"), ("12", "1", "2021-02-05", "eye", "30"),
        ("13", "1", "2022-02-05", "ear", None), ("14", "2", "2021-01-31", "eye", "250"),
        ("15", "3", "2020-12-31", "skin", "50"), ("15", "4", "2021-03-01", "eye", "40"),
    ],
    "items": [
        ("11", "1", "1", None), ("11", "1", "2", None), ("12", "1", "3", None),
        ("15", "3", "4", None), ("15", "1", "5", None), ("14", "2", None, None),
    ],
    "codes": [],
}  # fmt: skip
