"""(k,epsilon)-anonymity measured: the figures of docs/k-epsilon.md.

The experiment of Holohan et al. 2017 on Adult with a made-up height, and on two made-up voter
rolls: what a further column costs as a k-quasi, and what it costs with noise by class instead.

    python benchmarks/k_epsilon.py            # print the tables
    python benchmarks/k_epsilon.py --write    # and write docs/k-epsilon.md and docs/images
    python benchmarks/k_epsilon.py --million  # only what noise adds to a million records
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import indistinct as ind
from indistinct.base.arrays import Floats
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.protocols import Deadline, Solution, no_progress
from indistinct.tables.counting.preparation import Prepared, prepare
from indistinct.tables.frames.tuples import classes_of_rows
from indistinct.tables.masks.noise.class_scales import class_scales
from indistinct.tables.masks.noise.confident import confident_suppression, reach_on_grid
from indistinct.tables.masks.noise.linking import linked
from indistinct.tables.masks.noise.members import Members
from indistinct.tables.masks.noise.noise_error import expected_error
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.anonymization import draft_release
from indistinct.tables.release.noise_figures import NoisyRecords, records_of
from indistinct.tables.search.finish import solve
from indistinct.tables.search.lattice.optimal_search import Ola
from k_epsilon_cases import QUASI, WIDTHS, Case, cases
from noise_baselines import told_apart, uniform_half_width

ROOT = Path(__file__).resolve().parents[1]
KS = (2, 5, 10, 20, 50, 100)
EPSILONS = (0.5, 1, 2, 4, 8, 16)
RUNS = {True: 30, False: 10}  # on Adult, on the voter rolls
CONFIDENCE = 0.99
PAIRS = 200_000
# On the authors' own heights: error times epsilon, linking risk and suppression by epsilon, in %.
REFERENCE = {
    2: (20.3, (4.6, 5.4, 6.8, 9.1, 12.4, 17.1), (0.05, 0.09, 0.20, 0.86, 2.2, 3.8)),
    5: (21.8, (2.0, 2.3, 3.1, 4.4, 6.6, 10.1), (0.09, 0.15, 0.31, 0.74, 1.9, 3.8)),
    10: (22.2, (1.4, 1.7, 2.2, 3.3, 5.2, 8.2), (0.11, 0.21, 0.31, 0.72, 2.0, 5.4)),
    20: (23.1, (0.77, 0.94, 1.2, 1.8, 2.9, 4.8), (0.11, 0.20, 0.34, 0.53, 1.3, 3.5)),
    50: (24.3, (0.41, 0.49, 0.66, 0.97, 1.6, 2.7), (0.13, 0.23, 0.41, 0.64, 1.1, 4.1)),
    100: (24.5, (0.37, 0.44, 0.61, 0.87, 1.4, 2.4), (0.17, 0.30, 0.55, 1.1, 2.8, 8.6)),
}
CLAIMS = (
    "a further k-quasi ruins the others: at k = 20 their loss doubles",
    "errors are below 5 % for every k at epsilon 8 and 16",
    "errors fall as epsilon grows",
    "the linking risk is below 5 %",
    "99 % confidence suppresses less than 2 % where epsilon is small",
    "the search is at least 14 times faster without the column",
)


@dataclass(frozen=True)
class Search:
    """One search: node, loss of the k-quasis without the further column, checks, CPU seconds."""

    node: tuple[int, ...]
    loss: float
    suppressed: float
    checks: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Noise:
    """What noise at one epsilon costs and leaves open, shares of the released records."""

    error: float
    error_of_input: float
    global_error: float
    told_apart: float
    linked: float
    suppressed: float
    seconds: float


@dataclass(frozen=True)
class Row:
    """One k: the column under noise, the column as a k-quasi, and the noise per epsilon."""

    k: int
    without: Search
    within: Search
    noise: tuple[Noise, ...]


def policy(case: Case, k: int, *, as_noise: bool) -> ind.Policy:
    further = {"protect": "noise"} if as_noise else {"hierarchy": {"intervals": list(WIDTHS)}}
    return ind.Policy(
        columns={**case.columns, case.noisy: QUASI | further},
        models=[ind.KAnonymity(k)],
        method={
            "algorithm": "ola",
            "objective": "discernibility-monotone",
            "max_suppression": 0.05,
        },
    )


def search(case: Case, asked: ind.Policy, times: int) -> tuple[Prepared, Solution, Search]:
    prepared = prepare(case.frame, resolve(asked))
    seconds = np.inf
    for _ in range(times):
        start = time.process_time()
        solution = solve(Ola(), prepared.problem, Deadline(), no_progress)
        seconds = min(seconds, time.process_time() - start)
    node = solution.recoding.transformation or ()
    heights = [hierarchy.height for hierarchy in prepared.problem.hierarchies]
    levels = [level / height for level, height in zip(node, heights, strict=True)]
    found = Search(
        node,
        float(np.mean(levels[: len(case.columns)])),
        solution.recoding.n_suppressed / case.frame.height,
        solution.facts["checked_nodes"],
        solution.facts["lattice_nodes"],
        float(seconds),
    )
    return prepared, solution, found


def measure(case: Case, runs: int) -> list[Row]:
    rows = []
    for k in KS:
        asked = policy(case, k, as_noise=True)
        prepared, solution, without = search(case, asked, 3)
        _, _, within = search(case, policy(case, k, as_noise=False), 3)
        classes = classes_of_rows(solution.recoding, prepared.tuple_of_row)
        released = np.flatnonzero(solution.recoding.released[classes])
        records = records_of(
            prepared.frame[released], Members.of(classes[released]), asked.noises, asked.noise
        )
        noise = tuple(
            measure_noise(records, k, epsilon, case.frame.height, runs) for epsilon in EPSILONS
        )
        rows.append(Row(k, without, within, noise))
        print(f"{case.title}: k = {k} done", file=sys.stderr, flush=True)
    return rows


def measure_noise(records: NoisyRecords, k: int, epsilon: float, n: int, runs: int) -> Noise:
    values, members = records.values, records.members
    together = Members.together(len(values))
    scales = class_scales(values, members, epsilon)
    found = replace(records, members=members, scales=scales)
    error = expected_error(values[:, 0], scales.scales[:, 0], members, n)
    wide = class_scales(values, together, epsilon).scales
    links, gone, seconds = [], [], np.inf
    for run in range(runs):
        start = time.process_time()
        noisy = found.with_noise(RandomSource(1000 * k + run).apart(f"{epsilon}"))
        reach = reach_on_grid(scales.scales, CONFIDENCE)
        gone.append(confident_suppression(noisy, values, members, reach, k).total / len(values))
        seconds = min(seconds, time.process_time() - start)
        links.append(linked(noisy, values, members).mean())
    return Noise(
        error.released,
        error.original,
        expected_error(values[:, 0], wide[:, 0], together, n).released,
        uniform_tells(values[:, 0], scales.scales[:, 0], members),
        float(np.mean(links)),
        float(np.mean(gone)),
        float(seconds),
    )


def uniform_tells(values: Floats, scales: Floats, members: Members) -> float:
    """Return the chance that uniform noise of equal error tells two records of a class apart."""
    chance = np.random.default_rng(1)
    first = chance.integers(0, len(values), PAIRS)
    label = members.labels[first]
    place = members.starts[label] + (chance.random(PAIRS) * members.sizes[label]).astype(int)
    second = members.order[place]
    widths = uniform_half_width(scales)[label]
    away = np.abs(values[first] - values[second])
    return float(
        np.mean([told_apart(d, a) if a else 0.0 for d, a in zip(away, widths, strict=True)])
    )


def loss_table(rows: Sequence[Row]) -> str:
    lines = [
        (
            "| k | node | loss | suppressed | node with the column | loss of the same columns "
            "| suppressed |"
        ),
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.k} | {row.without.node} | {row.without.loss:.4g} | {row.without.suppressed:.2%} "
        f"| {row.within.node} | {row.within.loss:.4g} | {row.within.suppressed:.2%} |"
        for row in rows
    ]
    return "\n".join(lines)


def time_table(rows: Sequence[Row]) -> str:
    lines = [
        (
            "| k | node checks, noise | node checks, k-quasi | times as many "
            "| search, noise | search, k-quasi | times as long | noise and confident suppression |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        one, two = row.without, row.within
        lines.append(
            f"| {row.k} | {one.checks} of {one.nodes} | {two.checks} of {two.nodes} "
            f"| {two.checks / one.checks:.0f} | {one.seconds * 1000:.1f} ms "
            f"| {two.seconds * 1000:.0f} ms | {two.seconds / one.seconds:.0f} "
            f"| {max(noise.seconds for noise in row.noise) * 1000:.0f} ms |"
        )
    return "\n".join(lines)


def epsilon_table(rows: Sequence[Row], figure: Callable[[Noise], float], first: str) -> str:
    head = " | ".join(f"epsilon {epsilon:g}" for epsilon in EPSILONS)
    lines = [f"| {first} | {head} |", "|---" * (len(EPSILONS) + 1) + "|"]
    lines += [
        f"| {row.k} | " + " | ".join(f"{figure(noise):.2%}" for noise in row.noise) + " |"
        for row in rows
    ]
    return "\n".join(lines)


def reference_table(rows: Sequence[Row]) -> str:
    """Compare with the figures on the authors' heights."""
    lines = [
        (
            "| k | error x epsilon: there, here | linking risk: greatest difference "
            "| suppression: there | here |"
        ),
        "|---|---|---|---|---|",
    ]
    for row in rows:
        error, links, gone = REFERENCE[row.k]
        here = row.noise[0].error * EPSILONS[0] * 100
        off = max(
            abs(noise.linked * 100 / there - 1)
            for noise, there in zip(row.noise, links, strict=True)
        )
        there = " / ".join(f"{share:g}" for share in gone)
        found = " / ".join(f"{noise.suppressed * 100:.2g}" for noise in row.noise)
        lines.append(
            f"| {row.k} | {error} %, {here:.1f} % ({here / error - 1:+.1%}) | {off:.1%} "
            f"| {there} % | {found} % |"
        )
    return "\n".join(lines)


