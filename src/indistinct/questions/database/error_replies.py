"""What the service says when it does not answer: nothing that depends on a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as AnyHTTPException

from indistinct.errors import BudgetExceededError, IndistinctError

STATUS = {"access": 401, "budget": 403, "engine": 503}
WRONG_USE = 400


def error_document(error: IndistinctError) -> dict[str, Any]:
    """Write an error: its slug and the texts of its first fault, and amounts of a budget."""
    fault = error.faults[0]
    document = {"error": error.slug, "problem": fault.problem, "remedy": fault.remedy}
    if isinstance(error, BudgetExceededError):
        amounts = {name: getattr(error, name) for name in ("asked", "left", "unit", "most")}
        return {**document, **amounts}
    return document


def handle_errors(app: FastAPI) -> None:
    """Let a service answer every error in its own form."""

    @app.exception_handler(IndistinctError)
    async def refused(request: Request, error: IndistinctError) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        del request
        return JSONResponse(error_document(error), STATUS.get(error.slug, WRONG_USE))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        del request, error
        return plain_error(WRONG_USE, "request", "the request is not one of this service")

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
