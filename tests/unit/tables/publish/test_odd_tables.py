"""Honest tables that once crashed or were refused without reason; the fuzz found them."""

import datetime as dt
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import (
    DataError,
    HierarchyError,
    NoSolutionError,
    PolicyError,
    SchemaError,
)

QUASI = {"role": "quasi-identifier"}
SENSITIVE = {"role": "sensitive"}
K2 = {"name": "k-anonymity", "k": 2}


def released(columns, words, models=(K2,), **tables):
    policy = ind.Policy(columns=words, models=list(models), **tables)
    return ind.anonymize(pl.DataFrame(columns), policy, seed=1)


@pytest.mark.parametrize("algorithm", ["mondrian", "infogain-mondrian", "local", "k-member"])
@pytest.mark.parametrize("intervals", ["label", "bounds"])
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
def test_ranges_cover_numbers_of_fifteen_decimals(algorithm, intervals, dtype, tmp_path):
    numbers = pl.Series(np.random.default_rng(5).random(40) / 7, dtype=dtype)
    columns = {"x": numbers, "s": ["a", "b"] * 20}
    method = {"algorithm": algorithm, "effort": "fast"}
    words = {"x": QUASI, "s": SENSITIVE}
    release = released(columns, words, method=method, release={"intervals": intervals})
    for ending in ("csv", "parquet"):
        release.write(tmp_path / f"r.{ending}")


def test_midpoints_beside_a_population_are_refused_in_words():
    with pytest.raises(PolicyError, match="midpoints do not show which numbers"):
        ind.Policy(
            columns={"x": QUASI},
            models=[{"name": "k-map", "k": 3}],
            population={"data": "people.csv"},
            release={"intervals": "midpoint"},
        )


@pytest.mark.parametrize("intervals", ["label", "bounds"])
def test_rows_of_stars_are_not_mixed_with_masked_records(intervals):
    columns = {"x": [1, 1, 1, 20, 30, 41, 57]}
    words = {"x": {**QUASI, "hierarchy": {"intervals": [5]}}}
    method = {"algorithm": "cell-suppression", "effort": "fast"}
    release = {"suppressed": "mask", "intervals": intervals}
    with pytest.raises(NoSolutionError, match="like suppressed records"):
        released(columns, words, method=method, release=release)
    assert released(columns, words, method=method).data.height == 7


def test_records_of_stars_stand_beside_masked_ones_where_another_column_tells_them_apart():
    columns = {"x": ["a", "a", "b", "c", "d"], "s": ["u", "v", "u", "v", "u"]}
    method = {"algorithm": "cell-suppression", "max_suppression": 0.5}
    release = {"suppressed": "mask"}
    words = {"x": QUASI, "s": SENSITIVE}
    assert released(columns, words, method=method, release=release).data.height == 5


@pytest.mark.parametrize("name", ['say "so"', "two\nlines", "a,b", "carriage\rreturn", " "])
def test_names_that_need_quotes_are_read_back_from_text(name, tmp_path):
    release = released(
        {name: ["a", "a", "b", "b"], "s": list("uvuv")}, {name: QUASI, "s": SENSITIVE}
    )
    release.write(tmp_path / "r.csv")
    assert ind.inspect(tmp_path / "r.csv").columns[0].name == name


def test_an_identifier_named_star_takes_no_other_column_with_it():
    columns = {"*": list("wxyz"), "q": ["a", "a", "b", "b"], "s": list("uvuv")}
    words = {"*": {"role": "identifier"}, "q": QUASI, "s": SENSITIVE}
    assert released(columns, words).data.columns == ["q", "s"]


def test_linked_tables_have_a_column_named_star():
    columns = {"q": ["a", "a", "b", "b"], "*": list("uvuv")}
    model = {"name": "distinct-l-diversity", "column": "*", "l": 2}
    words = {"q": QUASI, "*": SENSITIVE}
    release = released(columns, words, [model], release={"form": "anatomy"})
    assert release.data.columns == ["q", "group"]
    assert release.sensitive.columns == ["group", "*", "count"]


def test_a_name_that_is_read_as_a_pattern_is_refused_in_words(tmp_path):
    frame = pl.DataFrame({"^x.*$": ["a", "a"], "y": [1, 1]})
    frame.write_csv(tmp_path / "x.csv")
    for data in (frame, tmp_path / "x.csv"):
        with pytest.raises(DataError, match="read as a pattern"):
            ind.anonymize(data, quasi_identifiers=["^x.*$"], insensitive=["y"], k=2)


