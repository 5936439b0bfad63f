"""Loops that are compiled, and the machine code that is kept of them."""
