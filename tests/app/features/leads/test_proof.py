"""Proofs of the contact form: proof of work, and Turnstile against a real server."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from altcha.v1 import Challenge, Payload, solve_challenge
from conftest import Visit
from contract.visitor import FakeClock, Reply, Visitor
from page_scripts import own_sources
from storefront.receiver import Receiver, Responder, answers, silence

from app.features.leads.proofs import NO_PROOF, UNAVAILABLE, Turnstile
from app.services import KEY
from app.web.pipeline.observation import random_id

CONTACT = "/ae/en/contact"
HTML = {"Accept": "text/html"}
POST = {"Content-Type": "application/x-www-form-urlencoded", **HTML}
PAGES = {"registry/contact.md": "---\ntitle: Contact\n---\nText.\n"}
PERSON = {"email": "noor@example.test", "message": "May we see the POS?"}
AWAY = timedelta(seconds=20)


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """A site whose form asks for proof of work."""
    return visit(PAGES, leads_proof="altcha")


def hidden(reply: Reply, name: str) -> str:
    """Return the value of a hidden field."""
    found = re.search(rf'name="{name}" value="([^"]*)"', reply.text)
    assert found
    return found[1]


def solution(reply: Reply) -> str:
    """Solve the task of a form, as its script does."""
    found = re.search(r'data-challenge="([^"]+)"', reply.text)
    assert found
    task = json.loads(unescape(found[1]))
    challenge = Challenge(
        task["algorithm"], task["challenge"], task["maxNumber"], task["salt"], task["signature"]
    )
    solved = solve_challenge(challenge)
    assert solved
    payload = Payload(
        task["algorithm"], task["challenge"], solved.number, task["salt"], task["signature"]
    )
    return payload.to_base64()


def form(reply: Reply, proof: str, message: str) -> bytes:
    """Return the filled form with a proof, as it is sent."""
    typed = {**PERSON, "token": hidden(reply, "token"), "altcha": proof, "message": message}
    return urlencode(typed).encode()


def is_quarantined(visitor: Visitor, reply: Reply, proof: str) -> bool:
    """Post a form with a proof, and return whether the lead is in quarantine."""
    typed = {**PERSON, "token": hidden(reply, "token"), "altcha": proof}
    sent = visitor.ask("POST", CONTACT, POST, body=urlencode(typed).encode())
    assert sent.status == 303
    (stored,) = visitor.leads()
    visitor.forget_leads()
    return bool(stored.quarantined)


def test_a_solution_of_the_form_is_a_proof(visitor: Visitor, clock: FakeClock) -> None:
    """The page may run one script of the site, and has a way without."""
    page = visitor.get(CONTACT, HTML)
    clock.move(AWAY)
    assert not is_quarantined(visitor, page, solution(page))
    assert own_sources(page.headers) == {"'self'"}
    assert "<noscript>" in page.text
    (script,) = re.findall(r'<script src="([^"]+)" defer>', page.text)
    assert visitor.get(script).headers["Content-Type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize(
    "proof",
    [
        pytest.param("", id="none"),
        pytest.param("!", id="no base64"),
        pytest.param(b64encode(b"[1]").decode(), id="no object"),
        pytest.param(b64encode(b"{}").decode(), id="no fields"),
        pytest.param(b64encode(json.dumps({"algorithm": 1}).encode()).decode(), id="types"),
        pytest.param("e30=" * 2_000, id="long"),
        pytest.param(b64encode(b"[" * 3_000).decode(), id="nested"),
        pytest.param(
            b64encode(
                b'{"algorithm":"SHA-256","challenge":"c","number":1,"salt":null,"signature":"s"}'
            ).decode(),
            id="no salt",
        ),
    ],
)
def test_without_a_proof_a_person_looks_first(
    visitor: Visitor, clock: FakeClock, proof: str
) -> None:
    """As without JavaScript; nothing is lost."""
    page = visitor.get(CONTACT, HTML)
    clock.move(AWAY)
    assert is_quarantined(visitor, page, proof)


def test_a_solution_is_of_one_form_and_used_once(visitor: Visitor, clock: FakeClock) -> None:
    """Another form has another task."""
    page = visitor.get(CONTACT, HTML)
    clock.move(AWAY)
    other = visitor.get(CONTACT, HTML)
    clock.move(AWAY)
    proof = solution(page)
    assert is_quarantined(visitor, other, proof)
    assert visitor.ask("POST", CONTACT, POST, body=form(page, proof, "One")).status == 303
    assert visitor.ask("POST", CONTACT, POST, body=form(page, proof, "Another")).status == 303
    judged = {lead.lead.message: lead.quarantined for lead in visitor.leads()}
    assert judged == {"One": False, "Another": True}


def test_a_solution_sent_many_times_at_once_is_accepted_once(
    visitor: Visitor, clock: FakeClock
) -> None:
    """The database decides, so that it holds for all processes, also those that start later."""
    page = visitor.get(CONTACT, HTML)
    clock.move(AWAY)
    proof = solution(page)
    sent = [
        visitor.exchange("POST", CONTACT, POST, f"203.0.{n}.1", form(page, proof, f"Number {n}"))
        for n in range(60)
    ]
    assert {reply.status for reply in visitor.together(*sent)} == {303}
    assert sorted(lead.quarantined for lead in visitor.leads()) == [False, *[True] * 59]


def test_a_form_sent_twice_is_one_lead(visitor: Visitor, clock: FakeClock) -> None:
    """As by a double click; the second one is no misuse of the proof."""
    page = visitor.get(CONTACT, HTML)
    clock.move(AWAY)
    sent = form(page, solution(page), "Hello")
    posts = [visitor.exchange("POST", CONTACT, POST, "203.0.113.5", sent) for _ in range(2)]
    assert [reply.status for reply in visitor.together(*posts)] == [303, 303]
    assert [lead.quarantined for lead in visitor.leads()] == [False]


def test_no_two_forms_have_the_same_task(visitor: Visitor) -> None:
    """Also within a second: a solution of one would else be one of all."""
    extensions = visitor.quart.extensions
    extensions[KEY] = replace(extensions[KEY], new_id=random_id)
    pages = [visitor.get(CONTACT, HTML) for _ in range(40)]
    assert len({hidden(page, "token") for page in pages}) == 40
    tasks = [re.search(r'data-challenge="([^"]+)"', page.text) for page in pages]
    assert len({json.loads(unescape(task[1]))["salt"] for task in tasks if task}) == 40


def test_a_typing_error_spends_no_proof(visitor: Visitor, clock: FakeClock) -> None:
    """The browser may send the same form again, as after its Back button."""
    page = visitor.get(CONTACT, HTML)
    clock.move(AWAY)
    proof = solution(page)
    wrong = {"email": "noor", "token": hidden(page, "token"), "altcha": proof}
    assert visitor.ask("POST", CONTACT, POST, body=urlencode(wrong).encode()).status == 400
    assert not is_quarantined(visitor, page, proof)


def test_a_solution_expires_with_its_form(visitor: Visitor, clock: FakeClock) -> None:
    """Nobody can collect them."""
    page = visitor.get(CONTACT, HTML)
    clock.move(timedelta(days=2))
    assert is_quarantined(visitor, page, solution(page))


def test_the_confirmation_has_no_script_of_the_proof(visitor: Visitor) -> None:
    """And allows none."""
    assert own_sources(visitor.get(f"{CONTACT}?sent=1", HTML).headers) == set()


def test_without_the_setting_no_page_has_the_script(visit: Visit) -> None:
    """And its policy allows none."""
    page = visit(PAGES).get(CONTACT, HTML)
    assert "<script src" not in page.text
    assert "data-challenge" not in page.text
    assert own_sources(page.headers) == set()


def test_the_widget_of_turnstile_may_load_on_the_page_of_the_form_only(visit: Visit) -> None:
    """With the site key."""
    keys = {"turnstile_site_key": "key-1", "turnstile_secret": "secret-1"}
    visitor = visit(
        {**PAGES, "pages/other.md": "---\ntitle: A\n---\nB.\n"}, **keys, leads_proof="turnstile"
    )
    page = visitor.get(CONTACT, HTML)
    assert 'class="cf-turnstile full" data-sitekey="key-1" data-language="en"' in page.text
    assert "frame-src https://challenges.cloudflare.com;" in page.headers["Content-Security-Policy"]
    assert "secret-1" not in page.text
    other = visitor.get("/ae/en/other", HTML)
    assert "cloudflare" not in other.headers["Content-Security-Policy"]


def says(verdict: Any) -> Responder:
    """Return an answer of Turnstile."""
    return answers(200, body=json.dumps(verdict).encode())


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        pytest.param(says({"success": True}), {}, id="valid"),
        pytest.param(says({"success": False, "error-codes": []}), NO_PROOF, id="not valid"),
        pytest.param(says("true"), NO_PROOF, id="another shape"),
        pytest.param(answers(500), UNAVAILABLE, id="failure"),
        pytest.param(answers(200, body=b"<html>"), UNAVAILABLE, id="no JSON"),
        pytest.param(silence, UNAVAILABLE, id="silence"),
    ],
)
async def test_turnstile_is_asked_for_a_limited_time(
    answer: Responder, points: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it cannot tell, the sender is not suspected."""
    monkeypatch.setattr("app.features.leads.proofs._SECONDS", 0.5)
    async with (
        Receiver(answer) as cloudflare,
        aclosing(Turnstile("k", "secret-1", cloudflare.url)) as proof,
    ):
        typed = {"cf-turnstile-response": "answer-1"}
        assert await proof.judge(typed, "", "2001:db8::/64") == points
        assert await proof.judge({}, "", "192.0.2.1") == NO_PROOF
    (request,) = cloudflare.received
    assert parse_qs(request.body.decode()) == {
        "secret": ["secret-1"],
        "response": ["answer-1"],
        "remoteip": ["2001:db8::"],
    }
