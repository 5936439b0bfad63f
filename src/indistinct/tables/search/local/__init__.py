"""Local recoding: each class has just the generalization that it needs."""
