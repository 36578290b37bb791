"""The contact data of the company, by country, in every representation of the contact page."""

from __future__ import annotations

import json
import re
from typing import Any

from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor

HTML = {"Accept": "text/html"}
COUNTRIES = {
    "ae": "+971 4 555 0142",
    "sa": "+966 11 555 0142",
    "qa": "+974 4455 0142",
    "om": "+968 2455 0142",
    "kw": "+965 2255 0142",
    "bh": "+973 1755 0142",
}


def organization(text: str) -> dict[str, Any]:
    """Return the organization of the JSON-LD in a page."""
    match = re.search(r'<script type="application/ld\+json">(.*?)</script>', text)
    assert match is not None
    graph: list[dict[str, Any]] = json.loads(match[1])["@graph"]
    return next(node for node in graph if node["@type"] == "Organization")


@cases("country", COUNTRIES)
@cases("language", ["en", "ar"])
def test_each_country_has_its_own_number_in_every_representation(
    country: str, language: str, sample: Visitor
) -> None:
    """To call, with one tap; in the footer of all pages too."""
    phone, path = COUNTRIES[country], f"/{country}/{language}/contact"
    dialled = "tel:" + phone.replace(" ", "")
    contact = sample.get(f"{path}.json").json["contact"]
    assert (contact["phone"], contact["phoneUrl"]) == (phone, dialled)
    assert f"[{phone}]({dialled})" in sample.get(f"{path}.md").text
    page = sample.get(path, HTML).text
    assert page.count(f'href="{dialled}"') >= 3  # header, contact data, footer
    assert organization(page)["telephone"] == phone
    footer = sample.get(f"/{country}/{language}/erp", HTML).text.partition("<footer")[2]
    assert f'href="{dialled}"' in footer


@cases("country", COUNTRIES)
@cases("language", ["en", "ar"])
def test_a_line_of_contact_data_says_no_word_twice(
    country: str, language: str, sample: Visitor
) -> None:
    """Its label is not the first word behind it, on the pages of the company and of its cities."""
    cities = sample.get(f"/api/public/v1/cities?country={country}&lang={language}").json["cities"]
    base = f"/{country}/{language}"
    paths = [
        f"{base}/contact.md",
        *(
            f"{base}/cities/{city['slug']}.md"
            for city in cities
            if city["countryCode"] == country.upper()
        ),
    ]
    lines = [
        line
        for path in paths
        for line in re.findall(r"^- \*\*(.+?)\*\*: \[?(\S+)", sample.get(path).text, re.MULTILINE)
    ]
    assert len(lines) > len(paths)
    assert [label for label, word in lines if label == word] == []


def test_the_contact_page_has_all_contact_data(sample: Visitor) -> None:
    """WhatsApp, address with map, hours, registrations and profiles, in the reader's language."""
    contact = sample.get("/sa/ar/contact.json").json["contact"]
    assert contact["whatsappUrl"] == "https://wa.me/966505550142"
    assert contact["hours"] == "من الأحد إلى الخميس، من 08:00 إلى 18:00"
    assert contact["vatNumber"].startswith("3")
    assert [each["network"] for each in contact["profiles"]] == [
        *("LinkedIn", "X", "Instagram", "YouTube", "Snapchat", "Facebook")
    ]
    html = sample.get("/sa/ar/contact", HTML).text.replace("&#34;", '"').replace("\xa0", " ")
    markdown = sample.get("/sa/ar/contact.md").text
    for name in ("whatsapp", "email", "address", "hours", "commercialRegistration", "vatNumber"):
        assert contact[name] in html
        assert contact[name] in markdown
    for url in (contact["whatsappUrl"], contact["mapUrl"], contact["profiles"][2]["url"]):
        assert url.replace("&", "&amp;") in html
        assert f"]({url})" in markdown
    assert "إنستغرام" in html
    assert "[إنستغرام](" in markdown


