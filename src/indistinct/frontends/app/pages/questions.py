"""The page of questions: ask a database, see the answer with its interval, and what is left."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.base.extras import missing
from indistinct.base.files.postgres_address import is_postgres, place
from indistinct.base.inputs import open_regular, toml_words
from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.frontends.app.number_words import figure, typed
from indistinct.frontends.app.pages.answers import said, then
from indistinct.frontends.app.pages.declare import Setup, asked_for, setup_of
from indistinct.frontends.app.pages.noise_chart import noise_chart
from indistinct.frontends.app.pages.script import question_commands
from indistinct.frontends.app.screen import options, shown
from indistinct.frontends.app.sources import tables as tables_of
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.components import Chart, Code
from indistinct.questions.database import ErrorUnit, Reply, Statement, init, ledger, open_session
from indistinct.questions.mechanisms import Accounting

MEASURES = ("COUNT", "AVG", "SUM")
MOST_CHARGES = 20
ENDINGS = (".csv", ".tsv", ".parquet")  # of tables that answer questions
LOOKED_AT = 1 << 20  # bytes of a file that may be a declaration


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as the page shows it: rows of a table, and what it cost."""

    question: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    charged: str
    left: str
    dry: bool
    noise: Chart | None = None
    notes: Sequence[str] = ()


def show(state: AppState, request: Request) -> Response:
    """Show the budget of a database, and the form that sets one up."""
    query = request.query_params
    return page(state, query.get("file", ""), data=query.get("data", ""))


def page(  # noqa: PLR0913 - what a form was sent with
    state: AppState,
    name: str,
    *,
    faults: tuple[Fault, ...] = (),
    answer: Answer | None = None,
    question: str = "",
    epsilon: str = "0.1",
    data: str = "",
) -> Response:
    """Show the page, with an answer or with what its form was refused for."""
    declared = [file for file in state.start.files((".toml",)) if _is_declaration(state, file)]
    chosen = name or next(iter(declared), "")
    statement: Statement | None = None
    known: Askable | None = None
    setup: Setup | None = None
    servers: list[str] = []
    tables = [name for name in tables_of(state.start, state.folder) if name.endswith(ENDINGS)]
    try:
        setup = setup_of(state, data or _likely(state, tables))
    except IndistinctError as error:
        faults = (*faults, *error.faults) if data else faults
    except ModuleNotFoundError as error:
        faults = (*faults, *missing(error).faults)
    if chosen:
        try:
            servers = _servers(state, chosen)
            _check_places(state, chosen)
            known = askable(state, chosen)
            statement = ledger(state.start.file(chosen))
        except IndistinctError as error:
            faults = (*faults, *error.faults)
        except ModuleNotFoundError as error:
            faults = (*faults, *missing(error).faults)
    return shown(
        state,
        "questions",
        faults=faults,
        declared=declared,
        chosen=chosen,
        statement=statement,
        servers=[place(one) for one in servers],
        charges=[] if statement is None else _charges(statement),
        answer=answer,
        commands=None if answer is None else _commands(state, chosen, question, epsilon),
        question=question,
        epsilon=epsilon,
        tables=tables,
        setup=setup,
        setting_up=bool(data) or not declared,
        known=known,
        measures=options(MEASURES, "measure"),
    )


def _commands(state: AppState, file: str, question: str, epsilon: str) -> Code:
    """Show the same as commands."""
    return Code(text("script.commands"), question_commands(state.start, file, question, epsilon))


def compose(state: AppState, form: FormData) -> Response:
    """Compose a question from choices; it is asked only when its button is pressed."""
    name, epsilon = said(form, "file"), said(form, "epsilon") or "0.1"
    try:
        question = composed(askable(state, name), form)
    except IndistinctError as error:
        return page(state, name, faults=error.faults, epsilon=epsilon)
    return page(state, name, question=question, epsilon=epsilon)


