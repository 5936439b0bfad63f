"""Answers with noise, and a budget that holds."""

from indistinct.questions.database import *  # noqa: F403 - its names
