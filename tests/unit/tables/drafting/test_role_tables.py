"""What is drafted for tables as people have them: in other languages, encodings and a workbook."""

import pytest

import indistinct as ind
from role_tables import ROLE_TABLES, WRITERS
from wide_tables import judged

# Of the columns; the others are asked. That of telecom has codes of three states, and judgements.
LEAST_RIGHT, OF_TELECOM = 0.9, 0.84


@pytest.fixture(scope="module", params=ROLE_TABLES)
def inspected(request, tmp_path_factory):
    """Inspect a table as the file that it usually is."""
    columns = ROLE_TABLES[request.param](rows=1500)
    ending, write = WRITERS[request.param]
    path = tmp_path_factory.mktemp(request.param) / f"table.{ending}"
    write(columns, path)
    return request.param, columns, ind.inspect(path)


def test_no_role_is_confidently_wrong_and_no_identifier_is_missed(inspected):
    """Nine of ten columns are right or undecided."""
    name, columns, inspection = inspected
    found = judged(columns, {column.name: column.role for column in inspection.columns})
    wrong = {one.split(":")[0] for one in found["wrong"]}
    confident = {one.name for one in inspection.columns if one.confidence == "high"}
    assert wrong & confident == set()
    assert found["missed"] == []
    assert len(wrong) <= 0.1 * len(columns)
    least = OF_TELECOM if name == "telecom" else LEAST_RIGHT
    assert len(found["right"]) >= least * len(columns)
