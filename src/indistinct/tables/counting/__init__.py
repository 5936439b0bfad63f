"""A table and a policy become a counted problem."""
