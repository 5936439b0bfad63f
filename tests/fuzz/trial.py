"""Try one case: anonymize, write in every format, read back plainly, compare and judge."""

import csv
import json
import linecache
import math
import random
import re
import traceback
import unicodedata
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path

import indistinct as ind
from fuzz.generators import INSENSITIVE, QUASI, SENSITIVE, frame_of, texts_of
from fuzz.plain_models import SIZE_MODELS, VALUE_MODELS
from fuzz.plain_tables import (
    NOTHING,
    STAR,
    meant,
    of_arrow,
    of_frame,
    read_arrow,
    read_parquet,
    read_text,
    single,
)
from indistinct.errors import NoSolutionError, UsageError, VerificationError
from indistinct.tables.core.protocols import Scope
from indistinct.tables.masks import MASKS

WITH_LEVEL = re.compile(r" \(level \d+\)\Z")  # behind a label that is also a value
RANGE = re.compile(r"^\[([^,]+), ([^\])]+)([\])])$")
EXTENSIONS = ("csv", "tsv", "parquet", "arrow")


@dataclass
class Finding:
    """What should not have happened: of which kind, where, and what was seen."""

    kind: str
    place: str
    detail: str = ""

    @property
    def key(self):
        return f"{self.kind} | {self.place}"


@dataclass
class Outcome:
    """What came of a case."""

    refused: str | None = None
    findings: list[Finding] = field(default_factory=list)
    formats: int = 0


def try_case(case: dict, folder: Path) -> Outcome:
    """Run a case in an empty folder; every warning counts as a crash."""
    outcome = Outcome()
    # Kernels draw from the process's own generators only where they are seeded by the case.
    random.seed(case.get("seed", 0))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _try(case, folder, outcome)
    except (UsageError, NoSolutionError) as error:
        outcome.refused = type(error).__name__
        outcome.findings += told(case, str(error), "message", type(error).__name__)
        if not error.faults or not str(error).strip():
            outcome.findings.append(Finding("refused without words", place_of(error)))
    except VerificationError as error:
        said = sorted({without_names(fault.problem, case) for fault in error.faults})
        algorithm = case["policy"].get("method", {}).get("algorithm", "optimal")
        outcome.findings.append(
            Finding("VerificationError", "; ".join(said), f"{algorithm}: {error}")
        )
    except Exception as error:  # noqa: BLE001 - whatever else it is, it is a finding
        outcome.findings.append(Finding(type(error).__name__, place_of(error), str(error)[:300]))
    return outcome


def _try(case: dict, folder: Path, outcome: Outcome) -> None:
    """Anonymize, write, read and judge."""
    for name, text in case.get("files", {}).items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    if case.get("population"):
        frame_of(case["population"]).write_parquet(folder / "population.parquet")
    policy = ind.Policy.from_words(case["policy"], folder)
    data, original = _handed_in(case, folder)
    release = ind.anonymize(data, policy, seed=case.get("seed", 0))
    tables = {}
    for extension in EXTENSIONS:
        path = folder / f"release.{extension}"
        owner, crosswalk = folder / "owner.json", folder / "crosswalk.csv"
        release.write(path, owner=owner, crosswalk=crosswalk)
        outcome.formats += 1
        if extension in {"parquet", "arrow"}:
            tables[extension] = (read_parquet if extension == "parquet" else read_arrow)(path)
    typed = tables["parquet"]
    separator = release._held.separator or ","
    tables["csv"] = read_text(folder / "release.csv", separator, typed.kinds)
    tables["tsv"] = read_text(folder / "release.tsv", "\t", typed.kinds)
    tables["frame"] = of_frame(release.data)
    outcome.formats += 1
    outcome.findings += _judged(case, folder, release, tables, original)
    for extension in ("csv", "parquet"):
        path = folder / f"release.{extension}"
        outcome.findings += _verified(case, "verify of the file", path, policy, original=data)
    # The owner's files are those of the last release.
    proofs = {"original": data, "crosswalk": crosswalk, "owner": owner}
    outcome.findings += _verified(case, "verify with the crosswalk", path, policy, **proofs)


