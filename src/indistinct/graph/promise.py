"""What a model of graphs promises: a least size of the classes of some fingerprints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from indistinct.base.parameters import check, parameter


@final
@dataclass(frozen=True, slots=True)
class LeastSize:
    """Every class of vertices that look alike has at least ``k`` vertices.

    Source: sweeney2002, definition 3, on the classes of vertices.
    """

    k: int = parameter(int, at_least=2, help="least records per equivalence class")

    def __post_init__(self) -> None:
        """Check the size once."""
        check(self)

    def achieved(self, size: int | None) -> dict[str, Any]:
        """Return the size of the smallest class as a manifest has it; None where it is unknown."""
        return {"k": size}

    def holds(self, size: int) -> bool:
        """Return whether a smallest class of this size keeps the promise."""
        return size >= self.k
