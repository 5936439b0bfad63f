"""Several processes compile loops, each loop in one of them."""

import threading
import time

import numpy as np

from indistinct.core.compiling import compiled
from indistinct.core.turns import SharedCompilation, Turns, sharing

MODULE = "indistinct.core.turns"  # only loops of the package call helpers
NAME = f"{MODULE}.new_loop.<locals>.total"


def test_a_turn_is_taken_once(tmp_path):
    """Whoever comes second does not compile; other types are another turn."""
    one, other = Turns(tmp_path), Turns(tmp_path)
    assert one.take("loop", (int,))
    assert not other.take("loop", (int,))
    assert other.take("loop", (float,))


def test_others_wait_until_a_turn_has_ended(tmp_path):
    """They go on at once where it has, and where nobody is left who could end it."""
    turns = Turns(tmp_path)
    turns.take("loop", ())
    turns.wait("loop", (), lambda: False)
    waiting = threading.Thread(target=turns.wait, args=["loop", (), lambda: True])
    waiting.start()
    time.sleep(0.02)
    assert waiting.is_alive()
    turns.end("loop", ())
    waiting.join(timeout=10)
    assert not waiting.is_alive()


def test_a_turn_may_end_when_nobody_waits_any_longer(tmp_path):
    """The folder of a command that has ended is gone."""
    Turns(tmp_path / "gone").end("loop", ())


def new_loop(folder):
    """Return a loop whose code is kept in an empty folder."""

    def total(numbers: np.ndarray) -> int:
        found = 0
        for number in numbers:
            found += number
        return found

    total.__module__ = MODULE
    loop = compiled(total)
    kept = loop.dispatcher._cache._cache_file
    kept._cache_path = str(folder)
    kept._index_path = str(folder / "kept.nbi")
    return loop


class Helpers:
    """Notes how often helpers are called, and is there as long as it is told."""

    def __init__(self, *, are_there=True):
        self.calls, self.are_there = 0, are_there

    def __call__(self):
        self.calls += 1
        return lambda: self.are_there


def test_helpers_are_called_once_by_the_first_loop_that_is_not_kept(tmp_path):
    """Loops that are kept call nobody."""
    helpers = Helpers()
    with sharing(SharedCompilation(tmp_path, helpers)):
        assert helpers.calls == 0
        assert new_loop(tmp_path)(np.arange(4)) == 6
        assert helpers.calls == 1
        assert new_loop(tmp_path)(np.arange(4.0)) == 6
        assert helpers.calls == 1
    again = Helpers()
    with sharing(SharedCompilation(tmp_path, again)):
        loop = new_loop(tmp_path)
        assert loop(np.arange(5)) == 10
        assert again.calls == 0
        assert sum(loop.dispatcher.stats.cache_hits.values()) == 1


def test_a_loop_that_another_process_compiles_is_waited_for_and_loaded(tmp_path):
    """Its machine code comes from what numba keeps."""
    first, second = new_loop(tmp_path), new_loop(tmp_path)
    types = (first.dispatcher.typeof_pyval(np.arange(3)),)
    shared = SharedCompilation(tmp_path, Helpers())
    shared.begin("another loop", ())
    turns = Turns(tmp_path)
    assert turns.take(NAME, types)
    found = []
    with sharing(shared):
        waiting = threading.Thread(target=lambda: found.append(second(np.arange(3))))
        waiting.start()
        time.sleep(0.05)
        assert not found
    first.dispatcher.compile(types)
    turns.end(NAME, types)
    waiting.join(timeout=60)
    assert found == [3]
    assert sum(second.dispatcher.stats.cache_hits.values()) == 1


def test_a_loop_whose_helper_has_gone_is_compiled_after_all(tmp_path):
    """A helper may be killed before it has ended its turn."""
    loop = new_loop(tmp_path)
    types = (loop.dispatcher.typeof_pyval(np.arange(3)),)
    shared = SharedCompilation(tmp_path, Helpers(are_there=False))
    shared.begin("another loop", ())
    assert Turns(tmp_path).take(NAME, types)
    with sharing(shared):
        assert loop(np.arange(3)) == 3
    assert sum(loop.dispatcher.stats.cache_misses.values()) == 1
