"""Local recoding that anneals less, for tests that are about something else.

It is the algorithm that is taken where none is named, so that most releases of the tests are its
work. The annealing of a table of 60 records takes several times what all else of its release does,
and the bound beside it up to another second. Fewer rounds run the same lines. The tests of the
search itself, cases of the fuzz that once failed, documents, their pictures and accepted pages
anneal as long as everybody does, and so do all tests but those of the fast run.
"""

import os
from dataclasses import replace

from indistinct.tables.search.local import annealing_plans, local_search, promises

EFFORTS = local_search.EFFORTS
LESS = replace(EFFORTS["default"], bound=EFFORTS["fast"].bound)

BRIEF = (
    (local_search, "EFFORTS", {**EFFORTS, "default": LESS}),
    (local_search, "WORK_PER_RECORD", 1000),
    (local_search, "ROUNDS_IN_PARTS", (4, 30)),
    (annealing_plans, "SHORT_ROUNDS", (2, 10)),
    (promises, "ROUNDS", 5),
)
WHOLE = tuple(getattr(module, name) for module, name, _ in BRIEF)
# Files and folders whose tests are about what the search finds.
OF_THE_SEARCH = (
    "tests/e2e/test_report_gold.py",
    "tests/fuzz/",
    "tests/unit/tables/search/local/",
    "tests/test_docs.py",
    "tests/test_evidence.py",
)


def anneal_as_asked_by(test: str) -> None:
    """Set how long local recoding anneals in this process.

    Parameters
    ----------
    test : that asks for it, by its path
    """
    is_fast = os.environ.get("HYPOTHESIS_PROFILE", "fast") == "fast"
    is_shown = "INDISTINCT_PICTURES" in os.environ or test.startswith(OF_THE_SEARCH)
    is_brief = is_fast and not is_shown
    for (module, name, brief), whole in zip(BRIEF, WHOLE, strict=True):
        setattr(module, name, brief if is_brief else whole)
