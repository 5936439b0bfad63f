"""Protections of single columns: each one a definition, and how to check it in a release."""

from indistinct.tables.masks.additive_noise import AdditiveNoiseProtection
from indistinct.tables.masks.date_shift import DateShiftProtection
from indistinct.tables.masks.microaggregation.microaggregation import MicroaggregationProtection
from indistinct.tables.masks.noise.noise import NoiseProtection
from indistinct.tables.masks.post_randomization import PostRandomizationProtection
from indistinct.tables.masks.protection import (
    ClassProtection,
    Context,
    EstimableProtection,
    Fit,
    Masked,
    MaskStage,
    Protection,
)
from indistinct.tables.masks.pseudonym import PseudonymProtection
from indistinct.tables.masks.randomized_response import RandomizedResponseProtection
from indistinct.tables.masks.rank_swapping import RankSwappingProtection
from indistinct.tables.masks.rounding import RoundingProtection
from indistinct.tables.masks.sets import PARTITION, SET_ALGORITHMS
from indistinct.tables.masks.top_bottom_coding import TopBottomCodingProtection

MASKS: tuple[type[Protection], ...] = (
    RandomizedResponseProtection,
    MicroaggregationProtection,
    AdditiveNoiseProtection,
    RankSwappingProtection,
    PostRandomizationProtection,
    RoundingProtection,
    TopBottomCodingProtection,
    PseudonymProtection,
    DateShiftProtection,
    NoiseProtection,
)

MASKS_BY_NAME = {mask.name: mask for mask in MASKS}

__all__ = [
    "MASKS",
    "MASKS_BY_NAME",
    "PARTITION",
    "SET_ALGORITHMS",
    "ClassProtection",
    "Context",
    "DateShiftProtection",
    "EstimableProtection",
    "Fit",
    "MaskStage",
    "Masked",
    "Protection",
]
