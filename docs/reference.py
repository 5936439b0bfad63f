"""Write the reference pages of the site from the code: commands, words of a policy, Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

import indistinct
from indistinct.base.parameters import declared
from indistinct.frontends.cli.main import app
from indistinct.tables.masks import MASKS
from indistinct.tables.models import MODELS
from indistinct.tables.policy.exclusions import EXCLUSIONS
from indistinct.tables.search import ALGORITHMS_BY_NAME


def write(folder: Path) -> None:
    """Write all pages; leave a page alone whose text is the same, so that builds stay quick."""
    folder.mkdir(exist_ok=True)
    pages = {
        "commands.md": "\n".join(_commands()),
        "parameters.md": "\n".join(_parameters()),
        "exclusions.md": "\n".join(_exclusions()),
        "python.md": "\n".join(_python()),
    }
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _exclusions() -> Iterator[str]:
    yield "# What does not go together"
    yield ""
    yield "A policy that asks for two of these settings is refused. The message names the place of"
    yield "the first one, the reason and the remedy. `…` stands for what the policy says there."
    yield ""
    yield "| setting | beside | reason | remedy |"
    yield "|---|---|---|---|"
    for one in EXCLUSIONS:
        reason, remedy = (said.format(first="…", second="…") for said in (one.reason, one.remedy))
        yield f"| {one.first.name} | {one.second.name} | {reason} | {remedy} |"


def _commands() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "Every command with its arguments and options, as `--help` shows them. The pages on"
    yield "[tables](../policy.md), [graphs](../graph.md) and [questions](../database.md)"
    yield "explain them by example."
    root: Any = get_command(app)
    yield from _group(root, "indistinct", level=2)


def _group(group: Any, path: str, level: int) -> Iterator[str]:
    context = typer.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from _group(command, f"{path} {name}", level)
        else:
            yield from _command(command, f"{path} {name}", level)


def _command(command: Any, path: str, level: int) -> Iterator[str]:
    yield f"\n{'#' * level} {path}\n"
    said, _, example = f"{command.help or ''}\n{command.epilog or ''}".partition("Example: ")
    yield _sentence(said)
    yield ""
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    names = " ".join((one.metavar or one.name or "").upper() for one in arguments)
    yield f"```\n{path} {names}{' [OPTIONS]' if options else ''}\n```\n"
    if example:
        yield f"For example:\n\n```\n{_sentence(example)}\n```\n"
    if options:
        yield "| option | meaning |"
        yield "|---|---|"
    for option in options:
        words = ", ".join(f"`{word}`" for word in [*option.opts, *option.secondary_opts])
        yield f"| {words} | {_cell(option.help or '')} |"


def _parameters() -> Iterator[str]:
    yield "# Models, algorithms and protections"
    yield ""
    yield "Every name that a policy can use, with its parameters, read from the program itself."
    families = (
        ("Models", "models.md", [(one.name, one) for one in MODELS]),
        ("Algorithms", "algorithms.md", list(ALGORITHMS_BY_NAME.items())),
        ("Protections of single columns", "masking.md", list(MASKS.items())),
    )
    for title, page, members in families:
        yield f"\n## {title}\n"
        yield f"The page [{title.lower()}](../{page}) explains each of them.\n"
        for name, kind in members:
            yield f"\n### `{name}`\n"
            yield _sentence((getattr(kind, "__doc__", "") or "").split("\n\n")[0])
            yield from _table(kind)


def _table(kind: Any) -> Iterator[str]:
    try:
        parameters = declared(kind)
    except TypeError:  # not a dataclass: it has no parameters
        return
    if parameters:
        yield "\n| parameter | must be | meaning |"
        yield "|---|---|---|"
    for name, bounds in parameters.items():
        yield f"| `{name}` | {_cell(bounds.sentence())} | {_cell(bounds.help)} |"


def _python() -> Iterator[str]:
    yield "# Python"
    yield ""
    yield "Everything that `import indistinct` offers. A [model](../models.md) is a class of"
    yield "`indistinct.models`."
    yield ""
    errors = [name for name in indistinct.__all__ if name.endswith("Error")]
    for name in sorted(set(indistinct.__all__) - set(errors), key=str.lower):
        kind = "autoclass" if isinstance(getattr(indistinct, name), type) else "autofunction"
        yield f"## {name}\n"
        yield f"```{{eval-rst}}\n.. {kind}:: indistinct.{name}\n"
        if kind == "autoclass" and getattr(indistinct, name).__name__ == name:
            yield "   :members:\n"
        yield "```\n"
    yield "## Errors\n"
    yield "Each error has its cause and its remedy on [a page of its own](../errors.md).\n"
    for name in errors:
        yield f"```{{eval-rst}}\n.. autoexception:: indistinct.{name}\n```\n"


def _sentence(text: str) -> str:
    """Give a docstring's summary as Markdown: double backticks become single ones."""
    return re.sub(r"``([^`]+)``", r"`\1`", " ".join(text.split()))


def _cell(text: str) -> str:
    return _sentence(text).replace("|", "\\|").replace("<", "&lt;")
