"""Release numbers with noise that is calibrated to the class of each record."""

from __future__ import annotations

from indistinct.core.protocols import Solution
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import Prepared
from indistinct.policy.policy import Policy
from indistinct.publish.class_noise import NoisyRecoding, add_class_noise
from indistinct.publish.forms.table import SearchAgain


def with_noise_in_classes(
    prepared: Prepared,
    solution: Solution,
    policy: Policy,
    chance: RandomSource,
    search_again: SearchAgain,
) -> NoisyRecoding:
    """Return a solution with noise in the classes."""
    del search_again
    return add_class_noise(prepared, solution, policy, chance)
