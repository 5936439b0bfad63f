"""Commands whose arguments and options are the fields of a dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast, get_type_hints

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
        @wraps(run)
        def command(**words: Any) -> None:
            run(options(**words))

        # Typer asks for the types and for the signature.
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        cast("Any", command).__signature__ = inspect.Signature(parameters)
        return command

    return decorated
