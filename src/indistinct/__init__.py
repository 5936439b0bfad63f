"""Publish or query personal data without giving anyone away.

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

from indistinct.base.brief import register

TYPE_CHECKING = False  # type checkers know the name; typing takes longer to load than all of this

if TYPE_CHECKING:
    from typing import Any

    from indistinct import database as database, graph as graph, models as models
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
    from indistinct.frontends.comparison.compare import compare
    from indistinct.frontends.comparison.result import Comparison
    from indistinct.questions.synthesis.synthetic import Synthesis, synthesize
    from indistinct.related.assess import RelatedAssessment
    from indistinct.related.policy import RelatedPolicy
    from indistinct.related.publish.inspect import RelatedInspection
    from indistinct.related.publish.release import RelatedRelease
    from indistinct.tables.evaluation.assessments.assess import assess
    from indistinct.tables.evaluation.assessments.assessment import Assessment
    from indistinct.tables.evaluation.attacks.attack import AttackReport, attack
    from indistinct.tables.models import *  # noqa: F403 - a new model needs no line here
    from indistinct.tables.policy.policy import Policy
    from indistinct.tables.policy.sections.hierarchy import dates, from_csv, intervals, mask, tree
    from indistinct.tables.publish.anonymization import anonymize
    from indistinct.tables.publish.choice_of_inspection import inspect
    from indistinct.tables.publish.estimates import estimates
    from indistinct.tables.publish.fictitious_patients import sample
    from indistinct.tables.publish.inspection import Inspection
    from indistinct.tables.publish.preview_of_data import Preview, preview
    from indistinct.tables.publish.release import LargeRelease, Release
    from indistinct.tables.publish.sweep_of_values import sweep
    from indistinct.tables.publish.sweep_result import Sweep
    from indistinct.tables.verification.verify_release import Verification, verify

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
    "indistinct.frontends.comparison.compare": ["compare"],
    "indistinct.frontends.comparison.result": ["Comparison"],
    "indistinct.errors": [name for name in __all__ if name.endswith("Error")],
    "indistinct.tables.publish.anonymization": ["anonymize"],
    "indistinct.tables.evaluation.assessments.assess": ["assess"],
    "indistinct.tables.evaluation.assessments.assessment": ["Assessment"],
    "indistinct.tables.evaluation.attacks.attack": ["AttackReport", "attack"],
    "indistinct.tables.publish.estimates": ["estimates"],
    "indistinct.tables.publish.choice_of_inspection": ["inspect"],
    "indistinct.tables.publish.inspection": ["Inspection"],
    "indistinct.tables.policy.policy": ["Policy"],
    "indistinct.related.policy": ["RelatedPolicy"],
    "indistinct.tables.policy.sections.hierarchy": [
        "dates",
        "from_csv",
        "intervals",
        "mask",
        "tree",
    ],
    "indistinct.tables.publish.preview_of_data": ["Preview", "preview"],
    "indistinct.related.publish.inspect": ["RelatedInspection"],
    "indistinct.related.publish.release": ["RelatedRelease"],
    "indistinct.related.assess": ["RelatedAssessment"],
    "indistinct.tables.publish.release": ["LargeRelease", "Release"],
    "indistinct.tables.publish.fictitious_patients": ["sample"],
    "indistinct.tables.publish.sweep_of_values": ["sweep"],
    "indistinct.questions.synthesis.synthetic": ["Synthesis", "synthesize"],
    "indistinct.tables.publish.sweep_result": ["Sweep"],
    "indistinct.tables.verification.verify_release": ["Verification", "verify"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = ("database", "errors", "graph", "models")

# Results show themselves by these, which stand above all that makes them.
register("notebook", "indistinct.frontends.report.notebook", "html_of")
register("release report", "indistinct.frontends.report.write", "write_release_report")
register("sweep", "indistinct.frontends.report.sweep", "write")
register("comparison", "indistinct.frontends.report.comparisons", "write")


if not TYPE_CHECKING:  # a type checker would take any misspelled name for one that is loaded

    def __getattr__(name: str) -> Any:
        """Load a public name from its module; names of models come from their package."""
        if name in _ROOMS:
            return import_module(f"indistinct.{name}")
        if name in _HOME_OF:
            return getattr(import_module(_HOME_OF[name]), name)
        if (
            name[:1].isupper()
            and name in (models := import_module("indistinct.tables.models")).__all__
        ):
            return getattr(models, name)
        raise AttributeError(f"indistinct has no name {name}")


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, *_ROOMS]
