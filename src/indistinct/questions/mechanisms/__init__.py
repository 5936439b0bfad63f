"""Definitions of noise: what is drawn, what it costs, and how charges add up."""