def ask(state: AppState, form: FormData) -> Response:
    """Ask a question, or only for its price."""
    name, question, epsilon = (said(form, word) for word in ("file", "question", "epsilon"))
    epsilon = typed(epsilon)
    is_dry = said(form, "price") != ""
    given: dict[str, Any] = {"question": question, "epsilon": epsilon}
    try:
        _check_places(state, name)
        with open_session(state.start.file(name)) as session:
            reply = session.ask(question, epsilon=epsilon, dry_run=is_dry)
            accounting = session.dataset.budget.accounting
    except IndistinctError as error:
        return page(state, name, faults=error.faults, **given)
    except ModuleNotFoundError as error:
        return page(state, name, faults=missing(error).faults, **given)
    return page(state, name, answer=_answer(question, reply, accounting), **given)


def declare(state: AppState, form: FormData) -> Response:
    """Declare a table as a database that answers questions."""
    name = said(form, "data")
    try:
        data = state.start.file(name)
        setup = setup_of(state, name)
        asked: Mapping[str, Any] = {} if setup is None else asked_for(setup, form)
        out = state.start.inside(f"{Path(data).name.partition('.')[0]}.questions.toml")
        init(
            data,
            person=said(form, "person"),
            epsilon=typed(said(form, "epsilon")),
            out=out,
            **asked,
        )
    except IndistinctError as error:
        return page(state, "", faults=error.faults, data=name)
    except ModuleNotFoundError as error:
        return page(state, "", faults=missing(error).faults)
    return then(f"/questions?file={quote(state.start.relative(out))}")


def _likely(state: AppState, tables: Sequence[str]) -> str:
    """Return the table that is most likely meant: that of the open project, or the only one."""
    if state.project is not None and state.project.data in tables:
        return state.project.data
    return tables[0] if len(tables) == 1 else ""


def connect(state: AppState, form: FormData) -> Response:
    """Allow a declaration to lead to a server, whose name the person has typed."""
    name, typed = said(form, "file"), said(form, "server").strip()
    try:
        asked = _servers(state, name)
    except IndistinctError as error:
        return page(state, name, faults=error.faults)
    named = {one for one in asked if typed == place(one)}
    if not named:
        problem, remedy = text("questions.other_server"), text("questions.other_server_remedy")
        return page(state, name, faults=(Fault("", problem, remedy),))
    state.servers |= named
    return then(f"/questions?file={quote(name)}")


def _servers(state: AppState, name: str) -> list[str]:
    """Return the addresses of servers that a declaration names, and the person has not named yet.

    Raises
    ------
    UsageError
        when it cannot be read, or names another address or a file outside the start folder
    """
    declaration = state.start.file(name)
    try:
        named = toml_words(state.start.read(declaration))["dataset"]
        places = [str(named["data"]), str(named["ledger"])]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError):
        raise UsageError(text("problem.no_file"), text("problem.no_file_remedy")) from None
    for one in places:
        if not is_postgres(one):
            found = state.start.inside(declaration.parent / one)
            if "://" in one or (found.exists() and not found.is_file()):
                raise UsageError(text("problem.no_file"), text("problem.no_file_remedy"))
    return [one for one in dict.fromkeys(places) if is_postgres(one) and one not in state.servers]


def _check_places(state: AppState, name: str) -> None:
    """Refuse a declaration that leads outside the start folder, or to a server nobody named.

    Raises
    ------
    UsageError
        when it does
    """
    if servers := _servers(state, name):
        problem, remedy = text("questions.server"), text("questions.server_remedy")
        raise UsageError([Fault(place(one), problem, remedy) for one in servers])


def _is_declaration(state: AppState, name: str) -> bool:
    """Return whether a file declares a dataset."""
    try:
        with open_regular(state.start.file(name)) as file:
            return b"[dataset]" in file.read(LOOKED_AT)
    except (OSError, IndistinctError):
        return False


