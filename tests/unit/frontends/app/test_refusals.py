"""What a click can be refused for has a code: the refusals of each page, listed."""

import random

import polars as pl
import pytest

from app_visits import roles_of, visiting
from indistinct.errors import IndistinctError
from indistinct.frontends.app.checks import checks_of
from indistinct.frontends.app.coded_texts import fault_text
from indistinct.frontends.app.declared import SaidReading
from indistinct.frontends.app.edits import with_models, with_roles, with_table
from indistinct.frontends.app.texts import GERMAN, language

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
# Data: a file by its name and bytes, and what it is refused for.
FILES = [
    ("empty.csv", b"", "empty-file"),
    ("picture.csv", PICTURE, "not-a-table"),
    ("bytes.csv", bytes(range(1, 9)) * 500, "not-a-text"),
    ("packed.csv", b"\x1f\x8b\x08" + bytes(64), "not-a-table"),
    ("archive.csv", b"PK\x03\x04" + bytes(64), "of-another-kind"),
    ("text.xlsx", b"a,b\n1,2\n", "not-by-its-bytes"),
    ("half.xlsx", b"PK\x03\x04" + b"half a workbook" * 9, "broken-file"),
    ("half.parquet", b"PAR1" + b"half a file" * 9, "broken-file"),
    ("colons.csv", b"a:b\n" + b"1:2\n" * 9, "other-separator"),
    ("ragged.csv", b"a,b\n1,2\n3\n4,5\n6,7\n8,9\n", "ragged-line"),
    ("ragged2.csv", b"a,b\n1,2\n3\n4,5\n6\n8,9\n10,11\n12,13\n", "ragged-lines"),
    ("header.csv", b"a,b\n", "no-records"),
    ("pattern.csv", b"^a$,b\n1,2\n3,4\n", "pattern-as-name"),
]


@pytest.mark.parametrize(("name", "content", "code"), FILES, ids=[one[0] for one in FILES])
def test_a_file_that_cannot_be_read(tmp_path, name, content, code):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(IndistinctError) as refused:
        SaidReading().given().read(str(tmp_path / name))
    assert [one.code for one in refused.value.faults] == [code]
    assert_german(refused.value.faults)


def assert_german(faults):
    token = language.set(GERMAN)
    try:
        for one in faults:
            said = fault_text(one)
            assert "Auf Englisch" not in said, said
    finally:
        language.reset(token)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refusals")
    drawn = random.Random(1)
    rows = [
        {
            "age": drawn.randint(20, 60),
            "town": drawn.choice("abcdef"),
            "ill": drawn.choice(["flu", "cold"]),
            "row": 1000 + number,
            "none": None,
        }
        for number in range(60)
    ]
    pl.DataFrame(rows, schema_overrides={"none": pl.String}).write_csv(folder / "some.csv")
    roles = {"age": "quasi-identifier", "town": "quasi-identifier", "ill": "sensitive"}
    with visiting(folder, folder / "some.csv") as visitor:
        left_out = {"row": "identifier", "none": "identifier"}
        visitor.post("/roles", all="yes", **roles_of(visitor, **roles, **left_out))
        yield visitor


K_5 = {"name": "k-anonymity", "k": 5}
# Promise and Search: roles, models and further words, and what a search is refused for.
POLICIES = [
    ({}, [{**K_5, "k": 61}], {}, "k-beyond-the-table"),
    ({}, [K_5, {"name": "distinct-l-diversity", "column": "ill", "l": 3}], {}, "beyond-the-column"),
    ({"row": "insensitive"}, [K_5], {}, "numbers-the-records"),
    ({"none": "sensitive"}, [K_5], {}, "no-values"),
    ({}, [K_5], {"person": "nobody"}, "unit-not-in-the-data"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("roles", "models", "data", "code"), POLICIES, ids=[p[3] for p in POLICIES]
)
def test_a_policy_that_every_search_refuses(found, roles, models, data, code):
    """The checks say so before the search, which is not begun; each has a button that ends it."""
    state = found.app_state
    before = state.project
    words = with_models(with_roles(before.words, roles), models)
    state.change(with_table(words, "data", data), "a test", before.confirmed)
    refused = checks_of(state).refused
    assert code in [one.code for one in refused]
    assert all(one.ways for one in refused)
    assert_german(refused)
    assert found.post("/search").status_code == 422
    assert state.jobs.current() is None
    found.post("/undo")


def test_a_number_beyond_its_range(found):
    state = found.app_state
    state.change(with_models(state.project.words, [K_5]), "a test", state.project.confirmed)
    assert "must be" in found.post("/promise", **{"0-k": "0"}).text
