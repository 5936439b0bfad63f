"""The HTTP service: tokens in, noisy answers out, in replies that depend on no row.

Who asks is known from the token alone. Every reply leaves at a multiple of a fixed time after its
request came in, so that its moment says nothing about noise or rows.
"""

from __future__ import annotations

import asyncio
import hmac
import math
import time
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, final

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictStr
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indistinct.database.dataset import Analyst, Dataset
from indistinct.database.initialize import token_hash
from indistinct.database.session import Session, open_session
from indistinct.database.statement import statement
from indistinct.database.tokens import GRAMMAR, LONGEST
from indistinct.database.workers import Workers
from indistinct.errors import (
    AccessError,
    BudgetExceededError,
    EngineError,
    IndistinctError,
    UsageError,
)

STATUS = {"access": 401, "budget": 403, "engine": 503}
WRONG_USE = 400


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """What one service bears.

    Parameters
    ----------
    bucket_seconds : replies leave at multiples of this after the request
    rate : questions per second of one analyst, on average
    burst : questions of one analyst at once
    concurrent : questions at work at once, over all analysts
    share : questions of one analyst at work at once; the others wait
    body_seconds : time in which a request's body must be here
    """

    body_bytes: int = 16_384
    bucket_seconds: float = 0.02
    rate: float = 1000.0
    burst: float = 2000.0
    concurrent: int = 64
    share: int = 8
    body_seconds: float = 10.0
    timeout_seconds: float = 60.0


