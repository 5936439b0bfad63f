"""Recoding that looks at vulnerability and diversity."""
