"""Compiled loops: numba is loaded when the first of them is called, not when one is defined.

Whoever reads a policy, or asks which models there are, imports the modules of loops as well. Numba
takes longer to import than all else together, and is not needed for that.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from importlib import import_module
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

# No loop is a callback of C code, so none needs the wrapper for that.
COMPILER = "numba"
EVERY_PROCESSOR = "generic"
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


class Loop:
    """A function that numba compiles when it is first called.

    Parameters
    ----------
    function : what it does, in Python
    is_part : whether only compiled functions call it, so that Python needs no way in
    is_copied : whether each call of it is replaced by its machine code
    """

    def __init__(
        self, function: Callable[..., object], *, is_part: bool, is_copied: bool = False
    ) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.is_part = is_part
        self.is_copied = is_copied

    @cached_property
    def dispatcher(self) -> Any:
        """The function as numba holds it; nothing is compiled yet."""
        return self.part if self.is_part else _with_wide_numbers(_just_in_time(self.py_func))

    @cached_property
    def part(self) -> Any:
        """The function as other compiled functions hold it.

        Most runs call from Python only a few of the functions that can be called from there. The
        others are compiled as parts of their callers, and not once more for themselves.
        """
        part = _with_wide_numbers(_just_in_time_part(self.py_func, is_copied=self.is_copied))

        def forget(*_: object) -> None:
            """Do not offer Python what was compiled."""

        # Else numba would jump to the missing wrapper.
        part._insert = forget  # noqa: SLF001 - numba has no public door
        return part

    def __call__(self, *arguments: object) -> Any:
        """Run the compiled function; compile it first where no earlier process did."""
        if self.is_part:
            raise TypeError(f"only compiled functions can call {self.py_func.__name__}")
        try:
            return self.dispatcher(*arguments)
        except SystemError as error:
            # What a signal raises while the loop runs, numba hands over beside a result.
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise KeyboardInterrupt from None
            raise


def compiled(function: Function) -> Function:
    """Compile a function on its first call and keep the machine code for later processes.

    Callers give every argument in one type and layout: each further one compiles the function, and
    all that it calls, once more. Between compiled functions whole numbers and constants are one
    type. Assignments of a row or a slice, sets, and NumPy's sorts, joins and searches each take up
    to two seconds to compile, plain loops a hundredth of that. Division by zero is not checked, as
    in NumPy. A loop has no ``with``, no inner function and no error with a computed message
    (``base/compiled/machine_parts.py``).
    """
    return cast("Function", Loop(function, is_part=False))


def compiled_part(function: Function) -> Function:
    """Compile a function that only compiled functions call, as a piece of each of its callers.

    See :func:`compiled`. A call from Python raises TypeError. A part may not print, since it has no
    room for Python's objects.
    """
    return cast("Function", Loop(function, is_part=True))


def compiled_copy(function: Function) -> Function:
    """Compile a part whose machine code is copied to each place that calls it.

    For small parts that take many arrays: to hand over an array takes eight stores and the counting
    of its users. See :func:`compiled_part`.
    """
    return cast("Function", Loop(function, is_part=True, is_copied=True))


def is_compiler_loaded() -> bool:
    """Return whether compiled loops can be called without waiting for the compiler to load."""
    return COMPILER in sys.modules


def _just_in_time(function: Callable[..., object]) -> Any:
    """Compile on the first call, where no earlier process, or no wheel, has kept the code."""
    options = OPTIONS | {"pipeline_class": _steps().LoopCompiler}
    dispatcher = compiler().njit(**options)(function)
    # Numba has no public doors for these.
    dispatcher._cache = import_module("indistinct.base.compiled.kept_loops").LoopCache(function)  # noqa: SLF001
    # It reads the metadata of all that is installed, for types that no loop here takes. Numba does
    # the same once more when it has to compile.
    dispatcher._compilation_chain_init_hook = _nothing  # noqa: SLF001
    return dispatcher


def _nothing() -> None:
    """Do nothing."""


def _just_in_time_part(function: Callable[..., object], *, is_copied: bool) -> Any:
    """Compile up to what a caller links in.

    Machine code of a part is made with that of the loops that call it. To make it for the part
    itself as well, and to optimize the part before it is known where it goes, takes a fifth of all
    time spent compiling. For the same reason nothing is kept on disk: what is kept of a caller has
    all of its parts.
    """
    options = OPTIONS | {"pipeline_class": _steps().PartCompiler}
    if is_copied:
        options |= {"forceinline": True}
    return compiler().njit(**options)(function)


def _steps() -> Any:
    """Load the steps of compilation, which import numba."""
    compiler()
    return import_module("indistinct.base.compiled.machine_parts")


def _with_wide_numbers(dispatcher: Any) -> Any:
    """Return a compiled function whose arguments from other loops are whole numbers of 64 bits.

    Else a function is compiled once more for each width and for each constant, although numba
    computes in 64 bits anyway. Calls from Python are as they were.
    """
    types = import_module("numba.core.types")
    template_for = dispatcher.get_call_template

    def wide(kind: Any) -> Any:
        is_whole = isinstance(kind, types.IntegerLiteral | types.Integer)
        if is_whole and types.unliteral(kind).signed:
            return types.int64
        return kind

    def with_wide(arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return template_for(
            tuple(map(wide, arguments)), {name: wide(kind) for name, kind in named.items()}
        )

    dispatcher.get_call_template = with_wide
    return dispatcher


@cache
def compiler() -> Any:
    """Load numba, and tell it what it finds where one loop names another.

    It compiles for every processor of the platform, so that machine code can come with the package.
    """
    if not is_compiler_loaded():
        os.environ.setdefault("NUMBA_CPU_NAME", EVERY_PROCESSOR)
    numba = import_module(COMPILER)
    _watch(import_module("numba.core.event"))
    typeof_impl = import_module("numba.extending").typeof_impl

    def type_of_loop(loop: Loop, context: object) -> Any:
        return typeof_impl(loop.part, context)

    typeof_impl.register(Loop)(type_of_loop)
    return numba


@cache
def _without_linear_algebra() -> None:
    """Load numba's arithmetic of arrays without SciPy's linear algebra, for a third of a second.

    No loop here multiplies matrices. For those of others numba loads it when they do.
    """
    linalg: Any = import_module("numba.np.linalg")
    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure_blas


def _watch(event: Any) -> None:
    """Hear of every function that is compiled, and let Python collect no garbage meanwhile.

    Python's search for cycles would look at all that numba has made again and again, for a tenth of
    the time, and find little.
    """

    class Watch(event.Listener):
        depth = 0
        was_on = False

        def on_start(self, event: Any) -> None:  # noqa: ARG002 - numba hands it over
            """Prepare where the outermost function begins; one that was kept does not come here."""
            if self.depth == 0:
                _without_linear_algebra()
                self.was_on = gc.isenabled()
                gc.disable()
            self.depth += 1

        def on_end(self, event: Any) -> None:  # noqa: ARG002 - numba hands it over
            """Let Python collect garbage again when the outermost function is done."""
            self.depth -= 1
            if self.depth == 0 and self.was_on:
                gc.enable()

    event.register("numba:compile", Watch())
