"""The command: parse, call, print."""

DOES_NOT_HOLD = 1  # a promise or a requirement
UNDECIDED = 4  # no fault was found, and the given files do not prove that the promise holds
INTERRUPTED = 130  # what a shell reports of a program that SIGINT ended: 128 and the number 2
