"""Publish or query personal data without giving anyone away.

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

from indistinct.base.brief import register
from indistinct.base.face import face

TYPE_CHECKING = False  # type checkers know the name; typing takes longer to load than all of this

if TYPE_CHECKING:
    from indistinct import database as database, graph as graph, models as models
    from indistinct.aggregates import (
        PublishedTable,
        PublishedTables,
        TablesPolicy,
        TablesVerification,
        bounds,
        read_table,
    )
    from indistinct.api import anonymize, assess, attack, inspect, tabulate, verify
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
        TablesError,
        UndecidedError,
        UsageError,
        VerificationError,
    )
    from indistinct.frontends.comparison.compare import compare
    from indistinct.frontends.comparison.result import Comparison
    from indistinct.related import (
        RelatedAssessment,
        RelatedInspection,
        RelatedPolicy,
        RelatedRelease,
    )
    from indistinct.synthetic_tables import Synthesis, synthesize
    from indistinct.tables.evaluation import Assessment, AttackReport
    from indistinct.tables.models import *  # noqa: F403 - a new model needs no line here
    from indistinct.tables.policy import Policy, dates, from_csv, intervals, mask, tree
    from indistinct.tables.publish import (
        Inspection,
        LargeRelease,
        Preview,
        Release,
        Sweep,
        estimates,
        preview,
        sample,
        sweep,
    )
    from indistinct.tables.verification import Verification

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
    "PublishedTable",
    "PublishedTables",
    "RelatedAssessment",
    "RelatedInspection",
    "RelatedPolicy",
    "RelatedRelease",
    "Release",
    "SchemaError",
    "Sweep",
    "Synthesis",
    "TablesError",
    "TablesPolicy",
    "TablesVerification",
    "UndecidedError",
    "UsageError",
    "Verification",
    "VerificationError",
    "anonymize",
    "assess",
    "attack",
    "bounds",
    "compare",
    "dates",
    "estimates",
    "from_csv",
    "inspect",
    "intervals",
    "mask",
    "preview",
    "read_table",
    "sample",
    "sweep",
    "synthesize",
    "tabulate",
    "tree",
    "verify",
]

if TYPE_CHECKING:
    __all__ += models.__all__

_HOMES = {
    "aggregates": [
        "PublishedTable",
        "PublishedTables",
        "TablesPolicy",
        "TablesVerification",
        "bounds",
        "read_table",
    ],
    "api": ["anonymize", "assess", "attack", "inspect", "tabulate", "verify"],
    "errors": [name for name in __all__ if name.endswith("Error")],
    "frontends.comparison.compare": ["compare"],
    "frontends.comparison.result": ["Comparison"],
    "related": ["RelatedAssessment", "RelatedInspection", "RelatedPolicy", "RelatedRelease"],
    "synthetic_tables": ["Synthesis", "synthesize"],
    "tables.evaluation": ["Assessment", "AttackReport"],
    "tables.policy": ["Policy", "dates", "from_csv", "intervals", "mask", "tree"],
    "tables.publish": [
        "Inspection",
        "LargeRelease",
        "Preview",
        "Release",
        "Sweep",
        "estimates",
        "preview",
        "sample",
        "sweep",
    ],
    "tables.verification": ["Verification"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = ("database", "errors", "graph", "models")

# Results show themselves by these, which stand above all that makes them.
register("notebook", "indistinct.frontends.report.notebook", "html_of")
register("release report", "indistinct.frontends.report.write", "write_release_report")
register("sweep", "indistinct.frontends.report.sweep", "write")
register("comparison", "indistinct.frontends.report.comparisons", "write")


def _other(name: str) -> object:
    """Load a public module, or a model from its package."""
    if name in _ROOMS:
        return import_module(f"indistinct.{name}")
    if name[:1].isupper() and name in (models := import_module("indistinct.models")).__all__:
        return getattr(models, name)
    raise AttributeError(f"indistinct has no name {name}")


if not TYPE_CHECKING:  # a type checker would take any misspelled name for one that is loaded
    __getattr__ = face(__name__, _HOME_OF, _other)


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, *_ROOMS]
