"""Every feature works on a table that is not read whole, or is refused in one sentence.

The sentence names what to take instead. A new feature fails here until it is in one of the lists.
"""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import PolicyError
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.masks import MASKS
from indistinct.tables.metrics import METRICS
from indistinct.tables.models import MODELS
from indistinct.tables.policy.sections.column import ColumnPolicy
from indistinct.tables.policy.sections.context import ContextPolicy
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.policy.sections.history import HistoryPolicy
from indistinct.tables.policy.sections.method import MethodPolicy
from indistinct.tables.policy.sections.noise import NoisePolicy
from indistinct.tables.policy.sections.population import PopulationPolicy
from indistinct.tables.policy.sections.release import ReleasePolicy
from indistinct.tables.policy.tables import PolicyTables
from indistinct.tables.publish.parts import anonymize_in_parts
from indistinct.tables.search import ALGORITHMS
from large_tables import sorted_rows

ROWS = 160
SETS = {"codes": {"role": "quasi-identifier", "type": "set", "suppression": "occurrences"}}
TWO_WIDTHS = {"age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 40]}}}
K = {"name": "k-anonymity", "k": 2}


def table():
    """Make a table with a number, texts, sets, weights and people."""
    chance = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "person": [f"P{row // 2}" for row in range(ROWS)],
            "age": chance.integers(20, 60, ROWS),
            "sex": chance.choice(["f", "m"], ROWS),
            "ill": chance.choice(["flu", "ulcer", "asthma", "gout"], ROWS),
            "size": chance.normal(170, 10, ROWS).round(1),
            "codes": chance.choice(["a", "a;b", "b;c"], ROWS),
            "weight": chance.integers(1, 4, ROWS),
            "day": [date(2025, 1, 1) + timedelta(int(n)) for n in chance.integers(0, 365, ROWS)],
        }
    )


def policy_of(words):
    """Make a policy with some words in place of those that it has else."""
    columns = {
        "person": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 40]}},
        "sex": {"role": "quasi-identifier"},
        "ill": {"role": "sensitive"},
        "size": {"role": "insensitive"},
        "codes": {"role": "identifier"},
        "weight": {"role": "identifier"},
        "day": {"role": "identifier"},
    }
    columns |= words.get("columns", {})
    columns = {name: column for name, column in columns.items() if column is not None}
    method = {"max_suppression": 0.9, "algorithm": "optimal"} | words.get("method", {})
    others = {
        word: words[word]
        for word in ("context", "data", "history", "noise", "population", "release")
        if word in words
    }
    return ind.Policy.from_words(
        {"columns": columns, "method": method, "models": words.get("models", [K])} | others
    )


def of_model(name, *, among=(), **words):
    """Return the words of a policy with a model."""
    return {"models": [*among, {"name": name} | words]}


ILL = {"column": "ill"}
EQUAL = {"distance": "equal"} | ILL
SIZED = {"population": {"size": 2000}}
OF_MODELS = {
    "k-anonymity": of_model("k-anonymity", k=3),
    "confident-k-anonymity": of_model("confident-k-anonymity", k=2)
    | {"columns": {"size": {"role": "quasi-identifier", "protect": {"name": "noise"}}}},
    "k-map": of_model("k-map", k=3, estimate="poisson") | SIZED,
    "distinct-l-diversity": of_model("distinct-l-diversity", l=2, **ILL),
    "probabilistic-l-diversity": of_model("probabilistic-l-diversity", l=1.5, **ILL),
    "entropy-l-diversity": of_model("entropy-l-diversity", l=1.5, **ILL),
    "recursive-cl-diversity": of_model("recursive-cl-diversity", c=3.0, l=2, **ILL),
    "simpson-diversity": of_model("simpson-diversity", d=0.2, **ILL),
    "alpha-k-anonymity": of_model("alpha-k-anonymity", alpha=0.9, k=2, **ILL),
    "t-closeness": of_model("t-closeness", t=0.6, **EQUAL),
    "nt-closeness": of_model("nt-closeness", n=40, t=0.6, **EQUAL),
    "beta-likeness": of_model("beta-likeness", beta=5.0, **ILL),
    "delta-disclosure": of_model("delta-disclosure", delta=3.0, **ILL),
    "delta-presence": of_model("delta-presence", delta_min=0.0, delta_max=0.95)
    | {"population": {"data": "people.csv"}},
    "average-risk": of_model("average-risk", threshold=0.5),
    "sample-uniqueness": of_model("sample-uniqueness", threshold=0.2),
    "population-uniqueness": of_model("population-uniqueness", threshold=0.2) | SIZED,
    "m-invariance": of_model("m-invariance", m=2, **ILL)
    | {"method": {"algorithm": "invariant"}, "history": {"person": "person"}},
    "km-anonymity": of_model("km-anonymity", column="codes", k=2, m=2) | {"columns": SETS},
    "set-k-anonymity": of_model("set-k-anonymity", column="codes", k=2) | {"columns": SETS},
}
DIVERSE = {"models": [K, {"name": "distinct-l-diversity", "l": 2, "column": "ill"}]}
OF_ALGORITHMS = {
    kind.name: DIVERSE | {"method": {"algorithm": kind.name}} for kind in ALGORITHMS
} | {
    "invariant": OF_MODELS["m-invariance"],
    "cell-suppression": {"method": {"algorithm": "cell-suppression"}},
}
OF_METRICS = {name: {"method": {"objective": name}} for name in METRICS}


