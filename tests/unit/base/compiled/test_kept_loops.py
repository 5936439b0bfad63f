"""Machine code is kept for as long as a loop and all that it calls are the same."""

import sys
from importlib.util import module_from_spec, spec_from_file_location

import numpy as np
import pytest
from numba.core import caching, config

import indistinct.base.compiled.machine_parts  # noqa: F401 - the first loop that is called loads it
from indistinct.base.compiled.compiling import compiled
from indistinct.base.compiled.kept_loops import source_hash

PART = "def one():\n    return 1\n"
LOOP = "from indistinct.made_up_part import one\n\ndef total():\n    return one()\n"


@pytest.fixture
def hashed(tmp_path, monkeypatch):
    """Return the hash of a function whose module imports a part, by the texts of both."""

    def module(name, text):
        file = tmp_path / f"{name}{len(list(tmp_path.iterdir()))}.py"
        file.write_text(text)
        spec = spec_from_file_location(f"indistinct.{name}", file)
        made = module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, made)
        spec.loader.exec_module(made)
        return made

    def hash_of(part, loop):
        module("made_up_part", part)
        return source_hash(module("made_up", loop).total)

    return hash_of


def test_a_loop_is_another_one_when_a_part_has_changed(hashed):
    """Numba itself looks at the file of the loop alone, and would keep the old part in it."""
    first = hashed(PART, LOOP)
    assert hashed(PART, LOOP) == first
    assert hashed(PART.replace("1", "2"), LOOP) != first
    assert hashed(PART, LOOP + "# ") != first


@compiled
def summed(numbers: np.ndarray) -> int:
    """Sum some numbers."""
    found = 0
    for number in numbers:
        found += number
    return found


def test_what_came_with_the_package_is_loaded_by_who_cannot_write_there(monkeypatch, tmp_path):
    """Nothing is compiled, and nothing is written to the user's own folder."""
    monkeypatch.setattr(config, "CACHE_DIR", "")
    summed(np.arange(3))  # keeps the machine code beside this file

    def refused(function, file):
        del function, file

    monkeypatch.setattr(caching.InTreeCacheLocator, "from_function", refused)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    other = compiled(summed.py_func)
    assert other(np.arange(4)) == 6
    assert sum(other.dispatcher.stats.cache_hits.values()) == 1
    assert str(tmp_path) in other.dispatcher.stats.cache_path
    assert not list(tmp_path.rglob("*.nb[ic]"))


def test_a_folder_of_the_user_s_own_is_taken_alone(monkeypatch, tmp_path):
    """NUMBA_CACHE_DIR says where code is, and no other code is loaded."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    other = compiled(summed.py_func)
    assert other(np.arange(4)) == 6
    assert not other.dispatcher.stats.cache_hits
    assert list(tmp_path.rglob("*.nbc"))
