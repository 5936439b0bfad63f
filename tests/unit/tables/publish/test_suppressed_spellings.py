"""A record that is left out does not choose how the others are read and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import indistinct as ind

HEADER = "age,day,dose,code,seen,ill,note,met,town"
RECORDS = [
    (age, day, dose, code, seen, ill, note, day, "here")
    for age, day, dose, code in [
        ("31", "2024-05-01", "0.5", "a1" ),
        ("32", "2024-05-02", "6", "b2"),
        ("105", "2024-06-03", "7.5", "c3"),
    ]
    for seen, ill, note in [
        ("true", "250", "1.5"),
        ("false", "251", "2"),
        ("true", "252", "7"),
        ("false", "250", "9"),
    ]
    for _ in range(2)
]  # fmt: skip
# The column of the record that is left out, and how it is written there.
ODD = [
    ("age", "six"), ("age", "07"), ("age", "6.5"), ("age", "13:05"), ("age", "1e3"),
    ("day", "2024-05-01 13:05"), ("day", "soon"), ("day", "01.05.2024"), ("day", "2024-05"),
    ("dose", "none"), ("dose", "06"), ("dose", "1.0000000000000000001"), ("dose", "1,5"),
    ("code", "7"), ("code", "2024-05-01"),
    ("seen", "yes"), ("seen", "1"), ("seen", "True"),
    ("ill", "x250"), ("ill", "0250"), ("ill", "250.50"),
    ("note", "late"), ("note", "0001"), ("note", "2024-05-01 00:00:00"),
    ("met", "2024-05-01 13:05"), ("met", "2024-05-01 00:00"), ("met", "1 May 2024"),
]  # fmt: skip
LIST = (
    'hierarchy = { rows = [["31.0", "30s"], ["32", "30s"], ["0105", "100s"], ["6.5", "x"], '
    '["7", "x"], ["1000", "x"]] }'
)


def _policy(hierarchy: str) -> str:
    """Return a policy by which nothing is generalized, so that the odd record is left out."""
    columns = "".join(
        f'[columns.{name}]\nrole = "quasi-identifier"\nmax_level = 0\n'
        f"{hierarchy if name == 'age' else ''}\n"
        for name in ("age", "day", "dose", "code", "seen", "town")
    )
    return f"""{columns}
[columns.ill]
role = "sensitive"
[columns.note]
role = "insensitive"
[columns.met]
role = "insensitive"
[[models]]
name = "k-anonymity"
k = 2
[[models]]
name = "distinct-l-diversity"
column = "ill"
l = 2
[method]
algorithm = "optimal"
max_suppression = 0.1
"""


def _released(folder: Path, hierarchy: str, column: str = "", text: str = "") -> list[object]:
    """Release the records and one more that no other is like; return the bytes and the manifest."""
    folder.mkdir()
    odd = dict(zip(HEADER.split(","), (*RECORDS[0][:-1], "nowhere"), strict=True))
    if column:
        odd[column] = f'"{text}"' if "," in text else text
    rows = [HEADER, *(",".join(one) for one in RECORDS), ",".join(odd.values())]
    (folder / "in.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "policy.toml").write_text(_policy(hierarchy), encoding="utf-8")
    out = folder / "out.csv"
    ind.anonymize(str(folder / "in.csv"), str(folder / "policy.toml"), seed=1).write(str(out))
    assert ind.verify(out, policy=folder / "policy.toml", original=folder / "in.csv").holds
    manifest = json.loads((folder / "out.csv.manifest.json").read_text(encoding="utf-8"))
    del manifest["input"]["fingerprint"]  # another one at each run
    return [out.read_text(encoding="utf-8"), *sorted(map(str, manifest.items()))]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """Return what is released where nothing is written oddly."""
    return _released(tmp_path_factory.mktemp("made") / "plain", "")


@pytest.mark.parametrize(("column", "text"), ODD)
def test_the_release_is_that_without_the_odd_writing(
    column: str, text: str, plain: list[object], tmp_path: Path
) -> None:
    assert _released(tmp_path / "odd", "", column, text) == plain


@pytest.mark.parametrize("text", ["07", "6.5", "1e3", "7.0"])
def test_nor_does_it_choose_how_a_list_is_read(text: str, tmp_path: Path) -> None:
    plain = _released(tmp_path / "plain", LIST)
    assert _released(tmp_path / "odd", LIST, "age", text) == plain


@pytest.mark.parametrize("text", ["six", "13:05"])
def test_a_word_among_listed_numbers_is_refused_with_a_way_on(text: str, tmp_path: Path) -> None:
    with pytest.raises(ind.HierarchyError, match='set type = "number"'):
        _released(tmp_path / "odd", LIST.replace("]] }", f'], ["{text}", "x"]] }}'), "age", text)
    numbers = f'type = "number"\n{LIST}'
    plain = _released(tmp_path / "plain", numbers)
    assert _released(tmp_path / "typed", numbers, "age", text) == plain