def _answer(question: str, reply: Reply, accounting: Accounting) -> Answer:
    """Write an answer as a table with an interval per row."""
    charged, left = figure(reply.price if reply.dry_run else reply.charged), figure(reply.left)
    if reply.dry_run:
        heads = (text("questions.what"), text("questions.expected"))
        rows = _expected(reply.expected_error, reply.error_unit)
        is_known = reply.error_unit == ErrorUnit.ANSWER and reply.expected_error > 0
        noise = noise_chart(reply.expected_error, accounting) if is_known else None
        return Answer(question, heads, rows, charged, left, dry=True, noise=noise)
    if reply.grouped:
        heads, rows = _grouped(reply.answer, reply.interval)
        notes = [text(f"questions.{name}") for name in _meant(reply.answer)]
    else:
        notes = []
        heads = (text("questions.value"), text("questions.interval"))
        rows = [(figure(reply.answer), _interval(reply.interval))]
    return Answer(question, heads, rows, charged, left, dry=False, notes=notes)


def _expected(errors: Any, units: Any) -> list[tuple[str, str]]:
    """Write the expected error of each measure, or of the only one, in what can be known."""
    if not isinstance(errors, dict):
        return [(text("questions.answer"), _expected_error(errors, units))]
    named = cast("dict[str, Any]", errors)
    return [(name, _expected_error(error, units[name])) for name, error in named.items()]


def _expected_error(error: float | None, unit: str) -> str:
    """Write an expected error; that of a mean depends on a number of rows that is not known."""
    if error is None:
        return text("questions.of_parts")
    if unit == ErrorUnit.PER_ROW:
        of_rows = {f"rows_{n}": figure(error / n) for n in (100, 1_000, 10_000)}
        return text("questions.per_row", **of_rows)
    return (
        text("questions.ranks", error=figure(error)) if unit == ErrorUnit.RANKS else figure(error)
    )


def _grouped(
    answer: Sequence[Mapping[str, Any]], intervals: Sequence[Any]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Write the rows of a grouped answer."""
    heads = (*(answer[0] if answer else ()), text("questions.interval"))
    rows = [
        (*map(_cell, row.values()), "; ".join(map(_interval, interval.values())))
        for row, interval in zip(answer, intervals, strict=True)
    ]
    return heads, rows


def _meant(answer: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name the notes on rows that stand for no value of the declaration."""
    cells = [value for row in answer for value in row.values()]
    others = any(isinstance(one, Mapping) for one in cells)
    return ["other_note"] * others + ["not_known_note"] * (None in cells)


def _cell(value: object) -> str:
    """Write a key or a measure; other values have no name."""
    return text("questions.other") if isinstance(value, Mapping) else figure(value)


def _interval(ends: Sequence[float]) -> str:
    """Write an interval."""
    return text("questions.from_to", low=figure(ends[0]), high=figure(ends[1]))


def _charges(statement: Statement) -> list[tuple[str, str, str]]:
    """List the latest charges."""
    latest = list(reversed(statement.charges))[:MOST_CHARGES]
    return [
        (str(one["question"]), figure(one["charged"]), str(one["asked_at"])[:16].replace("T", " "))
        for one in latest
    ]


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


def askable(state: AppState, name: str) -> Askable:
    """Read a declaration.

    Raises
    ------
    UsageError
        when it cannot be read
    """
    try:
        words = toml_words(state.start.read(name))
        columns: Mapping[str, Mapping[str, Any]] = words["columns"]
        table = str(words["dataset"]["table"])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError):
        raise UsageError(text("problem.no_file"), text("problem.no_file_remedy")) from None
    return Askable(
        table,
        # Bounds of dates limit what is counted; no sum or mean of a date is answered.
        [column for column, one in columns.items() if _are_numbers(one.get("bounds", ()))],
        {
            c: [str(value) for value in one["values"]]
            for c, one in columns.items()
            if "values" in one
        },
    )


def _are_numbers(bounds: Sequence[object]) -> bool:
    """Return whether bounds are those of numbers."""
    return bool(bounds) and all(isinstance(one, int | float) for one in bounds)


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
