"""Numbers in a release: midpoints and ends are those that the column's own texts say."""

import polars as pl
import pytest

import indistinct as ind


def released(column, **words):
    """Release one column of numbers, 2-anonymous."""
    policy = {
        "columns": {"x": {"role": "quasi-identifier"}},
        "models": [{"name": "k-anonymity", "k": 2}],
        **words,
    }
    return ind.anonymize(column.alias("x").to_frame(), ind.Policy.from_words(policy), seed=1).data


@pytest.mark.parametrize("dtype", [pl.UInt8, pl.Int8, pl.UInt16, pl.Int32, pl.UInt64])
def test_the_midpoint_of_a_whole_number_is_the_number(dtype):
    """Two times the number does not fit into the type."""
    largest = min(int(pl.select(dtype.max()).item()), 2**53)
    numbers = pl.Series([largest, 1, 1, largest], dtype=dtype)
    found = released(numbers, release={"intervals": "midpoint"})
    assert sorted(found["x"].to_list()) == [1.0, 1.0, float(largest), float(largest)]


@pytest.mark.parametrize("intervals", ["label", "bounds", "midpoint"])
@pytest.mark.parametrize("k", [2, 3])
def test_floats_that_a_tree_lists_are_released_in_every_form(tmp_path, intervals, k):
    """The tree has ``4.0``, and a bound of 4 is this number."""
    numbers = pl.Series("x", [4.0, 4.0, 5.5, 5.5])
    policy = ind.Policy.from_words(
        {
            "columns": {
                "x": {
                    "role": "quasi-identifier",
                    "hierarchy": {"tree": {"[0, 10)": ["4.0", "5.5"]}},
                }
            },
            "models": [{"name": "k-anonymity", "k": k}],
            "release": {"intervals": intervals},
        }
    )
    frame = numbers.to_frame()
    release = ind.anonymize(frame, policy, seed=1)
    low, high = ([0, 10] if k == 3 else [4, 5.5]) if intervals == "bounds" else [None, None]
    for ending in ("csv", "parquet"):
        path = tmp_path / f"r.{ending}"
        manifest = release.write(path)
        assert ind.verify(path, policy, manifest=manifest, original=frame).holds
    if intervals == "bounds":
        assert (release.data["x_min"].min(), release.data["x_max"].max()) == (low, high)


@pytest.mark.parametrize("intervals", ["bounds", "midpoint"])
@pytest.mark.parametrize("tree", [{"4": ["-4", "4"]}, {"5": ["4", "-4"]}])
def test_groups_whose_names_are_other_numbers_stay_names(intervals, tree):
    """Bounds of 4 and 4 would say that the number is 4."""
    words = {"role": "quasi-identifier", "hierarchy": {"tree": tree}, "min_level": 1}
    found = released(pl.Series([-4, 4] * 3), columns={"x": words}, release={"intervals": intervals})
    values = {value for below in tree.values() for value in below}
    shown = {f"{name} (level 1)" if name in values else name for name in tree}
    assert set(found["x"].to_list()) == shown


LISTED = {"[1, 4]": ["1", "4"], "[5, 5.5e3]": ["5", "5500"], "[6000, 1e9)": ["6000", "7000"]}


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
@pytest.mark.parametrize("intervals", ["label", "bounds", "midpoint"])
@pytest.mark.parametrize("form", ["tree", "csv"])
def test_ranges_that_a_file_or_a_tree_lists_are_released_in_every_form(
    tmp_path, algorithm, intervals, form
):
    """They may include their last number, and write numbers in their own way."""
    if form == "tree":
        rule = {"tree": LISTED}
    else:
        rows = [f"{value};{label};*" for label, values in LISTED.items() for value in values]
        (tmp_path / "h.csv").write_text("\n".join(rows))
        rule = {"csv": str(tmp_path / "h.csv"), "separator": ";"}
    words = {
        "columns": {"x": {"role": "quasi-identifier", "hierarchy": rule}},
        "models": [{"name": "k-anonymity", "k": 2}],
        "method": {"algorithm": algorithm},
        "release": {"intervals": intervals},
    }
    frame = pl.DataFrame({"x": [1, 4, 5, 5500, 6000, 7000, 7000, 7000]})
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(frame, policy, seed=1)
    for ending in ("csv", "parquet"):
        path = tmp_path / f"r.{ending}"
        manifest = release.write(path, crosswalk=tmp_path / "c.csv")
        proofs = {"original": frame, "crosswalk": tmp_path / "c.csv"}
        assert ind.verify(path, policy, manifest=manifest, **proofs).holds
        if intervals != "midpoint":  # which does not say what it covers
            assert ind.assess(path, policy, original=frame).classes["smallest"] >= 2
    if intervals == "bounds" and algorithm == "optimal":
        assert set(release.data.rows()) == {(1, 4), (5, 5500), (6000, 10**9)}


