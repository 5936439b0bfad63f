"""A small client of the service, with nothing but the standard library."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, final
from urllib.parse import urlsplit

from indistinct.base.former_names import former_names
from indistinct.base.inputs import json_document
from indistinct.errors import (
    AccessError,
    BudgetExceededError,
    EngineError,
    Fault,
    IndistinctError,
    ParameterError,
    QuestionError,
    UsageError,
)
from indistinct.questions.database.pricing import BatchPrice
from indistinct.questions.database.reply import Reply

KINDS: dict[str, type[IndistinctError]] = {
    kind.slug: kind for kind in (AccessError, EngineError, ParameterError, QuestionError)
}
TIMEOUT_SECONDS = 120.0


@final
@dataclass(frozen=True, slots=True)
class Client:
    """Asks a served dataset.

    Parameters
    ----------
    url : of the service, with https unless it is on this machine
    token : what the owner gave
    """

    url: str
    token: str = field(repr=False)

    @former_names(positional=("epsilon",))
    def ask(
        self,
        question: str,
        *,
        epsilon: Any = None,
        dry_run: bool = False,
        fresh: bool = False,
        **options: Any,
    ) -> Reply:
        """Ask a question; options and errors are those of :meth:`Session.ask`."""
        body = {
            "question": question,
            "epsilon": epsilon,
            "dry_run": dry_run,
            "fresh": fresh,
            **options,
        }
        return Reply(**self._request("POST", "/ask", body))

    def price(
        self,
        questions: Sequence[str],
        *,
        epsilon_in_all: Any = None,
        weights: Sequence[float] | None = None,
        rows_expected: int | None = None,
    ) -> BatchPrice:
        """Return what questions would cost together, and charge nothing.

        Options and errors are those of :func:`~indistinct.questions.database.price`; whether all
        fit is said of the budget of this analyst.
        """
        body = {
            "questions": list(questions),
            "epsilon_in_all": epsilon_in_all,
            "weights": None if weights is None else list(weights),
            "rows_expected": rows_expected,
        }
        return BatchPrice(**self._request("POST", "/price", body))

    def schema(self) -> dict[str, Any]:
        """Return what may be asked: table, columns, bounds, keys, and how missing values count."""
        return self._request("GET", "/schema")

    def ledger(self) -> dict[str, Any]:
        """Return what was spent: by this analyst, or by all if the token is an owner's."""
        return self._request("GET", "/ledger")

    def _request(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        connection = self._connection()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            text = None if body is None else json.dumps(body, default=str)
            connection.request(method, urlsplit(self.url).path.rstrip("/") + path, text, headers)
            response = connection.getresponse()
            document = json_document(response.read())
        except (OSError, HTTPException, ValueError):
            raise EngineError("the service does not answer", "Check its address.") from None
        finally:
            connection.close()
        if response.status != 200:  # noqa: PLR2004 - the protocol's word for done
            raise error_of(document)
        return document

    def _connection(self) -> HTTPConnection:
        parts = urlsplit(self.url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        return kind(parts.hostname or "localhost", parts.port, timeout=TIMEOUT_SECONDS)


def error_of(document: dict[str, Any]) -> IndistinctError:
    """Make the error that a reply describes."""
    slug = document.get("error", "")
    if slug == BudgetExceededError.slug:
        asked, left, unit = document["asked"], document["left"], document["unit"]
        most, renews = document.get("most"), document.get("renews")
        return BudgetExceededError(asked, left, unit, most, renews)
    fault = Fault(
        "", str(document.get("problem", "the service refused")), str(document.get("remedy", ""))
    )
    return KINDS.get(slug, UsageError)([fault])


@former_names(positional=("token",))
def connect(url: str, *, token: str) -> Client:
    """Return a client of a served dataset."""
    return Client(url, token)
