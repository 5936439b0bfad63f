"""Door 2: publish a graph."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indistinct.graph.anonymization import anonymize
    from indistinct.graph.assessment import assess
    from indistinct.graph.degree_noise import private_degrees
    from indistinct.graph.edges import Graph
    from indistinct.graph.graph_files import read
    from indistinct.graph.inspection import inspect
    from indistinct.graph.neighborhood_codes import neighborhood_code
    from indistinct.graph.red_team import attack
    from indistinct.graph.release import GraphRelease
    from indistinct.graph.verification import GraphVerification, verify
    from indistinct.graph.worlds import expectations, sample_worlds, write_worlds

__all__ = [
    "Graph",
    "GraphRelease",
    "GraphVerification",
    "anonymize",
    "assess",
    "attack",
    "expectations",
    "inspect",
    "neighborhood_code",
    "private_degrees",
    "read",
    "sample_worlds",
    "verify",
    "write_worlds",
]

# Compiled code is loaded when a name is first used, so that the door itself opens at once. No file
# has the name of a function: importing it would put the file in the function's place.
HOMES = {
    "Graph": "edges",
    "GraphRelease": "release",
    "GraphVerification": "verification",
    "anonymize": "anonymization",
    "assess": "assessment",
    "attack": "red_team",
    "expectations": "worlds",
    "inspect": "inspection",
    "neighborhood_code": "neighborhood_codes",
    "private_degrees": "degree_noise",
    "read": "graph_files",
    "sample_worlds": "worlds",
    "verify": "verification",
    "write_worlds": "worlds",
}


def __getattr__(name: str) -> object:
    """Load a public name from its file."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Name what is public."""
    return sorted(__all__)
