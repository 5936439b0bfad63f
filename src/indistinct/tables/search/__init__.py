"""Ways to a recoding that satisfies the models: one definition each.

An entry is light: its compiled code is loaded when it searches, so that a policy can be read
without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from indistinct.base.face import face
from indistinct.base.parameters import declared
from indistinct.tables.search.adaptive.adaptive import Adaptive
from indistinct.tables.search.adaptive.specialization import TopDownSpecialization
from indistinct.tables.search.algorithm import Algorithm
from indistinct.tables.search.cells.cell_suppression import CellSuppression
from indistinct.tables.search.cuts.information_gain import InformationGainMondrian
from indistinct.tables.search.cuts.mondrian import Mondrian
from indistinct.tables.search.invariant.invariant import Invariant
from indistinct.tables.search.lattice.optimal_search import Ola, Optimal
from indistinct.tables.search.local.k_member import KMember
from indistinct.tables.search.local.lattice_peel import LatticePeel
from indistinct.tables.search.local.local import Local

ALGORITHMS: tuple[type[Algorithm], ...] = (
    Optimal,
    Ola,
    Mondrian,
    Local,
    LatticePeel,
    KMember,
    InformationGainMondrian,
    TopDownSpecialization,
    Adaptive,
    CellSuppression,
    Invariant,
)

# Where a policy names none; the second where classes must not overlap, or the first finds nothing.
DEFAULT_ALGORITHM, EXACT_ALGORITHM = Local, Optimal

ALGORITHMS_BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}


def algorithm_named(name: str, words: Mapping[str, Any]) -> Algorithm:
    """Return the algorithm of a name, with the parameters that a policy sets.

    Parameters
    ----------
    name : one of ``ALGORITHMS_BY_NAME``
    words : the words of the policy's tables ``[method]`` and ``[release]``
    """
    kind = ALGORITHMS_BY_NAME[name]
    given = {
        word: words[word]
        for word, bounds in declared(kind).items()
        if bounds.in_policy and word in words
    }
    return kind(**given)


__all__ = [
    "ALGORITHMS",
    "ALGORITHMS_BY_NAME",
    "DEFAULT_ALGORITHM",
    "EXACT_ALGORITHM",
    "Algorithm",
    "algorithm_named",
]

FACE = {
    "TARGETS": "adaptive.settings",
    "Vulnerability": "adaptive.vulnerability",
}

if TYPE_CHECKING:
    from indistinct.tables.search.adaptive.settings import TARGETS as TARGETS
    from indistinct.tables.search.adaptive.vulnerability import Vulnerability as Vulnerability
else:
    __getattr__ = face(__name__, FACE)
