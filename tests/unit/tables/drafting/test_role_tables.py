"""What is drafted for tables as people have them: in other languages, encodings and a workbook."""

import pytest

import indistinct as ind
from role_tables import ROLE_TABLES, WRITERS
from wide_tables import judged

LEAST_RIGHT = 0.8  # the others are asked, but for a few


@pytest.fixture(scope="module", params=ROLE_TABLES)
def inspected(request, tmp_path_factory):
    """Inspect a table as the file that it usually is."""
    columns = ROLE_TABLES[request.param](rows=1500)
    ending, write = WRITERS[request.param]
    path = tmp_path_factory.mktemp(request.param) / f"table.{ending}"
    write(columns, path)
    return columns, ind.inspect(path)


def test_no_role_is_confidently_wrong_and_no_identifier_is_missed(inspected):
    """Four of five columns are right, the others undecided but for a few."""
    columns, inspection = inspected
    found = judged(columns, {column.name: column.role for column in inspection.columns})
    wrong = {one.split(":")[0] for one in found["wrong"]}
    confident = {one.name for one in inspection.columns if one.confidence == "high"}
    assert wrong & confident == set()
    assert found["missed"] == []
    assert len(wrong) <= 0.1 * len(columns)
    assert len(found["right"]) >= LEAST_RIGHT * len(columns)
