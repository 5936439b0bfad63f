"""What the command says of a release."""

import re
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, strategies as st
from rich.markup import escape
from rich.table import Table

import indistinct as ind
from indistinct.base.statements.number_texts import chance, percent
from indistinct.frontends.cli.drawing import FactTable, drawn
from indistinct.frontends.cli.summary import _promises, manifest_summary
from indistinct.tables.core.frequencies import PERSON, person_and
from indistinct.tables.findings.finding import (
    Finding,
    NotExamined,
    ReleaseFindings,
    all_ranked,
    first_of_each_rank,
    some_names,
)
from indistinct.tables.findings.kinds import CROSSWALK, RANKS

FIVE = ["verdict", "size", "kept", "risk", "search"]


@pytest.fixture(scope="module")
def release() -> ind.Release:
    patients = ind.sample("patients", rows=400, seed=3)
    return ind.anonymize(
        patients.select("birth_date", "sex", "weight_kg", "diagnosis"),
        quasi_identifiers=["birth_date", "sex"],
        sensitive=["diagnosis"],
        insensitive=["weight_kg"],
        k=5,
        max_suppression=0.1,
        seed=1,
    )


def rows(release: ind.Release, *, verbose: bool = False) -> dict[str, str]:
    """Give each row of the summary by its first word; the last of a name counts."""
    text = manifest_summary(release._held.exact, "out.csv", None, None, verbose=verbose)
    whole = re.sub(r"\n +", " ", text)  # a long line goes on below, as wide as the terminal is
    lines = [line for line in whole.splitlines() if line.strip()]
    return {line.split("  ")[0].strip(): line.split("  ", 1)[1].strip() for line in lines}


def test_five_figures_come_first(release: ind.Release) -> None:
    found = [name for name in rows(release) if name in FIVE]
    assert found == FIVE
    assert list(rows(release))[:3] == FIVE[:3]


def test_the_figures_are_those_of_the_release(release: ind.Release) -> None:
    found = rows(release)
    n_released = release.data.height
    assert found["verdict"] == "holds: k-anonymity (k = 5)"
    assert found["size"].startswith(f"{n_released:,} of 400 records released")
    stated = release.owner["statements"]
    assert found["kept"].startswith(f"{percent(stated['kept']['share'])} in 2 columns")
    assert found["release"] == "out.csv"
    assert found["manifest"] == "out.csv.manifest.json"
    risk = 1 / release.data.group_by("birth_date", "sex").len()["len"].min()
    assert f"{chance(risk)} for somebody who knows the columns" in found["risk"]


def test_a_bound_that_is_nearly_reached_is_said_so(release: ind.Release) -> None:
    """Here the bound is the loss, up to rounding: "0% less" would sound like a mistake."""
    found = release.owner["loss"]
    assert found["lower_bound"]["value"] == pytest.approx(found["loss"], rel=1e-3)
    assert rows(release, verbose=True)["limit"].endswith("less than 1% below this")


def test_what_further_promises_cost_is_told() -> None:
    patients = ind.sample("patients", rows=400, seed=3).select("sex", "postcode", "diagnosis")
    release = ind.anonymize(
        patients,
        quasi_identifiers=["sex", "postcode"],
        sensitive=["diagnosis"],
        models=[ind.KAnonymity(k=3), ind.TCloseness(column="diagnosis", t=0.4)],
        max_suppression=0.05,
        seed=1,
    )
    alone = release.owner["method"]["size_alone"]
    share = 1 - alone["loss"] / release.owner["loss"]["loss"]
    assert rows(release, verbose=True)["due to"] == (
        f"the size of classes alone would cost loss {alone['loss']:.4g}; {share:.0%} of the loss "
        "is due to the other models, above all t-closeness (column=diagnosis), which the classes "
        f"of {alone['broken'][0]['share']:.0%} of the records would break"
    )
    assert 0.5 < share < 1
    assert "size_alone" not in release.manifest["method"]


def test_files_of_the_owner_are_marked(release: ind.Release, tmp_path) -> None:
    # Lines may break between words.
    shown = manifest_summary(
        release._held.exact, "o", None, tmp_path / "c.csv", tmp_path / "x.json"
    )
    text = " ".join(shown.split())
    assert text.count("(for the owner alone)") == 2


def several(code: str, shares: dict[str, float]) -> list[Finding]:
    return [Finding(code, (name,), round(share * 10), 10) for name, share in shares.items()]


