"""The worked examples: small tables whose fitting tables can all be listed."""

import gzip

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from count_tables import TOTAL, Reader, by_two, tabulated
from indistinct.aggregates.audit import audit
from indistinct.aggregates.check import check_texts
from indistinct.aggregates.equations import Equations
from indistinct.aggregates.shown import CountPromise, Shown
from indistinct.errors import PolicyError, TablesError


def inner(rows, columns):
    """Return the keys of inner cells by their places."""
    return [(f"a{row}", f"b{column}") for row in rows for column in columns]


def seen(grid, hidden, zeros="publish"):
    """Return a reader of a table of two dimensions, in which some cells are hidden."""
    published = tabulated(by_two(grid), [["a", "b"]], minimum=2, zeros=zeros, keep=["a=*", "b=*"])
    reader = Reader(published, hidden)
    data = by_two(grid)
    counts = {(a, b): n for a, b, n in data.group_by("a", "b").len().iter_rows()}
    for a in (f"a{n + 1}" for n in range(len(grid))):
        for b in (f"b{n + 1}" for n in range(len(grid[0]))):
            reader.shown[a, b] = counts.get((a, b), 0)
    return reader


def ranges(reader, cells, **known):
    return [list(reader.range_of(cell, **known)) for cell in cells]


FOUR = inner((1, 2), (1, 2))


def test_one_hidden_cell_alone_is_known():
    assert seen([[2, 8], [7, 5]], [("a1", "b1")]).range_of(("a1", "b1")) == (2, 2)


def test_four_hidden_cells_of_a_square_have_ranges():
    grid = [[2, 9, 6], [8, 4, 7], [5, 7, 9]]
    reader = seen(grid, FOUR)
    assert len(list(reader.tables())) == 9
    assert ranges(reader, FOUR) == [[1, 9], [2, 10], [1, 9], [3, 11]]
    reader.least = 0
    assert len(list(reader.tables())) == 11
    assert ranges(reader, FOUR) == [[0, 10], [1, 11], [0, 10], [2, 12]]
    assert ranges(seen(grid, FOUR[:3]), FOUR[:3]) == [[2, 2], [9, 9], [8, 8]]
    # "2 is below 5", told: [1, 4].
    reader.least = 1
    assert reader.range_of(FOUR[0], within={FOUR[0]: (1, 4)}) == (1, 4)


def test_the_first_example_is_published_as_it_is_written():
    data = by_two([[2, 9, 6], [8, 4, 7], [5, 7, 9]])
    tables = ind.tabulate(data, rows="a", columns="b", minimum=5)
    assert Reader(tables).hidden == set(FOUR)
    assert tables.sentences == (
        (
            "4 counts are hidden (c): those below 5, and others so that none of them can be worked "
            "out from the totals."
        ),
        (
            "Checked: 2 complete tables agree with everything shown; in them each hidden count "
            "differs by 8 or more and can be 5 or more."
        ),
        "Not checked: other tables of these people; publish them in one run with this one.",
    )
    assert [list(row) for row in tables.witnesses.select("w1", "w2").iter_rows()] in (
        [[1, 9], [10, 2], [9, 1], [3, 11]],
        [[9, 1], [2, 10], [1, 9], [11, 3]],
    )


def test_a_table_that_does_not_add_up_is_no_witness():
    data = by_two([[2, 9, 6], [8, 4, 7], [5, 7, 9]])
    files = ind.tabulate(data, rows="a", columns="b", minimum=5).files()
    text = gzip.decompress(files["witnesses.csv.gz"]).decode()
    assert check_texts(files, None).holds
    assert text.count(",3\n") + text.count(",3,") == 1
    wrong = text.replace(",11\n", ",12\n").replace(",11,", ",12,")
    found = check_texts({**files, "witnesses.csv.gz": gzip.compress(wrong.encode())}, None)
    assert found.holds is False
    assert "table.csv: a2 x * is not the sum of its parts by b" in found.reasons


