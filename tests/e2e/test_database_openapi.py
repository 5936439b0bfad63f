"""The service keeps to its OpenAPI document, whatever it is sent."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from indistinct.questions.database import open_session
from indistinct.questions.database.limits import ServiceLimits
from served import declare_with_analysts, live
from shared import examples

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    path, tokens = declare_with_analysts(tmp_path_factory.mktemp("served"))
    limits = ServiceLimits(bucket_seconds=0.001, rate=1e9, burst=1e9)
    with open_session(path) as session, live(session, limits) as client:
        url = str(client.base_url).rstrip("/")
        headers = {"Authorization": f"Bearer {tokens['alice']}"}
        document = schemathesis.openapi.from_url(f"{url}/openapi.json", headers=headers)
        yield document, tokens["alice"]


WAYS = [("POST", "/ask"), ("GET", "/schema"), ("GET", "/ledger")]


@pytest.mark.parametrize(("method", "path"), WAYS)
def test_no_request_finds_a_server_error(service, method, path):
    """Requests by chance, with a token and without: answered as the document says."""
    schema, token = service

    @settings(examples(25), suppress_health_check=list(HealthCheck))
    @given(case=schema[path][method].as_strategy())
    def ask(case):
        for headers in ({"Authorization": f"Bearer {token}"}, {"Authorization": "Bearer x"}):
            response = case.call(headers=headers)
            case.validate_response(response, checks=CHECKS)

    ask()


def test_no_malformed_request_finds_a_server_error(service):
    """Bodies that break the document are refused as the document says."""
    schema, token = service
    broken = schema["/ask"]["POST"].as_strategy(generation_mode=GenerationMode.NEGATIVE)

    @settings(examples(40), suppress_health_check=list(HealthCheck))
    @given(case=broken)
    def ask(case):
        response = case.call(headers={"Authorization": f"Bearer {token}"})
        case.validate_response(response, checks=CHECKS)
        assert response.status_code in range(400, 500)

    ask()
