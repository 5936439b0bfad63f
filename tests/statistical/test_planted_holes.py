"""Holes that attackers once found, planted again: each is caught by the check that closed it."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import io
import json
import os
import re
import stat
from pathlib import Path

import networkx as nx
import polars as pl
import pytest

import indistinct as ind
import indistinct.graph as graphs
from encounters import encounter_policy, encounters, people_of_classes
from indistinct.base.files import writing
from indistinct.base.files.documents import json_text
from indistinct.errors import EngineError, HierarchyError
from indistinct.graph import graph_files as graph_reading
from indistinct.graph.verification import whole as graph_verification
from indistinct.questions.checks import verify as made_up_verification
from indistinct.questions.database.ledger_of_charges import Ledger
from indistinct.synthetic_tables import verify_synthetic
from indistinct.tables.counting import preparation as prepare, table_faults
from indistinct.tables.evaluation.assessments import assess as assessing
from indistinct.tables.findings import singling_out
from indistinct.tables.frames import encoding
from indistinct.tables.metrics import METRICS
from indistinct.tables.models import of_one_column
from indistinct.tables.models.in_people import InPeople
from indistinct.tables.policy import hierarchies
from indistinct.tables.publish import (
    public_manifest,
    records_of_release as making,
    released_loss,
    released_tables as releasing,
)
from indistinct.tables.publish.release import Release
from indistinct.tables.publish.released_tables import ReleasedTables
from indistinct.tables.reading import row_order
from indistinct.tables.release import manifest as manifests
from indistinct.tables.release.set_entry import SetEntry
from indistinct.tables.verification import (
    claims,
    columns,
    mask_checks,
    mask_tests,
    verdict,
    verify_release as verifying,
)
from indistinct.tables.verification.verification import Verification
from ordered import ordered
from people import declare, person

HIDDEN = "a text of more than twelve bytes"
TOWNS = ("Aberdeen-by-the-sea", "Birmingham-in-the-middle")
WORDS = {
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}, "max_level": 2},
        "town": {"role": "quasi-identifier", "max_level": 0},
        "note": {"role": "insensitive"},
        "ill": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 5}],
    "method": {"algorithm": "optimal", "max_suppression": 0.1},
}


def table(alone=(95, "Zennor-on-the-cliff", HIDDEN)):
    """Give forty records in two towns, and one that stands alone."""
    rows = range(40)
    return pl.DataFrame(
        {
            "age": [20 + row % 20 for row in rows] + [alone[0]],
            "town": [TOWNS[row % 2] for row in rows] + [alone[1]],
            "note": [f"note number {row * 7 % 3}" for row in rows] + [alone[2]],
            "ill": [("flu", "cold", "gout")[row % 3] for row in rows] + ["flu"],
        }
    ).sample(fraction=1, shuffle=True, seed=4)


def made(frame=None, **changed):
    """Make a release."""
    return ind.anonymize(
        table() if frame is None else frame, ind.Policy.from_words({**WORDS, **changed}), seed=1
    )


def no_hidden_text_leaves(folder):
    """1: what the user writes of the released frame has no text of a suppressed record."""
    del folder
    written = io.BytesIO()
    made().data.write_ipc(written)
    assert HIDDEN.encode() not in written.getvalue()


def fractions_of_a_second_are_told_apart(folder):
    """2: twenty times of day are no class of twenty."""
    del folder
    times = pl.DataFrame(
        {"at": [dt.time(10, 0, 0, row * 7 % 20 + 1) for row in range(20)], "ill": ["a", "b"] * 10}
    )
    columns_of = {"at": {"role": "quasi-identifier", "max_level": 0}, "ill": {"role": "sensitive"}}
    with pytest.raises(ind.NoSolutionError):
        made(times, columns=columns_of, method={"max_suppression": 0.0})


def an_empty_text_is_no_missing_cell(folder):
    """3: cells that count as one value are one value in the file."""
    del folder
    policy, frame = ind.Policy.from_words(WORDS), made().frame
    honest = ordered(frame.with_columns(note=pl.lit(None, pl.String)), "age", "town")
    assert ind.verify(honest, policy).holds
    assert not ind.verify(honest.with_columns(note=pl.Series([None, ""] * 20)), policy).holds


def public_figures_tell_nothing_of_who_is_left_out(folder):
    """4: two tables that differ in the suppressed record alone have one public manifest."""
    del folder
    others = ((5, "Yarm-on-Tees", "other"), (59, "Zennor-on-the-cliff", "note number 1"))
    public = [dict(made(table(one)).manifest) for one in others]
    for one in public:
        one["input"], one["method"] = None, {**one["method"], "seconds": None}
    assert public[0]["records"]["suppressed"] == 1
    assert json.dumps(public[0]) == json.dumps(public[1])


def no_guess_of_the_input_is_confirmed(folder):
    """5: the fingerprint of one input differs from run to run."""
    del folder
    prints = {made().manifest["input"]["fingerprint"] for _ in range(2)}
    guess = hashlib.sha256(b"" + table().write_csv().encode()).hexdigest()
    assert len(prints) == 2
    assert guess not in prints


def a_column_in_the_order_of_the_rows_is_refused(folder):
    """7: by its numbers, and by dates that are written with the year last."""
    del folder
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=17 * row) for row in range(41)]
    for note in (
        range(41),
        [f"{day:%d.%m.%Y}" for day in days],
        [f"case {7 * row}" for row in range(41)],
    ):
        with pytest.raises(ind.PolicyError):
            made(table().with_columns(note=pl.Series(list(note))))


def a_pipe_at_the_path_of_an_owners_file_reads_nothing(folder):
    """The crosswalk goes to a file of its owner's, and to nobody who was there before."""
    place = folder / "crosswalk.csv"
    os.mkfifo(place, 0o666)
    reader = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    with contextlib.suppress(ind.OutputError):
        made().write(folder / "out.csv", crosswalk=place)
    assert not stat.S_ISREG(place.lstat().st_mode) or stat.S_IMODE(place.stat().st_mode) == 0o600
    assert os.read(reader, 100) == b""
    os.close(reader)


