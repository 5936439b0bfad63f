"""Every detector against a plain definition on random tables, and with bugs planted in it."""

# ruff: noqa: E501 - a bug a line

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.base.statements.statements import Statements, not_examined
from indistinct.errors import CapacityError
from indistinct.tables.core.keys import counted_text
from indistinct.tables.findings import cells, claims, facts, named_in_texts, singling_out
from indistinct.tables.findings.claims import findings_beside, word_faults_of_findings
from indistinct.tables.findings.counted_rows import beside_input, rows_in_memory, table_in_memory
from indistinct.tables.findings.counted_table import PEOPLE, KnownFacts, in_records
from indistinct.tables.findings.detectors import DETECTORS, counted_by_anybody, look_for_all
from indistinct.tables.findings.finding import Finding, NotExamined
from indistinct.tables.findings.kinds import KEEPS_LITTLE, KINDS, RELEASE, WHOLLY_HIDDEN
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.closer_look import ReleaseJudge

K, N = 4, 240
COLUMNS = {
    "pid": {"role": "identifier"},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [40]}, "importance": 2},
    "town": {"role": "quasi-identifier"},
    "visits": {"role": "insensitive"},
    "ward": {"role": "insensitive"},
    "pay": {"role": "insensitive", "protect": {"name": "noise-additive", "share": 0.1}},
    "doctor": {"role": "insensitive"},
    "house": {"role": "identifier", "protect": "pseudonym"},
    "note": {"role": "insensitive"},
    "ill": {"role": "sensitive"},
}


def released(seed):
    """Draw a released table in which everything is wrong, and the input behind it."""
    chance = np.random.default_rng(seed)
    age = chance.choice(["[0, 40)", "[40, 80)"], N)
    people = [f"P{one:04}" for one in chance.integers(0, 60, N)]
    # A class of two people with three records each.
    age[:6], people[:6] = "[80, 120)", people[:2] * 3
    pay = chance.normal(1000, 100, N)
    ill = np.where(chance.random(N) < 0.8, age, chance.choice(["flu", "Flu", "gout"], N))
    notes = [
        "call 0351 353990",
        "or 0351 353991",
        "left early",
        "came late",
        "paid",
        f"see {people[0]}",
    ]
    note = [
        f"about {who} again" if chance.random() < 0.1 else chance.choice(notes) for who in people
    ]
    release = pl.DataFrame(
        {
            "age": age,
            "town": ["*"] * N,
            "visits": chance.integers(0, 20, N),
            "ward": chance.choice(["a", "b", "c"], N),
            "pay": pay + chance.normal(0, 1, N),
            "doctor": [people[one] for one in chance.integers(0, N, N)],
            "house": [f"h{one}" for one in chance.integers(0, 150, N)],
            "note": note,
            "ill": [
                None if n % 20 == 7 else f"ill {n}" if n % 20 == 9 else f"{one}"
                for n, one in enumerate(ill)
            ],
        }
    )
    before = pl.DataFrame(
        {"pid": [f" {one}" if n % 40 == 0 else one for n, one in enumerate(people)], "pay": pay}
    )
    order = chance.permutation(N)
    return release, before[order], np.argsort(order)


@cache
def table_of(seed, person=False):
    """Return such a table as detectors count it."""
    release, before, behind = released(seed)
    words = {"columns": COLUMNS, "models": [{"name": "k-anonymity", "k": K}]}
    if person:
        words["data"] = {"person": "pid"}
    spec = resolve(ind.Policy.from_words(words))
    rows = rows_in_memory(release, spec)
    if person:
        codes = np.unique([counted_text(one) for one in before["pid"]], return_inverse=True)[1]
        rows = replace(rows, units=codes[behind].astype(np.int64))
    table = beside_input(table_in_memory(rows, spec), before, behind)
    known = KnownFacts(
        given_up=("town",),
        renamed=("age",),
        shared_keys=("house",),
        composed=(("ill",), 3, 12),
        returning=("pid", 0, 60),
    )
    table = replace(table, identifiers=("pid",), facts=known, closer=ReleaseJudge())
    if person:
        units = {"unit": PEOPLE, "are_units_shown": False, "n_units": len({*rows.units})}
        table = replace(table, **units)
    return table, release, before[behind]


