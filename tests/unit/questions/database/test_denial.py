"""What one question or one connection takes is bounded, with a token and without."""

from __future__ import annotations

import socket
import ssl
import subprocess
import time
from decimal import Decimal
from pathlib import Path

import pytest

from asked import planned, read
from indistinct.errors import ParameterError, QuestionError
from indistinct.questions.database import connections, open_session
from indistinct.questions.database.connections import (
    MOST_CONNECTIONS,
    PatientProtocol,
    most_connections,
)
from indistinct.questions.database.loading import build
from indistinct.questions.database.relational.sizes import MOST_BYTES
from served import declare_with_analysts, live

COUNT = "SELECT COUNT(*) FROM people"
K = 10_000


@pytest.fixture
def place(tmp_path):
    return declare_with_analysts(tmp_path)


def talk(client, *pieces, limit=1 << 20):
    """Send raw bytes until the other end closes; give what came back and how much was taken."""
    with socket.create_connection((client.base_url.host, client.base_url.port), 20) as line:
        taken, answer = 0, b""
        try:
            for piece in pieces:
                line.sendall(piece)
                taken += len(piece)
        except OSError:
            pass
        try:
            while (part := line.recv(65_536)) and len(answer) < limit:
                answer += part
        except OSError:
            pass
    return answer, taken


HEAD = b"POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNK = b"%x\r\n" % (1 << 16) + b" " * (1 << 16) + b"\r\n"
BODIES = [
    (b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", b"400"),
    (b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", b"400"),
    (b"Transfer-Encoding: chunked\r\n\r\n", b"411"),
    (b"Content-Length: 99999999\r\n\r\n", b"413"),
    (b"Content-Length: 99999999999999999999999999\r\n\r\n", b"400"),
]


@pytest.mark.parametrize(("head", "status"), BODIES, ids=range(len(BODIES)))
def test_no_body_is_taken_beyond_its_limit(place, head, status):
    """Whatever its head says, the connection ends before a few megabytes have gone through."""
    with open_session(place[0]) as session, live(session) as client:
        answer, taken = talk(client, HEAD + head, *[CHUNK] * 800)
    assert taken < 40 << 20
    assert not answer or answer.split()[1] == status


@pytest.mark.parametrize("head", [head for head, _ in BODIES[:2]], ids=range(2))
def test_two_lengths_of_one_body_are_refused(place, head):
    """Whoever stands in between could read another request out of it."""
    with open_session(place[0]) as session, live(session) as client:
        answer, _ = talk(client, HEAD + head + b"2\r\n{}\r\n0\r\n\r\n")
    assert answer.split()[1] == b"400"
    assert b"connection: close" in answer.lower()


def idle(address, count):
    """Open connections that say nothing, or only the beginning of a request."""
    said = (b"", b"GET / HTTP/1.1\r\n", HEAD + b"Content-Length: 50\r\n\r\n{")
    lines = []
    for number in range(count):
        line = socket.create_connection(address, 5)
        line.sendall(said[number % 3])
        lines.append(line)
    return lines


def is_closed(line):
    """Return whether the other end has closed a connection."""
    line.settimeout(0.02)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_connections_that_say_nothing_keep_nobody_out(place, monkeypatch):
    """Three times as many as there may be, and a question is answered all the same."""
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 12)
    headers = {"Authorization": f"Bearer {place[1]['alice']}"}
    with open_session(place[0]) as session, live(session) as client:
        address = client.base_url.host, client.base_url.port
        for number in range(3):
            lines = idle(address, 36)
            body = {"question": f"{COUNT} WHERE age > {number}", "epsilon": 0.1}
            assert client.post("/ask", json=body, headers=headers).status_code == 200
            assert len(lines) - sum(map(is_closed, lines)) <= 12
            for line in lines:
                line.close()


def test_files_are_left_for_the_ledger():
    """A quarter of what a process may open, and 256 at most."""
    assert MOST_CONNECTIONS == 256
    assert 1 <= most_connections() <= 256


def certificate(folder):
    """Make a certificate of this machine's own."""
    files = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
         "-days", "1", "-out", files[0], "-keyout", files[1]],
        check=True, capture_output=True,
    )  # fmt: skip
    return files


