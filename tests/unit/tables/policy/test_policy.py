"""The words of a policy, and every fault at once."""

import pytest

import indistinct as ind
from indistinct.errors import ParameterError, PolicyError
from indistinct.tables.metrics import METRICS
from indistinct.tables.policy.policy import Policy

QUASI = {"role": "quasi-identifier"}
K = {"name": "k-anonymity", "k": 2}
LEAST = {"columns": {"age": QUASI}, "models": [K]}
TOML = """
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
weight = 2.0
[columns.answer]
role = "sensitive"
hierarchy = { tree = { a = ["no", "NO"], b = ["yes", "1"] } }
[[models]]
name = "k-anonymity"
k = 5
[[models]]
name = "t-closeness"
column = "answer"
t = 0.2
distance = "hierarchical"
[method]
max_suppression = 0.05
"""


def refused(**words) -> dict[str, str]:
    """Return what is said of each place when a policy is refused."""
    with pytest.raises(PolicyError) as caught:
        Policy.from_words({**LEAST, **words})
    return {fault.place: fault.problem for fault in caught.value.faults}


def test_a_file_and_python_say_the_same(tmp_path):
    """The words of TOML and those of Python give equal words and hashes."""
    (tmp_path / "policy.toml").write_text(TOML)
    loaded = Policy.load(tmp_path / "policy.toml")
    built = Policy(
        columns={
            "age": {**QUASI, "hierarchy": ind.intervals(5, 10, 20), "weight": 2.0},
            "answer": {
                "role": "sensitive",
                "hierarchy": ind.tree({"a": ["no", "NO"], "b": ["yes", "1"]}),
            },
        },
        models=[ind.KAnonymity(k=5), ind.TCloseness("answer", t=0.2, distance="hierarchical")],
        method={"max_suppression": 0.05},
    )
    assert loaded.words() == built.words()
    assert loaded.sha256 == built.sha256
    assert Policy.from_words(loaded.words()).sha256 == loaded.sha256


def test_the_hash_sees_every_word_and_no_order():
    """Another k is another policy; another order of columns is not."""
    columns = {"age": QUASI, "sex": QUASI}
    first = Policy.from_words({**LEAST, "columns": columns})
    second = Policy.from_words({**LEAST, "columns": dict(reversed(columns.items()))})
    third = Policy.from_words({"columns": columns, "models": [{**K, "k": 3}]})
    assert first.sha256 == second.sha256 != third.sha256


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ({"columns": {"age": {"role": "identifier"}}}, "columns"),
        ({"columns": {"age": {"role": "king"}}}, "columns.age.role"),
        ({"columns": {"age": {}}}, "columns.age.role"),
        ({"columns": {"age": {**QUASI, "colour": 1}}}, "columns.age.colour"),
        ({"columns": {"age": {**QUASI, "weight": 0}}}, "columns.age.weight"),
        ({"columns": {"age": {**QUASI, "weight": float("nan")}}}, "columns.age.weight"),
        ({"columns": {"age": {**QUASI, "min_level": 2, "max_level": 1}}}, "columns.age.max_level"),
        ({"columns": {"age": {**QUASI, "hierarchy": {}}}}, "columns.age.hierarchy"),
        (
            {"columns": {"age": {**QUASI, "hierarchy": {"mask": 2, "intervals": [5]}}}},
            "columns.age.hierarchy",
        ),
        ({"columns": {"age": {**QUASI, "hierarchy": {"mask": 0}}}}, "columns.age.hierarchy.mask"),
        ({"models": []}, "models"),
        ({"models": [{"name": "magic"}]}, "models.0"),
        ({"models": [{**K, "k": 1}]}, "models.0"),
        ({"models": [{"name": "k-anonymity"}]}, "models.0"),
        ({"models": [K, {"name": "distinct-l-diversity", "column": "age", "l": 2}]},
         "models.1.distinct-l-diversity.column"),
        ({"method": {"algorithm": "magic"}}, "method.algorithm"),
        ({"method": {"objective": "beauty"}}, "method.objective"),
        ({"method": {"aggregate": "luck"}}, "method.aggregate"),
        ({"method": {"max_suppression": 1.1}}, "method.max_suppression"),
        ({"method": {"max_suppression": float("nan")}}, "method.max_suppression"),
        ({"method": {"time_limit": 0}}, "method.time_limit"),
        ({"data": {"missing_as": "perhaps"}}, "data.missing_as"),
        ({"release": {"intervals": "both"}}, "release.intervals"),
        ({"colours": {}}, "colours"),
    ],
)  # fmt: skip
def test_each_fault_has_its_place(words, place):
    """What is wrong is named where it stands."""
    assert place in refused(**words)


def test_all_faults_come_at_once():
    """Three faults in three places are three faults of one error."""
    said = refused(
        columns={"age": {**QUASI, "max_level": 0, "min_level": 1}},
        method={"algorithm": "magic", "objective": "beauty"},
    )
    assert set(said) == {"columns.age.max_level", "method.algorithm", "method.objective"}


def test_closeness_along_a_hierarchy_needs_one():
    """The distance "hierarchical" names the column that lacks a hierarchy."""
    said = refused(
        columns={"age": QUASI, "s": {"role": "sensitive"}},
        models=[{"name": "t-closeness", "column": "s", "t": 0.1, "distance": "hierarchical"}],
    )
    assert "columns.s.hierarchy" in said


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_an_objective(name):
    """The registry's names are words of a policy."""
    assert Policy.from_words({**LEAST, "method": {"objective": name}}).method.objective == name


def test_a_file_that_is_none(tmp_path):
    """Absent, no TOML, no text, a column twice: refused in words."""
    (tmp_path / "broken.toml").write_text("[columns\n")
    (tmp_path / "latin.toml").write_bytes('name = "ä"'.encode("latin-1"))
    (tmp_path / "twice.toml").write_text("[columns.a]\nrole='x'\n[columns.a]\nrole='y'\n")
    for name in ("absent.toml", "broken.toml", "latin.toml", "twice.toml"):
        with pytest.raises(PolicyError, match=name):
            Policy.load(tmp_path / name)


def test_the_short_form():
    """Roles by lists; a column with two roles is refused."""
    policy = Policy.from_keywords(quasi_identifiers=["a"], identifiers=["b"], k=3)
    assert policy.models == (ind.KAnonymity(3),)
    with pytest.raises(PolicyError, match=r"columns\.a: is named twice"):
        Policy.from_keywords(quasi_identifiers=["a"], sensitive=["a"], k=3)
    with pytest.raises(PolicyError, match="there is no policy"):
        ind.anonymize(None)


def test_other_words_are_checked_anew():
    """A changed word is a word like any other."""
    policy = Policy.from_words(LEAST)
    assert policy.with_words({"method": {"algorithm": "ola"}}).method.algorithm == "ola"
    with pytest.raises(PolicyError):
        policy.with_words({"method": {"algorithm": "magic"}})
    with pytest.raises(ParameterError):
        ind.KAnonymity(1)