def of_mask(name, column="size", **words):
    """Return the words of a policy with a mask."""
    role = {"noise": "quasi-identifier", "pseudonym": "identifier"}.get(name, "insensitive")
    return {"columns": {column: {"role": role, "protect": {"name": name} | words}}}


OF_MASKS = {
    "randomized-response": of_mask("randomized-response", "ill", truth=0.7),
    "microaggregation": of_mask("microaggregation", k=3),
    "noise-additive": of_mask("noise-additive", share=0.1),
    "swap": of_mask("swap", percent=10.0),
    "pram": of_mask("pram", "ill", truth=0.8),
    "round": of_mask("round", base=5),
    "top-bottom": of_mask("top-bottom", low=160, high=180),
    "pseudonym": of_mask("pseudonym", "person", key="key"),
    "noise": of_mask("noise"),
    "date-shift": {**of_mask("date-shift", "day", days=3), "data": {"person": "person"}},
}


def by_hierarchy(name, **rule):
    """Return the words of a quasi-identifier with a hierarchy."""
    return {name: {"role": "quasi-identifier", "hierarchy": rule}}


# Each word of a policy that changes what is done, with a value that is not its default.
OF_HOUSEHOLDS = {
    "data": {"household": "person"},
    "columns": {"person": None},
    "method": {"algorithm": "local"},
}
OF_WORDS = {
    "release.read_back": {"release": {"read_back": "accepted"}},
    "release.max_read_back": {"release": {"max_read_back": 0.5}},
    "columns.may_hide": {"columns": {"ill": {"role": "sensitive", "may_hide": False}}},
    "columns.role": {"columns": {"size": {"role": "sensitive"}}},
    "columns.protect": OF_MASKS["round"],
    "columns.hierarchy": {"columns": {"age": {"role": "quasi-identifier"}}},
    "columns.importance": {
        "columns": {"sex": {"role": "quasi-identifier", "importance": 2.0}},
    },
    "columns.min_level": {"columns": {"age": TWO_WIDTHS["age"] | {"min_level": 1}}},
    "columns.max_level": {"columns": {"age": TWO_WIDTHS["age"] | {"max_level": 1}}},
    "columns.reason": {"columns": {"sex": {"role": "quasi-identifier", "reason": "known"}}},
    "columns.type": {"columns": SETS} | OF_MODELS["km-anonymity"],
    "columns.format": {"columns": {"day": {"role": "identifier", "format": "dd/mm/yyyy"}}},
    "columns.unreadable": {
        "columns": {"day": {"role": "identifier", "format": "dd/mm/yyyy", "unreadable": "missing"}}
    },
    "columns.missing": {"columns": {"sex": {"role": "quasi-identifier", "missing": ["?"]}}},
    "columns.last_year": {
        "columns": {"day": {"role": "identifier", "format": "dd/mm/yyyy", "last_year": 1999}}
    },
    "columns.separator": {"columns": SETS} | OF_MODELS["km-anonymity"],
    "columns.suppression": {"columns": SETS} | OF_MODELS["km-anonymity"],
    "hierarchy.intervals": {"columns": TWO_WIDTHS},
    "hierarchy.mask": {"columns": by_hierarchy("person", mask=3)},
    "hierarchy.dates": {"columns": by_hierarchy("day", dates=["month", "year"])},
    "hierarchy.csv": {"columns": by_hierarchy("sex", csv="sexes.csv")},
    "hierarchy.separator": {"columns": by_hierarchy("sex", csv="sexes.csv", separator=";")},
    "hierarchy.public": {"columns": by_hierarchy("sex", tree={"person": ["f", "m"]}, public=True)},
    "hierarchy.labels": {"columns": by_hierarchy("sex", labels=[])},
    "hierarchy.ranges": {"columns": by_hierarchy("age", ranges="exact")},
    "hierarchy.rows": {"columns": by_hierarchy("sex", rows=[["f", "person"], ["m", "person"]])},
    "hierarchy.tree": {"columns": by_hierarchy("sex", tree={"person": ["f", "m"]})},
    "context.purpose": {"context": {"purpose": "research"}},
    "context.recipients": {"context": {"recipients": "a university"}},
    "context.controls": {"context": {"controls": "a contract"}},
    "context.contact": {"context": {"contact": "the data office"}},
    "context.approved_by": {"context": {"approved_by": "the board"}},
    "context.approved_on": {"context": {"approved_on": "2026-05-04"}},
    "context.review_on": {"context": {"review_on": "2027-05-04"}},
    "data.missing": {"data": {"missing": ["", "gout"]}},
    "data.missing_as": {"data": {"missing": ["", "m"], "missing_as": "suppress"}},
    "data.separator": {"data": {"separator": ","}},
    "data.encoding": {"data": {"encoding": "latin-1"}},
    "data.quote": {"data": {"quote": "'"}},
    "data.escape": {"data": {"escape": "\\"}},
    "data.decimal": {"data": {"decimal": ","}},
    "data.header": {"data": {"header": 2}},
    "data.skip_rows": {"data": {"skip_rows": 1}},
    "data.skip_last": {"data": {"skip_last": 1}},
    "data.person": {"data": {"person": "person"}},
    "data.weight": {"data": {"weight": "weight"}},
    "data.long": {"columns": SETS | {"person": None}}
    | of_model("km-anonymity", column="codes", k=2, m=2)
    | {"data": {"long": {"person": "person", "item": "codes"}}},
    "method.algorithm": OF_ALGORITHMS["mondrian"],
    "method.objective": OF_METRICS["discernibility"],
    "method.aggregate": {"method": {"aggregate": "maximum"}},
    "method.max_suppression": {"method": {"max_suppression": 0.2}},
    "method.time_limit": {"method": {"time_limit": 60.0}},
    "method.replay": {"method": {"algorithm": "local", "replay": "resistant"}},
    "method.weights": {"method": {"weights": "vulnerability"}},
    "method.relaxed": {"method": {"algorithm": "mondrian", "relaxed": True}},
    "method.effort": {"method": {"algorithm": "local", "effort": "fast"}},
    "method.bound": {"method": {"algorithm": "local", "bound": "certified"}},
    "method.diversity": OF_ALGORITHMS["adaptive"],
    "method.evenness": OF_ALGORITHMS["adaptive"],
    "method.grouping": OF_ALGORITHMS["adaptive"],
    "method.similarity": OF_ALGORITHMS["adaptive"],
    "method.step": OF_ALGORITHMS["adaptive"],
    "method.target": {"method": {"weights": "vulnerability", "target": "identity"}},
    "method.trees": {"method": {"weights": "vulnerability", "trees": 50}},
    "population.size": OF_MODELS["k-map"],
    "population.data": OF_MODELS["delta-presence"],
    "release.suppressed": {"release": {"suppressed": "mask"}},
    "release.intervals": {"release": {"intervals": "bounds"}},
    "release.range_ends": {
        "method": {"algorithm": "mondrian"},
        "release": {"range_ends": "rounded"},
    },
    "release.suppressed_cell": {
        "method": {"algorithm": "cell-suppression"},
        "release": {"suppressed_cell": "any"},
    },
    "release.form": {"release": {"form": "anatomy"}, "models": DIVERSE["models"][1:]},
    "noise.epsilon": OF_MASKS["noise"] | {"noise": {"epsilon": 2.0}},
    "noise.confidence": OF_MODELS["confident-k-anonymity"] | {"noise": {"confidence": 0.9}},
    "noise.budget": OF_MASKS["noise"] | {"noise": {"budget": "split"}},
    "noise.zero": OF_MASKS["noise"] | {"noise": {"zero": "skip"}},
    "history.person": OF_MODELS["m-invariance"],
    "history.companions": OF_MODELS["m-invariance"]
    | {"history": {"person": "person", "companions": "mixed"}},
    "history.signatures": OF_MODELS["m-invariance"]
    | {"history": {"person": "person", "signatures": "free"}},
    "history.max_counterfeits": OF_MODELS["m-invariance"]
    | {"history": {"person": "person", "max_counterfeits": 0.5}},
    "context.reason": {"context": {"reason": "a report for the council"}},
    "context.accepted": {"context": {"accepted": ("size",)}},
    "data.household": OF_HOUSEHOLDS,
    "data.known_members": OF_HOUSEHOLDS | {"data": {"household": "person", "known_members": "all"}},
    "columns.level": OF_HOUSEHOLDS
    | {"columns": {"person": None, "sex": {"role": "quasi-identifier", "level": "household"}}},
    # It speaks of earlier releases: without a history, which is refused, there are none.
    "history.composition": {"history": {"person": "person", "composition": "refuse"}},
}
TABLES = {
    "columns": ColumnPolicy,
    "context": ContextPolicy,
    "data": DataPolicy,
    "hierarchy": HierarchyRule,
    "history": HistoryPolicy,
    "method": MethodPolicy,
    "noise": NoisePolicy,
    "population": PopulationPolicy,
    "release": ReleasePolicy,
}
# What is drawn by chance: the masked column is another one in each release.
BY_CHANCE = {"randomized-response": "ill", "noise-additive": "size", "pram": "ill"}
# What is refused beyond memory; docs/larger-than-memory.md lists it.
REFUSED = {
    "confident-k-anonymity", "m-invariance", "km-anonymity", "set-k-anonymity", "invariant",
    "microaggregation", "swap", "noise", "date-shift", "columns.type", "columns.separator",
    "columns.suppression", "data.encoding", "data.quote", "data.escape",
    "data.header", "data.skip_rows", "data.skip_last", "data.person", "data.long",
    "data.household", "data.known_members", "columns.level",
    "release.suppressed", "release.suppressed_cell",
    "release.form", "noise.epsilon", "noise.confidence", "noise.budget",
    "noise.zero", "history.person", "history.companions", "history.signatures",
    "history.max_counterfeits",
}  # fmt: skip
# What takes no search; the others are run where there is time.
BRIEF = {*REFUSED, "t-closeness", "pram", "release.intervals"}
GROUPS = {
    "models": ({kind.name for kind in MODELS}, OF_MODELS),
    "algorithms": ({kind.name for kind in ALGORITHMS}, OF_ALGORITHMS),
    "objectives": (set(METRICS), OF_METRICS),
    "masks": ({*MASKS}, OF_MASKS),
    "words": (
        {f"{name}.{word}" for name, kind in TABLES.items() for word in kind.model_fields}
        - {"columns.parent", "columns.days_since"},  # of related tables alone
        OF_WORDS,
    ),
}
CASES = [
    pytest.param(name, words, id=f"{group}-{name}", marks=[] if name in BRIEF else pytest.mark.slow)
    for group, (_, cases) in GROUPS.items()
    for name, words in cases.items()
]


