"""Print the test files of one house of the source: ``python tests/houses.py graph``.

A test file belongs to the house whose folder it stands in, and to each that it imports from, itself
or by a module of the tests. Tests of whole commands import little, so they are listed here, and so
are those of all houses at once. What loads the whole program before it forks a test says nothing
about its house.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parent
HOUSES = ("base", "tables", "aggregates", "related", "graph", "questions", "frontends")

# Public names of the package, by the house that they come from; all others come from tables.
PUBLIC = {
    "graph": "graph",
    "database": "questions",
    "Synthesis": "questions",
    "synthesize": "questions",
    "synthetic_tables": "questions",
    "Comparison": "frontends",
    "compare": "frontends",
    "RelatedAssessment": "related",
    "RelatedInspection": "related",
    "RelatedPolicy": "related",
    "RelatedRelease": "related",
    "PublishedTable": "aggregates",
    "PublishedTables": "aggregates",
    "TablesPolicy": "aggregates",
    "TablesVerification": "aggregates",
    "bounds": "aggregates",
    "read_table": "aggregates",
    "tabulate": "aggregates",
    "errors": "errors",
}

# They load every house, so that a forked process begins with its work.
NOT_FOLLOWED = {"forked", "warmed", "conftest"}

# Tests of something that all houses share, each of which takes several seconds. They belong to the
# house whose folder they stand in, and ``make test`` runs them for the others.
OF_ALL = {"test_confidential", "test_planted_holes", "test_private_files", "test_texts"}

# The tests of whole commands that a change in a house runs: those that are short.
COMMANDS = {
    "base": ("test_missing_extras", "test_replace", "test_two_writers"),
    "tables": (
        "test_history_command",
        "test_noise_command",
        "test_owner_file",
        "test_people_command",
        "test_sets_command",
        "test_statistics_release",
        "test_suppression_and_anatomy",
        "test_sweep_command",
    ),
    "aggregates": ("test_tabulate_command",),
    "related": ("test_app_related", "test_kill_related"),
    "graph": ("test_graph_command",),
    "questions": ("test_database_command", "test_database_openapi", "test_database_tables"),
    "frontends": ("test_attack_command", "test_command", "test_help_examples", "test_replace"),
}


def main(words: list[str]) -> int:
    """Print the files of a house, one a line, or refuse a name that is none of the seven."""
    if len(words) != 1 or words[0] not in HOUSES:
        asked = " ".join(words) or "nothing"
        sys.stderr.write(f"{asked} is not a house. Name one of these: {', '.join(HOUSES)}.\n")
        return 2
    for file in files_of(words[0]):
        sys.stdout.write(f"{file.relative_to(TESTS.parent).as_posix()}\n")
    return 0


def files_of(house: str) -> list[Path]:
    """List the test files of a house."""
    commands = {TESTS / "e2e" / f"{name}.py" for name in COMMANDS[house]}
    own = set((TESTS / "unit" / house).rglob("test_*.py"))
    others = {
        file
        for file in TESTS.rglob("test_*.py")
        if file.parent != TESTS / "e2e" and file.stem not in OF_ALL and house in houses_of(file)
    }
    return sorted(commands | own | others)


@cache
def houses_of(file: Path) -> frozenset[str]:
    """Return the houses that a file imports from, by modules of the tests as well."""
    found: set[str] = set()
    waiting, seen = [file], {file}
    while waiting:
        own, modules = imports_of(waiting.pop())
        found |= own
        waiting += modules - seen
        seen |= modules
    return frozenset(found)


@cache
def imports_of(file: Path) -> tuple[frozenset[str], frozenset[Path]]:
    """Return the houses that a file itself imports from, and the modules of the tests."""
    houses: set[str] = set()
    modules: set[Path] = set()
    for name in imported(ast.parse(file.read_text(encoding="utf-8"))):
        package, *parts = name.split(".")
        if package == "indistinct" and parts:
            houses.add(parts[0] if parts[0] in HOUSES else PUBLIC.get(parts[0], "tables"))
        elif package not in NOT_FOLLOWED:
            modules |= module_of([package, *parts])
    return frozenset(houses), frozenset(modules)


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the dotted names that a file imports, and the public names that it takes of ``ind``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "ind":
            yield f"indistinct.{node.attr}"


def module_of(parts: list[str]) -> set[Path]:
    """Return the module of the tests that a dotted name leads to, if it leads to one."""
    places = (TESTS.joinpath(*parts[:length]).with_suffix(".py") for length in (1, 2))
    return {place for place in places if place.is_file()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
