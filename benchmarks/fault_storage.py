"""A stand-in for an object storage, whose objects are files below a folder, for ``faults.py``.

    python benchmarks/fault_storage.py FOLDER

It prints its port on 127.0.0.1, and ends with the process that started it. An object appears when
all of it has arrived, as in a storage, and never in part.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from http.server import ThreadingHTTPServer
from pathlib import Path

from object_storage import Storage, environment_of

DEATH_OF_PARENT = 1  # of prctl: the signal that a process gets when its parent ends


class Answering(Storage):
    """Keeps the objects as files below a folder."""

    root: Path

    def sizes(self) -> dict[str, int]:
        """Return the size of each file that has arrived whole."""
        found = sorted(one for one in self.root.rglob("[!.]*") if one.is_file())
        return {one.relative_to(self.root).as_posix(): one.stat().st_size for one in found}

    def content(self, key: str) -> bytes | None:
        """Read a file."""
        file = self.root / key
        return file.read_bytes() if file.is_file() else None

    def keep(self, key: str, body: bytes) -> str | None:
        """Write a file, which appears whole."""
        file = self.root / key
        part = file.with_name(f".{file.name}.arriving")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(body)
            part.replace(file)
        except OSError:
            part.unlink(missing_ok=True)
            return "<Code>QuotaExceeded</Code>"
        return None

    def remove(self, key: str) -> None:
        """Remove a file."""
        (self.root / key).unlink(missing_ok=True)


def start(folder: Path) -> None:
    """Start the stand-in beside this process, and name it in the environment."""
    folder.mkdir(exist_ok=True)
    words = [sys.executable, "-S", __file__, str(folder.absolute())]
    server = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=_end_with_parent,  # noqa: PLW1509 - nothing else tells that a parent was killed
    )
    assert server.stdout is not None
    os.environ |= environment_of(int(server.stdout.readline()))


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal.SIGKILL)


def main(folder: str) -> None:
    """Serve until the end."""
    Answering.root = Path(folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
