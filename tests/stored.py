"""An object storage on 127.0.0.1 that answers what a reader of S3 asks: lists, sizes and ranges."""

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
        key = unquote(parts.path).strip("/").removeprefix("bucket").strip("/")
        words = parse_qs(parts.query)
        if "list-type" in words:
            self._answer(200, listed(objects, words.get("prefix", [""])[0]))
        elif key not in objects:
            self._answer(404, b"")
        else:
            self._give(objects[key])

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
        if self.command == "GET":
            self.wfile.write(body)


def listed(objects, prefix):
    """Write the list of the objects below a prefix."""
    found = {key: len(body) for key, body in objects.items() if key.startswith(prefix)}
    written = "".join(OBJECT.format(key=key, size=size) for key, size in found.items())
    return LIST.format(n=len(found), objects=written).encode()


@contextmanager
def stored(objects: dict[str, bytes]) -> Iterator[dict[str, str]]:
    """Serve objects of one bucket; give the environment by which a program finds them."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        server.objects = objects
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
