"""Publish or query personal data without giving anyone away.

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indistinct.errors import (
        DataError,
        EmptyDataError,
        HierarchyError,
        IndistinctError,
        NoSolutionError,
        OutputError,
        ParameterError,
        PolicyError,
        SchemaError,
        UsageError,
        VerificationError,
    )
    from indistinct.models import (
        AlphaKAnonymity,
        AverageRisk,
        BetaLikeness,
        DeltaDisclosure,
        DeltaPresence,
        DistinctLDiversity,
        EntropyLDiversity,
        KAnonymity,
        KMap,
        NTCloseness,
        PopulationUniqueness,
        ProbabilisticLDiversity,
        RecursiveCLDiversity,
        SampleUniqueness,
        TCloseness,
    )
    from indistinct.table.anonymize import anonymize
    from indistinct.table.assess import assess
    from indistinct.table.inspect import inspect
    from indistinct.table.policy import Policy, dates, from_csv, intervals, mask, tree
    from indistinct.table.release import Release
    from indistinct.table.sample import sample
    from indistinct.table.verify import Verification, verify

__version__ = "0.1.0"

__all__ = [
    "AlphaKAnonymity",
    "AverageRisk",
    "BetaLikeness",
    "DataError",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EmptyDataError",
    "EntropyLDiversity",
    "HierarchyError",
    "IndistinctError",
    "KAnonymity",
    "KMap",
    "NTCloseness",
    "NoSolutionError",
    "OutputError",
    "ParameterError",
    "Policy",
    "PolicyError",
    "PopulationUniqueness",
    "ProbabilisticLDiversity",
    "RecursiveCLDiversity",
    "Release",
    "SampleUniqueness",
    "SchemaError",
    "TCloseness",
    "UsageError",
    "Verification",
    "VerificationError",
    "anonymize",
    "assess",
    "dates",
    "from_csv",
    "inspect",
    "intervals",
    "mask",
    "sample",
    "tree",
    "verify",
]

_HOMES = {
    "indistinct.errors": [name for name in __all__ if name.endswith("Error")],
    "indistinct.table.anonymize": ["anonymize"],
    "indistinct.table.assess": ["assess"],
    "indistinct.table.inspect": ["inspect"],
    "indistinct.table.policy": ["Policy", "dates", "from_csv", "intervals", "mask", "tree"],
    "indistinct.table.release": ["Release"],
    "indistinct.table.sample": ["sample"],
    "indistinct.table.verify": ["Verification", "verify"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = ("database", "graph")


def __getattr__(name: str) -> Any:
    """Load a public name from its home; names of models come from their room."""
    if name in _ROOMS:
        return import_module(f"indistinct.{name}")
    if name not in __all__:
        raise AttributeError(f"indistinct has no name {name}")
    return getattr(import_module(_HOME_OF.get(name, "indistinct.models")), name)


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, *_ROOMS]
