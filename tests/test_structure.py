"""Which files may know the library that holds tables in memory."""

import ast
import inspect
from functools import cache
from pathlib import Path

import indistinct
from indistinct.masks import MASKS

SOURCE = Path(indistinct.__file__).parent
MAY_KNOW_POLARS = ("engines/", "reader/verify/")

# What still knows Polars besides. Take a file out when it no longer does; none may be added.
STILL_KNOW_POLARS = {
    "counting/persons.py",
    "counting/population.py",
    "counting/columns.py",
    "counting/prepare.py",
    "counting/table_faults.py",
    "graph/release.py",
    "masks/noise/grid.py",
    "masks/numbers.py",
    "masks/protection.py",
    "publish/anatomize.py",
    "publish/anonymize.py",
    "publish/class_noise.py",
    "publish/estimates.py",
    "publish/inspect.py",
    "publish/protect.py",
    "publish/public_manifest.py",
    "publish/release.py",
    "publish/repeated_identifiers.py",
    "publish/sample.py",
    "publish/stars.py",
    "publish/sweep.py",
    "publish/sweep_result.py",
    "publish/unprotected.py",
    "reader/assess/anonymity.py",
    "reader/assess/assess.py",
    "reader/assess/assessment.py",
    "reader/assess/counted_classes.py",
    "reader/assess/sensitive_columns.py",
    "reader/assess/table.py",
    "reader/assess/noise.py",
    "reader/attacks/attack.py",
    "reader/attacks/candidates.py",
    "reader/attacks/known.py",
    "reader/attacks/minimality.py",
    "reader/attacks/people_linkage.py",
    "reader/attacks/replay.py",
    "reader/attacks/scene.py",
    "reader/attacks/tuple_worlds.py",
    "reader/utility/learning.py",
    "reader/utility/masking.py",
    "reader/utility/queries.py",
    "reader/utility/recover.py",
    "reader/utility/report.py",
    "reader/utility/usefulness.py",
    "release/noise_figures.py",
    "release/presentation.py",
    "release/reading.py",
    "release/released.py",
}


@cache
def libraries_of(path):
    """Name what a file imports anywhere, for checks of types included."""
    named = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            named.add(node.module or "")
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
    return {name.split(".")[0] for name in named}


def files_that_know(library):
    """List the files that import a library, by their place in the package."""
    return {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if library in libraries_of(path)
    }


def test_only_engines_and_the_verifier_know_polars():
    """A new file that imports Polars fails here, and so does one that no longer needs to."""
    found = {place for place in files_that_know("polars") if not place.startswith(MAY_KNOW_POLARS)}
    # A mask is handed its columns as a frame, so that a new one needs no line here.
    of_masks = {Path(inspect.getfile(mask)).relative_to(SOURCE).as_posix() for mask in MASKS}
    assert found - of_masks == STILL_KNOW_POLARS


def test_numba_is_named_in_one_file():
    """Loops are compiled in one place, which loads numba, and how parts are compiled, late."""
    assert files_that_know("numba") == {"core/parts.py"}
    named = [path for path in SOURCE.rglob("*.py") if '"numba"' in path.read_text("utf-8")]
    assert [path.name for path in named] == ["compiling.py"]
