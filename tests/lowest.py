"""Print the lowest version of every library that pyproject.toml allows, for ``make test-lowest``.

Tools of the tests take any version that is allowed: it is the program that has to work.
"""

import sys
import tomllib
from pathlib import Path

TOOLS = {"basedpyright", "codespell", "editables", "hatchling", "import-linter", "ruff"}
# They come with servers or sites of their own, whose tests skip without them.
WITHOUT = {"docs", "spark"}


def lowest(project: dict) -> list[str]:
    """Give each requirement with the lowest version in place of the range."""
    extras = dict(project["optional-dependencies"])
    tests = extras.pop("dev")
    listed = [*project["dependencies"]]
    listed += [one for name, extra in extras.items() if name not in WITHOUT for one in extra]
    found = {one.partition(">=")[0]: one.replace(">=", "==") for one in listed}
    found |= {one.partition(">=")[0]: one for one in tests if one.partition(">=")[0] not in TOOLS}
    return sorted(found.values())


def main() -> None:
    """Print them."""
    text = (Path(__file__).resolve().parents[1] / "pyproject.toml").read_text("utf-8")
    sys.stdout.write("\n".join(lowest(tomllib.loads(text)["project"])) + "\n")


if __name__ == "__main__":
    main()
