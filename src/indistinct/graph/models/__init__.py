"""Graph models: one file each, and the words that all of them together have."""

from __future__ import annotations

from indistinct.graph.models.grouping import KGrouping
from indistinct.graph.models.k_degree import KDegree
from indistinct.graph.models.k_neighborhood import KNeighborhood
from indistinct.graph.models.model import GraphModel
from indistinct.graph.models.naive import Naive
from indistinct.graph.models.random_perturbation import RandomPerturbation, RandomSwitch

GRAPH_MODELS: tuple[type[GraphModel], ...] = (
    Naive,
    KDegree,
    KNeighborhood,
    KGrouping,
    RandomPerturbation,
    RandomSwitch,
)

GRAPH_MODELS_BY_NAME = {model.name: model for model in GRAPH_MODELS}
