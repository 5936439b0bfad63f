"""What handlers share: reading forms, and leading on after a click."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from indistinct.errors import UsageError
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text

Show = Callable[[AppState, Request], Response]
PageHandler = Callable[[AppState], Response]
Act = Callable[[AppState, FormData], Response]
SEE_OTHER = 303


def then(page: str) -> RedirectResponse:
    """Lead on to a page, so that a reload repeats nothing."""
    return RedirectResponse(page, SEE_OTHER)


def said(form: FormData, name: str) -> str:
    """Return a text of a form; empty where there is none."""
    value = form.get(name)
    return value if isinstance(value, str) else ""


def several(form: FormData, name: str) -> list[str]:
    """Return all texts of one name."""
    return [value for value in form.getlist(name) if isinstance(value, str)]


def upload(form: FormData, name: str) -> bytes | None:
    """Return the content of a file that was sent; None where none was."""
    value = form.get(name)
    if not isinstance(value, UploadFile) or not value.filename:
        return None
    return value.file.read()


def whole(given: Any) -> int:
    """Read a number of a form or an address.

    Raises
    ------
    UsageError
        when it is none
    """
    try:
        return int(str(given))
    except ValueError:
        raise UsageError(text("problem.number"), text("problem.number_remedy")) from None


def column_of(state: AppState, number: Any) -> str:
    """Find a column by its number in the policy, so that no name stands in an address.

    Raises
    ------
    UsageError
        when there is none
    """
    names = list(state.opened().words["columns"])
    place = whole(number)
    if not 0 <= place < len(names):
        raise UsageError(text("problem.no_column"), text("problem.no_column_remedy"))
    return names[place]
