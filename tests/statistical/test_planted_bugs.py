"""A zoo of planted privacy bugs: each detector passes the code as it is and catches its bugs."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from asked import part_counts, planned
from auditor import FALSE_ALARM, audit
from hostile import HOSTILE
from indistinct.base.billionths import billionths
from indistinct.base.randomness import RandomSource
from indistinct.base.statements.checks import UNDECIDED
from indistinct.errors import BudgetExceededError, EngineError, IndistinctError, QuestionError
from indistinct.questions.database import add_analyst, open_session, session
from indistinct.questions.database.book import Book as _Book, Reserved
from indistinct.questions.database.dataset import Range
from indistinct.questions.database.engines import duckdb as duckdb_engine, tables as engine_tables
from indistinct.questions.database.ledger_of_charges import Ledger
from indistinct.questions.database.loading import load
from indistinct.questions.database.relational import (
    confining,
    dialect,
    functions,
    plan as plans,
    statement as statements,
    units as unit_steps,
)
from indistinct.questions.database.relational.answering import NoisyCounts, counted
from indistinct.questions.database.relational.parts import Part
from indistinct.questions.database.relational.quantiles import balance, candidates
from indistinct.questions.database.relational.tree import BoundColumn, Operation
from indistinct.questions.database.session import Session, open_engine
from indistinct.questions.database.stores.sqlite import SqliteStore
from indistinct.questions.mechanisms import accountant, laplace, selection
from indistinct.questions.mechanisms.gaussian import Gaussian
from indistinct.questions.mechanisms.laplace import Laplace
from indistinct.questions.mechanisms.meaning import EpsilonMeaning
from indistinct.questions.mechanisms.selection import Selection
from indistinct.tables.masks.mechanisms.randomized_response import RandomizedResponse
from indistinct.tables.policy.policy import Policy
from indistinct.tables.publish.anonymization import anonymize
from indistinct.tables.verification import (
    original,
    texts as texts_as_read,
    verdict,
    verify_release as verify,
)
from indistinct.tables.verification.stating import state
from ordered import ordered
from people import declare, opened, person, redeclare
from served import declare_with_analysts, live
from shared import longer

COUNT = "SELECT COUNT(*) FROM people"
PEOPLE = [person(n) for n in range(40)]


def audited(one, other, epsilon, draws=100_000):
    """Audit with a tenth of the draws, which refute what is grossly wrong, and then with all.

    The first round takes a twentieth of the rate of false alarms, so that the second finds what
    one of its own would find.
    """
    rounds = ((draws // 10, FALSE_ALARM / 20), (draws, FALSE_ALARM * 19 / 20))
    return all(audit(one, other, epsilon, *numbers).holds for numbers in rounds)


# Detectors: each looks at one promise, and fails where it is broken.


def noise_is_as_large_as_promised(folder):
    """A hundred thousand draws on two neighbouring tables prove no more than was charged."""
    dataset = load(declare(folder, PEOPLE))
    plan = planned(COUNT, dataset, 2)
    (noise,) = plan.noises.values()
    assert audited(lambda n: noise.sample([40] * n), lambda n: noise.sample([41] * n), 2.0)


RHO_OF = EpsilonMeaning.granted  # as it is before a bug is planted in it


def gaussian_noise_scatters_as_promised(folder):
    """The variance of 20,000 draws is sigma squared (to 5 %: 1 in 10^6)."""
    dataset = load(declare(folder, PEOPLE, delta=1e-6))
    plan = planned(COUNT, dataset, 0.5)
    draws = next(iter(plan.noises.values())).sample([0] * 20_000)
    sigma_squared = 10**9 / (2 * RHO_OF(dataset.budget.meaning(), billionths("0.5")))
    assert np.var(draws) == pytest.approx(sigma_squared, rel=0.05)


def every_group_has_noise_of_its_own(folder):
    """Differences of groups are noisy, empty groups are noisy, no draw comes twice."""
    dataset = load(declare(folder, []))
    plan = planned(f"{COUNT} GROUP BY sex, city", dataset, "0.001")
    drawn = [tuple(counted(plan, lambda sql: []).numbers[0]) for _ in range(50)]
    assert len(set(drawn)) == 50
    assert all(len(set(values)) > 1 for values in drawn)
    assert all(any(values) for values in drawn)


def charges_cover_the_proofs(folder):
    """What is charged is at least sensitivity over scale, for every part, without rounding down."""
    for delta in (None, 1e-6):
        name = f"people{delta is None:d}"
        (folder / name).mkdir()
        dataset = load(declare(folder / name, PEOPLE, name=name, delta=delta))
        for measure, epsilon in itertools.product(
            ("COUNT(*)", "AVG(age)", "MEDIAN(age)"), ("0.3", "1.7")
        ):
            plan = planned(f"SELECT {measure} FROM {name}", dataset, epsilon)
            drawn = [
                *plan.noises.values(),
                *(one for all_ in plan.selections.values() for one in all_),
            ]
            losses = [Fraction(noise.loss(noise.scale)) for noise in drawn]
            assert Fraction(plan.price, 10**9) >= sum(losses) > 0


def one_person_moves_no_aggregate_too_far(folder):
    """Odd and extreme persons, one or several rows, bounds away from zero."""
    extremes = ("1e308", "-1e308", "nan", "inf", "", "100", "0", "60", "-0.0")
    for rows in (1, 2):
        check_moves(folder / str(rows), rows, extremes)


def check_moves(folder, rows, extremes):
    crowd = [(n, 60, 60, "FM"[n % 2], "abc"[n % 3], "x") for n in range(6)]
    options = {"bounds": {"age": (50, 100), "weight": (-10, 200)}, "rows_per_person": rows}
    measures = (
        "COUNT(*)",
        "COUNT(DISTINCT id)",
        "SUM(age)",
        "AVG(weight)",
        "VARIANCE(age)",
        "QUANTILE(age, 0.1)",
    )
    tables = {"none": crowd}
    for value in extremes:
        new = [(99, value, value, sex, "c", "x") for sex in ("F", "M", "M")]
        tables[value or "empty"] = [new[0], *crowd, *new[1:]]
    engines = {}
    folder.mkdir()
    path = declare(folder, crowd, **options)
    for number, (name, table) in enumerate(tables.items()):
        dataset = load(redeclare(path, folder / str(number), table))
        engines[name] = open_engine(dataset), dataset
    for measure, group in itertools.product(measures, ("", " GROUP BY sex")):
        check_measure(engines, f"SELECT {measure} FROM people{group}")


def check_measure(engines, text):
    found = {}
    for name, (engine, dataset) in engines.items():
        statement, found[name] = part_counts(engine, text, dataset)
    for values in found.values():
        for part, mine, theirs in zip(statement.parts, values, found["none"], strict=True):
            cells = {*mine, *theirs}
            if part.kind == "ranks":
                check_ranks(part, statement, mine, theirs, text)
                continue
            moved = [abs(mine.get(cell, 0) - theirs.get(cell, 0)) for cell in cells]
            reach = part.reach(statement.limits)
            assert sum(moved) <= reach.total, text
            assert sum(move**2 for move in moved) <= reach.squares, text


def check_ranks(part, statement, mine, theirs, text):
    """No score of the selections moves further than they were calibrated for."""
    most = plans.selected(part, statement, 4 * 10**9, accountant.Accounting.PURE)[0].sensitivity
    bounds = Range(part.units.step, part.units.low, part.units.high)
    offered = candidates(bounds)
    for group in {cell[:-1] for cell in {*mine, *theirs}}:
        counts = np.zeros((2, len(offered)), dtype=np.int64)
        for at, seen in enumerate((mine, theirs)):
            for cell, n in seen.items():
                if cell[:-1] == group:
                    counts[at, cell[-1]] = n
        one, other = (
            abs(balance(row, part.share.numerator, part.share.denominator)) for row in counts
        )
        assert abs(one - other).max() <= most, text


def odd_values_leave_the_shape_alone(folder):
    """Not-a-number is missing: it satisfies no comparison, and no answer holds it."""
    rows = [(n, "nan", "nan", "F", "a", "x") for n in range(30)]
    with opened(folder, rows, epsilon=10_000) as asked:
        assert asked.ask(f"{COUNT} WHERE age > 50", epsilon=1000).answer == 0
        assert asked.ask("SELECT AVG(age) FROM people", epsilon=1000).answer is None


def a_failed_question_stays_charged(folder):
    """The engine fails, and the charge stands."""
    with opened(folder, PEOPLE) as asked:
        asked.engine._connection.execute("DROP TABLE t0")
        with pytest.raises(EngineError) as caught:
            asked.ask(COUNT, epsilon=1)
        assert "t0" not in str(caught.value)
        assert asked.ledger.spent() == 10**9


def the_charge_is_on_disk_before_the_data_are_read(folder):
    """While the engine counts, another connection sees the charge, and every commit is flushed."""
    path = declare(folder, PEOPLE)
    with open_session(path) as asked, open_session(path) as other:
        seen, flushed = [], []
        store = asked.ledger.store._connection()

        class Watching:
            version, setting = asked.engine.version, asked.engine.setting

            def check(self, queries):
                asked.engine.check(queries)

            def fetch(self, sql):
                seen.append(other.ledger.spent())
                flushed.append(store.execute("PRAGMA synchronous").fetchone())
                return asked.engine.fetch(sql)

        dataclasses.replace(asked, engine=Watching()).ask(COUNT, epsilon=1)
        assert seen == [10**9]
        assert [level >= 2 for (level,) in flushed] == [True]  # FULL or EXTRA


def caps_hold(folder):
    """An analyst's, and the dataset's over all analysts; exactly what was asked is charged."""
    path = declare(folder, PEOPLE, epsilon=3)
    for name in ("alice", "bob"):
        add_analyst(path, name=name, epsilon=2)
    with open_session(path) as asked:
        replies = [
            asked.ask(f"{COUNT} WHERE age > {n}", epsilon=1, analyst="alice") for n in range(2)
        ]
        assert [reply.charged for reply in replies] == [1, 1]
        with pytest.raises(BudgetExceededError):
            asked.ask(f"{COUNT} WHERE age > 2", epsilon=1, analyst="alice")
        asked.ask(f"{COUNT} WHERE age > 3", epsilon=1, analyst="bob")
        with pytest.raises(BudgetExceededError):
            asked.ask(f"{COUNT} WHERE age > 4", epsilon=1, analyst="bob")


def nothing_new_is_free(folder):
    """A repeated question says the same; whoever wants a new draw pays for it."""
    with opened(folder, PEOPLE) as asked:
        replies = [asked.ask(COUNT, epsilon="0.001") for _ in range(5)]
        assert len({reply.answer for reply in replies}) == 1
        fresh = [asked.ask(COUNT, epsilon="0.001", fresh=True) for _ in range(5)]
        assert all(reply.charged == 0.001 for reply in fresh)
        assert asked.ledger.spent() == 6 * 10**6


def only_disjoint_questions_share_a_charge(folder):
    """Overlapping conditions, and persons with several rows, are charged in full."""
    overlapping = ("sex = 'F' OR age > 3", "sex = 'M' OR age > 3", "city = 'a'", "NOT city = 'b'")
    with opened(folder, PEOPLE) as asked:
        for condition in overlapping:
            asked.ask(f"{COUNT} WHERE {condition}", epsilon=1)
        assert asked.ledger.spent() == 4 * 10**9
    (folder / "several").mkdir()
    with opened(folder / "several", PEOPLE, rows_per_person=2) as asked:
        for sex in ("F", "M"):
            asked.ask(f"{COUNT} WHERE sex = '{sex}'", epsilon=1)
        assert asked.ledger.spent() == 2 * 10**9


def groups_are_the_declared_ones(folder):
    """Values that are not declared do not show; declared ones always do."""
    rows = [(n, 5, 5, "secret", "a", "x") for n in range(40)]
    with opened(folder, rows) as asked:
        reply = asked.ask("SELECT sex, city, COUNT(*) FROM people GROUP BY sex, city", epsilon=1)
        found = [(row["city"], row["sex"]) for row in reply.answer]
        known = [
            ({"other": True} if one == "-" else None if one == "?" else one) for one in "abc-?FM"
        ]
        cities, sexes = known[:5], [*known[5:], *known[3:5]]
        assert sorted(map(str, found)) == sorted(map(str, itertools.product(cities, sexes)))
        assert "secret" not in json.dumps(reply.document())


def hostile_questions_are_refused(folder):
    """None of them becomes a question."""
    dataset = load(declare(folder, PEOPLE, values={"sex": ["F", "M"]}))
    for text in HOSTILE:
        with pytest.raises(QuestionError):
            planned(text, dataset)


def strangers_are_kept_out(folder):
    """No token, a wrong one, or a known name in a header: 401."""
    path, tokens = declare_with_analysts(folder, rows=20)
    with open_session(path) as asked, live(asked) as client:
        body = {"question": COUNT, "epsilon": 1}
        wrong = (
            {},
            {"Authorization": "Bearer x"},
            {"X-User": "alice"},
            {"Authorization": "Bearer alice"},
        )
        assert [client.post("/ask", json=body, headers=h).status_code for h in wrong] == [401] * 4
        headers = {"Authorization": f"Bearer {tokens['alice']}", "X-User": "bob"}
        assert client.post("/ask", json=body, headers=headers).status_code == 200
        assert (asked.ledger.spent("alice"), asked.ledger.spent("bob")) == (10**9, 0)


def answers_by_coin_are_deniable(folder):
    """A hundred thousand coin flips prove no more than ln 3."""
    coin = RandomizedResponse(2, 0.5)
    flips = [lambda n, v=v: coin.randomize(np.full(n, v), RandomSource()) for v in (0, 1)]
    assert audited(*flips, coin.epsilon)


def chosen_ranks_are_as_vague_as_promised(folder):
    """Two scores one apart: the odds of the draw stay within the epsilon charged."""
    mechanism = selection.calibrate(1, 10**9, accountant.Accounting.PURE)
    tables = [lambda n, s=s: [mechanism.choose(s) for _ in range(n)] for s in ([0, 1], [1, 0])]
    # Each draw takes as long as many of noise. Of two outcomes, few draws find the telling one.
    assert audited(*tables, 1.0, draws=11_200)


# Bugs: each breaks one line of the code.


def patched(owner, name, make):
    """Return a bug that replaces an attribute by what ``make`` makes of it."""
    return lambda monkeypatch: monkeypatch.setattr(owner, name, make(getattr(owner, name)))


def rescaled(share):
    return lambda right: (
        lambda self, exact: right(dataclasses.replace(self, scale=self.scale * share), exact)
    )


def select_anything(right):
    def write(self, node):
        is_outside = (
            isinstance(node, BoundColumn) and self.known is not None and node not in self.known
        )
        return node.value if is_outside else right(self, node)

    return write


def charge_later(right):
    def ask(self, question, epsilon, **options):
        plan = self.plan(question, epsilon)
        found = counted(plan, self.engine.fetch)
        return self.ledger.reserve(
            self._request(plan, self.dataset.analyst("owner"), fresh=True)
        ), found

    return ask


def confined_by_any(right):
    def confined(select, dataset):
        where = select.where
        if isinstance(where, Operation) and where.operator == "OR":
            where = Operation("AND", where.left, where.right)
        return right(dataclasses.replace(select, where=where), dataset)

    return confined


def first_five(table, rows, *_):
    return f"SELECT * FROM ({rows}) LIMIT 5"


def refund(right):
    def answered(self, *given):
        try:
            return right(self, *given)
        except IndistinctError:
            with self.ledger.store.transaction() as execute:
                execute("DELETE FROM charges", ())
                execute("DELETE FROM accounts", ())
            raise

    return answered


def free_redraw(right):
    def reserve(self, request):
        known = [entry for entry in self.entries() if entry.question == request.question]
        return Reserved(known[0].number, 0, 0) if known else right(self, request)

    return reserve


def with_reach(change):
    """Plant a bug in how far one person moves a part."""
    return lambda right: lambda self, limits: change(self, limits, right(self, limits))


def smaller(reach, most):
    return dataclasses.replace(reach, total=most, squares=most**2)


def width_of_bounds(part, limits, reach):
    if part.kind != "sum":
        return reach
    return smaller(reach, limits.rows * (part.units.high - part.units.low))


def one_row(part, limits, reach):
    return smaller(reach, max(1, reach.total // limits.rows))


def half_squares(part, limits, reach):
    return smaller(reach, reach.total // 2) if part.kind == "squares" else reach


def one_person(part, limits, reach):
    return smaller(reach, 1) if part.kind == "people" else reach


def one_rank(right):
    return lambda part, statement, share, accounting: right(
        dataclasses.replace(part, units=part.units, most=1), statement, share, accounting
    )


def common_noise(right):
    def sample(self, exact):
        (noise,) = right(self, [0])
        return [value + noise for value in exact]

    return sample


def seeded(right):
    def sample(self, exact):
        chance = random.Random(4)
        scale = self.scale
        return [
            v + round(chance.expovariate(1 / scale) - chance.expovariate(1 / scale)) for v in exact
        ]

    return sample


def quiet_when_empty(right):
    return lambda self, exact: [
        noisy if value else 0 for noisy, value in zip(right(self, exact), exact, strict=True)
    ]


def unclamped(self, number):
    steps = f"CAST(round({number}) AS DOUBLE)"
    return f"CAST(CASE WHEN abs({steps}) < 1e15 THEN {steps} ELSE 1e15 END AS BIGINT)"


def only_keys_seen(right):
    def rows_of(plan, found, **options):
        kept = [at for at, n in enumerate(found.numbers[0]) if n > 3]
        return right(
            plan,
            NoisyCounts(
                [found.cells[at] for at in kept], {0: [found.numbers[0][at] for at in kept]}
            ),
        )

    return rows_of


def never_flushed(right):
    return lambda self, *, flushed=True: right(self, flushed=False)


def charged(price):
    """Add the charges of a question up in another way; its weights, a list, stay as they are."""

    def added(amounts):
        return sum(amounts) if isinstance(amounts, list) else price(amounts)

    return lambda monkeypatch: monkeypatch.setattr(plans, "sum", added, raising=False)


def telling(right):
    return lambda _: EngineError("Catalog Error: table t0 with age 42 does not exist")


def trust_header(right):
    def identify(dataset, token):
        return dataset.analysts.get(token) or right(dataset, token)

    return identify


def anybody(right):
    return lambda dataset, token: next(iter(dataset.analysts.values()))


def dishonest_releases_do_not_hold(tmp_path):
    """No foreign cell, repeated record, other order or mere claim passes."""
    del tmp_path
    before = pl.DataFrame(
        {
            "age": [20 + row // 8 for row in range(80)],
            "illness": ["flu", "ulcer"] * 40,
            "pay": range(1000, 1080),
        }
    ).sample(fraction=1, shuffle=True, seed=1)
    words = {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10]}},
            "illness": {"role": "sensitive"},
            "pay": {"role": "insensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 5}],
    }
    policy, made = Policy.from_words(words), pl.col("age") // 5 * 5
    label = pl.format("[{}, {})", made, made + 5).alias("age")
    honest = ordered(before.with_columns(label), "age")
    assert verify.verify(honest, policy, original=before).holds
    assert not verify.verify(before.with_columns(label), policy, original=before).holds
    for foreign in (
        honest.with_columns(pay=pl.lit(1000)),
        ordered(honest.with_columns(illness=pl.col("illness").reverse()), "age"),
        ordered(pl.concat([honest, honest]), "age"),
        honest[:40],
    ):
        assert not verify.verify(foreign, policy, original=before).holds
    wide = ordered(honest.with_columns(age=pl.lit("\uff14\uff12")), "age")
    assert not verify.verify(wide, policy).holds
    beta = {"name": "beta-likeness", "column": "illness", "beta": 0.01}
    lax = Policy.from_words({**words, "models": [beta], "method": {"max_suppression": 0.5}})
    made_well = anonymize(before, Policy.from_words(words)).manifest
    told = {**made_well, "records": {"released": 80, "suppressed": 10}}
    uneven = honest.with_columns(
        illness=pl.when(pl.col("age").str.starts_with("[20"))
        .then(pl.lit("flu"))
        .otherwise("illness")
    )
    uneven = ordered(uneven, "age")
    assert verify.verify(uneven, lax).holds is not True
    assert verify.verify(uneven, lax, manifest=told).holds is not True
    strict = lax.with_words({"method": {"max_suppression": 0.0}})
    said = verify.verify(honest, strict, manifest=told)
    assert "manifest.records.suppressed" in {fault.place for fault in said.faults}


BUGS = {
    "half the noise": (patched(Laplace, "sample", rescaled(0.5)), noise_is_as_large_as_promised),
    "3 % less noise": (patched(Laplace, "sample", rescaled(0.97)), noise_is_as_large_as_promised),
    "no noise": (
        patched(Laplace, "sample", lambda _: lambda self, exact: list(exact)),
        noise_is_as_large_as_promised,
    ),
    "noise rounded to hundreds after being drawn for hundredths": (
        patched(Laplace, "sample", rescaled(0.01)),
        noise_is_as_large_as_promised,
    ),
    "half the gaussian noise": (
        patched(Gaussian, "sample", rescaled(0.5)),
        gaussian_noise_scatters_as_promised,
    ),
    "epsilon taken for rho": (
        patched(EpsilonMeaning, "granted", lambda _: lambda self, epsilon: epsilon),
        gaussian_noise_scatters_as_promised,
    ),
    "one noise for all groups": (
        patched(Laplace, "sample", common_noise),
        every_group_has_noise_of_its_own,
    ),
    "noise from a fixed seed": (
        patched(Laplace, "sample", seeded),
        every_group_has_noise_of_its_own,
    ),
    "empty groups without noise": (
        patched(Laplace, "sample", quiet_when_empty),
        every_group_has_noise_of_its_own,
    ),
    "charges rounded down": (
        patched(laplace, "billionths_up", lambda _: lambda loss: int(loss * 10**9 * 0.999)),
        charges_cover_the_proofs,
    ),
    "the parts of an answer are charged once": (
        charged(lambda amounts: max(amounts, default=0)),
        charges_cover_the_proofs,
    ),
    "only the first part is charged": (
        charged(lambda amounts: next(iter(amounts), 0)),
        charges_cover_the_proofs,
    ),
    "a free price": (
        charged(lambda amounts: 0),
        charges_cover_the_proofs,
    ),
    "sum's sensitivity is the width of its bounds": (
        patched(Part, "reach", with_reach(width_of_bounds)),
        one_person_moves_no_aggregate_too_far,
    ),
    "rows of a person forgotten": (
        patched(Part, "reach", with_reach(one_row)),
        one_person_moves_no_aggregate_too_far,
    ),
    "squares' sensitivity too small": (
        patched(Part, "reach", with_reach(half_squares)),
        one_person_moves_no_aggregate_too_far,
    ),
    "a person counted in one group only": (
        patched(Part, "reach", with_reach(one_person)),
        one_person_moves_no_aggregate_too_far,
    ),
    "quantile's sensitivity without its share": (
        patched(plans, "selected", one_rank),
        one_person_moves_no_aggregate_too_far,
    ),
    "missing clamp": (
        patched(unit_steps.Units, "sql", lambda _: unclamped),
        one_person_moves_no_aggregate_too_far,
    ),
    "rows of a person not limited": (
        patched(engine_tables, "crowded", lambda _: lambda table, name: []),
        one_person_moves_no_aggregate_too_far,
    ),
    "rows limited over all persons": (
        patched(
            engine_tables,
            "unique",
            lambda _: first_five,
        ),
        one_person_moves_no_aggregate_too_far,
    ),
    "not-a-number let through": (
        patched(
            dialect.DuckDb,
            "cast",
            lambda right: (
                lambda self, column, kind, *reading: (
                    f"TRY_CAST({column} AS DOUBLE)"
                    if kind == "number"
                    else right(self, column, kind, *reading)
                )
            ),
        ),
        odd_values_leave_the_shape_alone,
    ),
    "charge after answer": (
        patched(Session, "ask", charge_later),
        the_charge_is_on_disk_before_the_data_are_read,
    ),
    "charge in memory only": (
        patched(SqliteStore, "transaction", never_flushed),
        the_charge_is_on_disk_before_the_data_are_read,
    ),
    "failed questions refunded": (
        patched(Session, "_answered", refund),
        a_failed_question_stays_charged,
    ),
    "an error that tells": (
        patched(duckdb_engine, "failure_of", telling),
        a_failed_question_stays_charged,
    ),
    "caps not checked": (
        patched(_Book, "check", lambda _: lambda self, request, rest: None),
        caps_hold,
    ),
    "no cap over all analysts": (patched(_Book, "scopes", lambda _: _Book.own_scope), caps_hold),
    "a repeated question drawn anew for nothing": (
        patched(Ledger, "reserve", free_redraw),
        nothing_new_is_free,
    ),
    "answers are not kept": (
        patched(_Book, "answers", lambda _: lambda self, request: []),
        nothing_new_is_free,
    ),
    "alternatives taken for confinement": (
        patched(session, "confined", confined_by_any),
        only_disjoint_questions_share_a_charge,
    ),
    "parallel charges for many rows": (
        patched(
            Session,
            "_request",
            lambda right: (
                lambda self, plan, who, fresh: dataclasses.replace(
                    right(self, plan, who, fresh=fresh),
                    box=confining.confined(plan.statement.select, self.dataset),
                )
            ),
        ),
        only_disjoint_questions_share_a_charge,
    ),
    "groups as found in the data": (
        patched(session, "rows_of", only_keys_seen),
        groups_are_the_declared_ones,
    ),
    "undeclared values grouped too": (
        patched(
            statements.CompiledQuestion,
            "cells",
            lambda right: property(lambda self: [*right.fget(self), right.fget(self)[0]]),
        ),
        groups_are_the_declared_ones,
    ),
    "any expression may be selected": (
        patched(functions.Writer, "write", select_anything),
        hostile_questions_are_refused,
    ),
    "what was not read is left out": (
        patched(statements, "parse", lambda right: lambda text: right(text.split(";")[0])),
        hostile_questions_are_refused,
    ),
    "a name for a token": (
        lambda monkeypatch: monkeypatch.setattr(
            "indistinct.questions.database.server.identify",
            trust_header(
                __import__("indistinct.questions.database.server", fromlist=["identify"]).identify
            ),
        ),
        strangers_are_kept_out,
    ),
    "no token needed": (
        lambda monkeypatch: monkeypatch.setattr(
            "indistinct.questions.database.server.identify", anybody(None)
        ),
        strangers_are_kept_out,
    ),
    "a coin that tells the truth too often": (
        patched(
            RandomizedResponse,
            "randomize",
            lambda right: (
                lambda self, codes, source: right(RandomizedResponse(2, 0.53), codes, source)
            ),
        ),
        answers_by_coin_are_deniable,
    ),
    "too sure a choice": (
        patched(
            Selection,
            "choose",
            lambda right: (
                lambda self, scores: right(dataclasses.replace(self, scale=self.scale / 2), scores)
            ),
        ),
        chosen_ranks_are_as_vague_as_promised,
    ),
    "undecided taken for proven": (
        patched(
            state,
            "verdict_of",
            lambda real: lambda checks: real([one for one in checks if one["state"] != UNDECIDED]),
        ),
        dishonest_releases_do_not_hold,
    ),
    "a claim of any size believed": (
        patched(verdict, "suppression_faults", lambda _: lambda reading, n_released: ()),
        dishonest_releases_do_not_hold,
    ),
    "digits of every script": (
        patched(texts_as_read, "ONE_NUMBER", lambda _: re.compile(r"\d+\Z")),
        dishonest_releases_do_not_hold,
    ),
    "records counted without their cells": (
        patched(original, "_multiset_faults", lambda _: lambda *frames: ()),
        dishonest_releases_do_not_hold,
    ),
    "more records than there are people": (
        patched(original, "_number_faults", lambda _: lambda evidence: ()),
        dishonest_releases_do_not_hold,
    ),
    "the order of the input overlooked": (
        patched(verdict, "order_faults", lambda _: lambda *_: ()),
        dishonest_releases_do_not_hold,
    ),
}

DETECTORS = list(dict.fromkeys(detector for _, detector in BUGS.values()))
CAUGHT = (AssertionError, pytest.fail.Exception)


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.__name__)
def test_the_code_as_it_is_passes_every_detector(tmp_path, detector):
    """A detector that always fails would catch every bug."""
    detector(tmp_path)


# One bug of each detector is planted in the fast run.
FIRST = {detector: name for name, (_, detector) in reversed(BUGS.items())}


@pytest.mark.parametrize("name", longer(BUGS, FIRST.values()))
def test_every_planted_bug_is_caught(tmp_path, monkeypatch, name):
    """A detector that always passes would catch none."""
    plant, detector = BUGS[name]
    plant(monkeypatch)
    with pytest.raises(CAUGHT):
        detector(tmp_path)


def test_every_detector_has_a_bug_to_catch():
    """A check of this page that no planted bug needs could be empty, and nobody would see it."""
    here = Path(__file__).read_text(encoding="utf-8")
    checks = set(re.findall(r"^def (\w+)\((?:folder|tmp_path)\)", here, flags=re.MULTILINE))
    assert checks == {detector.__name__ for detector in DETECTORS}
