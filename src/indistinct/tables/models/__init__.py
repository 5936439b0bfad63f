"""Privacy models: what must hold in each equivalence class; one definition each."""

from typing import TYPE_CHECKING

from indistinct.base.face import face
from indistinct.tables.models.alpha_k_anonymity import AlphaKAnonymity
from indistinct.tables.models.beta_likeness import BetaLikeness
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.models.delta_disclosure import DeltaDisclosure
from indistinct.tables.models.delta_presence import DeltaPresence
from indistinct.tables.models.k_anonymity import ConfidentKAnonymity, KAnonymity
from indistinct.tables.models.k_map import KMap
from indistinct.tables.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    ProbabilisticLDiversity,
    RecursiveCLDiversity,
)
from indistinct.tables.models.m_invariance import MInvariance
from indistinct.tables.models.of_sets import KmAnonymity, SetKAnonymity, SetModel
from indistinct.tables.models.simpson_diversity import SimpsonDiversity
from indistinct.tables.models.t_closeness import NTCloseness, TCloseness
from indistinct.tables.models.uniqueness import AverageRisk, PopulationUniqueness, SampleUniqueness

__all__ = [
    "AlphaKAnonymity",
    "AverageRisk",
    "BetaLikeness",
    "ConfidentKAnonymity",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "KAnonymity",
    "KMap",
    "KmAnonymity",
    "MInvariance",
    "NTCloseness",
    "PopulationUniqueness",
    "ProbabilisticLDiversity",
    "RecursiveCLDiversity",
    "SampleUniqueness",
    "SetKAnonymity",
    "SimpsonDiversity",
    "TCloseness",
]

MODELS: tuple[type[BoundedModel], ...] = (
    KAnonymity,
    ConfidentKAnonymity,
    KMap,
    DistinctLDiversity,
    ProbabilisticLDiversity,
    EntropyLDiversity,
    RecursiveCLDiversity,
    SimpsonDiversity,
    AlphaKAnonymity,
    TCloseness,
    NTCloseness,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    AverageRisk,
    SampleUniqueness,
    PopulationUniqueness,
    MInvariance,
    KmAnonymity,
    SetKAnonymity,
)

SET_MODEL_NAMES = frozenset(model.name for model in MODELS if issubclass(model, SetModel))
MODELS_BY_NAME = {model.name: model for model in MODELS}

FACE = {
    "ColumnModel": "of_one_column",
    "JointAnonymity": "joint_anonymity",
    "LargestShare": "largest_share",
}

if TYPE_CHECKING:
    from indistinct.tables.models.joint_anonymity import JointAnonymity as JointAnonymity
    from indistinct.tables.models.largest_share import LargestShare as LargestShare
    from indistinct.tables.models.of_one_column import ColumnModel as ColumnModel
else:
    __getattr__ = face(__name__, FACE)
