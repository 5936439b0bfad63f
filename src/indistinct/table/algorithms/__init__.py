"""Ways to a recoding that satisfies the models."""
