"""Texts of forms and of the first page: their links; whole numbers; what an agent sends."""

from __future__ import annotations

import pytest
from conftest import Visit
from contract.visitor import BASE_URL, Visitor

FORM = """---
title: { en: A table, ar: طاولة }
purpose: reservation
fields:
  people: { type: integer, min: 1, max: 12, required: true, help: "More? See [groups](/groups)." }
  email: { type: email, required: true }
thanksText: See [the groups](/groups).
---
Text.
"""
HOME = """---
hero: { title: Home, sub: "[One](/groups)", body: "[Two](/groups)" }
about: { title: About, paragraphs: ["[Three](/groups)"] }
---
"""


@pytest.fixture
def site(shared_visit: Visit) -> Visitor:
    """A restaurant in two countries."""
    return shared_visit(
        {
            "countries/ae.md": "---\n---\n",
            "countries/sa.md": "---\n---\n",
            "forms/table.md": FORM,
            "pages/groups.md": "---\ntitle: { en: Groups, ar: مجموعات }\n---\nText.\n",
            "site/home.md": HOME,
        }
    )


def test_links_of_front_matter_lead_into_the_locale(site: Visitor) -> None:
    """In HTML and in markdown; a path without locale is another country's for some visitors."""
    for path, number in {"/sa/en": 3, "/sa/en/table": 1}.items():
        html = site.get(path, {"Accept": "text/html"}).text
        main = html[html.index("<main") : html.index("</main>")]
        assert main.count('href="/sa/en/groups"') == number, path
        assert 'href="/groups"' not in html, path
        markdown = site.get(path, {"Accept": "text/markdown"}).text
        assert markdown.count("/sa/en/groups.md)") >= number, path
        assert "example/groups)" not in markdown, path


def test_people_are_counted_in_whole_numbers(site: Visitor) -> None:
    """A fault says so; a contract has the type."""
    sent = {"form": "table", "email": "noor@example.test", "localeCountry": "sa"}
    for people, status in ((2, 200), ("3", 200), (2.5, 400), ("2,5", 400), (13, 400)):
        reply = site.post("/api/public/v1/leads", {**sent, "answers": {"people": people}})
        assert reply.status == status, people
    assert (
        "a whole number"
        in site.post("/api/public/v1/leads", {**sent, "answers": {"people": 2.5}}).text
    )
    schemas = site.get("/openapi.json").text
    assert '"people":{"type":"integer"' in schemas


def test_an_agent_reads_whom_the_answer_is_for(site: Visitor) -> None:
    """The country decides which entries a form offers, the language that of a copy."""
    named = "`localeCountry` (`sa`), `localeLang` (`en`)"
    assert named in site.get("/sa/en/table.md").text
    assert named in site.get("/sa/en/llms.txt").text


def test_a_site_in_arabic_alone_has_a_skill_with_its_forms(shared_visit: Visit) -> None:
    """The title of a form may have no English."""
    form = FORM.replace("{ en: A table, ar: طاولة }", "طاولة")
    site = shared_visit(
        {"site/settings.md": "---\nlang: ar\n---\n", "forms/table.md": form}, mcp=True
    )
    assert site.get("/.well-known/ai-catalog.json").status == 200
    (skill,) = site.get("/.well-known/agent-skills/index.json").json["skills"]
    assert "[طاولة](" in site.get(skill["url"].removeprefix(BASE_URL)).text
