"""The contact form knows what an enquiry is about, and which page and campaign led to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from urllib.parse import urlencode

import pytest
from cases import cases
from contract.visitor import BASE_URL, Reply, Visitor
from page_scripts import without_common_scripts

from app.features.leads.model import CAMPAIGN_PARAMETERS

HTML = {"Accept": "text/html"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", **HTML}
CONTACT = "/sa/en/contact"
TILL = "counter-pos-15"
TILL_TITLE = "Wahat Counter 15 all-in-one POS terminal"
CAMPAIGN = {name: f"{name} & “نور”" for name in CAMPAIGN_PARAMETERS}
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
_OWN = {"token", "sourcePage", "localeCountry", "localeLang"}


def form_at(visitor: Visitor, query: Mapping[str, str], referer: str = "") -> Reply:
    """Get the contact page with a query."""
    target = f"{CONTACT}?{urlencode(query)}" if query else CONTACT
    return visitor.get(target, HTML | ({"Referer": referer} if referer else {}))


def hidden(reply: Reply) -> dict[str, str]:
    """Return the hidden fields besides those of the form's own page."""
    fields = {name: unescape(value) for name, value in _HIDDEN.findall(reply.text)}
    return {name: value for name, value in fields.items() if name not in _OWN}


def test_product_page_and_campaign_travel_into_the_lead(sample: Visitor) -> None:
    """As hidden fields; the reader sees the product, and the topic is chosen."""
    sample.forget_leads()
    page = f"/sa/en/products/{TILL}"
    reply = form_at(sample, {"productService": TILL, "topic": "pricing", "page": page, **CAMPAIGN})
    sent = hidden(reply)
    assert sent == {"productService": TILL, "page": page, **CAMPAIGN}
    assert f"About: <strong>{TILL_TITLE}</strong>" in reply.text
    assert '<option value="pricing" selected>' in reply.text
    body = urlencode({"email": "noor@example.test", **sent}).encode()
    assert sample.ask("POST", CONTACT, FORM, body=body).status == 303
    (stored,) = sample.leads()
    fields = stored.lead.model_dump(mode="json")
    assert {name: fields[name] for name in sent} == sent
    sample.forget_leads()


@cases(
    "query",
    [
        pytest.param({"productService": "no-such-product"}, id="an unknown product"),
        pytest.param({"productService": "<script>alert(1)</script>"}, id="markup as product"),
        pytest.param({"plan": "<b>Growth</b>"}, id="markup as plan"),
        pytest.param({"plan": "x" * 81}, id="a long plan"),
        pytest.param({"topic": "sales"}, id="an unknown topic"),
        pytest.param({"page": "https://evil.example/"}, id="a page elsewhere"),
        pytest.param({"page": "//evil.example/sa/en/pricing"}, id="a host as page"),
        pytest.param({"page": "/sa/en/no-such-page"}, id="an unknown page"),
        pytest.param({"page": "/xx/en/pricing"}, id="an unknown country"),
        pytest.param({"utm_source": "x" * 121}, id="a long campaign"),
    ],
)
def test_values_that_mean_nothing_are_ignored(sample: Visitor, query: dict[str, str]) -> None:
    """The form is shown as without them."""
    reply = form_at(sample, query)
    assert reply.status == 200
    assert hidden(reply) == {}
    assert "About:" not in reply.text
    shown = without_common_scripts(reply.text)
    assert "<script" not in shown.replace('<script type="application/ld+json">', "")


def test_campaign_values_are_escaped(sample: Visitor) -> None:
    """They may hold anything."""
    value = '"><script>alert(1)</script>'
    reply = form_at(sample, {"utm_source": value})
    assert hidden(reply) == {"utm_source": value}
    assert "<script>alert" not in reply.text