def _verified(case, kind, path, policy, **proofs):
    """Verify a written release; some of what a policy promises is in no file, or not in this."""
    found = ind.verify(path, policy, **proofs)
    counts_people = policy.data.person is not None and "crosswalk" not in proofs
    # The values that a protected column had when it was counted are in no file.
    reads_masked = any(name in policy.protections for m in policy.models for name in m.columns)
    # Nor are the labels that such values suggest, which say what lies around a class.
    looks_around = any(m.scope is Scope.REGION for m in policy.models)
    masked = [name for name in policy.class_names if name in policy.protections]
    has_no_labels = any(policy.columns[name].hierarchy is None for name in masked)
    # Nor does an empty bound say whether the number is missing or hidden.
    is_empty = "crosswalk" not in proofs and any("empty bounds" in note for note in found.notes)
    is_open = counts_people or reads_masked or (looks_around and (has_no_labels or is_empty))
    if not (found.holds or (found.holds is None and is_open)):
        said = "; ".join(sorted({without_names(f.problem, case) for f in found.faults}))
        yield Finding(kind, said or found.verdict, str(found.faults))


def _handed_in(case: dict, folder: Path):
    """Return the data as the case hands it in, and as a plain reader sees them."""
    frame = frame_of(case["columns"])
    source = case.get("source", "polars")
    try:
        if source == "pandas":
            data = frame.to_pandas()
            return data, of_frame(data)
        if source == "pyarrow":
            return frame.to_arrow(), of_arrow(frame.to_arrow())
        if source == "csv":
            path = folder / "input.csv"
            frame.write_csv(path)
            original = read_text(path, ",", {})
            encoding = case["policy"]["data"].get("encoding", "utf-8")
            path.write_bytes(path.read_bytes().decode().encode(encoding))
            return path, original
        if source in {"parquet", "arrow"}:
            path = folder / f"input.{source}"
            (frame.write_parquet if source == "parquet" else frame.write_ipc)(path)
            return path, of_frame(frame)
    except Exception:  # noqa: BLE001 - the other library or encoding does not have this type
        pass
    return frame, of_frame(frame)


def _judged(case, folder, release, tables, original):
    """Compare the formats, and hold each against the policy and the original."""
    words = case["policy"]
    typed = tables["parquet"]
    for name, table in tables.items():
        if name != "parquet":
            yield from _same_rows(typed, table, name)
        yield from broken_models(words, table, original, name)
        yield from hidden_texts(case, table, name)
        yield from two_writings(table, name)
    manifest = (folder / "release.parquet.manifest.json").read_text(encoding="utf-8")
    yield from told(case, without_policy_words(manifest), "manifest", "")
    yield from told(case, repr(release), "representation", "")
    if case["policy"]["data"].get("person"):
        yield from _people(case, typed, release.crosswalk.tolist())
    yield from _cells(case, typed, original, release.crosswalk.tolist())
    if words.get("release", {}).get("form") == "anatomy":
        yield from _linked(words, typed, read_parquet(folder / "release.sensitive.parquet"))


def _same_rows(typed, other, name):
    """Compare two formats cell by cell; the rows stand in the same order in all of them."""
    if list(typed.exact) != list(other.exact):
        yield Finding("formats differ", f"{name}: columns")
        return
    if typed.n_rows != other.n_rows:
        yield Finding("formats differ", f"{name}: rows", f"{typed.n_rows}, {other.n_rows}")
        return
    for column, kind in typed.kinds.items():
        pairs = zip(typed.meaning[column], other.meaning[column], strict=True)
        wrong = [pair for pair in pairs if pair[0] != pair[1]]
        if wrong:
            yield Finding("formats differ", f"{name}: {kind}", repr(wrong[:3]))


def _people(case, table, crosswalk):
    """Count the people of every class by hand; a record without one is somebody of its own."""
    words = case["policy"]
    persons = case["columns"][words["data"]["person"]]["cells"]
    classes = defaultdict(set)
    for row in _shown(table, words):
        own = persons[crosswalk[row]]
        key = tuple(table.exact[column][row] for column in _class_columns(words, table))
        classes[key].add(own if own is not None else crosswalk[row])
    for model in words["models"]:
        k = model.get("k", 1) if model["name"] == "k-anonymity" else 1
        if min(map(len, classes.values()), default=k) < k:
            yield Finding("model broken", "k-anonymity of people", repr(model))


