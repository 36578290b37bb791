"""POST feedback: accepted and refused reports, and the responses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from cases import cases
from conftest import Visit
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import BASE_URL, NOW, Reply, Visitor

from app.features.feedback.routes import ALLOWED
from app.features.feedback.routes import BUCKET as FEEDBACK
from app.features.feedback.store import (
    MAX_MESSAGE,
    MAX_PATH,
    Feedback,
    FeedbackStore,
    Kind,
    StoredFeedback,
)
from app.features.leads.submission import LEADS_BUCKET as LEADS
from app.services import Services

PATH = "/api/public/v1/feedback"
CLIENT = "203.0.113.7"
REPORT = {"path": "/sa/ar/pricing#plans", "message": "سعر الباقة قديم.", "kind": "outdated"}


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    """An application without content, which accepts leads of another origin."""
    empty = Path(__file__).parent / "no-content"
    with Visitor(content_dir=empty, leads_origins="https://shop.example") as started:
        yield started


def stored(visitor: Visitor) -> list[StoredFeedback]:
    """Return and delete all reports that the application has stored."""
    services: Services = visitor.quart.extensions["majlis"]

    async def work() -> list[StoredFeedback]:
        reports = [each async for each in services.part(FeedbackStore).all()]
        await services.part(FeedbackStore).delete([each.id for each in reports])
        return reports

    return visitor.run(work())


def refused(reply: Reply, status: int) -> str:
    """Check an error and return its resolution."""
    assert reply.status == status
    assert violations(ERROR_ENVELOPE, reply.json) == []
    return str(reply.json["error"]["resolution"])


def test_a_report_is_stored_and_its_id_returned(visitor: Visitor) -> None:
    """With all fields as they were sent; the response is not cached."""
    reply = visitor.post(PATH, {**REPORT, "unknown": 1})
    (report,) = stored(visitor)
    assert (reply.status, reply.json) == (200, {"ok": True, "id": report.id})
    assert reply.headers["Cache-Control"] == "no-store"
    assert (report.received_at, report.feedback) == (NOW, Feedback.model_validate(REPORT))


def test_the_kind_is_optional(visitor: Visitor) -> None:
    """Without it the report is of the kind `other`."""
    visitor.post(PATH, {"path": "/", "message": "x"})
    assert stored(visitor)[0].feedback.kind == "other"


@cases(
    ("sent", "path"),
    [
        pytest.param(f"{BASE_URL}/ae/en/erp", "/ae/en/erp", id="URL of this site"),
        pytest.param("/ae/en/erp.md#vat", "/ae/en/erp#vat", id="per-format path"),
        pytest.param("/ae/en/index.json", "/ae/en", id="per-format path of a home page"),
        pytest.param("/ae/en/search?q=my+name", "/ae/en/search", id="query"),
    ],
)
def test_a_path_is_stored_in_its_canonical_form(visitor: Visitor, sent: str, path: str) -> None:
    """So that all reports about a page are found together, without what a person typed."""
    assert visitor.post(PATH, {**REPORT, "path": sent}).status == 200
    assert stored(visitor)[0].feedback.path == path


@cases(
    ("fields", "wrong"),
    [
        pytest.param({}, ["path", "message"], id="nothing"),
        pytest.param({**REPORT, "path": "pricing"}, ["path"], id="no site path"),
        pytest.param({**REPORT, "path": "https://evil.example/"}, ["path"], id="another site"),
        pytest.param({**REPORT, "path": "/" + "x" * MAX_PATH}, ["path"], id="long path"),
        pytest.param({**REPORT, "message": " \n "}, ["message"], id="blank message"),
        pytest.param({**REPORT, "message": "a\0b"}, ["message"], id="NUL"),
        pytest.param({**REPORT, "message": "x" * (MAX_MESSAGE + 1)}, ["message"], id="long"),
        pytest.param({**REPORT, "kind": "praise"}, ["kind"], id="unknown kind"),
        pytest.param(
            {"path": 1, "message": None, "kind": []}, ["path", "message", "kind"], id="types"
        ),
    ],
)
def test_every_invalid_field_is_named_with_what_it_allows(
    visitor: Visitor, fields: dict[str, Any], wrong: list[str]
) -> None:
    """400, and nothing is stored."""
    advice = refused(visitor.post(PATH, fields), 400)
    assert advice == "Send " + "; ".join(f"{name} as {ALLOWED[name]}" for name in wrong) + "."
    assert stored(visitor) == []


def test_the_limits_in_messages_are_those_of_the_fields(sample: Visitor) -> None:
    """Also in the OpenAPI document."""
    schemas = sample.get("/openapi.json").json["components"]["schemas"]
    properties = schemas["Feedback"]["properties"]
    assert set(ALLOWED) == set(properties)
    assert properties["message"]["maxLength"] == MAX_MESSAGE
    assert properties["path"]["maxLength"] == MAX_PATH
    assert properties["kind"]["enum"] == list(get_args(Kind))


@cases(
    ("body", "content_type", "status"),
    [
        pytest.param(b"{", "application/json", 400, id="no JSON"),
        pytest.param(b"[]", "application/json", 400, id="no object"),
        pytest.param(b"path=/", "application/x-www-form-urlencoded", 415, id="a form"),
        pytest.param(b" " * 65_537, "application/json", 413, id="too large"),
    ],
)
def test_other_bodies_are_refused(
    visitor: Visitor, body: bytes, content_type: str, status: int
) -> None:
    """With what to send instead."""
    assert refused(visitor.ask("POST", PATH, {"Content-Type": content_type}, body=body), status)


@cases(
    ("origin", "status"),
    [
        pytest.param(BASE_URL, 200, id="own"),
        pytest.param("https://shop.example", 200, id="allowed"),
        pytest.param("https://evil.example", 403, id="foreign"),
    ],
)
def test_browsers_may_send_feedback_from_the_pages_that_may_send_leads(
    visitor: Visitor, origin: str, status: int
) -> None:
    """From others it is refused, and nothing is stored."""
    assert visitor.post(PATH, REPORT, {"Origin": origin}).status == status
    assert len(stored(visitor)) == (status == 200)


def test_feedback_is_limited_like_leads_but_counted_apart(visit: Visit) -> None:
    """After twelve reports in ten minutes a client gets 429, and may still send a lead."""
    visitor = visit({})
    assert (FEEDBACK.limit, FEEDBACK.seconds) == (LEADS.limit, LEADS.seconds)
    statuses = [
        visitor.post(PATH, {**REPORT, "message": str(number)}, peer=CLIENT).status
        for number in range(FEEDBACK.limit + 1)
    ]
    assert statuses == [200] * FEEDBACK.limit + [429]
    lead = visitor.post("/api/public/v1/leads", {"email": "noor@example.test"}, peer=CLIENT)
    assert lead.status == 200
    assert len(stored(visitor)) == FEEDBACK.limit
