"""Several sensitive columns: each other one among the quasi-identifiers when one is judged."""

from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.base.parameters import declared
from indistinct.tables.core.classes import EquivalenceClasses, classes_of
from indistinct.tables.core.frequencies import TOGETHER, FrequencyTable, SensitiveColumn
from indistinct.tables.core.protocols import Monotonicity, PlainClass, PlainColumn
from indistinct.tables.frames.tuples import combinations_of
from indistinct.tables.models import (
    MODELS,
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EntropyLDiversity,
    NTCloseness,
    ProbabilisticLDiversity,
    RecursiveCLDiversity,
    SimpsonDiversity,
    TCloseness,
)
from indistinct.tables.models.of_one_column import SensitiveModel
from strategies import OF_ONE_RELEASE

COLUMNS = ("a", "b", "c")
DIVIDED = {"others": "quasi-identifiers"}
EVERY_KIND = [
    SimpsonDiversity("a", d=1.5, **DIVIDED),
    DistinctLDiversity("a", 2, **DIVIDED),
    ProbabilisticLDiversity("a", 2, **DIVIDED),
    EntropyLDiversity("a", 1.5, **DIVIDED),
    RecursiveCLDiversity("a", 2.0, 2, **DIVIDED),
    AlphaKAnonymity("a", 0.6, 2, **DIVIDED),
    TCloseness("a", 0.3, **DIVIDED),
    TCloseness("a", 0.3, "ordered", **DIVIDED),
    NTCloseness("a", 4, 0.2, **DIVIDED),
    BetaLikeness("a", 1.0, **DIVIDED),
    DeltaDisclosure("a", 1.0, absent="ignore", **DIVIDED),
]
OF_CLASSES = [model for model in EVERY_KIND if not isinstance(model, NTCloseness)]
PRUNED = [model for model in EVERY_KIND if model.monotone is not Monotonicity.NEVER]


def counted(rows) -> EquivalenceClasses:
    """Count rows of (class, a, b, c)."""
    array = np.array(rows, np.int32)
    codes = {name: array[:, index + 1].copy() for index, name in enumerate(COLUMNS)}
    sensitive = {name: whole(name, codes[name]) for name in COLUMNS}
    sensitive[TOGETHER], codes[TOGETHER] = combinations_of(codes)
    ones = np.ones(len(array), np.int64)
    table = FrequencyTable(("q",), array[:, :1].copy(), ones, sensitive, codes)
    return classes_of(table, array[:, 0].copy(), int(array[:, 0].max()) + 1)


def whole(name, codes) -> SensitiveColumn:
    texts = tuple(f"v{value}" for value in range(int(codes.max()) + 1))
    return SensitiveColumn(name, texts, None, np.bincount(codes, minlength=len(texts)))


def plain(rows) -> list[PlainClass]:
    """Count the same rows by hand, class by class."""
    table = {}
    for index, name in enumerate(COLUMNS):
        counts = Counter(f"v{row[index + 1]}" for row in rows)
        order = [f"v{value}" for value in range(1 + max(row[index + 1] for row in rows))]
        table[name] = PlainColumn(counts, order)
    found = []
    for owner in range(1 + max(row[0] for row in rows)):
        mine = [[f"v{value}" for value in row[1:]] for row in rows if row[0] == owner]
        counts = {name: Counter(row[index] for row in mine) for index, name in enumerate(COLUMNS)}
        combinations = Counter(tuple(zip(COLUMNS, row, strict=True)) for row in mine)
        found.append(PlainClass(len(mine), counts, table, together=combinations))
    return found


def parts_of(rows) -> tuple[list[int], list[tuple]]:
    """Return the classes as they would be with b and c among the quasi-identifiers."""
    keys = sorted({(row[0], *row[2:]) for row in rows})
    return [key[0] for key in keys], [
        (keys.index((row[0], *row[2:])), row[1], 0, 0) for row in rows
    ]


@st.composite
def some_rows(draw):
    """Draw records of up to four classes, every class and value number in use."""
    cells = [st.integers(0, high) for high in (3, 3, 1, 1)]
    rows = draw(st.lists(st.tuples(*cells), min_size=1, max_size=30))
    used = [sorted({row[index] for row in rows}) for index in range(4)]
    return [tuple(used[index].index(value) for index, value in enumerate(row)) for row in rows]


