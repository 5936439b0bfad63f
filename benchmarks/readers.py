"""CPU seconds of everything that reads a table or a release: Adult, and a million records.

    python benchmarks/readers.py [--write docs/benchmarks.md] [--note TEXT]

Adult (ages, education and so on as quasi-identifiers, `occupation` sensitive) is published with
k = 5 and three different occupations in each class by local recoding; so is a table of a million
records that is drawn from it with replacement, a tenth of the cells drawn anew. Then `inspect`,
`assess`, `verify`, `attack` and `report` read them, each in a process of its own with all code
compiled. CPU seconds, because they depend less on what else the machine does. Files are made in a
temporary folder, which is deleted.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from cases import ADULT, PUBLIC, Case, resampled, table_of, words_of

SENSITIVE = "occupation"
ROWS = (30_162, 1_000_000)
BEGIN, END = "<!-- readers: begin -->", "<!-- readers: end -->"
COMMANDS = {
    "inspect": ("inspect", "{data}"),
    "assess": ("assess", "{release}", "--policy", "{policy}", "--original", "{data}"),
    "verify": ("verify", "{release}", "--policy", "{policy}"),
    "attack": ("attack", "{release}", "--policy", "{policy}", "--register", "{data}",
               "--original", "{data}", "--seed", "1"),
    "report": ("report", "{release}", "--policy", "{policy}", "--original", "{data}",
               "--out", "{page}"),
}  # fmt: skip


def main() -> None:
    """Publish both tables, and measure each command on them."""
    parser = argparse.ArgumentParser(description="Measure what reads a table or a release.")
    parser.add_argument("--write", help="the page that gets the table")
    parser.add_argument("--note", default="", help="a sentence about the circumstances")
    parser.add_argument("--adult", action="store_true", help="the small table alone, not written")
    arguments = parser.parse_args()
    chosen = ROWS[:1] if arguments.adult else ROWS
    if not PUBLIC.is_dir():
        raise SystemExit("the Adult table is not at hand")
    with tempfile.TemporaryDirectory() as folder:
        measured = {rows: measure(Path(folder) / str(rows), rows) for rows in chosen}
    lines = [
        "| command | " + " | ".join(f"{rows:,} records" for rows in chosen) + " |",
        "|---|" + "---:|" * len(chosen),
        *(
            f"| `{name}` | " + " | ".join(f"{measured[rows][name]:.2f} s" for rows in chosen) + " |"
            for name in COMMANDS
        ),
    ]
    print("\n".join(lines))
    if arguments.write is not None and not arguments.adult:
        page = Path(arguments.write)
        text = page.read_text("utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        table = "\n".join([BEGIN, "", *lines, "", arguments.note, END])
        page.write_text(before + table + after, encoding="utf-8")


def measure(folder: Path, rows: int) -> dict[str, float]:
    """Publish a table of so many records, and measure each command: CPU seconds by name."""
    folder.mkdir()
    paths = {name: str(folder / file) for name, file in FILES.items()}
    prepare(rows, paths)
    return {name: cpu_seconds(words, paths) for name, words in COMMANDS.items()}


FILES = {
    "data": "data.csv",
    "policy": "policy.toml",
    "release": "release.csv",
    "page": "report.html",
}


def prepare(rows: int, paths: dict[str, str]) -> None:
    """Write the table and its policy, and publish it."""
    import indistinct as ind

    case = Case("readers", "adult", rows, len(ADULT), 5)
    table = table_of(case).select(ADULT)
    table = table if rows == table.height else resampled(table, rows)
    table.write_csv(paths["data"])
    words = words_of(case)
    words["columns"][SENSITIVE] = {"role": "sensitive"}
    words["models"].append({"name": "distinct-l-diversity", "column": SENSITIVE, "l": 3})
    words["method"] = {"algorithm": "local", "max_suppression": 0.05}
    ind.Policy.from_words(words).save(paths["policy"])
    publish = ("anonymize", "{data}", "--policy", "{policy}", "--out", "{release}")
    cpu_seconds(publish, paths)


def cpu_seconds(words: tuple[str, ...], paths: dict[str, str]) -> float:
    """Run a command, and say how many CPU seconds it and its processes took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "indistinct", *(word.format(**paths) for word in words)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"}
    )
    if done.returncode not in {0, 1}:
        raise SystemExit(f"{words[0]}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
