"""The command ``indistinct``."""

from __future__ import annotations

import gc
import inspect
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

import typer
import typer.main
from typer.core import TyperGroup

from indistinct import __version__
from indistinct.base.extras import missing
from indistinct.base.former_names import LAST
from indistinct.base.panics import is_panic, kind_and_place
from indistinct.errors import IndistinctError, InterruptionError, UnexpectedError, UsageError
from indistinct.frontends.cli import anonymize, checking, sample, sweep, table, tabulate
from indistinct.frontends.cli.terminal import (
    BROKEN_PIPE,
    error_document,
    explain,
    print_document,
    say,
)

SHOW_VALUES = "--show-values"
# In the order of use; those with a module of their own are loaded when they are asked for.
COMMANDS = (
    "inspect",
    "anonymize",
    "tabulate",
    "assess",
    "verify",
    "attack",
    "report",
    "sample",
    "sweep",
    "synthesize",
    "compare",
    "history",
)
DOORS = ("graph", "database", "app")
# No fault of the program, the policy or the data.
TOO_LITTLE_MEMORY = UsageError(
    "there is not enough memory for this",
    "Give the process more memory, or end other programs. A table that is larger than the memory "
    "can be read in parts with --engine duckdb.",
)
# Typer exports only one of its errors of wrong use; this is the root of them all.
WRONG_USE: type[Exception] = typer.BadParameter.__mro__[2]
# Per command, what an option is called now; None where it only said what is so without it.
FORMER_OPTIONS: Mapping[str, Mapping[str, str | None]] = {
    "verify": {"--dataset": "--declaration"},
    "compare": {"--dataset": "--declaration"},
    "attack": {
        "--elsewhere": "--second-source",
        "--width": "--predicate-columns",
        "--choice": "--item-choice",
    },
    "synthesize": {"--no-dry-run": None, "--no-fresh": None},
    "database init": {
        "--type": "--types",
        "--step": "--steps",
        "--no-draft-from-data": None,
        "--no-declared": None,
        "--no-yes": None,
    },
    "database ask": {"--no-dry-run": None, "--no-fresh": None},
    "app": {"--browser": None},
}


class UsageMessage(Protocol):
    """An error of wrong use that Typer knows how to show."""

    def show(self) -> None:
        """Print the usage and what is wrong."""

    def format_message(self) -> str:
        """Return what is wrong."""
        ...