def test_what_the_others_give_away_is_seen():
    """Two diseases among four records, but both cooks have the flu."""
    rows = [(0, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 1, 0)]
    assert DistinctLDiversity("a", 2).holds(counted(rows)).all()
    assert DistinctLDiversity("a", 2, **DIVIDED).measured(counted(rows)).tolist() == [1]
    assert DistinctLDiversity("a", 2, **DIVIDED).measured_plainly(plain(rows)[0]) == 1
    mended = [*rows[:3], (0, 1, 1, 0)]
    assert DistinctLDiversity("a", 2, **DIVIDED).holds(counted(mended)).all()


@pytest.mark.parametrize("model", OF_CLASSES, ids=lambda model: model.name)
@given(rows=some_rows())
def test_a_class_is_as_good_as_its_worst_part(model, rows):
    """Both definitions equal the measure of classes over the quasi-identifiers and the others."""
    found = model.measured(counted(rows))
    owners, alike = parts_of(rows)
    each = type(model)(**{**model.required(), "others": "separate"}).measure(counted(alike))
    worst = min if model.grows else max
    expected = [
        worst(measure for owner, measure in zip(owners, each, strict=True) if owner == index)
        for index in range(len(found))
    ]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)
    by_hand = [model.measured_plainly(one) for one in plain(rows)]
    assert found.tolist() == pytest.approx(by_hand, abs=1e-12)


@given(rows=some_rows(), n=st.integers(1, 12), t=st.floats(0, 1))
def test_the_class_is_a_superset_of_its_parts(rows, n, t):
    """(n,t)-closeness: a part may be large, close to its class if that is, or to the table."""
    model = NTCloseness("a", n, t, **DIVIDED)
    found = model.holds(counted(rows))
    expected = defaultdict(lambda: True)
    for owner, b, c in {(row[0], *row[2:]) for row in rows}:
        part = [row for row in rows if (row[0], *row[2:]) == (owner, b, c)]
        supersets = (part, [row for row in rows if row[0] == owner], rows)
        near = [s for s in supersets if len(s) >= n and total_variation(part, s) <= t + 1e-12]
        expected[owner] &= bool(near)
    assert found.tolist() == [expected[owner] for owner in range(len(found))]
    assert model.select(counted(rows), np.ones(len(found), np.bool_)).tolist() == found.tolist()
    plainly = [model.within(np.array([model.measured_plainly(one)]))[0] for one in plain(rows)]
    assert found.tolist() == plainly


def total_variation(first, second) -> float:
    one, two = (Counter(row[1] for row in rows) for rows in (first, second))
    return sum(abs(one[v] / len(first) - two[v] / len(second)) for v in {*one, *two}) / 2


@pytest.mark.parametrize("model", PRUNED, ids=lambda model: model.name)
@given(rows=some_rows())
def test_merging_keeps_what_is_declared(model, rows):
    """Two classes that hold hold together, unless nothing is believed."""
    assert model.monotone is Monotonicity.WITHOUT_SUPPRESSION
    one = [(0, *row[1:]) for row in rows]
    assert model.holds(counted(one)).all() or not model.holds(counted(rows)).all()


def test_every_model_of_a_sensitive_column_has_the_option():
    kinds = {kind for kind in MODELS if issubclass(kind, SensitiveModel)}
    assert kinds >= {type(model) for model in EVERY_KIND}
    assert all("others" in declared(kind) for kind in kinds)
    assert "others" not in DistinctLDiversity("a", 2).required()
    for model in EVERY_KIND:
        assert type(model)(**model.required()) == model


FRAME_COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20, 40]}},
    "sex": {"role": "quasi-identifier"},
    "disease": {"role": "sensitive"},
    "income": {"role": "sensitive"},
}


def people(n=240) -> pl.DataFrame:
    """Make up people whose disease depends on their income, the missing one included."""
    chance = np.random.default_rng(5)
    income = chance.integers(0, 3, n)
    disease = np.where(chance.random(n) < 0.6, income, chance.integers(0, 4, n))
    return pl.DataFrame(
        {
            "age": chance.integers(20, 60, n),
            "sex": chance.choice(["f", "m"], n),
            "disease": np.array(["flu", "ulcer", "asthma", ""])[disease],
            "income": np.array(["low", "middle", "high"])[income],
        }
    )


