"""Synthetic tables with a proof: records drawn from marginals with exact noise."""