@cases(
    ("path", "query", "about"),
    [
        (CONTACT, {"plan": "Growth"}, "Growth"),
        (CONTACT, {"productService": "point-of-sale"}, "Point of Sale"),
        (CONTACT, {"page": "/sa/en/pricing"}, "Pricing"),
        (CONTACT, {"page": "/sa/en/products"}, "Products"),
        ("/sa/ar/contact", {"page": "/sa/ar/products"}, "الأجهزة"),
    ],
)
def test_the_reader_sees_what_the_enquiry_is_about(
    sample: Visitor, path: str, query: dict[str, str], about: str
) -> None:
    """The title of the product, module or page, or the name of the plan."""
    reply = sample.get(f"{path}?{urlencode(query)}", HTML)
    assert re.search(rf"<strong[^>]*>{about}</strong>", reply.text)


def test_the_campaign_of_the_page_before_is_kept(sample: Visitor) -> None:
    """The browser tells it by Referer; no link and no other page depends on the campaign."""
    before = "/sa/en/products?utm_source=letter&utm_campaign=%D8%B1%D8%A8%D9%8A%D8%B9"
    plain = form_at(sample, {})
    reply = form_at(sample, {}, BASE_URL + before)
    campaign = {"utm_source": "letter", "utm_campaign": "ربيع"}
    assert hidden(reply) == {"page": "/sa/en/products", **campaign}
    assert reply.headers["Cache-Control"] == "private, no-store"
    assert hidden(form_at(sample, {})) == hidden(plain) == {}
    assert hidden(form_at(sample, {}, f"https://evil.example{before}")) == {}
    assert hidden(form_at(sample, {}, f"{BASE_URL}/?utm_source=%ff")) == {}
    own = form_at(sample, {"utm_source": "advert"}, BASE_URL + before)
    assert hidden(own)["utm_source"] == "advert"


@cases("suffix", ["", ".md", ".json"])
def test_the_form_of_one_reader_is_not_cached(sample: Visitor, suffix: str) -> None:
    """Without a query markdown and JSON are; HTML has a form with a token."""
    path = CONTACT + suffix
    personal = sample.get(f"{path}?productService={TILL}", HTML)
    assert personal.headers["Cache-Control"] == "private, no-store"
    assert personal.headers["X-Robots-Tag"] == "noindex"
    assert f"{CONTACT}>" in personal.links
    for query in ("", "?gclid=5"):
        expected = "public" if suffix else "private, no-cache"
        assert expected in sample.get(path + query, HTML).headers["Cache-Control"]


def test_what_is_refused_keeps_its_origin(sample: Visitor) -> None:
    """And still says what it is about."""
    sent = {"productService": TILL, "page": "/sa/en/products", **CAMPAIGN}
    body = urlencode({"email": "noor", **sent}).encode()
    reply = sample.ask("POST", CONTACT, FORM, body=body)
    assert reply.status == 400
    assert hidden(reply) == sent
    assert TILL_TITLE in reply.text


@cases(
    ("path", "query"),
    [
        ("/sa/en/modules/finance", "topic=demo&amp;page=/sa/en/modules/finance"),
        ("/sa/en/pricing", "page=/sa/en/pricing&amp;plan=Growth"),
        ("/sa/en/support", "page=/sa/en/support&amp;topic=support"),
        ("/sa/en", "topic=demo&amp;page=/sa/en"),
    ],
)
def test_the_buttons_of_a_page_tell_where_they_are(sample: Visitor, path: str, query: str) -> None:
    """Page, topic and plan stand in their links, which are equal for all readers."""
    reply = sample.get(path, HTML)
    assert f'class="button" href="{CONTACT}?page={path}' in reply.text
    assert f'href="{CONTACT}?{query}"' in reply.text
    other = {**HTML, "Referer": f"{BASE_URL}/sa/en/products?utm_source=letter"}
    assert sample.get(path, other).body == reply.body


@pytest.mark.parametrize(
    ("path", "text"),
    [(CONTACT, "within one working day"), ("/sa/ar/contact", "خلال يوم عمل واحد")],
)
def test_the_confirmation_says_what_happens_next_and_when(
    sample: Visitor, path: str, text: str
) -> None:
    """The default of a site that says nothing else."""
    assert text in sample.get(f"{path}?sent=1", HTML).text
