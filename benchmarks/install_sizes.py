"""Print the size of what gets installed: the core, and what each extra adds to it."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
MEGABYTE = 1_000_000
DEVELOPMENT = {"dev", "docs"}


def main() -> None:
    """Print one row of a Markdown table for the core and for each extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    core = closure(project["dependencies"])
    print("| | packages | megabytes |\n|---|---|---|")
    print(row("core", core))
    for extra, requirements in sorted(project["optional-dependencies"].items()):
        if extra not in DEVELOPMENT:
            print(row(f"`{extra}`", closure(requirements) - core))


def row(name: str, packages: set[str]) -> str:
    """Return the number of packages and the bytes of their files."""
    megabytes = sum(size(package) for package in packages) / MEGABYTE
    return f"| {name} | {len(packages)} | {megabytes:,.0f} |"


def closure(requirements: list[str]) -> set[str]:
    """Follow requirements to everything that they need, extras of them included."""
    found: set[str] = set()
    todo = [Requirement(text) for text in requirements]
    while todo:
        requirement = todo.pop()
        name = requirement.name.lower().replace("_", "-")
        if name in found or not applies(requirement, set()):
            continue
        try:
            needs = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        found.add(name)
        todo += [one for one in map(Requirement, needs) if applies(one, requirement.extras)]
    return found


def applies(requirement: Requirement, extras: set[str]) -> bool:
    """Return whether a requirement holds on this machine, with one of some extras or none."""
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({"extra": extra}) for extra in {"", *extras})


def size(package: str) -> int:
    """Add up the bytes of a package's files."""
    found = distribution(package)
    paths = (Path(str(found.locate_file(file))) for file in found.files or [])
    return sum(path.stat().st_size for path in paths if path.is_file())


if __name__ == "__main__":
    main()
