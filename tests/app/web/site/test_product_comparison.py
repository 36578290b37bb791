"""Up to three products beside each other, without script."""

from __future__ import annotations

import re

import pytest
from cases import cases
from contract.visitor import Visitor

HTML = {"Accept": "text/html"}
COMPARE = "/sa/en/products/compare"
TWO = "?items=counter-pos-15,pocket-pos"


def test_three_forms_have_the_same_rows(sample: Visitor) -> None:
    """Prices, availability and every specification of any of them, in their order."""
    body = sample.get(f"{COMPARE}.json{TWO}").json
    assert [item["slug"] for item in body["items"]] == ["counter-pos-15", "pocket-pos"]
    assert (body["unknown"], body["tooMany"]) == ([], False)
    assert all(len(row["values"]) == 2 for row in body["rows"])
    html, markdown = sample.get(COMPARE + TWO, HTML).text, sample.get(f"{COMPARE}.md{TWO}").text
    table = [line for line in markdown.splitlines() if line.startswith("|")]
    names = ["", "---", "Price", "Availability", *(row["name"] for row in body["rows"])]
    assert [line.split("|")[1].strip() for line in table] == names
    assert re.findall(r'<th scope="row"[^>]*>([^<]*)</th>', html) == names[2:]
    assert html.count('<th scope="col"') == 2
    values = ([each.strip() for each in line.split("|")[1:-1]] for line in table[2:])
    differing = [name for name, *cells in values if len(set(cells)) > 1]
    assert re.findall(r'<tr class="differs"><th scope="row"[^>]*>([^<]*)</th>', html) == differing
    assert "What differs is marked." in html
    assert "SAR 4,340.00 excl. VAT" in table[2]
    assert "4,340.00" in html


@pytest.mark.parametrize(
    "query", ["?items=counter-pos-15&items=pocket-pos", TWO + ",counter-pos-15"]
)
def test_a_form_with_checkboxes_asks_for_the_same(sample: Visitor, query: str) -> None:
    """It repeats the parameter; a product that is named twice is shown once."""
    expected = sample.get(f"{COMPARE}.json{TWO}").json
    for _ in range(2):  # computed, and from the cache
        assert sample.get(f"{COMPARE}.json?items=counter-pos-15").json != expected
        assert sample.get(f"{COMPARE}.json{query}").json == expected


@cases(
    ("query", "text"),
    [
        ("", "Choose up to 3 products"),
        ("?items=", "Choose up to 3 products"),
        ("?items=no-such,counter-pos-15", "These products do not exist: no-such"),
        ("?items=a%3Cb%3E", "These products do not exist:"),
        (f"{TWO},kiosk-24,tablet-pos-11", "Up to 3 products can be compared."),
    ],
)
def test_what_cannot_be_compared_is_told(sample: Visitor, query: str, text: str) -> None:
    """In HTML and markdown."""
    for target in (COMPARE + query, f"{COMPARE}.md{query}"):
        reply = sample.get(target, HTML)
        assert reply.status == 200
        assert text in re.sub(r"</?(?:bdi|span)[^>]*>", "", reply.text)
        assert "<b>" not in reply.text


def test_more_than_three_can_be_chosen_again(sample: Visitor) -> None:
    """By a form with all of them, of which three are checked."""
    reply = sample.get(f"{COMPARE}{TWO},kiosk-24,tablet-pos-11", HTML)
    assert reply.text.count('name="items"') == 4
    assert reply.text.partition("</main>")[0].count(" checked>") == 3
    assert "<table" not in reply.text
    body = sample.get(f"{COMPARE}.json{TWO},kiosk-24,tablet-pos-11").json
    assert (len(body["items"]), body["rows"], body["tooMany"]) == (4, [], True)


def test_the_list_leads_to_the_comparison(sample: Visitor) -> None:
    """Each card has a checkbox of a form that sends them."""
    text = sample.get("/sa/ar/products", HTML).text
    assert '<form id="compare" action="/sa/ar/products/compare"' in text
    assert text.count('name="items"') == text.count('form="compare"') == 15


def test_comparisons_are_in_no_index(sample: Visitor) -> None:
    """Neither in the sitemap nor for search engines."""
    assert "noindex" in sample.get(COMPARE + TWO, HTML).headers["X-Robots-Tag"]
    assert "/products/compare" not in sample.get("/sitemap.xml").text
    assert "/products/compare" not in sample.get("/sa/en/llms.txt").text
