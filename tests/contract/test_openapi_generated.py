"""Requests made up from the OpenAPI document: whatever it allows is answered as it says."""

from __future__ import annotations

from typing import Any

import pytest
import requests
import schemathesis
from contract.visitor import Visitor
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok
from schemathesis.core.transport import Response
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

Operation = APIOperation[Any, Any, Any, Any]
Case = schemathesis.Case[Any]

KEPT = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
CHECKS = {
    schemathesis.GenerationMode.POSITIVE: [*KEPT, positive_data_acceptance],
    schemathesis.GenerationMode.NEGATIVE: [*KEPT, negative_data_rejection],
}

# No URL of ours holds the NUL character; JSON Schema has no short word for that.
CONFIG = SchemathesisConfig.from_dict({"generation": {"allow-x00": False}})


@pytest.mark.parametrize("mode", CHECKS, ids=lambda mode: mode.name.lower())
def test_made_up_requests_are_answered_as_documented(
    sample: Visitor, mode: schemathesis.GenerationMode
) -> None:
    """Status, type, headers and body are among those listed; only good requests are taken."""
    document = schemathesis.openapi.from_dict(sample.get("/openapi.json").json, config=CONFIG)
    found = list(document.get_all_operations())
    operations = [each.ok() for each in found if isinstance(each, Ok)]
    assert len(operations) == len(found)
    # What is sent has tests of its own; the partner's token is not to be made up.
    operations = [each for each in operations if is_open_read(each)]
    assert len(operations) > 40
    if mode is schemathesis.GenerationMode.NEGATIVE:
        # Others cannot be asked wrongly.
        operations = [each for each in operations if each.query or each.body]
    for operation in operations:
        try_out(sample, operation, mode)


def is_open_read(operation: Operation) -> bool:
    """Whether it is a GET that needs no token."""
    return operation.method == "get" and not operation.definition.raw["security"]


def try_out(visitor: Visitor, operation: Operation, mode: schemathesis.GenerationMode) -> None:
    """Some requests to one operation."""

    @settings(
        max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(operation.as_strategy(generation_mode=mode))
    def answered(case: Case) -> None:
        case.validate_response(asked(visitor, case), checks=CHECKS[mode])

    answered()


def asked(visitor: Visitor, case: Case) -> Response:
    """What the service answers, in this process, to a case."""
    arguments = case.as_transport_kwargs(base_url="http://testserver")
    sent = requests.Request(
        **{
            name: arguments[name]
            for name in ("method", "url", "headers", "params", "json", "data")
            if name in arguments
        }
    ).prepare()
    plain = {name: str(value) for name, value in sent.headers.items()}
    plain["Accept-Encoding"] = "identity"
    body = sent.body if isinstance(sent.body, bytes) else str(sent.body or "").encode()
    reply = visitor.ask(case.method, sent.path_url, plain, body=body)
    headers = {name: reply.headers.getlist(name) for name, _ in reply.headers}
    return Response(reply.status, headers, reply.body, request=sent, elapsed=0, verify=False)
