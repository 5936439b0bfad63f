"""An object storage on 127.0.0.1 for readers and writers of S3: lists, ranges, puts, deletes."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit

LIST = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name>'
    "<KeyCount>{n}</KeyCount><IsTruncated>false</IsTruncated>{objects}</ListBucketResult>"
)
OBJECT = (
    "<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
    '<ETag>"{key}"</ETag><Size>{size}</Size></Contents>'
)


class Answering(BaseHTTPRequestHandler):
    """Answers for the objects of its server, which are all in one bucket."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        """Say nothing."""

    def do_HEAD(self):
        """Give the size of an object."""
        self.do_GET()

    def do_GET(self):
        """Give the list of a prefix, an object, or a range of it."""
        parts, objects = urlsplit(self.path), self.server.objects
        key = self._key()
        words = parse_qs(parts.query)
        if "list-type" in words:
            self._answer(200, listed(objects, words.get("prefix", [""])[0]))
        elif key not in objects:
            self._answer(404, b"")
        else:
            self._give(objects[key])

    def do_PUT(self):
        """Keep an object, unless the server shall fail or give something else back."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        key, server = self._key(), self.server
        server.changes.append(("put", key))
        if server.refuses(key):
            self._answer(403, b"<Error><Code>AccessDenied</Code><Key>secret</Key></Error>")
            return
        server.objects[key] = body if not server.spoils(key) else body[:-1] + b"?"
        self._answer(200, b"")

    def do_POST(self):
        """Remove the objects that a list names."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        keys = re.findall("<Key>([^<]*)</Key>", body)
        for key in keys:
            self.server.changes.append(("delete", key))
            self.server.objects.pop(key, None)
        deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self._answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())

    def do_DELETE(self):
        """Remove an object."""
        self.server.changes.append(("delete", self._key()))
        self.server.objects.pop(self._key(), None)
        self._answer(204, b"")

    def _key(self):
        """Give the key of an object, whatever the bucket is called."""
        return unquote(urlsplit(self.path).path).strip("/").partition("/")[2]

    def _give(self, body):
        asked = self.headers.get("Range")
        if asked is None:
            self._answer(200, body)
            return
        first, _, last = asked.removeprefix("bytes=").partition("-")
        size = len(body)
        start = int(first) if first else max(0, size - int(last))
        end = min(int(last), size - 1) if first and last else size - 1
        self._answer(206, body[start : end + 1], f"bytes {start}-{end}/{size}")

    def _answer(self, status, body, where=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"one"')
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        if where is not None:
            self.send_header("Content-Range", where)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def listed(objects, prefix):
    """Write the list of the objects below a prefix."""
    found = {key: len(body) for key, body in objects.items() if key.startswith(prefix)}
    written = "".join(OBJECT.format(key=key, size=size) for key, size in found.items())
    return LIST.format(n=len(found), objects=written).encode()


@contextmanager
def stored(
    objects: dict[str, bytes], refuses=lambda _: False, spoils=lambda _: False, changes=None
) -> Iterator[dict[str, str]]:
    """Serve objects of one bucket; give the environment by which a program finds them.

    Parameters
    ----------
    objects : by their keys; what is stored is put there
    refuses, spoils : tell of which keys the server refuses an object, or keeps another one
    changes : a list of what was put and deleted, in order
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        server.objects, server.refuses, server.spoils = objects, refuses, spoils
        server.changes = [] if changes is None else changes
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield {
                "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
                "AWS_ALLOW_HTTP": "true",
                "AWS_REGION": "eu-central-1",
                "AWS_ACCESS_KEY_ID": "reader",
                "AWS_SECRET_ACCESS_KEY": "secret",
            }
        finally:
            server.shutdown()
