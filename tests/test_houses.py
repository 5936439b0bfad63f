"""Which files may know the library that holds tables in memory."""

import ast
import inspect
from functools import cache
from pathlib import Path

import indistinct
from indistinct.tables.masks import MASKS

SOURCE = Path(indistinct.__file__).parent
MOST_LINES = 400
MAY_KNOW_POLARS = ("engines/", "tables/verification/")

# The thin edge: what users call gives them frames of Polars, and says so by its type.
EDGE = {
    "graph/release.py",  # the released edges and groups
    "tables/publish/fictitious_patients.py",  # made-up tables
    "tables/publish/sample_hospital.py",
    "tables/publish/sweep_result.py",  # a row for each release that was tried
}

# Rooms and files that hand frames on and do nothing with their cells, and what they would do that
# with.
HAND_ON = (
    *(
        "counting/",
        "release/",
        "tables/evaluation/assessments/",
        "tables/evaluation/attacks/",
        "tables/evaluation/utility/",
    ),
    *(
        "tables/masks/numbers.py",
        "tables/masks/protection.py",
        "tables/masks/noise/grid.py",
        "publish/",
    ),
)
WORK_ON_CELLS = {
    *("alias", "cast", "drop_nulls", "explode", "fill_nan", "fill_null", "filter", "gather"),
    *("get_columns", "group_by", "is_in", "is_nan", "is_not_null", "is_null", "iter_columns"),
    *("iter_rows", "n_unique", "null_count", "rank", "rename", "scatter", "select"),
    *("to_physical", "to_series", "with_columns", "with_row_index", "zip_with"),
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
        if library in path.read_text("utf-8") and library in libraries_of(path)
    }


def test_only_engines_and_the_verifier_know_polars():
    """A new file that imports Polars fails here, and so does one that no longer needs to."""
    found = {place for place in files_that_know("polars") if not place.startswith(MAY_KNOW_POLARS)}
    # A mask is handed its columns as a frame, so that a new one needs no line here.
    of_masks = {Path(inspect.getfile(mask)).relative_to(SOURCE).as_posix() for mask in MASKS}
    assert found - of_masks == EDGE


def test_rooms_that_hand_frames_on_do_nothing_with_their_cells():
    """To name the type of a frame is no way around the rule: engines do the work."""
    found = {
        (path.relative_to(SOURCE).as_posix(), node.attr)
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).as_posix().startswith(HAND_ON)
        and path.relative_to(SOURCE).as_posix() not in EDGE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in WORK_ON_CELLS
    }
    assert not found
    # A room or file of another name would be held to nothing.
    assert all((SOURCE / place).exists() for place in HAND_ON)


def test_numba_is_named_in_one_file():
    """Loops are compiled in one place, which loads numba, how parts are compiled and kept, late."""
    known = {
        "base/compiled/kept_loops.py",
        "base/compiled/machine_parts.py",
        "base/compiled/machine_places.py",
    }
    assert files_that_know("numba") == known
    named = [path for path in SOURCE.rglob("*.py") if '"numba"' in path.read_text("utf-8")]
    assert [path.name for path in named] == ["compiling.py"]


def test_no_file_is_long():
    """Of compiled loops alone: each is one idea, and what it calls is compiled with it."""
    lines = {
        path.relative_to(SOURCE).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
        if not path.name.endswith("kernels.py")
    }
    assert {place: number for place, number in lines.items() if number > MOST_LINES} == {}
