"""The commands that write, each with what it needs, for ``faults.py``."""

from __future__ import annotations

from dataclasses import dataclass

POLICY = """
[columns.sex]
role = "quasi-identifier"
[columns.postcode]
role = "quasi-identifier"
hierarchy = { mask = 5 }
[columns.height_cm]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.diagnosis]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 3
[method]
max_suppression = 0.1
"""
MASKED = POLICY.replace(
    'role = "quasi-identifier"\nhierarchy = { intervals = [5, 10, 20] }',
    'role = "insensitive"\nprotect = { name = "round", base = 5 }',
)
HISTORY = """
[columns.id]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.ill]
role = "sensitive"
[history]
person = "id"
max_counterfeits = 9.0
[[models]]
name = "m-invariance"
column = "ill"
m = 2
[method]
algorithm = "invariant"
effort = "fast"
"""
PATIENTS = (
    "database init patients.csv --person name --epsilon 1000 --delta 1e-9 "
    "--bounds height_cm=140:210 --bounds weight_kg=40:160 --values sex=male,female "
    "--values insurance=public,private,none --declared --type height_cm=number "
    "--type weight_kg=number --type sex=text --type insurance=text --type birth_date=text "
    "--type postcode=text --type occupation=text --type admission_date=text "
    "--type diagnosis=text --step weight_kg=0.1 --out patients.toml"
)
ANONYMIZE = "anonymize data.csv --policy policy.toml --out out.csv"
KEPT = "--crosswalk cross.csv --owner owner.json"


ASK = "database ask patients.toml 'SELECT COUNT(*) FROM patients' --epsilon 0.01 --fresh"


@dataclass(frozen=True)
class Job:
    """A command that writes, or several joined by ``&&``, and what makes ready for it."""

    name: str
    command: str
    before: tuple[str, ...] = ()


JOBS = (
    Job("anonymize", f"{ANONYMIZE} {KEPT}"),
    Job("anonymize over an old release", f"{ANONYMIZE} {KEPT}", (f"{ANONYMIZE} {KEPT}",)),
    Job(
        "anonymize with masks",
        "anonymize data.csv --policy masked.toml --out out.csv",
        (ANONYMIZE,),
    ),
    Job(
        "anonymize larger than memory",
        "anonymize data.csv --policy policy.toml --engine duckdb --out out.parquet",
    ),
    Job(
        "anonymize with a history",
        "anonymize people.csv --policy history.toml --history h.db --out r2.csv",
        ("anonymize people.csv --policy history.toml --history h.db --out r1.csv",),
    ),
    Job("inspect --draft", "inspect data.csv --draft draft.toml"),
    Job(
        "sweep",
        "sweep data.csv --policy policy.toml --vary k=2,3 --out s.csv --out s.json --out s.html",
    ),
    Job(
        "report",
        "report out.csv --policy policy.toml --original data.csv --out r.html",
        (ANONYMIZE,),
    ),
    Job("sample", "sample patients --rows 3000 --out out2.csv"),
    Job(
        "graph anonymize over an old release",
        "graph anonymize g.csv --model k-degree --k 3 --out r.csv --crosswalk c.csv",
        ("graph anonymize g.csv --model k-degree --k 3 --out r.csv --crosswalk c.csv",),
    ),
    Job(
        "graph sample",
        "graph sample r.csv --worlds 3 --out worlds",
        ("graph anonymize g.csv --model grouping --k 3 --out r.csv",),
    ),
    Job(
        "synthesize",
        "synthesize patients.toml --epsilon 1 --fresh --out made.csv --model model.json",
        (PATIENTS,),
    ),
    Job(
        "database ask",
        " && ".join([f"{ASK} --json"] * 6),
        (PATIENTS,),
    ),
)