def test_the_first_screen_has_one_line_a_rank_and_counts_the_others() -> None:
    """Records that are no people come first; then who is found most often."""
    mixed = [
        *several("column-wholly-hidden", {"a": 1.0}),
        *several("insensitive-column-singles-out", {"b": 0.5, "c": 0.9}),
        *several("repeated-identifier", {"d": 0.1}),
        *several("column-gives-cells-back", {"e": 0.2}),
    ]
    lines = [*first_of_each_rank(mixed)]
    assert [line.partition(":")[0] for line in lines[:3]] == [
        "who can be found",
        "what is given away",
        "what is useless",
    ]
    assert lines[0].startswith("who can be found: 1 of 10 classes have fewer different values of d")
    assert lines[3] == "2 more: --warnings all prints each of them"
    ranked = [line.partition(": ")[2] for line in all_ranked(mixed)]
    order = [mixed[at] for at in (3, 2, 1, 4, 0)]
    assert ranked == [f"{one.message}. {one.remedy}" for one in order]
    assert list(first_of_each_rank([])) == []


@pytest.mark.parametrize(
    ("code", "reached"),
    [
        ("repeated-identifier", [True, True, True]),
        ("column-gives-cells-back", [False, True, True]),
        ("column-keeps-little", [False, False, True]),
    ],
)
def test_a_pipeline_fails_on_a_rank_and_on_those_before_it(code: str, reached: list[bool]) -> None:
    """What could not be examined fails it in another way, unless something was found."""
    found = ReleaseFindings(tuple(several(code, {"a": 0.1})))
    missed = ReleaseFindings(not_examined=(NotExamined(code, CROSSWALK, "why"),))
    assert [found.fails(rank) for rank in RANKS] == reached
    assert [missed.fails(rank) for rank in RANKS] == [None if one else False for one in reached]
    both = ReleaseFindings(found.found, not_examined=missed.not_examined)
    assert [both.fails(rank) for rank in RANKS] == reached
    assert not any(ReleaseFindings().fails(rank) for rank in RANKS)


def test_a_line_names_four_columns_and_counts_the_others() -> None:
    assert some_names([f"c{n}" for n in range(9)]) == "c0, c1, c2, c3 and 5 more"
    assert some_names(["a", "b"]) == "a, b"


def test_the_frame_may_have_brackets_in_its_names() -> None:
    """A name such as [red] is text and no style of the terminal."""
    table = pl.DataFrame({"[red]": ["a"] * 50 + list(map(str, range(50))), "ill": ["x", "y"] * 50})
    words = {"quasi_identifiers": ["[red]"], "sensitive": ["ill"], "algorithm": "optimal"}
    release = ind.anonymize(table, **words, k=60)
    assert "[red] " in manifest_summary(release._held.exact, "o", None, None, verbose=True)
    assert "[red] tells nothing" in " ".join(all_ranked(release._held.exact.warnings))


WORDS = st.lists(st.text("ab-[]/,.", min_size=1, max_size=30), min_size=1, max_size=40)


@given(st.lists(st.tuples(st.sampled_from(["note", "a long name"]), WORDS), min_size=1, max_size=4))
def test_facts_are_drawn_as_a_table_of_rich_draws_them(told: list[tuple[str, list[str]]]) -> None:
    plain, table = FactTable(), Table(show_header=False, box=None, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, words in told:
        plain.add_row(name, " ".join(words))
        table.add_row(name, escape(" ".join(words)))
    assert plain.drawn() == drawn(table)


@pytest.mark.parametrize("names", [[], ["t-closeness"]])
def test_people_are_no_model_of_their_own(release: ind.Release, names) -> None:
    """What counting people costs is said as such, and no column is named that no table has."""
    exact = release._held.exact
    broken = [{"name": "k-anonymity", "column": PERSON, "share": 0.3}]
    broken += [{"name": name, "column": person_and("ill"), "share": 0.1} for name in names]
    facts = {"size_alone": {"loss": 0.0001, "broken": broken}}
    found = replace(exact, method=replace(exact.method, facts=facts))
    ((_, said),) = _promises(found)
    assert "person" not in said
    assert "\0" not in said
    assert said.endswith("due to counting people") is not bool(names)
    assert ("t-closeness (column=ill)" in said) is bool(names)
