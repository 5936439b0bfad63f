"""Every engine; the contract suite holds each to the same answers."""

from indistinct.engines.polars import PolarsEngine

IN_MEMORY = PolarsEngine()  # for tables that were read whole
ENGINES = (IN_MEMORY,)
ENGINES_BY_NAME = {engine.name: engine for engine in ENGINES}
