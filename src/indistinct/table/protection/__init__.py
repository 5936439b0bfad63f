"""Protections of single columns: each one a definition, and how to check it in a release."""

from indistinct.table.protection.noise import NoiseProtection
from indistinct.table.protection.protection import Context, Masked, Protection, Stage
from indistinct.table.protection.pseudonym import PseudonymProtection
from indistinct.table.protection.randomized_response import RandomizedResponseProtection

PROTECTIONS: tuple[type[Protection], ...] = (
    RandomizedResponseProtection,
    PseudonymProtection,
    NoiseProtection,
)

PROTECTIONS_BY_NAME = {protection.name: protection for protection in PROTECTIONS}

__all__ = ["PROTECTIONS", "PROTECTIONS_BY_NAME", "Context", "Masked", "Protection", "Stage"]
