"""The command that starts the application in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from indistinct.frontends.cli.terminal import print_text, say

app = typer.Typer(add_completion=False)


@app.command()
def application(
    given: Annotated[
        str | None,
        typer.Argument(metavar="[DATA|POLICY|FOLDER]", help="a table, a policy or a folder"),
    ] = None,
    no_browser: Annotated[  # noqa: FBT002 - a flag of the command
        bool,
        typer.Option("--no-browser", help="print the address, and open no browser"),
    ] = False,
    port: Annotated[int, typer.Option("--port", help="the port; default: a free one")] = 0,
) -> None:
    """Start the application in a browser, on this computer only.

    Prints one address, which works once. Stops with Ctrl-C or after an hour without a click.

    Example: indistinct app patients.csv
    """
    from indistinct.base.extras import load

    for needed in ("starlette", "uvicorn", "python_multipart"):
        load(needed)
    from indistinct.frontends.app.server import serve

    serve(given, browser=not no_browser, port=port, tell=print_text)
    say("stopped")
