"""The log at level DEBUG: it contains no personal data."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from contract.visitor import write_tree
from live.orders import take_samples
from live.server import Server, eventually
from storefront.shop import BEARER, SAMPLE, TOKEN

pytestmark = pytest.mark.slow

Start = Callable[..., Server]

CLIENT = "203.0.113.77"
LEAD = {
    "name": "Private Noor",
    "email": "noor@private.example",
    "phone": "+971501112233",
    "company": "Private Company",
    "message": "Private message",
}
KEY = "private-idempotency-key"
WRONG_TOKEN = "private-wrong-token"
MAIL_PASSWORD = "private-mail-password"
TEAM = "team@private-team.example"
SECRETS = (
    MAIL_PASSWORD,
    TEAM,
    *LEAD.values(),
    "501112233",
    "noor%40private",
    KEY,
    WRONG_TOKEN,
    TOKEN,
    CLIENT,
    "Private",
)


def send_everything(client: httpx.Client) -> list[int]:
    """Send valid and invalid leads and partner requests beyond the limits; return the statuses."""
    leads = [
        LEAD,
        LEAD,
        LEAD | {"website": "Private site"},
        LEAD | {"topic": "Private topic"},
        LEAD | {"email": "no address of Private Noor"},
    ]
    answers = [client.post("/api/leads", json=lead) for lead in leads]
    answers += [client.post("/api/leads", json=LEAD, headers={"Idempotency-Key": KEY})]
    answers += [client.post("/ae/en/contact", data=lead) for lead in leads[2:]]
    answers += [client.post("/api/leads", content=b'{"email": "noor@private.example"')]
    answers += [client.post("/api/leads", json=LEAD) for _ in range(15)]
    answers += [client.get("/api/orders", headers=BEARER)]
    answers += [
        client.get("/api/orders", headers={"Authorization": f"Bearer {WRONG_TOKEN}"})
        for _ in range(15)
    ]
    answers += [client.get("/api/orders/by-email/noor@private.example", headers=BEARER)]
    return [answer.status_code for answer in answers]


@pytest.fixture
def debug_server(start: Start, tmp_path: Path) -> Server:
    """A server at log level DEBUG, with all that it can log: requests, spans, mails, webhooks."""
    contact = "---\ntitle: Contact\n---\nWrite.\n"
    write_tree(tmp_path / "content", {"registry/contact.md": contact})
    url = f"sqlite:///{tmp_path}/majlis.db"
    asyncio.run(take_samples(url))
    return start(
        DATABASE_URL=url,
        LOG_LEVEL="DEBUG",
        ACCESS_LOG="json",
        OTEL_TRACES_EXPORTER="console",
        OTEL_BSP_SCHEDULE_DELAY="100",
        ERP_PULL_API_TOKEN=TOKEN,
        SMTP_URL=f"smtp://mailer:{MAIL_PASSWORD}@127.0.0.1:9",
        LEADS_EMAIL_TO=TEAM,
        LEADS_WEBHOOK_URL=f"http://127.0.0.1:9/{KEY}",
    )


def test_no_personal_data_is_logged_at_any_level(debug_server: Server, tmp_path: Path) -> None:
    """Neither of leads, partners nor customers, whatever the outcome of the request.

    Also not in the access log or in spans, which go to the same output here.
    """
    client = httpx.Client(
        base_url=debug_server.url, headers={"X-Forwarded-For": CLIENT}, timeout=30
    )
    with client:
        statuses = send_everything(client)
        with sqlite3.connect(tmp_path / "majlis.db") as database:
            database.execute("DROP TABLE leads")
        other = {"X-Forwarded-For": "203.0.113.78"}
        statuses.append(client.post("/api/leads", json=LEAD, headers=other).status_code)
    assert {200, 400, 401, 404, 429} <= set(statuses)
    assert statuses[-1] >= 500
    eventually(lambda: "no such table" in debug_server.log.read_text())
    log = debug_server.log.read_text()
    emails = {part for part in SAMPLE.read_text().split('"') if "@" in part}
    assert emails
    assert [secret for secret in (*SECRETS, *emails) if secret in log] == []
    assert " stored" in log
    for written in ('"path": "/api/leads"', '"database write"', '"deliver mail"', '"deliver lead"'):
        assert written in log
