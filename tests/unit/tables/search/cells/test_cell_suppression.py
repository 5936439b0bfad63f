"""Cell suppression where a star is a value of its own, and how a policy asks for either reading."""

import polars as pl
import pytest
from hypothesis import given

import indistinct as ind
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.search.cells.cell_suppression import CellSuppression
from indistinct.tables.search.finish import solve
from shared import examples
from strategies import frames, problems

PEOPLE = pl.DataFrame(
    {
        "sex": ["f", "f", "f", "f", "f", "m", "m", "m", "m", "m"],
        "town": ["Ulm", "Ulm", "Ulm", "Ulm", "Hof", "Hof", "Hof", "Hof", "Hof", "Ulm"],
        "illness": ["flu", "gout"] * 5,
    }
)


def policy(reading="any", k=2, algorithm="cell-suppression", weights=(1, 1), **release):
    """Ask for cells to be suppressed in sex and town."""
    return ind.Policy(
        columns={
            "sex": {"role": "quasi-identifier", "weight": weights[0]},
            "town": {"role": "quasi-identifier", "weight": weights[1]},
            "illness": {"role": "sensitive"},
        },
        models=[{"name": "k-anonymity", "k": k}],
        method={"algorithm": algorithm},
        release={"suppressed_cell": reading, **release},
    )


@examples(40)
@given(problems())
def test_cells_stand_at_their_lowest_level_or_are_stars(problem):
    """A star as a value: classes of equal cells, nothing between a value and a star."""
    try:
        solution = solve(CellSuppression(effort="fast"), problem, Deadline(), no_progress)
    except NoSolutionError:
        return
    recoding = solution.recoding
    assert "lower_bound" not in solution.facts
    for column, domain in enumerate(recoding.domains):
        levels = domain.levels[recoding.cells[recoding.released, column]]
        texts = {domain.labels[cell] for cell in recoding.cells[recoding.released, column]}
        low, high = problem.min_levels[column], problem.max_levels[column]
        lowest = set(problem.hierarchies[column].labels[low])
        assert texts <= lowest | {"*"}
        if high < problem.hierarchies[column].height:
            assert (levels == low).all()


def test_a_column_of_greater_weight_keeps_its_cells():
    """Both odd people can be helped by either column; the cheaper one gives way."""
    for weights, kept, starred in (((3, 1), "sex", "town"), ((1, 3), "town", "sex")):
        for reading in ("any", "value"):
            release = ind.anonymize(PEOPLE, policy(reading, weights=weights), seed=1)
            assert (release.data[kept] != "*").all()
            assert (release.data[starred] == "*").any()


def test_readings_differ_by_whom_a_star_stands_with():
    """Any value: one star per odd person is enough. A value of its own: each needs a companion."""
    counts = {
        reading: ind.anonymize(PEOPLE, policy(reading), seed=1).manifest["method"]
        for reading in ("any", "value")
    }
    assert counts["any"]["suppressed_cells"]["count"] == 2
    assert counts["value"]["suppressed_cells"]["count"] == 4


def test_the_manifest_counts_stars_and_groups():
    """What is written and what is said agree."""
    release = ind.anonymize(PEOPLE, policy(), seed=1)
    stars = {name: int((release.data[name] == "*").sum()) for name in ("sex", "town")}
    method = release.manifest["method"]
    assert method["suppressed_cells"]["columns"] == stars
    assert method["suppressed_cells"]["share"] == pytest.approx(sum(stars.values()) / 20)
    assert method["minimal"]
    assert release.manifest["models"][0]["achieved"]["k"] >= 2
    assert release.manifest["classes"]["smallest"] == release.manifest["models"][0]["achieved"]["k"]


def test_assess_counts_what_the_policy_reads():
    """A starred woman fits all five women; as a value of its own her star stands alone."""
    release = ind.anonymize(PEOPLE, policy(), seed=1)
    assert ind.assess(release.data, policy()).classes["smallest"] == 5
    assert ind.assess(release.data, policy("value")).classes["smallest"] == 1