def test_search_engines_read_the_contact_data_of_the_organization(sample: Visitor) -> None:
    """Address, VAT number, registration and profiles; a country without VAT has no number."""
    company = organization(sample.get("/sa/en/erp", HTML).text)
    assert company["address"]["streetAddress"].endswith("Riyadh 12214, Saudi Arabia")
    assert company["vatID"] == "300455501420003"
    assert company["identifier"]["value"] == "1010555142"
    assert "https://snapchat.example/add/wahat" in company["sameAs"]
    assert "vatID" not in organization(sample.get("/qa/en/erp", HTML).text)


SETTINGS = """---
siteSettings:
  phoneDisplay: call us
  whatsapp: "12"
  mapUrl: javascript:alert(1)
  xUrl: x.test
---
"""


def test_contact_data_that_leads_nowhere_is_shown_without_a_link(visit: Visit) -> None:
    """A profile needs its link, and is left out."""
    contact_page = "---\ntitle: Contact\n---\nx"
    site = visit({"site/settings.md": SETTINGS, "registry/contact.md": contact_page})
    assert site.get("/ae/en/contact.json").json["contact"] == {
        "phone": "call us",
        "whatsapp": "12",
        "profiles": [],
    }
    page = site.get("/ae/en/contact", HTML).text
    assert "call us" in page
    assert not re.search(r'href="(tel|javascript|https://wa\.me)', page)


def test_a_site_without_contact_data_has_no_empty_lists(visit: Visit) -> None:
    """Neither in the header nor in the footer."""
    site = visit({"registry/contact.md": "---\ntitle: Contact\n---\nx"})
    page = site.get("/ae/en/contact", HTML).text
    assert not re.search(r"<(ul|dl|address)[^>]*>\s*</", page)


@cases(
    ("path", "heading", "words"),
    [
        ("/sa/en/contact", "## Write to us\n\n", "For a demo or an enquiry: the form at"),
        ("/kw/ar/contact", "## اكتب إلينا\n\n", "لطلب عرض توضيحي أو إرسال استفسار: النموذج في"),
    ],
)
def test_the_markdown_leads_to_a_demo(sample: Visitor, path: str, heading: str, words: str) -> None:
    """It names the form, and the operation of the API with what that needs."""
    markdown = sample.get(f"{path}.md").text
    text = next(line for line in markdown.split(heading)[1].splitlines() if words in line)
    assert text.startswith(f"{words} {BASE_URL}{path}")
    assert f"`POST {BASE_URL}/api/public/v1/leads`" in text
    named = re.findall("`([a-z]+)`", text)
    assert named == ["email", "topic", "demo", "message"]
    lead = {"email": "reader@example.com", "topic": named[2], "message": "A demo, please."}
    leads = "/api/public/v1/leads"
    assert sample.post(leads, lead, peer="198.51.100.99").status == 200
    refused = sample.post(leads, {"topic": named[2]}, peer="198.51.100.99")
    assert "email" in refused.json["error"]["message"]


@cases("path", ["/ae/en/contact", "/sa/ar/contact"])
def test_the_markdown_leads_to_the_form_for_each_topic(sample: Visitor, path: str) -> None:
    """By the names that the form has for them; there the topic is chosen already."""
    form = sample.get(path, HTML).text
    named = dict(re.findall(r'<option value="([a-z]+)"[^>]*>([^<]+)</option>', form))
    linked = re.findall(
        rf"^- \[([^\]]+)\]\({BASE_URL}{path}\?topic=([a-z]+)\)$",
        sample.get(f"{path}.md").text,
        re.MULTILINE,
    )
    assert [topic for _, topic in linked] == ["demo", "pricing", "hardware", "support", "other"]
    for label, topic in linked:
        assert named[topic] == label
        chosen = sample.get(f"{path}?topic={topic}", HTML).text
        assert f'<option value="{topic}" selected>' in chosen


