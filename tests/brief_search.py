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
    (local_search, "WORK_PER_RECORD", 1000),
    (local_search, "ROUNDS_IN_PARTS", (4, 30)),
    (annealing_plans, "SHORT_ROUNDS", (2, 10)),
    (promises, "ROUNDS", 5),
)
BOUND = (local_search, "EFFORTS", {**EFFORTS, "default": LESS})
WHOLE = {name: getattr(module, name) for module, name, _ in (*BRIEF, BOUND)}
# Files and folders whose tests are about what the search finds, and about the bound beside it.
OF_THE_BOUND = (
    "tests/e2e/test_report_gold.py",
    "tests/unit/tables/search/local/",
    "tests/test_docs.py",
    "tests/test_evidence.py",
)
OF_THE_SEARCH = (*OF_THE_BOUND, "tests/fuzz/")


def anneal_as_asked_by(test: str) -> None:
    """Set how long local recoding anneals in this process.

    Parameters
    ----------
    test : that asks for it, by its path
    """
    is_fast = os.environ.get("HYPOTHESIS_PROFILE", "fast") == "fast"
    may_be_brief = is_fast and "INDISTINCT_PICTURES" not in os.environ
    for settings, whole in ((BRIEF, OF_THE_SEARCH), ((BOUND,), OF_THE_BOUND)):
        is_brief = may_be_brief and not test.startswith(whole)
        for module, name, brief in settings:
            setattr(module, name, brief if is_brief else WHOLE[name])
