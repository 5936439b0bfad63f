"""A column that follows from another one is looked up in a public table, and never counted."""

import csv

import pytest

import indistinct as ind
from indistinct.errors import IndistinctError
from indistinct.synthetic_tables import verify_synthetic
from people import declare, person

CITIES = "city,region,people\na,north,10\nb,north,20\nc,south,2.5\nother,,\n"
REGION = '\n[columns.region]\nfrom = { column = "city", csv = "cities.csv" }\n'
PEOPLE = REGION.replace("region", "people")


def declared_with(folder, words, table=CITIES):
    path = declare(folder, [person(number) for number in range(300)], 200, delta=1e-7)
    (folder / "cities.csv").write_text(table, "utf-8")
    path.write_text(f"{path.read_text('utf-8')}{words}", "utf-8")
    return path


def test_cells_are_looked_up_and_the_table_holds(tmp_path):
    path = declared_with(tmp_path, f'{REGION}{PEOPLE}[synthesis]\nfocus = "city"\n')
    found = ind.synthesize(path, epsilon="2", rows=200)
    assert found.data.columns == ["age", "weight", "sex", "city", "region", "people"]
    pairs = set(found.data.select("city", "region", "people").iter_rows())
    known = {"a": ("north", 10), "b": ("north", 20), "c": ("south", 2.5), "other": (None, None)}
    assert pairs <= {(city, *known.get(city, (None, None))) for city in [*known, None]}
    assert found.manifest["derived"] == {"region": "city", "people": "city"}
    assert "region" not in str(found.model)
    found.write(tmp_path / "s.csv", model=tmp_path / "m.json")
    assert verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json").faults == ()


def test_a_table_with_the_column_costs_no_more(tmp_path):
    path = declared_with(tmp_path, "")
    first = ind.synthesize(path, epsilon="1")
    path.write_text(path.read_text("utf-8") + REGION, "utf-8")
    again = ind.synthesize(path, epsilon="1")
    assert (first.charged > 0, again.charged) == (True, 0)


def test_another_cell_is_found(tmp_path):
    path = declared_with(tmp_path, REGION)
    ind.synthesize(path, epsilon="2").write(tmp_path / "s.csv", model=tmp_path / "m.json")
    with (tmp_path / "s.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    at = next(at for at, row in enumerate(rows) if row[-1] == "north")
    rows[at][-1] = "south"
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    faults = verify_synthetic(tmp_path / "t.csv", path, tmp_path / "m.json").faults
    assert faults == ("columns.region: a cell is not what the public table says of city",)


def test_a_number_is_looked_up_by_its_steps(tmp_path):
    table = "age,decade\n" + "".join(f"{age},{age // 10}\n" for age in range(101))
    path = declared_with(tmp_path, REGION.replace("region", "decade").replace("city", "age"), table)
    found = ind.synthesize(path, epsilon="2", rows=100).data
    assert all(
        decade == (None if age is None else age // 10)
        for age, decade in found.select("age", "decade").iter_rows()
    )


@pytest.mark.parametrize(
    ("words", "table", "place"),
    [
        (REGION, "city,region\na,north\n", "columns.region.from"),
        (REGION, "city,country\na,x\nb,x\nc,x\n", "columns.region.from"),
        (REGION, CITIES + "a,south,1\n", "columns.region.from"),
        (REGION.replace("cities.csv", "none.csv"), CITIES, "columns.region.from"),
        (REGION.replace('"city"', '"nose"'), CITIES, "columns.region.from"),
        (REGION.replace('"city"', '"note"'), CITIES, "columns.region.from"),
        (REGION + PEOPLE.replace('"city"', '"region"'), CITIES, "columns.people.from"),
        (f"{REGION}complete = true\n", CITIES, "columns.region.from"),
        (f'{REGION}[synthesis]\nfocus = "region"\n', CITIES, "synthesis.focus"),
        (f'{REGION}[synthesis]\ncolumns = ["age", "sex", "region"]\n', CITIES,
         "columns.region.from"),
        ('\n[columns.region]\nfrom = "city"\n', CITIES, "columns.region.from"),
        ("\n[columns.region]\nbounds = [0, 1]\n", CITIES, "columns.region.type"),
    ],
)  # fmt: skip
def test_what_cannot_be_looked_up_is_refused_before_the_charge(tmp_path, words, table, place):
    path = declared_with(tmp_path, words, table)
    with pytest.raises(IndistinctError) as caught:
        ind.synthesize(path, epsilon="1")
    assert place in {fault.place for fault in caught.value.faults}
    path.write_text(path.read_text("utf-8").replace(words, ""), "utf-8")
    assert ind.database.ledger(path).spent == 0
