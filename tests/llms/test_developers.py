"""The text of the manual: tables and sections that depend on the facts."""

from __future__ import annotations

from dataclasses import replace

from gulf import LOCALES

from llms.developers import ApiFacts, Contract, Endpoint, Limit, Status, developers_text

READ = Endpoint("GET", "/api/public/v1/things/{slug}", "Things", "Get one thing", ("lang",))
OLD = replace(READ, path="/api/thing/{slug}", successor=READ.path)
SEND = Endpoint("POST", "/api/public/v1/leads", "Leads", "Send an enquiry", ("email", "name"))
SECURED = replace(READ, path="/api/orders", group="Orders", secured=True)
FACTS = ApiFacts(
    base_url="https://a.test",
    root="/api/public/v1",
    contract_version="1.0.0",
    legacy_contract="/openapi-legacy.json",
    contracts=(Contract("/openapi/things.json", "Things."),),
    sunset="Sat, 01 Jan 2028 00:00:00 GMT",
    endpoints=(READ, OLD),
    statuses=(Status(404, "RESOURCE_NOT_FOUND", "Nothing is there."),),
    limits=(Limit("All reads", 120, 60), Limit("All enquiries", 12, 600)),
    error_example='{"error": {}}',
    page_caching="public",
    api_caching="public, max-age=60",
    markdown_caching="private",
)


def test_an_endpoint_is_in_the_table_of_its_group() -> None:
    """Its row has the parameters."""
    text = developers_text(FACTS, LOCALES)
    assert "### Things\n" in text
    assert "| `GET /api/public/v1/things/{slug}` | Get one thing | `lang` |" in text


def test_an_alias_is_only_in_the_deprecations() -> None:
    """Its row has the path to use instead."""
    before, _, after = developers_text(FACTS, LOCALES).partition("## Deprecations")
    assert "/api/thing/{slug}" not in before
    assert "| `GET /api/thing/{slug}` | `/api/public/v1/things/{slug}` |" in after
    assert FACTS.sunset in after


def test_enquiries_have_a_section_if_they_can_be_sent() -> None:
    """Without a POST endpoint there is no such section."""
    assert "Sending an enquiry" not in developers_text(FACTS, LOCALES)
    text = developers_text(replace(FACTS, endpoints=(READ, SEND)), LOCALES)
    assert "## Sending an enquiry" in text
    assert "'https://a.test/api/public/v1/leads'" in text
    assert "`email`, `name`" in text


def test_secured_endpoints_are_not_in_the_public_resources() -> None:
    """They are in the section on the partner interface."""
    text = developers_text(replace(FACTS, endpoints=(READ, SECURED)), LOCALES)
    public, _, partners = text.partition("## Partner interface")
    assert "/api/orders" not in public
    assert "`GET /api/orders`" in partners


def test_limits_are_in_a_table() -> None:
    """A row has the number of requests and the window."""
    text = developers_text(FACTS, LOCALES)
    assert "| All reads | 120 | 60 seconds |" in text
    assert "| All enquiries | 12 | 10 minutes |" in text


def test_headings_are_unique() -> None:
    """Each can be linked to; every alias links to `#versioning`."""
    headings = [
        line for line in developers_text(FACTS, LOCALES).splitlines() if line.startswith("#")
    ]
    assert len(headings) == len(set(headings))
    assert "## Versioning" in headings
