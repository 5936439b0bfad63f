"""What the first commands say: tables that fit a narrow terminal, and nothing said twice."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import Fault, PolicyError, SchemaError
from indistinct.frontends.cli.main import status
from indistinct.frontends.cli.pictures import draft_summary, inspection_table
from indistinct.frontends.cli.terminal import explain
from indistinct.frontends.cli.verdict import verification_summary
from indistinct.tables.verification.verification import Verification


@pytest.fixture
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_an_inspection_fits_eighty_columns_and_cuts_no_reason_short(narrow):
    """Long names of columns leave the reason its own lines."""
    days = [f"20{i % 90 + 10}-03-01" for i in range(200)]
    frame = pl.DataFrame({"PLZ des Wohnorts (amtl.)": [89073, 89075] * 100, "Stichtag": days})
    inspection = ind.inspect(frame)
    lines = inspection_table(inspection).splitlines()
    assert max(map(len, lines)) <= 80
    said = " ".join(" ".join(lines).split())
    for column in inspection.columns:
        assert column.reason in said


def test_numbers_with_a_decimal_comma_are_read_as_numbers_and_bands_are_not():
    """Their intervals are drawn; how they are written is said beside their role."""
    amounts = [f"{100 + row * 7 % 997},{row % 90 + 10}" for row in range(300)]
    bands = ["18,24", "25,34", "35,44"] * 100
    frame = pl.DataFrame({"beitrag": amounts, "groesse": amounts, "altersgruppe": bands})
    inspection = ind.inspect(frame)
    amount, height, band = inspection.columns
    assert "300 of 300 values are numbers with a decimal comma" in amount.reason
    assert "decimal comma" in height.reason
    assert "decimal comma" not in band.reason
    assert (amount.type, height.type, band.type) == ("number", "number", "text")
    assert amount.role == "undecided"
    drafted = (
        inspection.drafted("p").text.partition("[columns.groesse]")[2].partition("[columns.")[0]
    )
    assert "# 300 of 300 values are numbers with a decimal comma." in drafted


def test_the_columns_to_decide_are_named_with_what_to_do(narrow):
    """All undecided columns stand behind the roles that there are."""
    frame = pl.DataFrame({"qqq": ["a", "b", "c"] * 40, "zzz": ["u", "v"] * 60, "sex": ["f"] * 120})
    said = draft_summary("p.toml", ind.inspect(frame).drafted("p"))
    assert "2 columns are undecided" in said
    assert "each of them a role (identifier" in " ".join(said.split())
    assert "qqq, zzz. Answer with --settle (one question asks for them)" in " ".join(said.split())


def test_faults_with_one_remedy_say_it_once(capsys):
    """Behind the last of them; another remedy stands behind its own fault."""
    faults = [Fault("a", "x", "Do this."), Fault("b", "x", "Do this."), Fault("c", "y", "That.")]
    explain(PolicyError(faults), show_values=False)
    said = capsys.readouterr().err.splitlines()
    assert said == ["error: a: x", "error: b: x", "  Do this.", "error: c: y", "  That."]


def test_a_verdict_says_once_what_columns_have_in_common():
    """Notes of two columns with one text are one line; many losses are counted."""
    result = Verification(
        holds=True, faults=(), models=(), records=5, classes=1,
        notes=("columns.a: is so", "columns.b: is so", "another: is so"),
        not_checked=tuple(f"loss.m{number}" for number in range(5)),
    )  # fmt: skip
    lines = verification_summary(result).splitlines()
    assert lines[1:] == [
        "  note: columns.a, columns.b: is so",
        "  note: another: is so",
        "  not checked: 5 claims of the manifest, which the given files do not determine",
    ]


def test_counts_that_are_left_out_are_no_people():
    """A hundred different counts of journeys among 500 records do not number people."""
    frame = pl.DataFrame(
        {
            "sex": ["f", "m"] * 250,
            "fahrten": [number % 100 for number in range(500)],
            "konto": [f"k{number % 100}" for number in range(500)],
        }
    )
    words = {"quasi_identifiers": ["sex"], "identifiers": ["fahrten", "konto"], "k": 60}
    found = [one for one in ind.anonymize(frame, **words).warnings if "repeat" in one["code"]]
    assert [one["columns"] for one in found] == [["konto"]]


def test_an_identifier_that_is_left_in_is_warned_of_by_name():
    """Names and addresses that a policy releases, as anybody sees by the release."""
    frame = pl.DataFrame(
        {
            "sex": ["f", "m"] * 100,
            "vorname": [f"Anna{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200)],
            "kontakt": [f"x{n}@example.org" for n in range(200)],
            "note": [n % 7 for n in range(200)],
        }
    ).sample(fraction=1, shuffle=True, seed=1)
    words = {"quasi_identifiers": ["sex"], "k": 2}
    release = ind.anonymize(frame, insensitive=["vorname", "kontakt", "note"], **words)
    found = [one for one in release.warnings if one["code"] == "looks-like-an-identifier"]
    assert [one["columns"] for one in found] == [["vorname"], ["kontakt"]]
    assert [one["count"] for one in found] == [200, 200]
    assert [one for one in release.manifest["warnings"] if one in found] == found


def test_a_misspelt_column_of_a_policy_asks_for_the_near_one():
    """Only columns that have no role yet are proposed."""
    frame = pl.DataFrame({"age": [1, 2] * 5, "agent": [1, 2] * 5})
    with pytest.raises(SchemaError, match=r"agee: .*\n.*mean .age"):
        ind.anonymize(frame, quasi_identifiers=["agee"], insensitive=["agent"], k=2)


@pytest.mark.parametrize("words", [[], ["inspect"], ["anonymize"], ["graph", "anonymize"]])
def test_options_without_a_value_show_no_type(words, capsys, narrow):
    """``--json <bool>`` would ask for a word that no command takes."""
    assert status([*words, "--help"], show_values=False) == 0
    said = capsys.readouterr().out
    assert "--help" in said
    assert "<bool>" not in said
    assert max(map(len, said.splitlines())) <= 80
