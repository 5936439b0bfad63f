"""Repair a release whose columns give generalized cells back."""
