"""Repairing what columns give back: random tables, the rules that a repair keeps, planted bugs."""

import json
from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.errors import NoSolutionError, VerificationError
from indistinct.tables.publish.repair import moves, repair
from indistinct.tables.release import read_back_of_release

QI = "quasi-identifier"


def homes(n_homes=120, seed=1, n_parts=4):
    """Draw people in homes: an income for each home, which tells their region."""
    draws = np.random.default_rng(seed)
    size = draws.integers(1, 4, n_homes)
    home = np.repeat(np.arange(n_homes), size)
    n = len(home)
    return pl.DataFrame(
        {
            "age": draws.integers(18, 80, n),
            "sex": draws.choice(["f", "m"], n),
            "region": draws.integers(0, n_parts, n_homes)[home],
            "income": draws.integers(10_000, 60_000, n_homes)[home],
            "ill": draws.choice(["flu", "gout", "cold"], n),
        }
    )


def policy(k=3, release=None, columns=None, models=(), max_suppression=0.1):
    rules = {
        "age": {"role": QI, "hierarchy": {"intervals": [5, 10, 20, 40]}},
        "sex": {"role": QI, "hierarchy": {"rows": [["f", "*"], ["m", "*"]]}},
        "region": {"role": QI},
        "income": {"role": "insensitive"},
        "ill": {"role": "sensitive"},
    }
    for name, words in (columns or {}).items():
        rules[name] = {**rules[name], **words}
    return ind.Policy.from_words(
        {
            "columns": rules,
            "models": [{"name": "k-anonymity", "k": k}, *models],
            "method": {"max_suppression": max_suppression},
            "release": release or {},
        }
    )


def sick():
    """Return people whose illness tells their region."""
    table = homes(260, 1, 6)
    number = np.random.default_rng(4).integers(0, 20, table.height)
    return table.with_columns(
        ill=pl.col("region").cast(pl.String) + "-" + pl.Series(number).cast(pl.String)
    )


ACCEPTED = {"read_back": "accepted"}


def contains(outer, inner):
    """Return whether a cell says no more than another, by its text alone."""
    if outer in {inner, "*"}:
        return True
    if not outer.startswith("["):
        return False
    low, high = (float(end) for end in outer[1:-1].split(", "))
    if inner.startswith("["):
        first, last = (float(end) for end in inner[1:-1].split(", "))
        return low <= first and last <= high
    return inner != "*" and low <= float(inner) and (float(inner) < high or outer[-1] == "]")


def below_plainly(frame, names, teller, least):
    """Return the share in small classes once every group of a telling column is read back."""
    rows = [tuple(map(str, row)) for row in frame.select(names).rows()]
    groups = defaultdict(list)
    for place, value in enumerate(frame[teller].to_list()):
        if value is not None:
            groups[value].append(place)
    after = [list(row) for row in rows]
    for members in groups.values():
        for at in range(len(names)):
            for finest in {rows[place][at] for place in members}:
                if all(contains(rows[place][at], finest) for place in members):
                    for place in members:
                        after[place][at] = finest
    sizes = Counter(map(tuple, after))
    return sum(n for n in sizes.values() if n < least) / len(rows)


def test_a_home_survey_is_released_and_costs_no_cell():
    table = homes()
    accepted = ind.anonymize(table, policy(release=ACCEPTED), seed=0)
    assert accepted.manifest["read_back"]["below"] > 0.01
    with pytest.raises(NoSolutionError):
        ind.anonymize(table, policy(release={"read_back": "refused"}), seed=0)
    made = ind.anonymize(table, policy(), seed=0)
    found, done = made.manifest["read_back"], made.owner["repair"]
    assert found["below"] < 0.01
    assert made.owner["loss"]["loss"] <= 1.01 * accepted.owner["loss"]["loss"]
    n_hidden = made.frame["income"].null_count()
    assert done["hidden"].get("income", 0) == n_hidden <= 0.05 * table.height
    assert "repair" not in made.manifest


def test_nobody_may_be_below():
    made = ind.anonymize(homes(), policy(release={"max_read_back": 0}), seed=0)
    assert made.manifest["read_back"]["below"] == 0


def test_where_nothing_may_be_hidden_records_are_left_out():
    table = homes(260)
    made = ind.anonymize(table, policy(5, columns={"income": {"may_hide": False}}), seed=0)
    assert made.frame["income"].null_count() == 0
    assert made.owner["repair"]["hidden"] == {}
    assert made.owner["repair"]["left_out"] > 0
    assert table.height - made.frame.height <= 0.1 * table.height


