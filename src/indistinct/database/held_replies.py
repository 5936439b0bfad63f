"""Replies that leave at multiples of a fixed time, and bodies that must come whole and soon."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass
from typing import final

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indistinct.database.error_replies import plain_error
from indistinct.database.limits import Limits


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
