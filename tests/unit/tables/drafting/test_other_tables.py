"""Columns that a table leaves undecided are decided by the other tables of its folder."""

import tomllib

import polars as pl
import pytest

from indistinct.related.publish.inspect import inspect_related
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.other_tables import ColumnElsewhere, roles_elsewhere

CODES = ["AX", "BY", "CZ"]


def column(role, values, *, unique=False):
    return ColumnElsewhere(Role(role), frozenset(values), unique)


def decided(own, *others, name="x1"):
    """Return the role of a column by other tables, each a mapping of columns."""
    tables = {"own": {name: own}, **{f"t{n}": other for n, other in enumerate(others)}}
    found = roles_elsewhere(tables)["own"].get(name)
    return None if found is None else found.role.value


UNDECIDED = column("undecided", CODES)
SAME = {"X_1": column("sensitive", [*CODES, "DW"])}
LIST = {
    "key": column("identifier", [*CODES, "DW"], unique=True),
    "label": column("sensitive", ["a", "b"]),
}


def test_the_same_column_of_another_table_decides():
    assert decided(UNDECIDED, SAME) == "sensitive"


def test_a_list_of_codes_decides_by_what_they_mean():
    assert decided(UNDECIDED, LIST) == "sensitive"


@pytest.mark.parametrize(
    "others",
    [
        [{"X1": column("sensitive", ["other"])}],  # another column of that name
        [{"X1": UNDECIDED}],
        [{"X2": SAME["X_1"]}],
        [SAME, {"x1": column("quasi-identifier", CODES)}],  # they do not agree
        [{"key": column("identifier", CODES)}],  # no list: its codes repeat
        [{**LIST, "town": column("quasi-identifier", ["c"])}],  # two meanings
        [],
    ],
)
def test_nothing_is_decided_by_chance(others):
    assert decided(UNDECIDED, *others) is None


def test_numbers_are_in_other_lists_by_chance():
    numbers = [str(n) for n in range(5)]
    listed = {"key": column("identifier", numbers, unique=True), "ill": column("sensitive", CODES)}
    assert decided(column("undecided", numbers), listed) is None


def test_what_its_own_table_decides_stays():
    own = column("quasi-identifier", CODES)
    assert roles_elsewhere({"own": {"x1": own}, "other": SAME}) == {"own": {}, "other": {}}


def test_a_folder_is_drafted_with_what_its_tables_say_of_each_other(tmp_path):
    """Codes of visits are listed beside them, with the diseases that they stand for."""
    people = {"person_id": [f"P{n}" for n in range(60)], "sex": ["f", "m"] * 30}
    pl.DataFrame(people).write_csv(tmp_path / "people.csv")
    visits = {
        "visit_id": [f"V{n}" for n in range(120)],
        "person_id": [f"P{n * 7 % 60}" for n in range(120)],
        "zz": [CODES[n * 5 % 7 % 3] for n in range(120)],
    }
    pl.DataFrame(visits).write_csv(tmp_path / "visits.csv")
    diseases = {"zcode": CODES, "diagnosis": ["flu", "gout", "asthma"]}
    pl.DataFrame(diseases).write_csv(tmp_path / "codes.csv")
    found = inspect_related(tmp_path)
    (zz,) = [one for one in found.tables["visits"].columns if one.name == "zz"]
    assert zz.role == "sensitive"
    assert '"codes" lists its codes' in zz.reason
    drafted = tomllib.loads(found.drafted("p").text)["tables"]["visits"]["columns"]["zz"]
    assert '"codes" lists its codes' in drafted["reason"]