@pytest.mark.parametrize("rule", [{}, {"hierarchy": {"intervals": [10]}}])
def test_whole_numbers_that_ranges_cannot_tell_apart_are_refused_in_words(rule):
    columns = {"x": [2**53 + 1, 2**53, 5, 5]}
    with pytest.raises(PolicyError, match=r"beyond 2\^53"):
        released(columns, {"x": QUASI | rule})


@pytest.mark.parametrize("algorithm", ["mondrian", "optimal", "k-member"])
def test_large_whole_numbers_are_the_ends_of_ranges(algorithm):
    columns = {"x": [2**63 - 1, 2**62 + 1, 5, 5, -(2**60) - 1, 7]}
    assert released(columns, {"x": QUASI}, method={"algorithm": algorithm}).data.height == 6


def test_large_whole_numbers_have_no_bounds_and_say_so():
    columns = {"x": [2**60 + 1, 2**60 + 1, 5, 5]}
    with pytest.raises(PolicyError, match=r"beyond 2\^53"):
        released(columns, {"x": QUASI}, release={"intervals": "bounds"})


def test_whole_numbers_beyond_ranges_may_be_masked():
    columns = {"x": [2**60 + 1, 2**60 + 1, 5, 5]}
    assert released(columns, {"x": QUASI | {"hierarchy": {"mask": 2}}}).data.height == 4


def test_widths_below_the_precision_of_the_numbers_are_refused_in_words():
    with pytest.raises(HierarchyError, match="too small"):
        released({"x": [1e20, 3e20]}, {"x": QUASI | {"hierarchy": {"intervals": [1]}}})


def test_the_order_of_masked_rows_is_drawn_apart_from_the_first():
    columns = {"q": ["a"] * 3 + ["b"] + ["a"] * 7, "s": list("uvwuvwuvwuv")}
    method = {"max_suppression": 0.2, "algorithm": "local", "effort": "fast"}
    policy = ind.Policy(
        columns={"q": QUASI, "s": SENSITIVE},
        models=[K2],
        method=method,
        release={"suppressed": "mask"},
    )
    orders = [
        ind.anonymize(pl.DataFrame(columns), policy, seed=seed).crosswalk for seed in range(60)
    ]
    # Of 60 orders of 11 places, one that is the input's is expected once in 600,000 runs.
    assert not any((np.diff(order) > 0).sum() >= 9 for order in orders)


@pytest.mark.parametrize(
    ("model", "tables"),
    [
        ({"name": "sample-uniqueness", "threshold": 0.1}, {}),
        (K2, {"method": {"weights": "vulnerability", "target": "identity"}}),
        ({"name": "nt-closeness", "column": "s", "n": 4, "t": 0.5}, {}),
    ],
)
def test_tables_whose_quasi_identifiers_are_all_protected_otherwise(model, tables):
    columns = {"x": [1.5, 2.5, 4.0, 8.0], "s": list("uvuv")}
    noise = {"name": "noise", "lower": -100, "upper": 100}
    release = released(
        columns, {"x": QUASI | {"protect": noise}, "s": SENSITIVE}, [model], **tables
    )
    assert release.data.height == 4


def test_one_class_without_columns_costs_nothing_beside_a_population():
    columns = {"x": [1.5, 2.5, 4.0, 8.0], "s": list("uvuv")}
    noise = {"name": "noise", "lower": -100, "upper": 100}
    models = [
        {"name": "nt-closeness", "column": "s", "n": 4, "t": 0.5},
        {"name": "population-uniqueness", "threshold": 0.2},
    ]
    words = {"x": QUASI | {"protect": noise}, "s": SENSITIVE}
    release = released(columns, words, models, population={"size": 200})
    assert release.owner["loss"]["loss"] == 0


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian"])
def test_a_mask_that_reads_like_the_root_is_no_region_of_its_own(algorithm):
    """A text of one character is "*" when it is masked, and so is everything."""
    texts = ["AB B AB B AB AA AB BB A BB AB AB BB A AB A", "x x yx xy x xy yx x x y xy x y xy y x"]
    columns = {"x": texts[0].split(), "y": texts[1].split(), "s": list("vvuvuwuwuwwvvvvw")}
    masked = QUASI | {"hierarchy": {"mask": 2}}
    models = [K2, {"name": "nt-closeness", "column": "s", "n": 4, "t": 0.4}]
    words = {"x": masked, "y": masked, "s": SENSITIVE}
    assert released(columns, words, models, method={"algorithm": algorithm}).data.height == 16


