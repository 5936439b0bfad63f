"""Privacy bugs planted where records are made up: each detector passes the code as it is.

False-alarm rates: a statistical detector fails without cause in fewer than one of 5,000 runs.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

import indistinct as ind
from auditor import audit
from coded_rows import CodedRows
from indistinct.errors import IndistinctError
from indistinct.questions.database import open_session
from indistinct.questions.database.book import Reserved
from indistinct.questions.database.engines import duckdb as duckdb_engine, tables
from indistinct.questions.database.ledger_of_charges import Ledger
from indistinct.questions.mechanisms.accountant import Conversion, rho_within
from indistinct.questions.mechanisms.gaussian import Gaussian
from indistinct.questions.synthesis import (
    compression,
    domain,
    mst,
    plan,
    request as synthesize,
    spending,
)
from indistinct.questions.synthesis.counts import ColumnDomain
from indistinct.questions.synthesis.tree import score
from indistinct.synthetic_tables import verify_synthetic
from people import declare, person, spent_in_rho

PEOPLE = [person(n) for n in range(120)]
SIZES = (3, 3, 3)
ATTRIBUTES = [ColumnDomain(f"c{at}", size) for at, size in enumerate(SIZES)]
EPSILON, DELTA = 2.0, 1e-6
# Of the people's cities none is c: what the domain says of it is read off no row.
NO_CITY = [(*row[:4], "a" if row[4] == "c" else row[4], row[5]) for row in PEOPLE]


def made(folder, rows=PEOPLE, epsilon="2", **options):
    folder.mkdir(exist_ok=True)
    path = declare(folder, rows, 200, delta=DELTA, **options)
    return path, ind.synthesize(path, epsilon=epsilon)


# Detectors: each looks at one promise, and fails where it is broken.


def records_model_and_manifest_follow(folder):
    """What is written holds by code of its own."""
    path, found = made(folder, NO_CITY, "15")
    try:
        found.write(folder / "s.csv", model=folder / "m.json")
    except IndistinctError as error:
        pytest.fail(str(error))
    assert verify_synthetic(folder / "s.csv", path, folder / "m.json").holds


def one_outlier_is_hidden(_folder, runs=500):
    """The auditor: two neighbouring tables prove no more than the epsilon that was asked for."""
    codes = np.array([[0, 0, 0]] * 6 + [[1, 1, 1]] * 5 + [[0, 1, 0]] * 4)
    more = np.concatenate([codes, [[2, 2, 2]]])
    budget = int(1e9 * rho_within(EPSILON, DELTA, Conversion.CANONNE2020))
    spent = spending.divide(budget, 3, 1, focused=False, paired=True)
    found = audit(evidence(more, spent), evidence(codes, spent), EPSILON, runs)
    assert found.holds, f"proves {found.proven:.2f} of {found.claimed}"


def evidence(codes, spent):
    """Draw models, and give of each how much its counts of the outlier's cells speak for her."""
    counts = CodedRows(codes, SIZES, np.zeros(len(codes), np.int64))

    def sampler(draws):
        return [
            weight_of(mst.learn(ATTRIBUTES, counts, spent, focused=False)) for _ in range(draws)
        ]

    def weight_of(model):
        columns = sum(one[2, 0] for one in model.singles) / spent.singles.scale**2
        last = [joined.groups[2] for joined in model.joined]
        pairs = sum(table[last[a], last[b], 0] for (a, b), table in model.pairs.items())
        return columns + pairs / spent.pairs.scale**2

    return sampler


def noise_is_as_large_as_stated(folder):
    """Counts less the truth are as spread as their scale says: 400 counts, both tails."""
    path, _ = made(folder)
    with open_session(path) as session:
        asked = plan.make_plan(session.dataset, "1")
        counts = domain.EngineCounts(session.engine, asked.dataset, asked.measured)
        squares = 0.0
        number = 0
        while number < 400:
            model = mst.learn(asked.attributes, counts, asked.spending, focused=False)
            for at, noisy in enumerate(model.singles):
                squares += float(((noisy - counts.single(at)) ** 2).sum())
                number += noisy.size
    statistic = squares / asked.spending.singles.scale**2
    assert 1e-4 < chi2.sf(statistic, number) < 1 - 1e-4


