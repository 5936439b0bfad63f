"""Loops are compiled on their first call, and numba is loaded no earlier."""

import pickle
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from numba import config, types
from numba.core.runtime import rtsys

from indistinct.base.compiled.compiling import Loop, compiled, compiled_copy, compiled_part
from indistinct.base.compiled.kernels import sort_keys
from shared import environment


@compiled_part
def doubled(number: int) -> int:
    """Give twice a number."""
    return 2 * number


@compiled
def total(numbers: np.ndarray) -> int:
    """Sum twice each number; one loop names another."""
    found = 0
    for number in numbers:
        found += doubled(number)
    return found


def test_a_loop_calls_another_loop():
    """A compiled loop finds the loop that it names, and gives what Python gives."""
    assert total(np.arange(5)) == 20
    assert total.__name__ == "total"
    assert total.__doc__ == "Sum twice each number; one loop names another."


def test_a_loop_is_really_compiled():
    """The first call compiles; the next one of the same types does not."""
    total(np.arange(3))
    total(np.arange(4))
    assert len(total.dispatcher.signatures) == 1


def test_parts_are_for_loops_alone():
    """A part cannot be called from Python, and says so."""
    with pytest.raises(TypeError, match="only compiled functions can call sort_keys"):
        sort_keys(np.arange(3, dtype=np.int32), 3)


@compiled
def halved(numbers: np.ndarray) -> float:
    """Give half the sum of some numbers."""
    found = 0.0
    for number in numbers:
        found += number / 2
    return found


@pytest.mark.parametrize(
    "index", [b"cindistinct.core.kernels\nGone\n.", b"cindistinct.gone\nGone\n.", b"", b"?"]
)
def test_what_another_version_kept_is_compiled_again(tmp_path, index):
    """An index may name types that this version calls otherwise, or have no end."""
    loop = compiled(halved.py_func)
    kept = loop.dispatcher._cache._cache_file
    kept._cache_path = str(tmp_path)
    kept._index_path = str(tmp_path / "kept.nbi")
    (tmp_path / "kept.nbi").write_bytes(pickle.dumps(kept._version) + index)
    assert loop(np.arange(5.0)) == 5
    again = compiled(halved.py_func)
    again.dispatcher._cache._cache_file = kept
    assert again(np.arange(5.0)) == 5
    assert sum(again.dispatcher.stats.cache_hits.values()) == 1


@compiled_part
def plus_one(number: int) -> int:
    """Return the next number."""
    return number + 1


@compiled
def next_of_each(narrow: np.ndarray) -> int:
    """Call a part with a constant, with a number of 32 bits and with one of 64."""
    found = plus_one(0)
    for place in range(len(narrow)):
        found += plus_one(narrow[place]) + plus_one(place)
    return found


def test_whole_numbers_of_all_widths_are_one_type_between_loops():
    """A part is compiled once for constants, 32 bits and 64 bits."""
    assert next_of_each(np.array([-5, 7], np.int32)) == 1 + (-4 + 1) + (8 + 2)
    for kind in (types.int32, types.int64, types.literal(3)):
        plus_one.dispatcher.get_call_template((kind,), {})
    assert len(plus_one.dispatcher.overloads) == 1


@compiled
def first_of(numbers: np.ndarray) -> int:
    """Return the first number; Python and loops can call it."""
    return numbers[0]


@compiled_part
def up_to(count: int) -> np.ndarray:
    """Make an array of the numbers below a bound."""
    numbers = np.empty(count, np.int64)
    for place in range(count):
        numbers[place] = place
    return numbers


@compiled_part
def tail_of(numbers: np.ndarray) -> np.ndarray:
    """Give back a view of an array."""
    return numbers[1:]


@compiled_part
def sum_of_tail(numbers: np.ndarray) -> int:
    """Sum an array that another part made: this one must let go of it."""
    found = 0
    for number in tail_of(up_to(len(numbers))):
        found += number
    return found


@compiled
def all_kinds(numbers: np.ndarray) -> int:
    """Call parts that make arrays, hand one back, hold one for a while, and only read one."""
    return first_of(numbers) + first_of(tail_of(numbers)) + sum_of_tail(numbers)