def test_a_site_without_a_form_promises_none(visit: Visit) -> None:
    """Its topics may also be others than a demo."""
    form = {"site/contact-form.md": "---\nenabled: false\n---\n"}
    contact = {"registry/contact.md": "---\ntitle: Contact\n---\nx"}
    assert "leads" not in visit({**contact, **form}).get("/ae/en/contact.md").text
    topics = (
        "---\ntopics:\n  - {value: help, leadTopic: support, label: {en: Help, ar: مساعدة}}\n---\n"
    )
    text = visit({**contact, "site/contact-form.md": topics}).get("/ae/en/contact.md").text
    assert "For an enquiry: the form at" in text
    assert "demo" not in text


def test_the_bar_at_the_foot_is_on_no_page_with_a_form(shared_visit: Visit) -> None:
    """Nor where there is nothing to call and nowhere to lead; it has the country's numbers."""
    numbers = "siteSettings: {phoneDisplay: '+971 4 555 0142', whatsapp: '+971 50 555 0142'}"
    files = {
        "site/settings.md": f"---\n{numbers}\n---\n",
        "registry/contact.md": "---\ntitle: Contact\n---\nx",
        "pages/about.md": "---\ntitle: About\n---\nx",
    }
    site = shared_visit(files)
    about = site.get("/ae/en/about", HTML).text
    bar = re.search(r'<nav class="bottom-bar".*?</nav>', about, re.DOTALL)
    assert bar
    assert re.findall(r'href="([^"]+)"[^>]*>([^<]+)', bar[0]) == [
        ("tel:+97145550142", "Call"),
        ("https://wa.me/971505550142", "WhatsApp"),
        ("/ae/en/contact", "Contact us"),
    ]
    assert 'class="bottom-bar"' not in site.get("/ae/en/contact", HTML).text
    bare = shared_visit({"pages/about.md": files["pages/about.md"]})
    assert 'class="bottom-bar"' not in bare.get("/ae/en/about", HTML).text


_BAR = re.compile(r'<nav class="bottom-bar".*?</nav>', re.DOTALL)
_PRODUCT = "form=enquire name=product value="


@cases(
    ("path", "label", "leads"),
    [
        ("/erp", "Ask for a demo", "/contact"),
        ("/pricing", "Ask for a trial", "/contact?page={page}&amp;plan=Starter"),
        ("/support", "Contact support", "/contact?page={page}&amp;topic=support"),
        ("/products/printer-receipt-80", "Ask for a quotation", f"{_PRODUCT}printer-receipt-80"),
        ("/products/printer-label-4", "Ask for a date and a price", f"{_PRODUCT}printer-label-4"),
        ("/nope", None, None),
    ],
)
def test_the_bar_at_the_foot_asks_for_what_the_page_is_about(
    sample: Visitor, path: str, label: str | None, leads: str | None
) -> None:
    """Its main button is that of the type of the page; a page that is missing has no bar."""
    page = f"/ae/en{path}"
    text = sample.get(page, HTML).text
    bar = _BAR.search(text)
    assert bool(bar) == bool(label)
    if bar is None or leads is None:
        return
    *calls, button = re.findall(r"<(?:a|button) ([^>]*)>([^<]+)</", bar[0])
    assert [name for _, name in calls] == ["Call", "WhatsApp"]
    assert button[1] == label
    if leads.startswith("/"):
        assert f'href="/ae/en{leads.format(page=page)}"' in button[0]
    else:
        assert button[0].replace('"', "").endswith(leads)
        assert text.count('<form class="enquire" id="enquire"') == 1


def test_a_guide_for_developers_has_no_bar(sample: Visitor) -> None:
    """Nothing there is for sale."""
    assert "bottom-bar" not in sample.get("/developers", HTML).text


def test_registrations_stand_at_the_foot_of_all(sample: Visitor) -> None:
    """In the last lines of a page, apart from how to reach the company."""
    foot = sample.get("/ae/en", {"Accept": "text/html"}).text.partition('<footer class="foot">')[2]
    reach, _, fine = foot.partition('<ul class="fine">')
    assert "Commercial registration" in fine
    assert "Commercial registration" not in reach
    assert "Phone" in reach