def rows_by_class(release):
    """Return the numbers of the rows of each class."""
    found = defaultdict(list)
    for number, cells_of in enumerate(release.select("age", "town").rows()):
        found[cells_of].append(number)
    return found.values()


def plainly_alone(release, people, names, values=None):
    """Return the people with a row whose cells nobody else of the class shows.

    Parameters
    ----------
    values : those of the first column that count; all where left out
    """
    found = set()
    for members in rows_by_class(release):
        shown = defaultdict(set)
        for row in members:
            shown[tuple(release[name][row] for name in names)].add(people[row])
        found |= {
            who
            for own, those in shown.items()
            if len(those) == 1 and (values is None or own[0] in values)
            for who in those
        }
    return found


def plainly_nearest(release, before):
    """Return the rows that show the pay of their class that is nearest to their own."""
    found = set()
    for members in rows_by_class(release):
        for row in members:
            gaps = [abs(release["pay"][one] - before["pay"][row]) for one in members]
            least = min(gaps)
            if gaps.count(least) == 1 and members[gaps.index(least)] == row:
                found.add(row)
    return found


def expected(code, table, release, before):
    """Return what a detector has to find, by its plain definition: columns with their counts."""
    n, ids = release.height, [one.strip() for one in before["pid"]]
    people = ids if table.unit == PEOPLE else range(n)
    pids = before["pid"].to_list()
    classes = [*rows_by_class(release)]
    alone = {
        one: plainly_alone(release, people, [one]) for one in ("visits", "ward", "doctor", "note")
    }
    rare = Counter()
    for value in {*release["ill"]}:
        rare[value] = len({people[row] for row in range(n) if release["ill"][row] == value})
    few = {value for value, count in rare.items() if count < K}
    known = [one for one in {*release["ill"]} if one is not None]
    kinds = Counter(counted_text(one).casefold() for one in known)
    found = {
        "insensitive-column-singles-out": {
            **{(name,): len(those) for name, those in alone.items()},
            ("pay",): len({people[row] for row in plainly_nearest(release, before)}),
        },
        "sensitive-column-singles-out": {
            ("ill",): len(plainly_alone(release, people, ["ill"], few))
        },
        "columns-together-single-out": {
            ("visits", "ward", "doctor", "note"): len(plainly_alone(release, people, [*alone]))
        },
        "repeated-identifier": {
            ("pid",): sum(len({pids[row] for row in members}) < K for members in classes)
        },
        "repeated-pseudonym": {
            ("house",): sum(one for one in Counter(release["house"]).values() if one > 1)
        },
        "names-in-text": {
            ("note",): sum(
                "0351" in one or who.strip() in one.split()
                for who, one in zip(pids, release["note"], strict=True)
            )
        },
        "refers-to-identifiers": {("doctor",): len({*release["doctor"]} & {*pids})},
        "persons-written-differently": {
            ("pid",): len({*pids}) - len({one.strip() for one in pids})
        },
        "classes-of-one-sensitive-value": {
            ("ill",): sum(
                len(members)
                for members in classes
                if len({release["ill"][row] for row in members}) == 1
            )
        },
        "read-alike": {("ill",): sum(one for one in kinds.values() if one > 1)},
        "column-wholly-hidden": {("town",): n},
        "missing-sensitive-values": {("ill",): release["ill"].null_count()},
        "records-cannot-be-joined": {
            ("pid",): sum(one for one in Counter(pids).values() if one > 1)
        },
        "no-suggested-hierarchy": {("town",): 1},
        "labels-with-their-level": {("age",): 1},
        "key-used-before": {("house",): 1},
        "composition": {("ill",): 3},
        "nobody-returns": {("pid",): 0},
    }[code]
    least = 0.01 * table.n_units if code.endswith("out") else 0
    is_told = code == "nobody-returns"
    return {names: count for names, count in found.items() if (count and count >= least) or is_told}


