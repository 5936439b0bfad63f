"""The commands that write, each with what it needs, for ``faults.py``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec

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
ANATOMY = """
[columns.sex]
role = "quasi-identifier"
[columns.postcode]
role = "quasi-identifier"
[columns.height_cm]
role = "quasi-identifier"
[columns.diagnosis]
role = "sensitive"
[[models]]
name = "distinct-l-diversity"
column = "diagnosis"
l = 2
[release]
form = "anatomy"
"""
LINKED = (
    HISTORY.replace("hierarchy = { intervals = [5, 10, 20] }\n", "")
    + """
[release]
form = "anatomy"
"""
)
SETS = """
[columns.id]
role = "identifier"
[columns.codes]
role = "quasi-identifier"
type = "set"
separator = ";"
suppression = "occurrences"
[[models]]
name = "km-anonymity"
column = "codes"
k = 3
m = 2
"""
NUMBERED = '[columns.number]\nrole = "identifier"\n' + POLICY
POLICIES = {"policy": POLICY, "numbered": NUMBERED, "masked": MASKED, "history": HISTORY,
            "anatomy": ANATOMY, "linked": LINKED, "sets": SETS}  # fmt: skip
PATIENTS = (
    "database init patients.csv --person name --epsilon 1000 --delta 1e-9 "
    "--bounds height_cm=140:210 --bounds weight_kg=40:160 --values sex=male,female "
    "--values insurance=public,private,none --declared --types height_cm=number "
    "--types weight_kg=number --types sex=text --types insurance=text --types birth_date=text "
    "--types postcode=text --types occupation=text --types admission_date=text "
    "--types diagnosis=text --steps weight_kg=0.1 --out patients.toml"
)
ANONYMIZE = "anonymize data.csv --policy policy.toml --out out.csv --replace"
KEPT = "--crosswalk cross.csv --owner owner.json"


ASK = "database ask patients.toml 'SELECT COUNT(*) FROM patients' --epsilon 0.01 --fresh"


@dataclass(frozen=True)
class Job:
    """A command that writes, or several joined by ``&&``, and what makes ready for it."""

    name: str
    command: str
    before: tuple[str, ...] = ()
    # What a run may have made is in the history or the declaration: the same is refused again.
    is_remembered: bool = False
    # The next run removes what a killed one left, hidden files and those of --temp included.
    is_cleaned: bool = False


ON_A_SERVER = (
    Job(
        "anonymize a PostgreSQL table",
        f"drop-in-postgresql && anonymize {SERVER}&table=fault_visits --policy policy.toml "
        f"--out {SERVER}&table=fault_released --replace",
        ("load-into-postgresql",),
    ),
) if (SERVER := os.environ.get("INDISTINCT_POSTGRES")) else ()  # fmt: skip
JOBS = (
    Job("anonymize", f"{ANONYMIZE} {KEPT}"),
    Job("anonymize over an old release", f"{ANONYMIZE} {KEPT}", (f"{ANONYMIZE} {KEPT}",)),
    Job(
        "anonymize with masks",
        "anonymize data.csv --policy masked.toml --out out.csv --replace",
        (ANONYMIZE,),
    ),
    Job(
        "anonymize larger than memory",
        "anonymize data.csv --policy policy.toml --engine duckdb --out out.parquet --replace",
    ),
    Job(
        "anonymize with a history",
        "anonymize people.csv --policy history.toml --history h.db --out r2.csv --replace",
        ("anonymize people.csv --policy history.toml --history h.db --out r1.csv --replace",),
        is_remembered=True,
    ),
    Job(
        "anonymize linked tables with a history",
        "anonymize people.csv --policy linked.toml --history h.db --out r2.csv --replace",
        ("anonymize people.csv --policy linked.toml --history h.db --out r1.csv --replace",),
        is_remembered=True,
    ),
    Job(
        "anonymize linked tables",
        "anonymize data.csv --policy anatomy.toml --out out.csv --replace",
    ),
    Job("anonymize sets", "anonymize sets.csv --policy sets.toml --out out.csv --replace"),
    Job(
        "anonymize with a report and metadata",
        f"{ANONYMIZE} --report r.html --metadata m.jsonld",
    ),
    Job(
        "anonymize a folder",
        "anonymize glob:parts/*.csv --policy policy.toml --engine duckdb --out release/ --replace",
        ("split-into-parts",),
    ),
    Job(
        "anonymize a DuckDB table",
        "anonymize duckdb:///data.duckdb?table=visits --policy policy.toml --engine duckdb "
        "--out duckdb:///data.duckdb?table=released --replace",
        ("load-into-duckdb",),
    ),
    Job(
        "anonymize a folder with a crosswalk",
        "make-temporary && anonymize glob:parts/*.csv --policy policy.toml --engine duckdb "
        "--out release/ --replace --crosswalk cross.csv --temp .temporary",
        ("split-into-parts",),
        is_cleaned=True,
    ),
    Job(
        "anonymize a folder over an old release, with a crosswalk",
        "make-temporary && anonymize glob:parts/*.csv --policy policy.toml --engine polars "
        "--out release/ --replace --crosswalk cross.csv --temp .temporary",
        (
            "split-into-parts",
            (
                "anonymize glob:parts/*.csv --policy policy.toml --engine polars --out release/ "
                "--replace --crosswalk cross.csv"
            ),
        ),
        is_cleaned=True,
    ),
    Job(
        "anonymize a DuckDB table with a crosswalk of names",
        "make-temporary && anonymize duckdb:///data.duckdb?table=visits --policy numbered.toml "
        "--engine duckdb --out duckdb:///data.duckdb?table=released --replace --temp .temporary "
        "--crosswalk names.csv --crosswalk-key number --record-column record",
        ("load-into-duckdb-with-numbers",),
        is_cleaned=True,
    ),
    *(
        (
            Job(
                "anonymize to object storage",
                "serve-a-bucket && make-temporary && anonymize glob:parts/*.csv "
                "--policy policy.toml --engine polars --out s3://bucket/release "
                "--rows-per-file 100 --replace --temp .temporary",
                ("split-into-parts",),
                is_cleaned=True,
            ),
        )
        if find_spec("obstore")
        else ()
    ),
    *(
        (
            Job(
                "anonymize with Spark",
                "set-up-spark && make-temporary && anonymize parts.parquet --policy policy.toml "
                "--engine spark --out release/ --replace --temp .temporary",
                ("write-parquet",),
                is_cleaned=True,
            ),
            Job(
                "anonymize on a Spark path",
                "set-up-spark && publish-on-a-spark-path",
                ("write-parquet",),
            ),
        )
        if os.environ.get("INDISTINCT_SPARK")
        else ()
    ),
    Job(
        "history --withdraw",
        "history h.db --withdraw 1",
        ("anonymize people.csv --policy history.toml --history h.db --out r1.csv --replace",),
        is_remembered=True,
    ),
    Job(
        "history --forget",
        "history h.db --forget 1",
        ("anonymize people.csv --policy history.toml --history h.db --out r1.csv --replace",),
        is_remembered=True,
    ),
    Job("inspect --draft", "inspect data.csv --draft draft.toml --replace"),
    Job(
        "sweep",
        "sweep data.csv --policy policy.toml --vary k=2,3 --out s.csv --out s.json --out s.html "
        "--replace",
    ),
    Job(
        "report",
        "report out.csv --policy policy.toml --original data.csv --out r.html --replace",
        (ANONYMIZE,),
    ),
    Job(
        "report --public",
        "report out.csv --policy policy.toml --public --out r.html --replace",
        (ANONYMIZE,),
    ),
    Job("sample", "sample patients --rows 3000 --out out2.csv --replace"),
    Job(
        "graph anonymize over an old release",
        "graph anonymize g.csv --model k-degree --k 3 --out r.csv --replace --crosswalk c.csv",
        ("graph anonymize g.csv --model k-degree --k 3 --out r.csv --replace --crosswalk c.csv",),
    ),
    Job(
        "graph anonymize --model grouping",
        "graph anonymize g.csv --model grouping --k 3 --out r.csv --replace --crosswalk c.csv",
    ),
    Job(
        "graph report",
        "graph report r.csv --original g.csv --out r.html --replace",
        ("graph anonymize g.csv --model k-degree --k 3 --out r.csv --replace",),
    ),
    Job(
        "graph sample",
        "graph sample r.csv --worlds 3 --out worlds --replace",
        ("graph anonymize g.csv --model grouping --k 3 --out r.csv --replace",),
    ),
    Job(
        "synthesize",
        "synthesize patients.toml --epsilon 1 --fresh --out made.csv --replace --model model.json",
        (PATIENTS,),
    ),
    Job(
        "synthesize with forbidden pairs",
        "synthesize patients.toml --epsilon 1 --fresh --out made.csv --replace --model model.json",
        (PATIENTS, "forbid-pairs"),
    ),
    Job("database init", PATIENTS, is_remembered=True),
    Job(
        "database ask",
        " && ".join([f"{ASK} --json"] * 6),
        (PATIENTS,),
    ),
    Job(
        "database token",
        "database token patients.toml alice --epsilon 1",
        (PATIENTS,),
        is_remembered=True,
    ),
    Job(
        "database report",
        "database report patients.toml --out r.html --replace --registry entry.json",
        (PATIENTS, ASK),
    ),
    Job(
        "app: publish",
        "publish-in-the-app",
        (f"{ANONYMIZE} {KEPT} --metadata m.jsonld", "make-a-run-of-the-app"),
    ),
    *ON_A_SERVER,
)