def test_verify_counts_what_the_policy_reads(tmp_path):
    """The reading is part of the promise: the file holds under one and not under the other."""
    path = tmp_path / "release.csv"
    ind.anonymize(PEOPLE, policy(), seed=1).write(path)
    assert ind.verify(path, policy()).holds
    verdict = ind.verify(path, policy("value"))
    assert not verdict.holds
    assert "models.k-anonymity" in {fault.place for fault in verdict.faults}


@pytest.mark.parametrize("reading", ["any", "value"])
def test_verify_finds_a_star_given_back(tmp_path, reading):
    """Whoever replaces a star by its value breaks the promise, and is told so."""
    release = ind.anonymize(PEOPLE, policy(reading), seed=1)
    stars = release.frame.with_row_index().filter(pl.any_horizontal(pl.all().cast(str) == "*"))
    row = int(stars["index"][0])
    true = PEOPLE[int(release.crosswalk[row])]
    broken = pl.concat([release.frame[:row], true, release.frame[row + 1 :]])
    assert ind.verify(release.frame, policy(reading), manifest=release.manifest).holds
    assert not ind.verify(broken, policy(reading)).holds


def test_the_reading_is_hashed_and_the_search_is_not():
    """Two ways to search make one promise; two readings make two."""
    assert policy().sha256 == policy(algorithm="local").sha256
    assert policy().sha256 != policy("value").sha256


def test_what_cannot_be_told_with_stars_as_any_value_is_refused():
    """Models that look into a group, and forms that write a star as an empty cell."""
    with pytest.raises(PolicyError) as refused:
        ind.Policy(
            columns={"sex": {"role": "quasi-identifier"}, "illness": {"role": "sensitive"}},
            models=[{"name": "distinct-l-diversity", "column": "illness", "l": 2}],
            release={"suppressed_cell": "any", "intervals": "bounds"},
        )
    assert {fault.place for fault in refused.value.faults} == {
        "models.0.distinct-l-diversity", "release.intervals"
    }  # fmt: skip


@examples(12)
@given(frames())
def test_written_releases_verify(tmp_path_factory, frame):
    """Stars as any value, measured afresh from the file, over numbers, masks and words."""
    asked = ind.Policy(
        columns={
            "name": {"role": "identifier"},
            "age": {
                "role": "quasi-identifier",
                "hierarchy": {"intervals": [5, 10]},
                "min_level": 1,
            },
            "city": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
            "sex": {"role": "quasi-identifier", "weight": 2},
            "illness": {"role": "sensitive"},
        },
        models=[{"name": "k-anonymity", "k": 3}],
        method={"algorithm": "cell-suppression"},
        release={"suppressed_cell": "any", "suppressed": "mask"},
    )
    path = tmp_path_factory.mktemp("release") / "release.csv"
    manifest = ind.anonymize(frame, asked, seed=1).write(path)
    for original in (None, frame):
        verdict = ind.verify(path, asked, original=original)
        assert verdict.holds, verdict.faults
    assert verdict.classes == manifest["classes"]["count"]
    assert verdict.models[0]["achieved"] == manifest["models"][0]["achieved"]


def test_other_algorithms_keep_both_promises(tmp_path):
    """Equal records are compatible: any k-anonymous release holds when stars are any value."""
    path = tmp_path / "release.csv"
    ind.anonymize(PEOPLE, policy(algorithm="optimal"), seed=1).write(path)
    assert ind.verify(path, policy()).holds


def test_a_column_that_must_stay_below_its_root_is_never_starred():
    """Then whole records are left out, if the policy allows it."""
    words = {
        "columns": {
            "sex": {"role": "quasi-identifier", "max_level": 0},
            "town": {"role": "quasi-identifier", "max_level": 0},
            "illness": {"role": "sensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 2}],
        "method": {"algorithm": "cell-suppression", "max_suppression": 0.2},
        "release": {"suppressed_cell": "any"},
    }
    release = ind.anonymize(PEOPLE, ind.Policy(**words), seed=1)
    assert release.manifest["records"] == {"released": 8, "suppressed": 2}
    words["method"]["max_suppression"] = 0.1
    with pytest.raises(NoSolutionError, match="max_level"):
        ind.anonymize(PEOPLE, ind.Policy(**words), seed=1)
