"""Options of commands that are made from the words of a registry, or from a dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Annotated, Any, TypeVar, cast, get_type_hints

import typer

Command = TypeVar("Command", bound=Callable[..., None])
Options = TypeVar("Options")


def option_of(name: str, kind: type, default: Any, help: str) -> inspect.Parameter:  # noqa: A002 - the word users know
    """Make the option of one word.

    Parameters
    ----------
    name : of the word
    kind : ``int``, ``float``, ``bool``, ``str``, or ``Path`` for a file
    default : when it is left out; None where it may stay unset
    help : one line for users
    """
    option = typer.Option(f"--{name.replace('_', '-')}", help=help)
    wanted = kind if isinstance(default, bool) else kind | None
    annotation = Annotated[wanted, option]  # pyright: ignore[reportInvalidTypeForm] - made while running
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def with_options(
    options: Iterable[inspect.Parameter], *, after: str
) -> Callable[[Command], Command]:
    """Return a command further options, which it takes as keywords.

    Parameters
    ----------
    after : name of the parameter that they follow in the help
    """

    def offer(command: Command) -> Command:
        known = inspect.signature(command, eval_str=True)
        offered: list[inspect.Parameter] = []
        for one in known.parameters.values():
            if one.kind is not one.VAR_KEYWORD:
                offered.append(one.replace(kind=one.KEYWORD_ONLY))
            if one.name == after:
                offered += options
        command.__signature__ = known.replace(parameters=offered)  # pyright: ignore[reportFunctionMemberAccess] - what inspect reads
        return command

    return offer


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
