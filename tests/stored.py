"""An object storage on 127.0.0.1 for readers and writers of S3: lists, ranges, puts, deletes."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Thread

from object_storage import Storage, environment_of


class Answering(Storage):
    """Keeps the objects of its server in memory, unless it shall fail or give others back."""

    def sizes(self):
        """Return the size of each object."""
        return {key: len(body) for key, body in self.server.objects.items()}

    def content(self, key):
        """Return an object."""
        return self.server.objects.get(key)

    def keep(self, key, body):
        """Keep an object, or another one."""
        self.server.changes.append(("put", key))
        if self.server.refuses(key):
            return "<Code>AccessDenied</Code><Key>secret</Key>"
        self.server.objects[key] = body if not self.server.spoils(key) else body[:-1] + b"?"
        return None

    def remove(self, key):
        """Remove an object."""
        self.server.changes.append(("delete", key))
        self.server.objects.pop(key, None)


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
            yield environment_of(server.server_port)
        finally:
            server.shutdown()
