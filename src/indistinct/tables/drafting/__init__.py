"""Drafts: what the columns of a table probably are, and a policy that says so with its reasons."""
