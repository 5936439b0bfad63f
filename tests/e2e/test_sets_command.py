"""A column of sets on the command line: the worked example of sets.md."""

from indistinct.frontends.cli.main import status

POLICY = """
[columns.codes]
role = "quasi-identifier"
type = "set"
separator = ";"
suppression = "occurrences"
hierarchy = { tree = { E = ["E10", "E11"], I = ["I10", "I21"], J = ["J45"] } }
[[models]]
name = "km-anonymity"
column = "codes"
k = 2
m = 2
[method]
max_suppression = 0.5
"""
ROWS = [
    "codes",
    "E11;I10",
    "E11;I10",
    "E11;I10;J45",
    "E10;I10",
    "E11;I21",
    "E11;J45",
    "E11;J45",
    "I21",
]


def test_what_a_set_lost_is_said_and_what_it_promises(tmp_path, monkeypatch, capsys) -> None:
    """Three of sixteen items go; a raw column of sets is not called a table without records."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.toml").write_text(POLICY, "utf-8")
    (tmp_path / "raw.csv").write_text("\n".join([*ROWS, ""]), "utf-8")

    def said(*arguments: str) -> str:
        capsys.readouterr()
        code = status([*arguments, "--policy", "policy.toml"], show_values=False)
        return f"{code} {capsys.readouterr().out}"

    raw = said("assess", "raw.csv")
    assert "NOT ANONYMOUS: 3 of 8 records (37.5%) are unique" in raw
    assert "These models fail: km-anonymity" in raw
    released = said("anonymize", "raw.csv", "--out", "release.csv", "--verbose")
    assert "81.2% in 1 column" in released
    assert "18.8% of the items deleted, 0% generalized; loss of the sets 0.1875" in released
    assert said("verify", "release.csv", "--original", "raw.csv").startswith("0 It holds")
