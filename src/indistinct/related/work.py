"""How much work the check of related tables may take."""

WORK = 10**8  # patterns of known rows that are listed at most
