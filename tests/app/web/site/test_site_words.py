"""Words, topics and fields of the contact form from the content of a site."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from conftest import Content, Visit
from contract.visitor import Visitor

from app.platform.clock import utc_now
from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.snapshot.loading import load_content

HTML = {"Accept": "text/html"}
FORM = HTML | {"Content-Type": "application/x-www-form-urlencoded"}
SETTINGS = "/api/public/v1/site-settings"
LEADS = "/api/public/v1/leads"
CONTACT = {
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
    "registry/contact.ar.md": "---\ntitle: اتصل بنا\n---\nنص.\n",
    "site/settings.md": (
        "---\nseo: {pageTitle: Noor}\nsiteSettings:\n"
        '  phoneDisplay: "+971 4 555 0142"\n  whatsapp: "+971 50 555 0142"\n---\n'
    ),
}
WORDS = {
    "site/words.md": (
        "---\ntalkToUs: Book a visit\nsend: {en: Post it, ar: أرسل الطلب}\n"
        'forDevelopers: ""\ncopyright: © 2026 {name}\nlegalLines: [Licence 17]\n---\n'
    ),
    "site/words.ar.md": "---\nlegalLines: [رخصة 17]\n---\n",
    "site/words.sa.md": "---\ntalkToUs: Call Riyadh\n---\n",
    "site/contact-form.md": (
        "---\nfields: {phone: required, company: hidden}\ntopics:\n"
        "  - {value: first-visit, topic: support, label: {en: A first visit, ar: زيارة أولى}}\n"
        "  - {value: other}\n---\n"
    ),
}


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A site with words, topics and fields of its own, and without leads."""
    visitor = shared_visit(CONTACT | WORDS)
    visitor.forget_leads()
    return visitor


def page(visitor: Visitor, path: str) -> str:
    """Return a page as HTML."""
    return visitor.get(path, HTML).text


def test_words_of_the_site_replace_those_of_the_interface(visitor: Visitor) -> None:
    """In HTML, by country; a word without a text in the reader's language keeps its default."""
    assert ">Book a visit</a>" in page(visitor, "/ae/en")
    assert ">Call Riyadh</a>" in page(visitor, "/sa/en")
    assert ">تحدّث إلينا</a>" in page(visitor, "/ae/ar")
    assert ">Post it</button>" in page(visitor, "/ae/en/contact")
    assert ">أرسل الطلب</button>" in page(visitor, "/ae/ar/contact")


def test_the_footer_has_the_lines_of_the_site(visitor: Visitor) -> None:
    """`{name}` is the name of the site, and an empty word removes a line in both languages."""
    english, arabic = page(visitor, "/ae/en"), page(visitor, "/ae/ar")
    assert "© 2026 Noor" in english
    assert "© 2026 Noor" in re.sub("<[^>]+>", "", arabic)
    assert "Licence 17" in english
    assert "رخصة 17" in arabic
    assert "Licence 17" not in arabic
    assert 'href="/developers"' not in english + arabic
    assert 'href="/sitemap.xml"' in english


def test_the_form_has_the_fields_and_topics_of_the_site(visitor: Visitor) -> None:
    """Hidden fields are left out, required ones have no mark of an optional one."""
    form = page(visitor, "/ae/en/contact")
    assert 'id="contact-company"' not in form
    assert '<label for="contact-phone">Phone</label>' in form
    assert '<option value="first-visit">A first visit</option>' in form
    assert '<option value="other">Something else</option>' in form
    assert 'value="demo"' not in form
    assert '<option value="first-visit">زيارة أولى</option>' in page(visitor, "/ae/ar/contact")


def test_a_field_that_the_site_requires_must_be_filled_in(visitor: Visitor) -> None:
    """The form says so at the field; nothing is stored."""
    body = {"email": "noor@example.test", "topic": "first-visit"}
    reply = visitor.ask("POST", "/ae/en/contact", FORM, body=urlencode(body).encode())
    assert reply.status == 400
    assert 'id="contact-phone-error"' in reply.text
    assert visitor.leads() == []
    body |= {"phone": "04 555 0199"}
    reply = visitor.ask("POST", "/ae/en/contact", FORM, body=urlencode(body).encode())
    assert reply.status == 303
    lead = visitor.leads()[0].lead
    assert (lead.topic, lead.subject) == ("support", "first-visit")


