"""The noise of other systems that answer questions, by their published formulas, beside ours.

    python benchmarks/questions_elsewhere.py

Prints the tables of docs/questions-elsewhere.md. Only OpenDP is run; of the others the formulas
for noise and threshold are computed, which stand in their public sources:

- SmartNoise SQL: ``snsql/sql/_mechanisms/laplace.py``: scale c / epsilon, threshold
  c (1 - ln(2 delta / c) / epsilon), for c groups of one person;
- ZetaSQL, by Google's library of differential privacy, ``go/noise/laplace_noise.go``: scale
  c / epsilon, threshold 1 - c / epsilon ln(2 (1 - (1 - delta)^(1/c)));
- Tumult Analytics, by ``GeometricPartitionSelection`` of its core: scale alpha = c / epsilon, and
  delta = c e^epsilon Pr[two-sided geometric > T - 2].
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import opendp.prelude as dp

from indistinct.questions.mechanisms import gaussian
from indistinct.questions.mechanisms.accountant import Accounting, Conversion
from indistinct.questions.mechanisms.meaning import EpsilonMeaning
from indistinct.questions.mechanisms.thresholds import threshold

EPSILON, DELTA = 1.0, 1e-6
MEANING = EpsilonMeaning(Accounting.ZCDP, DELTA / 2, Conversion.CANONNE2020)
BILLION = 10**9


def smartnoise(groups: int) -> tuple[float, float]:
    """Return standard deviation and threshold of a count of people in unknown groups."""
    least = groups * (1 - math.log(2 * DELTA / groups) / EPSILON)
    return math.sqrt(2) * groups / EPSILON, least


def zetasql(groups: int) -> tuple[float, float]:
    """Return the same of Google's library with Laplace noise."""
    each = -math.expm1(math.log1p(-DELTA) / groups)
    return math.sqrt(2) * groups / EPSILON, 1 - groups / EPSILON * math.log(2 * each)


def tumult(groups: int) -> tuple[float, float]:
    """Return the same of a geometric selection of partitions."""
    alpha = groups / EPSILON
    a = math.exp(-1 / alpha)
    each = DELTA / (groups * math.exp(EPSILON)) if groups > 1 else DELTA
    # Pr[noise > t] = a^(t + 1) / (1 + a) for t >= 0
    least = 2 + math.ceil(math.log(each * (1 + a)) / math.log(a) - 1)
    return math.sqrt(2 * a) / (1 - a), least


def here(groups: int) -> tuple[float, float]:
    """Return the same of this program, where half of delta is for the threshold."""
    noise = gaussian.calibrate(groups, MEANING.granted(int(EPSILON * BILLION)))
    return noise.scale, threshold(noise, DELTA / 2, groups)


def stated_by_opendp(scale: float, groups: int, least: int) -> tuple[float, float]:
    """Return the delta that OpenDP states for noisy counts above a threshold, and the exact one."""
    dp.enable_features("contrib")
    space = (
        dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="u32")),
        dp.l01inf_distance(dp.absolute_distance(T="u32")),
    )
    found = dp.m.make_laplace_threshold(*space, scale=scale, threshold=least)
    _, stated = found.map((groups, groups, 1))
    a = math.exp(-1 / scale)
    tail = a ** (least - 1) / (1 + a)
    return stated, -math.expm1(groups * math.log1p(-tail))


def sums(most: int, groups: int, full: int) -> Iterator[tuple[str, float]]:
    """Yield the standard deviation of a sum over groups, the whole epsilon being spent on it."""
    rho = MEANING.granted(int(EPSILON * BILLION))
    laplace = math.sqrt(2) * most * groups / EPSILON
    yield "SmartNoise SQL, ZetaSQL: Laplace", laplace
    yield "Tumult Analytics: Laplace, pure", laplace
    yield "Tumult Analytics: Gaussian, zCDP", most * math.sqrt(groups * BILLION / (2 * rho))
    yield "indistinct, by groups", gaussian.calibrate(groups * most**2, rho).scale
    yield f"indistinct, {full} full groups", gaussian.calibrate(full * most**2, rho).scale


def main() -> None:
    """Print the tables."""
    systems = {"indistinct": here, "SmartNoise SQL": smartnoise, "ZetaSQL": zetasql,
               "Tumult Analytics": tumult}  # fmt: skip
    print("| groups of a person | " + " | ".join(systems) + " |\n|" + "---|" * (1 + len(systems)))
    for groups in (1, 5, 20, 50):
        cells = [of(groups) for of in systems.values()]
        print(f"| {groups} | " + " | ".join(f"{sd:.1f}, {least:.0f}" for sd, least in cells) + " |")
    print("\n| sum of numbers up to 24, in 38 groups | standard deviation |\n|---|---|")
    for name, deviation in sums(24, 38, 3):
        print(f"| {name} | {deviation:.0f} |")
    together = 37 * MEANING.granted(BILLION)
    epsilon = MEANING.reported(together) / BILLION
    print(f"\n37 questions of epsilon 1: {epsilon:.1f} together, not 37.")
    print("\n| scale | groups | threshold | OpenDP states | released |\n|---|---|---|---|---|")
    for scale, groups, least in ((1.0, 1, 4), (2.0, 3, 8), (2.0, 5, 12)):
        stated, exact = stated_by_opendp(scale, groups, least)
        print(f"| {scale:g} | {groups} | {least} | {stated:.3g} | {exact:.3g} |")


if __name__ == "__main__":
    main()