@pytest.fixture(name="place")
def a_folder(tmp_path, monkeypatch):
    """Return a folder with the table, a population and a key."""
    monkeypatch.chdir(tmp_path)
    frame = table()
    frame.write_parquet("in.parquet")
    pl.concat([frame, frame]).select("age", "sex").write_csv("people.csv")
    (tmp_path / "sexes.csv").write_text("f;anybody\nm;anybody\n")
    (tmp_path / "key").write_text("6b" * 32)
    (tmp_path / "key").chmod(0o600)
    return tmp_path


@pytest.mark.parametrize("group", GROUPS)
def test_every_feature_is_in_a_list(group):
    """So that a new one is thought of here."""
    registered, listed = GROUPS[group]
    assert set(listed) == registered


def test_the_words_of_every_table_are_walked():
    """The models have a list of their own, and a hierarchy is a table of a column."""
    assert set(TABLES) == set(PolicyTables.model_fields) - {"models", "withheld"} | {"hierarchy"}


def large(policy, folder, engine="polars"):
    """Publish the table in parts; give the released rows."""
    out = folder / "out.parquet"
    anonymize_in_parts(
        str(folder / "in.parquet"),
        policy,
        sink_for(str(out)),
        resources=Resources(engine, 10**9, str(folder)),
    )
    return pl.read_parquet(out)


