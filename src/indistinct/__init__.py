"""Publish or query personal data without giving anyone away.

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

from indistinct.core.brief import register

TYPE_CHECKING = False  # type checkers know the name; typing takes longer to load than all of this

if TYPE_CHECKING:
    from typing import Any

    from indistinct import database as database
    from indistinct import graph as graph
    from indistinct import models as models
    from indistinct.comparison.compare import compare
    from indistinct.comparison.result import Comparison
    from indistinct.errors import (
        DataError,
        EmptyDataError,
        HierarchyError,
        IndistinctError,
        MissingExtraError,
        NoSolutionError,
        OutputError,
        ParameterError,
        PolicyError,
        SchemaError,
        UsageError,
        VerificationError,
    )
    from indistinct.models import *  # noqa: F403 - a new model needs no line here
    from indistinct.policy.policy import Policy
    from indistinct.policy.related import RelatedPolicy
    from indistinct.policy.sections.hierarchy import dates, from_csv, intervals, mask, tree
    from indistinct.publish.anonymize import anonymize
    from indistinct.publish.estimates import estimates
    from indistinct.publish.inspect import inspect
    from indistinct.publish.inspection import Inspection
    from indistinct.publish.preview import Preview, preview
    from indistinct.publish.related.inspect import RelatedInspection
    from indistinct.publish.related.release import RelatedRelease
    from indistinct.publish.release import LargeRelease, Release
    from indistinct.publish.sample import sample
    from indistinct.publish.sweep import sweep
    from indistinct.publish.sweep_result import Sweep
    from indistinct.publish.synthetic import Synthesis, synthesize
    from indistinct.reader.assess.assess import assess
    from indistinct.reader.assess.assessment import Assessment
    from indistinct.reader.assess.related import RelatedAssessment
    from indistinct.reader.attacks.attack import AttackReport, attack
    from indistinct.reader.verify.verify import Verification, verify

__version__ = "0.3.0.dev0"

__all__ = [
    "Assessment",
    "AttackReport",
    "Comparison",
    "DataError",
    "EmptyDataError",
    "HierarchyError",
    "IndistinctError",
    "Inspection",
    "LargeRelease",
    "MissingExtraError",
    "NoSolutionError",
    "OutputError",
    "ParameterError",
    "Policy",
    "PolicyError",
    "Preview",
    "RelatedAssessment",
    "RelatedInspection",
    "RelatedPolicy",
    "RelatedRelease",
    "Release",
    "SchemaError",
    "Sweep",
    "Synthesis",
    "UsageError",
    "Verification",
    "VerificationError",
    "anonymize",
    "assess",
    "attack",
    "compare",
    "dates",
    "estimates",
    "from_csv",
    "inspect",
    "intervals",
    "mask",
    "preview",
    "sample",
    "sweep",
    "synthesize",
    "tree",
    "verify",
]

if TYPE_CHECKING:
    __all__ += models.__all__

_HOMES = {
    "indistinct.comparison.compare": ["compare"],
    "indistinct.comparison.result": ["Comparison"],
    "indistinct.errors": [name for name in __all__ if name.endswith("Error")],
    "indistinct.publish.anonymize": ["anonymize"],
    "indistinct.reader.assess.assess": ["assess"],
    "indistinct.reader.assess.assessment": ["Assessment"],
    "indistinct.reader.attacks.attack": ["AttackReport", "attack"],
    "indistinct.publish.estimates": ["estimates"],
    "indistinct.publish.inspect": ["inspect"],
    "indistinct.publish.inspection": ["Inspection"],
    "indistinct.policy.policy": ["Policy"],
    "indistinct.policy.related": ["RelatedPolicy"],
    "indistinct.policy.sections.hierarchy": ["dates", "from_csv", "intervals", "mask", "tree"],
    "indistinct.publish.preview": ["Preview", "preview"],
    "indistinct.publish.related.inspect": ["RelatedInspection"],
    "indistinct.publish.related.release": ["RelatedRelease"],
    "indistinct.reader.assess.related": ["RelatedAssessment"],
    "indistinct.publish.release": ["LargeRelease", "Release"],
    "indistinct.publish.sample": ["sample"],
    "indistinct.publish.sweep": ["sweep"],
    "indistinct.publish.synthetic": ["Synthesis", "synthesize"],
    "indistinct.publish.sweep_result": ["Sweep"],
    "indistinct.reader.verify.verify": ["Verification", "verify"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = ("database", "graph")

# Results show themselves by these, which stand above all that makes them.
register("notebook", "indistinct.report.notebook", "html_of")
register("release report", "indistinct.report.write", "write_release_report")
register("sweep", "indistinct.report.sweep", "write")
register("comparison", "indistinct.report.comparisons", "write")


if not TYPE_CHECKING:  # a type checker would take any misspelled name for one that is loaded

    def __getattr__(name: str) -> Any:
        """Load a public name from its module; names of models come from their package."""
        if name in _ROOMS:
            return import_module(f"indistinct.{name}")
        if name in _HOME_OF:
            return getattr(import_module(_HOME_OF[name]), name)
        if name[:1].isupper() and name in (models := import_module("indistinct.models")).__all__:
            return getattr(models, name)
        raise AttributeError(f"indistinct has no name {name}")


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, *_ROOMS]
