"""The models of a policy."""

from indistinct.tables import models
from indistinct.tables.models import *  # noqa: F403 - its names

MODELS, MODELS_BY_NAME, BoundedModel = models.MODELS, models.MODELS_BY_NAME, models.BoundedModel

__all__: list[str] = []
__all__ += models.__all__
