"""Attacks that run on a released table, and attackers who choose among them."""

from collections.abc import Callable, Mapping, Sequence

from indistinct.reader.attacks.background import background
from indistinct.reader.attacks.homogeneity import homogeneity
from indistinct.reader.attacks.inference import inference
from indistinct.reader.attacks.linkability import linkability
from indistinct.reader.attacks.linkage import (
    journalist_linkage,
    marketer_linkage,
    prosecutor_linkage,
)
from indistinct.reader.attacks.nearest_neighbor import nearest_neighbor
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Plan, Scene
from indistinct.reader.attacks.similarity import similarity
from indistinct.reader.attacks.singling_out import (
    singling_out_multivariate,
    singling_out_univariate,
)
from indistinct.reader.attacks.skewness import skewness

Attack = Callable[[Scene], Outcome | list[Outcome]]

ATTACKS: Mapping[str, Attack] = {
    "prosecutor-linkage": prosecutor_linkage,
    "journalist-linkage": journalist_linkage,
    "marketer-linkage": marketer_linkage,
    "nearest-neighbor": nearest_neighbor,
    "homogeneity": homogeneity,
    "background": background,
    "skewness": skewness,
    "similarity": similarity,
    "singling-out-univariate": singling_out_univariate,
    "singling-out-multivariate": singling_out_multivariate,
    "linkability": linkability,
    "inference": inference,
}

# The first attack of an attacker is the one whose rate answers for him.
ATTACKERS: Mapping[str, Sequence[str]] = {
    "prosecutor": ("prosecutor-linkage",),
    "journalist": ("journalist-linkage",),
    "marketer": ("marketer-linkage",),
    "neighbor": ("nearest-neighbor",),
    "insider": ("homogeneity", "background", "skewness", "similarity"),
}

__all__ = ["ATTACKERS", "ATTACKS", "Attack", "Outcome", "Plan", "Scene"]
