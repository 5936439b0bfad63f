"""Print the lowest version of every library that pyproject.toml allows, for ``make test-lowest``.

Tools that only check or build take any version: it is the program that has to work.
"""

import re
import sys
import tomllib
from pathlib import Path

TOOLS = {"basedpyright", "codespell", "editables", "hatchling", "import-linter", "ruff"}
TESTS = {"pytest", "pytest-xdist", "hypothesis"}
# They come with browsers, servers or sites of their own, whose tests skip without them.
WITHOUT = {"docs", "spark", "learn"}


def lowest(project: dict) -> list[str]:
    """Give each requirement with the lowest version in place of the range."""
    extras = project["optional-dependencies"]
    listed = [*project["dependencies"]]
    listed += [one for name, extra in extras.items() if name not in WITHOUT for one in extra]
    found = {}
    for one in listed:
        name, _, version = one.partition(">=")
        if name not in TOOLS:
            found[name] = one if name in TESTS else f"{name}=={version}"
    return sorted(found.values())


def main() -> None:
    """Print them."""
    text = (Path(__file__).resolve().parents[1] / "pyproject.toml").read_text("utf-8")
    wanted = lowest(tomllib.loads(text)["project"])
    assert all(re.fullmatch(r"[a-z0-9-]+[>=]=[0-9.]+", one) for one in wanted)
    sys.stdout.write("\n".join(wanted) + "\n")


if __name__ == "__main__":
    main()