OF_PEOPLE = {"persons-written-differently", "records-cannot-be-joined"}
# What is given back or kept, and what columns look like, have tests beside their definitions.
ELSEWHERE = {
    *("column-gives-cells-back", "looks-like-an-identifier", "column-keeps-little"),
    *("rows-left-out", "column-mostly-hidden"),  # of one of several tables
}
CHECKED = [code for code in KINDS if code not in ELSEWHERE]


def check(code, seeds=(1,), units=(False, True)):
    """Compare a detector with its plain definition."""
    told = 0
    for seed in seeds:
        for person in units if code != "repeated-identifier" else (False,):
            if code in OF_PEOPLE and not person:
                continue
            table, release, before = table_of(seed, person)
            listed = [*(DETECTORS[code](table) or ())]
            assert {one.code for one in listed} <= {code}
            found = {one.columns: one.count for one in listed}
            assert found == expected(code, table, release, before)
            told += len(found)
    assert told, "nothing was compared"


@pytest.mark.parametrize("code", CHECKED)
def test_a_detector_finds_what_its_definition_says(code):
    check(code)


def test_identifiers_in_long_texts_are_found_record_by_record(monkeypatch):
    monkeypatch.setattr(named_in_texts, "MOST_PHRASES", 0)
    check("names-in-text")


def nothing(*_):
    return iter(())


def every_row(rows, _):
    return np.ones(len(rows.records), np.bool_)


def no_row(rows, _):
    return np.zeros(len(rows.records), np.bool_)


# Two bugs of each detector: where they are planted, and what stands there instead.
BUGS = {
    "insensitive-column-singles-out": [(singling_out, "alone", every_row), (singling_out, "_is_nearest", lambda c, s, t: np.ones(len(c), np.bool_))],
    "sensitive-column-singles-out": [(singling_out, "alone", no_row), (singling_out, "units_in", lambda r, g: np.ones(int(g.max()) + 1, np.int64))],
    "columns-together-single-out": [(singling_out, "n_alone_by", lambda *_, **__: N), (singling_out, "n_units", lambda r, w: int(w.sum()) - 1)],
    "repeated-identifier": [(facts, "few_people", lambda *_: (0, 9)), (singling_out, "numbered", lambda v: np.arange(len(v)))],
    "repeated-pseudonym": [(cells, "_are_missing", lambda t, texts: np.ones(len(texts), np.bool_)), (cells, "PSEUDONYM", "pseudonyms")],
    "names-in-text": [(named_in_texts, "holds", lambda *_: False), (named_in_texts, "SHORTEST", 40)],
    "refers-to-identifiers": [(cells, "FEWEST", 1000), (cells, "n_among", lambda shown, values: len(values) - 1)],
    "persons-written-differently": [(facts, "counted_texts", list), (facts, "_joined", nothing)],
    "classes-of-one-sensitive-value": [(cells.np, "unique", lambda a, **_: a), (cells, "_of_one_value", nothing)],
    "read-alike": [(cells, "counted_text", lambda one: f"{one}{id(one)}"), (cells, "_reading_alike", nothing)],
    "column-wholly-hidden": [(cells, "both", lambda a, b: b + 1), (cells, "_hidden", nothing)],
    "missing-sensitive-values": [(cells, "_are_missing", lambda t, texts: np.zeros(len(texts), np.bool_)), (cells, "_missing", nothing)],
    "records-cannot-be-joined": [(facts, "numbered", lambda v: np.arange(len(v))), (facts, "_unjoined", nothing)],
    "no-suggested-hierarchy": [(facts, "_columns_of", nothing), (facts, "UNSETTLED", "labels-with-their-level")],
    "labels-with-their-level": [(facts, "_columns_of", nothing), (facts, "renamed_labels", facts.unsettled_hierarchies)],
    "key-used-before": [(facts, "SHARED_KEY", "composition"), (facts, "Finding", lambda *_, **__: Finding("composition", ("x",), 1, 1))],
    "composition": [(facts, "COMPOSITION", "key-used-before"), (facts, "Finding", lambda *_, **__: Finding("composition", ("x",), 1, 1))],
    "nobody-returns": [(facts, "NOBODY_RETURNS", "composition"), (facts, "Finding", lambda *_, **__: Finding("composition", ("x",), 1, 1))],
}  # fmt: skip


