"""The models of a policy."""

from indistinct.tables import models
from indistinct.tables.models import *  # noqa: F403 - its names

__all__ = models.__all__
