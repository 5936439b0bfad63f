"""Errors of the program itself, and of libraries in Rust that panic: both may show values."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

PANIC = "PanicException"


def is_panic(error: BaseException) -> bool:
    """Return whether an error is a panic; each library has a class of its own for it."""
    return type(error).__name__ == PANIC and not isinstance(error, Exception)


def kind_and_place(error: BaseException) -> str:
    """Return the kind of an error, and where it was raised: nothing of the data."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    place = f"{trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
    return f"{type(error).__name__} ({place})"


@contextmanager
def panics_as(kind: type[Exception]) -> Generator[None]:
    """Raise an error of another kind in the place of a panic, without its words."""
    try:
        yield
    except BaseException as error:
        if not is_panic(error):
            raise
        raise kind from None
