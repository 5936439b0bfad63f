"""What a release cost: one definition each, shared by search, manifest and reports."""

from indistinct.metrics.aggregates import AGGREGATES, Aggregate
from indistinct.metrics.classes import (
    AverageClassSize,
    ClassSizeMetric,
    Discernibility,
    MonotoneDiscernibility,
)
from indistinct.metrics.loss import (
    CertaintyPenalty,
    Height,
    Loss,
    NonUniformEntropy,
    Precision,
    SeparableMetric,
)

COLUMN_METRICS = (Loss, CertaintyPenalty, Precision, Height, NonUniformEntropy)
CLASS_METRICS = (Discernibility, MonotoneDiscernibility, AverageClassSize)
METRICS = {metric.name: metric for metric in (*COLUMN_METRICS, *CLASS_METRICS)}

__all__ = [
    "AGGREGATES",
    "CLASS_METRICS",
    "COLUMN_METRICS",
    "METRICS",
    "Aggregate",
    "AverageClassSize",
    "CertaintyPenalty",
    "ClassSizeMetric",
    "Discernibility",
    "Height",
    "Loss",
    "MonotoneDiscernibility",
    "NonUniformEntropy",
    "Precision",
    "SeparableMetric",
]
