"""JSON-LD: one graph of absolute ids that says what the page shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from conftest import ViewOf
from contract.visitor import Visitor

from knowledge.addresses import parse_address
from knowledge.content_view import ContentView
from knowledge.resources.site_page import PageQuery, site_page
from renderers import html

Node = dict[str, Any]


def graph(view: ContentView, rest: str) -> list[Node]:
    """The nodes of the page at a path."""
    address = parse_address(rest)
    assert address is not None
    return nodes_of(html.render(site_page(view, address, PageQuery())).body.decode())


def nodes_of(text: str) -> list[Node]:
    """The nodes that stand in a page's HTML, in its one graph."""
    (found,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text)
    return list(json.loads(found)["@graph"])


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


class Visible(HTMLParser):
    """What a reader sees of a page, as one line, and the dates that its elements carry."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._parts: list[str] = []
        self._hidden = 0
        self.dates: set[str] = set()
        self.feed(text)

    @property
    def text(self) -> str:
        """Its words, one space between them."""
        return squeezed("".join(self._parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The head is not seen, but for what stands in the window's title."""
        self._hidden += tag == "script"
        self.dates.add(dict(attrs).get("datetime") or "")

    def handle_endtag(self, tag: str) -> None:
        """As they end, elements part words."""
        self._hidden -= tag == "script"

    def handle_data(self, data: str) -> None:
        """Words."""
        if not self._hidden:
            self._parts.append(data)


def squeezed(text: str) -> str:
    """A text without differences in white space."""
    return " ".join(text.split())


def told(nodes: list[Node]) -> Iterator[str]:
    """Every text of a graph that a reader must be able to find on the page."""
    for each in nodes:
        for name in ("name", "headline", "email", "telephone", "address", "sku", "gtin13"):
            yield from [each[name]] if name in each else []
        if each["@type"] in ("BlogPosting", "Product"):
            yield each["description"]
        yield from each.get("keywords", ())
        yield from (breadcrumb["name"] for breadcrumb in each.get("itemListElement", ()))
        yield from [each["brand"]["name"]] if "brand" in each else []
        for question in each.get("mainEntity", ()):
            yield question["name"]
            yield question["acceptedAnswer"]["text"]


@pytest.mark.parametrize("locale", ["ae/en", "sa/ar", "kw/en", "bh/ar"])
@pytest.mark.parametrize(
    "rest",
    [
        pytest.param("", id="home"),
        pytest.param("/faqs", id="questions"),
        pytest.param("/modules/point-of-sale", id="module"),
        pytest.param("/blog", id="blog"),
        pytest.param("/blog/vat-across-the-gulf", id="post"),
        pytest.param("/products/counter-pos-15", id="product"),
        pytest.param("/testimonials", id="testimonials"),
    ],
)
def test_the_graph_says_what_the_page_shows(rest: str, locale: str, sample: Visitor) -> None:
    """Word for word; nothing is told to machines alone."""
    text = sample.get(f"/{locale}{rest}", {"Accept": "text/html"}).text
    nodes = nodes_of(text)
    visible = Visible(text)
    assert [each for each in told(nodes) if squeezed(each) not in visible.text] == []
    dates = {each["datePublished"] for each in nodes if "datePublished" in each}
    assert dates <= visible.dates


@pytest.mark.parametrize(
    ("locale", "price", "shown"),
    [("ae/en", "4250.00", "AED 4,250.00"), ("kw/ar", "356.000", "356.000 د.ك.")],
)
def test_the_offer_is_at_the_price_on_the_page(
    locale: str, price: str, shown: str, sample: Visitor
) -> None:
    """To the last fils, and without VAT as the page says."""
    text = sample.get(f"/{locale}/products/counter-pos-15", {"Accept": "text/html"}).text
    offers = [each["offers"] for each in nodes_of(text) if "offers" in each]
    specification = offers[0]["priceSpecification"]
    assert offers[0]["price"] == specification["price"] == price
    assert specification["valueAddedTaxIncluded"] is False
    assert shown in Visible(text).text.replace("\u200f", "")
