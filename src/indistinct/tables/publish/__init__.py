"""Door 1: publish a table."""
