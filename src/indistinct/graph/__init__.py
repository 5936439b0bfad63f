"""Door 2: publish a graph."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

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
FACE = {
    "GRAPH_MODELS_BY_NAME": "models",
    "Graph": "edges",
    "GraphRelease": "release",
    "GraphVerification": "verification.checks",
    "SUFFIXES": "companions",
    "VERTEX_SUFFIX": "graph_files",
    "anonymize": "anonymization",
    "assess": "assessment",
    "attack": "red_team",
    "check_output": "formats",
    "companion_of": "companions",
    "expectations": "worlds",
    "inspect": "inspection",
    "left_out": "cleaning",
    "load_manifest": "companions",
    "manifest_of": "companions",
    "neighborhood_code": "neighborhood_codes",
    "private_degrees": "degree_noise",
    "read": "graph_files",
    "read_crosswalk": "assessment",
    "sample_worlds": "worlds",
    "unmet": "assessment",
    "verify": "verification.whole",
    "words": "models.model_parameters",
    "write_worlds": "worlds",
}

if TYPE_CHECKING:
    from indistinct.graph.anonymization import anonymize as anonymize
    from indistinct.graph.assessment import (
        assess as assess,
        read_crosswalk as read_crosswalk,
        unmet as unmet,
    )
    from indistinct.graph.cleaning import left_out as left_out
    from indistinct.graph.companions import (
        SUFFIXES as SUFFIXES,
        companion_of as companion_of,
        load_manifest as load_manifest,
        manifest_of as manifest_of,
    )
    from indistinct.graph.degree_noise import private_degrees as private_degrees
    from indistinct.graph.edges import Graph as Graph
    from indistinct.graph.formats import check_output as check_output
    from indistinct.graph.graph_files import VERTEX_SUFFIX as VERTEX_SUFFIX, read as read
    from indistinct.graph.inspection import inspect as inspect
    from indistinct.graph.models import GRAPH_MODELS_BY_NAME as GRAPH_MODELS_BY_NAME
    from indistinct.graph.models.model_parameters import words as words
    from indistinct.graph.neighborhood_codes import neighborhood_code as neighborhood_code
    from indistinct.graph.red_team import attack as attack
    from indistinct.graph.release import GraphRelease as GraphRelease
    from indistinct.graph.verification.checks import GraphVerification as GraphVerification
    from indistinct.graph.verification.whole import verify as verify
    from indistinct.graph.worlds import (
        expectations as expectations,
        sample_worlds as sample_worlds,
        write_worlds as write_worlds,
    )
else:
    __getattr__ = face(__name__, FACE)


def __dir__() -> list[str]:
    """Name what is public."""
    return sorted(__all__)
