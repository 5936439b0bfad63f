"""Ways to publish a table, side by side: same people, same questions, same attackers."""
