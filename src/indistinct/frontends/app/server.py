"""The application as a whole: its addresses, its errors, and the server on the loopback."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
import time
import webbrowser
from collections.abc import AsyncGenerator, Callable, Generator
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from indistinct.base.extras import missing
from indistinct.base.files.writing import atomic
from indistinct.base.panics import kind_and_place, panics_as
from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.frontends.app import screen
from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.pages import opening
from indistinct.frontends.app.pages.answers import Act, PageHandler, Show, said, then
from indistinct.frontends.app.project import ENDING, Project
from indistinct.frontends.app.routes import DONE, DONE_AT, PAGES, PRESSED, SHOWN, FormHandler
from indistinct.frontends.app.safety import AccessCheck, Guarded
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import FILES, language, preferred, text

HOST = "127.0.0.1"
IDLE_SECONDS = 3600.0
LOOK_EVERY_SECONDS = 5.0
STATIC = {"htmx.min.js": "text/javascript", "app.js": "text/javascript"}


def make_app(state: AppState) -> Guarded:
    """Return the application around its state."""
    shown = SHOWN | {path: _of_state(page) for path, page in PAGES.items()}
    done = DONE_AT | {path: _of_form(act) for path, act in DONE.items()}
    done |= {path: _of_form(_of_state(press)) for path, press in PRESSED.items()}
    routes = [Route(path, _showing(state, show), methods=["GET"]) for path, show in shown.items()]
    routes += [Route(path, _acting(state, act), methods=["POST"]) for path, act in done.items()]
    routes += [
        Route("/", _first(state), methods=["GET"]),
        Route("/language", _acting(state, _of_form(_speak)), methods=["POST"]),
        Route("/job", _showing(state, _job), methods=["GET"]),
        Route("/job/cancel", _acting(state, _of_form(_of_state(_cancel))), methods=["POST"]),
        Route("/style.css", _style, methods=["GET"]),
        Route("/static/{name}", _static, methods=["GET"]),
    ]

    async def refused(request: Request, error: Exception) -> Response:
        del request
        faults = error.faults if isinstance(error, IndistinctError) else ()
        return await run_in_threadpool(screen.shown, state, "problem", faults=faults)

    async def unknown(request: Request, error: Exception) -> Response:
        del request
        status = error.status_code if isinstance(error, HTTPException) else 500
        fault = Fault("", text("problem.no_page"), text("problem.no_page_remedy"))
        return await run_in_threadpool(
            screen.shown, state, "problem", faults=(fault,), status=status
        )

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncGenerator[None]:
        del app
        await run_in_threadpool(state.jobs.warm)
        yield
        await run_in_threadpool(state.close)

    app = Starlette(
        routes=routes,
        exception_handlers={
            IndistinctError: refused,
            HTTPException: unknown,
        },
        lifespan=life,
    )
    return Guarded(InLanguage(app, state), state.gate)


class InLanguage:
    """Answers each request in the language that was chosen, or that the browser asks for."""

    def __init__(self, app: ASGIApp, state: AppState) -> None:
        self.app = app
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            asked = Headers(scope=scope).get("accept-language", "")
            language.set(self.state.language or preferred(asked))
        await self.app(scope, receive, send)


def serve(
    given: str | None,
    *,
    browser: bool = True,
    port: int = 0,
    tell: Callable[[str], None] = print,
    idle_seconds: float = IDLE_SECONDS,
) -> None:
    """Serve the application on the loopback until it is told to stop.

    Parameters
    ----------
    given : a table, a policy or a folder; the working folder when left out
    browser : whether to open a browser
    port : a free one when 0
    tell : called with the address, once
    idle_seconds : after which it stops by itself, unless a job is running

    Raises
    ------
    UsageError
        when there is nothing to open, or the port is taken
    """
    import uvicorn

    listening = _listening(port)
    gate = AccessCheck(listening.getsockname()[1])
    state = app_state_of(given, gate)
    settings = uvicorn.Config(
        make_app(state), access_log=False, log_level="critical", server_header=False, lifespan="on"
    )
    server = uvicorn.Server(settings)
    tell(text("server.address", address=gate.address))
    with contextlib.ExitStack() as until_the_end:
        if browser:
            page = until_the_end.enter_context(_opening_page(gate.address))
            webbrowser.open(page.as_uri())
        asyncio.run(_until_idle(server, state, listening, idle_seconds))


@contextlib.contextmanager
def _opening_page(address: str) -> Generator[Path]:
    """Write a page that leads to an address, for its owner alone; it is removed in the end.

    A browser is a process whose arguments every account of this computer can list.
    """
    with tempfile.TemporaryDirectory(prefix="indistinct-") as folder:
        page = Path(folder) / "open.html"
        content = f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(address)}">'
        with atomic(page, private=True) as temporary:
            temporary.write_text(content, encoding="utf-8")
        yield page


def app_state_of(given: str | None, gate: AccessCheck) -> AppState:
    """Find what a person named, and open it: a table, a policy, a project or a folder.

    Raises
    ------
    UsageError
        when it is none of them
    """
    place = Path(given or ".").resolve()
    if not place.exists():
        raise UsageError([Fault(str(given), text("server.nothing"), text("server.nothing_remedy"))])
    if place.is_dir() and not (place / "project.toml").exists():
        return AppState(StartFolder(place), gate)
    if place.name == "policy.toml" and (place.parent / "project.toml").exists():
        place = place.parent
    start = StartFolder(place.parent)
    state = AppState(start, gate)
    try:
        if place.is_dir():
            state.project = Project.load(start, place)
        elif place.suffix == ".toml":
            _open_policy(state, place)
        else:
            _open_table(state, place)
    except BaseException:
        state.close()
        raise
    return state


def _open_table(state: AppState, place: Path) -> None:
    """Open the project of a table, or begin one."""
    stem = place.name.partition(".")[0]
    known = state.start.root / f"{stem}{ENDING}"
    if (known / "project.toml").is_file():
        project = Project.load(state.start, known)
        if project.data == place.name:
            state.project = project
            return
    opening.begin(state, place.name)


def _open_policy(state: AppState, place: Path) -> None:
    """Begin a project by a policy of one's own, for the only table that has its columns."""
    from indistinct.frontends.app.project import adopted

    state.project = adopted(state.start, place)


