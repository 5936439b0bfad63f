"""How numba compiles loops, and what only they call: no further than needed.

Imported with the first compiled loop, since it imports numba.
"""

# numba ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering


class LoopCompiler(CompilerBase):
    """The usual steps of compilation; what the loop calls becomes a part of it and no more."""

    def define_pipelines(self) -> list[Any]:
        """List the ways to compile a loop: one."""
        return [_steps_with(self.state, LowerLoop)]

    def _compile_core(self) -> Any:
        """Compile the loop, and those of numba's own functions that it is the first to call."""
        with _parts_alone(self.state.targetctx.codegen()):
            return super()._compile_core()


class PartCompiler(CompilerBase):
    """The usual steps of compilation, except for the one that makes code."""

    def define_pipelines(self) -> list[Any]:
        """List the ways to compile a part: one."""
        return [_steps_with(self.state, LowerPart)]


def _steps_with(state: Any, lowering: type[NativeLowering]) -> Any:
    """Give the usual steps of compilation with another one that makes code."""
    steps = DefaultPassBuilder.define_nopython_pipeline(state)
    steps.passes = [
        (lowering if step is NativeLowering else step, words) for step, words in steps.passes
    ]
    steps.finalize()
    return steps


@contextmanager
def _parts_alone(codegen: Any) -> Generator[None]:
    """Meanwhile, let numba make no machine code of its own functions, such as ``np.empty``.

    Python never calls them, and a loop that does has them in its own code. numba holds its lock of
    the compiler meanwhile, so that no other thread compiles.
    """
    if "create_library" in vars(codegen):  # a loop that another one calls
        yield
        return
    kind: type[JITCodeLibrary] = PartLibrary

    def create_library(name: str) -> JITCodeLibrary:
        return kind(codegen, name)

    def unserialize_library(kept: object) -> JITCodeLibrary:
        """Load a loop that an earlier process kept: it has machine code of its own."""
        nonlocal kind
        kind = JITCodeLibrary
        try:
            return type(codegen).unserialize_library(codegen, kept)
        finally:
            kind = PartLibrary

    codegen.create_library = create_library
    codegen.unserialize_library = unserialize_library
    try:
        yield
    finally:
        del codegen.create_library, codegen.unserialize_library


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerLoop(NativeLowering):
    """Lower a typed function into machine code, which can be kept."""

    _name = "lower_loop"

    def run_pass(self, state: Any) -> bool:
        """Lower the function."""
        state.library = JITCodeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerPart(NativeLowering):
    """Lower a typed function into a :class:`PartLibrary`."""

    _name = "lower_part"

    @property
    def lowering_class(self) -> type[Lower]:
        """What lowers the function."""
        return LowerWithoutWrapper

    def run_pass(self, state: Any) -> bool:
        """Lower the function."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().run_pass(state)


class LowerWithoutWrapper(Lower):
    """Makes no function by which Python could call the part.

    The option that says so to numba would be another set of options than that of the callers, and
    numba compiles its own functions, such as ``np.empty``, once for each set.
    """

    def create_cpython_wrapper(self, release_gil: bool = False) -> None:  # noqa: FBT001, FBT002
        """Do nothing."""


class PartLibrary(JITCodeLibrary):
    """The code of a part, linked with the parts it calls; its callers optimize and translate it."""

    def enable_object_caching(self) -> None:
        """Keep nothing: there is no machine code."""

    def finalize(self) -> None:
        """Link the parts that this one calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)  # noqa: SLF001 - as in the base class
            module = library._get_module_for_linking()  # noqa: SLF001 - as in the base class
            self._final_module.link_in(module, preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - as in the base class
        """Say that there is no machine code."""
        return 0

    @property
    def codegen(self) -> NoEngine:
        """What would be told of the Python objects that machine code uses."""
        return NoEngine()


class NoEngine:
    """Stands where machine code would be told of the Python objects it uses; a part has none."""

    def set_env(self, name: str, env: object) -> None:
        """Do nothing."""