ITEMS = {
    "columns": {"codes": {"role": "quasi-identifier", "type": "set", "suppression": "items"}},
    "models": [{"name": "km-anonymity", "column": "codes", "k": 5, "m": 2}],
}


def no_item_that_was_left_out_is_named(folder):
    """One person has a code that nobody else has: it stands in nothing that is published."""
    del folder
    frame = pl.DataFrame({"codes": ["flu;cold"] * 40 + [f"flu;{HIDDEN}"]})
    assert HIDDEN not in json.dumps(made(frame, **ITEMS).manifest)


def sets_count_in_the_risk(folder):
    """Whoever knows two codes of the last person finds that person."""
    del folder
    frame = pl.DataFrame({"codes": ["flu;cold"] * 40 + [f"flu;{HIDDEN}"]})
    found = ind.assess(frame, ind.Policy.from_words({**WORDS, **ITEMS}))
    assert found.risk["prosecutor"] == 1.0
    assert found.anonymity["unique_records"] == 1


def an_assertion_of_a_verification_means_it(folder):
    """A release that does not hold is not true."""
    del folder
    assert not ind.verify(table(), ind.Policy.from_words(WORDS))


def rows_are_in_the_order_of_their_cells(folder):
    """14: no class lists its members by their exact ages."""
    del folder
    many = pl.DataFrame({"age": [n * 37 % 97 for n in range(400)], "ill": ["flu", "cold"] * 200})
    columns_of = {"age": WORDS["columns"]["age"], "ill": {"role": "sensitive"}}
    assert made(many, columns=columns_of).manifest["verified"] is True


