"""The HTTP service: tokens in, noisy answers out, in replies that depend on no row.

Who asks is known from the token alone. A reply that looked at the data leaves at a time that its
question and the declaration fix, so that its moment says nothing about noise or rows.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, final

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from indistinct.errors import AccessError, EngineError, UsageError
from indistinct.questions.database.dataset import Analyst, Dataset
from indistinct.questions.database.error_replies import handle_errors
from indistinct.questions.database.held_replies import HoldReplies
from indistinct.questions.database.initialize import token_hash
from indistinct.questions.database.limits import RateLimiter, ServiceLimits
from indistinct.questions.database.pricing import BatchPrice, price
from indistinct.questions.database.relational.words import GRAMMAR, LONGEST, refusal
from indistinct.questions.database.reply import Reply
from indistinct.questions.database.schema import describe
from indistinct.questions.database.served_session import ServedSession
from indistinct.questions.database.session import Options, Session, open_session
from indistinct.questions.database.statement import statement
from indistinct.questions.database.workers import Slot, Workers

Found = TypeVar("Found")
MOST_QUESTIONS = 100  # of one request for prices
BEARER = HTTPBearer(auto_error=False, description="the token that the owner gave")


class AskBody(BaseModel):
    """A question."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(max_length=LONGEST, description=GRAMMAR)
    epsilon: StrictFloat | StrictStr | None = Field(
        default=None, description="what the answer may cost, at most nine decimals"
    )
    error: StrictFloat | StrictStr | None = Field(
        default=None,
        description="in place of epsilon: pay the least whose expected error is within this",
    )
    confidence: StrictFloat = Field(default=0.95, gt=0, lt=1, description="of that error")
    dry_run: StrictBool = Field(default=False, description="give price and expected error only")
    fresh: StrictBool = Field(
        default=False, description="pay for a new draw of an answered question"
    )
    groups: StrictInt | None = Field(
        default=None, description="groups in which one person counts in full"
    )
    rows: StrictInt | None = Field(
        default=None, description="rows of one person in each group that count in full"
    )
    rows_in_all: StrictInt | None = Field(
        default=None, description="rows of one person in all that count in full"
    )
    full_groups: StrictInt | None = Field(
        default=None, description="one person counts at most as so many full groups, by squares"
    )
    delta: StrictFloat | StrictStr | None = Field(
        default=None, description="of the threshold, where groups are not known beforehand"
    )
    rows_expected: StrictInt | None = Field(
        default=None, ge=1, description="about how many rows count, for the expected error"
    )

    @property
    def options(self) -> Options:
        """Return what is asked for beside epsilon."""
        return Options(**{one.name: getattr(self, one.name) for one in fields(Options)})


class PriceBody(BaseModel):
    """Several questions whose price is asked."""

    model_config = ConfigDict(extra="forbid")

    questions: list[Annotated[str, Field(max_length=LONGEST)]] = Field(
        min_length=1, max_length=MOST_QUESTIONS, description=GRAMMAR
    )
    epsilon_in_all: StrictFloat | StrictStr | None = Field(
        default=None, description="what all may cost together; else each states its own in OPTIONS"
    )
    weights: list[StrictFloat] | None = Field(
        default=None, description="shares of the questions; equal if left out"
    )
    rows_expected: StrictInt | None = Field(
        default=None, ge=1, description="about how many rows count, for the expected errors"
    )


class ReplyBody(BaseModel):
    """An answer with noise, and what it cost. Missing numbers count only if the schema says so."""

    answer: float | list[dict[str, Any]] | None
    scale: float | dict[str, float]
    interval: list[float] | list[dict[str, list[float]]] | None
    limits: dict[str, int]
    threshold: int | None
    delta: float
    error_unit: str | dict[str, str]
    note: str
    charged: float
    left: float
    price: float
    expected_error: float | dict[str, float | None] | None
    unit: str
    dry_run: bool


class ErrorBody(BaseModel):
    """Why there is no answer; depends on no row."""

    error: str
    problem: str
    remedy: str
    asked: int | None = None
    left: int | None = None
    most: int | None = None
    unit: str | None = None
    renews: str | None = None


STATUSES = (400, 401, 403, 404, 405, 408, 411, 413, 429, 500, 503)
ERRORS: dict[int | str, dict[str, Any]] = {status: {"model": ErrorBody} for status in STATUSES}


