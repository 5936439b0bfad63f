"""Mechanisms that masks draw from."""
