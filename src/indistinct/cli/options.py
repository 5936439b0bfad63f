"""Options of commands that are made from the words of a registry."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

import typer

Command = TypeVar("Command", bound=Callable[..., None])


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
    """Give a command further options, which it takes as keywords.

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
