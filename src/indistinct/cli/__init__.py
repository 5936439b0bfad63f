"""The command: parse, call, print."""

INTERRUPTED = 130  # what a shell reports of a program that SIGINT ended: 128 and the number 2
