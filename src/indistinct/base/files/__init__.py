"""Files: written whole or not at all, readable by their owner alone, and texts."""
