"""What a file asks: few questions, two answers each, and answers that settle them."""

import tomllib

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import IndistinctError, ParameterError, PolicyError
from indistinct.frontends.cli.main import status
from indistinct.tables.drafting.questions import Doubt, ShownAnswer

N = 240
CHANCE = np.random.default_rng(8)


def survey(n_items=24):
    """A survey whose columns are abbreviations, in blocks."""
    known = {"age": CHANCE.integers(18, 90, N), "sex": CHANCE.choice(["male", "female"], N)}
    items = {f"zq{n}": CHANCE.integers(0, 300 + n, N) for n in range(n_items)}
    words = {f"w_{letter}": CHANCE.choice(["u", "v", "w"], N) for letter in "abcd"}
    others = {"vrk": CHANCE.integers(0, 400, N), "plo": CHANCE.random(N)}
    return pl.DataFrame(known | items | words | others)


@pytest.fixture(scope="module")
def found():
    return ind.inspect(survey())


def test_like_columns_are_one_question(found):
    abouts = [one.about for one in found.doubts]
    assert tuple(f"zq{n}" for n in range(24)) in abouts
    assert ("w_a", "w_b", "w_c", "w_d") in abouts
    assert len(abouts) <= 5


def test_a_number_of_a_block_that_may_be_missing_is_one_question():
    """Each of the columns has it often; two with it alone are asked one by one."""
    frequent = [-9 if n % 3 == 0 else n % 2 for n in range(N)]
    table = {f"q{n}": frequent for n in range(4)} | {"ab": frequent, "vw": frequent}
    doubts = [one for one in ind.inspect(pl.DataFrame(table)).doubts if one.kind == "missing"]
    assert sorted(one.about for one in doubts) == [("ab",), ("q0", "q1", "q2", "q3"), ("vw",)]
    (block,) = (one for one in doubts if len(one.about) == 4)
    assert block.records == 4 * 80
    assert block.candidates[1].settle["columns.q3.missing"] == ["", "-9"]


def test_every_undecided_column_is_in_one_question_with_two_answers(found):
    asked = [name for one in found.doubts if one.kind == "role" for name in one.about]
    open_ones = [one.name for one in found.columns if one.role == "undecided"]
    assert sorted(asked) == sorted(open_ones)
    assert all(len({one.answer for one in doubt.candidates}) == 2 for doubt in found.doubts)
    assert [one.order for one in found.doubts] == sorted(one.order for one in found.doubts)


def test_a_file_asks_at_most_twelve_questions():
    """Columns with hints of their own would ask more; the last of them become one."""
    chance = np.random.default_rng(2)
    names = [f"{first}{second}_weeks of something" for first in "abcdefgh" for second in "xyz"]
    columns = {name: chance.integers(0, 2 + n, N) for n, name in enumerate(names)}
    columns |= {f"unit_{name}": chance.choice(["kg", "lb"], N) for name in "abcdefghijklmnop"}
    columns |= {f"{name}": chance.random(N) for name in "abcdefghijklmnop"}
    assert len(ind.inspect(pl.DataFrame(columns)).doubts) <= 12


def test_an_answer_settles_its_column_or_all_of_its_question(found):
    one = ind.inspect(survey(), settle={"zq0": "sensitive"})
    roles = {column.name: column for column in one.columns}
    assert (roles["zq0"].role, roles["zq0"].reason) == ("sensitive", "Said with --settle.")
    assert roles["zq1"].role == "undecided"
    every = ind.inspect(survey(), settle={"zq0+": "insensitive"})
    assert {c.role for c in every.columns if c.name.startswith("zq")} == {"insensitive"}
    assert len(every.doubts) == len(found.doubts) - 1


def test_a_column_that_is_called_so_comes_first():
    frame = survey().rename({"vrk": "zq0+"})
    roles = {c.name: c.role for c in ind.inspect(frame, settle={"zq0+": "sensitive"}).columns}
    assert roles["zq0+"] == "sensitive"
    assert roles["zq0"] == "undecided"


@pytest.mark.parametrize(
    ("settle", "said"),
    [({"nobody": "sensitive"}, "nobody is not a column"), ({"vrk": "secret"}, "cannot be secret"),
     ({"(person)": "nobody"}, "nobody is not a column")],
)  # fmt: skip
def test_unknown_columns_and_answers_are_refused(settle, said):
    with pytest.raises(ParameterError, match=said):
        ind.inspect(survey(), settle=settle)


def test_the_json_has_an_entry_for_each_question(found):
    entries = found.document()["doubts"]
    assert [one["about"] for one in entries] == [list(one.about) for one in found.doubts]
    first = entries[0]
    assert set(first) == {"about", "kind", "order", "text", "chosen", "meanwhile", "candidates",
                          "records", "of"}  # fmt: skip
    assert first["chosen"] is None
    assert all({"answer", "for", "against", "settle"} == set(one) for one in first["candidates"])


