"""Release several tables about the same people under one promise."""
