"""Options of the version before, which work for one more version with a warning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from indistinct.cli.terminal import say
from indistinct.core.former_names import LAST

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
