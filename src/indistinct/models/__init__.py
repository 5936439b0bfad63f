"""Privacy models: what must hold in each equivalence class; one definition each."""

from indistinct.models.bounded import BoundedModel
from indistinct.models.k_anonymity import KAnonymity
from indistinct.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    ProbabilisticLDiversity,
    RecursiveCLDiversity,
)
from indistinct.models.t_closeness import TCloseness

MODELS: tuple[type[BoundedModel], ...] = (
    KAnonymity,
    DistinctLDiversity,
    ProbabilisticLDiversity,
    EntropyLDiversity,
    RecursiveCLDiversity,
    TCloseness,
)

MODELS_BY_NAME = {model.name: model for model in MODELS}
