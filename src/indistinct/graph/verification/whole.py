"""Use case: check a released graph against what its manifest promises, from the written files.

Nothing that made the release takes part: files are read strictly, levels and figures are counted
from their definitions by plain code. Only the owner's original is read as every input is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from indistinct.base.former_names import former_names
from indistinct.errors import DataError, Fault
from indistinct.graph.companions import (
    VERTEX_SUFFIX,
    check_files,
    companion_of,
    hashes_in,
    load_manifest,
    manifest_of,
)
from indistinct.graph.models import GRAPH_MODELS_BY_NAME
from indistinct.graph.models.grouping import GROUP_SUFFIX, SUPEREDGE_SUFFIX
from indistinct.graph.models.model import GraphModel
from indistinct.graph.verification.checks import PUBLISH_NOT, Checks, GraphVerification
from indistinct.graph.verification.files import (
    PlainGraph,
    PlainGroups,
    contents_of_companions,
    files_again,
    read_groups,
    read_release,
    rewriting_faults,
)
from indistinct.graph.verification.manifest import manifest_faults
from indistinct.graph.verification.order import clusters, follows
from indistinct.graph.verification.origin import origin_faults, read_origin
from indistinct.graph.verification.promise import (
    check_counts,
    check_groups,
    check_levels,
    check_promise,
)


@former_names(positional=("original",))
def verify(
    release: str | Path,
    *,
    original: object | None = None,
    crosswalk: str | Path | None = None,
    manifest: str | Path | None = None,
) -> GraphVerification:
    """Check a released graph against what its manifest promises.

    Parameters
    ----------
    release : path of the released graph
    original : the graph it was made from, or its path
    crosswalk : path of the owner's CSV ``output_id,input_id`` (and ``group``, of a grouping)
    manifest : default ``RELEASE.manifest.json``

    Returns
    -------
    a verdict, with every reason against

    Raises
    ------
    DataError : the release, the original or the crosswalk cannot be read, or there is no manifest
    """
    path = Path(release)
    if not path.is_file():
        raise DataError([Fault(path.name, "is not a file", "Check the path of the release.")])
    said = load_manifest(manifest_of(path, manifest))
    if said is None:
        problem = "does not exist, so nothing says what the release promises"
        remedy = "Name the manifest of the release."
        raise DataError([Fault(manifest_of(path, manifest).name, problem, remedy)])
    seen = Checks()
    try:
        check_files(path, manifest)
    except DataError as error:
        seen.faults += error.faults
    model = GRAPH_MODELS_BY_NAME.get(str(said.get("model")))
    if model is None or not hashes_in(said):
        place, problem = "manifest", "does not contain the model and the files with their hashes"
        seen.add(place, problem, "Write the release again with this version.")
        return seen.verification()
    seen.faults += manifest_faults(manifest_of(path, manifest).read_bytes(), said, model)
    graph, groups = read_files(seen, path, said, model)
    if seen.unreadable:
        return seen.verification()
    seen.faults += numbering_faults(graph)
    check_counts(seen, said, graph, model)
    check_levels(seen, said, graph, groups, model)
    if groups is not None:
        check_groups(seen, said, graph, groups)
    check_promise(seen, said, model)
    if original is not None:
        origin = read_origin(original, crosswalk)
        wrong, open_questions, notes = origin_faults(graph, groups, said, origin, model)
        seen.faults += wrong
        seen.undecided += open_questions
        seen.notes += notes
    elif groups is not None:
        seen.undecided.append(
            "whether the edge list was drawn from the groups: the files alone do not show it; "
            "give --original and --crosswalk"
        )
    return seen.verification()


def read_files(
    seen: Checks, path: Path, said: Mapping[str, Any], model: type[GraphModel]
) -> tuple[PlainGraph, PlainGroups | None]:
    """Read the files that the manifest names, and note where they are not of the released form."""
    files = contents_of_companions(path, list(hashes_in(said)))
    listed = companion_of(path, VERTEX_SUFFIX).name
    vertices = (listed, files[listed]) if listed in files else None
    graph = read_release(path.name, path.read_bytes(), vertices)
    groups = groups_of(path, files) if model.publishes_groups else None
    found = [*graph.faults, *(groups.faults if groups is not None else [])]
    seen.faults += found
    seen.unreadable = bool(found)
    if not found:
        names = {"graph": path.name, "vertices": listed}
        names |= {
            word: companion_of(path, suffix).name
            for word, suffix in (("groups", GROUP_SUFFIX), ("superedges", SUPEREDGE_SUFFIX))
        }
        seen.faults += rewriting_faults(
            dict.fromkeys(hashes_in(said), b"") | files, files_again(names, graph, groups)
        )
    return graph, groups


def groups_of(path: Path, files: Mapping[str, bytes]) -> PlainGroups:
    """Read the groups of a release; a fault where the manifest names none."""
    names = [companion_of(path, suffix).name for suffix in (GROUP_SUFFIX, SUPEREDGE_SUFFIX)]
    if not all(name in files for name in names):
        problem = "the tables of groups are not among the files of the release"
        return PlainGroups(faults=[Fault("manifest.files", problem, PUBLISH_NOT)])
    return read_groups((names[0], files[names[0]]), (names[1], files[names[1]]))


def numbering_faults(graph: PlainGraph) -> Iterator[Fault]:
    """Find numbers of vertices that tell more than chance."""
    degrees = Counter(end for edge in graph.edges for end in edge)
    if follows([degrees[vertex] for vertex in range(graph.n_vertices)]):
        yield Fault("ids", "go with the degrees of the vertices", "Number the vertices at random.")
    if clusters(graph.edges, graph.n_vertices):
        problem = "of linked vertices are closer than random ones"
        yield Fault("ids", problem, "Number the vertices at random.")
