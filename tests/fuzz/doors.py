"""Random work at the other doors: graphs, questions, sets, histories, syntheses, folders, engines.

Start it with ``make fuzz-doors MINUTES=30 [SEED=s]``. Each case runs commands as an owner would.
They succeed or refuse in words; what they wrote is verified by the program's own second reading,
with the original at hand; and what can be said plainly is compared here.
"""

import argparse
import contextlib
import csv
import io
import json
import os
import random
import secrets
import shutil
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Self

import polars as pl

from fuzz.large import large_case, try_large
from fuzz.related_folders import FEW, fewest_alike, write_folder, write_policy
from fuzz.untidy import columns_in_question, false_cells, uncounted_cells, untidy_file
from indistinct.frontends.cli.main import status

REFUSED = {2, 3}
QUASI = ("age", "sex", "place")


class FoundError(Exception):
    """What should not have happened, as a kind that does not name the case."""


def run(*words: object) -> tuple[int, str]:
    """Run a command; give its exit code and what it said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = status([str(word) for word in words], show_values=False)
    return code, said.getvalue()


def wanted(*words: object) -> bool:
    """Run a command that may refuse; tell whether it went through."""
    code, said = run(*words)
    if code in REFUSED:
        return False
    if code:
        raise FoundError(f"{words[0]} {words[1]}: exit code {code}: {said[-300:]}")
    return True


def holds(*words: object) -> None:
    """Run a verification that must hold."""
    code, said = run(*words)
    if code:
        raise FoundError(f"{' '.join(map(str, words[:2]))} does not hold ({code}): {said[-300:]}")


def people(chance: random.Random, n: int) -> pl.DataFrame:
    """Draw a table of people."""
    return pl.DataFrame(
        {
            "id": [f"p{number}" for number in range(n)],
            "age": [chance.randint(18, 18 + chance.choice([3, 20, 70])) for _ in range(n)],
            "sex": [chance.choice(["f", "m", ""]) for _ in range(n)],
            "place": [f"{chance.randint(0, chance.choice([3, 99])):03}" for _ in range(n)],
            "ill": [chance.choice("abcdefg") for _ in range(n)],
        }
    )


def policy(chance: random.Random, algorithm: str, *, more: str = "") -> str:
    """Draw a policy of these people."""
    k, diverse = chance.choice([2, 3, 7]), chance.choice([0, 2, 3])
    words = [
        '[columns.id]\nrole = "identifier"',
        '[columns.age]\nrole = "quasi-identifier"\nhierarchy = { intervals = [5, 10, 20] }',
        '[columns.sex]\nrole = "quasi-identifier"',
        '[columns.place]\nrole = "quasi-identifier"\nhierarchy = { mask = 3 }',
        '[columns.ill]\nrole = "sensitive"',
        f'[[models]]\nname = "k-anonymity"\nk = {k}',
    ]
    if diverse:
        words.append(f'[[models]]\nname = "distinct-l-diversity"\ncolumn = "ill"\nl = {diverse}')
    words.append(
        f'[method]\nalgorithm = "{algorithm}"\nmax_suppression = {chance.choice([0, 0.1, 0.5])}'
    )
    return "\n".join([*words, more]) + "\n"


def tables(chance: random.Random) -> bool:
    """Search resistantly or not; what is released verifies with its input."""
    algorithm = chance.choice(["optimal", "ola", "mondrian", "local", "lattice-peel", "k-member"])
    more = f'replay = "{chance.choice(["allowed", "resistant"])}"'
    people(chance, chance.randint(5, 200)).write_csv("d.csv")
    Path("p.toml").write_text(policy(chance, algorithm, more=more))
    if not wanted("anonymize", "d.csv", "--policy", "p.toml", "--out", "r.csv"):
        return False
    holds("verify", "r.csv", "--policy", "p.toml", "--original", "d.csv")
    return True


def engines(chance: random.Random) -> bool:
    """Two engines release the same rows where the search is the same, or both refuse."""
    people(chance, chance.randint(5, 300)).write_csv("d.csv")
    Path("p.toml").write_text(policy(chance, "optimal"))
    found = {
        engine: wanted(
            "anonymize", "d.csv", "--policy", "p.toml", "--engine", engine, "--out", f"{engine}.csv"
        )
        for engine in ("polars", "duckdb")
    }
    if len(set(found.values())) > 1:
        raise FoundError("one engine refuses what the other releases")
    if not found["polars"]:
        return False
    rows = [Counter(pl.read_csv(f"{engine}.csv", infer_schema=False).rows()) for engine in found]
    if rows[0] != rows[1]:
        raise FoundError("two engines release other rows")
    for engine in found:
        holds("verify", f"{engine}.csv", "--policy", "p.toml", "--original", "d.csv")
    return True


def types(chance: random.Random) -> bool:
    """Columns of every type, in files that engines read; all engines release what they should."""
    case = large_case(chance.getrandbits(40), getattr(chance, "smaller", 0))
    went, findings = try_large(case, Path.cwd())
    if findings:
        raise FoundError("; ".join(findings))
    return went


def sets(chance: random.Random) -> bool:
    """Whoever knows m items finds k records or none, by a plain count of the written file."""
    items = [f"i{number}" for number in range(chance.randint(2, 12))]
    n, k, m = chance.randint(5, 80), chance.choice([2, 4]), chance.choice([1, 2])
    cells = [
        ";".join(chance.sample(items, chance.randint(0, min(5, len(items))))) for _ in range(n)
    ]
    pl.DataFrame({"sex": [chance.choice("fm") for _ in range(n)], "had": cells}).write_csv("d.csv")
    suppression = chance.choice(["none", "items", "occurrences"])
    Path("p.toml").write_text(
        '[columns.sex]\nrole = "insensitive"\n[columns.had]\nrole = "quasi-identifier"\n'
        f'type = "set"\nseparator = ";"\nsuppression = "{suppression}"\n'
        f'[[models]]\nname = "km-anonymity"\ncolumn = "had"\nk = {k}\nm = {m}\n'
        f"[method]\nmax_suppression = {chance.choice([0.1, 1.0])}\n"
    )
    if not wanted("anonymize", "d.csv", "--policy", "p.toml", "--out", "r.csv"):
        return False
    holds("verify", "r.csv", "--policy", "p.toml", "--original", "d.csv")
    records = [set((cell or "").split(";")) - {""} for cell in pl.read_csv("r.csv")["had"]]
    support = Counter(item for record in records for item in record)
    if m == 2:
        support.update(
            pair for record in records for pair in {(a, b) for a in record for b in record if a < b}
        )
    if any(count < k for count in support.values()):
        raise FoundError("some known items are in fewer than k records")
    return True


def histories(chance: random.Random) -> bool:
    """Three versions follow one another; each release verifies beside those before it."""
    table, done = people(chance, chance.randint(20, 80)), 0
    Path("p.toml").write_text(
        '[columns.id]\nrole = "identifier"\n'
        '[columns.age]\nrole = "quasi-identifier"\nhierarchy = { intervals = [5, 10, 20] }\n'
        '[columns.sex]\nrole = "insensitive"\n[columns.place]\nrole = "insensitive"\n'
        '[columns.ill]\nrole = "sensitive"\n'
        '[history]\nperson = "id"\nmax_counterfeits = 9.0\n'
        '[[models]]\nname = "m-invariance"\ncolumn = "ill"\nm = 2\n'
        '[method]\nalgorithm = "invariant"\neffort = "fast"\n'
    )
    for turn in range(3):
        kept = table.sample(fraction=chance.choice([0.5, 0.8, 1.0]), seed=chance.randrange(10**6))
        new = people(chance, chance.randint(1, 20))
        new = new.with_columns(id=pl.col("id") + f"-{turn}")
        table = pl.concat([kept, new])
        table.write_csv(f"d{turn}.csv")
        words = ("--policy", "p.toml", "--history", "h.db")
        if not wanted("anonymize", f"d{turn}.csv", *words, "--out", f"r{turn}.csv"):
            continue
        done += 1
        holds("verify", f"r{turn}.csv", *words, "--original", f"d{turn}.csv")
    return done > 0


def graphs(chance: random.Random) -> bool:
    """A released graph verifies with its original and crosswalk."""
    n = chance.randint(4, 60)
    edges = {tuple(sorted(chance.sample(range(n), 2))) for _ in range(chance.randint(1, 3 * n))}
    lines = "\n".join(f"v{a},v{b}" for a, b in sorted(edges))
    Path("g.csv").write_text(f"source,target\n{lines}\n")
    model = chance.choice(["k-degree", "k-neighborhood", "grouping", "random-perturbation"])
    words = (
        ["--p", chance.choice(["0.1", "0.5"])]
        if model == "random-perturbation"
        else ["--k", chance.choice([2, 3, 5])]
    )
    given = ("g.csv", "--model", model, *words, "--out", "r.csv", "--crosswalk", "c.csv")
    if not wanted("graph", "anonymize", *given):
        return False
    holds("graph", "verify", "r.csv", "--original", "g.csv", "--crosswalk", "c.csv")
    return True


def declared(chance: random.Random) -> bool:
    """Declare a small database."""
    people(chance, chance.randint(30, 200)).write_csv("d.csv")
    words = (
        "d.csv", "--person", "id", "--epsilon", "50", "--delta", "1e-9", "--declared",
        "--bounds", "age=0:110", "--values", "sex=f,m", "--values", "ill=a,b,c,d,e,f,g",
        "--types", "age=number", "--types", "sex=text", "--types", "place=text",
        "--types", "ill=text", "--out", "d.toml",
    )  # fmt: skip
    return wanted("database", "init", *words)


def questions(chance: random.Random) -> bool:
    """A question is answered or refused in words, and the ledger never gives more than it has."""
    if not declared(chance):
        return False
    answered = 0
    for _ in range(4):
        what = chance.choice(
            ["COUNT(*)", "COUNT(DISTINCT id)", "SUM(age)", "AVG(age)", "MEDIAN(age)", "MIN(age)",
             "COUNT(*), AVG(age)", "SUM(age * 2)", "age"]
        )  # fmt: skip
        where = chance.choice(
            ["", "WHERE age > 30", "WHERE sex = 'f'", "WHERE ill IN ('a', 'b') AND age <= 50",
             "WHERE NOT sex = 'm' OR age BETWEEN 20 AND 30", "WHERE age", "WHERE place LIKE '1%'"]
        )  # fmt: skip
        groups = chance.choice(["", "", "GROUP BY sex", "GROUP BY ill", "GROUP BY age"])
        asked = f"SELECT {what} FROM d {where} {groups}"
        cost = chance.choice(["0.1", "1", "20", "1e-9", "-1", "inf"])
        answered += wanted("database", "ask", "d.toml", asked, "--epsilon", cost, "--json")
    code, said = run("database", "ledger", "d.toml", "--json")
    if code or "-0." in said:
        raise FoundError(f"the ledger cannot be read, or is overdrawn ({code})")
    return answered > 0


def syntheses(chance: random.Random) -> bool:
    """A made-up table verifies against its declaration and its model."""
    if not declared(chance):
        return False
    words = ("d.toml", "--epsilon", chance.choice(["0.5", "3", "60"]), "--out", "m.csv")
    if not wanted("synthesize", *words, "--model", "m.json"):
        return False
    holds("verify", "m.csv", "--declaration", "d.toml", "--model", "m.json")
    manifest = json.loads(Path("m.csv.manifest.json").read_text())
    if manifest["rows"] != pl.read_csv("m.csv", infer_schema=False).height:
        raise FoundError("the manifest counts other rows")
    return True


def related(chance: random.Random) -> bool:
    """A folder of tables verifies, alone and with its input; k of few units have each pattern."""
    tables = write_folder(chance)
    words = write_policy(chance, tables)
    out = ("--out", "out", "--crosswalk", "crosswalk")
    if not wanted("anonymize", "in", "--policy", "p.toml", *out):
        return False
    holds("verify", "out", "--policy", "p.toml")
    holds("verify", "out", "--policy", "p.toml", "--original", "in", "--crosswalk", "crosswalk")
    promise = words["models"][0]
    if tables["patients"].height <= FEW and promise["m"] in {1, 2}:
        least = fewest_alike(tables, words, Path("out"))
        if least < promise["k"]:
            raise FoundError("a pattern is had by fewer than k units, by hand")
    return True


def untidy(chance: random.Random) -> bool:
    """Draft a policy of an untidy file; what is released by it is true of what was written."""
    file = untidy_file(chance, Path(), chance.randint(60, 240))
    draft = ["inspect", file.path, "--draft", "p.toml", "--yes-to-suggestions", "--json"]
    code, said = run(*draft)
    if code == 2 and "(file)=" in said:
        code, said = run(*draft, "--settle", f"(file)={file.encoding}")
    if code:
        raise FoundError(f"no draft ({code}) of {file.settings}: {said[-400:]}")
    inspected = json.loads(said[said.index("{\n") :])
    if wrong := uncounted_cells(file, inspected):
        raise FoundError(f"{wrong} in {file.settings}")
    code, said = run(
        "anonymize", file.path, *["--policy", "p.toml", "--out", "r.csv", "--crosswalk", "c.csv"]
    )
    if code:
        raise FoundError(f"no release ({code}) of {file.settings}: {said[-400:]}")
    holds("verify", "r.csv", "--policy", "p.toml", "--original", file.path, "--crosswalk", "c.csv")
    holds("report", "r.csv", "--policy", "p.toml", "--original", file.path, "--out", "r.html")
    header, *released = csv.reader(
        io.StringIO(Path("r.csv").read_text("utf-8")), delimiter=file.separator
    )
    rows = pl.read_csv("c.csv").filter(pl.col("output_row") >= 0).sort("output_row")
    behind = rows["input_row"].to_list()
    if wrong := false_cells(file, header, released, behind, columns_in_question(inspected)):
        raise FoundError(f"{len(wrong)} false cells of {file.settings}: {wrong[:4]}")
    return True


DOORS: dict[str, Callable[[random.Random], bool]] = {
    door.__name__: door
    for door in (
        tables,
        engines,
        types,
        sets,
        histories,
        graphs,
        questions,
        syntheses,
        related,
        untidy,
    )
}


class Chance(random.Random):
    """Draws a case; with ``smaller`` above 0, the same kind of case with fewer people and items.

    Parameters
    ----------
    smaller : how often the room between the bounds of a number is halved
    """

    def __new__(cls, seed: str, smaller: int = 0) -> Self:
        del smaller
        return super().__new__(cls, seed)

    def __init__(self, seed: str, smaller: int = 0) -> None:
        super().__init__(seed)
        self.smaller = smaller

    def randint(self, a: int, b: int) -> int:
        """Draw a whole number between two."""
        return super().randint(a, a + ((b - a) >> self.smaller))


def try_case(door: str, seed: int, smaller: int = 0) -> tuple[bool, str | None]:
    """Try one case in a folder of its own; tell whether it went through, and what was found."""
    here, folder = Path.cwd(), tempfile.mkdtemp(prefix="fuzz-doors-")
    try:
        os.chdir(folder)
        return DOORS[door](Chance(f"{door} {seed}", smaller)), None
    except FoundError as error:
        return False, str(error)
    except Exception:  # noqa: BLE001 - a crash is what is looked for
        return False, traceback.format_exc(limit=-2)
    finally:
        os.chdir(here)
        shutil.rmtree(folder, ignore_errors=True)


def smallest(door: str, seed: int, finding: str) -> tuple[int, str]:
    """Return how much smaller a case can be that still fails, and what is then found."""
    for smaller in range(6, 0, -1):
        found = try_case(door, seed, smaller)[1]
        if found is not None:
            return smaller, found
    return 0, finding


def kept(folder: Path, door: str, seed: int, finding: str) -> str:
    """Keep a failing case, as small as it still fails; say how to try it again."""
    smaller, found = smallest(door, seed, finding)
    folder.mkdir(exist_ok=True)
    case = {"door": door, "seed": seed, "smaller": smaller, "found": found}
    place = folder / f"{door}-{seed}.json"
    place.write_text(json.dumps(case, indent=1), "utf-8")
    return f"FOUND {door} {seed}, kept in {place}: {found}"


def tried_again(place: Path) -> str | None:
    """Try a kept case; give what is found now."""
    case = json.loads(place.read_text("utf-8"))
    return try_case(case["door"], case["seed"], case["smaller"])[1]


def main() -> int:
    """Parse, run, print; 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--doors", default=",".join(DOORS))
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--case", type=Path, help="try again what was kept in a file")
    given = parser.parse_args()
    if given.case is not None:
        found = tried_again(given.case)
        print(found or "nothing was found")
        return int(found is not None)
    seed = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    ends = time.monotonic() + 60 * given.minutes
    tried: Counter = Counter()
    passed: Counter = Counter()
    found: Counter = Counter()
    number = 0
    while time.monotonic() < ends:
        for door in given.doors.split(","):
            went, finding = try_case(door, seed * 1_000_000 + number)
            tried[door] += 1
            passed[door] += went
            if finding is not None:
                found[door] += 1
                case = seed * 1_000_000 + number
                print(kept(given.keep, door, case, finding), flush=True)
        number += 1
    for door, count in tried.items():
        print(f"{door}: {count} cases, {passed[door]} went through, {found[door]} findings")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
