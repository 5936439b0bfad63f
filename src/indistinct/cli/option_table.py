"""Commands whose arguments and options are the fields of a dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

Options = TypeVar("Options")


def takes(options: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Return a decorator for a command that is handed its arguments and options as one value.

    Parameters
    ----------
    options : a dataclass, whose annotations say what typer shows and checks
    """
    hints = get_type_hints(options, include_extras=True)
    fields = inspect.signature(options).parameters.values()
    parameters = [field.replace(annotation=hints[field.name]) for field in fields]

    def decorated(run: Callable[[Options], None]) -> Callable[..., None]:
        def command(**words: Any) -> None:
            run(options(**words))

        command.__name__, command.__doc__, command.__module__ = (
            run.__name__,
            run.__doc__,
            run.__module__,
        )
        command.__annotations__ = {name: hints[name] for name in (p.name for p in parameters)}
        signature = inspect.Signature(parameters)
        command.__signature__ = signature  # type: ignore[attr-defined]  # functions take any
        return command

    return decorated
