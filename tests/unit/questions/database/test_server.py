"""The service: who asks is known from the token alone, and no reply depends on a row."""

from __future__ import annotations

import itertools
import json
import math
import socket
import threading
import time
from types import SimpleNamespace

import pytest
from scipy import stats

from hostile import HOSTILE
from indistinct.errors import AccessError, ParameterError, UsageError
from indistinct.questions.database import connect, end_token, open_session, served_session
from indistinct.questions.database.connections import PatientProtocol
from indistinct.questions.database.initialize import add_analyst
from indistinct.questions.database.limits import RateLimiter, ServiceLimits
from indistinct.questions.database.served_session import ServedSession
from indistinct.questions.database.server import serve
from indistinct.questions.database.workers import rest
from people import declare, person
from served import declare_with_analysts, live

COUNT = "SELECT COUNT(*) FROM people"


@pytest.fixture
def place(tmp_path):
    return declare_with_analysts(tmp_path)


@pytest.fixture
def client(place):
    with open_session(place[0]) as session, live(session) as found:
        yield found


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Serve one session to all requests that are refused and leave nothing behind."""
    folder, tokens = declare_with_analysts(tmp_path_factory.mktemp("kept"))
    with open_session(folder) as session, live(session) as found:
        yield found, tokens


def ask(client, token, question=COUNT, epsilon=0.1, headers=None, **more):
    body = {"question": question, "epsilon": epsilon, **more}
    return client.post(
        "/ask", json=body, headers={"Authorization": f"Bearer {token}", **(headers or {})}
    )


def test_an_answer_over_http_is_that_of_the_session(client, place):
    """Charged to the token's owner."""
    reply = ask(client, place[1]["alice"], epsilon=1)
    assert reply.status_code == 200
    assert abs(reply.json()["answer"] - 300) < 40
    assert (reply.json()["charged"], reply.json()["left"]) == (1, 49)
    again = ask(client, place[1]["alice"], epsilon="1")
    assert (again.json()["answer"], again.json()["charged"]) == (reply.json()["answer"], 0)


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer x"}, {"Authorization": "Basic eDp4"}]
)
@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/ask"), ("POST", "/price"), ("GET", "/ledger"), ("GET", "/schema")],
)
def test_without_a_token_nothing_is_said(kept, headers, method, path):
    """One constant answer."""
    body = {"question": COUNT, "epsilon": 1} if method == "POST" else None
    reply = kept[0].request(method, path, json=body, headers=headers)
    assert reply.status_code == 401
    assert reply.json()["error"] == "access"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}])
def test_everybody_sees_that_the_service_is_there(kept, headers):
    """The same words for all, whatever the token."""
    reply = kept[0].get("/health?verbose=1", headers=headers)
    assert (reply.status_code, reply.json()) == (200, {"ok": True})
    assert kept[0].post("/health", headers=headers).status_code == 405


def test_a_forged_header_changes_nothing(client, place):
    """Names in headers, in the body or in the address are not looked at."""
    forged = {"X-User": "bob", "User-Name": "bob", "X-Forwarded-User": "bob", "From": "bob"}
    assert ask(client, place[1]["alice"], headers=forged).status_code == 200
    assert ask(client, place[1]["alice"], analyst="bob").status_code == 400
    token = {"Authorization": f"Bearer {place[1]['boss']}"}
    assert {
        c["analyst"] for c in client.get("/ledger?analyst=bob", headers=token).json()["charges"]
    } == {"alice"}


def test_analysts_see_their_own_ledger_and_owners_all(client, place):
    """Bob does not see what Alice asked."""
    ask(client, place[1]["alice"])
    for name, lines in (("alice", 1), ("bob", 0), ("boss", 1)):
        reply = client.get("/ledger", headers={"Authorization": f"Bearer {place[1][name]}"})
        assert len(reply.json()["charges"]) == lines


