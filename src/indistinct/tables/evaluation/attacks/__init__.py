"""Attacks that run on a released table, and attackers who choose among them."""

from collections.abc import Mapping, Sequence

from indistinct.tables.evaluation.attacks.attribute_disclosure import AttributeDisclosure
from indistinct.tables.evaluation.attacks.companions import Companions
from indistinct.tables.evaluation.attacks.downcoding import Downcoding
from indistinct.tables.evaluation.attacks.entry import Attack, Outcome
from indistinct.tables.evaluation.attacks.inference import Inference
from indistinct.tables.evaluation.attacks.insider import (
    Background,
    Homogeneity,
    SimilarityAttack,
    SkewnessAttack,
)
from indistinct.tables.evaluation.attacks.known_events import KnownEventsAttack
from indistinct.tables.evaluation.attacks.known_items import KnownItemsAttack
from indistinct.tables.evaluation.attacks.linkability import Linkability
from indistinct.tables.evaluation.attacks.linkage import (
    JournalistLinkage,
    MarketerLinkage,
    ProsecutorLinkage,
)
from indistinct.tables.evaluation.attacks.membership import MembershipByNearest, MembershipByRatio
from indistinct.tables.evaluation.attacks.minimality import Minimality
from indistinct.tables.evaluation.attacks.nearest_neighbor import NearestNeighbor
from indistinct.tables.evaluation.attacks.refinement import Refinement
from indistinct.tables.evaluation.attacks.scenario import AttackContext, AttackScenario
from indistinct.tables.evaluation.attacks.several import Difference, Intersection
from indistinct.tables.evaluation.attacks.singling_out import (
    SinglingOutMultivariate,
    SinglingOutUnivariate,
)

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
