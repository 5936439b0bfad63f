"""The rooms whose program is changed, their files, and the tests that may notice."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/indistinct"
# The folder of each room, and where its tests are; which of them run a line is found by watching.
ROOMS = {
    "models": (
        "tables/models",
        ["unit/tables/models", "contracts/test_models.py", "unit/tables/policy"],
    ),
    "metrics": (
        "tables/metrics",
        [
            "unit/tables/metrics",
            "contracts/test_metrics.py",
            "unit/tables/publish/test_pareto.py",
            "unit/tables/evaluation/utility",
            "unit/tables/masks",
            "unit/tables/evaluation/assess/test_further_risk.py",
        ],
    ),
    "mechanisms": (
        "questions/mechanisms",
        [
            "unit/questions/mechanisms",
            "unit/tables/masks",
            "unit/questions/database/test_answers.py",
            "unit/questions/synthesis",
        ],
    ),
    "verify": (
        "tables/verification",
        [
            "unit/tables/verification",
            "property/test_reader_cells.py",
            "property/test_reader_definitions.py",
            "property/test_cell_book.py",
            "property/test_people.py",
            "unit/tables/publish/test_verified.py",
            "unit/tables/publish/test_verify_attacks.py",
            "unit/tables/publish/test_republish.py",
            "unit/tables/publish/test_sets.py",
            "unit/tables/publish/test_protect.py",
            "unit/tables/publish/test_anatomize.py",
            "unit/tables/publish/test_among_released.py",
            "unit/tables/publish/test_odd_tables.py",
            "unit/tables/publish/test_public_manifest.py",
            "unit/tables/reading/test_row_order.py",
            "unit/tables/engines/test_statistics_files.py",
            "unit/tables/engines/test_large_faults.py",
            "contracts/test_large_engines.py",
            "contracts/test_large_crosswalks.py",
            "contracts/test_record_names.py",
            "e2e/test_statistics_release.py",
            "e2e/test_mixed_pair.py",
        ],
    ),
    "ledger": (
        "questions/database",
        [
            "unit/questions/database/test_ledger.py",
            "unit/questions/database/test_session.py",
            "unit/questions/database/test_answers.py",
        ],
    ),
    "history": (
        "tables/history",
        [
            "unit/tables/history",
            "unit/tables/publish/test_republish.py",
            "unit/tables/publish/test_republication_theorems.py",
            "e2e/test_history_command.py",
            "unit/tables/publish/test_composition.py",
        ],
    ),
}
LEDGER = ("ledger_of_charges.py", "stores/sqlite.py")
# Compiled loops would be compiled anew for each mutant; PostgreSQL needs a server.
LEFT_OUT = ("kernels.py", "__init__.py", "stores/postgres.py")


def files_of(room: str) -> list[Path]:
    """List the files of a room, without compiled loops."""
    folder = SOURCE / ROOMS[room][0]
    found = [folder / name for name in LEDGER] if room == "ledger" else sorted(folder.glob("*.py"))
    return [file for file in found if not str(file).endswith(LEFT_OUT)]


def tests_of(room: str) -> list[Path]:
    """List the files of tests that may speak of a room."""
    places = [ROOT / "tests" / place for place in ROOMS[room][1]]
    return [
        test
        for place in places
        for test in ([place] if place.is_file() else sorted(place.rglob("test_*.py")))
    ]


def module_of(file: Path) -> str:
    """Name the module of a file."""
    return ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts)
