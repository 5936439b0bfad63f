"""Load the program before a process forks, so that what is forked begins with its work.

Only what starts no thread: Polars has threads of its own as soon as it computes, and a forked
process would wait for them forever.
"""

from __future__ import annotations

import functools
import sys

import narwhals.stable.v1
import narwhals.stable.v2
import polars as pl
import typer.main

import indistinct.frontends.cli.main
import indistinct.frontends.cli.summary
import indistinct.frontends.report.metadata.write
import indistinct.frontends.report.write
import indistinct.tables.evaluation.assessments.assess
import indistinct.tables.evaluation.attacks
import indistinct.tables.publish.anonymization
import indistinct.tables.publish.release
import indistinct.tables.search.lattice.optimal_search
import indistinct.tables.search.progress
import indistinct.tables.verification.verify_release  # noqa: F401
from indistinct.base.compiled.compiling import Loop, compiler
from indistinct.tables.drafting.vocabulary import vocabulary

narwhals.from_native(pl.DataFrame())  # so that it has loaded what it has for Polars
vocabulary()

# Those that draw noise or learn need libraries that take two seconds to load.
WITH_NOISE = {"database", "synthesize", "compare", "--learn"}


def load_commands() -> None:
    """Load what the commands are made of, and read what Typer makes of each."""
    import indistinct.frontends.cli.database
    import indistinct.frontends.cli.graph
    import indistinct.graph.anonymization
    import indistinct.graph.assessment

    keep_signatures()
    for program in (
        indistinct.frontends.cli.main,
        indistinct.frontends.cli.database,
        indistinct.frontends.cli.graph,
    ):
        typer.main.get_command(program.app)


def keep_signatures() -> None:
    """Let Typer read the signature of each command once in a process, not once for each call."""
    typer.main.get_params_from_function = functools.cache(typer.main.get_params_from_function)


def need_noise(arguments: list[str]) -> bool:
    """Return whether a call of the command draws noise or learns."""
    return not WITH_NOISE.isdisjoint(arguments)


@functools.cache
def load_noise() -> None:
    """Load what draws noise and what learns."""
    import opendp.prelude  # noqa: F401
    import sqlglot  # noqa: F401


def load_kept_loops() -> None:
    """Load the machine code that earlier processes kept; nothing is compiled."""
    compiler()
    import numba.np.arraymath  # noqa: F401

    for name, module in list(sys.modules.items()):
        if name.startswith("indistinct."):
            for loop in list(vars(module).values()):
                if isinstance(loop, Loop) and not loop.is_part:
                    _load_kept(loop)


def _load_kept(loop: Loop) -> None:
    """Load one loop, for every type of arguments that it was compiled for."""
    for types in loop.dispatcher._cache.kept():
        loop.dispatcher.compile(types)
