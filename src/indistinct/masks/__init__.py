"""Protections of single columns: each one a definition, and how to check it in a release."""

from indistinct.masks.additive_noise import AdditiveNoiseProtection
from indistinct.masks.date_shift import DateShiftProtection
from indistinct.masks.microaggregation.microaggregation import MicroaggregationProtection
from indistinct.masks.noise.noise import NoiseProtection
from indistinct.masks.post_randomization import PostRandomizationProtection
from indistinct.masks.protection import (
    ClassProtection,
    Context,
    EstimableProtection,
    Fit,
    Masked,
    MaskStage,
    Protection,
)
from indistinct.masks.pseudonym import PseudonymProtection
from indistinct.masks.randomized_response import RandomizedResponseProtection
from indistinct.masks.rank_swapping import RankSwappingProtection
from indistinct.masks.rounding import RoundingProtection
from indistinct.masks.sets import PARTITION, SET_ALGORITHMS
from indistinct.masks.top_bottom_coding import TopBottomCodingProtection

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