def baseline_table(row: Row) -> str:
    lines = [
        (
            "| epsilon | error, noise by class | error, global noise "
            "| uniform noise of equal error tells two records of a class apart |"
        ),
        "|---|---|---|---|",
    ]
    lines += [
        f"| {epsilon:g} | {noise.error:.2%} | {noise.global_error:.2%} | {noise.told_apart:.1%} |"
        for epsilon, noise in zip(EPSILONS, row.noise, strict=True)
    ]
    return "\n".join(lines)


def claims(rows: Sequence[Row]) -> str:
    """Set the paper's claims beside our numbers."""
    everything = [(row.k, noise) for row in rows for noise in row.noise]
    at = dict(zip(EPSILONS, zip(*(row.noise for row in rows), strict=True), strict=True))
    twenty = next(row for row in rows if row.k == 20)
    pairs = [(a, b) for row in rows for a, b in zip(row.noise, row.noise[1:], strict=False)]
    checks = [row.within.checks / row.without.checks for row in rows]
    seconds = [row.within.seconds / row.without.seconds for row in rows]
    small = [noise for row in rows for noise in row.noise[:4]]
    large_k = max(noise.linked for k, noise in everything if k >= 20)
    small_epsilon = max(noise.linked for row in rows if row.k >= 5 for noise in row.noise[:4])
    numbers = (
        f"{twenty.without.loss:g} becomes {twenty.within.loss:g}",
        f"at most {max(n.error for n in at[8]):.1%} and {max(n.error for n in at[16]):.1%}",
        "yes, for every k" if all(a.error > b.error for a, b in pairs) else "no",
        (
            f"at most {large_k:.1%} for k >= 20 at every epsilon, {small_epsilon:.1%} for k >= 5 "
            f"up to epsilon 4, {max(n.linked for n in at[0.5]):.1%} for every k at epsilon 0.5; "
            f"but {rows[0].noise[-1].linked:.1%} at k = 2 and epsilon 16"
        ),
        f"up to epsilon 4 at most {max(n.suppressed for n in small):.2%}, for every k",
        (
            f"in CPU seconds {min(seconds):.0f} to {max(seconds):.0f} times; in node checks "
            f"{min(checks):.0f} to {max(checks):.0f} times"
        ),
    )
    said = zip(CLAIMS, numbers, strict=True)
    lines = ["| claim | here |", "|---|---|"]
    return "\n".join([*lines, *(f"| {claim} | {number} |" for claim, number in said)])


