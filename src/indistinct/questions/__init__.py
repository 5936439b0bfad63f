"""Questions about people, and synthetic tables, at a price in privacy."""
