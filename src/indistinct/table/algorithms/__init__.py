"""Ways to a recoding that satisfies the models, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indistinct.core.protocols import Algorithm

ALGORITHM_NAMES = ("optimal", "ola", "mondrian")


def algorithm_named(name: str, *, effort: str, relaxed: bool) -> Algorithm:
    """Give the algorithm of a name; its compiled code is loaded now and not before.

    Parameters
    ----------
    name : one of ``ALGORITHM_NAMES``
    effort : of local recoding: ``fast``, ``default`` or ``thorough``
    relaxed : of Mondrian: let classes overlap
    """
    if name == "mondrian":
        from indistinct.table.algorithms.mondrian import Mondrian

        return Mondrian(relaxed=relaxed)
    if name == "ola":
        from indistinct.table.algorithms.ola import Ola

        return Ola()
    from indistinct.table.algorithms.optimal import Optimal

    del effort
    return Optimal()
