"""Publish or query personal data without giving anyone away."""