def _shown(table, words):
    """Return the rows that are not masked whole."""
    everything = range(table.n_rows)
    if words.get("release", {}).get("suppressed") != "mask":
        return list(everything)
    cells = list(table.meaning.values())
    return [row for row in everything if any(column[row] != STAR for column in cells)]


def _class_columns(words, table):
    """Return the released columns by which records are told apart."""
    names = []
    for name, column in words["columns"].items():
        if column["role"] != QUASI or not _forms_classes(column):
            continue
        names += [name] if name in table.exact else [f"{name}_min", f"{name}_max"]
    return names


def _forms_classes(column):
    """Return whether a quasi-identifier forms classes, or is protected otherwise."""
    protect = column.get("protect")
    if protect is None:
        return True
    name = protect if isinstance(protect, str) else protect["name"]
    return MASKS[name].in_classes


def broken_models(words, table, original, name):
    """Judge each model by its plain definition, rows told apart by their exact cells."""
    release = words.get("release", {})
    if release.get("form") == "anatomy":
        return
    rows, columns = _shown(table, words), _class_columns(words, table)
    if release.get("suppressed_cell") == "any":
        yield from _compatible(words, table, rows, columns, name)
        return
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(table.exact[column][row] for column in columns)].append(row)
    for model in words["models"]:
        if words.get("data", {}).get("person"):
            continue  # people are counted with the crosswalk
        if model["name"] in SIZE_MODELS:
            holds = SIZE_MODELS[model["name"]](list(groups.values()), model)
        elif model["name"] in VALUE_MODELS:
            holds = _value_model(words, model, groups.values(), table, original)
        else:
            continue
        if not holds:
            yield Finding("model broken", f"{model['name']} in {name}", repr(model))


def _value_model(words, model, groups, table, original):
    """Judge a model of one sensitive column."""
    column = model["column"]
    if "protect" in words["columns"][column] or model.get("others") == "quasi-identifiers":
        return True
    values, whole = _comparable(words, column, table, original)
    if not model.get("missing_counts"):
        gone = {_counted(text) for text in ("", *words.get("data", {}).get("missing", [""]))}
        gone.add(NOTHING)
        values, whole = ([_counted(one) for one in some] for some in (values, whole))
        small = min(map(len, groups), default=model.get("k", 0))
        if model["name"] == "alpha-k-anonymity" and small < model["k"]:
            return False
        groups = [[row for row in group if values[row] not in gone] for group in groups]
        groups = [group for group in groups if group]
        whole = [one for one in whole if one not in gone]
        model = {**model, "k": 1} if "k" in model else model
    rule = words["columns"][column].get("hierarchy", {})
    listed = rule.get("tree", {})
    is_flat = all(isinstance(texts, list) for texts in listed.values())
    tree = {text: group for group, texts in listed.items() for text in texts} if is_flat else {}
    if len(set(tree.values())) < 2 or not set(whole) <= set(tree):
        tree = None
    kind = original.kinds.get(column, "text")
    is_ordered = kind in {"whole", "number", "text", "day"} and len(set(map(type, whole))) == 1
    extra = {}
    if model["name"] in {"t-closeness", "beta-likeness", "delta-disclosure"}:
        extra["table"] = whole
    if model["name"] == "t-closeness":
        extra |= {"tree": tree, "is_ordered": is_ordered}
    classes = [[values[row] for row in group] for group in groups]
    return VALUE_MODELS[model["name"]](classes, model, **extra)


def _counted(value):
    """Write a text as values are counted: without blanks that say nothing, a number in one way."""
    if not isinstance(value, str):
        return value
    text = " ".join(unicodedata.normalize("NFC", value).split())
    if not re.fullmatch(r"[+-]?(?=[.]?[0-9])[0-9]*[.]?[0-9]*([eE][+-]?[0-9]+)?", text):
        return text
    number = Decimal(text)
    return str(number.normalize() + 0) if number.is_finite() else text