def test_a_refusal_says_how_close_a_repair_came(monkeypatch):
    """A few records may be left out, and nothing else may be done."""
    monkeypatch.setattr(repair, "OTHERS", (frozenset({"leave"}),))
    table, columns = homes(), {"income": {"may_hide": False}}
    accepted = ind.anonymize(table, policy(release=ACCEPTED, columns=columns), seed=0)
    with pytest.raises(NoSolutionError) as caught:
        ind.anonymize(table, policy(columns=columns, max_suppression=0.02), seed=0)
    (fault,) = caught.value.faults
    closest = fault.parts["closest"]
    assert 0.01 <= closest < accepted.manifest["read_back"]["below"]
    assert f"The best repair that was tried leaves {closest:.1%} of the records" in fault.remedy


def test_a_release_that_gives_nothing_back_stays_as_it_is():
    table = homes().drop("income")
    words = policy().words()
    del words["columns"]["income"]
    words["release"] = {"read_back": "refused"}
    before = ind.anonymize(table, ind.Policy.from_words(words), seed=0)
    words["release"] = {}
    after = ind.anonymize(table, ind.Policy.from_words(words), seed=0)
    assert before.frame.equals(after.frame)
    assert "read_back" not in after.manifest


def test_what_resists_a_replay_is_refused_and_not_repaired():
    words = policy().words()
    words["method"] = {"replay": "resistant", "max_suppression": 0.3}
    with pytest.raises(NoSolutionError):
        ind.anonymize(homes(), ind.Policy.from_words(words), seed=0)


@pytest.mark.parametrize(
    "model",
    [
        {"name": "distinct-l-diversity", "column": "ill", "l": 2},
        {"name": "t-closeness", "column": "ill", "t": 0.9},
        {"name": "probabilistic-l-diversity", "column": "ill", "l": 1.5},
    ],
)
def test_models_hold_after_a_sensitive_value_is_hidden(model, monkeypatch):
    """The illness tells the region; where it is hidden, it counts as missing in every model."""
    monkeypatch.setattr(repair, "OTHERS", (frozenset({"swap", "hide", "leave"}),))
    table, rules = sick(), policy(5, columns={"income": {"role": "identifier"}}, models=[model])
    made = ind.anonymize(table, rules, seed=0)
    assert all(one["holds"] for one in made.manifest["models"])
    assert made.manifest["read_back"]["may_be_hidden"] == ["ill"]
    assert not ind.verify(made.frame, rules, manifest=made.manifest).faults
    assert ind.verify(made.frame, rules, original=table, manifest=made.manifest).holds


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_random_tables_are_released_within_the_limit_or_refused_in_words(seed):
    """A column tells the region in 10 to 100 % of its groups; k from 2 to 20."""
    draws = np.random.default_rng(seed)
    table = homes(int(draws.integers(40, 160)), seed, int(draws.integers(2, 6)))
    k = int(draws.choice([2, 3, 5, 10, 20]))
    told = draws.random(table.height) < draws.uniform(0.1, 1)
    income = np.where(
        told, table["income"].to_numpy(), draws.integers(10_000, 60_000, table.height)
    )
    table = table.with_columns(income=pl.Series(income))
    try:
        accepted = ind.anonymize(table, policy(k, ACCEPTED), seed=0)
    except NoSolutionError:
        return
    try:
        made = ind.anonymize(table, policy(k), seed=0)
    except NoSolutionError as error:
        said = str(error)
        assert "back" in said
        return
    assert all(one["holds"] for one in made.manifest["models"])
    hidden = made.frame["income"].null_count()
    assert hidden <= 0.05 * table.height
    said = made.manifest.get("read_back")
    if said is None:  # leaving records out may take all telling groups away
        return
    assert said["below"] < 0.01
    if made.owner.get("repair", {}).get("left_out", 0) == 0:
        assert made.owner["loss"]["loss"] <= 1.02 * accepted.owner["loss"]["loss"]
    # Income alone tells cells here, and a plain program reads at least as many groups.
    if said["cells"] == 0 and "repair" in made.owner:
        return
    names = ["age", "sex", "region"]
    assert said["below"] <= below_plainly(made.frame, names, "income", k) + 1e-9


