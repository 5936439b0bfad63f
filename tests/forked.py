"""The command, and jobs of the application, without a second of loading libraries for each.

One process loads the program and forks a child for each call, which runs in the caller's folder,
with the caller's environment, standard output and standard error, as a process of its own.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from shared import environment, warmed_environment

SERVER = """
import json, os, select, signal, socket, sys
import indistinct.frontends.cli.main, brief_search, warmed

warmed.load_kept_loops()
warmed.load_commands()

def work():
    # A job that rehearses nothing before it waits, which would take a second or more.
    from indistinct.frontends.app import worker
    worker._rehearse = lambda place: None
    worker.main()

PROGRAMS = {"command": indistinct.frontends.cli.main.run, "job": work}

def answer(connection, words, files):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for place, file in enumerate(files):
        os.dup2(file, place)
    os.chdir(words["folder"])
    os.environ.clear()
    os.environ.update(words["environment"])
    brief_search.anneal_as_asked_by(os.environ.get("PYTEST_CURRENT_TEST", ""))
    sys.argv = ["indistinct", *words["arguments"]]
    connection.send(b"%d\\n" % os.getpid())
    code = 0
    try:
        PROGRAMS[words["program"]]()
    except SystemExit as ended:
        code = ended.code
    sys.stdout.flush()
    sys.stderr.flush()
    connection.send(b"%d\\n" % code)

signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever called waits for a child, not this process
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen()
print("ready", flush=True)
while 0 not in select.select([0, listening], [], [])[0]:  # standard input ends with who started it
    connection, _ = listening.accept()
    message, files, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    words = json.loads(message)
    if warmed.need_noise(words["arguments"]):
        warmed.load_noise()
    if os.fork() == 0:
        try:
            answer(connection, words, files)
        finally:
            os._exit(0)
    connection.close()
    for file in files:
        os.close(file)
"""

CLIENT = """
import json, os, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
words = {"arguments": sys.argv[2:], "folder": os.getcwd(), "environment": dict(os.environ)}
words["program"] = "command"
socket.send_fds(connection, [json.dumps(words).encode()], [0, 1, 2])
told = connection.makefile()
told.readline()  # the number of the process
sys.exit(int(told.readline() or 70))
"""


@cache
def _socket() -> Path:
    """Start the process that forks; it ends with this one."""
    folder = tempfile.TemporaryDirectory(prefix="indistinct-")
    place = Path(folder.name) / "socket"
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=warmed_environment(),
    )

    def end() -> None:
        server.communicate()
        folder.cleanup()

    atexit.register(end)
    assert server.stdout.readline() == b"ready\n"
    return place


@cache
def _client() -> Path:
    """Write what hands a call over."""
    client = _socket().with_name("client.py")
    client.write_text(CLIENT, "utf-8")
    return client


def command(*arguments: object) -> list[str]:
    """Return the words of a process that runs the command."""
    words = [sys.executable, "-I", "-S", _client(), _socket(), *arguments]
    return [str(word) for word in words]


def shell_with_command(folder: Path) -> dict[str, str]:
    """Put the command into a folder; give the environment of a shell that finds it there."""
    script = folder / "bin" / "indistinct"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {shlex.join(command())} "$@"\n', "utf-8")
    script.chmod(0o755)
    known = environment()
    return {**known, "PATH": f"{script.parent}{os.pathsep}{known['PATH']}"}


class Job:
    """A process that waits for a job of the application, with what the application asks of it."""

    def __init__(self, place: str) -> None:
        words = {"program": "job", "arguments": [place], "folder": str(Path.cwd())}
        message = json.dumps({**words, "environment": dict(os.environ)}).encode()
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(str(_socket()))
        heard, given = os.pipe()
        self.stdin = os.fdopen(given, "wb")
        with Path(os.devnull).open("wb") as nothing:
            files = [heard, nothing.fileno(), nothing.fileno()]
            socket.send_fds(self._connection, [message], files)
        os.close(heard)
        self._told = self._connection.makefile("rb", buffering=0)
        self.pid = int(self._told.readline())
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return the exit code; None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("job", timeout)
        return code

    def terminate(self) -> None:
        os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def _ended(self, timeout: float | None) -> int | None:
        """Look at the connection, which ends with the process."""
        if self._code is None and select.select([self._connection], [], [], timeout)[0]:
            self._code = int(self._told.readline() or -signal.SIGKILL)
            self._told.close()
            self._connection.close()
        return self._code
