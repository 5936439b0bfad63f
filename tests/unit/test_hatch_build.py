"""A platform's wheel has the machine code of the loops, and asks for the numba that reads it."""

from importlib.metadata import version
from importlib.util import module_from_spec, spec_from_file_location

import pytest

from indistinct.base.compiled import precompile
from indistinct.base.compiled.precompile import kept_files
from shared import ROOT

KEPT = ROOT / "src/indistinct/base/compiled/__pycache__" / "kernels.group_rows.nbc"


@pytest.fixture
def built(monkeypatch):
    """Return what the hook adds to a wheel of a kind."""
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(precompile, "kept_files", lambda: [KEPT])

    def build_data(kind):
        found = {"force_include": {}, "dependencies": [], "pure_python": True, "infer_tag": False}
        hook = module.MachineCodeHook(str(ROOT), {}, None, None, "", "wheel")
        hook.initialize(kind, found)
        return found

    return build_data


def test_a_wheel_has_the_kept_files_where_numba_looks_for_them(built):
    assert built("standard") == {
        "force_include": {str(KEPT): "indistinct/base/compiled/__pycache__/kernels.group_rows.nbc"},
        "dependencies": [f"numba=={version('numba')}"],
        "pure_python": False,
        "infer_tag": True,
    }


def test_an_installation_for_those_who_change_the_source_has_none(built):
    assert not built("editable")["force_include"]
    assert built("editable")["pure_python"]


def test_the_kept_files_are_those_of_the_noted_loops(monkeypatch):
    """Code of loops that were renamed or changed stays behind."""
    module = "indistinct.tables.metrics.individual_kernels"
    noted = {module: precompile.noted_types()[module]}
    monkeypatch.setattr(precompile, "noted_types", lambda: noted)
    precompile.compile_module(module)
    files = kept_files()
    assert {file.suffix for file in files} == {".nbi", ".nbc"}
    assert all(file.name.startswith("individual_kernels.") and file.exists() for file in files)
