"""Shells: parse, call, print."""
