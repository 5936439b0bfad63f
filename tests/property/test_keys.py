"""A value of a list and a value of a column meet by what they say, however each is written."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.tables.core.keys import key, number_key
from indistinct.tables.verification.texts import value_key

N_EACH = 20
WHOLE = [1, 2, 3, 4, 5, 6]
DAYS = [f"2024-05-{day:02d}" for day in WHOLE]
LISTS = {"whole": [str(one) for one in WHOLE], "with a point": [f"{one}.0" for one in WHOLE]}


def policy_in(folder: Path, listed: Sequence[str], words: str = "") -> Path:
    """Write a policy and the list of a column's values, whose groups are halves."""
    rows = [
        f"{text};{'high' if 2 * n >= len(listed) else 'low'};*" for n, text in enumerate(listed)
    ]
    (folder / "list.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    policy = folder / "policy.toml"
    policy.write_text(
        f"""
[columns.value]
role = "quasi-identifier"
hierarchy = {{ csv = "list.csv", separator = ";" }}
{words}
[columns.sex]
role = "quasi-identifier"
[[models]]
name = "k-anonymity"
k = 5
""",
        encoding="utf-8",
    )
    return policy


def table_of(values: Sequence[object], kind: pl.DataType | None = None) -> pl.DataFrame:
    """Return a table with these values again and again."""
    value = pl.Series("value", [*values] * N_EACH, dtype=kind)
    return pl.DataFrame([value, pl.Series("sex", ["f", "m"]).new_from_index(0, len(value))])


def file_of(texts: Sequence[str], folder: Path) -> Path:
    """Write a table with these texts again and again."""
    table_of(texts, pl.String()).write_csv(folder / "input.csv")
    return folder / "input.csv"


def shown(data: pl.DataFrame | Path, policy: Path) -> set[str]:
    """Return the cells of a release that holds with the input and without it."""
    released = policy.parent / "released.csv"
    ind.anonymize(data, policy, seed=1).write(released)
    assert ind.verify(released, policy=policy).holds
    assert ind.verify(released, policy=policy, original=data).holds
    return set(pl.read_csv(released, infer_schema=False)["value"].drop_nulls())


def given_table(writing: str, folder: Path) -> pl.DataFrame | Path:
    """Return the numbers from 1 to 6 in one of the writings that carry them."""
    if writing == "whole":
        return file_of([str(one) for one in WHOLE], folder)
    if writing == "with a point":
        return file_of([f"{one}.0" for one in WHOLE], folder)
    if writing == "mixed":
        return file_of([f"{one}.0" if one % 2 else f"{one}" for one in WHOLE], folder)
    if writing == "decimals":
        return table_of([Decimal(f"{one}.00") for one in WHOLE], pl.Decimal(10, 2))
    floats = table_of([float(one) for one in WHOLE], pl.Float64())
    return floats.with_columns(
        pl.when(pl.int_range(pl.len()) > 0).then(pl.col("value")).alias("value")
    )


@pytest.mark.parametrize("listed", LISTS)
@pytest.mark.parametrize("writing", ["whole", "with a point", "missing", "decimals", "mixed"])
def test_numbers_meet_a_list_however_both_are_written(
    writing: str, listed: str, tmp_path: Path
) -> None:
    data = given_table(writing, tmp_path)

    cells = shown(data, policy_in(tmp_path, LISTS[listed]))
    groups = shown(data, policy_in(tmp_path, LISTS[listed], "min_level = 1"))

    assert groups - {"*"} == {"low", "high"}
    assert {cell.removesuffix(".0").removesuffix(".00") for cell in cells} <= {
        *LISTS["whole"], "low", "high", "*"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("values", "listed"),
    [
        (["6.5", "7.25"], ["6.50", "7.250"]),
        (["1000", "2000.5"], ["1e3", "2.0005e3"]),
        (["1", "2"], ["01", "+2"]),
    ],
)
def test_numbers_are_read_by_their_value(
    values: list[str], listed: list[str], tmp_path: Path
) -> None:
    policy = policy_in(tmp_path, listed, "min_level = 1")

    assert shown(file_of(values, tmp_path), policy) == {"low", "high"}


def test_letters_with_marks_meet_in_either_normal_form(tmp_path: Path) -> None:
    policy = policy_in(tmp_path, ["\u00e9t\u00e9", "Bar"], "min_level = 1")

    assert shown(file_of(["e\u0301te\u0301", "Bar"], tmp_path), policy) == {"low", "high"}
    assert shown(file_of(["\u00e9t\u00e9", "Bar"], tmp_path), policy) == {"low", "high"}


@pytest.mark.parametrize("clock", ["", " 00:00:00", "T00:00"])
def test_days_meet_midnights(clock: str, tmp_path: Path) -> None:
    days = file_of(DAYS, tmp_path)
    policy = policy_in(tmp_path, [day + clock for day in DAYS], "min_level = 1")

    assert shown(days, policy) == {"low", "high"}
    moments = table_of(DAYS).with_columns(pl.col("value").str.to_datetime("%Y-%m-%d"))
    assert shown(moments, policy) == {"low", "high"}


def test_days_may_be_listed_in_the_format_of_the_column(tmp_path: Path) -> None:
    written = [f"{day[8:]}.{day[5:7]}.{day[:4]}" for day in DAYS]
    words = 'format = "dd.mm.yyyy"\nmin_level = 1'
    data = file_of(written, tmp_path)

    assert shown(data, policy_in(tmp_path, written, words)) == {"low", "high"}
    assert shown(data, policy_in(tmp_path, DAYS, words)) == {"low", "high"}


@pytest.mark.parametrize(
    ("values", "listed", "said"),
    [
        (["06", "07"], ["6", "7"], "leading zeros"),
        (["x6", "07"], ["x6", "7"], "leading zeros"),
    ],
)
def test_a_list_of_numbers_is_no_list_of_codes(
    values: list[str], listed: list[str], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ind.IndistinctError, match=said):
        ind.anonymize(file_of(values, tmp_path), policy_in(tmp_path, listed))


def test_texts_are_no_numbers(tmp_path: Path) -> None:
    policy = policy_in(tmp_path, LISTS["with a point"])

    with pytest.raises(ind.IndistinctError, match='type = "number"'):
        ind.anonymize(table_of(LISTS["whole"]), policy)
    assert shown(table_of(LISTS["with a point"]), policy)


def test_one_value_has_one_path(tmp_path: Path) -> None:
    data = file_of(LISTS["whole"], tmp_path)
    same = policy_in(tmp_path, ["1", "2", "3", "4", "5", "6.0", "6"], "min_level = 1")

    assert shown(data, same) == {"low", "high"}
    other = policy_in(tmp_path, ["6.0", "1", "2", "3", "4", "5", "6"])
    with pytest.raises(ind.IndistinctError, match="row 1 again in row 7, with other labels"):
        ind.anonymize(data, other)


@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive"])
@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_codes_that_differ_by_zeros_stay_apart(role: str, engine: str, tmp_path: Path) -> None:
    data = file_of(["250", "250.0", "250.00", "251"], tmp_path)
    policy = policy_in(tmp_path, ["1"])
    listed = 'role = "quasi-identifier"\nhierarchy = { csv = "list.csv", separator = ";" }'
    words = policy.read_text(encoding="utf-8").replace(listed, f'role = "{role}"\ntype = "code"')
    policy.write_text(words, encoding="utf-8")
    released = tmp_path / "released.parquet"

    release = ind.anonymize(data, policy, engine=engine)
    release.write(released)
    release.close()

    assert ind.verify(released, policy=policy, original=data).holds
    assert set(pl.read_parquet(released)["value"]) == {"250", "250.0", "250.00", "251"}


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=6)


@given(NUMBERS, st.integers(0, 3), st.sampled_from(["f", "e"]), st.sampled_from(["", "0", "00"]))
def test_a_number_has_one_key(number: Decimal, zeros: int, form: str, behind: str) -> None:
    plain = format(number, "f")
    other = format(number, form)
    if "." in other and "e" not in other:
        other += behind
    sign, digits = ("-", plain[1:]) if plain.startswith("-") else ("", plain)

    assert number_key(other) == number_key(plain) == number_key(f"{sign}{'0' * zeros}{digits}")
    assert value_key(other) == value_key(plain) == number_key(plain)
    assert Decimal(number_key(plain) or "NaN") == number


def test_what_is_no_value_of_a_meaning_has_no_key() -> None:
    assert key("number", "six") is key("number", "inf") is key("number", "1,000") is None
    assert key("date", "2024-05-01 13:05") is key("truth", "yes") is None
    assert key("moment", "2024-05-01T13:05:00.500Z") == "2024-05-01T13:05:00.5+00:00"
    assert key("truth", "TRUE") == "true"
