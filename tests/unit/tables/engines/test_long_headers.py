"""A header of any length is read as it stands, or refused in words."""

import pytest

import indistinct as ind
from indistinct.base.files import text
from indistinct.errors import DataError
from indistinct.tables.reading import files

LONG = "n" * 70_000


def policy(names):
    """Return a policy over columns of which the first is known to others."""
    columns = {name: {"role": "insensitive"} for name in names}
    columns[names[0]] = {"role": "quasi-identifier"}
    return ind.Policy(columns=columns, models=[{"name": "k-anonymity", "k": 2}])


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_long_header_names_every_column(tmp_path, engine, separator):
    names = ["age", LONG, "b,c" if separator != "," else "b", "last"]
    path = tmp_path / "t.csv"
    lines = [separator.join(names), *(separator.join("1234") for _ in range(6))]
    path.write_text("\n".join(lines), encoding="utf-8")
    release = ind.anonymize(path, policy(names), engine=engine)
    release.write(tmp_path / "o.csv")
    getattr(release, "close", lambda: None)()
    assert files.read_file(str(tmp_path / "o.csv")).frame.columns == names


def test_many_names_are_read(tmp_path):
    names = [f"column-{number:05}-{'x' * 20}" for number in range(4_000)]
    row = ",".join(["1"] * len(names))
    (tmp_path / "t.csv").write_text(f"{','.join(names)}\n{row}\n{row}\n", encoding="utf-8")
    assert files.read_file(str(tmp_path / "t.csv")).frame.columns == names
    assert text.header_of_file(str(tmp_path / "t.csv"), ",") == names


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_a_first_line_without_end_is_no_header(tmp_path, monkeypatch, engine):
    monkeypatch.setattr(text, "SAMPLE_BYTES", 1 << 20)
    (tmp_path / "t.csv").write_text("age,b" * 300_000, encoding="utf-8")
    with pytest.raises(DataError):
        ind.anonymize(tmp_path / "t.csv", policy(["age"]), engine=engine)
