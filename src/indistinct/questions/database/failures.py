"""What fails after a charge: the engine or this program, for good or for want of resources.

Whether a question fails can tell of one row, so a failure is an answer that nothing was paid for.
"""

from __future__ import annotations

from typing import cast

from indistinct.errors import EngineError, QuestionError

# PostgreSQL's classes of errors: a lost connection, too little memory or disk, and interruptions.
PASSING_STATES = ("08", "53", "57")
LOST_CONNECTION = "08000"
# DuckDB's names for the same.
PASSING_CLASSES = frozenset(
    {"IOException", "OutOfMemoryException", "InterruptException", "ConnectionException"}
)
CLOSED = (
    "the question was not answered, and the owner was told",
    "What was charged stays charged. Ask the owner, who opens again: indistinct database reopen.",
)
MOST_PASSING = 3  # charges without an answer within a day


def failure_of(error: BaseException) -> EngineError:
    """Return what is kept of an error of an engine or of this program: never its message."""
    if isinstance(error, EngineError):
        return error
    cause = type(error).__name__
    state = state_of(error)
    if state is not None:
        return did_not_answer(f"{cause} {state}", is_passing=state[:2] in PASSING_STATES)
    is_passing = cause in PASSING_CLASSES or isinstance(error, MemoryError | OSError)
    return did_not_answer(cause, is_passing=is_passing)


def did_not_answer(cause: str, *, is_passing: bool) -> EngineError:
    """Make the one error of a question that fails after its charge."""
    return EngineError(
        "the database did not answer; what was charged stays charged",
        "Tell the owner, who finds the cause in the database's own log.",
        cause=cause,
        is_passing=is_passing,
    )


def refused_by_the_engine() -> QuestionError:
    """Make the error of a question that an engine refuses whatever the rows are."""
    return QuestionError(
        "the question: is refused by the database, whatever the rows are",
        "Write it in other words, or in parts; nothing was charged.",
    )


def state_of(error: BaseException) -> str | None:
    """Return PostgreSQL's code of an error; that of a lost connection where the driver has none."""
    if not type(error).__module__.startswith("pg8000"):
        return None
    words = cast("dict[str, str] | str", error.args[0]) if error.args else ""
    return words["C"] if isinstance(words, dict) and "C" in words else LOST_CONNECTION
