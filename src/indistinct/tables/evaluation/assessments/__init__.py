"""Measure a table as it is."""