def test_small_cells_beside_each_other_need_more_than_a_square():
    grid = [[1, 1, 6], [5, 4, 3], [2, 8, 7]]
    reader = seen(grid, FOUR, zeros="hide")
    assert len(list(reader.tables())) == 3
    assert ranges(reader, FOUR) == [[0, 2], [0, 2], [4, 6], [3, 5]]
    reader.least = 1
    assert ranges(reader, FOUR) == [[1, 1], [1, 1], [5, 5], [4, 4]]
    known = seen([[2, 2, 6], [9, 4, 3], [2, 8, 7]], FOUR)
    assert ranges(known, FOUR)[:2] == [[1, 3], [1, 3]]  # 5 is out of reach
    zero = seen([[0, 3, 6], [5, 4, 3], [2, 8, 7]], FOUR, zeros="hide")
    assert zero.range_of(FOUR[0]) == (0, 3)
    zero.least = 1
    assert zero.range_of(FOUR[0]) == (1, 2)  # without the truth


def areas():
    """Return people of two areas by sex and by age."""
    rows = []
    sexes = {"a1": "ffmmmmmmm", "a2": "ffffffmmmmm"}
    ages = {"a1": "yyyyooooo", "a2": "yyyyyyyyooo"}
    for area, own in sexes.items():
        rows += [
            {"area": area, "sex": sex, "age": age} for sex, age in zip(own, ages[area], strict=True)
        ]
    return pl.DataFrame(rows)


def test_two_tables_that_share_totals_are_one_family():
    published = tabulated(areas(), [["area", "sex"], ["area", "age"]], minimum=2)
    hidden = [("a1", "f", TOTAL), ("a2", "f", TOTAL), ("a1", TOTAL, TOTAL), ("a2", TOTAL, TOTAL)]
    reader = Reader(published, hidden)
    reader.shown |= {("a1", "f", TOTAL): 2, ("a2", "f", TOTAL): 6}
    assert reader.range_of(hidden[0]) == (2, 2)
    assert reader.range_of(hidden[2]) == (9, 9)
    more = [*hidden, ("a1", TOTAL, "y"), ("a2", TOTAL, "y")]
    assert Reader(published, more).range_of(hidden[0]) == (1, 7)
    protected = Reader(tabulated(areas(), [["area", "sex"], ["area", "age"]], minimum=5))
    for key in protected.hidden:
        assert protected.can_be(key, 5)


def test_a_continuous_interval_proves_nothing():
    """All margins and some inner cells of three linked tables: one table in whole numbers."""
    pairs = {"ab": [[4, 2], [1, 3]], "bc": [[2, 3], [1, 4]], "ac": [[2, 4], [1, 3]]}
    values, sums, hidden = {}, [], set()
    for (first, second), grid in pairs.items():
        for n in (0, 1):
            for m in (0, 1):
                values[f"{first}{n + 1}{second}{m + 1}"] = grid[n][m]
        for n in (0, 1):
            values[f"{first}{n + 1}"] = sum(grid[n])
            values[f"{second}{n + 1}"] = grid[0][n] + grid[1][n]
            sums.append((f"{first}{n + 1}", [f"{first}{n + 1}{second}{m}" for m in (1, 2)]))
            sums.append((f"{second}{n + 1}", [f"{first}{m}{second}{n + 1}" for m in (1, 2)]))
        sums.append(("T", [f"{first}1", f"{first}2"]))
        sums.append(("T", [f"{second}1", f"{second}2"]))
    values["T"] = 10
    hidden = sorted(
        {"a1", "a2", "b1", "b2", "c1", "c2", "a1b1", "a2b2", "b1c1", "b2c2"}
        | {"a1c1", "a1c2", "a2c1"}
    )
    rows = [
        [(key, 1 if key == parent else -1) for key in (parent, *parts)] for parent, parts in sums
    ]
    right = [-sum(sign * values[key] for key, sign in row if key not in hidden) for row in rows]
    own = [[(hidden.index(key), sign) for key, sign in row if key in hidden] for row in rows]
    starts = np.cumsum([0, *map(len, own)])
    entries = [entry for row in own for entry in row]
    equations = Equations(
        starts,
        np.array([cell for cell, _ in entries]),
        np.array([sign for _, sign in entries]),
        len(hidden),
    )
    shown = Shown(np.ones(len(hidden), np.int64), equations, np.array(right))
    found = audit(shown, CountPromise(1, 0))
    assert len(found.refuted) == len(hidden)
    assert not len(found.undecided)


def test_nothing_hidden_holds(tmp_path):
    tables = ind.tabulate(by_two([[5, 6], [7, 8]]), rows="a", columns="b", minimum=5)
    assert tables.sentences[0] == "No count is below 5; nothing is hidden."
    tables.write(tmp_path / "out")
    assert not (tmp_path / "out" / "witnesses.csv.gz").exists()
    assert ind.verify(tmp_path / "out").holds is True


