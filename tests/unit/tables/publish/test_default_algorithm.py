"""Which algorithm runs where a policy names none, and what is said of the other."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError
from indistinct.frontends.cli.summary import manifest_summary
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.forms.table import MOST_NODES, is_cheap
from indistinct.tables.publish.searching import search

PEOPLE = ind.sample("patients", rows=300, seed=3).select("birth_date", "sex", "diagnosis")
# One record stands alone at the finest level, which local recoding keeps where no size is asked.
ALONE = pl.DataFrame({"age": [20, 20, 30, 30, 31], "sex": ["f", "f", "m", "m", "m"]})
NOBODY_UNIQUE = ind.SampleUniqueness(threshold=0.0)


def short(frame=PEOPLE, **words):
    names = {"quasi_identifiers": ["birth_date", "sex"], "sensitive": ["diagnosis"], "k": 3}
    return ind.anonymize(frame, **(names | words), seed=1)


def method_of(release):
    return release.owner["method"]


def test_local_runs_where_a_policy_names_no_algorithm():
    """The release is the one that local recoding makes."""
    unnamed, named = short(), short(algorithm="local")
    assert method_of(unnamed)["algorithm"] == "local"
    assert unnamed.data.equals(named.data)


def test_the_best_full_domain_release_is_compared():
    """The owner learns the very cost that optimal has; nobody else does."""
    unnamed, optimal = short(), short(algorithm="optimal")
    other = method_of(unnamed)["alternative"]
    assert other == {"algorithm": "optimal", "loss": optimal.owner["loss"]["loss"], "optimal": True}
    assert "alternative" not in unnamed.manifest["method"]
    said = manifest_summary(unnamed._held.exact, "out.csv", None, None, verbose=True)
    assert f"{other['loss']:.4g} with one level per column" in said


@pytest.mark.parametrize("algorithm", ["local", "optimal", "mondrian"])
def test_whoever_names_an_algorithm_pays_for_no_other(algorithm):
    """Nothing is compared where the policy made the choice."""
    assert "alternative" not in method_of(short(algorithm=algorithm))


def unique(**words):
    keywords = {"quasi_identifiers": ["age", "sex"], "models": [NOBODY_UNIQUE], **words}
    return ind.anonymize(ALONE, **keywords, seed=1)


def test_optimal_takes_over_where_local_finds_nothing():
    """Nobody asked for local recoding, so that another algorithm may answer, and says so."""
    with pytest.raises(NoSolutionError):
        unique(algorithm="local")
    method = method_of(unique())
    assert (method["algorithm"], method["instead_of"]) == ("optimal", "local")


def at_most_one_level(**method):
    columns = {
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5]}, "max_level": 0},
        "sex": {"role": "quasi-identifier"},
    }
    models = [{"name": "k-anonymity", "k": 3}]
    return ind.anonymize(ALONE, Policy(columns=columns, models=models, method=method))


def test_where_neither_finds_a_release_the_message_is_that_of_optimal():
    """It says what would help."""
    with pytest.raises(NoSolutionError) as unnamed:
        at_most_one_level()
    with pytest.raises(NoSolutionError) as named:
        at_most_one_level(algorithm="optimal")
    assert str(unnamed.value) == str(named.value)


def test_shares_of_classes_ask_for_classes_that_do_not_overlap(tmp_path):
    """With a table of the population, delta-presence is counted in full-domain classes."""
    PEOPLE.write_csv(tmp_path / "everyone.csv")
    policy = Policy(
        columns={
            "birth_date": {"role": "quasi-identifier"},
            "sex": {"role": "quasi-identifier"},
            "diagnosis": {"role": "insensitive"},
        },
        models=[{"name": "delta-presence", "delta_min": 0.0, "delta_max": 1.0}],
        population={"data": str(tmp_path / "everyone.csv")},
    )
    assert policy.algorithm.name == "optimal"
    assert "by optimal" in repr(policy)


def test_figures_of_noise_ask_for_full_domain_classes():
    """Nobody could recompute them of local recoding."""
    columns = {
        "sex": {"role": "quasi-identifier"},
        "height": {"role": "quasi-identifier", "protect": "noise"},
    }
    models = [{"name": "k-anonymity", "k": 3}]
    assert Policy(columns=columns, models=models).algorithm.name == "optimal"


def test_wide_tables_are_not_compared():
    """A lattice of too many nodes is not searched for a figure that nobody asked for."""
    columns = [f"c{number}" for number in range(20)]
    frame = pl.DataFrame({name: [1, 1, 2, 2] for name in columns})
    policy = Policy.from_keywords(quasi_identifiers=columns, k=2)
    prepared = prepare(frame, resolve(policy))
    assert 2 ** len(columns) > MOST_NODES
    assert not is_cheap(prepared.problem)
    assert "alternative" not in search(prepared)[0].facts
