"""What a stand-in for an object storage answers: lists, ranges, puts and deletes of one bucket.

Where the objects are kept is left to those who use it: below a folder for ``fault_storage.py``, in
memory for the tests.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, unquote, urlsplit

LIST = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name>'
    "<KeyCount>{count}</KeyCount><IsTruncated>false</IsTruncated>{objects}</ListBucketResult>"
)
OBJECT = (
    "<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
    '<ETag>"{key}"</ETag><Size>{size}</Size></Contents>'
)


class Storage(BaseHTTPRequestHandler):
    """Answers for the objects of one bucket, whatever the bucket is called."""

    protocol_version = "HTTP/1.1"

    @abstractmethod
    def sizes(self) -> Mapping[str, int]:
        """Return the size of each object by its key, in the order of the list."""

    @abstractmethod
    def content(self, key: str) -> bytes | None:
        """Return an object; None where there is none."""

    @abstractmethod
    def keep(self, key: str, body: bytes) -> str | None:
        """Keep an object, or give what an error says by which it is refused for good."""

    @abstractmethod
    def remove(self, key: str) -> None:
        """Remove an object, if it is there."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        """Return the size of an object."""
        self.do_GET()

    def do_GET(self) -> None:
        """Return the list of a prefix, an object, or a range of it."""
        words = parse_qs(urlsplit(self.path).query)
        if "list-type" in words:
            self._answer(200, self._listed(words.get("prefix", [""])[0]))
        elif (body := self.content(self._key())) is None:
            self._answer(404, b"")
        else:
            self._give(body)

    def do_PUT(self) -> None:
        """Keep an object when all of it is there."""
        size = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(size)
        if len(body) < size:
            return
        said = self.keep(self._key(), body)
        if said is None:
            self._answer(200, b"")
        else:  # in a way that is not tried again
            self._answer(403, f"<Error>{said}</Error>".encode())

    def do_POST(self) -> None:
        """Remove the objects that a list names."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        keys = re.findall("<Key>([^<]*)</Key>", body)
        for key in keys:
            self.remove(key)
        deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self._answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())

    def do_DELETE(self) -> None:
        """Remove an object."""
        self.remove(self._key())
        self._answer(204, b"")

    def _key(self) -> str:
        return unquote(urlsplit(self.path).path).strip("/").partition("/")[2]

    def _listed(self, prefix: str) -> bytes:
        listed = {key: size for key, size in self.sizes().items() if key.startswith(prefix)}
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


def environment_of(port: int) -> dict[str, str]:
    """Return the words of the environment by which a program finds the storage."""
    return {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": "reader",
        "AWS_SECRET_ACCESS_KEY": "secret",
    }
