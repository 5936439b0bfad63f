"""Where a policy names the column of persons, every class of a release has enough people.

It takes more than 20 seconds of a processor: random tables are released through the public function
for every algorithm and for every model that counts people.
"""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from encounters import encounter_policy, encounters, people_of_classes
from indistinct.errors import NoSolutionError, VerificationError
from indistinct.tables.core.protocols import PrivacyModel
from indistinct.tables.counting import preparation as prepare
from indistinct.tables.models import KAnonymity
from indistinct.tables.models.in_people import InPeople
from shared import longer
from strategies import OF_ONE_RELEASE

METHODS = {
    "adaptive": {"target": "identity"},
    "local": {"effort": "fast"},
    "cell-suppression": {"effort": "fast"},
}
tables = st.builds(
    encounters,
    st.integers(20, 120),
    st.integers(8, 60),
    st.integers(0, 2**20),
    frequent=st.sampled_from([0.0, 0.3, 0.7]),
)
each_algorithm = pytest.mark.parametrize("name", OF_ONE_RELEASE)


def released(table, name, *models, max_suppression=0.2, **tables):
    """Make a release; None where there is none."""
    method = {"algorithm": name, "max_suppression": max_suppression, **METHODS.get(name, {})}
    policy = encounter_policy(*models, method=method, **tables)
    try:
        return ind.anonymize(table, policy, seed=1)
    except NoSolutionError:
        return None


def test_what_counts_people_is_asked_all_that_a_model_is_asked():
    """A search may ask any member; the wrapper is no subclass, so nothing else checks them all."""
    asked = {*vars(PrivacyModel), *PrivacyModel.__annotations__}
    told = set(dir(InPeople(KAnonymity(k=2))))
    assert {name for name in asked if not name.startswith("_")} <= told


@each_algorithm
def test_every_class_has_k_people(name):
    """Counted by hand; the manifest's classes, people and risk are theirs."""
    found = []

    @settings(max_examples=8)
    @given(tables, st.integers(2, 5))
    def check(table, k):
        release = released(table, name, {"name": "k-anonymity", "k": k})
        if release is None or release.frame.height == 0:
            return
        classes = people_of_classes(release)
        sizes = [len(people) for people in classes.values()]
        everyone = set.union(*classes.values())
        manifest = release.manifest
        assert min(sizes) >= k
        assert "patient" not in release.frame.columns
        assert manifest["classes"]["smallest"] == manifest["models"][0]["achieved"]["k"]
        assert manifest["classes"]["smallest"] == min(sizes)
        assert manifest["classes"]["largest"] == max(sizes)
        assert manifest["classes"]["mean"] == pytest.approx(np.mean(sizes))
        assert manifest["risk"]["prosecutor"] == pytest.approx(1 / min(sizes))
        n_people = table["patient"].n_unique()
        gone = n_people - len(everyone)
        assert manifest["people"] == {"released": len(everyone), "suppressed": gone}
        assert release.frame.height >= 0.8 * table.height  # the limit counts records
        found.append(name)

    check()
    assert found


@each_algorithm
def test_a_search_that_counts_records_is_caught(name, monkeypatch):
    """The planted bug: models are not told of the people. Verification counts them itself."""
    monkeypatch.setattr(prepare, "models_of_table", lambda models, table, policy: models)
    table = encounters(400, 60, 3, frequent=0.9)
    with pytest.raises(VerificationError, match=r"models\.k-anonymity: does not hold"):
        released(table, name, {"name": "k-anonymity", "k": 4})


MODELS = [
    {"name": "distinct-l-diversity", "column": "disease", "l": 2},
    {"name": "probabilistic-l-diversity", "column": "disease", "l": 1.5},
    {"name": "entropy-l-diversity", "column": "disease", "l": 2.0},
    {"name": "recursive-cl-diversity", "column": "disease", "c": 3.0, "l": 2},
    {"name": "simpson-diversity", "column": "disease", "d": 2.0},
    {"name": "alpha-k-anonymity", "column": "disease", "alpha": 0.8, "k": 3},
    {"name": "t-closeness", "column": "disease", "t": 0.4},
    {"name": "nt-closeness", "column": "disease", "n": 20, "t": 0.4},
    {"name": "beta-likeness", "column": "disease", "beta": 2.0},
    {"name": "delta-disclosure", "column": "disease", "delta": 2.0, "absent": "ignore"},
    {"name": "average-risk", "threshold": 0.4},
    {"name": "sample-uniqueness", "threshold": 0.05},
    {"name": "population-uniqueness", "threshold": 0.3, "estimator": "dankar"},
    {"name": "k-map", "k": 4},
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model["name"])
@pytest.mark.parametrize("name", longer(["optimal", "mondrian", "local"], ("optimal",)))
def test_every_model_holds_of_the_people(name, model):
    """Verification counts afresh from the input and the crosswalk: no search disagrees with it."""
    needs_size = model["name"] in {"population-uniqueness", "k-map"}
    further = {"population": {"size": 2000}} if needs_size else {}
    # The first algorithm looks for classes that a model of the whole release leaves released.
    of_release = model["name"] in {"average-risk", "sample-uniqueness", "population-uniqueness"}
    least = [{"name": "k-anonymity", "k": 3}] if of_release and name != "optimal" else []
    found = []

    @settings(max_examples=4)
    @given(tables)
    def check(table):
        release = released(table, name, model, *least, max_suppression=0.3, **further)
        if release is None:
            return
        checked = ind.verify(
            release.frame,
            release.policy,
            original=table,
            crosswalk=release.crosswalk.tolist(),
            manifest=dict(release.manifest),
        )
        assert checked.holds, checked.faults
        assert checked.models[0]["holds"]
        reached = dict(release.owner["models"][0]["achieved"] or {})
        if model["name"] != "nt-closeness":  # each looks at supersets until one is near enough
            assert checked.models[0]["achieved"] == pytest.approx(reached)
        found.append(name)

    check()
    assert found