def test_a_population_without_columns_to_look_up_is_refused_in_words(tmp_path):
    pl.DataFrame({"x": [1.0, 2.0]}).write_csv(tmp_path / "people.csv")
    noise = {"name": "noise", "lower": -100, "upper": 100}
    with pytest.raises(PolicyError, match="no quasi-identifier forms classes"):
        released(
            {"x": [1.0, 2.0]},
            {"x": QUASI | {"protect": noise}},
            [{"name": "population-uniqueness", "threshold": 0.2}],
            population={"data": str(tmp_path / "people.csv")},
        )


def test_decimals_take_noise():
    columns = {"x": [Decimal("1.50"), Decimal("2.25"), Decimal("7.00"), Decimal("9.75")]}
    noise = {"name": "noise", "lower": -100, "upper": 100}
    assert released(columns, {"x": QUASI | {"protect": noise}}).data.height == 4


def test_decimals_have_no_distance_by_value_and_say_so():
    columns = {"q": ["a"] * 4, "s": [Decimal("1.5"), Decimal("2.5")] * 2}
    model = {"name": "t-closeness", "column": "s", "t": 1, "distance": "ordered", "ground": "value"}
    with pytest.raises(SchemaError, match="not numbers"):
        released(columns, {"q": QUASI, "s": SENSITIVE}, [model])


@pytest.mark.parametrize(
    "cells",
    [
        [dt.date(2020, 1, 1), dt.date(2021, 1, 1), None, dt.date(2020, 1, 1)],
        [dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2021, 1, 1, tzinfo=dt.UTC)] * 2,
        [dt.time(1, 2, 3), dt.time(4, 5, 6), None, dt.time(1, 2, 3)],
    ],
)
def test_randomized_response_keeps_the_type_of_moments(cells):
    protect = {"name": "randomized-response", "truth": 0.7}
    frame = pl.DataFrame({"q": ["a"] * 4, "s": cells})
    release = released(frame.to_dict(), {"q": QUASI, "s": SENSITIVE | {"protect": protect}})
    assert release.data["s"].dtype == frame["s"].dtype


def test_microaggregated_columns_may_be_generalized_further():
    columns = {"x": [76, -119, 28, 76, 76, 28], "s": list("abbcbb")}
    protect = {"name": "microaggregation", "k": 3}
    words = {"s": SENSITIVE, "x": QUASI | {"protect": protect}}
    assert released(columns, words, method={"algorithm": "adaptive", "trees": 2}).data.height == 6


def test_microaggregated_columns_may_be_named_count():
    columns = {"count": [1, 2, 3, 4], "s": list("abab")}
    protect = {"name": "microaggregation", "k": 2}
    words = {"count": QUASI | {"protect": protect}, "s": SENSITIVE}
    assert released(columns, words).data.height == 4


def test_numbers_of_four_bytes_are_coded_at_the_bounds():
    x = pl.Series([37.03034299263223, 0.5, 61.2, 37.03034299263223], dtype=pl.Float32)
    protect = {"name": "top-bottom", "low": 1, "high": 50}
    words = {"q": QUASI, "x": {"role": "insensitive", "protect": protect}}
    assert released({"q": ["a"] * 4, "x": x}, words).data["x"].max() == 50


@pytest.mark.parametrize("intervals", ["bounds", "midpoint"])
def test_numbers_that_are_masked_keep_their_masks_in_every_form(intervals):
    columns = {"zip": [10115, 10117, 20095, 20097], "s": list("uvuv")}
    words = {"zip": QUASI | {"hierarchy": {"mask": 5}}, "s": SENSITIVE}
    release = released(columns, words, release={"intervals": intervals})
    assert sorted(release.data["zip"]) == ["1011*", "1011*", "2009*", "2009*"]


@pytest.mark.parametrize("intervals", ["bounds", "midpoint"])
@pytest.mark.parametrize("values", [[4, 4], [4, 4, 7, 7], [1, 2], [4, 4, None, None]])
def test_numbers_of_one_digit_that_are_masked_stay_codes_in_every_form(intervals, values):
    """Nothing stands between such a number and the star, and so nothing says it is no range."""
    words = {"zip": QUASI | {"hierarchy": {"mask": 1}}}
    release = released({"zip": values}, words, release={"intervals": intervals})
    assert release.data.columns == ["zip"]
    shown = {str(value) if value is not None else "" for value in values}
    assert {"" if cell is None else str(cell) for cell in release.data["zip"]} <= {*shown, "*"}


