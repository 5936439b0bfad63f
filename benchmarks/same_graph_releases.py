"""Tell whether seeded releases of graphs, and what is said of them, are the same after a change.

    python benchmarks/same_graph_releases.py --write benchmarks/results/graph_releases.json
    python benchmarks/same_graph_releases.py --compare benchmarks/results/graph_releases.json

Every model, mode and realization makes a release of three random graphs with the same seed. What is
kept of each is a hash of every file it writes, of the owner's document without its seconds, and,
for some, of what assessment, verification and the attacks say. Floats are rounded to nine digits
first. Of a refusal its kind is kept, not its text.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import networkx as nx

from indistinct import graph as door
from indistinct.errors import IndistinctError
from same_releases import main

SEED = 7
WORDS = tuple(
    {"model": "k-degree", "k": k, "mode": mode, **more}
    for k in (2, 5)
    for mode in ("add", "delete", "mixed")
    for more in ({}, {"greedy": True})
)
REALIZATIONS = ("supergraph", "probing", "construct", "priority")


def graphs() -> Iterator[tuple[str, nx.Graph[Any]]]:
    made = {
        "uniform": nx.gnm_random_graph(60, 120, seed=1),
        "scale-free": nx.barabasi_albert_graph(120, 2, seed=2),
        "clustered": nx.connected_watts_strogatz_graph(90, 4, 0.2, seed=3),
    }
    for name, graph in made.items():
        for vertex in graph:
            graph.nodes[vertex]["town"] = ("Ulm", "Köln", "Bonn")[vertex % 3]
        yield name, graph


def requests() -> Iterator[dict[str, Any]]:
    yield {"model": "naive"}
    yield {"model": "naive", "keep": ["town"]}
    yield from WORDS
    for realization in REALIZATIONS:
        yield {"model": "k-degree", "k": 3, "realization": realization}
    for mode in ("add", "delete", "mixed"):
        yield {"model": "k-neighborhood", "k": 2, "mode": mode, "max_loss": 1.0}
    yield {
        "model": "k-neighborhood",
        "k": 2,
        "mode": "delete",
        "labels": "town",
        "keep": ["town"],
        "label_weight": 0.5,
        "max_loss": 1.0,
    }
    for k in (2, 5):
        yield {"model": "grouping", "k": k}
    yield {"model": "grouping", "k": 3, "max_certain": 0.05}
    for share in (0.05, 0.3):
        yield {"model": "random-perturbation", "share": share}
        yield {"model": "random-switch", "share": share}
    # Words out of place and out of range: the refusals are kept, too.
    yield {"model": "k-degree"}
    yield {"model": "k-degree", "k": 1}
    yield {"model": "k-degree", "k": 1000}
    yield {"model": "k-degree", "k": 2, "mode": "sideways"}
    yield {"model": "k-degree", "k": 2, "realization": "magic"}
    yield {"model": "k-degree", "k": 2, "realization": "probing", "mode": "delete"}
    yield {"model": "k-degree", "k": 2, "max_certain": 0.1}
    yield {"model": "grouping", "k": 2, "max_certain": 2}
    yield {"model": "grouping", "k": 1000}
    yield {"model": "grouping"}
    yield {"model": "k-neighborhood", "k": 2, "time_limit": -1, "max_loss": -1}
    yield {"model": "k-neighborhood", "k": 2, "max_loss": 0.0}
    yield {"model": "random-switch", "share": 2.0}
    yield {"model": "random-switch", "k": 3}
    yield {"model": "naive", "share": 9.0, "k": 1}
    yield {"model": "unheard-of"}


def rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): rounded(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(one) for one in value]
    return f"{value:.9g}" if isinstance(value, float) else value


def digest(value: Any) -> str:
    content = value if isinstance(value, bytes) else json.dumps(rounded(value)).encode()
    return hashlib.sha256(content).hexdigest()


def attempt(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except IndistinctError as error:
        return {"refused": type(error).__name__}


def release(graph: nx.Graph[Any], words: Mapping[str, Any], *, more: bool) -> dict[str, Any]:
    found = door.anonymize(graph, **words, seed=SEED)
    kept: dict[str, Any] = {
        "document": digest({k: v for k, v in found.document.items() if k != "seconds"}),
        "order": digest(found.order.tolist()),
    }
    with tempfile.TemporaryDirectory() as folder:
        path, secret = Path(folder) / "out.csv", Path(folder) / "secret.csv"
        found.write(path, secret)
        for file in sorted(Path(folder).iterdir()):
            kept[file.name] = digest(file.read_bytes())
        if more:
            kept["verified"] = digest(door.verify(path, graph, crosswalk=secret).document())
            rows = [line.split(",") for line in secret.read_text().splitlines()[1:]]
            pairs = [(row[0], row[1]) for row in rows]
            said = door.assess(path, graph, crosswalk=pairs, seed=SEED, worlds=3)
            kept["assessed"] = digest(said)
    return kept


def attacks(graph: nx.Graph[Any]) -> Iterator[tuple[str, Any]]:
    for kind, size in (
        ("walk", 3),
        ("passive", 3),
        ("degree", None),
        ("refinement", None),
        ("collusion", None),
    ):
        for words in (
            {"model": "naive"},
            {"model": "k-degree", "k": 3},
            {"model": "grouping", "k": 3},
            {"model": "random-perturbation", "share": 0.1},
            {"model": "k-degree"},
            {"model": "unheard-of"},
        ):
            name = " ".join([kind, *(str(one) for one in words.values())])

            def run(kind: str = kind, words: Any = words, size: Any = size) -> Any:
                return digest(
                    door.attack(graph, kind, **words, trials=3, size=size, rounds=2, seed=SEED)
                )

            yield name, attempt(run)


def results() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, graph in graphs():
        seen: set[str] = set()
        for words in requests():
            key = f"{name}: " + ", ".join(f"{word} {value}" for word, value in words.items())
            more = words["model"] not in seen
            seen.add(words["model"])
            found[key] = attempt(lambda w=words, m=more, g=graph: release(g, w, more=m))
            print(key)
        found |= {f"{name}: attack {kind}": said for kind, said in attacks(graph)}
        found[f"{name}: inspect"] = digest(door.inspect(graph))
        found[f"{name}: degrees"] = digest(
            door.private_degrees(graph, epsilon=1.0, seed=SEED).tolist()
        )
    return found


if __name__ == "__main__":
    main((__doc__ or "").splitlines()[0], results)
