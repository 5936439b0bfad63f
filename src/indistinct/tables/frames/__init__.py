"""Verbs on a frame: the one place that works on cells in memory."""