def _comparable(words, column, table, original):
    """Return the released and the original values of a column in one form."""
    missing = set(words.get("data", {}).get("missing", [""]))
    released, before = table.meaning[column], original.meaning[column]
    kinds = table.kinds[column], original.kinds.get(column, "text")
    if kinds[0] != kinds[1] and kinds[0] == "text":
        released = [
            meant(value, kinds[1]) if isinstance(value, str) else value for value in released
        ]
    elif kinds[0] != kinds[1]:
        # A word for missing values is none of the numbers among which it stands.
        before = [
            meant(whole_text(value, kinds[0]), kinds[0])
            if isinstance(value, str) and value not in missing
            else value
            for value in before
        ]

    # A column of a text file is one of words where some word that it releases is not a number.
    words_shown = (text for text in released if text not in {NOTHING, STAR, *missing})
    is_loose = (
        set(kinds) == {"text"}
        and original.kinds == {}
        and all(isinstance(loosely(text), float) for text in words_shown)
    )

    def one(value):
        if isinstance(value, str) and value in missing:
            return NOTHING
        return loosely(value) if is_loose else value

    return list(map(one, released)), list(map(one, before))


def whole_text(text, kind):
    """Return a number of the input without its fraction of zeros: 40.0 is released as 40."""
    return re.sub(r"\.0+\Z", "", text) if kind == "whole" else text


def loosely(text):
    """Take a text as a number where it is one: a text file has 5.0 and 5 for the same."""
    try:
        number = float(text)
    except ValueError:
        return text
    return text if math.isnan(number) else number


def _compatible(words, table, rows, columns, name):
    """Count for each record those that equal it wherever both show a value."""
    cells = [[table.meaning[column][row] for column in columns] for row in rows]
    k = next(model["k"] for model in words["models"])
    for own in cells:
        alike = sum(
            all(a == b or STAR in (a, b) for a, b in zip(own, other, strict=True))
            for other in cells
        )
        if alike < k:
            yield Finding("model broken", f"compatible groups in {name}", f"{alike} < {k}")
            return


def hidden_texts(case, table, name):
    """Look in all bytes for texts that the release does not show."""
    shown = {str(cell) for column in table.meaning.values() for cell in column}
    everything = "\n".join([*shown, *table.exact])
    for text in texts_of(case["columns"]):
        if table.is_packed and f"{text[:-1]}*" in everything:
            continue  # behind a masked text, compressed bytes go on with some letter of another
        if text not in everything and text.encode() in table.hidden:
            types = {c["type"] for c in case["columns"].values() if text in c["cells"]}
            yield Finding("hidden text", f"{name}: {', '.join(sorted(types))}", repr(text))
            return


def two_writings(table, name):
    """Look for values that mean the same and that a reader can tell apart all the same."""
    for column, cells in table.exact.items():
        kind = table.kinds.get(column, "text")
        if kind.startswith("moment") and kind.count(" ") > 1:
            continue  # an hour that a clock of the zone shows twice
        pairs = set(zip(cells, table.meaning[column], strict=True))
        # A float that is typed is neither minus zero nor no number, even where it is alone.
        if {"-0.0", "nan"} & set(cells) or len(pairs) > len({meaning for _, meaning in pairs}):
            yield Finding("one value in two writings", f"{name}: {kind}", column)


def without_policy_words(manifest):
    """Leave the words for missing values and the listed labels out, which may read like values."""
    document = json.loads(manifest)
    document["policy"].pop("data", None)
    for column in document["policy"]["columns"].values():
        column.pop("hierarchy", None)
    return json.dumps(document, ensure_ascii=False)


def told(case, said, what, place):
    """Look in a text for values of records."""
    for text in texts_of(case["columns"]):
        if text in said or repr(text)[1:-1] in said or json.dumps(text)[1:-1] in said:
            yield Finding(f"value in a {what}", place, said[:300])
            return


def _cells(case, typed, original, crosswalk):
    """Hold every released cell against the record that it was made from."""
    words = case["policy"]
    shown = [row for row in _shown(typed, words) if row < len(crosswalk)]
    if typed.n_rows != len(crosswalk):
        yield Finding("crosswalk", "is not as long as the release")
        return
    for name, column in words["columns"].items():
        if "protect" in column:
            continue
        if column["role"] in {SENSITIVE, INSENSITIVE} and name in typed.exact:
            released, before = _comparable(words, name, typed, original)
            kind = typed.kinds[name]
            if not all(released[row] == before[crosswalk[row]] for row in shown):
                yield Finding("unprotected column changed", f"{column['role']} {kind}", name)
        elif column["role"] == QUASI and words["release"].get("intervals") != "midpoint":
            yield from _covered(case, name, typed, original, crosswalk, shown)


