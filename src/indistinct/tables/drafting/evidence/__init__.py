"""What speaks for and against each answer to a question about a file, and what follows from it."""
