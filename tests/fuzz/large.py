"""Try one random case with engines that do not hold the table, and compare what they release.

Tables, policies and the plain judgement are those of the fuzz of tables in memory. What engines
have of their own is how they read, count, join and write every type of column.
"""

import math
import random
import tempfile
import warnings
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from unittest import mock

import pyarrow as pa
import pyarrow.parquet

import indistinct as ind
from fuzz.generators import INSENSITIVE, SENSITIVE, frame_of, random_case
from fuzz.plain_tables import of_arrow, of_frame, read_parquet, read_text
from fuzz.trial import (
    broken_models,
    hidden_texts,
    place_of,
    told,
    two_writings,
    without_names,
    without_policy_words,
)
from indistinct.errors import NoSolutionError, UsageError, VerificationError
from indistinct.tables.core.protocols import Scope
from indistinct.tables.engines import streamed_files
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts

ENGINES = ("memory", "polars", "duckdb")
# The searches that find the same release whatever the order of the records is.
EXACT = {"optimal", "ola"}
PARTS = 3
WIDE = 10**18


def large_case(seed: int, smaller: int = 0) -> dict:
    """Make up a case whose policy asks for what engines offer, most of the time.

    Parameters
    ----------
    smaller : how often the number of records is halved
    """
    chance = random.Random(f"large {seed}")
    case = random_case(seed)
    policy = case["policy"]
    if chance.random() < 0.7:
        policy["method"]["algorithm"] = chance.choice(sorted(EXACT))
    if chance.random() < 0.9:
        policy["release"]["suppressed"] = "drop"
        policy["release"].pop("form", None)
        policy["release"].pop("suppressed_cell", None)
        policy["method"].pop("time_limit", None)
        policy.pop("noise", None)
    # Polars writes durations to no text file.
    is_written = not any(c["type"].startswith("Duration") for c in case["columns"].values())
    case["source"] = chance.choice(["parquet", "parquet", "csv" if is_written else "parquet"])
    if case["source"] == "csv":
        _list_no_number(case)
    case["parts"] = chance.choice([1, 1, PARTS])
    case["out"] = chance.choice(["csv", "parquet", "parquet", "folder"])
    if policy["release"].get("suppressed") == "mask" and case["out"] == "csv":
        case["out"] = "parquet"  # which says what type a column of stars and numbers has
    policy["data"].pop("encoding", None)
    case["has_crosswalk"] = chance.random() < 0.4
    case["partition"] = chance.choice([None, None, *case["columns"]])
    case["most_rows"] = chance.choice([None, None, None, 3, 8])  # else columns count by labels
    case["is_converted"] = chance.random() < 0.3
    for column in case["columns"].values():
        cells = column["cells"]
        column["cells"] = cells[: max(1, len(cells) >> smaller)]
    return case


def _list_no_number(case: dict) -> None:
    """List ``NaN`` as a missing value if numbers have it: in a text file it is a word otherwise."""
    cells = [cell for column in case["columns"].values() for cell in column["cells"]]
    data = case["policy"]["data"]
    if any(isinstance(cell, float) and math.isnan(cell) for cell in cells):
        data["missing"] = [*data.get("missing", [""]), "NaN"]


@dataclass
class Tried:
    """What came of a case with one engine: the rows, why it refused, what should not be."""

    is_released: bool = False
    rows: Counter | None = None
    refusal: type | None = None
    findings: list[str] = field(default_factory=list)


def try_large(case: dict, folder: Path) -> tuple[bool, list[str]]:
    """Release a case with every engine; tell whether one did, and give what should not be."""
    for name, text in case.get("files", {}).items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    if case.get("population"):
        frame_of(case["population"]).write_parquet(folder / "population.parquet")
    data = _put(case, folder / "input")
    tried = {engine: _tried(case, engine, data, folder) for engine in ENGINES}
    findings = [f"{engine}: {said}" for engine, one in tried.items() for said in one.findings]
    is_released = any(one.is_released for one in tried.values())
    return is_released, findings + _compared(case, tried)


def _tried(case: dict, engine: str, data: Path, folder: Path) -> Tried:
    """Release with one engine in temporary folders of its own, of which none may be left."""
    found = Tried()
    temporary = folder / f"{engine}-temporary"
    temporary.mkdir()
    least = 0 if case["is_converted"] else streamed_files.LEAST_BYTES
    with (
        warnings.catch_warnings(),
        mock.patch.object(streamed_files, "LEAST_BYTES", least),
        mock.patch.object(tempfile, "tempdir", str(temporary)),
    ):
        warnings.simplefilter("error")
        try:
            _try(case, engine, data, folder, found)
        except (UsageError, NoSolutionError) as error:
            found.refusal = type(error)
            leaks = told(case, str(error), "message", type(error).__name__)
            found.findings += [leak.key for leak in leaks]
        except VerificationError as error:
            said = sorted({without_names(fault.problem, case) for fault in error.faults})
            found.findings.append(f"VerificationError: {'; '.join(said)}: {error}")
        except Exception as error:  # noqa: BLE001 - whatever else it is, it is a finding
            said = f"{type(error).__name__}: {place_of(error)}: {error}"
            found.findings.append(said[:600])
    if left := [path.name.partition("-")[0] for path in temporary.iterdir()]:
        found.findings.append(f"left temporary folders behind: {left}")
    return found


def _try(case: dict, engine: str, data: Path, folder: Path, found: Tried) -> None:
    """Release, verify, read plainly and judge."""
    policy = ind.Policy.from_words(case["policy"], folder)
    out = folder / f"{engine}.{case['out']}".removesuffix(".folder")
    out, beside = _released(case, engine, data, out, policy)
    found.is_released = True
    found.findings += _verified(case, engine, data, out, policy, beside)
    if case["partition"] and out.is_dir():
        return  # a column stands in the names of folders alone
    table = _read(out, case)
    found.findings += _judged(case, table, _manifest(out), folder)
    found.rows = _rows(table)