@pytest.mark.parametrize(("name", "words"), CASES)
def test_it_works_as_in_memory_or_is_refused_in_one_sentence(name, words, place):
    """The same rows, or a sentence that names what to take; nothing is written then."""
    policy = policy_of(words)
    if name in REFUSED:
        with pytest.raises(PolicyError) as refused:
            large(policy, place)
        for fault in refused.value.faults:
            assert fault.remedy.startswith("Take --engine memory, or ")
            assert fault.remedy.count(".") - fault.remedy.count("0.") == 1
            assert ". " not in fault.problem
        assert not (place / "out.parquet").exists()
        return
    found = large(policy, place)
    expected = ind.anonymize(place / "in.parquet", policy, seed=1).data
    assert found.columns == expected.columns
    assert ind.verify(place / "out.parquet", policy).holds is True
    if name == "method.replay":
        return  # the classes themselves are drawn by chance
    kept = [column for column in found.columns if column != BY_CHANCE.get(name)]
    # Records that are alike may go to several classes: which of them to which is nobody's choice.
    bound = {model.column for model in policy.models if hasattr(model, "column")}
    # Algorithms that divide equal records among classes choose by other columns only if bound.
    loose = () if policy.algorithm.divides else policy.named(Role.SENSITIVE)
    free = {*policy.named(Role.INSENSITIVE), *loose} - bound
    passed = [column for column in kept if column in free]
    others = [column for column in kept if column not in passed]
    assert sorted_rows(found, others) == sorted_rows(expected, others)
    assert sorted_rows(found, passed) == sorted_rows(expected, passed)