def test_the_command_prints_questions_and_fails_on_them(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    survey().write_csv("survey.csv")
    assert status(["inspect", "survey.csv", "--fail-on", "doubt"], show_values=False) == 1
    said = capsys.readouterr().out
    assert "zq0 .. zq23 (24 columns): sensitive or quasi-identifier?" in said
    assert "--settle zq0+=sensitive" in " ".join(said.split())
    answers = ["--settle", "zq0+=insensitive", "--settle", "w_a+=insensitive"]
    more = ["--settle", "vrk=insensitive", "--settle", "plo=insensitive"]
    done = ["inspect", "survey.csv", "--fail-on", "doubt", *answers, *more]
    assert status(done, show_values=False) == 0
    assert "ask 1" not in capsys.readouterr().out
    assert status(["inspect", "survey.csv", "--fail-on", "other"], show_values=False) == 2


def test_a_released_identifier_of_a_policy_is_told_and_fails_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mails = [f"person{n}@example.org" for n in range(N)]
    survey(0).with_columns(pl.Series("note", mails)).write_csv("mails.csv")
    policy = {"columns": {name: {"role": "insensitive"} for name in ("note", "vrk", "plo")}}
    policy["columns"] |= {f"w_{letter}": {"role": "insensitive"} for letter in "abcd"}
    policy["columns"] |= {"age": {"role": "quasi-identifier"}, "sex": {"role": "sensitive"}}
    policy["models"] = [{"name": "k-anonymity", "k": 5}]
    found = ind.inspect("mails.csv", ind.Policy(**policy))
    assert [(one.kind, one.chosen, one.about) for one in found.doubts] == [
        ("said", "insensitive", ("note",))
    ]
    assert {c.name: c.role for c in found.columns}["note"] == "insensitive"


def test_the_encoding_is_an_answer_about_the_file(tmp_path):
    path = tmp_path / "towns.csv"
    rows = [f"{n},{('León', 'Cádiz', 'Ávila')[n % 3]},{20 + n // 7}" for n in range(N)]
    path.write_bytes("\n".join(["no,ciudad,edad", *rows]).encode("cp1252"))
    draft = ind.inspect(path, settle={"(file)": "cp1252"}).draft()
    assert 'encoding = "cp1252"' in draft
    with pytest.raises(IndistinctError, match="encoding"):
        ind.inspect(path, settle={"(file)": "cp12"})
    named = survey().rename({"vrk": "(file)"})
    roles = {c.name: c.role for c in ind.inspect(named, settle={"(file)": "sensitive"}).columns}
    assert roles["(file)"] == "sensitive"


def test_a_draft_numbers_its_questions_and_the_next_command_names_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    survey().write_csv("survey.csv")
    found = ind.inspect("survey.csv")
    with pytest.raises(PolicyError) as raised:
        ind.anonymize("survey.csv", ind.Policy(**tomllib.loads(found.draft())))
    said = [fault.problem for fault in raised.value.faults]
    assert len(said) == len(found.doubts)
    assert all(one.endswith(f"This is question {n}.") for n, one in enumerate(said, 1))


def test_what_a_policy_decides_otherwise_is_printed_as_an_entry(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    survey(1).write_csv("survey.csv")
    draft = ind.inspect("survey.csv", settle={"vrk": "sensitive"}).draft(yes_to_suggestions=True)
    (tmp_path / "policy.toml").write_text(draft, encoding="utf-8")
    explained = ["inspect", "survey.csv", "--policy", "policy.toml", "--explain"]
    assert status(explained, show_values=False) == 0
    said = capsys.readouterr().out
    assert 'role = "sensitive"\n[words]\nen = ["vrk"]' in said
    assert '"age"' not in said
    assert status(["inspect", "survey.csv", "--explain"], show_values=False) == 2


def test_marks_and_blanks_are_yes_and_no_of_which_a_promise_counts_both():
    ticks = pl.DataFrame({"age": CHANCE.integers(18, 90, N), "smoker": ["x", None] * (N // 2)})
    words = tomllib.loads(ind.inspect(ticks).draft())
    model = next(one for one in words["models"] if one.get("column") == "smoker")
    assert model["missing_counts"] is True
    half = ticks.with_columns(smoker=pl.Series(["x", "y"] * (N // 2)))
    words = tomllib.loads(ind.inspect(half).draft())
    assert all("missing_counts" not in one for one in words["models"])


def test_columns_with_numbers_of_one_hint_are_one_question():
    table = {"visits_part": CHANCE.random(N), "visits_days": CHANCE.integers(0, 30, N)}
    known = {"age": CHANCE.integers(18, 90, N)}
    (one,) = ind.inspect(pl.DataFrame(known | table)).doubts
    assert one.about == ("visits_part", "visits_days")


def test_a_question_is_open_until_a_policy_says_one_of_its_answers():
    """Words of ``[data]`` stand alone or below their table; another list is no answer."""

    def doubt(*settles):
        first, second = (ShownAnswer(str(one), settle=one) for one in settles)
        return Doubt(("a.b",), "missing", 2, "", (first, second))

    listed = doubt({"columns.a.b.missing": [""]}, {"columns.a.b.missing": ["", "unknown"]})
    assert listed.is_open({"columns": {"a.b": {}}})
    assert listed.is_open({"columns": {"a.b": {"missing": ["", "n/a"]}}})
    assert not listed.is_open({"columns": {"a.b": {"missing": ["", "unknown"]}}})
    encoding = doubt({"encoding": "utf-8"}, {"encoding": "cp1252"})
    assert encoding.is_open({"columns": {}})
    assert not encoding.is_open({"data": {"encoding": "cp1252"}, "columns": {}})
    person = doubt({"data.person": "id"}, {})
    assert person.is_open({"data": {}, "columns": {}})
    assert not person.is_open({"data": {"person": "id"}, "columns": {}})
