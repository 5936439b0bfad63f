"""The owner's record of what was released of whom; as secret as the tables themselves."""