@pytest.mark.parametrize(
    "tree",
    [
        {"[5, 9)": ["5"], "[5, 9]": ["9"]},
        {"[5, 5]": ["5"], "[6, 9]": ["9"]},
        {"[5, 9223372036854775807]": ["5", "9"]},
    ],
)
def test_ranges_that_their_bounds_do_not_tell_stay_labels(tree):
    """Bounds of 5 and 9 would be those of two groups, and those of 2**63 - 1 are another number."""
    words = {"role": "quasi-identifier", "hierarchy": {"tree": tree}, "min_level": 1}
    found = released(pl.Series([5, 9] * 3), columns={"x": words}, release={"intervals": "bounds"})
    values = {value for below in tree.values() for value in below}
    shown = {f"{name} (level 1)" if name in values else name for name in tree}
    assert set(found["x"].to_list()) == shown


def test_doubles_of_many_digits_have_bounds():
    """The text of 0.1 + 0.2 is that double."""
    found = released(pl.Series([0.1 + 0.2, 1e-300] * 2), release={"intervals": "bounds"})
    assert set(found.rows()) == {(0.1 + 0.2, 0.1 + 0.2), (1e-300, 1e-300)}


@pytest.mark.parametrize("intervals", ["bounds", "midpoint"])
@pytest.mark.parametrize(
    ("dtype", "large"),
    [(pl.Int64, 2**53 + 1), (pl.Int128, 57684191140022421655060976634250597613)],
)
def test_numbers_that_are_no_doubles_keep_their_digits(intervals, dtype, large):
    """Bounds of 2**53 and 2**53 would not cover 2**53 + 1."""
    words = {
        "role": "quasi-identifier",
        "hierarchy": {"tree": {text: [text] for text in ("1", "2", str(large))}},
    }
    numbers = pl.Series([large] * 3 + [1, 2], dtype=dtype)
    found = released(numbers, columns={"x": words}, release={"intervals": intervals})
    assert sorted(map(str, found["x"].to_list())) == ["*", "*", *[str(large)] * 3]


def test_a_range_of_single_floats_ends_at_the_texts_of_its_numbers():
    """The largest is 606198720 as a double, and 606198700 as every file has it."""
    numbers = pl.Series([18.780996, 606198739.98], dtype=pl.Float32)
    exact = {"release": {"range_ends": "exact"}, "method": {"algorithm": "mondrian"}}
    assert released(numbers, **exact)["x"].unique().to_list() == ["[18.780996, 606198700]"]


@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive", "insensitive"])
@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64])
def test_minus_zero_is_zero_for_whoever_made_the_release_and_whoever_reads_it(
    tmp_path, role, dtype
):
    """The release has one zero, and holds when it is compared with the input."""
    table = pl.DataFrame(
        {"x": pl.Series([-0.0, 0.0, 1.0, 1.0], dtype=dtype), "q": ["a", "a", "b", "b"]}
    )
    words = {
        "columns": {"x": {"role": role}, "q": {"role": "quasi-identifier"}},
        "models": [{"name": "k-anonymity", "k": 2}],
    }
    if role == "sensitive":
        words["models"].append({"name": "t-closeness", "column": "x", "t": 0.6})
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(table, policy, seed=1)
    path = tmp_path / "release.parquet"
    release.write(path, crosswalk=tmp_path / "crosswalk.csv")
    found = ind.verify(path, policy, original=table, crosswalk=tmp_path / "crosswalk.csv")
    assert found.holds, found.faults
    assert "-0.0" not in pl.read_parquet(path)["x"].cast(pl.String).to_list()
