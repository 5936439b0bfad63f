"""The tables of a policy, a file each: ``[data]``, ``[method]``, ``[release]`` and others."""
