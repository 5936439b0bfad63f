"""Libraries written in Rust that panic: what they raise is no Exception, and may show values."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

PANIC = "PanicException"


def is_panic(error: BaseException) -> bool:
    """Tell whether an error is a panic; each library has a class of its own for it."""
    return type(error).__name__ == PANIC and not isinstance(error, Exception)


@contextmanager
def panics_as(kind: type[Exception]) -> Generator[None]:
    """Raise an error of another kind in the place of a panic, without its words."""
    try:
        yield
    except BaseException as error:
        if not is_panic(error):
            raise
        raise kind from None
