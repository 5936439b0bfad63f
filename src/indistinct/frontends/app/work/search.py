"""Search for a release: a trial on a sample, and the real run."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indistinct.frontends.app.runs import RUN_FILE, written
from indistinct.frontends.report.metadata.write import write_metadata
from indistinct.tables.core import Progress
from indistinct.tables.evaluation import read_original
from indistinct.tables.policy import Policy
from indistinct.tables.publish import anonymize, draft_release
from indistinct.tables.reading import format_of_file

# Shares of a search over the whole table, of 20,000 records as of a million.
READ, COUNTED, FOUND, KEEPING = 0.02, 0.06, 0.75, 0.95
BEGINNINGS: Mapping[str, float] = {"reading": READ, "counting": COUNTED, "writing": FOUND}
TRIAL_RECORDS = 2_000
TRIAL_SECONDS = 1.0
# A trial may be repeated and should then say the same; nothing is published of it.
TRIAL_SEED = 1


def tried(tell: Progress, words: dict[str, Any], folder: str, data: str) -> Mapping[str, Any]:
    """Search on a sample, for a first impression."""
    method = {**words.get("method", {}), "time_limit": TRIAL_SECONDS}
    policy = Policy.from_words({**words, "method": method}, Path(folder))
    frame = read_original(data, policy.reading, policy.set_forms)
    n_records = min(TRIAL_RECORDS, frame.height)
    sample = frame.sample(n_records, seed=TRIAL_SEED)
    release = anonymize(sample, policy, progress=of_search(tell))
    return {"document": dict(release.owner), "sample": n_records, "all": frame.height}


def searched(  # noqa: PLR0913, PLR0917 - what a run is told
    tell: Progress,
    words: dict[str, Any],
    folder: str,
    data: str,
    run: str,
    about: dict[str, Any],
) -> Mapping[str, Any]:
    """Search on the whole table, verify what was found, and write it into the folder of the run."""
    place = Path(run)
    place.mkdir(mode=0o700, parents=True)
    try:
        policy = Policy.from_words(words, Path(folder))
        release = draft_release(data, policy, progress=of_search(tell))
        path = place / _name_of_release(data)
        made = release.written(path, crosswalk=place / "crosswalk.csv", owner=place / "owner.json")
        metadata = Path(f"{path}.metadata.jsonld")
        write_metadata(release, metadata, str(path), made.published.document())
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    tell(KEEPING, "keeping")
    document = {
        **about,
        "release": path.name,
        "document": made.exact.document(),
        "warnings": [dict(warning) for warning in release.warnings],
        "hidden": list(release.hidden_columns()),
    }
    written(place / RUN_FILE, document)
    return document


def _name_of_release(data: str) -> str:
    """Name the file of the release; in the form of the data where a release can have it."""
    form = format_of_file(data)
    return f"release.{form if form in {'tsv', 'parquet'} else 'csv'}"


def of_search(tell: Progress) -> Progress:
    """Return a progress that reports reading, counting, searching and writing as one.

    The search tells its own share from 0 to 1; nobody tells how far the writing is.
    """

    def progress_of_search(share: float, message: str) -> None:
        begun = BEGINNINGS.get(message)
        tell(COUNTED + (FOUND - COUNTED) * share if begun is None else begun, message)

    return progress_of_search
