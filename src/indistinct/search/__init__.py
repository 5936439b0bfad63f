"""Ways to a recoding that satisfies the models, by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from indistinct.core.protocols import Algorithm

# Where each algorithm lives, and the words of [method] and [release] that it listens to.
ALGORITHMS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "optimal": ("lattice.optimal", "Optimal", ()),
    "ola": ("lattice.ola", "Ola", ()),
    "mondrian": ("cuts.mondrian", "Mondrian", ("relaxed",)),
    "local": ("local.local", "Local", ("effort",)),
    "lattice-peel": ("local.lattice_peel", "LatticePeel", ()),
    "k-member": ("local.k_member", "KMember", ()),
    "infogain-mondrian": ("cuts.information_gain", "InformationGainMondrian", ()),
    "top-down-specialization": ("adaptive.specialization", "TopDownSpecialization", ()),
    "adaptive": (
        "adaptive.adaptive",
        "Adaptive",
        ("target", "trees", "diversity", "evenness", "grouping", "similarity", "step"),
    ),
    "cell-suppression": (
        "cells.cell_suppression",
        "CellSuppression",
        ("effort", "suppressed_cell"),
    ),
}

# Those that look at every sensitive column, whether a model reads it or not.
READS_SENSITIVE = frozenset({"adaptive", "infogain-mondrian", "top-down-specialization"})


def algorithm_named(name: str, words: Mapping[str, Any]) -> Algorithm:
    """Give the algorithm of a name; its compiled code is loaded now and not before.

    Parameters
    ----------
    name : one of ``ALGORITHMS``
    words : the words of the policy's tables ``[method]`` and ``[release]``
    """
    module, kind, options = ALGORITHMS[name]
    make = getattr(import_module(f"{__name__}.{module}"), kind)
    return cast("Algorithm", make(**{word: words[word] for word in options if word in words}))
