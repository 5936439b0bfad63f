"""Read a release: verify, assess, attack it, and measure what it is good for."""
