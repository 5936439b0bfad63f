"""What verification does, one job a file: evidence, columns, classes, models, original."""
