"""GraphModel: what is asked of a graph, and what a release then promises.

A model's file loads what it computes with when it runs: the command then opens at once, and
verification, which reads a model's values, loads nothing of what makes a release.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, final

from indistinct.base.parameters import build, check, parameter
from indistinct.graph.promise import LeastSize

if TYPE_CHECKING:
    from indistinct.base.arrays import Codes
    from indistinct.base.randomness import RandomSource
    from indistinct.graph.edges import Graph
    from indistinct.graph.grouping import Grouping


class ModelConversion(StrEnum):
    """What becomes of a word of one model where another model is asked for."""

    REFUSED = "refused"
    CHECKED = "checked"  # it must be in its range, and is then ignored
    IGNORED = "ignored"


def word(kind: type, *, elsewhere: ModelConversion = ModelConversion.REFUSED, **bounds: Any) -> Any:
    """Declare a word of a model: a :func:`~indistinct.base.parameters.parameter`, and no more.

    Parameters
    ----------
    kind, bounds : as of a parameter
    elsewhere : what becomes of it where a model is asked for that does not have it
    """
    declared = parameter(kind, **bounds)
    metadata = {**declared.metadata, "elsewhere": elsewhere}
    return dataclasses.field(default=declared.default, metadata=metadata)


def input_file(*, help: str) -> Any:  # noqa: A002 - the word users and documentation tools know
    """Declare a file that a model reads; in Python what was read from it may stand there, too."""
    return dataclasses.field(default=None, metadata={"file": help})


@final
@dataclass(frozen=True, slots=True, eq=False)
class Anonymized:
    """A changed graph on the input's vertices, and what is said of it.

    Parameters
    ----------
    graph : the changed graph
    cost, lower_bound : of the document, where the model knows them
    more : further entries of the document, in its order
    levels : the levels, where they are not those that the changed graph shows
    shown : per vertex attribute that the model has coarsened, a text for each vertex; at most one
    grouping : what is published of groups, where the model has some
    groups : (n_vertices,), secret: group of each vertex
    tables : the files of :attr:`GraphModel.companions`, by suffix
    """

    graph: Graph
    cost: int | None = None
    lower_bound: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    levels: Mapping[str, int] | None = None
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    grouping: Grouping | None = None
    groups: Codes | None = None
    tables: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True, slots=True)
class GraphModel(ABC):
    """A way to publish a graph: its fields are its words.

    Raises
    ------
    ParameterError
        when a word lies outside its range, all of them named
    """

    name: ClassVar[str]
    promise: ClassVar[str]  # for lay people, its parameters in braces
    leaves_open: ClassVar[tuple[str, ...]]  # what it does not protect against, likewise
    knowledge: ClassVar[str] = "degree"  # the fingerprints on whose classes it promises something
    keeps_edges: ClassVar[bool] = False
    keeps_degrees: ClassVar[bool] = False
    publishes_groups: ClassVar[bool] = False  # and a world drawn from them in place of the graph
    companions: ClassVar[tuple[str, ...]] = ()  # suffixes of the tables beside the edge list
    promises: ClassVar[tuple[str, ...]] = ()  # fields that :meth:`required` may give
    entries: ClassVar[tuple[str, ...]] = ()  # names of :attr:`Anonymized.more`, in their order
    in_trials: ClassVar[Mapping[str, Any]] = {}  # defaults of attacks, which publish many times

    def __post_init__(self) -> None:
        """Check every word once."""
        check(self)

    @abstractmethod
    def anonymize(self, graph: Graph, source: RandomSource) -> Anonymized:
        """Change the edges as the model wants; the vertices keep their numbers."""

    @classmethod
    def promised(cls, required: Mapping[str, Any]) -> LeastSize | None:
        """Return the least size that a release promises; None where it promises none.

        Parameters
        ----------
        required : as :meth:`required` gives it, or a manifest says

        Raises
        ------
        ParameterError : it lacks a word, or one is out of range
        """
        del required
        return None

    def required(self) -> dict[str, Any]:
        """Return what a release has to reach, as the manifest names it."""
        return {}

    def achieved(self, levels: Mapping[str, int], more: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a release has reached, for each word of :meth:`required`.

        Parameters
        ----------
        levels : size of the smallest class under each knowledge
        more : of :class:`Anonymized`
        """
        del more
        promise = self.promised(self.required())
        return {} if promise is None else promise.achieved(levels[self.knowledge])


@dataclass(frozen=True, slots=True)
class LeastSizeModel(GraphModel):
    """A model that promises k-anonymity on the classes of some fingerprints."""

    promises: ClassVar[tuple[str, ...]] = ("k",)

    # Whoever compares models gives all of them the same k, so those without one pass it over.
    k: int = word(
        int, at_least=2, elsewhere=ModelConversion.IGNORED, help="Smallest size of a class."
    )

    @classmethod
    def promised(cls, required: Mapping[str, Any]) -> LeastSize:
        """Return the least size of a class."""
        known = {name: value for name, value in required.items() if name == "k"}
        return build(LeastSize, known, "required")

    def required(self) -> dict[str, Any]:
        """Return the least size of a class."""
        return {"k": self.k}


def edge_mode() -> Any:
    """Declare how edges may change."""
    return word(
        str,
        choices=("add", "delete", "mixed"),
        default="mixed",
        elsewhere=ModelConversion.CHECKED,
        help="How edges may change: add, delete or mixed.",
    )


def share_of_edges() -> Any:
    """Declare how many edges a random model changes."""
    return word(
        float,
        at_least=0,
        at_most=1,
        default=0.05,
        elsewhere=ModelConversion.IGNORED,
        help="Share of edges that the random models change, 0 to 1.",
    )
