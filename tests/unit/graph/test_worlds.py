"""Possible worlds: statistics of the samples against all worlds, and files read back."""

from __future__ import annotations

import hashlib
import itertools
import json
import math

import numpy as np
import pytest

from graphs import PEOPLE, public, seven
from indistinct.base.randomness import RandomSource
from indistinct.errors import DataError, ParameterError
from indistinct.graph.anonymization import anonymize
from indistinct.graph.assessment import assess
from indistinct.graph.edges import from_pairs
from indistinct.graph.grouping import find_groups, grouping_of
from indistinct.graph.loss import measure
from indistinct.graph.worlds import expectations, grouping_of_release, spread


def groups_of(*members):
    codes = [[one in group for group in members].index(True) for one in PEOPLE]
    return grouping_of(seven(), np.array(codes, np.int32))


def rename_hash(release, name):
    """Let the manifest name the file as it is now, as a dishonest publisher would."""
    manifest = release.with_name(release.name + ".manifest.json")
    document = json.loads(manifest.read_text())
    content = release.with_name(name).read_bytes()
    document["files"][name] = {"sha256": hashlib.sha256(content).hexdigest()}
    manifest.write_text(json.dumps(document))


def all_worlds(grouping):
    """Return every graph that the groups allow."""
    begins = np.cumsum(grouping.sizes) - grouping.sizes
    choices = []
    for one, other, count in zip(grouping.ones, grouping.others, grouping.counts, strict=True):
        left, right = (
            range(begins[group], begins[group] + grouping.sizes[group]) for group in (one, other)
        )
        pairs = itertools.product(left, right)
        if one == other:
            pairs = itertools.combinations(left, 2)
        choices.append(itertools.combinations(list(pairs), int(count)))
    for chosen in itertools.product(*map(list, choices)):
        yield from_pairs(np.array(list(itertools.chain(*chosen)), np.int64), 7)


def test_means_are_those_of_all_twenty_worlds():
    """Within four standard errors, a false alarm in 16,000; half the mean lies outside."""
    grouping = groups_of("ABE", "CD", "FG")
    worlds = list(all_worlds(grouping))
    assert len(worlds) == 20
    found = expectations(grouping, RandomSource(1), worlds=400)
    for name in ("triangles", "transitivity", "path", "lambda_1"):
        values = [measure(world, RandomSource(1))[name] for world in worlds]
        slack = 4 * found[name]["error"] + 1e-12
        assert abs(found[name]["mean"] - np.mean(values)) <= slack
        assert abs(found[name]["mean"] - np.mean(values) / 2) > slack
        assert min(values) - 1e-9 <= found[name]["low"] <= found[name]["high"]
        assert found[name]["high"] <= max(values) + 1e-9


def test_groups_that_leave_nothing_open_have_no_spread():
    found = expectations(groups_of(*PEOPLE), RandomSource(1), worlds=5)
    assert found["triangles"] == {"mean": 5.0, "low": 5.0, "high": 5.0, "error": 0.0}


def test_larger_groups_leave_more_open():
    """Karate's triangles at k = 2 and at k = 10; the mean degree is always the same."""
    graph = public("karate")
    widths = []
    for k in (2, 10):
        grouping = grouping_of(graph, find_groups(graph, k, RandomSource(1)))
        found = expectations(grouping, RandomSource(1), worlds=60, original=graph)
        widths.append(found["transitivity"]["high"] - found["transitivity"]["low"])
        assert found["degrees.emd"]["mean"] > 0
    assert widths[0] < widths[1]


def test_middle_of_values():
    found = spread(np.arange(1001.0))
    assert (found["mean"], found["low"], found["high"]) == (500, 25, 975)
    assert math.isclose(found["error"], np.std(np.arange(1001.0), ddof=1) / math.sqrt(1001))


def test_a_written_release_is_assessed_by_its_groups(tmp_path):
    release = anonymize(seven(), "grouping", k=3, seed=1)
    release.write(tmp_path / "out.csv")
    grouping = grouping_of_release(tmp_path / "out.csv")
    assert math.isclose(grouping.log_worlds, release.grouping.log_worlds)
    document = assess(tmp_path / "out.csv", original=seven(), groups=grouping, worlds=4)
    assert set(document["levels"].values()) == {3}
    assert document["worlds"]["worlds"] == 4
    assert document["worlds"]["degrees.emd"]["mean"] >= 0
    assert grouping_of_release(tmp_path / "other.csv") is None


@pytest.mark.parametrize(
    "text",
    ["", "a,b\n", "source,target,edges\n0,9,1\n", "source,target,edges\n0,0,99\n", "source\n-1\n"],
)
def test_damaged_groups_are_refused(tmp_path, text):
    release = anonymize(seven(), "grouping", k=3, seed=1)
    release.write(tmp_path / "out.csv")
    (tmp_path / "out.superedges.csv").write_text(text)
    rename_hash(tmp_path / "out.csv", "out.superedges.csv")
    with pytest.raises(DataError, match="release by groups"):
        grouping_of_release(tmp_path / "out.csv")


def test_one_world_is_too_few():
    with pytest.raises(ParameterError):
        expectations(groups_of("ABE", "CDFG"), RandomSource(1), worlds=1)
