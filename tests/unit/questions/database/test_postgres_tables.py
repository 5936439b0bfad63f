"""Questions over several tables: PostgreSQL counts what DuckDB counts, where no lot decides."""

from __future__ import annotations

import os
import random

import pytest

from neighbours import (
    NAMES,
    QUESTIONS,
    RARE_ROWS,
    check_pair,
    database,
    is_refused,
    loaded,
    vectors,
    without,
)
from neighbours_in_postgres import in_postgres, own_database, put

URL = os.environ.get("INDISTINCT_POSTGRES", "")
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(
        not URL, reason='no PostgreSQL: eval "$(sh tests/postgres.sh start)" starts one'
    ),
]
WIDE = {"groups": 1000, "rows": 1000, "full_groups": 999}


@pytest.fixture
def server():
    """Return a connection to a database of its own."""
    with own_database() as connection:
        yield connection


def without_lots(rows):
    """Keep so few rows of a person, and each key once, that no lot decides."""
    kept = {name: [] for name in rows}
    for name, most in (("persons", 1), ("visits", 99), ("items", 3), ("stays", 99), ("codes", 99)):
        person = NAMES[name].index("pid") if "pid" in NAMES[name] else None
        for row in rows[name]:
            mine = [one for one in kept[name] if person is not None and one[person] == row[person]]
            is_twin = name == "visits" and row[0] in [one[0] for one in mine]
            if (person is None or len(mine) < most) and not is_twin:
                kept[name].append(row)
    return kept


@pytest.mark.parametrize("seed", range(3))
def test_no_text_tells_whether_a_person_is_there(seed):
    """With and without one person; a failure of one of both would be an answer, too."""
    rows = database(random.Random(seed))
    person = next(row[1] for row in (*rows["visits"], *rows["items"], *rows["stays"]))
    with own_database() as one, own_database() as other:
        put(one, rows)
        put(other, without(rows, person))
        here, there = in_postgres(one), in_postgres(other)
        asked = [one for one in [*QUESTIONS, *RARE_ROWS] if not is_refused(here, *one)]
        assert len(asked) >= len(QUESTIONS) + 10
        for question, limits in asked:
            check_pair(here, there, question, limits)


def test_both_engines_count_alike(server):
    """Every question of the audit; what only DuckDB reads as a number is left out."""
    rows = without_lots(database(random.Random(3)))
    odd = {"nan", "inf", "-inf", "1e308", "-1e400", "5e-324"}
    rows = {name: [tuple(None if cell in odd else cell for cell in row) for row in found]
            for name, found in rows.items()}  # fmt: skip
    put(server, rows)
    here = loaded(rows)
    there = in_postgres(server)
    for question, _ in QUESTIONS:
        _, mine = vectors(here, question, WIDE)
        _, theirs = vectors(there, question, WIDE)
        shown = [
            {name: {cell: n for cell, n in part.items() if n} for name, part in found.items()}
            for found in (mine, theirs)
        ]
        assert shown[0] == shown[1], question
    here.close()
