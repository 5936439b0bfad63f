"""Protections of single columns: each one a definition, and how to check it in a release."""

from indistinct.table.protection.additive_noise import AdditiveNoiseProtection
from indistinct.table.protection.microaggregation import MicroaggregationProtection
from indistinct.table.protection.noise import NoiseProtection
from indistinct.table.protection.post_randomization import PostRandomizationProtection
from indistinct.table.protection.protection import Context, Masked, Protection, Stage
from indistinct.table.protection.pseudonym import PseudonymProtection
from indistinct.table.protection.randomized_response import RandomizedResponseProtection
from indistinct.table.protection.rank_swapping import RankSwappingProtection
from indistinct.table.protection.rounding import RoundingProtection
from indistinct.table.protection.top_bottom_coding import TopBottomCodingProtection

PROTECTIONS: tuple[type[Protection], ...] = (
    RandomizedResponseProtection,
    MicroaggregationProtection,
    AdditiveNoiseProtection,
    RankSwappingProtection,
    PostRandomizationProtection,
    RoundingProtection,
    TopBottomCodingProtection,
    PseudonymProtection,
    NoiseProtection,
)

PROTECTIONS_BY_NAME = {protection.name: protection for protection in PROTECTIONS}

__all__ = ["PROTECTIONS", "PROTECTIONS_BY_NAME", "Context", "Masked", "Protection", "Stage"]
