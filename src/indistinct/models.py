"""The models of a policy."""

from indistinct.tables import models
from indistinct.tables.models import *  # noqa: F403 - its names
from indistinct.tables.models import (
    MODELS as MODELS,
    MODELS_BY_NAME as MODELS_BY_NAME,
    SET_MODEL_NAMES as SET_MODEL_NAMES,
    BoundedModel as BoundedModel,
    SetModel as SetModel,
)

__all__ = models.__all__
