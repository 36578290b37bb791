"""The token of the contact form: who cannot show one is judged more strictly, never refused."""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import FakeClock, Reply, Visitor
from gulf import all_locales

from app.features.leads.proofs import judge_token
from app.services import services_of

PATH = "/ae/en/contact"
HTML = {"Accept": "text/html"}
FORM = HTML | {"Content-Type": "application/x-www-form-urlencoded"}
TOKEN = re.compile(r'name="token" value="([^"]+)"')
PAGES = {"registry/contact.md": "---\ntitle: Contact\n---\nText.\n"}
TYPED = {"email": "noor@example.test", "message": "Hello"}


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """A site with a contact page."""
    return visit(PAGES)


def token_of(reply: Reply) -> str:
    """Return the token of the form in a response."""
    match = TOKEN.search(reply.text)
    assert match
    return match[1]


def send(visitor: Visitor, token: str | None, typed: Mapping[str, str] = TYPED) -> Reply:
    """Post the form with this token."""
    sent = {**typed, **({} if token is None else {"token": token})}
    return visitor.ask("POST", PATH, FORM, body=urlencode(sent).encode())


@pytest.mark.parametrize(
    ("seconds", "change", "is_suspicious"),
    [
        pytest.param(30, lambda token: token, False, id="good"),
        pytest.param(86_000, lambda token: token, False, id="a day"),
        pytest.param(200_000, lambda token: token, False, id="expired: a little suspicious"),
        pytest.param(1, lambda token: token, True, id="too fast"),
        pytest.param(30, lambda _: None, True, id="missing"),
        pytest.param(30, lambda token: f"1{token}", True, id="forged"),
        pytest.param(30, lambda _: "é\0", True, id="nonsense"),
    ],
)
def test_a_bad_token_adds_to_the_score(
    visitor: Visitor, clock: FakeClock, seconds: int, change: object, is_suspicious: bool
) -> None:
    """Alone it does not quarantine; together with an offer it does. All are confirmed."""
    token = token_of(visitor.get(PATH, HTML))
    clock.move(timedelta(seconds=seconds))
    sent = change(token)  # type: ignore[operator]
    assert send(visitor, sent).status == 303
    offer = {"email": "a@b.test", "message": "We offer SEO"}
    assert send(visitor, sent, offer).status == 303
    plain, other = sorted(visitor.leads(), key=lambda each: each.lead.email, reverse=True)
    assert (plain.quarantined, other.quarantined) == (False, is_suspicious)


def test_a_token_is_bound_to_its_page(visitor: Visitor, clock: FakeClock) -> None:
    """One from the page of another country counts as foreign."""
    token = token_of(visitor.get("/sa/en/contact", HTML))
    clock.move(timedelta(minutes=1))
    send(visitor, token, {"email": "a@b.test", "message": "We offer SEO"})
    assert visitor.leads()[0].quarantined


def test_each_reader_gets_a_token_of_their_own(visitor: Visitor, clock: FakeClock) -> None:
    """The page is in no cache, whereas other pages are."""
    first = visitor.get(PATH, HTML)
    clock.move(timedelta(seconds=5))
    assert token_of(visitor.get(PATH, HTML)) != token_of(first)
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Set-Cookie" not in first.headers
    assert "public" in visitor.get("/ae/en", HTML).headers["Cache-Control"]


@cases("path", [f"{locale.path}/contact" for locale in all_locales()])
def test_a_form_that_a_reader_has_is_current_for_hours(
    visit: Visit, clock: FakeClock, path: str
) -> None:
    """While nothing but its token changes; the token is valid for as long again."""
    visitor = visit({**PAGES, "registry/contact.ar.md": PAGES["registry/contact.md"]})
    first = visitor.get(path, HTML)
    assert first.headers["ETag"].startswith('W/"')
    condition = {**HTML, "If-None-Match": first.headers["ETag"]}
    clock.move(timedelta(minutes=5))
    again = visitor.get(path, condition)
    assert (again.status, again.body) == (304, b"")
    clock.move(timedelta(hours=12))
    assert visitor.get(path, condition).status == 200


def test_a_form_with_a_proof_is_not_stored(visit: Visit) -> None:
    """Its task is another one each time, so it could never be current."""
    page = visit(PAGES, leads_proof="altcha").get(PATH, HTML)
    assert page.headers["Cache-Control"] == "private, no-store"


def test_an_edited_form_is_no_longer_current(visit: Visit) -> None:
    """Also if only a text beside the form is another one."""
    page = "---\ntitle: Contact\n---\n"
    visitor = visit({"registry/contact.md": f"{page}Call us.\n"})
    tag = visitor.get(PATH, HTML).headers["ETag"]
    store = services_of(visitor.quart).content_store
    (store.content_dir / "registry/contact.md").write_text(f"{page}Write to us.\n")
    store.reload()
    assert visitor.get(PATH, {**HTML, "If-None-Match": tag}).status == 200


def test_a_correction_may_be_fast(visitor: Visitor, clock: FakeClock) -> None:
    """A form that is shown again keeps its token; a foreign one is replaced."""
    token = token_of(visitor.get(PATH, HTML))
    clock.move(timedelta(minutes=1))
    again = send(visitor, token, {"email": "noor"})
    assert (again.status, token_of(again)) == (400, token)
    assert token_of(send(visitor, "forged", {"email": "noor"})) != "forged"


def test_a_form_of_an_earlier_version_is_still_valid() -> None:
    """Its token had no random part; readers have such forms open during an update."""
    made, key = datetime(2026, 11, 20, tzinfo=UTC), b"key"
    seconds = f"{made.timestamp():.0f}"
    digest = hmac.digest(key, f"majlis contact form 1\n{seconds}\n{PATH}".encode(), "sha256")
    token = f"{seconds}.{urlsafe_b64encode(digest).decode().rstrip('=')}"
    assert not judge_token(token, PATH, made + timedelta(seconds=20), key)
