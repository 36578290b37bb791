"""Leads are counted by channel and outcome."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from conftest import Visit
from contract.visitor import Reply, Visitor

from app.features.leads.submission import LeadChannel, LeadOutcome
from app.services import Services

PAGES = {"registry/contact.md": "---\ntitle: Contact\n---\nWrite.\n"}
EMAIL = {"email": "noor@example.test"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}

Send = Callable[[Visitor, dict[str, str]], Reply]


def by_api(visitor: Visitor, fields: dict[str, str]) -> Reply:
    """Send a lead through the API."""
    return visitor.post("/api/public/v1/leads", fields)


def by_form(visitor: Visitor, fields: dict[str, str]) -> Reply:
    """Send a lead through the contact form."""
    return visitor.ask("POST", "/ae/en/contact", FORM, body=urlencode(fields).encode())


CHANNELS = pytest.mark.parametrize(
    ("channel", "send"),
    [(LeadChannel.API, by_api), (LeadChannel.FORM, by_form)],
    ids=[*LeadChannel],
)


def counted(visitor: Visitor) -> dict[tuple[str, ...], float]:
    """Return the non-zero counts of leads by channel and outcome."""
    services: Services = visitor.quart.extensions["majlis"]
    samples = services.metrics.samples().items()
    leads = {labels: numbers[0] for (name, labels), numbers in samples if name == "majlis_leads"}
    assert len(leads) == len(LeadChannel) * len(LeadOutcome)
    return {labels: number for labels, number in leads.items() if number}


@CHANNELS
def test_each_lead_is_counted_by_its_outcome(
    visit: Visit, channel: LeadChannel, send: Send
) -> None:
    """Stored, repeated, quarantined or refused."""
    visitor = visit(PAGES)
    assert counted(visitor) == {}
    for fields in (EMAIL, EMAIL, EMAIL | {"website": "x"}, {"email": "no address"}):
        send(visitor, fields)
    assert counted(visitor) == {
        (channel, "stored"): 1,
        (channel, "repeated"): 1,
        (channel, "quarantined"): 1,
        (channel, "refused"): 1,
    }


@CHANNELS
def test_a_lead_that_cannot_be_stored_is_counted_as_failed(
    visit: Visit, tmp_path: Path, channel: LeadChannel, send: Send
) -> None:
    """And the store is reported as unavailable until it is back."""
    obstacle = tmp_path / "var"
    obstacle.write_text("")
    visitor = visit(PAGES, database_url=f"sqlite:///{obstacle}/majlis.db")
    assert send(visitor, EMAIL).status == 503
    assert counted(visitor) == {(channel, "failed"): 1}
    assert is_away(visitor)
    obstacle.unlink()
    send(visitor, EMAIL)
    assert counted(visitor) == {(channel, "failed"): 1, (channel, "stored"): 1}
    assert not is_away(visitor)


def is_away(visitor: Visitor) -> bool:
    """Return whether the metrics report the database as unavailable."""
    services: Services = visitor.quart.extensions["majlis"]
    (away,) = services.metrics.samples()["majlis_store_away", ("database",)]
    return bool(away)


def test_a_key_with_another_body_is_counted_as_conflict(visit: Visit) -> None:
    """The first lead is stored."""
    visitor = visit({})
    for fields in (EMAIL, EMAIL | {"name": "Noor"}):
        visitor.post("/api/leads", fields, {"Idempotency-Key": "k"}, peer="192.0.2.1")
    assert counted(visitor) == {(LeadChannel.API, "stored"): 1, (LeadChannel.API, "conflict"): 1}


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        pytest.param({"Content-Type": "text/plain"}, b"{}", id="type"),
        pytest.param({"Content-Type": "application/json"}, b"{", id="no JSON"),
        pytest.param({"Content-Type": "application/json"}, b"x" * 70_000, id="too large"),
        pytest.param(
            {"Content-Type": "application/json", "Idempotency-Key": ""}, b"{}", id="no key"
        ),
    ],
)
def test_an_invalid_body_is_counted_as_refused(
    visit: Visit, headers: dict[str, str], body: bytes
) -> None:
    """For every kind of error."""
    visitor = visit({})
    assert visitor.ask("POST", "/api/public/v1/leads", headers, body=body).status in (400, 413, 415)
    assert counted(visitor) == {(LeadChannel.API, "refused"): 1}


@CHANNELS
def test_a_lead_is_refused_at_once_if_too_many_wait(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, channel: LeadChannel, send: Send
) -> None:
    """With a time after which to try again; it counts as a failure of the service."""
    visitor = visit(PAGES)
    monkeypatch.setattr("app.platform.database.transaction_groups.MOST_WAITING", 0)
    reply = send(visitor, EMAIL)
    assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
    assert counted(visitor) == {(channel, "failed"): 1}