def _covered(  # noqa: PLR0917 - all that a cell is held against
    case, name, typed, original, crosswalk, shown
):
    """Hold each cell of a quasi-identifier against the value that it stands for."""
    words = case["policy"]
    released, before = typed.meaning, original.meaning[name]
    missing = {NOTHING, *words.get("data", {}).get("missing", [""])}
    if name not in released:
        low, high = released[f"{name}_min"], released[f"{name}_max"]
        for row in shown:
            value = before[crosswalk[row]]
            ends = [low[row], high[row]]
            if original.kinds.get(name) == "single":
                ends = [end if end == NOTHING else single(end) for end in ends]
            if NOTHING not in (*ends, value) and not (
                Decimal(str(ends[0])) <= Decimal(str(value)) <= Decimal(str(ends[1]))
            ):
                yield Finding("cell does not cover its value", "bounds", f"{name} {value!r}")
                return
        return
    labels = _labels(case, name)
    kind = original.kinds.get(name, "text")
    is_loose = original.kinds == {}
    for row in shown:
        cell, value = released[name][row], before[crosswalk[row]]
        if value in missing:  # its label is whatever way of writing it the hierarchy lists
            continue
        if not _covers(cell, value, kind, labels, is_loose=is_loose):
            place = f"{kind}, {' '.join(words['columns'][name].get('hierarchy', ['made']))}"
            yield Finding("cell does not cover its value", place, f"{cell!r} for {value!r}")
            return


def _labels(case, name):
    """Return the labels above each value of a listed hierarchy."""
    rule = case["policy"]["columns"][name].get("hierarchy", {})
    if "tree" in rule:
        return dict(_paths(rule["tree"], frozenset()))
    if "csv" in rule:
        rows = csv.reader(case["files"][rule["csv"]].splitlines(keepends=True), delimiter=";")
        return {row[0]: set(row) for row in rows if row}
    return {}


def _paths(tree, above):
    """Give each value of nested groups with all the groups that it is in."""
    if isinstance(tree, dict):
        for group, below in tree.items():
            yield from _paths(below, above | {group})
    else:
        yield from ((text, above) for text in tree)


def _covers(cell, value, kind, labels, *, is_loose=False):  # noqa: PLR0911 - one case per form of a cell
    """Return whether a cell may stand for a value, by its text."""
    if cell in (STAR, value) or meant(str(cell), kind) == value:
        return True
    if kind == "text" and loosely(str(cell)) == loosely(value):
        return True
    if kind == "text" and _is_same_as_typed(cell, value):
        return True
    if kind.startswith(("moment", "span", "clock", "boolean")) or not isinstance(cell, str):
        return kind != "text" and isinstance(
            cell, str
        )  # written in many ways; verification reads them
    if _is_above(WITH_LEVEL.sub("", cell), value, kind, labels):
        return True
    found = RANGE.match(cell)
    if found is not None:
        try:
            ends = Decimal(found[1]), Decimal(found[2])
            # A float of 32 bits means all decimals near it; the shortest of them is written.
            text = _ways_of_writing(value, kind)[0] if kind == "single" else str(value)
            exact = Decimal(text)
        except InvalidOperation:
            return False
        is_inside = _lies_in(ends, exact, found[3])
        if is_inside or kind != "single":
            return is_inside
        singles = [single(float(number)) for number in (*ends, exact)]
        return _lies_in(singles[:2], singles[2], found[3])
    text = str(value)
    if cell.endswith(STAR):
        # Plain text may be a number to whoever reads the file, and then has no minus zero.
        number = loosely(text) if is_loose else value
        zero = number + 0.0 if isinstance(number, float) else number
        ways = [text, *_ways_of_writing(zero, kind)]
        return any(way.startswith(cell.rstrip(STAR)) for way in ways)
    return _lies_in_period(text, cell)


