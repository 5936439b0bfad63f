"""Pictures drawn by hand: what is in them, and that nothing lies on anything else."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, strategies as st

from indistinct.frontends.report.charts.pairs import Pair, pair_chart
from indistinct.frontends.report.charts.scatter import HEIGHT, WIDTH, Dot, Mark, round_step, scatter
from shared import examples

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3))
DOTS = st.lists(
    st.builds(Dot, FIGURES, FIGURES, st.sampled_from(["k=2", "k=2, t=<0.1>"]), st.just("a & b"),
              st.sampled_from(Mark)),
    min_size=1, max_size=15,
)  # fmt: skip


def dot(x, y, label="k=2", mark=Mark.BEST):
    return Dot(x, y, label, f"{label}: said", mark)


def shapes(root):
    """Return the shapes of the points, legend left out."""
    return [group[1] for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]


def places(root):
    """Return the place of each point."""
    found = []
    for shape in shapes(root):
        if shape.tag == f"{SVG}circle":
            found.append((float(shape.get("cx")), float(shape.get("cy"))))
        else:
            top, _, bottom, _ = (
                tuple(map(float, c.split(","))) for c in shape.get("points").split()
            )
            found.append((top[0], (top[1] + bottom[1]) / 2))
    return found


@examples(60)
@given(DOTS)
def test_every_point_is_in_the_picture_once(dots):
    """Well-formed, and inside the frame, whatever the figures."""
    root = ET.fromstring(scatter("a < b & c", "x", "y", dots))
    assert len(places(root)) == len(dots)
    for x, y in places(root):
        assert 0 < x < WIDTH
        assert 0 < y < HEIGHT
    assert root.find(f"{SVG}title").text == "a < b & c"
    assert root.get("role") == "img"


def test_places_grow_with_the_figures():
    """More risk is further right, more cost is further up."""
    root = ET.fromstring(scatter("t", "x", "y", [dot(1, 5), dot(2, 9), dot(4, 5)]))
    (x1, y1), (x2, y2), (x3, y3) = places(root)
    assert x3 - x2 == pytest.approx(2 * (x2 - x1), abs=0.3)
    assert y1 == y3 > y2


def test_what_differs_in_color_differs_in_shape():
    """A diamond, a filled circle, a ring; the legend names those that occur."""
    dots = [dot(1, 1, mark=Mark.CHOSEN), dot(2, 2), dot(3, 3, mark=Mark.BEATEN)]
    picture = scatter("t", "x", "y", dots)
    kinds = {(shape.tag, shape.get("r")) for shape in shapes(ET.fromstring(picture))}
    assert len(kinds) == 3
    assert all(mark.value in picture for mark in Mark)
    assert f">{Mark.CHOSEN.value}<" not in scatter("t", "x", "y", [dot(1, 1)])


def test_the_line_goes_through_the_frontier_alone():
    """From left to right, around what is beaten."""
    dots = [dot(3, 1), dot(1, 3), dot(2, 9, mark=Mark.BEATEN), dot(2, 2, mark=Mark.CHOSEN)]
    root = ET.fromstring(scatter("t", "x", "y", dots))
    corners = root.find(f"{SVG}polyline").get("points").split()
    assert len(corners) == 3
    lefts = [float(corner.split(",")[0]) for corner in corners]
    assert lefts == sorted(lefts)


def test_labels_do_not_lie_on_each_other():
    """Where there is no room, a label is left out; its story stays."""
    dots = [dot(1 + step / 1000, 1, f"k={step:02d}", Mark.BEATEN) for step in range(40)]
    picture = scatter("t", "x", "y", [*dots, dot(9, 9, "far")])
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" [^>]*>(k=\d\d)<', picture)
    assert 0 < len(labels) < 40
    tops = [(float(x), float(y)) for x, y, _ in labels]
    for index, (x, y) in enumerate(tops):
        assert all(abs(y - b) >= 13 or abs(x - a) >= 20 for a, b in tops[:index])
    assert all(f"k={step:02d}: said" in picture for step in range(40))
    assert ">far<" in picture


def test_one_point_alone_and_points_on_a_line():
    """Nothing is divided by nothing."""
    for dots in ([dot(0, 0)], [dot(1, 2), dot(1, 3)], [dot(5, 2), dot(6, 2)]):
        ET.fromstring(scatter("t", "x", "y", dots))


@pytest.mark.parametrize(("length", "step"), [(0.07, 0.1), (1, 1), (1.5, 2), (3, 5), (70, 100)])
def test_steps_are_round(length, step):
    """1, 2 or 5 times a power of ten."""
    assert round_step(length) == pytest.approx(step)


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (0.0, "0%"),
        (0.0003, "<0.1%"),
        (0.001, "0.1%"),
        (0.0994, "9.9%"),
        (0.5, "50%"),
        (0.996, "99.6%"),
        (0.9997, ">99.9%"),
        (1.0, "100%"),
    ],
)
def test_a_small_share_is_not_written_as_nothing(share, written):
    chart = pair_chart("a-column", "A column", "It is small.", Pair(("x",), (share,), (0.0,)))
    assert chart.table.rows == [("x", written, "0%")]