def one_person_moves_no_score_too_far(_folder):
    """A person more or less moves a score by at most one record's steps."""
    chance = np.random.default_rng(1)
    totals = np.array([40.0])
    for _ in range(200):
        table = chance.integers(0, 2, (3, 3, 1))
        one, other = (chance.dirichlet(np.ones(3), 1).T * 40 for _ in range(2))
        more = table.copy()
        more[tuple(chance.integers(0, 3, 2))] += 1
        moved = mst.score(more, one, other, totals, 9.0) - mst.score(table, one, other, totals, 9.0)
        assert abs(moved) <= spending.SCORE_STEPS


def a_crowd_of_rows_counts_once(folder):
    """One person with 500 rows moves the number of records no more than any other."""
    rows = [*PEOPLE, *([(7, 50, 50, "F", "a", "x")] * 500)]
    _, found = made(folder, rows, "30")
    assert abs(sum(found.model["totals"]) - len(PEOPLE)) < 100


def the_charge_is_on_disk_before_anything_is_read(folder):
    """The engine refuses to count before the ledger has the charge."""
    path = declare(folder, PEOPLE, 200, delta=DELTA)
    seen = []
    engine = duckdb_engine.DuckDbEngine
    right = engine.fetch

    def watched(self, query):
        seen.append(ind.database.ledger(path).spent)
        return right(self, query)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "fetch", watched)
        ind.synthesize(path, epsilon="1")
    assert seen
    assert min(seen) > 0


def order_tells_nothing(folder):
    """The order of the input and that of the records have nothing in common: 5 deviations."""
    rows = sorted(((*row[:4], row[4], row[5]) for row in PEOPLE * 3), key=lambda row: row[1])
    rows = [(at, *row[1:]) for at, row in enumerate(rows)]
    _, found = made(folder, rows, "30")
    ages = found.data["age"].drop_nulls().to_numpy()
    spread = np.corrcoef(np.arange(len(ages)), ages)[0, 1]
    assert abs(spread) * np.sqrt(len(ages)) < 5


def fresh_noise_is_paid_for(folder):
    """Two models of the same request are two charges."""
    path, first = made(folder)
    again = ind.synthesize(path, epsilon="2", fresh=True)
    assert first.model["totals"] != again.model["totals"]
    assert spent_in_rho(path) == pytest.approx(2 * first.manifest["rho"])


# Bugs: each is planted into the code, and must be caught by its detector.


def patched(owner, name, change):
    return lambda patch: patch.setattr(owner, name, change(getattr(owner, name)))


def true_totals(right):
    def learn(attributes, counts, *rest, **options):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mst, "_totals", lambda *_: counts.single(0).sum(axis=0).astype(float))
            return right(attributes, counts, *rest, **options)

    return learn


def joined_by_true_counts(right):
    def learn(attributes, counts, *rest, **options):
        exact = {one.name: counts.single(at) for at, one in enumerate(attributes)}

        def join(attribute, noisy, scale, families):
            return compression.join(attribute, exact[attribute.name], scale, families)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mst, "join", join)
            return right(attributes, counts, *rest, **options)

    return learn


def domain_of_the_data(right):
    """Read the data when the plan is made, and leave out values that no row has."""

    def columns_of(dataset):
        with duckdb_engine.connect() as connection:
            seen = {
                name: {row[0] for row in connection.execute(
                    f"SELECT DISTINCT {name} FROM read_csv('{dataset.data}')"
                ).fetchall()}
                for name in ("sex", "city")
            }  # fmt: skip
        return [
            dataclasses.replace(
                one, values=tuple(v for v in one.values if v in seen.get(one.name, {v}))
            )
            for one in right(dataset)
        ]

    return columns_of


