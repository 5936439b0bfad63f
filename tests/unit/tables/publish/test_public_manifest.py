"""An attacker who knows all but one record, and reads the public manifest, does not find it."""

import json
from functools import cache
from itertools import product

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.metrics import METRICS
from shared import longer

TREE = {"tree": {"north": ["a", "b"], "south": ["c", "d"], "west": ["e", "f", "g"]}}
COLUMNS = {
    "listed": {
        "age": {"role": "quasi-identifier", "hierarchy": {"tree": {"young": ["21", "22", "23"],
                "old": ["61", "62", "63"], "older": ["81", "88", "95", "99"]}}},
        "town": {"role": "quasi-identifier", "hierarchy": TREE},
    },
    "from the data": {
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "town": {"role": "quasi-identifier", "hierarchy": {"mask": 1}},
    },
    "none": {"age": {"role": "quasi-identifier"}, "town": {"role": "quasi-identifier"}},
}  # fmt: skip
PEOPLE = [
    (21, "a", "x"), (22, "a", "y"), (23, "b", "x"), (21, "b", "z"),
    (61, "c", "x"), (62, "c", "y"), (63, "d", "z"), (61, "d", "x"),
    (62, "c", "x"), (22, "a", "x"), (63, "c", "y"), (23, "b", "y"),
]  # fmt: skip
UNKNOWN = list(product((81, 88, 95, 99), ("b", "e", "g"), ("x", "w")))
CLOSE = {"name": "t-closeness", "column": "ill", "t": 0.6, "distance": "equal"}


@cache
def kept_release(unknown, form: str, algorithm: str, objective: str) -> ind.Release:
    """Release them once for all tests that ask for the same."""
    return release_of(unknown, form, algorithm=algorithm, objective=objective)


def release_of(unknown, form: str, models=(CLOSE,), **method) -> ind.Release:
    """Release twelve known people and one whose record is unknown."""
    age, town, ill = zip(*PEOPLE, unknown, strict=True)
    ages = [str(one) for one in age] if form == "listed" else list(age)
    frame = pl.DataFrame({"age": ages, "town": town, "ill": ill})
    policy = ind.Policy.from_words(
        {
            "columns": {**COLUMNS[form], "ill": {"role": "sensitive"}},
            "models": [{"name": "k-anonymity", "k": 3}, *models],
            "method": {"algorithm": "optimal", "max_suppression": 0.1, **method},
        }
    )
    return ind.anonymize(frame, policy, seed=1)


def figures_by_file(releases, which: str) -> list[set[str]]:
    """Return the manifests that belong to the same released file: what tells their inputs apart."""
    by_file: dict[str, list[str]] = {}
    for release in releases:
        document = json.loads(json.dumps(getattr(release, which)))
        del document["input"]
        rows = release.frame.sort(release.frame.columns).write_csv()
        by_file.setdefault(rows, []).append(json.dumps(document, sort_keys=True))
    return [set(found) for found in by_file.values() if len(found) > 1]


# Every objective and every algorithm with one form of the columns, every form with one of them.
OBJECTIVES = longer(
    product(COLUMNS, METRICS), {*product(["listed"], METRICS), *product(COLUMNS, ["loss"])}
)


@pytest.mark.parametrize(("form", "objective"), OBJECTIVES)
def test_no_objective_tells_the_suppressed_record(form, objective):
    """Whatever the unknown values are, the same file comes with the same public manifest."""
    releases = [kept_release(unknown, form, "optimal", objective) for unknown in UNKNOWN[::3]]
    suppressed = [r for r in releases if r.manifest["records"]["suppressed"] == 1]
    found = figures_by_file(suppressed, "manifest")
    assert all(len(manifests) == 1 for manifests in found)
    if found:
        exact = figures_by_file(suppressed, "owner")
        assert any(len(manifests) > 1 for manifests in exact)


ALGORITHMS = ["optimal", "ola", "local", "mondrian", "infogain-mondrian", "lattice-peel"]