def text_of(case: Case, rows: Sequence[Row]) -> str:
    parts = [f"## {case.title}", f"Noise on `{case.noisy}`; {case.n_nodes} nodes without it."]
    if case.is_public:
        parts += ["### The paper's claims", claims(rows)]
    parts += [
        "### Loss before and after adding the column as a k-quasi",
        loss_table(rows),
        "### Expected relative error",
        epsilon_table(rows, lambda noise: noise.error, "k"),
        "### Linking risk",
        epsilon_table(rows, lambda noise: noise.linked, "k"),
        "### Suppressed for 99 % confidence",
        epsilon_table(rows, lambda noise: noise.suppressed, "k"),
        "### Run time",
        time_table(rows),
    ]
    if case.is_public:
        twenty = next(row for row in rows if row.k == 20)
        parts += [
            "### Beside the authors' heights",
            reference_table(rows),
            "### Beside global and uniform noise, k = 20",
            baseline_table(twenty),
        ]
    return "\n\n".join(parts)


def plot(found: Sequence[tuple[Case, Sequence[Row]]], folder: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "k-epsilon"
    import matplotlib.pyplot as plt

    for name, heading, figure in (
        ("error", "expected relative error", lambda noise: noise.error),
        ("linking", "linking risk", lambda noise: noise.linked),
        ("suppression", "suppressed for 99 % confidence", lambda noise: noise.suppressed),
    ):
        drawing, axes = plt.subplots(1, len(found), figsize=(11, 3.4), layout="constrained")
        for axis, (case, rows) in zip(np.atleast_1d(axes), found, strict=True):
            for row in rows:
                shares = [100 * figure(noise) for noise in row.noise]
                axis.plot(EPSILONS, shares, marker="o", markersize=3, label=f"k = {row.k}")
            axis.axhline(5, color="grey", linewidth=0.8, linestyle=":")
            axis.set(xscale="log", xticks=EPSILONS, xlabel="epsilon", ylabel=f"{heading}, %")
            axis.set_xticks(EPSILONS, [f"{epsilon:g}" for epsilon in EPSILONS], minor=False)
            axis.set_yscale("log")
            axis.minorticks_off()
            axis.set_title(case.title.split(",")[0], fontsize=9)
            axis.spines[["top", "right"]].set_visible(False)
        np.atleast_1d(axes)[0].legend(fontsize=7, frameon=False)
        drawing.savefig(folder / f"k-epsilon-{name}.svg", metadata={"Date": None})
    _bars(found, folder, plt)


def _bars(found: Sequence[tuple[Case, Sequence[Row]]], folder: Path, plt: Any) -> None:
    for name, label, figure in (
        ("loss", "loss of the other columns", lambda search: search.loss),
        ("time", "CPU seconds of search", lambda search: search.seconds),
    ):
        drawing, axes = plt.subplots(1, len(found), figsize=(11, 3.2), layout="constrained")
        for axis, (case, rows) in zip(np.atleast_1d(axes), found, strict=True):
            places = np.arange(len(rows))
            for shift, kind, color in ((-0.2, "without", "#4c72b0"), (0.2, "within", "#dd8452")):
                heights = [figure(getattr(row, kind)) for row in rows]
                said = "column under noise" if kind == "without" else "column as a k-quasi"
                axis.bar(places + shift, heights, 0.4, color=color, label=said)
            axis.set_xticks(places, [f"k = {row.k}" for row in rows], fontsize=7)
            axis.set_ylabel(label)
            if name == "time":
                axis.set_yscale("log")
            axis.set_title(case.title.split(",")[0], fontsize=9)
            axis.spines[["top", "right"]].set_visible(False)
        np.atleast_1d(axes)[0].legend(fontsize=7, frameon=False)
        drawing.savefig(folder / f"k-epsilon-{name}.svg", metadata={"Date": None})


def million() -> None:
    """Print the CPU seconds of a release of a million patients, without and with noise."""
    frame = ind.sample("patients", rows=1_000_000)
    roles = {name: {"role": "insensitive"} for name in frame.columns}
    roles |= {
        "name": {"role": "identifier"},
        "birth_date": {**QUASI, "hierarchy": {"dates": ["year", "decade"]}},
        "sex": QUASI,
        "postcode": {**QUASI, "hierarchy": {"mask": 5}},
        "diagnosis": {"role": "sensitive"},
    }
    for noisy in ((), ("height_cm",), ("height_cm", "weight_kg")):
        asked = ind.Policy(
            columns=roles | {name: QUASI | {"protect": "noise"} for name in noisy},
            models=[(ind.ConfidentKAnonymity if noisy else ind.KAnonymity)(5)],
            method={"max_suppression": 0.02},
        )
        seconds = []
        for _ in range(3):
            start = time.process_time()
            draft_release(frame, asked)
            seconds.append(time.process_time() - start)
        print(f"noise on {len(noisy)} columns: {min(seconds):.2f} s", flush=True)


def main() -> None:
    if "--million" in sys.argv:
        million()
        return
    found = [(case, measure(case, RUNS[case.is_public])) for case in cases()]
    text = "\n\n".join(text_of(case, rows) for case, rows in found)
    print(text)
    if "--write" in sys.argv:
        page = ROOT / "docs" / "k-epsilon.md"
        before, mark, rest = page.read_text(encoding="utf-8").partition("<!-- measured -->\n")
        after = rest.partition("<!-- end -->")[2]
        page.write_text(f"{before}{mark}\n{text}\n\n<!-- end -->{after}", encoding="utf-8")
        plot(found, ROOT / "docs" / "images")


if __name__ == "__main__":
    main()