def towns():
    """Return people of four towns in two regions."""
    grid = [[2, 8], [7, 9], [6, 7], [9, 6]]
    data = by_two(grid, ("town", "sex"))
    region = pl.when(pl.col("town").is_in(["town1", "town2"])).then(pl.lit("R1"))
    return data.with_columns(region.otherwise(pl.lit("R2")).alias("region"))


BESIDE = [["town", "sex"], ["region", "sex"]]


def test_columns_that_follow_from_each_other_are_refused_or_protected():
    """By towns alone four cells are hidden; the regions beside them would tell all four."""
    with pytest.raises(TablesError, match="town lies within region"):
        tabulated(towns(), BESIDE)
    apart = tabulated(towns(), BESIDE, apart=[["town", "region"]])
    assert "apart" in {one["code"] for one in apart.manifest["not_checked"]}
    tree = {"R1": ["town1", "town2"], "R2": ["town3", "town4"]}
    columns = {"town": {"hierarchy": {"tree": tree}}}
    alone = Reader(tabulated(towns(), [["town", "sex"]]))
    assert len(alone.hidden) == 4
    together = tabulated(
        towns(),
        [["town", "sex"], {"name": "regions", "rows": ["town", "sex"], "lowest": {"town": 1}}],
        columns=columns,
    )
    reader = Reader(together)
    assert ("town1", "sex1") in reader.hidden
    for key in reader.hidden:
        assert reader.can_be(key, 5)


def test_a_person_in_two_cells_is_counted_by_nobody():
    rows = [{"row": "A", "who": 0}] * 5 + [{"row": "B", "who": 0}] * 7
    rows += [{"row": "C", "who": n} for n in range(1, 21) for _ in (1, 2)]
    with pytest.raises(TablesError, match="1 person stands in two cells of a table: their row"):
        ind.tabulate(pl.DataFrame(rows), rows="row", minimum=5, person="who")


def test_whoever_is_alone_in_a_hidden_cell_does_not_work_out_another():
    """She knows that one of the four is 1; two cells of the third row are hidden as well."""
    grid = [[2, 9, 6], [8, 1, 7], [5, 7, 9]]
    reader = seen(grid, FOUR)
    assert ranges(reader, FOUR) == [[2, 9], [2, 9], [1, 8], [1, 8]]
    assert ranges(reader, FOUR, fixed={("a2", "b2"): 1}) == [[2, 2], [9, 9], [8, 8], [1, 1]]
    published = ind.tabulate(by_two(grid), rows="a", columns="b", minimum=5)
    known = Reader(published)
    assert known.hidden == {*FOUR, ("a3", "b1"), ("a3", "b2")}
    assert known.range_of(FOUR[0]) == (1, 10)
    assert known.range_of(FOUR[0], fixed={("a2", "b2"): 1})[1] == 6
    assert published.owner["repaired"] == 1
    assert published.owner["value"] == 29


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"share": {"died": "yes"}}, "come later"),
        ({"mean": "age"}, "come later"),
        ({"median": "age"}, "Publish counts per band"),
        ({"profile": "acro"}, "come later"),
        ({"profile": "opensafely"}, "a minimum alone would be weaker than opensafely"),
    ],
)
def test_words_that_come_later_are_refused(words, said):
    with pytest.raises(ind.UsageError, match=said):
        ind.tabulate(by_two([[5, 6], [7, 8]]), rows="a", minimum=5, **words)


@pytest.mark.parametrize(
    "words",
    [
        {"columns": {"a": {"role": "measure"}}},
        {"data": {"holding": "a"}},
        {"data": {"weight": "a"}},
        {"publish": {"method": "round"}},
        {"publish": {"effort": "exact"}},
        {"publish": {"apriori": "a.csv"}},
        {"publish": {"rules": [{"p_percent": 10}]}},
        {"publish": {"rules": [{"minimum": 5}], "tables": [{"rows": ["a"], "measures": ["b"]}]}},
    ],
)
def test_words_of_a_policy_that_come_later_are_refused(words):
    said = {"publish": {"rules": [{"minimum": 5}], "tables": [{"rows": ["a"]}]}, **words}
    with pytest.raises(PolicyError, match=r"comes? later"):
        ind.tabulate(by_two([[5, 6], [7, 8]]), said)