def policy(algorithm, others, **more) -> ind.Policy:
    words = {"others": others, "missing_counts": True}
    models = [
        {"name": "distinct-l-diversity", "column": "disease", "l": 3, **words},
        {"name": "t-closeness", "column": "income", "t": 0.7, **words},
    ]
    method = {"algorithm": algorithm, "max_suppression": 0.3, **more}
    return ind.Policy(columns=FRAME_COLUMNS, models=models, method=method)


def fewest_diseases(release, *others) -> int:
    parts = defaultdict(set)
    for row in release.iter_rows(named=True):
        parts[row["age"], row["sex"], *(row[name] for name in others)].add(row["disease"] or "")
    return min(map(len, parts.values()))


@pytest.mark.parametrize("algorithm", OF_ONE_RELEASE)
def test_every_algorithm_keeps_it(algorithm):
    """Counted by hand from the release; verified and assessed as well."""
    chosen = policy(algorithm, "quasi-identifiers")
    release = ind.anonymize(people(), chosen, seed=1)
    assert fewest_diseases(release.data, "income") >= 3
    said = release.manifest["models"][0]
    assert said["required"]["others"] == "quasi-identifiers"
    assert said["achieved"] == {"l": fewest_diseases(release.data, "income")}
    known = {"manifest": release.manifest, "original": people()}
    assert ind.verify(release.data, chosen, **known).holds
    assessed = ind.assess(release.data, chosen, original=people()).models
    assert [entry["achieved"] for entry in assessed] == [
        entry["achieved"] for entry in release.owner["models"]
    ]


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_closeness_to_a_superset_with_the_others_among_the_quasi_identifiers(algorithm):
    """The definition from the file: a part is close to its class, or to all people of a region."""
    model = {"name": "nt-closeness", "column": "disease", "n": 60, "t": 0.4, **DIVIDED}
    columns = {**FRAME_COLUMNS, "age": {"role": "quasi-identifier"}}
    method = {"algorithm": algorithm, "max_suppression": 0.3}
    asked = ind.Policy(columns=columns, models=[model], method=method)
    release = ind.anonymize(people(), asked, seed=1)
    known = {"manifest": release.manifest, "original": people()}
    verified = ind.verify(release.data, asked, **known)
    assert verified.holds
    assert release.manifest["models"][0]["holds"]
    assert release.manifest["models"][0]["required"]["others"] == "quasi-identifiers"


def test_a_release_that_is_only_separately_diverse_is_refused():
    """Diverse in every class, but not among the people of one income."""
    made = ind.anonymize(people(), policy("optimal", "separate"), seed=1)
    release = made.data
    assert fewest_diseases(release) >= 3 > fewest_diseases(release, "income")
    known = {"manifest": made.manifest, "original": people()}
    assert ind.verify(release, policy("optimal", "separate"), **known).holds
    strict = policy("optimal", "quasi-identifiers")
    assert not ind.verify(release, strict, original=people()).holds
    assert not ind.assess(release, strict, original=people()).models[0]["holds"]


def test_more_than_the_table_can_give_is_said_with_the_others_in_mind():
    """Some income has three known diseases, counted over the whole table."""
    models = [{"name": "distinct-l-diversity", "column": "disease", "l": 5, **DIVIDED}]
    asked = ind.Policy(columns=FRAME_COLUMNS, models=models)
    with pytest.raises(ind.NoSolutionError, match="which is l = 3"):
        ind.anonymize(people(), asked)


def test_with_one_sensitive_column_the_option_says_nothing():
    columns = {name: words for name, words in FRAME_COLUMNS.items() if name != "income"}
    releases = [
        ind.anonymize(
            people().drop("income"),
            ind.Policy(
                columns=columns,
                models=[{"name": "entropy-l-diversity", "column": "disease", "l": 2, **words}],
            ),
            seed=1,
        ).data
        for words in ({}, DIVIDED)
    ]
    assert releases[0].equals(releases[1])
