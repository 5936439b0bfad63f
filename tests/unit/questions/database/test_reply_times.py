"""When a reply leaves is fixed by question and declaration: no clock tells what noise hides."""

from __future__ import annotations

import asyncio
import random
import threading
import time

import pytest
from scipy import stats

from asked import planned
from indistinct.questions.database import open_session
from indistinct.questions.database.limits import ServiceLimits
from indistinct.questions.database.workers import Slot, Workers
from people import SOON
from served import declare_with_analysts, live

COUNT = "SELECT COUNT(*) FROM people"
SHARES = (0.0, 0.01, 0.03, 0.1, 0.3)  # of rows that a value holds
FALSE_ALARM = 1e-3


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time passes only while it waits, so that a thousand replies take a moment."""

    def __init__(self):
        super().__init__()
        self._now = 0.0

    def time(self):
        return self._now

    def _run_once(self):
        if not self._ready and self._scheduled:
            self._now = max(self._now, self._scheduled[0]._when)
        super()._run_once()


def seconds_of_work(share, chance):
    """Return how long a question works, as measured: longer where more rows hold a value."""
    return 0.1 + 0.7 * share + abs(chance.gauss(0, 0.01))


def reply_times(share, replies, slot, at_once=1, seed=0):
    """Return the times of replies on a simulated clock, from the request on.

    Parameters
    ----------
    slot : seconds that the work says it takes; 0 for none
    at_once : requests that one analyst sends together
    """
    loop = Clock()
    chance, times = random.Random(seed), []

    async def ask(workers):
        began = loop.time()
        await workers.run("alice", work)
        times.append(loop.time() - began)

    def work(told: Slot):
        told.seconds = slot
        loop._now += seconds_of_work(share, chance)

    async def everything():
        workers = Workers(64, ServiceLimits().share)
        for _ in range(replies // at_once):
            await asyncio.gather(*(ask(workers) for _ in range(at_once)))

    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(everything())
    finally:
        asyncio.set_event_loop(None)
        loop.close()
    return times


def told_apart(one, other):
    """Return whether two samples of times differ, with a false alarm of one in a thousand.

    Among times with ties the exact number may not be found, which is a warning.
    """
    return stats.ks_2samp(one, other, method="asymp").pvalue < FALSE_ALARM


@pytest.mark.parametrize("at_once", [1, 8])
def test_databases_that_differ_in_a_share_have_the_same_reply_times(at_once):
    """Of 400 replies, alone and in a queue, for shares of 0 to 30 %."""
    first = reply_times(0.0, 400, 1.0, at_once)
    for share in SHARES[1:]:
        other = reply_times(share, 400, 1.0, at_once, seed=1)
        assert not told_apart(first, other), share
        assert max(first + other) == pytest.approx(at_once, abs=0.1)


@pytest.mark.slow
def test_two_thousand_replies_tell_no_share(tmp_path):
    """The same with 2,000; the shorter test above runs every day."""
    del tmp_path
    first = reply_times(0.0, 2000, 1.0)
    assert not any(told_apart(first, reply_times(s, 2000, 1.0, seed=2)) for s in SHARES[1:])


def test_without_a_slot_a_share_is_told():
    """What the test notices: replies that leave when the work ends, or at multiples of 20 ms."""
    for slot in (0, 0.02):
        first, other = (reply_times(share, 100, slot, seed=3) for share in (0.0, 0.1))
        assert told_apart(first, other)


def test_the_slot_follows_from_question_and_declaration(tmp_path):
    """More groups and candidates take more slots; no row is looked at."""
    path, _ = declare_with_analysts(tmp_path, values={"city": [str(n) for n in range(900)]})
    with open_session(path) as session:
        plans = [
            planned(text, session.dataset)
            for text in (COUNT, "SELECT MEDIAN(age) FROM people GROUP BY city")
        ]
    assert [plan.slots for plan in plans] == [1, 1 + 902 * 101 // 20_000]


SLOT = 0.15


@pytest.fixture
def served(tmp_path):
    """Serve people with a slot of their own; give the client, tokens and the engine's class."""
    path, tokens = declare_with_analysts(tmp_path)
    path.write_text(path.read_text().replace(SOON, f"[dataset]\nreply_seconds = {SLOT}\n"))
    with open_session(path) as session, live(session) as client:
        yield client, tokens, type(session.engine)


def timed(client, token, **body):
    """Ask; give status and seconds."""
    began = time.monotonic()
    headers = {"Authorization": f"Bearer {token}"}
    reply = client.post("/ask", json={"epsilon": 0.1, **body}, headers=headers)
    return reply.status_code, time.monotonic() - began


def test_a_reply_over_http_leaves_at_its_time(served, monkeypatch):
    """New, repeated, failed: after the slot; refused by its text or a dry run: before."""
    client, tokens, engine = served
    timed(client, tokens["alice"], question=COUNT, dry_run=True)
    for _ in range(2):
        status, seconds = timed(client, tokens["alice"], question=COUNT)
        assert status == 200
        assert seconds >= SLOT
    monkeypatch.setattr(engine, "fetch", lambda *_: 1 / 0)
    status, seconds = timed(client, tokens["alice"], question=f"{COUNT} WHERE age > 1")
    assert (status, seconds >= SLOT) == (503, True)


def test_work_that_is_longer_takes_a_whole_multiple(served, monkeypatch):
    """One and a half slots are two."""
    client, tokens, engine = served
    timed(client, tokens["alice"], question=COUNT)
    monkeypatch.setattr(engine, "fetch", lambda *_: time.sleep(1.5 * SLOT) or [(1,)])
    status, seconds = timed(client, tokens["alice"], question=f"{COUNT} WHERE age > 1")
    assert status == 200
    assert seconds >= 2 * SLOT


def test_what_waits_behind_a_question_tells_nothing_of_it(served):
    """Two questions of one analyst at once: the second takes two slots, whatever the first did."""
    client, tokens, _ = served
    timed(client, tokens["alice"], question=COUNT)

    def ask(number):
        timed(client, tokens["alice"], question=f"{COUNT} WHERE age > {number}")

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(2)]
    started = time.perf_counter()  # before either: the one that waits may be sent a little later
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.perf_counter() - started >= 2 * SLOT
