"""What a cell of a text file says: its encoding, and the words, numbers and dates in it."""
