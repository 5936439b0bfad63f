"""The command on the path of a shell, without its second of loading libraries for every line.

One process loads the program and forks a child for each call, which runs in the caller's folder,
with the caller's environment, standard output and standard error, as a process of its own.
"""

from __future__ import annotations

import atexit
import os
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from shared import environment, warmed_environment

SERVER = """
import json, os, select, signal, socket, sys
import indistinct.cli.main, warmed

warmed.load_kept_loops()

def answer(connection):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, files, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    for place, file in enumerate(files):
        os.dup2(file, place)
    words = json.loads(message)
    os.chdir(words["folder"])
    os.environ.clear()
    os.environ.update(words["environment"])
    sys.argv = ["indistinct", *words["arguments"]]
    try:
        indistinct.cli.main.run()
    except SystemExit as ended:
        code = ended.code
    sys.stdout.flush()
    sys.stderr.flush()
    connection.send(b"%d" % code)

signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever called waits for a child, not this process
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen()
print("ready", flush=True)
while 0 not in select.select([0, listening], [], [])[0]:  # standard input ends with who started it
    connection, _ = listening.accept()
    if os.fork() == 0:
        try:
            answer(connection)
        finally:
            os._exit(0)
    connection.close()
"""

CLIENT = """
import json, os, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
words = {"arguments": sys.argv[2:], "folder": os.getcwd(), "environment": dict(os.environ)}
socket.send_fds(connection, [json.dumps(words).encode()], [0, 1, 2])
sys.exit(int(connection.recv(16) or b"70"))
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
    """Give the words of a process that runs the command."""
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