@final
@dataclass(frozen=True, slots=True)
class Service:
    """What every request needs."""

    served: ServedSession
    limits: ServiceLimits
    gate: RateLimiter
    workers: Workers

    @property
    def session(self) -> Session:
        """Return the session, with the analysts of now."""
        return self.served.current()


def service(request: Request) -> Service:
    """Return the service that a request came to."""
    return cast("Service", request.app.state.service)


async def principal(
    request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]
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

    async def late() -> None:
        await asyncio.to_thread(here.session.took_too_long, who)

    reply = await within(here.limits, _asked(here, body, who), late)
    return ReplyBody(**reply.document())


async def price_of(request: Request, body: PriceBody, who: Principal) -> BatchPrice:
    """Return what questions would cost together; charge nothing."""
    here = service(request)

    def work(_: Slot) -> BatchPrice:
        return price(here.session, **dict(body), analyst=who.name)

    return await within(here.limits, here.workers.run(who.name, work))


async def schema(request: Request, who: Principal) -> dict[str, Any]:
    """Return what may be asked."""
    del who
    return describe(service(request).session.dataset)


async def ledger(request: Request, who: Principal) -> dict[str, Any]:
    """Return what was spent: by the one who asks, or by all if that is an owner."""
    here = service(request)
    analyst = None if who.role == "owner" else who.name

    def work(_: Slot) -> dict[str, Any]:
        return statement(here.session.ledger, here.session.dataset, analyst).document()

    return await within(here.limits, here.workers.run(who.name, work))


async def health() -> dict[str, bool]:
    """Return that the service is there, to everybody; it looks at nothing."""
    return {"ok": True}


async def openapi(request: Request, who: Principal) -> dict[str, Any]:
    """Return the OpenAPI document of this service."""
    del who
    return cast("FastAPI", request.app).openapi()


def make_app(
    session: Session, limits: ServiceLimits | None = None, declaration: Path | None = None
) -> FastAPI:
    """Make the service of one dataset.

    Parameters
    ----------
    session : open, shared by all requests
    limits : defaults if left out
    declaration : whose analysts are read again when it changes
    """
    limits = limits or ServiceLimits()
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
    app.state.service = Service(
        ServedSession(session, declaration), limits, RateLimiter(limits), workers
    )
    app.add_api_route("/ask", ask, methods=["POST"])
    app.add_api_route("/price", price_of, methods=["POST"])
    app.add_api_route("/schema", schema, methods=["GET"])
    app.add_api_route("/ledger", ledger, methods=["GET"])
    app.add_api_route("/health", health, methods=["GET"])
    app.add_api_route("/openapi.json", openapi, methods=["GET"], include_in_schema=False)
    handle_errors(app)
    app.add_middleware(HoldReplies, limits=limits)
    return app


async def _asked(here: Service, body: AskBody, who: Analyst) -> Reply:
    def work(slot: Slot) -> Reply:
        plan = here.session.plan(body.question, body.epsilon, body.options)
        if not body.dry_run:
            slot.seconds = plan.slots * here.session.dataset.reply_seconds
            if slot.seconds > here.limits.timeout_seconds:
                raise refusal(
                    "the question", "takes longer than the service waits for an answer",
                    "Group by less.",
                )  # fmt: skip
        return here.session.reply(
            plan,
            analyst=who.name,
            dry_run=body.dry_run,
            fresh=body.fresh,
            rows_expected=body.rows_expected,
        )

    return await here.workers.run(who.name, work)


async def within(
    limits: ServiceLimits, work: Awaitable[Found], late: Callable[[], Awaitable[None]] | None = None
) -> Found:
    """Wait for work no longer than the limit; what was charged stays charged.

    Parameters
    ----------
    late : done before who waits is told that it took too long
    """
    try:
        return await asyncio.wait_for(work, limits.timeout_seconds)
    except TimeoutError:
        if late is not None:
            await late()
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

    from indistinct.questions.database.connections import check_certificate, configuration
    from indistinct.questions.mechanisms.measurements import opendp

    check_certificate(certificate, key)
    opendp()
    with open_session(declaration) as session:
        settings = configuration(
            make_app(session, declaration=Path(declaration)), host, port, certificate, key
        )
        server = uvicorn.Server(settings)
        try:
            server.run()
        except SystemExit:  # where the address is taken, with a code of its own
            if server.started:
                raise
    if not server.started:
        raise UsageError(
            f"nothing can listen on port {port}",
            f"Another program may listen there, or {host} is no address of this machine. "
            "Choose another with --port or --host.",
        )
