"""Graph releases on the disk, and what a dishonest publisher can do to them."""

from __future__ import annotations

import csv
import hashlib
import json

import networkx as nx

from indistinct.base.files.documents import json_text
from indistinct.graph.anonymization import anonymize
from indistinct.graph.verification import verify


def network():
    graph = nx.relabel_nodes(nx.barabasi_albert_graph(60, 2, seed=1), lambda node: f"p{node}")
    graph.add_nodes_from(f"alone{number}" for number in range(4))
    nx.set_node_attributes(graph, {node: f"job {len(node)}" for node in graph}, "job")
    return graph


class Published:
    """A release on the disk, which a dishonest publisher can change; the hashes follow."""

    def __init__(self, folder, model="k-degree", name="out.csv", graph=None, **words):
        self.path = folder / name
        self.secret = folder / "secret.csv"
        self.graph = network() if graph is None else graph
        words = {"k": 3, "seed": 1, **words}
        anonymize(self.graph, model, **words).write(self.path, self.secret)

    def say(self, place, value):
        """Change an entry of the manifest."""
        document = self.manifest()
        *before, last = place.split(".")
        inner = document
        for word in before:
            inner = inner[word]
        inner[last] = value
        self.file(".manifest.json").write_text(json_text(document))

    def manifest(self):
        return json.loads(self.file(".manifest.json").read_text())

    def file(self, suffix):
        if suffix == ".manifest.json":
            return self.path.with_name(self.path.name + suffix)
        return self.path if not suffix else self.path.with_name("out" + suffix)

    def rows(self, suffix=""):
        with self.file(suffix).open() as file:
            return list(csv.reader(file))

    def links(self):
        return list(csv.reader(self.secret.read_text().splitlines()))

    def put(self, rows, suffix=""):
        """Write other rows and let the manifest name their hash."""
        file = self.file(suffix)
        file.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
        document = self.manifest()
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        document["files"][file.name] = {"sha256": digest}
        self.file(".manifest.json").write_text(json_text(document))

    def verify(self, *, fully=False):
        if fully:
            return verify(self.path, original=self.graph, crosswalk=self.secret)
        return verify(self.path)
