"""What is said about a release: one value, its words, and what of it everybody may know."""
