"""Microaggregation: seconds and loss of MDAV, of blocks and of the search.

    python benchmarks/microaggregation.py [--repeat N] [--million] [--exact] [--write PAGE]

Made-up numbers with fixed seeds: *normal* are independent, *correlated* share a factor, *skewed*
are log-normal with a factor, *whole* are 0 to 9 with many ties. Seconds are those of one
processor, the best of the repetitions after one run that compiles. Loss is SSE / SST of the
standardized columns, in percent. ``--million`` adds a million records, once; ``--exact`` exact MDAV
of all of them beside it.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from indistinct.base.arrays import Codes, Floats
from indistinct.tables.masks.microaggregation.groups import (
    MOST_WHOLE,
    Attribute,
    Method,
    blockwise,
    euclidean,
    microaggregate,
)
from indistinct.tables.metrics.masking import squared_loss

Masks = dict[str, Callable[[Floats, int], Codes]]


def cases() -> Iterator[tuple[str, Floats, int]]:
    yield "correlated", correlated(834, 13), 3
    yield "skewed", np.exp(correlated(1080, 13)), 3
    yield "normal", normal(10_000, 6), 5
    yield "normal", normal(32_000, 6), 5
    yield "correlated", correlated(32_000, 6), 5
    yield "skewed", np.exp(correlated(32_000, 6)), 5
    yield "whole", np.random.default_rng(4).integers(0, 10, (32_000, 6)).astype(np.float64), 5
    yield "normal, one column", normal(32_000, 1), 5
    yield "normal", normal(200_000, 6), 5


def normal(n_records: int, n_columns: int) -> Floats:
    return np.random.default_rng(1).normal(size=(n_records, n_columns))


def correlated(n_records: int, n_columns: int) -> Floats:
    factor = np.random.default_rng(2).normal(size=(n_records, 1))
    return factor + normal(n_records, n_columns)


def by(method: Method) -> Callable[[Floats, int], Codes]:
    return lambda points, k: microaggregate([Attribute(column) for column in points.T], k, method)


def in_blocks(points: Floats, k: int) -> Codes:
    return blockwise(points, *euclidean(points), k, MOST_WHOLE)


def loss_of(points: Floats, labels: Codes) -> float:
    sizes = np.bincount(labels)
    means = [np.bincount(labels, column) / sizes for column in points.T]
    masked = np.column_stack([mean[labels] for mean in means])
    return 100 * squared_loss(points, masked)


def measured(points: Floats, k: int, masks: Masks, repeat: int) -> Iterator[str]:
    for name, mask in masks.items():
        seconds = []
        for _ in range(repeat):
            start = time.process_time()
            labels = mask(points, k)
            seconds.append(time.process_time() - start)
        groups = labels.max() + 1
        yield f"{name:<9} {min(seconds):>8.2f} {loss_of(points, labels):>9.4f} {groups:>9,}"


def table(repeat: int, *, million: bool, exact: bool) -> Iterator[str]:
    masks: Masks = {"mdav": by(Method.MDAV), "refined": by(Method.REFINED)}
    for mask in (*masks.values(), in_blocks):
        mask(normal(100, 2), 3)
        mask(normal(100, 1), 3)
    head = f"{'data':<20} {'records':>9} {'columns':>7} {'k':>2}"
    yield f"{head}  {'method':<9} {'seconds':>8} {'loss, %':>9} {'groups':>9}"
    for name, points, k in cases():
        for line in measured(points, k, masks, repeat):
            yield f"{name:<20} {len(points):>9,} {points.shape[1]:>7} {k:>2}  {line}"
    if million:
        points = normal(1_000_000, 6)
        every: Masks = {"blocks": in_blocks, "refined": by(Method.REFINED)}
        every |= {"mdav": by(Method.MDAV)} if exact else {}
        for line in measured(points, 5, every, 1):
            yield f"{'normal':<20} {len(points):>9,} {6:>7} {5:>2}  {line}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    lines = []
    for line in table(options.repeat, million=options.million, exact=options.exact):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        block = "\n".join(["<!-- masks: begin -->", "```", *lines, "```", "<!-- masks: end -->"])
        page = options.write.read_text("utf-8")
        pattern = re.compile("<!-- masks: begin -->.*<!-- masks: end -->", re.DOTALL)
        options.write.write_text(pattern.sub(lambda _: block, page), "utf-8")


if __name__ == "__main__":
    main()
