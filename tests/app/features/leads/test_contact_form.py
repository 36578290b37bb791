"""The contact form, as submitted by a browser without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlencode

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Reply, Visitor

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
PAGES = {
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
    "registry/contact.ar.md": "---\ntitle: اتصل بنا\n---\nنص.\n",
}
TYPED = {
    "name": "Noor <b>&",
    "email": "noor@example.test",
    "phone": "+971 50 123 4567",
    "company": "“Trading” LLC",
    "topic": "pricing",
    "message": "One\r\nTwo",
    "website": "",
}


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A site with a contact page in both languages, and without leads."""
    visitor = shared_visit(PAGES)
    visitor.forget_leads()
    return visitor


def send(
    visitor: Visitor,
    typed: Mapping[str, str],
    path: str = "/ae/en/contact",
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """Post the form."""
    return visitor.ask("POST", path, FORM | dict(headers or {}), body=urlencode(typed).encode())


@pytest.mark.parametrize("path", ["/ae/en/contact", "/sa/ar/contact", "/bh/en/contact"])
def test_the_contact_page_has_the_form(visitor: Visitor, path: str) -> None:
    """It posts to the URL of the page, which the Content-Security-Policy allows."""
    reply = visitor.get(path, {"Accept": "text/html"})
    assert f'<form method="post" action="{path}#contact-answer"' in reply.text
    assert "form-action 'self'" in reply.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/ae/en", "/ae/en/contact.md", "/ae/en/contact.json"])
def test_nothing_else_has_the_form(visitor: Visitor, path: str) -> None:
    """Neither other pages nor other media types of the page."""
    assert "<form method" not in visitor.get(path, {"Accept": "text/html"}).text


@pytest.mark.parametrize(
    ("path", "country", "language", "thanks"),
    [
        ("/ae/en/contact", "ae", "en", "Thank you"),
        ("/sa/ar/contact", "sa", "ar", "شكرًا لك"),
    ],
)
def test_a_valid_form_is_stored_and_confirmed(
    visitor: Visitor, path: str, country: str, language: str, thanks: str
) -> None:
    """The response is a redirect, so that reloading does not submit again."""
    reply = send(visitor, TYPED, path)
    assert (reply.status, reply.headers["Location"]) == (303, f"{path}?sent=1#contact-answer")
    assert "no-store" in reply.headers["Cache-Control"]
    (stored,) = visitor.leads()
    page_fields = {"sourcePage": path, "localeCountry": country, "localeLang": language}
    typed = {name: value for name, value in TYPED.items() if name != "website"}
    assert stored.lead.model_dump(mode="json") == typed | page_fields
    page = visitor.get(f"{path}?sent=1", {"Accept": "text/html"})
    assert page.status == 200
    assert f"<title>{thanks}: " in page.text
    assert 'role="status" id="contact-answer" tabindex="-1"' in page.text
    assert "<form method" not in page.text
    assert f'rel="canonical" href="{BASE_URL}{path}"' in page.text


@pytest.mark.parametrize(
    ("path", "typed", "message"),
    [
        pytest.param("/ae/en/contact", {"email": ""}, "write your e-mail", id="no e-mail"),
        pytest.param("/ae/en/contact", {"email": "x"}, "a complete e-mail", id="half an e-mail"),
        pytest.param("/ae/ar/contact", {"email": "x"}, "بريد إلكتروني كامل", id="in Arabic"),
        pytest.param("/ae/en/contact", {"message": "x" * 5_001}, "shorten", id="long message"),
        pytest.param("/ae/en/contact", {"topic": "sales"}, "choose one", id="another topic"),
    ],
)
def test_an_invalid_form_is_shown_again_with_its_input(
    visitor: Visitor, path: str, typed: dict[str, str], message: str
) -> None:
    """400 with each error at its field; nothing is stored."""
    reply = send(visitor, TYPED | typed, path)
    assert reply.status == 400
    assert reply.headers["Content-Type"].startswith("text/html")
    assert "no-store" in reply.headers["Cache-Control"]
    (name,) = typed
    assert f"<title>{'خطأ' if '/ar/' in path else 'Error'}: " in reply.text
    assert 'role="alert" id="contact-answer" tabindex="-1"' in reply.text
    assert f'id="contact-{name}-error"' in reply.text
    assert message in reply.text
    assert "Noor &lt;b&gt;&amp;" in reply.text
    assert "<b>&" not in reply.text
    assert visitor.leads() == []


def test_all_invalid_fields_are_marked_at_once(visitor: Visitor) -> None:
    """So that one correction is enough."""
    reply = send(visitor, {"name": "n" * 121, "phone": "1" * 33, "company": "c" * 256})
    assert [
        name
        for name in ("name", "email", "phone", "company")
        if f'id="contact-{name}-error"' not in reply.text
    ] == []


def test_page_and_locale_come_from_the_page(visitor: Visitor) -> None:
    """Values for them in the form are ignored."""
    reply = send(visitor, TYPED | {"sourcePage": "http://x", "localeLang": "xx"})
    assert reply.status == 303
    assert visitor.leads()[0].lead.source_page == "/ae/en/contact"


def test_a_filled_honeypot_is_confirmed_too(visitor: Visitor) -> None:
    """But the lead is quarantined."""
    assert send(visitor, TYPED | {"website": "http://spam.example"}).status == 303
    assert visitor.leads()[0].quarantined


def test_a_double_click_is_one_lead(visitor: Visitor) -> None:
    """Both submissions are confirmed."""
    assert {send(visitor, TYPED).status for _ in range(2)} == {303}
    assert len(visitor.leads()) == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param({"Sec-Fetch-Site": "same-origin"}, 303, id="our page"),
        pytest.param({"Sec-Fetch-Site": "none"}, 303, id="user navigation"),
        pytest.param({"Origin": BASE_URL}, 303, id="our origin"),
        pytest.param({}, 303, id="client without these headers"),
        pytest.param({"Sec-Fetch-Site": "cross-site"}, 403, id="another site"),
        pytest.param({"Sec-Fetch-Site": "same-site"}, 403, id="another host of our domain"),
        pytest.param(
            {"Sec-Fetch-Site": "cross-site", "Origin": BASE_URL}, 403, id="Sec-Fetch-Site wins"
        ),
        pytest.param({"Origin": "https://evil.example"}, 403, id="another origin"),
        pytest.param({"Origin": f"{BASE_URL}.evil.example"}, 403, id="our name as prefix"),
        pytest.param({"Origin": "null"}, 403, id="opaque origin"),
    ],
)
def test_pages_of_other_sites_cannot_submit_the_form(
    visitor: Visitor, headers: dict[str, str], status: int
) -> None:
    """They get a 403 page, and nothing is stored."""
    assert send(visitor, TYPED, headers=headers).status == status
    assert len(visitor.leads()) == (status == 303)


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A site without a contact page."""
    with Visitor(content_dir=tmp_path_factory.mktemp("content")) as started:
        yield started


@cases("path", ["/ae/en/contact", "/xx/en/contact", "/ae/fr/contact"])
def test_a_missing_contact_page_accepts_no_form(refusing: Visitor, path: str) -> None:
    """404."""
    assert send(refusing, TYPED, path).status == 404


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        pytest.param({"Content-Type": "application/json"}, b"{}", 415, id="JSON"),
        pytest.param({"Content-Type": "multipart/form-data; boundary=x"}, b"--x", 415, id="parts"),
        pytest.param({"Content-Encoding": "gzip"}, b"email=a", 415, id="compressed"),
        pytest.param({}, b"email=%ff", 400, id="broken UTF-8"),
        pytest.param({}, b"email=\xff", 400, id="bytes"),
        pytest.param({}, b"a=1&" * 101, 400, id="101 fields"),
        pytest.param({}, b"email=" + b"x" * 70_000, 413, id="too large"),
    ],
)
def test_a_body_that_is_no_form_is_refused(
    visitor: Visitor, headers: dict[str, str], body: bytes, status: int
) -> None:
    """With an error page."""
    reply = visitor.ask("POST", "/ae/en/contact", FORM | headers, body=body)
    assert reply.status == status
    assert reply.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("path", "message"),
    [("/ae/en/contact", "could not be saved"), ("/ae/ar/contact", "تعذّر حفظ رسالتك")],
)
def test_an_unavailable_store_does_not_lose_the_input(
    visit: Visit, tmp_path: Path, path: str, message: str
) -> None:
    """503 with the form and its input, to submit again."""
    obstacle = tmp_path / "var"
    obstacle.write_text("")
    visitor = visit(PAGES, database_url=f"sqlite:///{obstacle}/majlis.db")
    reply = send(visitor, TYPED, path)
    assert reply.status == 503
    assert int(reply.headers["Retry-After"]) > 0
    assert message in reply.text
    assert "noor@example.test" in reply.text
    obstacle.unlink()
    assert send(visitor, TYPED, path).status == 303


def test_other_methods_are_refused(visitor: Visitor) -> None:
    """405 with the allowed methods."""
    reply = visitor.ask("DELETE", "/ae/en/contact")
    assert reply.status == 405
    assert set(reply.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}
