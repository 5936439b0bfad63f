"""Replies that leave at multiples of a fixed time, and bodies that must come whole and soon."""

from __future__ import annotations

import asyncio
import time
from typing import final

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indistinct.questions.database.error_replies import plain_error
from indistinct.questions.database.limits import ServiceLimits
from indistinct.questions.database.workers import rest

CLOSE = {"Connection": "close"}


@final
class HoldReplies:
    """Refuses bodies beyond the limit, and lets replies leave at multiples of the bucket."""

    def __init__(self, app: ASGIApp, limits: ServiceLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = BoundedBody(receive, self._limits)
        started = False

        async def held(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                elapsed = time.monotonic() - body.whole_at
                await asyncio.sleep(rest(elapsed, self._limits.bucket_seconds))
            await send(message)

        refused = refusal(Headers(scope=scope), self._limits)
        if refused is not None:
            await refused(scope, receive, held)
            return
        try:
            await self._app(scope, body.receive, held)
        except Exception:  # noqa: BLE001 - a traceback would show what was asked
            if not started:
                await plain_error(500, "internal", "the service failed")(scope, receive, held)


@final
class BoundedBody:
    """Gives a request's body while it comes in time and is not too long, however it is sent."""

    def __init__(self, source: Receive, limits: ServiceLimits) -> None:
        self._source = source
        self._limits = limits
        self._length = 0
        self._is_whole = False
        self._deadline = time.monotonic() + limits.body_seconds
        self.whole_at = time.monotonic()

    async def receive(self) -> Message:
        """Return the next part, or refuse the request; then tell when the client leaves."""
        if self._is_whole:
            return await self._source()
        try:
            async with asyncio.timeout(max(0.0, self._deadline - time.monotonic())):
                message = await self._source()
        except TimeoutError:
            raise HTTPException(408, headers=CLOSE) from None
        self._length += len(message.get("body", b""))
        if self._length > self._limits.body_bytes:
            raise HTTPException(413, headers=CLOSE)
        self._is_whole = not message.get("more_body", False)
        self.whole_at = time.monotonic()
        return message


def refusal(headers: Headers, limits: ServiceLimits) -> Response | None:
    """Return the reply to a request that says two lengths of its body, none, or one too long."""
    lengths = headers.getlist("content-length")
    is_chunked = "transfer-encoding" in headers
    if len(lengths) + is_chunked > 1:
        return plain_error(400, "body", "the request says its length in two ways", CLOSE)
    is_short = all(one.isdecimal() and int(one[:20]) <= limits.body_bytes for one in lengths)
    if is_chunked:
        problem = "the request does not say how long it is: give Content-Length"
        return plain_error(411, "body", problem, CLOSE)
    if not is_short:
        return plain_error(413, "body", "the request is too large", CLOSE)
    return None
