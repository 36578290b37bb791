"""JSON-LD: one graph of absolute ids that says what the page shows."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conftest import ViewOf

from knowledge.addresses import parse_address
from knowledge.resources.site_page import PageQuery, site_page
from knowledge.view import View
from renderers import html

Node = dict[str, Any]


def graph(view: View, rest: str) -> list[Node]:
    """The nodes of the page at a path."""
    address = parse_address(rest)
    assert address is not None
    text = html.render(site_page(view, address, PageQuery())).body.decode()
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text)
    assert found is not None
    return list(json.loads(found[1])["@graph"])


def node(nodes: list[Node], kind: str) -> Node | None:
    """The first node of a type."""
    return next((each for each in nodes if kind in (each["@type"], *each["@type"])), None)


PRODUCT = """---
title: Till
id: 7
sku: T-7
prices: {AED: "100.00"}
stock: 0
---
Text.
"""


def test_a_product_is_offered_where_it_has_a_price(view_of: ViewOf) -> None:
    """In the country's currency; elsewhere there is no offer."""
    offered = node(graph(view_of({"products/till.md": PRODUCT}), "/products/till"), "Product")
    assert offered is not None
    assert offered["offers"]["price"] == "100.00"
    assert offered["offers"]["priceCurrency"] == "AED"
    assert offered["offers"]["availability"] == "https://schema.org/OutOfStock"
    elsewhere = view_of({"products/till.md": PRODUCT}, "kw/en")
    unpriced = node(graph(elsewhere, "/products/till"), "Product")
    assert unpriced is not None
    assert "offers" not in unpriced


def test_questions_are_told_only_where_they_are_seen(view_of: ViewOf) -> None:
    """A hidden section is hidden from machines too."""
    seen = "---\ntitle: A\n---\n:::{faq} Ask\n\n### Why?\n\nSo *it* is.\n:::\n"
    hidden = seen.replace("Ask\n", "Ask\n:visible: false\n")
    page = node(graph(view_of({"pages/a.md": seen}), "/a"), "FAQPage")
    assert page is not None
    assert page["mainEntity"][0]["acceptedAnswer"]["text"] == "So it is."
    assert node(graph(view_of({"pages/a.md": hidden}), "/a"), "FAQPage") is None


def test_ids_are_absolute_and_every_reference_is_there(view_of: ViewOf) -> None:
    """The graph holds together."""
    post = "---\ntitle: P\npublishedAt: 2026-01-02\ntags: [vat]\n---\nText."
    nodes = graph(view_of({"posts/p.md": post}), "/blog/p")
    ids = {each["@id"] for each in nodes}
    assert all(each.startswith("https://") for each in ids)
    referred = set(re.findall(r'\{"@id": "([^"]+)"\}', json.dumps(nodes)))
    assert referred <= ids
    posting = node(nodes, "BlogPosting")
    assert posting is not None
    assert posting["datePublished"].startswith("2026-01-02")
    assert posting["inLanguage"] == "en"


@pytest.mark.parametrize("title", ["</script><b>", "<!-- <script>"])
def test_no_text_ends_the_element_it_stands_in(title: str, view_of: ViewOf) -> None:
    """No `<` stands in the script element."""
    view = view_of({"pages/a.md": f"---\ntitle: '{title}'\n---\nText."})
    crumbs = node(graph(view, "/a"), "BreadcrumbList")
    assert crumbs is not None
    assert crumbs["itemListElement"][-1]["name"] == title


def test_the_page_names_the_language_of_its_text(view_of: ViewOf) -> None:
    """That of the text, not that of the reader."""
    view = view_of({"pages/a.md": "---\ntitle: A\n---\nText."}, "sa/ar")
    page = node(graph(view, "/a"), "WebPage")
    assert page is not None
    assert page["inLanguage"] == "en"
