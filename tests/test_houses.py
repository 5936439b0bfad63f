"""The houses of the source: what a face shows, how wide a room is, and who knows which library."""

import ast
import inspect
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import indistinct
from indistinct.tables.masks import MASKS

SOURCE = Path(indistinct.__file__).parent
HOUSES = {"aggregates", "base", "frontends", "graph", "questions", "related", "tables"}
MOST_NAMES = 25

# Modules of each room of tables that other rooms import. A number may only be lowered.
WIDTHS = {
    "core": 17,
    "counting": 8,
    "drafting": 10,
    "engines": 16,
    "evaluation": 0,
    "findings": 6,
    "frames": 12,
    "history": 3,
    "masks": 14,
    "metrics": 11,
    "models": 4,
    "policy": 20,
    "publish": 0,
    "reading": 18,
    "release": 13,
    "search": 13,
    "verification": 7,
}

MAY_KNOW_POLARS = (
    *("tables/engines/", "tables/frames/", "tables/reading/", "tables/verification/"),
    "related/verify/",
)

# The thin edge: what users call gives them frames of Polars, and says so by its type.
EDGE = {
    "base/files/literal_paths.py",  # paths as the library takes them
    "graph/release.py",  # the released edges and groups
    "related/output.py",  # related tables, in and out
    "related/read_tables.py",
    "tables/publish/fictitious_patients.py",  # made-up tables
    "tables/publish/sample_hospital.py",
    "tables/publish/sweep_result.py",  # a row for each release that was tried
}

# Rooms and files that hand frames on and do nothing with their cells, and what they would do that
# with.
HAND_ON = (
    *("tables/counting/", "tables/release/", "tables/publish/", "tables/evaluation/assessments/"),
    *("tables/evaluation/attacks/", "tables/evaluation/utility/", "tables/masks/numbers.py"),
    *("tables/masks/protection.py", "tables/masks/noise/grid.py", "related/publish/"),
)
WORK_ON_CELLS = {
    *("alias", "cast", "drop_nulls", "explode", "fill_nan", "fill_null", "filter", "gather"),
    *("get_columns", "group_by", "is_in", "is_nan", "is_not_null", "is_null", "iter_columns"),
    *("iter_rows", "n_unique", "null_count", "rank", "rename", "scatter", "select"),
    *("to_physical", "to_series", "with_columns", "with_row_index", "zip_with"),
}


@cache
def tree_of(path):
    """Parse a file of the source."""
    return ast.parse(path.read_text(encoding="utf-8"))


def dotted(path):
    """Name the module of a file."""
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {dotted(path) for path in SOURCE.rglob("*.py")}


def imports_of(path):
    """Yield the module and the name of every import of the package; a module alone has no name."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("indistinct"):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield (whole, "") if whole in MODULES else (node.module, alias.name)
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("indistinct"):
                    yield alias.name, ""


def face_of(module):
    """Name the face by which other houses take what a module has; the empty text for none."""
    parts = module.split(".")
    if len(parts) > 2 and parts[1] in {"tables", "questions"}:
        return ".".join(parts[:3])
    has_face = len(parts) > 1 and parts[1] in {"aggregates", "graph", "related"}
    return ".".join(parts[:2]) if has_face else ""


def house_of(module):
    """Name the house of a module; that of a file beside the houses is its own name."""
    return [*module.split("."), ""][1]


FACES = sorted({face_of(module) for module in MODULES} - {""})


def names_for_type_checkers(module):
    """Return what a face tells type checkers: each name, with the module that it comes from."""
    found = {}
    for node in tree_of(Path(module.__file__)).body:
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            for one in node.body:
                found |= {alias.name: one.module for alias in one.names}
    return found


def test_the_source_has_seven_houses():
    assert {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()} == HOUSES


@pytest.mark.parametrize("face", FACES)
def test_a_face_has_few_names_and_each_is_what_defines_it(face):
    module = import_module(face)
    homes = getattr(module, "FACE", {})
    assert len(homes) <= MOST_NAMES
    assert names_for_type_checkers(module) == {
        name: f"{face}.{home}" for name, home in homes.items()
    }
    for name, home in homes.items():
        defined = vars(import_module(f"{face}.{home}"))[name]
        # A file of that name would take the place of what it defines as soon as it is loaded.
        assert getattr(module, name) is defined
        assert not isinstance(defined, ModuleType)


def test_whoever_misspells_a_name_is_told():
    for face in FACES:
        with pytest.raises(AttributeError):
            import_module(face).no_such_name  # noqa: B018 - the look is the test


def test_other_houses_take_what_a_house_has_by_its_face():
    """By syntax: imports for types alone are counted, too, and texts that name a module."""
    past = [
        (dotted(path), module)
        for path in SOURCE.rglob("*.py")
        for module, _ in imports_of(path)
        if face_of(module) not in {"", module} and house_of(module) != house_of(dotted(path))
    ]
    named = [
        (dotted(path), node.value)
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant)
        and node.value in MODULES
        and face_of(node.value) not in {"", node.value}
        and house_of(node.value) != house_of(dotted(path))
    ]
    assert past + named == []


def test_sibling_houses_import_nothing_of_one_another():
    siblings = {"tables", "graph", "questions"}
    found = [
        (dotted(path), module)
        for path in SOURCE.rglob("*.py")
        for module, _ in imports_of(path)
        if {house_of(dotted(path)), house_of(module)} <= siblings
        and house_of(dotted(path)) != house_of(module)
    ]
    assert found == []


def test_rooms_of_tables_are_no_wider_than_they_were():
    taken = {room: set() for room in WIDTHS}
    for path in (SOURCE / "tables").rglob("*.py"):
        own = face_of(dotted(path))
        for module, _ in imports_of(path):
            face = face_of(module)
            if face.startswith("indistinct.tables.") and face not in {own, module}:
                taken[face.rpartition(".")[2]].add(module)
    assert {room: len(modules) for room, modules in taken.items()} == WIDTHS


def test_related_tables_stand_in_one_house():
    """What people use of them has their name; all else of them is in ``related``."""
    outside = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*related*")
        if "__pycache__" not in path.parts
    }
    assert {place for place in outside if not place.startswith(("frontends/", "related"))} == set()


def test_loading_the_questions_loads_no_compiler():
    code = "import sys, indistinct.database, indistinct.questions.synthesis as s; "
    code += "[getattr(s, name) for name in s.FACE]; print('numba' in sys.modules)"
    assert answer_of(code) == "False"


def answer_of(code):
    """Return what a new process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


@cache
def libraries_of(path):
    """Name what a file imports anywhere, for checks of types included."""
    named = set()
    for node in ast.walk(tree_of(path)):
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
    of_masks = {
        Path(inspect.getfile(mask)).relative_to(SOURCE).as_posix() for mask in MASKS.values()
    }
    assert found - of_masks == EDGE


def test_rooms_that_hand_frames_on_do_nothing_with_their_cells():
    """To name the type of a frame is no way around the rule: engines do the work."""
    found = {
        (path.relative_to(SOURCE).as_posix(), node.attr)
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).as_posix().startswith(HAND_ON)
        and path.relative_to(SOURCE).as_posix() not in EDGE
        for node in ast.walk(tree_of(path))
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
