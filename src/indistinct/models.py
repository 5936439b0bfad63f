"""The models of a policy."""

from indistinct.tables.models import *  # noqa: F403 - its names
