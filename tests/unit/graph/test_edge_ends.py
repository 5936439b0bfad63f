"""Ends of edges: ids that read alike, people without ties, and columns that never meet."""

import pytest

from indistinct.errors import DataError
from indistinct.graph.cleaning import left_out
from indistinct.graph.graph_files import parse_edges


def edges(lines, header="source,target"):
    return "\n".join([header, *lines, ""]).encode()


def ring(n, write=str, other=str):
    return [f"{write(at)},{other((at + step) % n)}" for at in range(n) for step in (1, 2)]


def test_ids_with_a_fraction_of_zeros_are_the_same_people():
    graph = parse_edges(edges(ring(30, str, lambda at: f"{at}.0")), "a.csv")
    assert graph.n_vertices == 30
    plain = parse_edges(edges(ring(30)), "a.csv")
    assert graph.n_edges == plain.n_edges
    texts = parse_edges(edges(["7.0,a", "a,7"]), "a.csv")
    assert texts.n_vertices == 3


@pytest.mark.parametrize("word", ["NA", "NULL", "nan", "\\N", "."])
def test_people_without_ties_have_a_word_in_place_of_the_other_end(word):
    graph = parse_edges(edges([*ring(10), f"42,{word}", f"43,{word}"]), "a.csv")
    assert graph.n_vertices == 12
    assert graph.n_edges == parse_edges(edges(ring(10)), "a.csv").n_edges
    assert "the missing other ends of 2 vertices" in left_out(graph.cleaning)


def test_a_word_in_both_columns_is_a_person():
    graph = parse_edges(edges(["a,NA", "NA,b", "b,a"]), "a.csv")
    assert graph.n_vertices == 3


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (ring(30, lambda at: f"{at + 100}", lambda at: f"0{at + 100}"), "007 and 7"),
        ([f"{at},{1000 + at % 5}" for at in range(30) for _ in "ab"], "two kinds of vertices"),
        ([f"p{at % 12},club {at % 5}" for at in range(60)], "two kinds of vertices"),
    ],
)
def test_columns_that_never_meet_are_refused(lines, said):
    with pytest.raises(DataError) as refused:
        parse_edges(edges(lines), "a.csv")
    (fault,) = refused.value.faults
    assert fault.problem == "no id stands in both columns"
    assert said in fault.remedy


def test_a_star_and_pairs_are_graphs():
    assert parse_edges(edges([f"1,{at}" for at in range(2, 40)]), "a.csv").n_vertices == 39
    assert parse_edges(edges([f"{at},{at + 1}" for at in range(0, 60, 2)]), "a.csv").n_edges == 30


def test_ids_that_begin_like_comments_are_refused_in_words():
    with pytest.raises(DataError, match="all lines below the header begin with # or %"):
        parse_edges(edges(["#1,#2", "#2,#3"]), "a.csv")