def half_the_noise(right):
    return lambda self, exact: right(dataclasses.replace(self, scale=self.scale / 2), exact)


def hardly_any_noise(right):
    return lambda self, exact: right(dataclasses.replace(self, scale=self.scale / 20), exact)


def corrected_by_true_counts(_right):
    """Subtract the noise of those cells alone that have records."""
    return lambda pair, one, other, totals, scale: (
        score(pair, one, other, totals, 0.0)
        - round(spending.SCORE_STEPS * 0.8 * scale * int((pair > 0).sum()))
    )


def charged_afterwards(_right):
    """Reserve nothing; the ledger's row is written when the answer is."""

    def reserve(self, request):
        return Reserved(1, request.price, 0)

    return reserve


def sorted_records(right):
    def draw(model, n_records, source):
        codes, focus = right(model, n_records, source)
        order = np.lexsort(codes.T[::-1])
        return codes[order], focus[order]

    return draw


def with_input_rows(right):
    return lambda *given: {**right(*given), "input_rows": len(PEOPLE)}


def free_if_fresh(right):
    def request(plan, version, *, fresh):
        asked = right(plan, version, fresh=fresh)
        return dataclasses.replace(asked, price=0) if fresh else asked

    return request


BUGS = {
    "the true number of records": (
        patched(mst, "learn", true_totals),
        records_model_and_manifest_follow,
    ),
    "codes joined by true counts": (
        patched(mst, "learn", joined_by_true_counts),
        records_model_and_manifest_follow,
    ),
    "the domain read off the data": (
        patched(plan, "columns_of", domain_of_the_data),
        records_model_and_manifest_follow,
    ),
    "no limit per person": (
        patched(tables, "unique", lambda _: lambda table, rows, dialect, key: rows),
        a_crowd_of_rows_counts_once,
    ),
    "half the noise": (patched(Gaussian, "sample", half_the_noise), noise_is_as_large_as_stated),
    "a twentieth of the noise": (
        patched(Gaussian, "sample", hardly_any_noise),
        one_outlier_is_hidden,
    ),
    "correction from true counts": (
        patched(mst, "score", corrected_by_true_counts),
        one_person_moves_no_score_too_far,
    ),
    "charged after reading": (
        patched(Ledger, "reserve", charged_afterwards),
        the_charge_is_on_disk_before_anything_is_read,
    ),
    "the order of the input kept": (
        patched(synthesize, "draw", sorted_records),
        order_tells_nothing,
    ),
    "input rows in the manifest": (
        patched(synthesize, "_manifest", with_input_rows),
        records_model_and_manifest_follow,
    ),
    "fresh noise for nothing": (
        patched(synthesize, "_request", free_if_fresh),
        fresh_noise_is_paid_for,
    ),
}
DETECTORS = list(dict.fromkeys(detector for _, detector in BUGS.values()))


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.__name__)
def test_the_code_as_it_is_passes_every_detector(tmp_path, detector):
    detector(tmp_path)


@pytest.mark.parametrize("name", BUGS)
def test_every_planted_bug_is_caught(tmp_path, monkeypatch, name):
    plant, detector = BUGS[name]
    plant(monkeypatch)
    # What charges and draws has taken this function by a name of its own.
    monkeypatch.setattr(synthesize, "learn", mst.learn)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        detector(tmp_path)


def test_every_detector_has_a_bug_to_catch():
    here = Path(__file__).read_text(encoding="utf-8")
    checks = set(re.findall(r"^def (\w+)\(_?folder", here, flags=re.MULTILINE)) - {"made"}
    assert checks == {detector.__name__ for detector in DETECTORS}


@pytest.mark.slow
def test_twenty_thousand_models_hide_an_outlier(tmp_path):
    one_outlier_is_hidden(tmp_path, 20_000)
