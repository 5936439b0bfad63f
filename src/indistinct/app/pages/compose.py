"""A question put together from choices, for those who do not write SQL."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from indistinct.app.desk import Desk
from indistinct.app.pages.answers import said
from indistinct.app.texts import text
from indistinct.core.inputs import toml_words
from indistinct.errors import UsageError

MEASURES = ("COUNT", "AVG", "SUM")


@dataclass(frozen=True, slots=True)
class Askable:
    """What may be asked of a declared table.

    Parameters
    ----------
    table : its name in questions
    numbers : columns with bounds, which may be added up
    groups : columns with values, which answers may be grouped by, each with its values
    """

    table: str
    numbers: Sequence[str]
    groups: Mapping[str, Sequence[str]]


def askable(desk: Desk, name: str) -> Askable:
    """Read a declaration.

    Raises
    ------
    UsageError
        when it cannot be read
    """
    try:
        words = toml_words(desk.start.read(name))
        columns: Mapping[str, Mapping[str, Any]] = words["columns"]
        table = str(words["dataset"]["table"])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError):
        raise UsageError(text("problem.no_file"), text("problem.no_file_remedy")) from None
    return Askable(
        table,
        [column for column, one in columns.items() if "bounds" in one],
        {
            c: [str(value) for value in one["values"]]
            for c, one in columns.items()
            if "values" in one
        },
    )


def composed(known: Askable, form: FormData) -> str:
    """Write the question of a form in SQL.

    Raises
    ------
    UsageError
        when the choices do not fit together
    """
    measure, column, group = (said(form, word) for word in ("measure", "column", "group"))
    if measure != "COUNT" and column not in known.numbers:
        raise UsageError(text("questions.no_number"), text("questions.no_number_remedy"))
    asked = "COUNT(*)" if measure == "COUNT" else f"{measure}({_quoted(column)})"
    only = said(form, "only")
    where = ""
    if only:
        name, _, value = only.partition("=")
        if value not in known.groups.get(name, ()):
            raise UsageError(text("questions.no_value"), text("questions.no_value_remedy"))
        quoted = value.replace("'", "''")
        where = f" WHERE {_quoted(name)} = '{quoted}'"
    if group not in known.groups:
        return f"SELECT {asked} FROM {known.table}{where}"  # noqa: S608 - shown, and parsed strictly
    key = _quoted(group)
    return f"SELECT {key}, {asked} FROM {known.table}{where} GROUP BY {key}"  # noqa: S608 - the same


def _quoted(name: str) -> str:
    """Write the name of a column; quoted where it is no plain word."""
    return name if name.isidentifier() and name.isascii() else '"' + name.replace('"', '""') + '"'
