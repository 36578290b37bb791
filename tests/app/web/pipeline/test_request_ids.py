"""Request ids: in every response and log line; only a trusted proxy may set them."""

from __future__ import annotations

import json
import logging

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

from app.platform.observability.logs import JsonLines, request_id
from app.web.pipeline.observation import random_id

OURS = "the-same-id"
PROXY = "10.0.0.1"


@cases(
    "target",
    [
        "/api/public/v1/health",
        "/api/public/v1/pages",
        "/api/no-such",
        "/api/public/v1/pages/%zz",
        "/ae/en",
        "/no-such",
        "/robots.txt",
    ],
)
def test_every_response_has_an_id(sample: Visitor, target: str) -> None:
    """Errors, pages and cached responses have exactly one."""
    for _ in range(2):
        assert sample.get(target).headers.getlist("X-Request-Id") == [OURS]


def test_ids_are_unique() -> None:
    """They are random."""
    assert len({random_id() for _ in range(1_000)}) == 1_000


@pytest.mark.parametrize(
    ("peer", "sent", "expected"),
    [
        pytest.param(PROXY, "abc-123_X.y", "abc-123_X.y", id="a proxy's"),
        pytest.param("203.0.113.7", "abc-123_X.y", OURS, id="an untrusted peer's"),
        pytest.param(PROXY, "", OURS, id="empty"),
        pytest.param(PROXY, "x" * 65, OURS, id="too long"),
        pytest.param(PROXY, 'a"b', OURS, id="with a quote"),
        pytest.param(PROXY, "a b", OURS, id="with a blank"),
    ],
)
def test_only_a_trusted_proxy_may_set_the_id(
    visit: Visit, peer: str, sent: str, expected: str
) -> None:
    """Malformed ids are replaced."""
    visitor = visit({}, trusted_proxies="10.0.0.0/8")
    reply = visitor.ask("GET", "/api/public/v1/pages", {"X-Request-Id": sent}, peer)
    assert reply.headers["X-Request-Id"] == expected


def test_a_line_of_log_is_one_json_object_with_the_id() -> None:
    """Line feeds, quotes and tracebacks are escaped."""
    try:
        int("no number")
    except ValueError as error:
        raised = (type(error), error, error.__traceback__)
    record = logging.LogRecord("app.x", logging.ERROR, "x.py", 1, 'a\n"%s"', ("é",), raised)
    token = request_id.set("id-1")
    try:
        line = JsonLines().format(record)
    finally:
        request_id.reset(token)
    assert "\n" not in line
    record_json = json.loads(line)
    assert record_json["message"] == 'a\n"é"'
    assert (record_json["level"], record_json["logger"], record_json["request"]) == (
        "ERROR",
        "app.x",
        "id-1",
    )
    assert record_json["error"].endswith(
        "ValueError: invalid literal for int() with base 10: 'no number'"
    )
    assert record_json["time"].endswith("+00:00")


SECRETS = {
    "email": "secret.person@example.test",
    "name": "Secret Name",
    "phone": "0501112233",
    "company": "Secret Company",
    "message": "Secret message",
}


def test_nothing_personal_is_logged(visit: Visit, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the fields nor the client's address, whether the lead is stored, refused or fails."""
    caplog.set_level(logging.DEBUG, "app")
    visitor = visit({})
    peer = "203.0.113.77"
    lead = visitor.post("/api/leads", SECRETS, {"Idempotency-Key": "secret-key"}, peer)
    visitor.post("/api/leads", SECRETS | {"topic": "Secret topic"}, peer=peer)
    visitor.post("/api/leads", SECRETS | {"website": "Secret site"}, peer=peer)
    broken = visit({}, database_url="sqlite:////proc/no-such/majlis.db")
    broken.post("/api/leads", SECRETS, peer=peer)
    logged = "\n".join(JsonLines().format(record) for record in caplog.records)
    assert lead.json["id"] in logged
    assert "Database unavailable" in logged
    for secret in (*SECRETS.values(), "secret-key", "Secret topic", "Secret site", peer):
        assert secret not in logged
