"""All loops are compiled before somebody waits for one, for the types that calls give them."""

import subprocess
import sys

import numpy as np
import pytest

from indistinct.base.compiled import precompile
from indistinct.base.compiled.compiling import compiler
from indistinct.base.compiled.loop_types import text_of, type_of
from indistinct.base.compiled.precompile import all_loops, loops_of, noted_types
from shared import environment

NUMBA = compiler().types


def test_every_loop_is_noted_with_types_that_it_takes():
    """If this fails, run the tests, then ``indistinct.base.compiled.precompile --note``."""
    noted = {(module, name) for module, loops in noted_types().items() for name in loops}
    assert noted == {(loop.__module__, loop.__name__) for loop in all_loops()}
    for module in noted_types():
        for loop, types in loops_of(module):
            assert len(types) == loop.py_func.__code__.co_argcount


def test_noted_types_are_written_as_they_were_read():
    texts = [
        text
        for loops in noted_types().values()
        for calls in loops.values()
        for call in calls
        for text in call
    ]
    assert [text_of(type_of(text)) for text in texts] == texts
    assert any(isinstance(text, dict) for text in texts)


@pytest.mark.parametrize(
    "value",
    [
        3,
        0.5,
        True,
        np.zeros((2, 3), np.int32),
        np.zeros((2, 3))[:, :2],
        np.ones(1, bool),
        np.frombuffer(b"1", np.uint8),
    ],
)
def test_the_type_of_an_argument_has_a_text(value):
    kind = compiler().typeof(value)
    assert type_of(text_of(kind)) == kind


def test_a_type_without_a_text_is_refused():
    with pytest.raises(TypeError, match="no text for a UnicodeType"):
        text_of(NUMBA.unicode_type)


def test_what_has_changed_is_left_to_the_first_call(monkeypatch):
    """Who renames a loop, or gives it another argument, can still run the tests and note it."""
    noted = {
        "indistinct.gone_kernels": {"gone": [["int64"]]},
        "indistinct.tables.metrics.individual_kernels": {
            "mean_inverse": [["int64"]],
            "gone": [["int64"]],
        },
    }
    monkeypatch.setattr(precompile, "noted_types", lambda: noted)
    assert not list(loops_of("indistinct.gone_kernels"))
    assert [loop.py_func.__name__ for loop, _ in loops_of(list(noted)[1])] == ["mean_inverse"]
    for module in noted:
        precompile.compile_module(module)


def test_two_processes_compile_what_is_not_kept_and_the_next_run_nothing(tmp_path):
    """The files stay as they are."""
    command = [
        sys.executable,
        "-m",
        "indistinct.base.compiled.precompile",
        "tables.evaluation.utility",
        "tables.masks.noise",
    ]
    kept = []
    for _ in range(2):
        subprocess.run(
            command,
            env={**environment(), "NUMBA_CACHE_DIR": str(tmp_path)},
            check=True,
            timeout=300,
        )
        kept.append({file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb[ic]")})
    assert kept[0] == kept[1]
    modules = ("indistinct.tables.evaluation.utility.", "indistinct.tables.masks.noise.")
    noted = [call for name in noted_types() if name.startswith(modules) for call in loops_of(name)]
    assert len([file for file in kept[0] if file.suffix == ".nbc"]) == len(noted)
