"""A table of made-up people for masks, and what to do with it."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl

import indistinct as ind
from indistinct.base.randomness import RandomSource


def people(n_records=200, seed=1):
    """Make up ages, incomes that grow with age, dates, cities and an illness."""
    generator = np.random.default_rng(seed)
    age = generator.integers(18, 90, n_records)
    income = np.round(1000 + 40 * age + generator.normal(0, 400, n_records), 2)
    seen = [dt.date(2024, 1, 1) + dt.timedelta(int(day)) for day in age * 7]
    city = generator.choice(["a", "b", "c"], n_records, p=[0.6, 0.3, 0.1])
    illness = generator.choice(["flu", "ulcer"], n_records)
    return pl.DataFrame(
        {"age": age, "income": income, "seen": seen, "city": city, "illness": illness}
    )


def policy_of(protections, roles=None, models=(), **words):
    """Return a policy over :func:`people`: columns are insensitive where no role is given."""
    names = ("age", "income", "seen", "city", "illness")
    columns = {name: {"role": (roles or {}).get(name, "insensitive")} for name in names}
    for name, protect in protections.items():
        columns[name]["protect"] = protect
    return ind.Policy(columns=columns, models=models, **words)


def released(protections, frame=None, seed=5, **words):
    """Publish people; give the release and its policy."""
    policy = policy_of(protections, **words)
    return ind.anonymize(people() if frame is None else frame, policy, seed=seed), policy


def problems(verdict):
    """Return what is wrong, one text per fault."""
    return [f"{fault.place}: {fault.problem}" for fault in verdict.faults]


def mask(protection, *columns, seed=3):
    """Mask some columns."""
    return protection.mask(pl.DataFrame(list(columns)), RandomSource(seed))
