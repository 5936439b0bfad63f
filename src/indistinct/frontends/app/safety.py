"""What every request must pass: loopback names only, the same origin, and the cookie of the token.

Another page in the same browser can send requests to this one, and can give its own name the
address 127.0.0.1 (DNS rebinding). The name in ``Host`` tells the second, ``Sec-Fetch-Site`` and
``Origin`` the first; a cookie that no other page can read or send tells who was given the token.
Browsers send a cookie to every port of a name, and so to the servers of other accounts of this
computer: the printed address therefore has a name of its own, which is drawn at each start.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
SAFE_METHODS = frozenset({"GET", "HEAD"})
OPENING = "/open/"
LARGEST_BODY = 2_000_000
# Attributes only: the charts of the reports say their width so; no <style> and no script is run.
POLICY = (
    "default-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": browsers then send forms with the origin "null", like those of a stranger.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
REFUSED = "This request does not come from the application's own pages."
LEADS_ON = '<!doctype html><title>indistinct</title><meta http-equiv="refresh" content="0;url=/">'
CLOSED = (
    "Open the application with the address that it printed when it was started. "
    "Each address works once; start the application again for a new one."
)


@dataclass(slots=True)
class AccessCheck:
    """Who may come in.

    Parameters
    ----------
    port : that the application listens on; part of the cookie's name, as ports share cookies
    token : opens once; nothing afterwards
    name : of this computer, for this start alone: browsers lead ``*.localhost`` to the loopback
    session : value of the cookie
    last_request : of the clock that never goes back, in seconds
    """

    port: int
    token: str | None = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    name: str = field(default_factory=lambda: f"{secrets.token_hex(8)}.localhost")
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    last_request: float = field(default_factory=time.monotonic)

    @property
    def cookie(self) -> str:
        """Name of the cookie."""
        return f"indistinct-{self.port}"

    @property
    def address(self) -> str:
        """What opens the application, once."""
        return f"http://{self.name}:{self.port}{OPENING}{self.token}"

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which requests may call this computer."""
        return frozenset(f"{name}:{self.port}" for name in (self.name, *LOOPBACK))

    def knows_host(self, host: str | None) -> bool:
        """Return whether a request names this computer, and not some other name that leads here."""
        return host in self.hosts

    def is_same_origin(self, method: str, headers: Headers) -> bool:
        """Return whether a request comes from our own pages, or from the person at the keyboard."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self.hosts:
            return False
        if method in SAFE_METHODS:
            return site in {None, "none", "same-origin"}
        # What changes something must say where it comes from.
        return site == "same-origin" or (site is None and origin is not None)

    def admits(self, header: str) -> bool:
        """Return whether the cookie is the one that the token was exchanged for."""
        try:
            found = SimpleCookie(header).get(self.cookie)
        except CookieError:
            return False
        given = "" if found is None else found.value
        return hmac.compare_digest(given.encode(), self.session.encode())

    def exchange(self, given: str) -> bool:
        """Return whether the token is right, which works once."""
        if self.token is None or not hmac.compare_digest(given.encode(), self.token.encode()):
            return False
        self.token = None
        return True


class Guarded:
    """Lets a request through to the application only when it passes the gate."""

    def __init__(self, app: ASGIApp, gate: AccessCheck) -> None:
        self.app = app
        self.gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        with_headers = _adding(send)
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, with_headers)
            return
        self.gate.last_request = time.monotonic()
        await self.app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that does not get through; None for one that does."""
        headers, path = Headers(scope=scope), str(scope["path"])
        if not self.gate.knows_host(headers.get("host")):
            return PlainTextResponse(REFUSED, 421)
        is_opening = scope["method"] == "GET" and path.startswith(OPENING)
        is_ours = self.gate.is_same_origin(scope["method"], headers)
        if not is_ours and not (is_opening and _is_led_by_a_file(headers)):
            return PlainTextResponse(REFUSED, 403)
        if int(headers.get("content-length") or 0) > LARGEST_BODY:
            return PlainTextResponse("The form is too large.", 413)
        if is_opening:
            return self._opened(path.removeprefix(OPENING), headers)
        if not self.gate.admits(headers.get("cookie", "")):
            return PlainTextResponse(CLOSED, 403)
        return None

    def _opened(self, token: str, headers: Headers) -> Response:
        """Exchange the token for the cookie; the address that held it leads on at once."""
        if not self.gate.exchange(token):
            # A second click on the printed address by who is inside already.
            known = self.gate.admits(headers.get("cookie", ""))
            return RedirectResponse("/", 303) if known else PlainTextResponse(CLOSED, 403)
        # A redirection would go on as a request from elsewhere, to which no cookie is sent.
        led = _is_led_by_a_file(headers)
        answer = HTMLResponse(LEADS_ON) if led else RedirectResponse("/", 303)
        answer.set_cookie(self.gate.cookie, self.gate.session, httponly=True, samesite="strict")
        return answer


def _is_led_by_a_file(headers: Headers) -> bool:
    """Return whether a browser goes on from a file, as from the one that holds the address."""
    return (
        headers.get("sec-fetch-site") == "cross-site"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and headers.get("origin") is None
        and headers.get("referer") is None
    )


def _adding(send: Send) -> Send:
    """Add the headers of safety to every answer that does not set them itself."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
