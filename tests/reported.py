"""A release that everybody can make, and its two pages with what differs by run taken out."""

import platform
import re
from pathlib import Path

import indistinct as ind
from indistinct.frontends.report.write import write_release_report

COLUMNS = {
    "name": {"role": "identifier"},
    "birth_date": {"role": "quasi-identifier", "hierarchy": {"dates": ["year", "decade"]}},
    "sex": {"role": "quasi-identifier"},
    "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
    "occupation": {"role": "quasi-identifier"},
    "height_cm": {"role": "insensitive"},
    "diagnosis": {"role": "sensitive"},
}
CONTEXT = {
    "purpose": "Teaching at a medical school",
    "recipients": "Students of one course",
    "contact": "The data office",
}


def patients_policy() -> ind.Policy:
    return ind.Policy(
        columns=COLUMNS,
        models=[
            {"name": "k-anonymity", "k": 5},
            {"name": "distinct-l-diversity", "column": "diagnosis", "l": 3},
        ],
        method={"algorithm": "local", "max_suppression": 0.02},
        context=CONTEXT,
    )


def write_pages(folder: Path) -> dict[str, Path]:
    """Write the owner's report and the public page of the made-up patients."""
    frame = ind.sample("patients", rows=2000).select(*COLUMNS)
    release = ind.anonymize(frame, patients_policy(), seed=1)
    pages = {"owner": folder / "owner.html", "public": folder / "public.html"}
    write_release_report(release, pages["owner"], name="patients-release.csv")
    write_release_report(release, pages["public"], name="patients-release.csv", public=True)
    return pages


def settled(text: str) -> str:
    """Take out what differs from run to run: hashes, seconds, versions."""
    text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)
    seconds = r"((?:Method: seconds|about)</th><td>)[^<]*"
    version = r"(Version of indistinct</th><td>)[^<]*"
    python = "(Version of Python, for this report</th><td>)" + re.escape(platform.python_version())
    text = re.sub(python, r"\1VERSION", text)
    return re.sub(version, r"\1VERSION", re.sub(seconds, r"\1SECONDS", text))