class CommandGroup(TyperGroup):
    """Lists the commands in the order of use; loads some when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands of tables, then the doors that are installed."""
        del ctx
        return [*COMMANDS, *DOORS]

    def get_params(self, ctx: Any) -> Any:
        """Return the options of the program itself."""
        return _without_types_of_flags(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; load it where it, or its door, is a module of its own."""
        if cmd_name in self.commands or cmd_name not in self.list_commands(ctx):
            return _flowing(super().get_command(ctx, cmd_name))
        loaded: Any = typer.main.get_command(
            import_module(f"indistinct.frontends.cli.{cmd_name}").app
        )
        _flowing(loaded)
        loaded.name = cmd_name
        return loaded


def _flowing(command: Any) -> Any:
    """Let the paragraphs of a help flow: Typer keeps the ends of the lines of a docstring."""
    for one in (command, *getattr(command, "commands", {}).values()):
        if one is not None:
            _hide_types_of_flags(one)
        if one is not None and one.help:
            paragraphs = inspect.cleandoc(one.help).split("\n\n")
            one.help = "\n\n".join(
                paragraph if "\n " in paragraph else " ".join(paragraph.split())
                for paragraph in paragraphs
            )
    return command


def _hide_types_of_flags(command: Any) -> None:
    """Show no type beside the options of a command that take no value."""
    given = command.get_params

    def get_params(ctx: Any) -> list[Any]:
        return _without_types_of_flags(given(ctx))

    command.get_params = get_params


def _without_types_of_flags(parameters: list[Any]) -> list[Any]:
    """Return options without the type of those that take no value, which Typer calls ``<bool>``."""
    for one in parameters:
        if getattr(one, "is_flag", False) and hasattr(one, "display_type_rich"):
            one.display_type_rich = _no_type
    return parameters


def _no_type(ctx: Any) -> None:
    """Replace Typer's method that names the type of an option."""
    del ctx


app = typer.Typer(
    name="indistinct",
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Publish or query personal data without giving anyone away.",
)
for command in (
    table.inspect,
    anonymize.anonymize,
    tabulate.tabulate,
    checking.assess,
    checking.verify,
    sample.sample,
):
    app.command()(command)
app.command()(sweep.sweep)


def version(asked: bool) -> None:  # noqa: FBT001 - the shape of an option's callback
    """Print the version and stop."""
    if asked:
        sys.stdout.write(f"indistinct {__version__}\n")
        raise typer.Exit


@app.callback()
def options(
    show_version: bool = typer.Option(  # noqa: FBT001 - a flag of the command
        False,  # noqa: FBT003 - the same
        "--version",
        help="print the version",
        callback=version,
        is_eager=True,
    ),
) -> None:
    """Publish or query personal data without giving anyone away."""
    del show_version


def run() -> None:
    """Run the command; no traceback reaches the user."""
    arguments = [argument for argument in sys.argv[1:] if argument != SHOW_VALUES]
    code = status(arguments, show_values=SHOW_VALUES in sys.argv)
    # At its end Python looks for cycles of garbage among all that was ever loaded, for a fifth of
    # the time of a short command. The process gives its memory back anyway. DuckDB, however, prints
    # a list of what nobody gave back.
    if "duckdb" not in sys.modules:
        gc.freeze()
    sys.exit(code)


def status(arguments: list[str], *, show_values: bool) -> int:  # noqa: PLR0911 - one an ending
    """Run the command with arguments; return its exit code."""
    as_json = "--json" in arguments
    try:
        result = app(with_present_names(arguments), standalone_mode=False, obj=show_values)
    except (IndistinctError, ModuleNotFoundError) as error:
        return _explained(error, show_values=show_values, as_json=as_json)
    except WRONG_USE as error:
        shown = cast("UsageMessage", error)
        shown.show()
        return _as_json(UsageError(shown.format_message()), as_json=as_json)
    except (typer.Abort, KeyboardInterrupt):
        return _interrupted(as_json=as_json)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except BaseException as error:  # the shell's one net: a traceback may show values
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        if isinstance(error, MemoryError):
            return _explained(TOO_LITTLE_MEMORY, show_values=False, as_json=as_json)
        return _unexpected(error, as_json=as_json)
    if result == InterruptionError.exit_code:  # Typer gives the code in place of the interruption
        return _interrupted(as_json=as_json)
    return result if isinstance(result, int) else 0


def _explained(
    error: IndistinctError | ModuleNotFoundError, *, show_values: bool, as_json: bool
) -> int:
    """Return what is wrong and what to do; of a missing module, which extra brings it."""
    if isinstance(error, ModuleNotFoundError):
        try:
            error = missing(error)
        except ModuleNotFoundError:
            return _unexpected(error, as_json=as_json)
    explain(error, show_values=show_values)
    return _as_json(error, as_json=as_json)


def _as_json(error: IndistinctError, *, as_json: bool) -> int:
    """Print an error as one JSON object where that is asked for; return its exit code."""
    if as_json:
        print_document(error_document(error))
    return error.exit_code


def _interrupted(*, as_json: bool) -> int:
    """Print that the command was interrupted, and return the exit code."""
    say("interrupted; nothing was written")
    return _as_json(InterruptionError("interrupted; nothing was written"), as_json=as_json)


def _unexpected(error: BaseException, *, as_json: bool) -> int:
    """Report an error of the program itself: its kind and place, nothing of the data."""
    found = UnexpectedError(
        f"an error of indistinct itself: {kind_and_place(error)}",
        "Nothing was written. Please report it with this line and the policy.",
    )
    explain(found, show_values=False)
    return _as_json(found, as_json=as_json)


def with_present_names(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of the command with the names that its options have now."""
    for command, renamed in FORMER_OPTIONS.items():
        words = command.split()
        if list(arguments[: len(words)]) == words:
            return _renamed(arguments, renamed)
    return list(arguments)


def _renamed(arguments: Sequence[str], renamed: Mapping[str, str | None]) -> list[str]:
    """Return the arguments with other names of some options, and warn of each former one."""
    present: list[str] = []
    for place, argument in enumerate(arguments):
        if argument == "--":
            return [*present, *arguments[place:]]
        option, equals, value = argument.partition("=")
        if option not in renamed:
            present.append(argument)
            continue
        now = renamed[option]
        said = "is not needed" if now is None else f"is called {now}"
        say(f"warning: {option} {said}. The former name works up to version {LAST}.")
        if now is not None:
            present.append(f"{now}{equals}{value}")
    return present