def test_tls_that_says_nothing_is_dropped_and_tls_that_speaks_is_answered(
    place, tmp_path, monkeypatch
):
    """The handshake has as long as a head has; silent ones keep nobody out."""
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 12)
    files = certificate(tmp_path)
    context = ssl.create_default_context(cafile=files[0])
    context.check_hostname = False
    with open_session(place[0]) as session, live(session, tls=files) as client:
        address = client.base_url.host, client.base_url.port
        lines = [socket.create_connection(address, 5) for _ in range(30)]
        for _ in range(20):  # a request may come together with the end of the handshake
            with context.wrap_socket(socket.create_connection(address, 20)) as line:
                line.sendall(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
                assert line.recv(4096).startswith(b"HTTP/1.1 404")
        monkeypatch.setattr(PatientProtocol, "header_seconds", 0.3)
        began = time.monotonic()
        with socket.create_connection(address, 20) as line:
            assert line.recv(1) == b""
        assert time.monotonic() - began < 5
        for line in lines:
            line.close()


def declared(**columns):
    """Declare columns of a table that nobody reads."""
    dataset = {"name": "d", "data": "d.csv", "table": "t", "person": "id", "ledger": "l"}
    budget = {"epsilon": Decimal(10)}
    return build({"dataset": dataset, "budget": budget, "columns": columns}, Path())


LARGE = declared(
    x={"type": "number", "bounds": [Decimal(0), Decimal(100_000)]},
    a={"type": "text", "values": [f"a{n}" for n in range(300)]},
    b={"type": "text", "values": [f"b{n}" for n in range(330)]},
    long={"type": "text", "values": ["x" * 9_000 + str(n) for n in range(300)]},
    sex={"type": "text", "values": ["F", "M"]},
    k={"type": "text", "values": [f"v{n}" for n in range(K)]},
    n={"type": "number", "values": [Decimal(n) for n in range(K)]},
)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("SELECT MEDIAN(x) FROM t GROUP BY a, b", "not known beforehand"),
        ("SELECT MEDIAN(x) FROM t GROUP BY k", "possible quantile"),
        ("SELECT QUANTILE(x, 0.9) FROM t GROUP BY n", "possible quantile"),
        ("SELECT a, b, COUNT(*) FROM t GROUP BY a, b", "not known beforehand"),
        ("SELECT SUM(x) FROM t GROUP BY k, a", "not known beforehand"),
        ("SELECT COUNT(*) FROM t GROUP BY long, sex", "groups"),
    ],
)
def test_an_answer_that_is_too_long_is_refused_before_anything_is_charged(question, reason):
    """By groups times candidates, and by the bytes of the reply."""
    with pytest.raises(QuestionError, match=reason):
        planned(question, LARGE)


def test_the_longest_answer_that_is_allowed_stays_within_its_bytes():
    """A third of the groups pass."""
    plan = planned("SELECT a, COUNT(*) FROM t GROUP BY a", LARGE)
    assert len(plan.statement.cells) * 200 < MOST_BYTES


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
@pytest.mark.parametrize("question", ["COUNT(*) FROM t", "COUNT(*) FROM t GROUP BY k",
                                      "COUNT(*) FROM t WHERE k <> 'v1'"])  # fmt: skip
def test_every_question_has_a_least_price(accounting, question):
    """The remedy names it, and it is enough; a budget pays for a bounded number of bytes."""
    budget = {"epsilon": Decimal(10), "accounting": accounting, "delta": 1e-6}
    dataset = build(
        {
            "dataset": {"name": "d", "data": "d.csv", "table": "t", "person": "i", "ledger": "l"},
            "budget": budget,
            "columns": {"k": {"type": "text", "values": [f"v{n}" for n in range(K)]}},
        },
        Path(),
    )
    asked = f"SELECT {question}"
    with pytest.raises(ParameterError, match="least price") as caught:
        planned(asked, dataset, "0.000000001" if accounting == "pure" else "0.0001")
    words = caught.value.faults[0].remedy.split()
    assert planned(asked, dataset, words[words.index("=") + 1]).price > 0


SLOW = {
    "equal numbers": " OR ".join(f"n = {n}" for n in range(99)),
    "unequal numbers": " AND ".join(f"n <> {n}" for n in range(2)),
    "numbers not declared": " OR ".join(f"n = {n}.5" for n in range(99)),
    "equal texts": " OR ".join(f"k = 'v{n}'" for n in range(99)),
    "lists": "n IN (" + ", ".join(map(str, range(99))) + ")",
    "between": " OR ".join(f"n BETWEEN {n} AND {n + 1}" for n in range(49)),
    "nested": "NOT (" * 8 + "k = 'v1' OR n = 2" + ")" * 8,
}


@pytest.mark.parametrize("condition", SLOW.values(), ids=SLOW)
def test_a_question_is_read_in_50_ms(condition):
    """Of a processor, over ten thousand declared values; the best of three."""
    seconds = []
    for _ in range(3):
        began = time.thread_time()
        read(f"SELECT COUNT(*) FROM t WHERE {condition}", LARGE)
        seconds.append(time.thread_time() - began)
    assert min(seconds) < 0.05