@pytest.mark.parametrize("topic", ["demo", "pricing", "support", "other"])
def test_the_api_takes_the_topics_of_the_contract(visitor: Visitor, topic: str) -> None:
    """It requires no more than an e-mail address; the site's own topic is a subject."""
    body = {"email": "noor@example.test", "topic": topic, "subject": "first-visit"}
    assert visitor.post(LEADS, body).status == 200
    assert visitor.leads()[0].lead.subject == "first-visit"


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        pytest.param("topic", "first-visit", "demo, pricing, support or other", id="own topic"),
        pytest.param("topic", "second-visit", "demo, pricing, support or other", id="topic"),
        pytest.param("subject", "second-visit", "first-visit", id="subject"),
    ],
)
def test_the_api_refuses_another_value_with_the_list(
    visitor: Visitor, field: str, value: str, allowed: str
) -> None:
    """As an invalid value, also the site's own topic, which is none of the contract's."""
    reply = visitor.post(LEADS, {"email": "noor@example.test", field: value})
    assert reply.status == 400
    assert f"{field} as {allowed}" in reply.json["error"]["resolution"]


def test_the_contract_lists_the_topics(visitor: Visitor) -> None:
    """`/openapi.json` has those four, whatever topics the form has."""
    schemas: dict[str, Any] = visitor.get("/openapi.json").json["components"]["schemas"]
    assert schemas["Topic"]["enum"] == ["demo", "pricing", "support", "other"]
    topic = {"$ref": "#/components/schemas/Topic"}
    assert topic in schemas["Lead"]["properties"]["topic"]["anyOf"]


def test_the_settings_tell_other_frontends_words_fields_and_topics(visitor: Visitor) -> None:
    """In all languages of the site."""
    settings = visitor.get(SETTINGS).json
    assert settings["words"]["send"] == {"en": "Post it", "ar": "أرسل الطلب"}
    assert settings["words"]["talkToUs"] == {"en": "Book a visit", "ar": "تحدّث إلينا"}
    assert settings["words"]["forDevelopers"] == {"en": "", "ar": ""}
    assert settings["footer"]["legalLines"] == [{"en": "Licence 17"}]
    form = settings["contactForm"]
    assert form["enabled"] is True
    assert [(each["name"], each["required"]) for each in form["fields"]] == [
        ("name", False),
        ("email", True),
        ("phone", True),
        ("topic", True),
        ("message", False),
    ]
    assert form["fields"][2]["label"] == {"en": "Phone", "ar": "الهاتف"}
    assert form["topics"] == [
        {
            "value": "first-visit",
            "label": {"en": "A first visit", "ar": "زيارة أولى"},
            "topic": "support",
        },
        {
            "value": "other",
            "label": {"en": "Something else", "ar": "موضوع آخر"},
            "topic": "other",
        },
    ]


def test_a_site_without_a_form_shows_how_to_call(shared_visit: Visit) -> None:
    """Its contact page has buttons instead of the form."""
    visitor = shared_visit(CONTACT | {"site/contact-form.md": "---\nenabled: false\n---\n"})
    contact = page(visitor, "/ae/en/contact")
    assert "<form method" not in contact
    assert 'class="button" href="tel:+97145550142"' in contact
    assert 'href="https://wa.me/971505550142"' in contact
    assert visitor.get(SETTINGS).json["contactForm"]["enabled"] is False


def test_check_names_words_that_have_a_text_in_one_language_only(content: Content) -> None:
    """Readers of the other language see the default; an empty word needs no other one."""
    loaded = load_content(content(CONTACT | WORDS))
    problems = check_content(loaded, utc_now())
    (found,) = [each for each in problems if each.message.startswith("Words without")]
    assert found.message == ("Words without Arabic text, which keep the default: talkToUs.")
    assert found.suggestion == "Add them to words.ar.md."


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        ("words", "sned: Go", "sned: unknown key. Did you mean send?"),
        ("words", "xyzzy: Go", "xyzzy: unknown key. Remove it, or correct its name."),
        ("contact-form", "fields: {fone: hidden}", "fields.fone: unknown key. Did you mean phone?"),
        ("contact-form", "topics: [{value: A b}]", "invalid topic “A b”"),
        ("contact-form", "fields: {email: hidden}", "must be one of required"),
    ],
)
def test_check_names_what_it_does_not_know(
    content: Content, path: str, text: str, problem: str
) -> None:
    """With the nearest key that there is."""
    loaded = load_content(content({f"site/{path}.md": f"---\n{text}\n---\n"}))
    assert problem in " ".join(map(str, loaded.diagnostics))
    kinds = {DiagnosticKind.UNKNOWN_KEY, DiagnosticKind.INVALID_VALUE}
    assert {each.kind for each in loaded.diagnostics} <= kinds
    assert all(each.line == 2 for each in loaded.diagnostics)