def test_a_left_out_record_has_no_part_in_what_is_public():
    """Twins that differ in a record that is left out have equal public files, repaired or not."""
    words = {"missing_as": "suppress"}
    table = homes()
    for release in ({}, ACCEPTED):
        public = []
        for income in (1, int(table["income"][0])):
            lonely = {"age": None, "sex": "m", "region": 1, "income": income, "ill": "flu"}
            twin = pl.concat([table, pl.DataFrame([lonely], schema=table.schema)])
            rules = policy(release=release).with_words({"data": words})
            made = ind.anonymize(twin, rules, seed=0)
            assert table.height not in made.crosswalk.tolist()
            document = json.loads(json.dumps(made.manifest))
            document["input"].pop("fingerprint")
            public.append((made.frame.write_csv(), document))
        assert public[0] == public[1]
        assert ("repair" in made.owner) == (release == {})


def test_a_swap_of_different_records_is_found(monkeypatch):
    """Verification compares each cell with its record."""

    def any_others(looked, wanted):
        chosen = np.flatnonzero(wanted)
        return {int(place): list(range(len(looked.rows))) for place in chosen}

    monkeypatch.setattr(moves, "_equals_of", any_others)
    monkeypatch.setattr(moves, "_shows_as_much", lambda *_: True)
    monkeypatch.setattr(moves, "_is_told_there", lambda *_: False)
    with pytest.raises((VerificationError, NoSolutionError)):
        ind.anonymize(homes(), policy(), seed=0)


def test_a_hidden_value_that_breaks_a_model_is_found(monkeypatch):
    """A model of the known values is judged without those that are hidden."""
    model = {"name": "distinct-l-diversity", "column": "ill", "l": 5}
    table, rules = sick(), policy(5, columns={"income": {"role": "identifier"}}, models=[model])
    monkeypatch.setattr(repair, "OTHERS", ())
    monkeypatch.setattr(repair, "MOST_HIDDEN", 1)
    monkeypatch.setattr(repair, "_holds", lambda *_: True)
    monkeypatch.setattr(repair.RepairState, "keeps_all_models", lambda _: True)
    with pytest.raises(VerificationError) as caught:
        ind.anonymize(table, rules, seed=0)
    assert "models.distinct-l-diversity" in [fault.place for fault in caught.value.faults]


def test_pairs_that_are_forgotten_are_found(monkeypatch):
    """The manifest then says that nothing is read back."""
    draws = np.random.default_rng(2)
    table = homes(300, 2)
    table = table.with_columns(
        income=pl.Series(draws.integers(0, 12, table.height)),
        ill=pl.Series(draws.integers(0, 30, table.height)),
    )
    table = table.with_columns(region=(pl.col("income") * 7 + pl.col("ill") * 3) % 5)
    rules = policy(k=5, release=ACCEPTED)
    honest = ind.anonymize(table, rules, seed=0)
    assert honest.manifest["read_back"]["cells"] > 0
    monkeypatch.setattr(read_back_of_release, "read_back", _without_pairs)
    with pytest.raises(VerificationError):
        ind.anonymize(table, policy(k=5, release={"max_read_back": 0}), seed=0)


def _without_pairs(generalized, others, records, numbers):
    from indistinct.tables.release import read_back as module

    kept, module.pairs = module.pairs, lambda *_: []
    try:
        return module.read_back(generalized, others, records, numbers)
    finally:
        module.pairs = kept


@pytest.mark.parametrize(("word", "wrong"), [("k_after", 99), ("cells", 0), ("below", 0.5)])
def test_figures_of_another_release_are_found(word, wrong):
    made = ind.anonymize(homes(), policy(release={"max_read_back": 0.5}), seed=0)
    document = json.loads(json.dumps(made.manifest))
    document["read_back"][word] = wrong
    found = ind.verify(made.frame, policy(release={"max_read_back": 0.5}), manifest=document)
    assert [fault.place for fault in found.faults] == [f"manifest.read_back.{word}"]


def test_more_left_out_than_the_policy_allows_is_found(monkeypatch):
    """Left out records count with those that the search left out."""
    monkeypatch.setattr(repair, "_is_possible", lambda *_: True)
    rules = policy(columns={"income": {"may_hide": False}}, max_suppression=0.01)
    with pytest.raises((VerificationError, NoSolutionError)):
        ind.anonymize(homes(), rules, seed=0)
