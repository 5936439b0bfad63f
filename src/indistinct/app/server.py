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
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from indistinct.app import screen
from indistinct.app.desk import Desk
from indistinct.app.folder import StartFolder
from indistinct.app.pages import (
    compare,
    data,
    explore,
    graph,
    hierarchies,
    history,
    promise,
    questions,
    release,
    roles,
    script,
    search,
)
from indistinct.app.pages.answers import Act, Show, then
from indistinct.app.project import ENDING, Project
from indistinct.app.safety import Gate, Guarded
from indistinct.app.texts import text
from indistinct.core.extras import missing
from indistinct.core.panics import panics_as
from indistinct.core.writing import atomic
from indistinct.errors import Fault, IndistinctError, UsageError

HOST = "127.0.0.1"
IDLE_SECONDS = 3600.0
LOOK_EVERY_SECONDS = 5.0
STATIC = {"htmx.min.js": "text/javascript", "app.js": "text/javascript"}

SHOWN: dict[str, Show] = {
    "/data": data.show,
    "/roles": roles.show,
    "/hierarchies": hierarchies.show,
    "/hierarchies/{number}": hierarchies.show_column,
    "/promise": promise.show,
    "/search": search.show,
    "/explore": explore.show,
    "/compare": compare.show,
    "/release": release.show,
    "/release/{number}/{kind}/{name}": release.download,
    "/script": script.show,
    "/history": history.show,
    "/graph": graph.show,
    "/graph/{number}/{name}": graph.download,
    "/questions": questions.show,
}
DONE: dict[str, Act] = {
    "/data/open": data.open_table,
    "/data/database": data.open_database,
    "/data/sample": data.open_sample,
    "/data/project": data.open_project,
    "/data/reading": data.read_again,
    "/roles": roles.save,
    "/roles/together": roles.together,
    "/hierarchies/{number}": hierarchies.save,
    "/hierarchies/{number}/pin": hierarchies.pin,
    "/promise/preset": promise.preset,
    "/promise/add": promise.add,
    "/promise": promise.change,
    "/search": search.start_search,
    "/search/trial": search.start_trial,
    "/search/method": search.set_method,
    "/explore/sweep": explore.start_sweep,
    "/explore/around": explore.start_around,
    "/explore/shape": explore.start_shape,
    "/explore/pick": explore.pick,
    "/explore/pin": explore.pin,
    "/compare/measure": compare.measure,
    "/compare/attack": compare.attack,
    "/compare/pair": compare.pair,
    "/release": release.publish,
    "/undo": history.undo,
    "/redo": history.redo,
    "/history/go": history.go,
    "/graph": graph.start,
    "/graph/example": graph.example,
    "/questions/ask": questions.ask,
    "/questions/server": questions.connect,
    "/questions/compose": questions.compose,
    "/questions/declare": questions.declare,
}


def make_app(desk: Desk) -> Guarded:
    """Put the application together around its state."""
    routes = [Route(path, _showing(desk, show), methods=["GET"]) for path, show in SHOWN.items()]
    routes += [Route(path, _acting(desk, act), methods=["POST"]) for path, act in DONE.items()]
    routes += [
        Route("/", _first(desk), methods=["GET"]),
        Route("/job", _showing(desk, _job), methods=["GET"]),
        Route("/job/cancel", _acting(desk, _cancel), methods=["POST"]),
        Route("/style.css", _style, methods=["GET"]),
        Route("/static/{name}", _static, methods=["GET"]),
    ]

    async def refused(request: Request, error: Exception) -> Response:
        del request
        faults = error.faults if isinstance(error, IndistinctError) else ()
        return await run_in_threadpool(screen.shown, desk, "problem", faults=faults)

    async def unknown(request: Request, error: Exception) -> Response:
        del request
        status = error.status_code if isinstance(error, HTTPException) else 500
        fault = Fault("", text("problem.no_page"), text("problem.no_page_remedy"))
        return await run_in_threadpool(
            screen.shown, desk, "problem", faults=(fault,), status=status
        )

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncGenerator[None]:
        del app
        await run_in_threadpool(desk.jobs.warm)
        yield
        await run_in_threadpool(desk.close)

    app = Starlette(
        routes=routes,
        exception_handlers={
            IndistinctError: refused,
            HTTPException: unknown,
        },
        lifespan=life,
    )
    return Guarded(app, desk.gate)


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
    gate = Gate(listening.getsockname()[1])
    desk = desk_of(given, gate)
    settings = uvicorn.Config(
        make_app(desk), access_log=False, log_level="critical", server_header=False, lifespan="on"
    )
    server = uvicorn.Server(settings)
    tell(text("server.address", address=gate.address))
    with contextlib.ExitStack() as until_the_end:
        if browser:
            page = until_the_end.enter_context(_opening_page(gate.address))
            webbrowser.open(page.as_uri())
        asyncio.run(_until_idle(server, desk, listening, idle_seconds))


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


