"""What the service says when it does not answer: nothing that depends on a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as AnyHTTPException

from indistinct.errors import BudgetExceededError, IndistinctError

STATUS = {"access": 401, "budget": 403, "engine": 503}
WRONG_USE = 400
OPTION = re.compile(r"--(?P<name>[a-z]+(-[a-z]+)*)( (?P<value>[0-9]+(\.[0-9]+)?))?")
FIELD = re.compile(r"[A-Za-z_]{1,40}")
SAID = {
    "missing": "is missing",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "string_type": "must be a text",
    "list_type": "must be a list",
    "extra_forbidden": "is no field of this request",
    "string_too_long": "is too long",
    "greater_than": "is too small",
    "greater_than_equal": "is too small",
    "less_than": "is too large",
    "too_long": "has too many entries",
    "too_short": "is empty",
}


def error_document(error: IndistinctError) -> dict[str, Any]:
    """Write an error: its slug, the texts of its faults, and amounts of a budget."""
    problems = [replace(fault, remedy="") for fault in error.faults]
    document = {
        "error": error.slug,
        "problem": as_fields("\n".join(str(one) for one in problems)),
        "remedy": as_fields(" ".join(dict.fromkeys(one.remedy for one in error.faults))),
    }
    if isinstance(error, BudgetExceededError):
        amounts = {
            name: getattr(error, name) for name in ("asked", "left", "unit", "most", "renews")
        }
        return {**document, **amounts}
    return document


def as_fields(text: str) -> str:
    """Write options of the command as the fields of a request that they are.

    Examples
    --------
    >>> as_fields("Write --error 5 --confidence 0.9, or --rows-in-all.")
    'Write "error": 5 "confidence": 0.9, or "rows_in_all".'
    """
    return OPTION.sub(as_field, text)


def as_field(option: re.Match[str]) -> str:
    """Write one option, with its value if it has one."""
    value = f": {option['value']}" if option["value"] else ""
    return f'"{option["name"].replace("-", "_")}"{value}'


def wrong_fields(error: RequestValidationError) -> dict[str, str]:
    """Return what is wrong with each field of a request; no value of it."""
    found: dict[str, str] = {}
    for one in error.errors():
        name = next((str(part) for part in one["loc"][1:2]), "")
        if FIELD.fullmatch(name):
            found.setdefault(name, SAID.get(one["type"], "has a value that it cannot have"))
    return found


def handle_errors(app: FastAPI) -> None:
    """Let a service answer every error in its own form."""

    @app.exception_handler(IndistinctError)
    async def refused(request: Request, error: IndistinctError) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        del request
        return JSONResponse(error_document(error), STATUS.get(error.slug, WRONG_USE))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        del request
        named = [f"{name}: {problem}" for name, problem in wrong_fields(error).items()]
        problem = "\n".join(named) or "the request is not one of this service"
        return plain_error(WRONG_USE, "request", problem)

    @app.exception_handler(AnyHTTPException)
    async def other(request: Request, error: AnyHTTPException) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        del request
        slugs = {404: "path", 405: "method", 408: "body", 429: "rate"}
        return plain_error(
            error.status_code,
            slugs.get(error.status_code, "request"),
            "the request is refused",
            error.headers,
        )


def plain_error(
    status: int, slug: str, problem: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Make an error of the protocol."""
    body = {
        "error": slug,
        "problem": problem,
        "remedy": "See /openapi.json for the form of requests.",
    }
    return JSONResponse(body, status, dict(headers or {}))
