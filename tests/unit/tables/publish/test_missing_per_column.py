"""Words for a missing value that one column has, and another one has as a value."""

import random

import polars as pl

import indistinct as ind

COUNTRIES = [("NA", "Namibia"), ("BW", "Botswana"), ("ZA", "South Africa"), ("AO", "Angola")]


def table(folder):
    chance = random.Random(4)
    rows = []
    for _ in range(300):
        code, name = chance.choice(COUNTRIES)
        age = chance.choice([*range(20, 40), "NA", "NA"])
        rows.append(f"{code},{name},{age},{chance.choice(['flu', 'ulcer'])}")
    path = folder / "in.csv"
    path.write_text("\n".join(["country,country_name,age,ill", *rows, ""]), encoding="utf-8")
    return path


def test_a_word_is_missing_in_one_column_and_a_value_of_another(tmp_path):
    path = table(tmp_path)
    inspection = ind.inspect(path)
    types = {column.name: (column.type, column.missing > 0) for column in inspection.columns}
    assert types["country"] == ("text", False)
    assert types["age"] == ("integer", True)
    draft = inspection.draft(yes_to_suggestions=True)
    assert draft.count('missing = ["", "NA"]') == 1
    (tmp_path / "draft.toml").write_text(draft, encoding="utf-8")
    release = ind.anonymize(path, tmp_path / "draft.toml")
    release.write(tmp_path / "out.csv")
    shown = pl.read_csv(tmp_path / "out.csv", infer_schema=False)
    assert "NA" in set(shown["country"])
    assert "NA" not in set(shown["age"].fill_null(""))
    checked = ind.verify(tmp_path / "out.csv", policy=tmp_path / "draft.toml", original=path)
    assert checked.holds
    assert ind.verify(tmp_path / "out.csv").holds


def test_no_word_of_its_own_makes_a_word_of_all_columns_a_value(tmp_path):
    path = table(tmp_path)
    words = {
        "data": {"missing": ["", "NA"]},
        "columns": {
            "country": {"role": "quasi-identifier", "missing": []},
            "country_name": {"role": "identifier"},
            "age": {"role": "quasi-identifier"},
            "ill": {"role": "insensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 3}],
    }
    release = ind.anonymize(path, words)
    release.write(tmp_path / "out.csv")
    assert "NA" in set(pl.read_csv(tmp_path / "out.csv", infer_schema=False)["country"])
    policy = ind.Policy.from_words(words)
    assert ind.verify(tmp_path / "out.csv", policy=policy, original=path).holds