def desk_of(given: str | None, gate: Gate) -> Desk:
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
        return Desk(StartFolder(place), gate)
    if place.name == "policy.toml" and (place.parent / "project.toml").exists():
        place = place.parent
    start = StartFolder(place.parent)
    desk = Desk(start, gate)
    try:
        if place.is_dir():
            desk.project = Project.load(start, place)
        elif place.suffix == ".toml":
            _open_policy(desk, place)
        else:
            _open_table(desk, place)
    except BaseException:
        desk.close()
        raise
    return desk


def _open_table(desk: Desk, place: Path) -> None:
    """Open the project of a table, or begin one."""
    stem = place.name.partition(".")[0]
    known = desk.start.root / f"{stem}{ENDING}"
    if (known / "project.toml").is_file():
        project = Project.load(desk.start, known)
        if project.data == place.name:
            desk.project = project
            return
    answer = data.begin(desk, place.name)
    if desk.project is None and desk.pending is None:
        raise UsageError(text("server.unreadable", status=answer.status_code))


def _open_policy(desk: Desk, place: Path) -> None:
    """Begin a project by a policy of one's own, for the only table that has its columns."""
    from indistinct.app.adoption import adopted

    desk.project = adopted(desk.start, place)


async def _until_idle(server: Any, desk: Desk, listening: socket.socket, seconds: float) -> None:
    """Serve; stop when nobody asked anything for long and no job runs."""

    async def watch() -> None:
        while not server.should_exit:
            await asyncio.sleep(min(LOOK_EVERY_SECONDS, seconds))
            idle = time.monotonic() - desk.gate.last_request
            if idle >= seconds and desk.jobs.current() is None:
                server.should_exit = True

    watching = asyncio.ensure_future(watch())
    try:
        await server.serve(sockets=[listening])
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


def _showing(desk: Desk, show: Show) -> Callable[..., Any]:
    """Make the answer to an address, in a thread, so that a slow page holds up no other."""

    async def answer(request: Request) -> Response:
        if desk.pending is not None and show is not data.show:
            return then("/data")  # every other page waits for the table
        return await run_in_threadpool(_netted, show, desk, request)

    return answer


def _acting(desk: Desk, act: Act) -> Callable[..., Any]:
    """Make the answer to a form."""

    async def answer(request: Request) -> Response:
        async with request.form(max_files=1, max_fields=2000) as form:
            return await run_in_threadpool(_netted, act, desk, request, form)

    return answer


def _first(desk: Desk) -> Callable[..., Any]:
    """Lead to the page where the work is."""

    async def answer(request: Request) -> Response:
        del request
        return then("/data" if desk.project is None or desk.project.unconfirmed() else "/search")

    return answer


def _job(desk: Desk, request: Request) -> Response:
    """Show how far the job is; when it has ended, bring up the page of its result."""
    job = desk.jobs.poll()
    here = urlsplit(request.headers.get("hx-current-url", "")).path
    has_ended = job is not None and job.state.value == "done"
    if job is not None and has_ended and here == job.page.partition("?")[0]:
        return HTMLResponse("", headers={"HX-Refresh": "true"})
    return screen.piece(desk, "job", job=job, elsewhere=True)


def _cancel(desk: Desk, request: Request, form: Any) -> Response:
    """Stop the job."""
    del request, form
    job = desk.jobs.current()
    desk.jobs.cancel()
    return then("/search" if job is None else job.page)


async def _style(request: Request) -> Response:
    """Give the style sheet."""
    del request
    return Response(screen.style(), media_type="text/css", headers={"Cache-Control": "max-age=60"})


async def _static(request: Request) -> Response:
    """Give a file of the application, of a fixed list."""
    name = request.path_params["name"]
    if name not in STATIC:
        return PlainTextResponse("", 404)
    content = files("indistinct.app").joinpath("static", name).read_bytes()
    return Response(content, media_type=STATIC[name], headers={"Cache-Control": "max-age=60"})


def _netted(work: Callable[..., Response], *given: Any) -> Response:
    """Do the work of a page; what goes wrong unexpectedly is caught here, once."""
    try:
        with panics_as(RuntimeError):
            return work(*given)
    except (IndistinctError, HTTPException):
        raise
    except ModuleNotFoundError as error:
        raise missing(error) from None
    except Exception as error:  # noqa: BLE001 - a traceback in a log may show values
        return _unexpected(error)


def _unexpected(error: Exception) -> Response:
    """Report an error of the program itself: its kind and place, nothing of the data."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" ({trace.tb_frame.f_code.co_name}, line {trace.tb_lineno})"
    words = text("problem.unexpected", kind=type(error).__name__, place=place)
    return PlainTextResponse(words, 500)
