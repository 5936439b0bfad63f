"""Privacy models: what must hold in each equivalence class; one definition each."""

from indistinct.models.alpha_k_anonymity import AlphaKAnonymity
from indistinct.models.beta_likeness import BetaLikeness
from indistinct.models.bounded import BoundedModel
from indistinct.models.delta_disclosure import DeltaDisclosure
from indistinct.models.delta_presence import DeltaPresence
from indistinct.models.k_anonymity import ConfidentKAnonymity, KAnonymity
from indistinct.models.k_map import KMap
from indistinct.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    ProbabilisticLDiversity,
    RecursiveCLDiversity,
)
from indistinct.models.m_invariance import MInvariance
from indistinct.models.of_sets import KmAnonymity, SetKAnonymity, SetModel
from indistinct.models.simpson_diversity import SimpsonDiversity
from indistinct.models.t_closeness import NTCloseness, TCloseness
from indistinct.models.uniqueness import AverageRisk, PopulationUniqueness, SampleUniqueness

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
