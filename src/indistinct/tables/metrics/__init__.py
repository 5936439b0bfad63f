"""What a release cost: one definition each, shared by search, manifest and reports."""

from typing import TYPE_CHECKING

from indistinct.base.face import face
from indistinct.tables.metrics.aggregates import AGGREGATES, Aggregate
from indistinct.tables.metrics.classes import (
    Ambiguity,
    AverageClassSize,
    ClassSizeMetric,
    Discernibility,
    KullbackLeibler,
    MonotoneDiscernibility,
)
from indistinct.tables.metrics.information import (
    EntropyLoss,
    MonotoneEntropy,
    MonotoneNonUniformEntropy,
    MutualInformation,
    NonUniformEntropy,
    NormalizedNonUniformEntropy,
)
from indistinct.tables.metrics.loss import (
    CertaintyPenalty,
    Height,
    Loss,
    MonotonePrecision,
    Precision,
    SeparableMetric,
)

METRICS = {
    metric.name: metric
    for metric in (
        Loss,
        CertaintyPenalty,
        Precision,
        MonotonePrecision,
        Height,
        NonUniformEntropy,
        NormalizedNonUniformEntropy,
        MonotoneNonUniformEntropy,
        MutualInformation,
        MonotoneEntropy,
        Discernibility,
        MonotoneDiscernibility,
        AverageClassSize,
        Ambiguity,
        KullbackLeibler,
    )
}

__all__ = [
    "AGGREGATES",
    "METRICS",
    "Aggregate",
    "Ambiguity",
    "AverageClassSize",
    "CertaintyPenalty",
    "ClassSizeMetric",
    "Discernibility",
    "EntropyLoss",
    "Height",
    "KullbackLeibler",
    "Loss",
    "MonotoneDiscernibility",
    "MonotoneEntropy",
    "MonotoneNonUniformEntropy",
    "MonotonePrecision",
    "MutualInformation",
    "NonUniformEntropy",
    "NormalizedNonUniformEntropy",
    "Precision",
    "SeparableMetric",
]

FACE = {
    "marketer_risk": "risk",
    "on_frontier": "pareto",
    "prosecutor_risk": "risk",
    "records_at_risk": "individual",
}

if TYPE_CHECKING:
    from indistinct.tables.metrics.individual import records_at_risk as records_at_risk
    from indistinct.tables.metrics.pareto import on_frontier as on_frontier
    from indistinct.tables.metrics.risk import (
        marketer_risk as marketer_risk,
        prosecutor_risk as prosecutor_risk,
    )
else:
    __getattr__ = face(__name__, FACE)