def test_the_schema_says_what_odd_values_count_as(client, place):
    """Bounds, keys and substitutions; nothing of the data, the ledger or the tokens."""
    reply = client.get("/schema", headers={"Authorization": f"Bearer {place[1]['alice']}"})
    found = reply.json()
    columns = found["tables"]["people"]["columns"]
    assert columns["age"]["missing_counts_as"] is None
    assert "by lot" in found["rows_that_count"]
    assert columns["age_group"]["values"] == ["< 20", "[20, 50)", ">= 50"]
    assert "people.csv" not in reply.text
    assert "sha256" not in reply.text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"null",
        b"\xff",
        b'{"question": 1, "epsilon": 1}',
        b'{"question": "x"}',
        b'{"question": "x", "epsilon": 1, "seed": 4}',
        b'{"question": "x", "epsilon": NaN}',
        b'{"question": "SELECT COUNT(*) FROM people", "epsilon": true}',
        b'{"question": "SELECT COUNT(*) FROM people", "epsilon": 1, "dry_run": 1}',
        b'{"question": "SELECT COUNT(*) FROM people", "epsilon": 1, "fresh": "yes"}',
    ],
)
def test_malformed_requests_get_one_kind_of_answer(kept, body):
    """Status 400, three texts, and no word of the request."""
    client, tokens = kept
    headers = {"Authorization": f"Bearer {tokens['alice']}", "Content-Type": "application/json"}
    reply = client.post("/ask", content=body, headers=headers)
    assert reply.status_code == 400
    assert set(reply.json()) == {"error", "problem", "remedy"}


def test_hostile_sql_gets_one_kind_of_answer(client, place):
    """One status, one slug, one shape; questions too long for a body included."""
    seen = set()
    for text in HOSTILE:
        if len(text) <= 4000:
            reply = ask(client, place[1]["alice"], text)
            refused = reply.json()
            seen.add((reply.status_code, refused["error"], len(refused)))
            assert refused["problem"]
            assert refused["remedy"]
    assert seen == {(400, "question", 3)}


def test_too_much_is_refused_before_it_is_read(client, place):
    """A body beyond the limit, and one that does not say its length, however small it is."""
    headers = {"Authorization": f"Bearer {place[1]['alice']}"}
    assert client.post("/ask", content=b"x" * 20_000, headers=headers).status_code == 413
    for n_chunks in (1, 100):
        chunks = (b"x" * 1000 for _ in range(n_chunks))
        reply = client.post("/ask", content=chunks, headers=headers)
        assert (reply.status_code, reply.json()["error"]) == (411, "body")
        assert "give Content-Length" in reply.json()["problem"]


def test_the_error_may_be_given_in_place_of_epsilon(client, place):
    """A price first, then the answer; each within the error, for the least epsilon."""
    token = place[1]["alice"]
    prices = [
        ask(client, token, epsilon=None, error="10", dry_run=True, **more).json()
        for more in ({}, {"confidence": 0.5})
    ]
    assert prices[1]["price"] < prices[0]["price"]
    assert prices[0]["expected_error"] <= 10
    assert (prices[0]["charged"], prices[0]["left"]) == (0, 50)
    answered = ask(client, token, epsilon=None, error=10).json()
    assert answered["charged"] == prices[0]["price"]
    mean = "SELECT AVG(age) FROM people"
    refused = ask(client, token, mean, epsilon=None, error=3)
    assert refused.status_code == 400
    assert '"rows_expected"' in refused.json()["remedy"]
    assert "--" not in refused.text
    known = ask(client, token, mean, epsilon=None, error=3, rows_expected=300, dry_run=True)
    assert known.json()["expected_error"] <= 3


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"colour": 3}, "colour: is no field of this request"),
        ({"rows": "many"}, "rows: must be a whole number"),
        ({"rows_in_all": 1.5}, "rows_in_all: must be a whole number"),
        ({"epsilon": [1]}, "epsilon: must be a number"),
        ({"confidence": 2}, "confidence: is too large"),
        ({"question": None, "dry_run": 1}, "question: must be a text\ndry_run: must be true or"),
        ({"error": 1}, "error: and epsilon are both given"),
        ({"groups": 0}, '"groups": '),
        ({"a" * 41: 1}, "the request is not one of this service"),
        ({"<b>": 1}, "the request is not one of this service"),
    ],
)
def test_a_wrong_field_is_named(kept, more, problem):
    """As it stands in the request, all at once, and never with a value."""
    body = {"question": COUNT, "epsilon": 1, **more}
    client, tokens = kept
    headers = {"Authorization": f"Bearer {tokens['alice']}"}
    reply = client.post("/ask", json=body, headers=headers)
    assert reply.status_code == 400
    assert problem in reply.json()["problem"]
    assert "many" not in reply.text


QUESTIONS = [COUNT, "SELECT SUM(age) FROM people", f"{COUNT} WHERE age > 30"]


def own_price(epsilon):
    """Write a question that states its own epsilon."""
    return f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = {epsilon}) COUNT(*) FROM people"


