"""The session of a service, with the analysts that its declaration names now."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

from indistinct.errors import IndistinctError
from indistinct.questions.database.loading import load
from indistinct.questions.database.session import Session
from indistinct.questions.mechanisms.meaning import OF_QUESTIONS

LOOK_EVERY_SECONDS = 1.0


@final
@dataclass(slots=True)
class ServedSession:
    """A session whose analysts are read again when the declaration has changed.

    Everything else of the declaration is that of the start: data and ledger are open by it.

    Parameters
    ----------
    declaration : looked at once a second at most; None where the analysts never change
    """

    session: Session
    declaration: Path | None = None
    _looked_at: float = -LOOK_EVERY_SECONDS
    _seen: tuple[int, ...] = ()

    def current(self) -> Session:
        """Return the session with the analysts of now."""
        now = time.monotonic()
        if self.declaration is not None and now - self._looked_at >= LOOK_EVERY_SECONDS:
            self._looked_at = now
            self._read_again(self.declaration)
        return self.session

    def _read_again(self, declaration: Path) -> None:
        """Take over the analysts, if the file has changed and is a declaration."""
        try:
            seen = state_of(declaration)
            if seen == self._seen:
                return
            self._seen = seen
            former = self.session.ledger.meaning().version == OF_QUESTIONS
            analysts = load(declaration, former=former).analysts
        except (OSError, IndistinctError):
            return  # an owner is still writing it
        self.session = replace(
            self.session, dataset=replace(self.session.dataset, analysts=analysts)
        )


def state_of(path: Path) -> tuple[int, ...]:
    """Return what changes when a file is written or replaced."""
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino
