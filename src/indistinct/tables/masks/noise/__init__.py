"""Noise by the width of each equivalence class."""