def test_the_price_of_many_questions_comes_in_one_reply(client, place):
    """As the session says it, for the analyst's own budget; nothing is charged."""
    asker = connect(str(client.base_url), token=place[1]["alice"])
    found = asker.price(QUESTIONS, epsilon_in_all=6, weights=[1, 1, 2])
    assert [one["price"] for one in found.questions] == [1.5, 1.5, 3]
    assert (found.all, found.fits) == (6, True)
    priced = [
        asker.ask(one, epsilon=e, dry_run=True)
        for one, e in zip(QUESTIONS, (1.5, 1.5, 3), strict=True)
    ]
    assert [one["expected_error"] for one in found.questions] == [
        one.expected_error for one in priced
    ]
    own = asker.price([own_price(50), own_price(0.5)])
    assert (own.all, own.fits) == (50.5, False)  # of 100 in all, 50 are Alice's
    boss = connect(str(client.base_url), token=place[1]["boss"])
    assert boss.price([own_price(50.5)]).fits
    assert asker.ledger()["spent"] == 0


def test_a_client_asks_for_an_error(client, place):
    """The least epsilon, as in Python on the owner's machine."""
    asker = connect(str(client.base_url), token=place[1]["alice"])
    reply = asker.ask(COUNT, error=5)
    assert reply.expected_error <= 5
    assert 0.5 < reply.charged < 1


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"questions": []}, "questions: is empty"),
        ({"questions": [COUNT] * 101}, "questions: has too many entries"),
        ({"questions": COUNT}, "questions: must be a list"),
        ({"weights": [1]}, "weights: must be one number above 0 for each question"),
        ({"weights": [1, 0]}, "weights: "),
        ({"weights": [1, math.inf]}, "weights: "),
        ({"weights": [math.nan, 1]}, "weights: "),
        ({"epsilon_in_all": 0}, "epsilon_in_all: must be a number greater than 0"),
        ({"epsilon_in_all": None}, "epsilon: "),
        ({"rows_expected": 0}, "rows_expected: is too small"),
        ({"analyst": "bob"}, "analyst: is no field of this request"),
        ({"questions": [COUNT, "x", "y"]}, "question 2: "),
    ],
)
def test_a_wrong_request_for_prices_is_refused(kept, more, problem):
    """With the field, or the numbers of all questions that are wrong."""
    body = json.dumps({"questions": [COUNT, COUNT], "epsilon_in_all": 1, **more})
    client, tokens = kept
    headers = {"Authorization": f"Bearer {tokens['alice']}", "Content-Type": "application/json"}
    reply = client.post("/price", content=body, headers=headers)
    assert (reply.status_code, set(reply.json())) == (400, {"error", "problem", "remedy"})
    assert problem in reply.json()["problem"]
    assert ("question 3: " in reply.text) == ("question 2: " in reply.text)


def statuses(place, client, **headers):
    """Return the status of everybody's own ledger."""
    return {
        name: client.get("/ledger", headers={"Authorization": f"Bearer {token}"}).status_code
        for name, token in {**place[1], **headers}.items()
    }


