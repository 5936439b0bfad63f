"""How loops hand named tuples of arrays to each other: by the place where they are.

Numba hands over each number of each array of a tuple by itself. A tuple of forty arrays is then
taken apart into three hundred values by every call, and put together again by every function that
is called. More than half of all code that came out of the loops did nothing else, and compiling it
took as long.

A tuple cannot be changed, and whoever calls waits until the call returns. Therefore a place that
was handed over can be handed on as it is, and so can the place of a tuple inside of it. A tuple
that a function makes itself is copied to a new place for each of its calls.

Imported with the first compiled loop, since it imports numba.
"""

# numba ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

from llvmlite import ir as code
from numba.core import cgutils, ir, types
from numba.core.datamodel.packer import ArgPacker
from numba.core.lowering import Lower

# Nobody changes what is there while the function runs, and the function keeps no pointer to it.
UNCHANGED = ("noalias", "captures(none)", "nocapture")  # the last two are one, by version
BEFORE_ARGUMENTS = 2  # places that every function gets: of its result, and of an error


def handing_places(context: Any) -> Any:
    """Return a target like the one given that hands over the places of named tuples."""

    def packer(kinds: Any) -> ArgPacker:
        return ArgPacker(ArgumentModels(context.data_model_manager), kinds)

    return context.subtarget(get_arg_packer=packer)


class ArgumentModels:
    """Tells for each type how arguments of it are handed over."""

    def __init__(self, models: Any) -> None:
        self.models = models

    def lookup(self, kind: Any) -> Any:
        """Return the model of a type."""
        model = self.models.lookup(kind)
        return PlacedTuple(model) if isinstance(kind, types.BaseNamedTuple) else model


class PlacedTuple:
    """Hands over the place of a tuple."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def get_argument_type(self) -> Any:
        """Return the type of the place."""
        return self.model.get_value_type().as_pointer()

    def as_argument(self, builder: Any, value: Any) -> Any:
        """Return the place of a value; a new one where nobody handed it over."""
        place = place_of(builder, value)
        if place is None:
            place = cgutils.alloca_once(builder, value.type)
            builder.store(value, place)
        return place

    def from_argument(self, builder: Any, place: Any) -> Any:
        """Return the value at a place."""
        return builder.load(place)


def place_of(builder: Any, value: Any) -> Any:
    """Return the place that a value was read from, if whoever called handed it over; else None."""
    if isinstance(value, code.instructions.LoadInstr):
        place = value.operands[0]
        is_given = isinstance(place, code.Argument) or hasattr(place, "is_given")
        return place if is_given else None
    if isinstance(value, code.instructions.ExtractValue):
        whole = place_of(builder, value.operands[0])
        if whole is not None:
            numbers = [cgutils.int32_t(number) for number in (0, *value.indices)]
            place = builder.gep(whole, numbers, inbounds=True)
            place.is_given = True
            return place
    return None


class PlacedLower(Lower):
    """Makes code in which a variable of a tuple is another name of the place it was read from."""

    @cached_property
    def assigned(self) -> Counter[str]:
        """How many statements assign each variable."""
        blocks = self.func_ir.blocks.values()
        return Counter(
            assignment.target.name for block in blocks for assignment in block.find_insts(ir.Assign)
        )

    @cached_property
    def renamed(self) -> set[str]:
        """Variables that are other names of places."""
        return set()

    def setup_function(self, fndesc: Any) -> None:
        """Declare the function, and what it does not do to the places that it is given."""
        super().setup_function(fndesc)
        for argument in self.function.args[BEFORE_ARGUMENTS:]:
            if isinstance(getattr(argument.type, "pointee", None), code.LiteralStructType):
                for word in UNCHANGED:
                    if word in argument.attributes._known:  # noqa: SLF001 - no public door
                        argument.add_attribute(word)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Store a value in a variable, or let the variable be a name of the place it is from."""
        # Numba holds variables of one block in registers, and has no public door to that.
        is_tuple = isinstance(self.typeof(name), types.BaseNamedTuple)
        if is_tuple and self.assigned[name] == 1 and name not in self._singly_assigned_vars:
            place = place_of(self.builder, value)
            if place is not None and name not in self.varmap:
                self.varmap[name] = place
                self.renamed.add(name)
                # Whoever called holds the arrays: this function need not count as their user.
                self.decref(self.typeof(name), value)
                return
        super().storevar(value, name, argidx)

    def delvar(self, name: str) -> None:
        """Forget a variable, unless it is only a name."""
        if name not in self.renamed:
            super().delvar(name)
