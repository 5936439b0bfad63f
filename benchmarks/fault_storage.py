"""A stand-in for an object storage, whose objects are files below a folder, for ``faults.py``.

    python benchmarks/fault_storage.py FOLDER

It prints its port on 127.0.0.1, and ends with the process that started it. An object appears when
all of it has arrived, as in a storage, and never in part.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

DEATH_OF_PARENT = 1  # of prctl: the signal that a process gets when its parent ends
LIST = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name>'
    "<KeyCount>{count}</KeyCount><IsTruncated>false</IsTruncated>{objects}</ListBucketResult>"
)
OBJECT = (
    "<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
    '<ETag>"{key}"</ETag><Size>{size}</Size></Contents>'
)


class Answering(BaseHTTPRequestHandler):
    """Answers for the objects of one bucket."""

    protocol_version = "HTTP/1.1"
    root: Path

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        """Give the size of an object."""
        self.do_GET()

    def do_GET(self) -> None:
        """Give the list of a prefix, an object, or a range of it."""
        words = parse_qs(urlsplit(self.path).query)
        if "list-type" in words:
            self._answer(200, self._listed(words.get("prefix", [""])[0]))
        elif not self._file().is_file():
            self._answer(404, b"")
        else:
            self._give(self._file().read_bytes())

    def do_PUT(self) -> None:
        """Keep an object when all of it is there."""
        size = int(self.headers.get("Content-Length", 0))
        body, file = self.rfile.read(size), self._file()
        if len(body) < size:
            return
        part = file.with_name(f".{file.name}.arriving")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(body)
            part.replace(file)
        except OSError:
            part.unlink(missing_ok=True)
            # A storage that is full says so in a way that is not tried again.
            self._answer(403, b"<Error><Code>QuotaExceeded</Code></Error>")
            return
        self._answer(200, b"")

    def do_POST(self) -> None:
        """Remove the objects that a list names."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        keys = re.findall("<Key>([^<]*)</Key>", body)
        for key in keys:
            (self.root / key).unlink(missing_ok=True)
        deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self._answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())

    def do_DELETE(self) -> None:
        """Remove an object."""
        self._file().unlink(missing_ok=True)
        self._answer(204, b"")

    def _file(self) -> Path:
        return self.root / unquote(urlsplit(self.path).path).strip("/").partition("/")[2]

    def _listed(self, prefix: str) -> bytes:
        found = sorted(one for one in self.root.rglob("[!.]*") if one.is_file())
        sizes = {one.relative_to(self.root).as_posix(): one.stat().st_size for one in found}
        listed = {key: size for key, size in sizes.items() if key.startswith(prefix)}
        objects = "".join(OBJECT.format(key=key, size=size) for key, size in listed.items())
        return LIST.format(count=len(listed), objects=objects).encode()

    def _give(self, body: bytes) -> None:
        asked = self.headers.get("Range")
        if asked is None:
            self._answer(200, body)
            return
        first, _, last = asked.removeprefix("bytes=").partition("-")
        size = len(body)
        start = int(first) if first else max(0, size - int(last))
        end = min(int(last), size - 1) if first and last else size - 1
        self._answer(206, body[start : end + 1], f"bytes {start}-{end}/{size}")

    def _answer(self, status: int, body: bytes, where: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"one"')
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        if where is not None:
            self.send_header("Content-Range", where)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


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
    os.environ |= {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{int(server.stdout.readline())}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": "reader",
        "AWS_SECRET_ACCESS_KEY": "secret",
    }


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