def test_every_detector_that_counts_has_two_bugs():
    assert {code: len(bugs) for code, bugs in BUGS.items()} == dict.fromkeys(CHECKED, 2)


@pytest.mark.parametrize("code", BUGS)
@pytest.mark.parametrize("number", [0, 1])
def test_the_comparison_finds_a_planted_bug(code, number, monkeypatch):
    """A mutated detector fails the comparison with its definition."""
    module, name, bug = BUGS[code][number]
    monkeypatch.setattr(module, name, bug)
    seen = DETECTORS[code].__name__
    for holder in (cells, facts, singling_out):
        if hasattr(holder, seen):
            monkeypatch.setitem(DETECTORS, code, getattr(holder, seen))
    with pytest.raises(Exception):  # noqa: B017, PT011 - a crash finds a bug as well
        check(code, (1,))


def test_each_code_stands_in_one_place():
    """Whatever is at hand."""
    table, *_ = table_of(1)
    less = replace(table, identifiers=None, values_before=None, closer=None, facts=KnownFacts())
    for one in (table, less, in_records(less), replace(less, n_records=0)):
        found = look_for_all([one])
        places = [
            *{held.code for held in found.found},
            *found.looked_for,
            *(held.code for held in found.not_examined),
            *found.does_not_apply,
        ]
        assert sorted(places) == sorted(KINDS)
    assert {*DETECTORS} == {*KINDS}


def test_what_takes_a_closer_look_is_not_examined_without_it():
    """Words and names, and what columns tell of others, take more than counts."""
    table, *_ = table_of(1)
    missed = {one.code for one in look_for_all([replace(table, closer=None)]).not_examined}
    assert {*ELSEWHERE, "names-in-text"} - {"rows-left-out", "column-mostly-hidden"} <= missed


def check_little_kept():
    """Columns that keep less than a tenth are told, and important ones that keep less than half."""
    findings = look_for_all([table_of(1)[0]])
    kept = {"columns": {"age": 0.4, "pay": 0.4, "town": 0.0, "ward": 0.09}}
    stated = Statements("owner", [], {}, {"records": {"released": 7}}, [], kept, {}, {})
    told = claims.with_little_kept(findings, stated, {"age"})
    own = [(one.columns, one.of, one.share) for one in told.found if one.code == KEEPS_LITTLE]
    assert own == [(("age",), 7, 0.4), (("ward",), 7, 0.09)]
    assert KEEPS_LITTLE not in {one.code for one in told.not_examined}
    nothing_kept = replace(stated, kept={"columns": {"town": 0.5}})
    assert KEEPS_LITTLE in claims.with_little_kept(findings, nothing_kept, ()).looked_for
    unknown = replace(stated, kept={"share": not_examined("why")})
    assert claims.with_little_kept(findings, unknown, ()) == findings


def test_a_column_that_keeps_little_is_told():
    check_little_kept()


@pytest.mark.parametrize(("name", "bug"), [("HALF", 0.1), ("NOTHING", -1.0)])
def test_planted_bugs_of_little_are_found(name, bug, monkeypatch):
    monkeypatch.setattr(claims, name, bug)
    with pytest.raises(AssertionError):
        check_little_kept()


