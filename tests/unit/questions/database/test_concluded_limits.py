"""In how many groups a person is, concluded from the text, is never less than what is counted."""

from __future__ import annotations

import itertools
import random

import pytest

from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.statement import compiled
from made_questions import SOURCES, WITH, MadeQuestion
from neighbours import database, loaded
from own_answers import check_groups, check_own_answer, tidy, with_names
from shared import longer

PER_VISIT = "(SELECT pid, vid, COUNT(*) AS n FROM items GROUP BY pid, vid)"
ITEMS_OF_VISITS = "visits v LEFT JOIN items i ON v.pid = i.pid AND v.vid = i.vid"
QUICK = ("conditions in ON", "three LEFT JOINs")


@pytest.mark.parametrize(
    ("seed", "production"),
    longer(itertools.product(range(10), SOURCES), [(0, one) for one in QUICK]),
)
def test_nobody_is_in_more_groups_than_is_concluded(seed, production):
    """By each key of each source, and by two of them; also where cells cannot be read."""
    chance = random.Random(f"{seed} {production}")
    one = loaded(database(chance) if seed % 2 else tidy(chance))
    for source, _, keys, _ in SOURCES[production]:
        for by in (*keys, ", ".join(chance.sample(keys, min(2, len(keys))))):
            start = WITH if production == "WITH, used twice" else ""
            check_groups(one, f"{start}SELECT COUNT(*) FROM {source} GROUP BY {by}")
    one.close()


@pytest.mark.parametrize(
    ("source", "key", "groups"),
    [
        ("visits v LEFT JOIN persons p USING (pid)", "p.sex", 1),
        ("visits v LEFT JOIN persons p ON v.pid = p.pid AND p.age > 30", "p.sex", 1),
        ("visits v LEFT JOIN persons p ON v.pid = p.pid AND v.cost > 20", "p.town", 2),
        (f"{ITEMS_OF_VISITS} LEFT JOIN persons p ON i.pid = p.pid", "p.town", 2),
        (ITEMS_OF_VISITS, "i.amount", 4),
        (f"visits v LEFT JOIN {PER_VISIT} t ON v.pid = t.pid AND v.vid = t.vid", "t.n", 4),
        ("persons p LEFT JOIN items i ON p.pid = i.pid AND p.age > 30", "i.amount", 3),
        ("persons p LEFT JOIN persons b ON p.pid = b.pid AND p.age > 30", "b.town", 1),
        (
            "visits v LEFT JOIN persons p USING (pid) LEFT JOIN codes c ON c.code = p.town",
            "word",
            1,
        ),
        ((f"{ITEMS_OF_VISITS} LEFT JOIN codes c ON c.code = i.code"), "c.word", 4),
        ((f"{ITEMS_OF_VISITS} LEFT JOIN codes c ON c.code = i.code AND v.cost > 20"), "c.word", 5),
        ("visits", "pid IN (SELECT pid FROM items)", 1),
    ],
)
def test_a_row_that_is_not_there_is_one_more_group(tidied, source, key, groups):
    """Unless a person has it in all rows, or in none; the answer is that of the engine."""
    question = f"SELECT {key}, COUNT(*) FROM {source} GROUP BY {key}"
    assert compiled(question, tidied.setting, WantedLimits(rows=1)).limits.groups == groups
    assert check_own_answer(tidied, MadeQuestion(question, {}, ()))


@pytest.fixture(scope="module")
def tidied():
    """Return a database where nobody is beyond a limit."""
    found = with_names(tidy(random.Random(13)))
    yield found
    found.close()
