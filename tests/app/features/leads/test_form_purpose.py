"""What people want with a form: agents, buttons and mails lead to it by its purpose."""

from __future__ import annotations

import json
import re

import pytest
from conftest import Content, Visit
from contract.visitor import BASE_URL, Visitor
from mcp_calls import context_of
from samples.tables import TABLE, TABLES

from app.features.mcp.methods import instructions
from knowledge.fields.content_types import FORM
from knowledge.fields.form_kinds import PURPOSES
from knowledge.fields.kind_fields import schema_org
from knowledge.snapshot.loading import load_content

HTML = {"Accept": "text/html"}
WISHED = TABLE.replace(
    "fields:", "purpose: reservation\nsortOrder: 1\nrequireOneOf: [phone, email]\nfields:"
)
WISHED = WISHED.replace("phone: { type: phone, required: true }", "phone: { type: phone }")
SITE = {
    **TABLES,
    "forms/table.md": WISHED,
    "forms/quote.md": "---\ntitle: Ask for a price\npurpose: quotation\n"
    "fields: { email: { type: email, required: true } }\n---\nText.\n",
    "pages/plans.md": "---\ntitle: Plans\n---\n:::{plans} Plans\n"
    "### Small\n:price: request\n:call: quotation\n:::\n",
    "pages/about.md": "---\ntitle: About\n---\nText.\n",
}


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A site with a form that says what people want with it."""
    return shared_visit(SITE)


def test_agents_are_led_to_the_form_of_a_wish(visitor: Visitor) -> None:
    """With what it needs, by the names that are sent."""
    needed = "`name`, `answers.branch`, `answers.people`, `answers.day`, `answers.time`"
    guide = visitor.get("/sa/en/llms.txt").text
    assert f"Reservation: the form “Book a table” at {BASE_URL}/sa/en/table" in guide
    assert f"`form` as `table`, and {needed}, `phone` / `email`" in guide
    assert "use when a person wants this: Reservation" in guide
    assert "حجز: النموذج «احجز طاولة»" in visitor.get("/sa/ar/llms.txt").text
    (skill,) = visitor.get("/.well-known/agent-skills/index.json").json["skills"]
    text = visitor.get(skill["url"].removeprefix(BASE_URL)).text
    assert re.search(r"- Reservation: \[Book a table\]\(\S+/table\.md\), `form` as `table`", text)
    assert f"It needs {needed}, and one of `phone`, `email`." in text
    told = instructions(context_of(visitor, "/sa/en"), ())
    assert f"`form` as `table`, and {needed}, `phone` / `email`" in told


def test_buttons_lead_to_the_form_of_a_wish(visitor: Visitor) -> None:
    """That of a plan for a quotation, and the main one, with the words of the form."""
    page = visitor.get("/sa/en/plans", HTML).text
    assert re.search(r'href="/sa/en/quote[^"]*"[^>]*>Ask for a quotation<', page)
    assert re.search(r'<a class="button" href="/sa/en/table"[^>]*>Book a table<', page)
    assert '"/sa/ar/table">احجز طاولة<' in visitor.get("/sa/ar/about", HTML).text


def test_a_button_that_the_site_names_stays(visit: Visit) -> None:
    """Where it leads, and what it says."""
    site = {**SITE, "site/navigation.md": "---\naction: /about\n---\n"}
    page = visit({**site, "site/words.md": "---\nmainButton: Hello\n---\n"}).get("/sa/en", HTML)
    assert re.search(r'<a class="button" href="/sa/en/about"[^>]*>Hello<', page.text)


def test_search_engines_are_told_what_can_be_done(visitor: Visitor) -> None:
    """As an action of schema.org on the page of the form."""
    page = visitor.get("/sa/en/table", HTML).text
    (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    found = [
        each["potentialAction"] for each in json.loads(data)["@graph"] if "webpage" in each["@id"]
    ]
    assert found == [
        [
            {
                "@type": "ReserveAction",
                "name": "Book a table",
                "target": {"@type": "EntryPoint", "urlTemplate": f"{BASE_URL}/sa/en/table"},
            }
        ]
    ]
    assert {each.action for each in PURPOSES.values()} <= schema_org("types")


def test_an_unknown_purpose_is_named(content: Content) -> None:
    """With its line and the ones that there are; the form stays."""
    form = WISHED.replace("purpose: reservation", "purpose: reserve")
    loaded = load_content(content({**TABLES, "forms/table.md": form}))
    (found,) = [each for each in loaded.diagnostics if "purpose" in each.message]
    assert (found.path, found.line) == ("forms/table.md", 3)
    assert "reservation" in f"{found.message} {found.suggestion}"
    assert [*loaded.snapshot.entries[FORM]] == ["table"]
