"""A result in, one file out: reports for people who decide on a release."""
