"""The order of writing: note a release as pending, let its file have its name, note it published.

Whatever is cut off in between, the file tells which of the two happened.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from indistinct.base.brief import short_repr
from indistinct.errors import HistoryError, VerificationError
from indistinct.tables.history.entries import ReleaseState, Step
from indistinct.tables.history.store import History


@dataclass(frozen=True, slots=True)
class Remembering:
    """A release that is to be written into a history.

    Parameters
    ----------
    path : of the history, which is made where there is none
    step : what the release adds
    """

    path: Path
    step: Step

    __repr__ = short_repr

    def begin(self, output_sha256: str, output: Path) -> None:
        """Note the release as pending, before its file has its name.

        Raises
        ------
        HistoryMovedError
            when another run added a release meanwhile
        EngineError
            when the history cannot be written
        """
        with opened(self.path, create=True) as history:
            history.commit(self.step, output_sha256, str(output.resolve()))

    def refuse_if_overtaken(self) -> None:
        """Refuse where another run added a release after this one was planned.

        Raises
        ------
        HistoryMovedError
            when it did
        """
        if self.path.is_file():
            with opened(self.path) as history:
                history.refuse_other_base(self.step)

    def end(self) -> None:
        """Note that the release was published, now that its file has its name."""
        with opened(self.path) as history:
            history.publish(self.step.number)

    def give_up(self, output_sha256: str, output: Path) -> None:
        """Undo a release whose file could not get its name; one whose file stands is published."""
        with contextlib.suppress(HistoryError), opened(self.path) as history:
            if file_has_hash(str(output.resolve()), output_sha256):
                history.publish(self.step.number)
            else:
                history.withdraw(self.step.number)


@contextmanager
def recorded(remembering: Remembering | None, output: Path) -> Generator[Callable[[str], None]]:
    """Write a release into a history around the moment in which its file gets its name.

    Parameters
    ----------
    remembering : None where no history is kept
    output : where the release goes

    Yields
    ------
    to be called with the hash of the file as the last thing before it gets its name
    """
    noted: list[str] = []

    def note(output_sha256: str) -> None:
        if remembering is not None:
            remembering.begin(output_sha256, output)
            noted.append(output_sha256)

    try:
        yield note
    except BaseException as error:
        if remembering is not None and noted:
            remembering.give_up(noted[0], output)
        elif remembering is not None and isinstance(error, VerificationError):
            # A release that another run overtook does not hold beside what this one now knows.
            remembering.refuse_if_overtaken()
        raise
    if remembering is not None:
        remembering.end()


@contextmanager
def opened(path: str | Path, *, create: bool = False) -> Generator[History]:
    """Open a history for one piece of work."""
    history = History(path, create=create)
    try:
        yield history
    finally:
        history.close()


def settle_pending(history: History) -> None:
    """Complete a pending release whose file stands; refuse to go on where it does not.

    Raises
    ------
    HistoryError
        when nobody can tell whether a pending release was published
    """
    for made in history.releases():
        if made.state is not ReleaseState.PENDING:
            continue
        if file_has_hash(made.output, made.output_sha256):
            history.publish(made.number)
            continue
        raise HistoryError(
            f"release {made.number} is pending: its run was interrupted, and its file is not where "
            "it was to be",
            f"If nobody else has received it: indistinct history FILE --withdraw {made.number}; "
            f"if it was published: indistinct history FILE --publish {made.number}.",
        )


def file_has_hash(path: str, sha256: str) -> bool:
    """Return whether a file stands with this hash."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except OSError:
        return False