def rows_in_another_order_are_refused(folder):
    """The order of the input, or one that tells what is hidden, is not that of the cells."""
    del folder
    policy, frame = ind.Policy.from_words(WORDS), made().frame
    assert ind.verify(frame, policy).holds
    assert not ind.verify(frame.reverse(), policy).holds


def a_representation_shows_no_cell(folder):
    """8: neither of the release nor of the input."""
    del folder
    assert not any(word in repr(made()) for word in (*TOWNS, HIDDEN, "flu"))


def classes_have_people(folder):
    """9: five records of one person are no class of five."""
    del folder
    policy = encounter_policy({"name": "k-anonymity", "k": 5}, method={"max_suppression": 0.3})
    release = ind.anonymize(encounters(120, 30, 1, frequent=0.6), policy, seed=1)
    assert min(map(len, people_of_classes(release).values())) >= 5


def a_spelling_is_no_value_of_its_own(folder):
    """One disease in two spellings, or beside missing values, gives no class of two."""
    del folder
    ages = [20] * 6 + [40] * 6 + [60] * 6
    ill = ["gout", "gout ", "go\u200but", "gout", "gout\u00a0", "gout"]
    ill += ["hiv", *[None] * 5, "flu", "cold", "flu", "cold", "flu", "cold"]
    columns = {"age": {"role": "quasi-identifier", "max_level": 0}, "ill": {"role": "sensitive"}}
    models = [{"name": "distinct-l-diversity", "column": "ill", "l": 2}]
    method = {"algorithm": "optimal", "max_suppression": 0.9}
    policy = ind.Policy(columns=columns, models=models, method=method)
    frame = pl.DataFrame({"age": ages, "ill": ill}).sample(fraction=1, shuffle=True, seed=1)
    assert set(ind.anonymize(frame, policy, seed=1).frame["age"]) == {60}


def columns_that_single_out_are_named(folder):
    """10: a code of every record's own beside the classes."""
    del folder
    codes = [f"{row * 7919 % 997:x}" for row in range(41)]
    release = made(table().with_columns(note=pl.Series(codes)))
    assert any("note" in warning["columns"] for warning in release.warnings)


