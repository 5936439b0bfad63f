"""What every house stands on: files, randomness, parameters, hierarchies."""
