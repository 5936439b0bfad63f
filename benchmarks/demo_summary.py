"""The last words of the demo: what was promised, what it cost, where the files are."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FILES = (
    "publish release.csv and release.csv.manifest.json (what was promised and reached)",
    "keep patients.csv, policy.toml, owner.json (exact figures) and crosswalk.csv for yourself",
    "edit policy.toml and run step 3 again; try an attacker with another register.csv",
)


def promises(manifest: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for model in manifest["models"]:
        verdict = "holds" if model["holds"] else "DOES NOT HOLD"
        lines.append(f"{sentence(model)}: {verdict}, worst class {words(model['achieved'])}")
    return lines


def sentence(model: dict[str, Any]) -> str:
    required = model["required"]
    match model["name"]:
        case "k-anonymity":
            return f"Every patient looks like at least {required['k'] - 1} others"
        case "distinct-l-diversity":
            return (
                f"Their group has at least {required['l']} different values of {required['column']}"
            )
        case name:
            return f"{name} ({words(required)})"


def words(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def costs(manifest: dict[str, Any]) -> list[str]:
    records, loss, method = manifest["records"], manifest["loss"], manifest["method"]
    total = records["released"] + records["suppressed"]
    share = records["suppressed"] / total
    return [
        f"{records['suppressed']:,} of {total:,} patients left out ({share:.1%})",
        (
            f"loss {loss['loss']:.3f} (0: nothing is lost, 1: everything), "
            f"found in {method['seconds']:.2f} s"
        ),
        f"greatest chance to find a known patient: {manifest['risk']['prosecutor']:.0%}",
    ]


def main(folder: Path) -> None:
    manifest = json.loads((folder / "owner.json").read_text(encoding="utf-8"))
    for heading, lines in (
        ("promised", promises(manifest)),
        ("cost", costs(manifest)),
        ("next", [*FILES, f"all files are in {folder.resolve()}"]),
    ):
        for index, line in enumerate(lines):
            print(f"{heading if index == 0 else '':10}{line}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