def _put(case: dict, place: Path) -> Path:
    """Write the input: as one file, or as a folder of some."""
    frame, kind = frame_of(case["columns"]), case["source"]
    n_parts = min(case["parts"], frame.height)
    write = {"csv": type(frame).write_csv, "parquet": type(frame).write_parquet}[kind]
    if n_parts < 2:
        place = place.with_suffix(f".{kind}")
        write(frame, place)
        return place
    place.mkdir()
    for number in range(n_parts):
        first, last = (frame.height * end // n_parts for end in (number, number + 1))
        write(frame[first:last], place / f"part-{number}.{kind}")
    return place


def _released(case, engine, data, out, policy):
    """Write a release; give its address, and the words beside it that verification takes."""
    if engine == "memory":
        if case["parts"] > 1 and case["source"] == "parquet":
            data = frame_of(case["columns"])
        out = out.with_suffix(".parquet") if case["out"] == "folder" else out
        ind.anonymize(data, policy, engine=engine).write(out)
        return out, {}
    resources = Resources(engine, 10**9, most_rows=case["most_rows"])
    parted = case["partition"] if case["out"] == "folder" else None
    has_places = case["source"] == "parquet" or engine == "polars"
    crosswalk = out.parent / f"{engine}-crosswalk.parquet"
    beside = {"crosswalk": str(crosswalk)} if case["has_crosswalk"] and has_places else {}
    sink = sink_for(str(out), rows_per_file=case["parts"] * 5, partition_by=parted)
    anonymize_in_parts(str(data), policy, sink, resources=resources, **beside)
    return out, beside


def _manifest(out: Path) -> str:
    """Read what a release says of itself."""
    path = out / "_manifest.json" if out.is_dir() else Path(f"{out}.manifest.json")
    return path.read_text(encoding="utf-8")


def _read(out: Path, case):
    """Read a release as others do."""
    if out.suffix == ".csv":
        kinds = of_frame(frame_of(case["columns"])).kinds
        words = case["policy"]["columns"]
        shared = {SENSITIVE, INSENSITIVE}
        kept = [name for name in kinds if words[name]["role"] in shared]
        # A text file does not tell the type of a column: those that stay as they are keep theirs.
        return read_text(out, ",", {n: kinds[n] for n in kept if "protect" not in words[n]})
    if not out.is_dir():
        return read_parquet(out)
    parts = [
        pyarrow.parquet.read_table(part, partitioning=None)
        for part in sorted(out.rglob("*.parquet"))
    ]
    found = of_arrow(pa.concat_tables(parts))
    found.hidden = b"".join(part.read_bytes() for part in out.rglob("*.parquet"))
    found.is_packed = True
    return found


def _judged(case, table, manifest, folder):
    """Hold a release against its models, and look for what it must not say."""
    frame = frame_of(case["columns"])
    original = of_frame(frame)
    if case["source"] == "csv":
        frame.write_csv(folder / "whole.csv")
        original = read_text(folder / "whole.csv", ",", {})
    for found in broken_models(case["policy"], table, original, case["out"]):
        yield found.key
    name = case["out"]
    for found in (
        *hidden_texts(case, table, name),
        *two_writings(table, name),
        *told(case, without_policy_words(manifest), "manifest", ""),
    ):
        yield found.key


def _verified(case, engine, data, out, policy, beside):  # noqa: PLR0917 - all that is at hand
    """Verify what was written, with the input and the crosswalk."""
    masked = [name for name in policy.class_names if name in policy.protections]
    is_open = (
        policy.data.person is not None
        or any(name in policy.protections for m in policy.models for name in m.columns)
        or (any(m.scope is Scope.REGION for m in policy.models) and bool(masked))
    )
    for reader in ("memory", *({engine} - {"memory"})):
        if reader == "memory" and (out.is_dir() or case["parts"] > 1):
            continue
        more = beside if reader == engine else {}
        found = ind.verify(out, policy, original=data, engine=reader, **more)
        is_empty = any("empty bounds" in note for note in found.notes)
        if not (found.holds or (found.holds is None and (is_open or is_empty))):
            said = sorted({without_names(f.problem, case) for f in found.faults})
            yield f"verified by {reader}: {'; '.join(said) or found.verdict}"


def _rows(table) -> Counter:
    """Return the cells of all rows, whatever their order."""
    return Counter(zip(*table.meaning.values(), strict=True))


def _compared(case: dict, tried: dict[str, Tried]) -> list[str]:
    """Compare the engines with one another, where the search finds one release alone."""
    rows = {engine: one.rows for engine, one in tried.items() if one.rows is not None}
    policy = case["policy"]
    is_masked = any("protect" in words for words in policy["columns"].values())
    is_random = is_masked or policy["method"].get("replay") == "resistant"
    # DuckDB has decimals for whole numbers of 19 digits, which get no ranges of their own.
    is_wide = case["source"] == "csv" and any(
        isinstance(cell, int) and abs(cell) >= WIDE
        for column in case["columns"].values()
        for cell in column["cells"]
    )
    is_coarse = case["most_rows"] is not None
    method = policy["method"]  # a search that runs out of time may end anywhere
    is_exact = method["algorithm"] in EXACT and "time_limit" not in method
    if not is_exact or is_random or is_wide or is_coarse:
        return []
    if rows and any(one.refusal is NoSolutionError for one in tried.values()):
        return [f"{sorted(rows)} release what others find no solution for"]
    return [
        f"{one} and {other} release other rows"
        for one, other in pairwise(rows)
        if rows[one] != rows[other]
    ]