def what_is_the_owners_is_closed_to_others(folder):
    """11: the crosswalk and the exact figures."""
    made().write(folder / "out.csv", crosswalk=folder / "rows.csv", owner=folder / "owner.json")
    for name in ("rows.csv", "owner.json"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


def false_claims_are_found(folder):
    """15: models, levels and losses of a manifest are counted again."""
    path, policy = folder / "out.csv", ind.Policy.from_words(WORDS)
    told = json.loads(json.dumps(made().write(path, crosswalk=folder / "rows.csv")))
    proofs = {"original": table(), "crosswalk": folder / "rows.csv"}
    assert ind.verify(path, policy, manifest=told, **proofs).holds
    for place, last, false in (
        (("models", 0), "achieved", {"k": 99}),
        (("method", "transformation"), "age", 0),
        (("loss",), "discernibility", 7.0),
    ):
        changed = json.loads(json.dumps(told))
        part = changed
        for word in place:
            part = part[word]
        part[last] = false
        assert not ind.verify(path, policy, manifest=changed, **proofs).holds


def false_codebooks_are_found(folder):
    """What a label stands for follows from the cells and the rules."""
    path, policy = folder / "out.csv", ind.Policy.from_words(WORDS)
    told = json.loads(json.dumps(made().write(path)))
    assert ind.verify(path, policy, manifest=told).holds
    label, level, low = told["codebook"]["age"]["cells"][0]
    for false in (
        {**told["codebook"]["age"], "cells": [[label, level + 1, low]]},
        {**told["codebook"]["age"], "cells": [[label, level, "21"]]},
        {**told["codebook"]["age"], "hidden": True},
        {**told["codebook"]["age"], "cells": []},
        {"kind": "values"},
    ):
        changed = {**told, "codebook": {**told["codebook"], "age": false}}
        assert not ind.verify(path, policy, manifest=changed).holds


def values_that_look_hidden_are_refused(folder):
    """A value of a star is no cell, nor is a code with stars below a mask."""
    del folder
    starred = table().with_columns(town=pl.lit("*"))
    masked = table().with_columns(town=pl.lit("10**"))
    town = {"role": "quasi-identifier", "hierarchy": {"mask": 2}}
    for frame, changed in ((starred, {}), (masked, {"town": town})):
        with pytest.raises(HierarchyError):
            made(frame, columns=WORDS["columns"] | changed)


def groups_are_told_from_values(folder):
    """Whoever reads the name of a town knows that it is no state."""
    del folder
    tree = {TOWNS[0]: [*TOWNS, "Zennor-on-the-cliff"], "elsewhere": ["nowhere"]}
    town = {"role": "quasi-identifier", "hierarchy": {"tree": tree}, "min_level": 1}
    shown = made(columns=WORDS["columns"] | {"town": town}).frame["town"]
    assert set(shown) == {f"{TOWNS[0]} (level 1)"}


def whole_values_behind_a_lowest_level_are_found(folder):
    """16: an exact age where the policy wants decades."""
    del folder
    columns_of = {**WORDS["columns"], "age": {**WORDS["columns"]["age"], "min_level": 1}}
    policy, frame = ind.Policy.from_words({**WORDS, "columns": columns_of}), made().frame
    for age, holds in (("[40, 60)", True), ("42", False)):
        shown = ordered(frame.with_columns(age=pl.lit(age)), "age", "town")
        assert ind.verify(shown, policy).holds is holds


def masked(column, protect, changed, **words):
    """Verify a release whose masked column was changed by somebody, beside the input."""
    rows = range(240)
    frame = pl.DataFrame(
        {
            "guest": [f"guest {row * 7 % 240:04d}" for row in rows],
            "floor": [row % 4 for row in rows],
            "bill": [float(row * 137 % 9973) for row in rows],
        }
    )
    columns = {
        "guest": {"role": "identifier"},
        "floor": {"role": "quasi-identifier", "max_level": 0},
        "bill": {"role": "insensitive"},
    }
    columns[column]["protect"] = protect
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=5)])
    release = ind.anonymize(frame, policy, seed=1)
    own = frame[release.crosswalk]
    shown = release.frame.with_columns(changed(own).alias(column), row=pl.Series(release.crosswalk))
    shown = ordered(shown, "floor")
    proofs = words or {"original": frame, "crosswalk": shown["row"].to_list()}
    return ind.verify(shown.drop("row"), policy, manifest=dict(release.manifest), **proofs)


def with_key_in(folder, name="pseudonym"):
    """Ask for pseudonyms with a key of this test."""
    return {"name": name, "key": str(folder / "of-this-test.key")}


def masks_that_changed_nothing_are_found(folder):
    """numbers without their noise, beside the values that they came from."""
    del folder
    for protect in ({"name": "noise-additive", "share": 0.5}, {"name": "swap", "percent": 20}):
        assert not masked("bill", protect, lambda own: own["bill"]).holds


def nobody_computes_a_pseudonym(folder):
    """a plain hash of a name is a name, for whoever tries all names."""

    def hashed(own):
        cells = [hashlib.sha256(cell.encode()).hexdigest()[:32] for cell in own["guest"]]
        return pl.Series(cells)

    assert not masked("guest", with_key_in(folder), hashed).holds


def the_digits_of_a_pseudonym_are_random(folder):
    """names in hexadecimal are seen without the input."""

    def spelled(own):
        return pl.Series([cell.encode().hex().ljust(32, "0") for cell in own["guest"]])

    assert not masked("guest", with_key_in(folder), spelled, original=None).holds


def a_word_for_a_missing_value_is_no_cell(folder):
    """which of two words stands in a cell may tell anything."""
    del folder
    policy = ind.Policy.from_words({**WORDS, "data": {"missing": ["NA", "?"]}})
    frame = table().with_columns(ill=pl.Series(["NA", *["flu", "cold"] * 20]))
    forged = ind.anonymize(frame, policy, seed=1).frame
    assert not ind.verify(forged.with_columns(ill=pl.lit("?")), policy).holds


