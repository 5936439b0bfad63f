"""Protections of single columns: each one a definition, and how to check it in a release."""