def test_tokens_are_read_again_when_the_declaration_changes(place, monkeypatch):
    """New ones, ended ones and caps, while everything else stays as it was at the start."""
    path = place[0]
    clock = itertools.count(step=served_session.LOOK_EVERY_SECONDS)
    monkeypatch.setattr(served_session, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    with open_session(path) as session, live(session, declaration=path) as client:
        assert statuses(place, client) == {"alice": 200, "bob": 200, "boss": 200}
        ask(client, place[1]["alice"], epsilon=1)
        carol = add_analyst(path, name="carol", epsilon=2)
        assert end_token(path, name="bob")
        assert not end_token(path, name="bob")
        after = {"alice": 200, "bob": 401, "boss": 200, "carol": 200}
        assert statuses(place, client, carol=carol) == after
        assert ask(client, carol, epsilon=1).json()["left"] == 1
        assert ask(client, place[1]["alice"], epsilon=1).json()["left"] == 49
        text = path.read_text()
        path.write_text("[dataset")
        assert statuses(place, client, carol=carol) == after
        path.write_text(text.replace("epsilon = 2\n", "epsilon = 3\n"))
        assert ask(client, carol, epsilon=1).json()["left"] == 2
        path.unlink()
        assert statuses(place, client, carol=carol) == after


def test_the_declaration_is_looked_at_once_a_second(place, monkeypatch):
    """Not with every request, and well within ten seconds."""
    now, looks = [0.0], []
    monkeypatch.setattr(served_session, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(served_session, "state_of", lambda path: looks.append(now[0]) or (1,))
    with open_session(place[0]) as session:
        served = ServedSession(session, place[0])
        for now[0] in (100.0, 100.5, 100.9, 101.0, 101.5, 102.5):
            served.current()
    assert looks == [100.0, 101.0, 102.5]
    assert served_session.LOOK_EVERY_SECONDS <= 10


def test_only_a_known_analyst_has_a_token_to_end(place):
    """Nothing is written for another name."""
    before = place[0].read_text()
    with pytest.raises(AccessError, match="no analyst"):
        end_token(place[0], name="nobody")
    assert place[0].read_text() == before


def test_a_used_port_is_said_in_words(place):
    """Exit code 2, and the port by its number."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(UsageError, match=f"nothing can listen on port {port}") as caught:
            serve(place[0], port=port)
    assert caught.value.exit_code == 2


def test_a_budget_that_is_spent_is_said_so(client, place):
    """With the exact amounts, in billionths."""
    reply = ask(client, place[1]["alice"], epsilon=51)
    assert reply.status_code == 403
    assert reply.json()["asked"] == 51 * 10**9
    assert reply.json()["left"] == 50 * 10**9


def test_unknown_paths_and_methods_are_refused_alike(client):
    """In the shape of every other error."""
    assert client.get("/nothing").json()["error"] == "path"
    assert client.get("/ask").json()["error"] == "method"


def test_the_rate_of_each_analyst_is_limited(place):
    """Two at once, then one is too many; another analyst is not concerned."""
    limits = ServiceLimits(rate=0.001, burst=2)
    with open_session(place[0]) as session, live(session, limits) as client:
        statuses = [ask(client, place[1]["alice"]).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
        assert ask(client, place[1]["bob"]).status_code == 200


def test_a_bucket_fills_again(monkeypatch):
    """One question a second."""
    now = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(now) / 2)
    gate = RateLimiter(ServiceLimits(rate=1.0, burst=1.0))
    assert [gate.admits("a") for _ in range(4)] == [True, False, True, False]


def test_a_question_that_takes_too_long_is_given_up(place, monkeypatch):
    """With a constant answer; the charge stays."""
    with open_session(place[0]) as session:
        slow = type(session.engine)
        told, finished = threading.Event(), []
        wait = lambda *_: (told.wait(30) and finished.append(1)) or [(1,)]  # noqa: E731
        monkeypatch.setattr(slow, "fetch", wait)
        with live(session, ServiceLimits(timeout_seconds=0.05)) as client:
            reply = ask(client, place[1]["alice"])
            assert finished == []
            told.set()
            assert (reply.status_code, reply.json()["error"]) == (503, "engine")
        assert session.ledger.spent() == 10**8


def test_stuck_questions_hold_neither_others_nor_the_end(place, monkeypatch):
    """Alice's questions never end; Bob is answered, and the service stops at once."""
    with open_session(place[0]) as session:
        engine, told = type(session.engine), threading.Event()
        original = engine.fetch
        stuck = lambda self, sql: (  # noqa: E731
            told.wait(60) and [(1,)] if ".c0 " in sql else original(self, sql)
        )
        monkeypatch.setattr(engine, "fetch", stuck)
        with live(session, ServiceLimits(timeout_seconds=0.2, concurrent=6, share=4)) as client:
            for number in range(8):
                reply = ask(client, place[1]["alice"], f"{COUNT} WHERE age > {number}")
                assert (reply.status_code, reply.json()["error"]) == (503, "engine")
            assert ask(client, place[1]["bob"]).status_code == 200
            began = time.monotonic()
        assert time.monotonic() - began < 10
        assert all(t.daemon for t in threading.enumerate() if t.name == "question")
        told.set()


def talk(client, *pieces, pause=0.3):
    """Send raw bytes with pauses; give what comes back until the connection ends."""
    address = client.base_url.host, client.base_url.port
    with socket.create_connection(address, timeout=20) as line:
        for piece in pieces:
            line.sendall(piece)
            time.sleep(pause)
        answer = b""
        while part := line.recv(4096):
            answer += part
    return answer


def test_who_sends_too_slowly_is_dropped(place, monkeypatch):
    """Before the first byte, within the head, between two requests, within the body."""
    monkeypatch.setattr(PatientProtocol, "header_seconds", 0.5)
    head = (
        f"POST /ask HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {place[1]['alice']}\r\n"
        "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    ).encode()
    with (
        open_session(place[0]) as session,
        live(session, ServiceLimits(body_seconds=0.5)) as client,
    ):
        began = time.monotonic()
        assert talk(client) == b""
        assert talk(client, b"GET / HT", b"TP/1.1\r\nHo", b"st: x\r\n", pause=0.1) == b""
        assert talk(client, b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n").startswith(b"HTTP/1.1 404")
        assert talk(client, head, b'{"question": ').startswith(b"HTTP/1.1 408")
        assert time.monotonic() - began < 10
        assert ask(client, place[1]["alice"]).status_code == 200


def test_no_page_loads_scripts_and_the_document_needs_a_token(client, place):
    """No interactive pages; the OpenAPI document is for those who may ask."""
    headers = {"Authorization": f"Bearer {place[1]['alice']}"}
    for path in ("/docs", "/redoc", "/docs/oauth2-redirect"):
        assert client.get(path, headers=headers).status_code == 404
    assert client.get("/openapi.json").status_code == 401
    assert "/ask" in client.get("/openapi.json", headers=headers).json()["paths"]


def test_an_error_of_the_service_itself_says_nothing(place, monkeypatch, capfd):
    """It is told as one of the engine; the question is not in the reply nor on standard error."""
    with open_session(place[0]) as session:
        monkeypatch.setattr(type(session.engine), "fetch", lambda *_: 1 / 0)
        with live(session) as client:
            reply = ask(client, place[1]["alice"], f"{COUNT} WHERE note = 'marker'")
            assert (reply.status_code, reply.json()["error"]) == (503, "engine")
    assert capfd.readouterr().err == ""


def test_what_analysts_write_is_not_logged(client, place, capfd):
    """Neither hostile questions nor addresses nor broken requests reach standard error."""
    for text in (*(text for text in HOSTILE if len(text) < 300), "marker ("):
        ask(client, place[1]["alice"], text)
    client.get("/marker?marker=1", headers={"Authorization": "Bearer marker"})
    talk(client, b"marker marker marker\r\n\r\n")
    captured = capfd.readouterr()
    assert captured.err + captured.out == ""


def test_half_a_certificate_is_refused_in_words(place, tmp_path):
    """Certificate without key, key without certificate, and files that are none."""
    text = tmp_path / "text.pem"
    text.write_text("no certificate")
    for files in ({"certificate": text}, {"key": text}, {"certificate": text, "key": text}):
        with pytest.raises(ParameterError, match="certificate"):
            serve(place[0], **files)
    with pytest.raises(ParameterError, match="belong together"):
        serve(place[0], certificate=tmp_path / "gone", key=text)


@pytest.mark.parametrize("elapsed", [0.0, 0.001, 0.019, 0.02, 0.0201, 1.0])
def test_replies_leave_at_multiples_of_the_bucket(elapsed):
    """Never early, never twice as late."""
    whole = (elapsed + rest(elapsed, 0.02)) / 0.02
    assert whole == pytest.approx(round(whole))
    assert 0 <= rest(elapsed, 0.02) <= 0.02


def noise_and_time(folder, questions):
    """Ask for fresh draws; give the rank correlation of their size and the time of the reply."""
    path = declare(folder, [person(n) for n in range(50)], epsilon=10**6)
    token = add_analyst(path, name="alice")
    limits = ServiceLimits(bucket_seconds=0.004, rate=1e9, burst=1e9)
    sizes, times = [], []
    with open_session(path) as session, live(session, limits) as client:
        for number in range(questions + 50):
            began = time.perf_counter()
            reply = ask(client, token, epsilon=0.001, fresh=True)
            times.append(time.perf_counter() - began)
            sizes.append(abs(reply.json()["answer"] - 50))
            assert reply.status_code == 200, number
    return float(stats.spearmanr(sizes[50:], times[50:]).statistic)


def test_the_time_of_a_reply_says_nothing_of_its_noise(tmp_path):
    """Below 0.02, but for what 400 replies scatter (false alarm 1e-5)."""
    assert abs(noise_and_time(tmp_path, 400)) < 0.02 + 4.4 / math.sqrt(400)


@pytest.mark.slow
def test_the_rank_correlation_of_noise_and_time_is_below_a_fiftieth(tmp_path):
    """With 50,000 replies, of which chance alone reaches 0.02 once in 100,000 times."""
    assert abs(noise_and_time(tmp_path, 50_000)) < 0.02
