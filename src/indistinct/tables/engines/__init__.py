"""Where the records live: an engine counts them and rewrites them, nothing else."""