@pytest.mark.parametrize(
    ("form", "algorithm"),
    longer(
        product(COLUMNS, ALGORITHMS),
        {*product(["listed"], ALGORITHMS), *product(COLUMNS, ["mondrian"])},
    ),
)
def test_no_algorithm_tells_the_suppressed_record(form, algorithm):
    """The same for what each search says of itself, and for what its models reach."""
    releases = [kept_release(unknown, form, algorithm, "loss") for unknown in UNKNOWN[::3]]
    suppressed = [r for r in releases if r.manifest["records"]["suppressed"] == 1]
    assert all(len(manifests) == 1 for manifests in figures_by_file(suppressed, "manifest"))


@pytest.mark.parametrize("form", ["listed", "from the data"])
def test_the_exact_figures_would_tell(form):
    """The owner's figures do tell the unknown record: the tests above can fail."""
    releases = [kept_release(unknown, form, "optimal", "loss") for unknown in UNKNOWN]
    suppressed = [r for r in releases if r.manifest["records"]["suppressed"] == 1]
    assert max(map(len, figures_by_file(suppressed, "manifest"))) == 1
    assert max(map(len, figures_by_file(suppressed, "owner"))) >= 4


def test_the_reached_closeness_does_not_tell_the_sensitive_value():
    """Its distance is to the released records; that to the input's is the owner's."""
    release = release_of(UNKNOWN[0], "listed")
    (entry,) = release.manifest["models"][1:]
    assert entry["measured_against"] == "the released records"
    assert entry["achieved"] != release.owner["models"][1]["achieved"]


def test_what_the_file_and_the_policy_determine_stays_exact():
    """Loss of listed cells and sizes of classes can be recomputed by anybody."""
    release = release_of(UNKNOWN[0], "listed")
    assert {*release.manifest["loss"]} == {"loss", "ncp", "discernibility", "average-class-size"}
    for name in release.manifest["loss"]:
        assert release.manifest["loss"][name] == pytest.approx(
            release.owner["loss"][name], abs=1e-9
        )


def test_the_fingerprint_confirms_no_guess():
    """Two runs on one table have different fingerprints; the salt is the owner's alone."""
    first, second = (release_of(UNKNOWN[0], "listed") for _ in range(2))
    assert first.manifest["input"].keys() == {"rows", "fingerprint"}
    assert first.manifest["input"]["fingerprint"] != second.manifest["input"]["fingerprint"]
    assert first.owner["input"]["salt"] not in repr(first)
    assert first.owner["input"]["salt"] not in json.dumps(first.manifest)


AGES = [21, 22, 23, 24, 25, 26, 27, 28, 31, 32, 33, 34, 35, 36, 37, 38]


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
@pytest.mark.parametrize("objective", ["loss", "height", "precision", "ncp"])
def test_no_level_of_a_suggested_hierarchy_tells_the_suppressed_age(algorithm, objective):
    """One far age changes how many levels are suggested; the same rows have the same manifest."""
    releases = [_release_beside(age, algorithm, objective) for age in (39, 41, 75, 95, 130)]
    suppressed = [r for r in releases if r.manifest["records"]["suppressed"] == 1]
    assert all(len(manifests) == 1 for manifests in figures_by_file(suppressed, "manifest"))
    for release in suppressed:
        assert {"levels", "transformation"}.isdisjoint(release.manifest["method"])


def _release_beside(age: int, algorithm: str, objective: str) -> ind.Release:
    """Release forty people between 20 and 40, and leave one of another age out."""
    frame = pl.DataFrame({"age": [*AGES, *AGES, *AGES[:8], age]})
    policy = ind.Policy.from_words(
        {
            "columns": {"age": {"role": "quasi-identifier"}},
            "models": [{"name": "k-anonymity", "k": 5}],
            "method": {"algorithm": algorithm, "objective": objective, "max_suppression": 0.05},
        }
    )
    return ind.anonymize(frame, policy, seed=1)