async def _until_idle(server: Any, state: AppState, opened: socket.socket, seconds: float) -> None:
    """Serve; stop when nobody asked anything for long and no job runs."""

    async def watch() -> None:
        while not server.should_exit:
            await asyncio.sleep(min(LOOK_EVERY_SECONDS, seconds))
            idle = time.monotonic() - state.gate.last_request
            if idle >= seconds and state.jobs.current() is None:
                server.should_exit = True

    watching = asyncio.ensure_future(watch())
    try:
        await server.serve(sockets=[opened])
    finally:
        watching.cancel()


def _listening(port: int) -> socket.socket:
    """Open the port, on the loopback alone."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind((HOST, port))
        # Before the address is told: a browser that is opened at once then waits its turn.
        listening.listen()
    except OSError:
        listening.close()
        raise UsageError(text("server.port"), text("server.port_remedy")) from None
    return listening


def _showing(state: AppState, show: Show) -> Callable[..., Any]:
    """Make the answer to an address, in a thread, so that a slow page holds up no other."""

    async def answer(request: Request) -> Response:
        if request.url.path not in {"/data", "/job"}:
            if state.pending is not None or (state.opening is not None and state.opening.asked):
                return then("/data")  # every other page waits for the table
            if state.is_refused:
                state.opening = None  # what is open is left as it is
        return await run_in_threadpool(_netted, show, state, request)

    return answer


def _of_state(page: PageHandler) -> Callable[[AppState, object], Response]:
    """Let a page be asked for by a request, or a form, that it does not read."""

    def answer(state: AppState, asked: object) -> Response:
        del asked
        return page(state)

    return answer


def _of_form(act: Act) -> FormHandler:
    """Let what a form does be asked for by a request, too."""

    def answer(state: AppState, request: Request, form: FormData) -> Response:
        del request
        return act(state, form)

    return answer


def _acting(state: AppState, act: FormHandler) -> Callable[..., Any]:
    """Make the answer to a form."""

    async def answer(request: Request) -> Response:
        async with request.form(max_files=1, max_fields=2000) as form:
            return await run_in_threadpool(_netted, act, state, request, form)

    return answer


def _first(state: AppState) -> Callable[..., Any]:
    """Lead to the page where the work is."""

    async def answer(request: Request) -> Response:
        del request
        return then("/data" if state.project is None or state.project.unconfirmed() else "/search")

    return answer


def _job(state: AppState, request: Request) -> Response:
    """Show how far the job is; when it has ended, bring up the page of its result."""
    job = state.jobs.poll()
    here = urlsplit(request.headers.get("hx-current-url", "")).path
    has_ended = job is not None and job.state.value == "done"
    if job is not None and has_ended and here == job.page.partition("?")[0]:
        return HTMLResponse("", headers={"HX-Refresh": "true"})
    return screen.piece(state, "job", job=job, elsewhere=True)


def _cancel(state: AppState) -> Response:
    """Stop the job."""
    job = state.jobs.current()
    state.jobs.cancel()
    return then("/search" if job is None else job.page)


def _speak(state: AppState, form: FormData) -> Response:
    """Speak another language from now on, and go back to the page."""
    if (chosen := said(form, "language")) in FILES:
        state.language = chosen
    page = said(form, "page")
    return then(f"/{page}" if page in {*screen.STEPS, *screen.FURTHER} else "/")


async def _style(request: Request) -> Response:
    """Return the style sheet."""
    del request
    return Response(screen.style(), media_type="text/css", headers={"Cache-Control": "max-age=60"})


async def _static(request: Request) -> Response:
    """Return a file of the application, of a fixed list."""
    name = request.path_params["name"]
    if name not in STATIC:
        return PlainTextResponse("", 404)
    content = files("indistinct.frontends.app").joinpath("static", name).read_bytes()
    return Response(content, media_type=STATIC[name], headers={"Cache-Control": "max-age=60"})


def _netted(work: Callable[..., Response], state: AppState, *given: Any) -> Response:
    """Do the work of a page; what goes wrong unexpectedly is caught here, once."""
    try:
        with panics_as(RuntimeError):
            return work(state, *given)
    except (IndistinctError, HTTPException):
        raise
    except ModuleNotFoundError as error:
        raise missing(error) from None
    except Exception as error:  # noqa: BLE001 - a traceback in a log may show values
        return _unexpected(state, error)


def _unexpected(state: AppState, error: Exception) -> Response:
    """Report an error of the program itself: its kind and place, nothing of the data."""
    words = text("problem.unexpected", error=kind_and_place(error))
    try:
        fault = Fault("", words, text("problem.no_page_remedy"))
        return screen.shown(state, "problem", faults=(fault,), status=500)
    except Exception:  # noqa: BLE001 - the page itself may be what fails
        return PlainTextResponse(words, 500)