def test_findings_of_a_manifest_are_counted_again():
    """One with another figure, one that is lacking and one that nobody finds are faults."""
    table = replace(table_of(1)[0], closer=None)
    public = [*counted_by_anybody([table], look_for_all([table]))]
    assert len(public) > 2
    assert findings_beside([table], public)[1] == []
    first = public[0]
    changed = [replace(first, count=first.count - 1, share=-1.0), *public[1:]]
    assert [one.place for one in findings_beside([table], changed)[1]] == ["manifest.warnings[0]"]
    assert [one.place for one in findings_beside([table], public[1:])[1]] == ["manifest.warnings"]
    more = [*public, Finding(WHOLLY_HIDDEN, ("visits",), 9, 9)]
    place = f"manifest.warnings[{len(public)}]"
    assert [one.place for one in findings_beside([table], more)[1]] == [place]


def test_the_words_of_a_finding_follow_from_its_figures():
    """What somebody else writes is a fault, and so is a finding that no reader can count."""
    names = [*COLUMNS]
    public = [code for code, kind in KINDS.items() if kind.needs == RELEASE]
    honest = [Finding(code, ("visits",), 3, 20, k_after=2).document() for code in public]
    assert [*word_faults_of_findings("warnings", honest, names)] == []
    changes = [
        *({word: "false"} for word in ("message", "remedy", "rank")),
        *({"share": 0.5}, {"count": 4}, {"of": 2}, {"columns": ["nobody"]}),
        *({"code": "composition"}, {"code": "none"}, {"unit": "grown-ups"}),
    ]
    for change in changes:
        for one in honest:
            assert [*word_faults_of_findings("warnings", [{**one, **change}], names)], change


def test_what_was_counted_in_part_is_taken_from_the_manifest():
    """Where an engine counted some of the columns, the manifest speaks for the others."""
    table = replace(table_of(1)[0], closer=None)
    public = [*counted_by_anybody([table], look_for_all([table]))]
    alone = [one for one in public if one.code == "insensitive-column-singles-out"]
    assert len(alone) > 1

    def some(names, before):
        if alone[0].columns[0] in names:
            raise CapacityError("too large", "Give more.")
        return table.count(names, before)

    less = replace(table, count=some)
    found, faults = findings_beside([less], public)
    assert faults == []
    assert {one.columns for one in found.found if one.code == alone[0].code} == {
        one.columns for one in alone
    }


def check_tables_of_rows():
    """What one of several tables lacks and hides: half of its rows, or more than all may lack."""
    columns = {"code": {"role": "quasi-identifier"}, "ward": {"role": "quasi-identifier"}}
    spec = resolve(
        ind.Policy.from_words({"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]})
    )
    frame = pl.DataFrame({"code": ["*"] * 6 + ["a"] * 4, "ward": ["*"] * 5 + ["b"] * 5})
    table = replace(table_in_memory(rows_in_memory(frame, spec), spec), table="visits")
    hidden = [*(cells.mostly_hidden_columns(table) or ())]
    assert [(one.columns, one.count, one.of) for one in hidden] == [(("code",), 6, 10)]
    assert cells.mostly_hidden_columns(replace(table, table="")) is None
    for gone, limit, is_much in ((5, 0.3, True), (4, 0.5, False), (12, 0.9, True), (3, 0.3, False)):
        known = replace(table, facts=KnownFacts(left_out=(gone, 10 + gone, limit)))
        told = [*(facts.rows_left_out(known) or ())]
        assert bool(told) == is_much
        assert all((one.count, one.of) == (gone, 10 + gone) for one in told)
    assert isinstance(next(facts.rows_left_out(table)), NotExamined)


def test_what_a_table_of_rows_lacks_and_hides_is_told():
    check_tables_of_rows()


@pytest.mark.parametrize(
    ("module", "name", "bug"),
    [
        (cells, "ROOT", "a"),
        (cells, "_mostly_hidden", nothing),
        (facts, "HALF", 2.0),
        (facts, "HALF", 0.0),
    ],
)
def test_planted_bugs_of_tables_of_rows_are_found(module, name, bug, monkeypatch):
    monkeypatch.setattr(module, name, bug)
    with pytest.raises((AssertionError, KeyError)):
        check_tables_of_rows()
