"""The sender against a real receiver: every response and failure gives a result in time."""

from __future__ import annotations

import json
import ssl
import time
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cases import cases
from contract.visitor import NOW
from live.server import free_port
from standardwebhooks import Webhook, WebhookVerificationError
from storefront import receiver as script
from storefront.certificates import self_signed
from storefront.receiver import Receiver, Responder, answers

from app.platform.deliveries.delivery import AttemptResult, Delivery, DeliveryKind, DeliveryStatus
from app.platform.deliveries.http_client import Timeouts, WebhookSender, retry_after

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
QUICK = Timeouts(connect=0.3, total=0.5)
BODY = json.dumps({"name": "طابعة"}, ensure_ascii=False).encode()
DELIVERY = Delivery(
    kind=DeliveryKind("order"),
    subject_id="1",
    subject="WH-1",
    body=BODY,
    id="msg_1",
    status=DeliveryStatus.PENDING,
    attempts=0,
    created_at=NOW,
    next_attempt_at=NOW,
    leased_until=None,
    response_status=None,
    error=None,
)


async def sent_to(url: str, secret: str = "", timeouts: Timeouts = QUICK) -> AttemptResult:
    """Make one attempt and return its result."""
    async with aclosing(WebhookSender(url, secret, timeouts)) as sender:
        return await sender.send(DELIVERY, datetime.now(UTC))


@cases(
    ("answer", "status", "error"),
    [
        pytest.param(answers(200), 200, None, id="200"),
        pytest.param(answers(204, body=b""), 204, None, id="204"),
        pytest.param(answers(302, "Location: /other"), 302, "answered 302", id="redirect"),
        pytest.param(
            answers(307, "Location: http://[broken"), 307, "answered 307", id="odd redirect"
        ),
        pytest.param(answers(404), 404, "answered 404", id="404"),
        pytest.param(answers(410), 410, "answered 410", id="410"),
        pytest.param(answers(500), 500, "answered 500", id="500"),
        pytest.param(script.silence, None, "no answer within 0.5 s", id="silence"),
        pytest.param(script.half_a_head, None, "no answer within 0.5 s", id="half a head"),
        pytest.param(script.drip, None, "no answer within 0.5 s", id="slow drip"),
        pytest.param(script.head_only, 500, "answered 500", id="no body"),
        pytest.param(script.cut_mid_body, 500, "answered 500", id="reset mid-body"),
        pytest.param(script.cut_before_answer, None, "Error: ", id="reset"),
        pytest.param(script.nonsense, None, "RemoteProtocolError", id="no HTTP"),
        pytest.param(script.hundred_megabytes, 200, None, id="100 MB"),
    ],
)
async def test_every_response_gives_a_result(
    answer: Responder, status: int | None, error: str | None
) -> None:
    """Only 2xx is a success, redirects are not followed, and response bodies are not read."""
    async with Receiver(answer) as receiver:
        started = time.monotonic()
        result = await sent_to(receiver.url)
        seconds = time.monotonic() - started
        assert len(receiver.received) == 1
    assert result.response_status == status
    assert result.delivered is (error is None)
    assert result.final is (status == 410)
    assert (error or "") in (result.error or "")
    assert seconds < 2


async def test_a_refused_connection_is_an_error() -> None:
    """Nothing listens on the port."""
    result = await sent_to(f"http://127.0.0.1:{free_port()}/hook")
    assert result.response_status is None
    assert str(result.error).startswith("ConnectError")


async def test_an_unknown_host_name_is_an_error() -> None:
    """`.invalid` never resolves."""
    timeouts = Timeouts(connect=5, total=5)
    result = await sent_to("http://receiver.invalid/hook", timeouts=timeouts)
    assert result.response_status is None
    assert result.error


@pytest.fixture
def tls(tmp_path: Path) -> ssl.SSLContext:
    """A server context with an untrusted certificate."""
    return self_signed(tmp_path)


async def test_an_untrusted_certificate_is_an_error(tls: ssl.SSLContext) -> None:
    """Nothing is sent to a server that is not authenticated."""
    async with Receiver(answers(200), tls=tls) as receiver:
        result = await sent_to(receiver.url)
        assert receiver.received == []
    assert "CERTIFICATE_VERIFY_FAILED" in str(result.error)


async def test_the_signature_covers_the_bytes_sent() -> None:
    """The verifier of Standard Webhooks accepts them, and refuses any other bytes."""
    async with Receiver() as receiver:
        await sent_to(receiver.url, SECRET)
    (request,) = receiver.received
    assert request.body == BODY
    assert request.webhook_id == "msg_1"
    assert request.headers["content-type"] == "application/json"
    assert Webhook(SECRET).verify(request.body, request.headers) == {"name": "طابعة"}
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(request.body + b" ", request.headers)


async def test_without_a_secret_there_is_no_signature() -> None:
    """A signature without a secret would prove nothing."""
    async with Receiver() as receiver:
        await sent_to(receiver.url)
    assert "webhook-signature" not in receiver.received[0].headers


async def test_retry_after_is_part_of_the_result() -> None:
    """The retry policy decides how to use it."""
    async with Receiver(answers(429, "Retry-After: 120")) as receiver:
        result = await sent_to(receiver.url)
    assert result.retry_after == timedelta(minutes=2)


@cases(
    ("text", "wait"),
    [
        pytest.param("0", timedelta(), id="at once"),
        pytest.param("Fri, 20 Nov 2026 12:10:00 GMT", timedelta(minutes=10), id="a date"),
        pytest.param("Fri, 20 Nov 2020 12:10:00 GMT", timedelta(), id="a past date"),
        pytest.param("-5", None, id="negative"),
        pytest.param("٣", None, id="other digits"),
        pytest.param("9" * 400, timedelta(seconds=999_999_999), id="very long"),
        pytest.param("", None, id="empty"),
    ],
)
def test_retry_after_is_seconds_or_a_date(text: str, wait: timedelta | None) -> None:
    """Other values are ignored."""
    assert retry_after(text, datetime(2026, 11, 20, 12, 0, tzinfo=UTC)) == wait