def test_a_loop_that_loops_call_is_compiled_for_python_only_if_python_calls_it():
    """Its callers take it as a part; no machine code is made for itself."""
    assert all_kinds(np.array([5, 7, 0, 0])) == 5 + 7 + (1 + 2 + 3)
    assert not first_of.dispatcher.overloads
    assert first_of(np.array([5, 7])) == 5
    assert len(first_of.dispatcher.overloads) == 1


@pytest.fixture
def allocations():
    """Return what tells how many arrays were made and freed."""
    memory = import_module("numba.core.runtime._nrt_python")
    memory.memsys_enable_stats()
    yield rtsys.get_allocation_stats
    memory.memsys_disable_stats()


def test_a_part_that_makes_no_array_counts_no_users_and_others_lose_none(allocations):
    """What is made is freed once; what is only read costs no counting."""
    numbers = np.array([5, 7, 0, 0])
    all_kinds(numbers)  # compiles
    held = sys.getrefcount(numbers)
    before = allocations()
    for _ in range(100):
        all_kinds(numbers)
    after = allocations()
    assert sys.getrefcount(numbers) == held
    assert after.alloc - before.alloc == after.free - before.free >= 100

    def counts_users(loop, kind) -> bool:
        loop.part.get_call_template((kind,), {})
        (part,) = loop.part.overloads.values()
        return bool(part.target_context.enable_nrt)

    assert not counts_users(first_of, types.int64[::1])
    assert counts_users(up_to, types.int64)
    assert counts_users(tail_of, types.int64[::1])
    assert counts_users(sum_of_tail, types.int64[::1])


@compiled_copy
def tripled(number: int) -> int:
    """Give three times a number, in the code of the caller."""
    return 3 * number


@compiled
def total_of_thrice(numbers: np.ndarray) -> int:
    """Sum three times each number."""
    found = 0
    for number in numbers:
        found += tripled(number)
    return found


def test_a_copy_is_no_function_of_its_own_in_the_code_of_its_caller(monkeypatch, tmp_path):
    """The caller has the machine code of the copy, and defines no function of that name."""
    # Code that an earlier run kept cannot be read.
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert total_of_thrice(np.arange(5)) == 30
    (code,) = total_of_thrice.dispatcher.inspect_llvm().values()
    calls = [line for line in code.splitlines() if "call" in line and "tripled" in line]
    assert not calls
    assert tripled.dispatcher.targetoptions["forceinline"]
    assert "forceinline" not in doubled.dispatcher.targetoptions
    with pytest.raises(TypeError, match="only compiled functions can call tripled"):
        tripled(1)


LOOPS = """
import numpy as np
from indistinct.base.compiled.compiling import compiled

@compiled
def inner(count):
    return np.zeros(count, np.int32)

@compiled
def outer(count):
    return inner(count) + np.ones(count, np.int32)
"""


def test_a_loop_is_compiled_that_calls_one_which_an_earlier_process_kept(tmp_path):
    """The kept loop has machine code of its own, and its caller has another copy."""
    (tmp_path / "loops.py").write_text(LOOPS)
    for name in ("inner", "outer", "inner"):
        done = subprocess.run(
            [sys.executable, "-c", f"import loops; print(loops.{name}(2).tolist())"],
            cwd=tmp_path,
            env={**environment(), "PYTHONSAFEPATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        assert done.stdout == ("[0, 0]\n" if name == "inner" else "[1, 1]\n")
    assert len(list(tmp_path.rglob("*.nbi"))) == 2


def test_an_interruption_while_a_loop_runs_is_an_interruption():
    """Numba hands it over as an error of its own; the command would call that its own fault."""

    def interrupted(*_):
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    def failed(*_):
        raise SystemError("another one")

    loop = Loop(len, is_part=False)
    loop.__dict__["dispatcher"] = interrupted
    with pytest.raises(KeyboardInterrupt):
        loop()
    loop.__dict__["dispatcher"] = failed
    with pytest.raises(SystemError, match="another one"):
        loop()
