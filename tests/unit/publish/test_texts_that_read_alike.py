"""Honest tables whose values read like labels, and labels like values; the fuzz found them."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import HierarchyError, NoSolutionError
from indistinct.search import ALGORITHMS_BY_NAME

QUASI = {"role": "quasi-identifier"}
SENSITIVE = {"role": "sensitive"}
REPUBLISHING = {name for name, kind in ALGORITHMS_BY_NAME.items() if kind.republishes}
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
    assert release.manifest["loss"]["loss"] == 0


def test_a_month_among_days_loses_nothing_where_only_forms_are_known(tmp_path):
    """Which records took part is not known, since the sensitive column was changed by chance."""
    masked = {**SENSITIVE, "protect": {"name": "microaggregation", "k": 3}}
    tree = {"tree": {"g": ["a", "b"], "h": [""]}}
    columns = {"q": ["2020-01-15", "2020-01", "2020-01"], "s": ["a", "a", None]}
    words = {"q": QUASI, "s": {**masked, "hierarchy": tree}}
    data = {"missing_as": "suppress"}
    release = released(columns, words, [{**CLOSE, "t": 0.2}], data=data)
    policy = ind.Policy(columns=words, models=[{**CLOSE, "t": 0.2}], data=data)
    assert release.manifest["loss"]["loss"] == 0
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
    assert sorted(release.data["x"]) == ["t", "t", "y", "y"]


def test_a_value_of_a_star_that_a_file_lists_may_be_hidden_whole(tmp_path):
    """The root loses 1, the value "*" nothing, and nobody can tell the two cells apart."""
    (tmp_path / "h.csv").write_text("a;x\n*;y\nb;z\n")
    x = {**QUASI, "hierarchy": {"csv": str(tmp_path / "h.csv"), "separator": ";"}}
    release = released({"x": ["a", "*"]}, {"x": x}, method={"algorithm": "local"})
    assert release.data["x"].to_list() == ["*", "*"]
    assert release.manifest["loss"]["loss"] == 1


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
    assert sorted(release.data["x"].fill_null("")) == [group, group, "some", "some"]
    tree = {"some": ["a", "b"], group: ["?"]}
    words = {"x": {**QUASI, "hierarchy": {"tree": tree}, "min_level": 1}}
    release = released({"x": ["a", "b", None, None]}, words, data={"missing": ["?", "NA", ""]})
    assert sorted(release.data["x"].fill_null("")) == [group, group, "some", "some"]


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


def test_values_with_more_stars_than_a_mask_writes_are_refused(tmp_path):
    """Whoever reads the release alone would take ``a**`` for a cell with two hidden characters.

    Of ``1*A``, the mask would make ``1**``.
    """
    words = {"x": {**QUASI, "hierarchy": {"mask": 1}}}
    with pytest.raises(HierarchyError, match="3 values have a star right before the characters"):
        released({"x": ["a**", "b**", "1*A", "ab", "*"]}, words)
    words = {"x": {**QUASI, "hierarchy": {"mask": 2}}}
    release = released({"x": ["a**", "1*A", "**"] * 2}, words)
    release.write(tmp_path / "out.csv")
    policy = ind.Policy(columns=words, models=[ind.KAnonymity(k=2)])
    assert ind.verify(tmp_path / "out.csv", policy).holds


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


@pytest.mark.parametrize("algorithm", sorted(set(ALGORITHMS_BY_NAME) - REPUBLISHING))
def test_a_value_that_reads_like_the_mask_of_others_is_written_as_their_mask(algorithm):
    """The cell is that of the least level, where every record shows the mask."""
    words = {"x": {**QUASI, "hierarchy": {"mask": 1}, "min_level": 1}, "s": SENSITIVE}
    columns = {"x": ["a*", "aB"] * 2, "s": ["u", "v"] * 2}
    method = {"algorithm": algorithm, "effort": "fast"}
    release = released(columns, words, method=method)
    assert set(release.data["x"]) <= {"a*", "*"}


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
    assert release.manifest["loss"]["ncp"] == 0


def test_a_value_and_a_group_of_its_name_that_it_is_not_in_become_one_class():
    """No record may keep its own value ``y`` in a class that reads ``x``."""
    tree = {"others": ["x"], "x": ["y"]}
    release = released(
        {"q": list("yxxxy"), "s": [45, 98, 1, 11, 72]},
        {"q": QUASI | {"hierarchy": {"tree": tree}}, "s": SENSITIVE},
        models=[{"name": "k-anonymity", "k": 3}],
        method={"algorithm": "adaptive", "grouping": "local", "max_suppression": 1.0},
    )
    assert release.data["q"].to_list() == ["x"] * 5


def test_cells_are_not_hidden_for_a_group_that_has_the_name_of_a_value():
    """The level 2 of the policy is below the star, and no cell needs one."""
    tree = {"north": {"x": ["y"]}, "south": {"z": ["x"]}}
    words = {"q": QUASI | {"hierarchy": {"tree": tree}, "max_level": 2}}
    release = released({"q": list("xyyx")}, words, method={"algorithm": "cell-suppression"})
    assert sorted(release.data["q"]) == list("xxyy")


@pytest.mark.parametrize("objective", ["non-uniform-entropy", "mutual-information"])
def test_no_entropy_is_below_nothing(objective):
    """The class reads like the group ``y`` of ``x`` alone, and has the value ``y``, too."""
    tree = {"y": ["x"], "z": ["y"]}
    columns = {"q": list("xyyyx"), "s": list("abcde")}
    words = {"q": {**QUASI, "hierarchy": {"tree": tree}}, "s": SENSITIVE}
    method = {"algorithm": "adaptive", "grouping": "local", "max_suppression": 1.0}
    method |= {"objective": objective, "aggregate": "geometric-mean"}
    three = {"name": "k-anonymity", "k": 3}
    release = released(columns, words, models=[three], method=method)
    assert release.data["q"].to_list() == ["y"] * 5
    assert release.manifest["loss"][objective] == 0
