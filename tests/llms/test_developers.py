"""The text of the manual: what there is gets a chapter, what there is not gets none."""

from __future__ import annotations

from dataclasses import replace

from llms.developers import ApiFacts, Endpoint, Limit, Status, developers_text

READ = Endpoint("GET", "/api/public/v1/things/{slug}", "Things", "Get one thing", ("lang",))
OLD = replace(READ, path="/api/thing/{slug}", successor=READ.path)
SEND = Endpoint("POST", "/api/public/v1/leads", "Leads", "Send an enquiry", ("email", "name"))
SECURED = replace(READ, path="/api/orders", group="Orders", secured=True)
FACTS = ApiFacts(
    base_url="https://a.test",
    root="/api/public/v1",
    contract_version="1.0.0",
    sunset="Sat, 01 Jan 2028 00:00:00 GMT",
    endpoints=(READ, OLD),
    statuses=(Status(404, "RESOURCE_NOT_FOUND", "Nothing is there."),),
    limits=(Limit("All reads", 120, 60), Limit("All enquiries", 12, 600)),
    error_example='{"error": {}}',
    page_caching="public",
    api_caching="public, max-age=60",
    markdown_caching="private",
)


def test_a_resource_stands_in_the_table_of_its_group() -> None:
    """With what may be asked of it."""
    text = developers_text(FACTS)
    assert "### Things\n" in text
    assert "| `GET /api/public/v1/things/{slug}` | Get one thing | `lang` |" in text


def test_an_alias_stands_among_the_deprecations_alone() -> None:
    """With what to use instead."""
    before, _, after = developers_text(FACTS).partition("## Deprecations")
    assert "/api/thing/{slug}" not in before
    assert "| `GET /api/thing/{slug}` | `/api/public/v1/things/{slug}` |" in after
    assert FACTS.sunset in after


def test_enquiries_have_a_chapter_where_they_can_be_sent() -> None:
    """And none where they cannot."""
    assert "Sending an enquiry" not in developers_text(FACTS)
    text = developers_text(replace(FACTS, endpoints=(READ, SEND)))
    assert "## Sending an enquiry" in text
    assert "'https://a.test/api/public/v1/leads'" in text
    assert "`email`, `name`" in text


def test_what_needs_a_token_is_not_among_the_public_resources() -> None:
    """The manual's public part stays public."""
    text = developers_text(replace(FACTS, endpoints=(READ, SECURED)))
    public, _, partners = text.partition("## Partner interface")
    assert "/api/orders" not in public
    assert "`GET /api/orders`" in partners


def test_limits_are_told_in_words() -> None:
    """Requests and window, row by row."""
    text = developers_text(FACTS)
    assert "| All reads | 120 | 60 seconds |" in text
    assert "| All enquiries | 12 | 10 minutes |" in text


def test_every_chapter_has_a_heading_of_its_own() -> None:
    """So that each can be linked to; `versioning` is linked from every alias."""
    headings = [line for line in developers_text(FACTS).splitlines() if line.startswith("#")]
    assert len(headings) == len(set(headings))
    assert "## Versioning" in headings
