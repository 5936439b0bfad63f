"""Measures of contestants: what each publishes, on the same people, questions and attackers."""