class AskBody(BaseModel):
    """A question."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(max_length=LONGEST, description=GRAMMAR)
    epsilon: StrictFloat | StrictStr = Field(
        description="what the answer may cost, at most nine decimals"
    )
    dry_run: StrictBool = Field(default=False, description="give price and expected error only")
    fresh: StrictBool = Field(
        default=False, description="pay for a new draw of an answered question"
    )


class ReplyBody(BaseModel):
    """An answer with noise, and what it cost. Missing numbers count as the schema says."""

    answer: float | list[dict[str, Any]] | None
    scale: float | list[float]
    interval: list[float] | list[list[float]] | None
    charged: float
    left: float
    price: float
    expected_error: float
    unit: str
    dry_run: bool


class ErrorBody(BaseModel):
    """Why there is no answer; depends on no row."""

    error: str
    problem: str
    remedy: str
    asked: int | None = None
    left: int | None = None
    unit: str | None = None


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 405, 408, 413, 429, 500, 503)
}


@final
@dataclass(slots=True)
class Gate:
    """Counts what each analyst asks per second: a token bucket each."""

    limits: Limits
    filled: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])

    def admits(self, name: str) -> bool:
        """Take one question's worth out of an analyst's bucket."""
        now = time.monotonic()
        level, then = self.filled.get(name, (self.limits.burst, now))
        level = min(self.limits.burst, level + (now - then) * self.limits.rate)
        self.filled[name] = (level - (level >= 1), now)
        return level >= 1


Found = TypeVar("Found")
BEARER = HTTPBearer(auto_error=False, description="the token that the owner gave")


@final
@dataclass(frozen=True, slots=True)
class Service:
    """What every request needs."""

    session: Session
    limits: Limits
    gate: Gate
    workers: Workers


def service(request: Request) -> Service:
    """Give the service that a request came to."""
    return cast("Service", request.app.state.service)


async def principal(
    request: Request,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)],
) -> Analyst:
    """Find who asks, by the token alone."""
    here = service(request)
    who = identify(here.session.dataset, credentials.credentials if credentials else "")
    if not here.gate.admits(who.name):
        raise HTTPException(429)
    return who


Principal = Annotated[Analyst, Depends(principal)]


async def ask(request: Request, body: AskBody, who: Principal) -> ReplyBody:
    """Answer a question."""
    here = service(request)
    return ReplyBody(**await within(here.limits, _asked(here, body, who)))


async def schema(request: Request, who: Principal) -> dict[str, Any]:
    """Say what may be asked."""
    del who
    return describe(service(request).session.dataset)


async def ledger(request: Request, who: Principal) -> dict[str, Any]:
    """Say what was spent: by the one who asks, or by all if that is an owner."""
    here = service(request)
    analyst = None if who.role == "owner" else who.name
    work = partial(statement, here.session.ledger, here.session.dataset, analyst)
    return (await within(here.limits, here.workers.run(who.name, work))).document()


async def openapi(request: Request, who: Principal) -> dict[str, Any]:
    """Give the OpenAPI document of this service."""
    del who
    return cast("FastAPI", request.app).openapi()


def make_app(session: Session, limits: Limits | None = None) -> FastAPI:
    """Make the service of one dataset.

    Parameters
    ----------
    session : open, shared by all requests
    limits : defaults if left out
    """
    limits = limits or Limits()
    app = FastAPI(
        title="indistinct",
        description=__doc__ or "",
        version="1",
        responses=ERRORS,
        docs_url=None,  # pages that load scripts from elsewhere
        redoc_url=None,
        openapi_url=None,  # below, for those who have a token
    )
    workers = Workers(limits.concurrent, limits.share)
    app.state.service = Service(session, limits, Gate(limits), workers)
    app.add_api_route("/ask", ask, methods=["POST"])
    app.add_api_route("/schema", schema, methods=["GET"])
    app.add_api_route("/ledger", ledger, methods=["GET"])
    app.add_api_route("/openapi.json", openapi, methods=["GET"], include_in_schema=False)
    _handle_errors(app)
    app.add_middleware(HoldReplies, limits=limits)
    return app


async def _asked(here: Service, body: AskBody, who: Analyst) -> dict[str, Any]:
    work = partial(
        here.session.ask,
        body.question,
        body.epsilon,
        analyst=who.name,
        dry_run=body.dry_run,
        fresh=body.fresh,
    )
    return (await here.workers.run(who.name, work)).document()


async def within(limits: Limits, work: Awaitable[Found]) -> Found:
    """Wait for work no longer than the limit; what was charged stays charged."""
    try:
        return await asyncio.wait_for(work, limits.timeout_seconds)
    except TimeoutError:
        raise EngineError("the question took too long", "Ask for less at once.") from None


def identify(dataset: Dataset, token: str) -> Analyst:
    """Find whose token it is, comparing every known one.

    Raises
    ------
    AccessError
        If it is nobody's.
    """
    given = token_hash(token)
    found = [
        who for who in dataset.analysts.values() if hmac.compare_digest(who.token_sha256, given)
    ]
    if not found:
        raise AccessError("the token is not known here", "Ask the owner for a token.")
    return found[0]


def describe(dataset: Dataset) -> dict[str, Any]:
    """Say what may be asked, and what odd values count as."""
    return {
        "table": dataset.table,
        "person": dataset.person,
        "rows_per_person": dataset.rows_per_person,
        "unit": dataset.budget.accounting.unit,
        "columns": {
            column.name: {
                "type": column.kind,
                "bounds": None
                if (range_ := column.bounds) is None
                else [float(range_.low * range_.step), float(range_.high * range_.step)],
                "step": None if range_ is None else float(range_.step),
                "missing_counts_as": None
                if range_ is None
                else float(range_.missing * range_.step),
            }
            for column in dataset.columns.values()
        },
        "keys": {key.name: list(key.labels) for key in dataset.keys.values()},
        "grammar": GRAMMAR,
        "odd_values": "A missing value or NaN satisfies no condition, and is added up as "
        "missing_counts_as; a number beyond the bounds, infinite ones included, is added up as the "
        "bound. Groups without rows are answered too.",
    }


def error_document(error: IndistinctError) -> dict[str, Any]:
    """Write an error: its slug and the texts of its first fault, and amounts of a budget."""
    fault = error.faults[0]
    document = {"error": error.slug, "problem": fault.problem, "remedy": fault.remedy}
    if isinstance(error, BudgetExceededError):
        return {**document, "asked": error.asked, "left": error.left, "unit": error.unit}
    return document


def _handle_errors(app: FastAPI) -> None:
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


@final
class HoldReplies:
    """Refuses bodies beyond the limit, and lets replies leave at multiples of the bucket."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        started = False

        async def held(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                elapsed = time.monotonic() - began
                await asyncio.sleep(rest(elapsed, self._limits.bucket_seconds))
            await send(message)

        if not fits(Headers(scope=scope), self._limits):
            await plain_error(413, "body", "the request is too large")(scope, receive, held)
            return
        body = HurriedBody(receive, began + self._limits.body_seconds)
        try:
            await self._app(scope, body.receive, held)
        except Exception:  # noqa: BLE001 - a traceback would show what was asked
            if not started:
                await plain_error(500, "internal", "the service failed")(scope, receive, held)


@final
@dataclass(slots=True)
class HurriedBody:
    """Gives a request's body while it comes in time."""

    source: Receive
    deadline: float
    is_whole: bool = False

    async def receive(self) -> Message:
        """Give the next part, or refuse the request; then tell when the client leaves."""
        if self.is_whole:
            return await self.source()
        try:
            async with asyncio.timeout(max(0.0, self.deadline - time.monotonic())):
                message = await self.source()
        except TimeoutError:
            raise HTTPException(408, headers={"Connection": "close"}) from None
        self.is_whole = not message.get("more_body", False)
        return message


def fits(headers: Headers, limits: Limits) -> bool:
    """Tell whether a request says how long its body is, and keeps to the limit."""
    length = headers.get("content-length", "")
    if length:
        return length.isdecimal() and int(length) <= limits.body_bytes
    return "transfer-encoding" not in headers


def rest(elapsed: float, bucket: float) -> float:
    """Give the seconds until the next multiple of the bucket."""
    return math.ceil(max(elapsed, 1e-9) / bucket) * bucket - elapsed if bucket > 0 else 0.0


def serve(
    declaration: str | Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    certificate: Path | None = None,
    key: Path | None = None,
) -> None:
    """Serve a dataset until told to stop.

    Parameters
    ----------
    certificate, key : PEM files; without them put a proxy that speaks TLS in front
    """
    import uvicorn

    from indistinct.database.connections import check_certificate, configuration
    from indistinct.mechanisms.measurements import opendp

    check_certificate(certificate, key)
    opendp()
    with open_session(declaration) as session:
        settings = configuration(make_app(session), host, port, certificate, key)
        server = uvicorn.Server(settings)
        server.run()
    if not server.started:
        raise UsageError(
            "port: nothing can listen there", "Another program may listen on it; choose another."
        )
