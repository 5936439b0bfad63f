"""Values, protocols and compiled kernels: NumPy and numba only."""
