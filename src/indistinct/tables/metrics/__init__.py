"""What a release cost: one definition each, shared by search, manifest and reports."""

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
