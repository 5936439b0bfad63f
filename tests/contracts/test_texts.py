"""What models and methods promise stands beside their definitions, in words for everybody."""

import re
from string import Formatter

import pytest

from indistinct.base.parameters import declared
from indistinct.graph.models import GRAPH_MODELS
from indistinct.tables.masks import MASKS
from indistinct.tables.models import MODELS
from indistinct.tables.search import ALGORITHMS

PROMISING = [*MODELS, *MASKS.values(), *GRAPH_MODELS]


def fields(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def is_whole_sentences(text):
    return text[:1].isupper() and text.endswith(".") and "  " not in text


@pytest.mark.parametrize("kind", PROMISING, ids=lambda kind: kind.name)
def test_a_promise_is_whole_sentences_about_its_own_parameters(kind):
    known = set(declared(kind)) | {"column"}
    assert kind.leaves_open
    for text in (kind.promise, *kind.leaves_open):
        assert is_whole_sentences(text)
        assert fields(text) <= known


@pytest.mark.parametrize("kind", PROMISING, ids=lambda kind: kind.name)
def test_a_promise_is_a_class_of_its_own_saying(kind):
    """No class says what another one says: a copied text would be about the wrong model."""
    assert [other for other in PROMISING if other.promise == kind.promise] == [kind]


@pytest.mark.parametrize("kind", ALGORITHMS, ids=lambda kind: kind.name)
def test_an_algorithm_says_what_it_does_to_a_table(kind):
    assert is_whole_sentences(kind.in_words)
    assert not re.search(r"lattice|node|recoding|equivalence", kind.in_words)
