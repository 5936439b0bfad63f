"""Attacks that run on a released table, and attackers who choose among them."""

from collections.abc import Mapping, Sequence

from indistinct.reader.attacks.attribute_disclosure import AttributeDisclosure
from indistinct.reader.attacks.companions import Companions
from indistinct.reader.attacks.downcoding import Downcoding
from indistinct.reader.attacks.entry import Attack, Outcome
from indistinct.reader.attacks.inference import Inference
from indistinct.reader.attacks.insider import (
    Background,
    Homogeneity,
    SimilarityAttack,
    SkewnessAttack,
)
from indistinct.reader.attacks.known_events import KnownEventsAttack
from indistinct.reader.attacks.known_items import KnownItemsAttack
from indistinct.reader.attacks.linkability import Linkability
from indistinct.reader.attacks.linkage import (
    JournalistLinkage,
    MarketerLinkage,
    ProsecutorLinkage,
)
from indistinct.reader.attacks.membership import MembershipByNearest, MembershipByRatio
from indistinct.reader.attacks.minimality import Minimality
from indistinct.reader.attacks.nearest_neighbor import NearestNeighbor
from indistinct.reader.attacks.refinement import Refinement
from indistinct.reader.attacks.scenario import AttackContext, AttackScenario
from indistinct.reader.attacks.several import Difference, Intersection
from indistinct.reader.attacks.singling_out import SinglingOutMultivariate, SinglingOutUnivariate

ATTACKS: tuple[type[Attack], ...] = (
    ProsecutorLinkage,
    JournalistLinkage,
    MarketerLinkage,
    NearestNeighbor,
    Homogeneity,
    Background,
    SkewnessAttack,
    SimilarityAttack,
    SinglingOutUnivariate,
    SinglingOutMultivariate,
    Linkability,
    Inference,
    Intersection,
    Difference,
    Companions,
    MembershipByNearest,
    MembershipByRatio,
    AttributeDisclosure,
    Minimality,
    Refinement,
    Downcoding,
    KnownItemsAttack,
    KnownEventsAttack,
)

ATTACKS_BY_NAME = {attack.name: attack for attack in ATTACKS}

# The first attack of an attacker is the one whose rate answers for him.
ATTACKERS: Mapping[str, Sequence[type[Attack]]] = {
    "prosecutor": (ProsecutorLinkage,),
    "journalist": (JournalistLinkage,),
    "marketer": (MarketerLinkage,),
    "neighbor": (NearestNeighbor,),
    "collector": (Intersection, Difference, Companions),
    "insider": (Homogeneity, Background, SkewnessAttack, SimilarityAttack),
}

__all__ = [
    "ATTACKERS",
    "ATTACKS",
    "ATTACKS_BY_NAME",
    "Attack",
    "AttackContext",
    "AttackScenario",
    "Outcome",
]
