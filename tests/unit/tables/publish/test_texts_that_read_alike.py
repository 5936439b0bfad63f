"""Honest tables whose values read like labels, and labels like values; the fuzz found them."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import HierarchyError, NoSolutionError
from indistinct.tables.search import ALGORITHMS_BY_NAME

QUASI = {"role": "quasi-identifier"}
SENSITIVE = {"role": "sensitive"}
K2 = {"name": "k-anonymity", "k": 2}
CLOSE = {
    "name": "t-closeness",
    "column": "s",
    "t": 0.9,
    "distance": "hierarchical",
    "missing_counts": True,
}


def released(columns, words, models=(K2,), **tables):
    policy = ind.Policy(columns=words, models=list(models), **tables)
    return ind.anonymize(pl.DataFrame(columns), policy, seed=1)


def test_a_value_that_is_also_a_group_is_generalized_along_its_own_path(tmp_path):
    tree = {"north": {"a": ["b"]}, "south": {"c": ["a"]}}
    columns = {"x": ["a", "a"]}
    words = {"x": {**QUASI, "hierarchy": {"tree": tree}, "min_level": 2}}
    policy = ind.Policy(columns=words, models=[K2])
    path = tmp_path / "release.csv"
    ind.anonymize(pl.DataFrame(columns), policy, seed=1).write(path)
    assert pl.read_csv(path)["x"].to_list() == ["south", "south"]
    assert ind.verify(path, policy, original=pl.DataFrame(columns)).holds


@pytest.mark.parametrize("model", ["t-closeness", "nt-closeness"])
def test_texts_that_are_all_numbers_are_ordered_as_numbers(model, tmp_path):
    """A text file has no types: who reads 2 and 12 in it knows that 2 is the smaller one."""
    ordered = {"name": model, "column": "s", "t": 0.4, "distance": "ordered"}
    ordered |= {"n": 4} if model == "nt-closeness" else {}
    columns = {"q": ["0", "yes", "1", "z"], "s": ["2", "01", "12", "01"]}
    words = {"q": QUASI, "s": SENSITIVE}
    release = released(columns, words, [ordered], method={"algorithm": "local"})
    assert ("1", "12") not in release.data.rows()
    release.write(tmp_path / "release.csv")


def test_a_word_that_reads_like_a_decade_is_no_decade():
    """Nothing was generalized, so nothing is lost."""
    release = released({"x": ["2020s", "2020", "2020s", "2020"]}, {"x": QUASI})
    assert sorted(release.data["x"]) == ["2020", "2020", "2020s", "2020s"]
    assert release.owner["loss"]["loss"] == 0


def test_a_month_among_days_loses_nothing_where_only_forms_are_known(tmp_path):
    """Which records took part is not known, since the sensitive column was changed by chance."""
    masked = {**SENSITIVE, "protect": {"name": "microaggregation", "k": 3}}
    tree = {"tree": {"g": ["a", "b"], "h": [""]}}
    columns = {"q": ["2020-01-15", "2020-01", "2020-01"], "s": ["a", "a", None]}
    words = {"q": QUASI, "s": {**masked, "hierarchy": tree}}
    data = {"missing_as": "suppress"}
    release = released(columns, words, [{**CLOSE, "t": 0.2}], data=data)
    policy = ind.Policy(columns=words, models=[{**CLOSE, "t": 0.2}], data=data)
    assert release.owner["loss"]["loss"] == 0
    release.write(tmp_path / "release.csv")
    found = ind.verify(tmp_path / "release.csv", policy, original=pl.DataFrame(columns))
    assert not found.faults


@pytest.mark.parametrize("mask", [1, 2, 4])
def test_the_height_of_a_mask_says_nothing_of_suppressed_values(mask):
    """The distance among released records is that of a table without the suppressed one."""
    columns = {"q": list("aabb"), "s": list("xyyy")}
    words = {"q": QUASI, "s": {**SENSITIVE, "hierarchy": {"mask": mask}}}
    without = released(columns, words, [CLOSE]).manifest["models"][0]["achieved"]
    columns = {"q": [*columns["q"], "b"], "s": [*columns["s"], None]}
    suppressed = released(columns, words, [CLOSE], data={"missing_as": "suppress"})
    assert suppressed.data.height == 4
    assert suppressed.manifest["models"][0]["achieved"] == without


@pytest.mark.parametrize("mask", [1, 2, 3])
def test_the_word_for_a_missing_value_is_masked_in_sensitive_columns(mask):
    columns = {"q": list("aaabb"), "s": [None, "xx", "yy", "yy", "yy"]}
    words = {"q": QUASI, "s": {**SENSITIVE, "hierarchy": {"mask": mask}}}
    release = released(columns, words, [CLOSE], data={"missing": ["NA"]})
    assert release.manifest["models"][0]["holds"]


@pytest.mark.parametrize(
    "algorithm",
    [
        name
        for name, kind in ALGORITHMS_BY_NAME.items()
        if not (kind.republishes or kind.reads_sensitive)
    ],
)
def test_no_root_is_added_above_a_level_that_the_policy_names(algorithm, tmp_path):
    """The file has no common label for all values, and max_level is its last level."""
    (tmp_path / "h.csv").write_text("T;t\ny;y\nz;y\n")
    rule = {"csv": str(tmp_path / "h.csv"), "separator": ";"}
    method = {"algorithm": algorithm}
    for min_level in (0, 1):
        x = {**QUASI, "hierarchy": rule, "min_level": min_level, "max_level": 1}
        with pytest.raises(NoSolutionError):
            released({"x": list("Tyz")}, {"x": x}, method=method)
    release = released({"x": list("TTyz")}, {"x": x}, method=method)
    assert sorted(release.data["x"]) == ["t", "t", "y (level 1)", "y (level 1)"]


@pytest.mark.parametrize("rule", [{}, {"csv": "h.csv", "separator": ";"}, {"mask": 2}])
def test_a_value_of_a_star_is_refused_unless_it_is_missing(rule, tmp_path):
    """Nobody could tell it from a hidden cell, and the root loses 1 where the value loses 0."""
    (tmp_path / "h.csv").write_text("a;x\n*;y\nb;z\n;w\n")
    x = QUASI | ({"hierarchy": rule} if rule else {})

    def publish(**data):
        words = {"columns": {"x": x}, "models": [K2], "method": {"algorithm": "local"}}
        policy = ind.Policy.from_words(words | ({"data": data} if data else {}), tmp_path)
        return ind.anonymize(pl.DataFrame({"x": ["a", "*", "a", "*"]}), policy, seed=1)

    with pytest.raises(HierarchyError, match="written like a hidden cell: 1 of them"):
        publish()
    assert sorted(publish(missing=["", "*"]).data["x"].fill_null("")) == ["", "", "a", "a"]


@pytest.mark.parametrize("group", ["", "NA"])
def test_a_group_that_reads_like_a_missing_value_is_refused(group):
    tree = {group: ["a", "b"], "others": ["", "c"]}
    columns = {"x": ["a", "b", "a", None]}
    words = {"x": {**QUASI, "hierarchy": {"tree": tree}}}
    with pytest.raises(HierarchyError, match="level 1, a group has no name, or one that stands"):
        released(columns, words, data={"missing": ["", "NA"]})
    tree = {"some": ["a", "b"], group: [""]}
    words = {"x": {**QUASI, "hierarchy": {"tree": tree}, "min_level": 1}}
    release = released({"x": ["a", "b", None, None]}, words, data={"missing": ["", "NA"]})
    assert sorted(release.data["x"].fill_null("")) == ["", "", "some", "some"]
    tree = {"some": ["a", "b"], group: ["?"]}
    words = {"x": {**QUASI, "hierarchy": {"tree": tree}, "min_level": 1}}
    release = released({"x": ["a", "b", None, None]}, words, data={"missing": ["?", "NA", ""]})
    assert sorted(release.data["x"].fill_null("")) == ["", "", "some", "some"]


@pytest.mark.parametrize(("missing", "distance"), [(["?", "NA", ""], 0.2), (["", "NA"], 0.1)])
def test_the_first_listed_word_for_a_missing_value_has_the_labels_above_it(
    missing, distance, tmp_path
):
    """A file may list two words for a missing value, in two groups.

    Of five values, four are missing and one is "a", and a class of three has two of the missing
    ones: mass of 1/3 - 1/5 moves at the whole cost between two groups, at half of it within one.
    The class of the other two moves 1/5.
    """
    (tmp_path / "h.csv").write_text(";g0;*\na;g0;*\nNA;g1;*\n")
    words = {
        "q": {**QUASI, "hierarchy": {"tree": {"x": ["1"], "y": ["2"]}}},
        "s": {**SENSITIVE, "hierarchy": {"csv": str(tmp_path / "h.csv"), "separator": ";"}},
    }
    columns = {"q": ["1", "1", "1", "2", "2"], "s": [None, None, "a", "NA", None]}
    release = released(columns, words, [CLOSE], data={"missing": missing})
    assert release.manifest["models"][0]["achieved"]["t"] == pytest.approx(distance)


@pytest.mark.parametrize("text", ["a**", "**", "1*A", "*", "a*"])
@pytest.mark.parametrize("mask", [1, 2])
def test_values_with_a_star_are_refused_in_a_column_with_a_mask(text, mask):
    """Whoever reads the release alone would take ``a**`` for a cell with two hidden characters."""
    words = {"x": {**QUASI, "hierarchy": {"mask": mask}}}
    with pytest.raises(HierarchyError, match=r"columns\.x: contains values that are written like"):
        released({"x": [text, "ab"] * 2}, words)


@pytest.mark.parametrize("engine", ["memory", "polars"])
def test_a_value_of_stars_counts_as_its_readers_count_it_beside_people(engine, tmp_path):
    """People whose value is ``**`` look like every mask of two stars."""
    values = [" a", "**", " a", "1912-05-15", *["43"] * 5, "**", "20", None, None]
    frame = pl.DataFrame({"x": values})
    frame.write_parquet(tmp_path / "in.parquet")
    pl.concat([frame] * 3).write_parquet(tmp_path / "people.parquet")
    policy = ind.Policy.from_words(
        {
            "columns": {"x": QUASI},
            "models": [K2],
            "method": {"algorithm": "ola", "max_suppression": 1.0},
            "population": {"data": "people.parquet"},
        },
        tmp_path,
    )
    release = ind.anonymize(tmp_path / "in.parquet", policy, engine=engine)
    release.write(tmp_path / "out.parquet")
    assert ind.verify(tmp_path / "out.parquet", policy, original=tmp_path / "in.parquet").holds


@pytest.mark.parametrize("reading", ["value", "any"])
def test_no_star_is_above_a_common_label_that_the_policy_names(reading, tmp_path):
    """The file ends with one label for all values, which is not "*", and max_level is its level."""
    (tmp_path / "h.csv").write_text("T;t;all\ny;y;all\n")
    x = {**QUASI, "hierarchy": {"csv": str(tmp_path / "h.csv"), "separator": ";"}}
    words = {"method": {"algorithm": "cell-suppression"}, "release": {"suppressed_cell": reading}}
    assert "*" in released({"x": list("Ty")}, {"x": x}, **words).data["x"]
    with pytest.raises(NoSolutionError):
        released({"x": list("Ty")}, {"x": {**x, "max_level": 2}}, **words)


@pytest.mark.parametrize(
    ("one", "other"), [("**", "23"), ("01", "1"), ("2020", "2020-01-05"), ("[1, 5)", "[2, 3)")]
)
def test_people_are_counted_by_values_where_a_value_reads_like_a_group_of_others(
    one, other, tmp_path
):
    """In a column of words, which has no groups, with the input at hand or without it."""
    everyone = pl.DataFrame({"q": [one] * 4 + [other] * 9 + ["word"] * 5})
    everyone.write_parquet(tmp_path / "everyone.parquet")
    policy = ind.Policy(
        columns={"q": QUASI},
        models=[{"name": "k-map", "k": 3}],
        population={"data": str(tmp_path / "everyone.parquet")},
    )
    data = pl.DataFrame({"q": [one, one, other, other, "word"]})
    release = ind.anonymize(data, policy, seed=1)
    assert release.manifest["models"][0]["achieved"] == {"k": 4}
    release.write(tmp_path / "release.csv")
    for proofs in ({}, {"original": data}):
        found = ind.verify(tmp_path / "release.csv", policy, **proofs)
        assert found.holds, found.faults


@pytest.mark.parametrize("texts", [["01", "1", "word"], ["1", "1.0", "word"], ["1e2", "100", "x"]])
def test_numbers_of_one_size_are_two_values_beside_words(texts):
    data = pl.DataFrame({"q": texts * 40})
    policy = ind.Policy(columns={"q": QUASI}, models=[{"name": "k-anonymity", "k": 40}])
    release = ind.anonymize(data, policy, seed=1)
    assert sorted(release.data["q"]) == sorted(data["q"])
    assert release.owner["loss"]["ncp"] == 0


def test_a_value_and_a_group_of_its_name_that_it_is_not_in_are_two_cells():
    """The group ``x`` says its level, so that ``x`` is the value alone."""
    tree = {"others": ["x"], "x": ["y"]}
    release = released(
        {"q": list("yxxxy"), "s": [45, 98, 1, 11, 72]},
        {"q": QUASI | {"hierarchy": {"tree": tree}}, "s": SENSITIVE},
        models=[{"name": "k-anonymity", "k": 3}],
        method={"algorithm": "adaptive", "grouping": "local", "max_suppression": 1.0},
    )
    assert release.data["q"].to_list() == ["x"] * 3


def test_cells_are_not_hidden_for_a_group_that_has_the_name_of_a_value():
    """The level 2 of the policy is below the star, and no cell needs one."""
    tree = {"north": {"x": ["y"]}, "south": {"z": ["x"]}}
    words = {"q": QUASI | {"hierarchy": {"tree": tree}, "max_level": 2}}
    release = released({"q": list("xyyx")}, words, method={"algorithm": "cell-suppression"})
    assert sorted(release.data["q"]) == list("xxyy")
