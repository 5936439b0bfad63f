"""Full-domain recoding: the lattice of levels and its optimum."""
