"""How numba compiles the loops of this package: in no more steps than they need.

Imported with the first compiled loop, since it imports numba.
"""

# numba ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from indistinct.base.compiled.machine_places import PlacedLower, handing_places

# Steps for what no loop has: ``with``, inner functions, functions to be inlined before they are
# typed, errors with a computed message, loops over tuples of mixed types, and operations on whole
# arrays. Each takes time even if it finds nothing. The last one writes a text for debugging.
NEEDLESS_STEPS = {
    "WithLifting",
    "InlineClosureLikes",
    "RewriteSemanticConstants",
    "DeadBranchPrune",
    "RewriteDynamicRaises",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "InlineOverloads",
    "NopythonRewrites",
    "DumpParforDiagnostics",
    "AnnotateTypes",
}
# Operations whose result belongs to whoever holds what they read.
BORROWING = {"getattr", "getitem", "static_getitem", "build_tuple", "cast", "phi"}


class LoopCompiler(CompilerBase):
    """The usual steps of compilation, except for those that find nothing in a loop."""

    def define_pipelines(self) -> list[Any]:
        """List the ways to compile a loop: one."""
        self.state.targetctx = handing_places(self.state.targetctx)
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [
            (self.replaced(step), words)
            for step, words in steps.passes
            if step.__name__ not in NEEDLESS_STEPS
        ]
        steps.finalize()
        return [steps]

    def replaced(self, step: type) -> type:
        """Return what is run in place of a step."""
        return LowerLoop if step is NativeLowering else step


class PartCompiler(LoopCompiler):
    """The steps of compilation for a function that only other compiled functions call."""

    def replaced(self, step: type) -> type:
        """Make no machine code."""
        return LowerPart if step is NativeLowering else step


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerLoop(NativeLowering):
    """Lower a typed function."""

    _name = "lower_loop"

    @property
    def lowering_class(self) -> type[PlacedLower]:
        """What lowers the function."""
        return PlacedLower


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerPart(NativeLowering):
    """Lower a typed function into a :class:`PartLibrary`."""

    _name = "lower_part"

    @property
    def lowering_class(self) -> type[PlacedLower]:
        """What lowers the function."""
        return LowerWithoutWrapper

    def run_pass(self, state: Any) -> bool:
        """Lower the function."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        if not makes_arrays(state):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return super().run_pass(state)


def makes_arrays(state: Any) -> bool:
    """Return whether a typed function makes arrays or hands one back.

    If it does neither, every array in it is one that its caller holds until it returns, or a view
    of such a one. Then nothing is lost if the users of arrays are not counted.
    """

    def is_counted(kind: Any) -> bool:
        return bool(state.targetctx.data_model_manager[kind].contains_nrt_meminfo())

    def is_made(assigned: ir.Assign) -> bool:
        value = assigned.value
        if not isinstance(value, ir.Expr) or value.op in BORROWING:
            return False
        if value.op == "call":
            called = state.typemap[value.func.name]
            if isinstance(called, types.NamedTupleClass):
                return False
        return is_counted(state.typemap[assigned.target.name])

    blocks = state.func_ir.blocks.values()
    return is_counted(state.return_type) or any(
        is_made(assigned) for block in blocks for assigned in block.find_insts(ir.Assign)
    )


class LowerWithoutWrapper(PlacedLower):
    """Makes no function by which Python could call the part.

    The option that says so to numba would be another set of options than that of the callers, and
    numba compiles its own functions, such as ``np.empty``, once for each set.
    """

    def create_cpython_wrapper(self, release_gil: bool = False) -> None:  # noqa: FBT001, FBT002
        """Do nothing."""


class PartLibrary(JITCodeLibrary):
    """The code of a part, linked with the parts it calls; its callers optimize and translate it."""

    def _optimize_functions(self, module: Any) -> None:
        """Leave it to the callers, who optimize the part anyway once they have linked it."""
        codegen: Any = self._codegen
        module.data_layout = codegen._data_layout  # noqa: SLF001 - as in the base class

    def finalize(self) -> None:
        """Link the parts that this one calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)  # noqa: SLF001 - as in the base class
            module = library._get_module_for_linking()  # noqa: SLF001 - as in the base class
            self._final_module.link_in(module, preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - as in the base class
        """Return 0, as there is no machine code."""
        return 0

    @property
    def codegen(self) -> NoEngine:
        """What would be told of the Python objects that machine code uses."""
        return NoEngine()


class NoEngine:
    """Stands where machine code would be told of the Python objects it uses; a part has none."""

    def set_env(self, name: str, env: object) -> None:
        """Do nothing."""