def _is_same_as_typed(cell, text):
    """Return whether a cell is the truth or the moment of a text, both released as such.

    Beside labels and stars, a moment is a text without a fraction of zeros.
    """
    if isinstance(cell, bool):
        return meant(text, "boolean") == cell
    moment = meant(text, "moment")
    return isinstance(moment, tuple) and moment in (cell, meant(str(cell), "moment"))


def _lies_in_period(text, cell):
    """Return whether an ISO date lies in the period that a cell names."""
    found = re.match(r"^(\d{4})-(\d\d)-\d\d", text)
    if found is None:
        return False
    year, month = int(found[1]), int(found[2])
    if re.match(r"^\d{4}-\d{4}$", cell):
        first, last = map(int, cell.split("-"))
        return last - first in {4, 19} and first % (last - first + 1) == 0 and first <= year <= last
    if re.match(r"^\d{4}-[QH]\d$", cell):
        months = 3 if cell[5] == "Q" else 6
        return year == int(cell[:4]) and (month - 1) // months + 1 == int(cell[6])
    if re.match(r"^\d{3}0s$", cell):
        return year // 10 * 10 == int(cell[:4])
    return bool(re.match(r"^\d{4}(-\d\d)?$", cell)) and text.startswith(cell)


def _lies_in(ends, number, closing):
    """Return whether a number lies in a range, whose upper end may be outside."""
    low, high = ends
    return low <= number and (number <= high if closing == "]" else number < high)


def _is_above(cell, value, kind, labels):
    """Return whether a listed hierarchy has a cell above a value."""
    # A hierarchy lists a number as it is written, a float of 32 bits with its own few digits.
    if any(cell in labels.get(text, ()) for text in (str(value), *_ways_of_writing(value, kind))):
        return True
    # In a text file, 32.430 is the number that a hierarchy lists as 32.43, and so is a decimal.
    number = {"text": loosely, "decimal": lambda one: meant(str(one), kind)}.get(kind)
    return number is not None and any(
        cell in above and number(text) == number(value) for text, above in labels.items()
    )


def _ways_of_writing(value, kind):
    """Return the texts of a value: a float is written in full or with an exponent."""
    if not isinstance(value, float):
        return [str(value)]
    digits = range(1, 10) if kind == "single" else range(1, 18)
    same = (f"{value:.{n}g}" for n in digits)
    short = next(t for t in same if (single(t) if kind == "single" else float(t)) == value)
    shortest = repr(float(short))
    full = format(Decimal(shortest), "f")
    return [shortest, shortest.replace("e-0", "e-").replace("e+0", "e+"), full, f"{full}.0"]


def _linked(words, typed, sensitive):
    """Judge two linked tables: values per group by their counts."""
    names = [name for name in sensitive.exact if name not in {"group", "count"}]
    records = Counter(typed.meaning["group"])
    values = defaultdict(dict)
    meanings = sensitive.meaning[names[0]]
    unknown = {
        value
        for value, meaning in zip(sensitive.exact[names[0]], meanings, strict=True)
        if meaning == NOTHING
    }
    for group, value, count in zip(
        sensitive.meaning["group"],
        sensitive.exact[names[0]],
        sensitive.meaning["count"],
        strict=True,
    ):
        if value in values[group]:
            yield Finding("linked tables", "a value stands twice in a group")
        values[group][value] = count
    if {group: sum(counts.values()) for group, counts in values.items()} != dict(records):
        yield Finding("linked tables", "counts and records differ")
    for model in words["models"]:
        skipped = set() if model.get("missing_counts") else unknown
        for counts in values.values():
            known = {value: count for value, count in counts.items() if value not in skipped}
            groups = [[value for value, count in known.items() for _ in range(count)]] * bool(known)
            if not VALUE_MODELS[model["name"]](groups, model):
                yield Finding("model broken", f"{model['name']} in linked tables")
                return


def place_of(error):
    """Return the deepest line of the product in a traceback: by its text, which outlives edits."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "indistinct/" in frame.filename] or frames
    last = own[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    return f"{Path(last.filename).name}: {last.name}: {line}"


def without_names(text, case):
    """Take column names and numbers out of a text, so that like findings read alike."""
    for name in sorted(case["policy"]["columns"], key=len, reverse=True):
        if len(name) > 2:
            text = text.replace(name, "NAME")
    return re.sub(r"\d+(\.\d+)?", "N", text)