def test_noise_on_decimals_stays_within_their_digits():
    x = pl.Series(["-999999", "-174306", "999999.5", "5"]).cast(pl.Decimal(16, 10))
    protect = {"name": "noise-additive", "share": 2.0}
    words = {"q": QUASI, "x": {"role": "insensitive", "protect": protect}}
    assert released({"q": ["a"] * 4, "x": x}, words).data["x"].dtype == x.dtype


def test_missing_numbers_in_bounds_are_refused_beside_a_population(tmp_path):
    """Two empty bounds would stand for everybody, or for those without a number."""
    pl.DataFrame({"x": [1, 1, 1, None, None]}).write_parquet(tmp_path / "people.parquet")
    words = {"population": {"data": str(tmp_path / "people.parquet")}}
    models = [{"name": "k-map", "k": 2}]
    columns = {"x": [1, 1, None, None]}
    with pytest.raises(PolicyError, match="two empty bounds do not show"):
        released(columns, {"x": QUASI}, models, release={"intervals": "bounds"}, **words)
    assert released(columns, {"x": QUASI}, models, **words).data.height == 4


def test_decimals_are_ordered_as_numbers():
    """By text -9395 would stand between the others, and the distance would be another."""
    cells = [Decimal(text) for text in ("-9395.33", "-9051.16", "-874945")]
    columns = {"x": ["a", "b", "b", "a", "b"], "s": [cells[i] for i in (0, 1, 2, 2, 2)]}
    closeness = {"name": "t-closeness", "column": "s", "t": 0.15, "distance": "ordered"}
    release = released(columns, {"x": QUASI, "s": SENSITIVE}, models=[closeness])
    assert release.data["x"].n_unique() == 2


MOMENTS = pl.Series([0, 10**14, 2 * 10**14] * 6).cast(pl.Datetime("us", "UTC"))
GUESSED = {
    "columns": {
        "t": QUASI,
        "s": {**SENSITIVE, "protect": {"name": "randomized-response", "truth": 0.7}},
    },
    "data": {"missing_as": "suppress"},
    "models": [K2],
}


def test_cells_made_from_values_that_chance_hides_are_compared_by_their_form(tmp_path):
    """Nobody can tell which records took part, but every cell must cover a value of the input."""
    policy, path = ind.Policy.from_words(GUESSED), tmp_path / "r.csv"
    data = pl.DataFrame({"t": MOMENTS, "s": ["a", "b", None] * 6})
    ind.anonymize(data, policy, seed=1).write(path)
    assert not ind.verify(path, policy, original=data).faults
    frame = pl.read_csv(path, infer_schema=False)
    cells = ["2051-05-05", *frame["t"][1:]]
    frame.with_columns(pl.Series("t", cells)).write_csv(path)
    faults = ind.verify(path, policy, original=data).faults
    assert any("1 cells cover no value of the input" in fault.problem for fault in faults)


def test_bounds_of_numbers_that_are_written_with_an_exponent(tmp_path):
    """The ends are 0 and 1e18, and the interval is written in digits alone."""
    columns = {"x": [1e17, 2e17, 7e17, 4.5e18, 4.2e18, 6.9e18, 6.5e18]}
    policy = ind.Policy(columns={"x": QUASI}, models=[K2], release={"intervals": "bounds"})
    data = pl.DataFrame(columns)
    ind.anonymize(data, policy, seed=1).write(tmp_path / "r.csv")
    assert ind.verify(tmp_path / "r.csv", policy, original=data).holds


@pytest.mark.parametrize(
    ("rule", "time"), [(None, "T14:19:44.5+0000"), (None, ""), ({"dates": ["month", "decade"]}, "")]
)
def test_periods_above_microaggregated_days_are_in_no_group(rule, time):
    """Three records that became the 3rd of February are two and one in their decade."""
    days = [dt.date(2012, 2, 3), dt.date(2015, 9, 6), dt.date(2018, 4, 15)]
    cells = [days[0], days[1], days[2], days[1], days[2], days[1]]
    words = {**QUASI, "protect": {"name": "microaggregation", "k": 3}}
    words |= {"hierarchy": rule} if rule else {}
    number = [87, 87, 20, 87, 20, 87]
    shown = [f"{day}{time}" for day in cells] if time else cells
    release = released({"n": number, "d": shown}, {"n": QUASI, "d": words})
    assert release.manifest["records"]["released"] == 6