def a_release_without_its_manifest_is_told_apart(folder):
    """whoever removes the manifest removes the hash of the file."""
    made().write(folder / "out.csv")
    (folder / "out.csv.manifest.json").unlink()
    found = ind.verify(folder / "out.csv", ind.Policy.from_words(WORDS))
    assert "manifest" in found.not_checked


def a_ledger_is_added_up(folder):
    """20, 21: a charge that was taken out is missed."""
    pl.DataFrame({"id": range(20), "sex": ["f", "m"] * 10}).write_csv(folder / "t.csv")
    given = {"values": {"sex": ["f", "m"]}, "types": {"sex": "text"}}
    ind.database.init(folder / "t.csv", person="id", epsilon=3, out=folder / "t.toml", **given)
    with ind.database.open(folder / "t.toml") as session:
        session.ask("SELECT COUNT(*) FROM t", epsilon="0.5")
        with session.ledger.store.transaction() as execute:
            execute("DELETE FROM charges", ())
    with pytest.raises(EngineError):
        ind.database.open(folder / "t.toml").close()


def friends(folder, content=None, **said):
    """Verify a released graph with other bytes, or further words in its manifest."""
    path, manifest = folder / "out.graphml", folder / "out.graphml.manifest.json"
    graphs.anonymize(nx.cycle_graph(12), "naive", seed=1).write(path)
    path.write_bytes(path.read_bytes() if content is None else content(path.read_bytes()))
    document = {**json.loads(manifest.read_text()), **said}
    document["files"]["out.graphml"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest.write_text(json_text(document))
    return graphs.verify(path).holds


def no_comment_stands_in_a_graph(folder):
    """what readers of a graph pass over could hold names."""
    assert friends(folder)
    assert not friends(folder, lambda content: content.replace(b"<graph ", b"<!-- ann --><graph "))


def no_crosswalk_stands_in_a_manifest(folder):
    """a further word of the manifest could hold who is who."""
    assert friends(folder)
    assert not friends(folder, crosswalk={"0": "ann"})


def marks_of_other_forms_are_no_people(folder):
    """nearly every line of a file of another form could be an edge."""
    (folder / "friends.txt").write_text("*Vertices 3\n*Edges 2\n1 2\n2 3\n")
    with pytest.raises(ind.DataError, match="Pajek"):
        graphs.read(folder / "friends.txt")


def no_record_stands_in_a_model(folder):
    """a reader has no ledger to compare the model with."""
    path = declare(folder, [person(number) for number in range(60)], 20, delta=1e-7)
    ind.synthesize(path, epsilon="2").write(folder / "s.csv", model=folder / "m.json")
    document = {**json.loads((folder / "m.json").read_text()), "records": ["person 7"]}
    text = json_text(document)
    (folder / "m.json").write_text(text)
    for name in ("people.ledger", "s.csv.manifest.json"):
        (folder / name).unlink()
    assert not verify_synthetic(folder / "s.csv", path, folder / "m.json").holds


def patched(owner, name, bug):
    """Put something wrong in the place of something right."""
    return lambda monkeypatch: monkeypatch.setattr(owner, name, bug)


def only_text(column):
    """Write a time without its fractions of a second."""
    return column.dt.to_string("%H:%M:%S") if column.dtype == pl.Time else column.cast(pl.String)


def sorted_by_age(released):
    """Let a release come in the order of the exact ages."""

    def in_order(prepared, *others, **words):
        shown, rows = released(prepared, *others, **words)
        order = prepared.frame["age"].gather(rows).arg_sort()
        return shown[order], rows[order.to_numpy()]

    return in_order


def everything(release):
    """Show what a generated representation would show."""
    return f"Release({release.frame.rows()!r}, {release.original.rows()!r})"


def opened_as_it_stands(monkeypatch):
    """Write to whatever stands at the path."""
    right = writing.atomic

    @contextlib.contextmanager
    def atomic(path, *, private=False):
        if private and path.exists():
            yield path
        else:
            with right(path, private=private) as place:
                yield place

    monkeypatch.setattr(releasing, "atomic", atomic)


HOLES = {
    "texts keep their buffers": (
        patched(making, "rebuilt", lambda frame: frame),
        no_hidden_text_leaves,
    ),
    "times lose their fractions": (
        patched(encoding, "cell_texts", only_text),
        fractions_of_a_second_are_told_apart,
    ),
    "cells that count as one may differ": (
        patched(verdict, "lost_differences", lambda frame: ()),
        an_empty_text_is_no_missing_cell,
    ),
    "figures over all records are published": (
        patched(
            released_loss,
            "_determined",
            lambda *_: iter(METRICS),
        ),
        public_figures_tell_nothing_of_who_is_left_out,
    ),
    "one salt for all": (
        patched(manifests, "fresh_salt", lambda: "00" * 32),
        no_guess_of_the_input_is_confirmed,
    ),
    "columns may number the rows": (
        lambda monkeypatch: (
            monkeypatch.setattr(table_faults, "follows_the_rows", lambda *_, **__: False),
            monkeypatch.setattr(columns, "tells_order", lambda *_, **__: False),
        ),
        a_column_in_the_order_of_the_rows_is_refused,
    ),
    "texts are compared as texts alone": (
        patched(row_order, "_orders", lambda cells: iter([cells])),
        a_column_in_the_order_of_the_rows_is_refused,
    ),
    "an owner's file may be anything": (
        opened_as_it_stands,
        a_pipe_at_the_path_of_an_owners_file_reads_nothing,
    ),
    "the manifest names what was left out": (
        patched(
            public_manifest,
            "SetEntry",
            lambda *given: SetEntry(*given, left_out_items=(HIDDEN,)),
        ),
        no_item_that_was_left_out_is_named,
    ),
    "sets are left out of the risk": (
        patched(assessing, "known_items", lambda *_: None),
        sets_count_in_the_risk,
    ),
    "every result is true": (
        patched(Verification, "__bool__", lambda self: True),
        an_assertion_of_a_verification_means_it,
    ),
    "rows sorted before they are generalized": (
        lambda monkeypatch: monkeypatch.setattr(
            making, "records_of", sorted_by_age(making.records_of)
        ),
        rows_are_in_the_order_of_their_cells,
    ),
    "rows in any order": (
        patched(verdict, "order_faults", lambda *_: ()),
        rows_in_another_order_are_refused,
    ),
    "a representation of every field": (
        patched(Release, "__repr__", everything),
        a_representation_shows_no_cell,
    ),
    "records counted for people": (
        lambda monkeypatch: (
            monkeypatch.setattr(InPeople, "measured", lambda self, kind: self.model.measured(kind)),
            monkeypatch.setattr(InPeople, "holds", lambda self, kind: self.model.holds(kind)),
            monkeypatch.setattr(
                InPeople, "select", lambda self, kind, kept: self.model.select(kind, kept)
            ),
            monkeypatch.setattr(InPeople, "penalty", lambda self, kind: self.model.penalty(kind)),
            monkeypatch.setattr(ReleasedTables, "verified", lambda self: self),
        ),
        classes_have_people,
    ),
    "nothing is said of columns that single out": (
        patched(singling_out, "_of_role", lambda *_: iter(())),
        columns_that_single_out_are_named,
    ),
    "files of the owner are like others": (
        patched(writing, "OWNER_ONLY", 0o644),
        what_is_the_owners_is_closed_to_others,
    ),
    "claims of models are believed": (
        patched(claims, "claim_faults", lambda *_: ()),
        false_claims_are_found,
    ),
    "claims of levels are believed": (
        patched(claims, "level_faults", lambda *_: ()),
        false_claims_are_found,
    ),
    "claims of losses are believed": (
        patched(claims, "determined_losses", lambda *_: {}),
        false_claims_are_found,
    ),
    "a codebook is believed": (
        patched(claims, "codebook_faults", lambda *_: ()),
        false_codebooks_are_found,
    ),
    "a value may look hidden": (
        patched(hierarchies, "_refuse_stars", lambda *_: None),
        values_that_look_hidden_are_refused,
    ),
    "a group may have the name of a value": (
        patched(hierarchies, "in_normal_form", lambda hierarchy: hierarchy),
        groups_are_told_from_values,
    ),
    "any cell is a cell of the policy": (
        patched(verdict, "cell_faults", lambda evidence: ()),
        whole_values_behind_a_lowest_level_are_found,
    ),
    "masks are believed": (
        patched(verdict, "random_mask_faults", lambda *_: ()),
        masks_that_changed_nothing_are_found,
    ),
    "any function of a value is a pseudonym": (
        patched(mask_tests, "pseudonym_problems", lambda *_: ()),
        nobody_computes_a_pseudonym,
    ),
    "any digits are a pseudonym": (
        patched(mask_checks, "bit_problems", lambda cells: ()),
        the_digits_of_a_pseudonym_are_random,
    ),
    "a missing cell is written in several ways": (
        patched(verdict, "missing_word_faults", lambda *_: ()),
        a_word_for_a_missing_value_is_no_cell,
    ),
    "nothing is said of a missing manifest": (
        patched(verifying, "without_manifest", lambda *_, **__: {}),
        a_release_without_its_manifest_is_told_apart,
    ),
    "a ledger is believed": (
        patched(Ledger, "adds_up", property(lambda self: True)),
        a_ledger_is_added_up,
    ),
    "spellings are values": (
        patched(prepare, "encode_counted", prepare.encode_column),
        a_spelling_is_no_value_of_its_own,
    ),
    "missing values are values": (
        patched(of_one_column, "known_values", lambda classes, _: (classes, classes.sizes > 0)),
        a_spelling_is_no_value_of_its_own,
    ),
    "the bytes of a graph are not compared": (
        patched(graph_verification, "rewriting_faults", lambda *_: ()),
        no_comment_stands_in_a_graph,
    ),
    "further words of a graph's manifest are passed over": (
        patched(graph_verification, "manifest_faults", lambda *_: ()),
        no_crosswalk_stands_in_a_manifest,
    ),
    "every line is an edge": (
        patched(graph_reading, "check_marks", lambda *_: None),
        marks_of_other_forms_are_no_people,
    ),
    "further words of a model are passed over": (
        lambda monkeypatch: (
            monkeypatch.setattr(made_up_verification, "shape_faults", lambda *_: ()),
            monkeypatch.setattr(made_up_verification, "is_written_so", lambda *_: True),
        ),
        no_record_stands_in_a_model,
    ),
}

DETECTORS = list(dict.fromkeys(detector for _, detector in HOLES.values()))
CAUGHT = (AssertionError, pytest.fail.Exception, ind.VerificationError)


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.__name__)
def test_the_code_as_it_is_has_none_of_these_holes(tmp_path, detector):
    """A detector that always fails would catch every hole."""
    detector(tmp_path)


@pytest.mark.parametrize("name", HOLES)
def test_every_hole_that_is_dug_again_is_found(tmp_path, monkeypatch, name):
    """A detector that always passes would catch none."""
    plant, detector = HOLES[name]
    plant(monkeypatch)
    with pytest.raises(CAUGHT):
        detector(tmp_path)


def test_every_detector_has_a_hole_to_find():
    """A check that no hole needs could be empty, and nobody would see it."""
    here = Path(__file__).read_text(encoding="utf-8")
    checks = set(re.findall(r"^def (\w+)\(folder\)", here, flags=re.MULTILINE))
    assert checks == {detector.__name__ for detector in DETECTORS}
