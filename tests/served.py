"""Services for tests: in this process, and as a process of their own."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

import httpx
import uvicorn

from indistinct.questions.database import add_analyst
from indistinct.questions.database.connections import configuration
from indistinct.questions.database.server import make_app
from people import declare, person

# To read whom to trust takes a client longer than all else, and nobody is trusted by plain HTTP.
NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
COMMAND = """
import sys, typer
from indistinct.frontends.cli.database import app
from indistinct.errors import IndistinctError
root = typer.Typer()
root.add_typer(app, name="database")
try:
    root()
except IndistinctError as error:
    print(error, file=sys.stderr)
    sys.exit(error.exit_code)
"""


def command(*arguments):
    """Return the command line of ``indistinct database``."""
    return [sys.executable, "-c", COMMAND, "database", *map(str, arguments)]


def declare_with_analysts(folder, rows=300, epsilon=100, cap=50, **options):
    """Declare made-up people; give the declaration and a token per name."""
    path = declare(folder, [person(n) for n in range(rows)], epsilon, **options)
    tokens = {name: add_analyst(path, name=name, epsilon=cap) for name in ("alice", "bob")}
    return path, {**tokens, "boss": add_analyst(path, name="boss", role="owner")}


def free_port():
    """Find a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def served(path, port=None):
    """Run ``indistinct database serve`` until the block ends; give its address and process."""
    port = port or free_port()
    process = subprocess.Popen(command("serve", path, "--port", port))
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url, process)
        yield url, process
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGTERM)
        process.wait(20)


def wait_for(url, process):
    """Wait until a service answers."""
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{url}/openapi.json", timeout=5).close()
        except urllib.error.HTTPError:
            return  # it asks for a token
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    message = "the service did not start"
    raise RuntimeError(message)


@contextmanager
def live(session, limits=None, tls=(), declaration=None):
    """Serve a session from a thread of this process; give an HTTP client of it.

    Parameters
    ----------
    tls : certificate and key, or nothing
    declaration : whose analysts are read again when it changes
    """
    certificate, key = tls or (None, None)
    app = make_app(session, limits, declaration)
    config = configuration(app, port=free_port(), certificate=certificate, key=key)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        address = f"http://127.0.0.1:{config.port}"
        with httpx.Client(verify=NO_AUTHORITIES, base_url=address, timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()
