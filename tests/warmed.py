"""Load the program before a process forks, so that what is forked begins with its work.

Only what starts no thread: Polars has threads of its own as soon as it computes, and a forked
process would wait for them forever.
"""

from __future__ import annotations

import sys

import numba.np.arraymath  # noqa: F401
import polars as pl  # noqa: F401

import indistinct.cli.main
import indistinct.cli.summary
import indistinct.publish.release
import indistinct.reader.assess.assess
import indistinct.reader.attacks
import indistinct.reader.verify.verify
import indistinct.report.metadata.write
import indistinct.report.write
import indistinct.search.lattice.optimal  # noqa: F401
from indistinct.core.compiling import Loop


def load_kept_loops() -> None:
    """Load the machine code that earlier processes kept; nothing is compiled."""
    for name, module in list(sys.modules.items()):
        if name.startswith("indistinct."):
            for loop in list(vars(module).values()):
                if isinstance(loop, Loop) and not loop.is_part:
                    _load_kept(loop)


def _load_kept(loop: Loop) -> None:
    """Load one loop, for every type of arguments that it was compiled for."""
    kept = getattr(loop.dispatcher, "_cache", None)
    index = getattr(kept, "_cache_file", None)
    if index is None:  # nothing can be kept here
        return
    for signature, *_ in index._load_index():
        loop.dispatcher.compile(signature)
