"""JSON-LD: one graph with absolute ids and the content that the page shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from cases import cases
from conftest import ViewOf
from contract.visitor import Visitor
from json_ld import Node, node, nodes_of

from knowledge.addresses.addresses import parse_address
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.views.content_view import ContentView
from renderers.html import renderer as html


def graph(view: ContentView, rest: str) -> list[Node]:
    """Return the graph nodes of the page at a path below the view's locale."""
    address = parse_address(rest)
    assert address is not None
    return nodes_of(html.render(site_page(view, address, PageQuery())).body.decode())


PRODUCT = """---
title: Till
id: 7
sku: T-7
prices: {AED: "100.00"}
stock: 0
---
Text.
"""


def test_a_product_has_an_offer_if_it_has_a_price(view_of: ViewOf) -> None:
    """The offer is in the country's currency; without a price there is no offer."""
    product = node(graph(view_of({"products/till.md": PRODUCT}), "/products/till"), "Product")
    assert product is not None
    assert product["offers"]["price"] == "100.00"
    assert product["offers"]["priceCurrency"] == "AED"
    assert product["offers"]["availability"] == "https://schema.org/OutOfStock"
    kuwait = view_of({"products/till.md": PRODUCT}, "kw/en")
    unpriced = node(graph(kuwait, "/products/till"), "Product")
    assert unpriced is not None
    assert "offers" not in unpriced


def test_only_visible_questions_are_in_the_graph(view_of: ViewOf) -> None:
    """The graph omits hidden sections."""
    visible = "---\ntitle: A\n---\n:::{faq} Ask\n\n### Why?\n\nSo *it* is.\n:::\n"
    hidden = visible.replace("Ask\n", "Ask\n:visible: false\n")
    page = node(graph(view_of({"pages/a.md": visible}), "/a"), "FAQPage")
    assert page is not None
    assert page["mainEntity"][0]["acceptedAnswer"]["text"] == "So it is."
    assert node(graph(view_of({"pages/a.md": hidden}), "/a"), "FAQPage") is None


def test_ids_are_absolute_and_every_reference_resolves(view_of: ViewOf) -> None:
    """Every `@id` that a node refers to belongs to a node of the graph."""
    post = "---\ntitle: P\npublishedAt: 2026-01-02\ntags: [vat]\n---\nText."
    nodes = graph(view_of({"posts/p.md": post}), "/blog/p")
    ids = {each["@id"] for each in nodes}
    assert all(each.startswith("https://") for each in ids)
    references = set(re.findall(r'\{"@id": "([^"]+)"\}', json.dumps(nodes)))
    assert references <= ids
    posting = node(nodes, "BlogPosting")
    assert posting is not None
    assert posting["datePublished"].startswith("2026-01-02")
    assert posting["inLanguage"] == "en"


@pytest.mark.parametrize("title", ["</script><b>", "<!-- <script>"])
def test_no_text_closes_the_script_element(title: str, view_of: ViewOf) -> None:
    """The script element contains no `<`."""
    view = view_of({"pages/a.md": f"---\ntitle: '{title}'\n---\nText."})
    address = parse_address("/a")
    assert address is not None
    text = html.render(site_page(view, address, PageQuery())).body.decode()
    script = text.partition('<script type="application/ld+json">')[2].partition("</script>")[0]
    assert "BreadcrumbList" in script
    assert "<" not in script
    breadcrumbs = node(graph(view, "/a"), "BreadcrumbList")
    assert breadcrumbs is not None
    assert breadcrumbs["itemListElement"][-1]["name"] == title


def test_a_web_page_has_the_language_of_its_text(view_of: ViewOf) -> None:
    """`inLanguage` is the language of the text, not of the reader."""
    view = view_of({"pages/a.md": "---\ntitle: A\n---\nText."}, "sa/ar")
    page = node(graph(view, "/a"), "WebPage")
    assert page is not None
    assert page["inLanguage"] == "en"


class VisibleText(HTMLParser):
    """A parser for the visible text of a page and the dates in its `datetime` attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._parts: list[str] = []
        self._hidden = 0
        self.dates: set[str] = set()
        self.feed(text)

    @property
    def text(self) -> str:
        """The visible text with normalized white space."""
        return normalize_space("".join(self._parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Skip the text of scripts, and record dates."""
        self._hidden += tag == "script"
        self.dates.add(dict(attrs).get("datetime") or "")

    def handle_endtag(self, tag: str) -> None:
        """Stop skipping text at the end of a script."""
        self._hidden -= tag == "script"

    def handle_data(self, data: str) -> None:
        """Add visible text."""
        if not self._hidden:
            self._parts.append(data)


def normalize_space(text: str) -> str:
    """Replace all runs of white space with one space."""
    return " ".join(text.split())


def texts_of(nodes: list[Node]) -> Iterator[str]:
    """Yield all texts of a graph that must be visible on the page."""
    for each in nodes:
        for name in ("name", "headline", "email", "telephone", "sku", "gtin13"):
            yield from [each[name]] if name in each else []
        yield from [each["address"]["streetAddress"]] if "address" in each else []
        if each["@type"] in ("BlogPosting", "Product"):
            yield each["description"]
        yield from each.get("keywords", ())
        yield from (item["name"] for item in each.get("itemListElement", ()) if "name" in item)
        yield from [each["brand"]["name"]] if "brand" in each else []
        for question in each["mainEntity"] if "FAQPage" in each["@type"] else ():
            yield question["name"]
            yield question["acceptedAnswer"]["text"]


@cases("locale", ["ae/en", "sa/ar", "kw/en", "bh/ar"])
@cases(
    "rest",
    [
        pytest.param("", id="home"),
        pytest.param("/faqs", id="questions"),
        pytest.param("/modules/point-of-sale", id="module"),
        pytest.param("/blog", id="blog"),
        pytest.param("/blog/vat-across-the-gulf", id="post"),
        pytest.param("/products", id="products"),
        pytest.param("/products/counter-pos-15", id="product"),
        pytest.param("/cities", id="cities"),
        pytest.param("/testimonials", id="testimonials"),
    ],
)
def test_the_graph_says_what_the_page_shows(rest: str, locale: str, sample: Visitor) -> None:
    """All texts of the graph are on the page, word for word."""
    text = sample.get(f"/{locale}{rest}", {"Accept": "text/html"}).text
    nodes = nodes_of(text)
    visible = VisibleText(text)
    assert [each for each in texts_of(nodes) if normalize_space(each) not in visible.text] == []
    dates = {each["datePublished"] for each in nodes if "datePublished" in each}
    assert dates <= visible.dates


@pytest.mark.parametrize(
    ("locale", "price", "shown"),
    [("ae/en", "4250.00", "AED 4,250.00"), ("kw/ar", "356.000", "356.000 د.ك.")],
)
def test_the_offer_is_at_the_price_on_the_page(
    locale: str, price: str, shown: str, sample: Visitor
) -> None:
    """The prices are exact, as on the page; merchants tell the one with VAT."""
    text = sample.get(f"/{locale}/products/counter-pos-15", {"Accept": "text/html"}).text
    offers = [each["offers"] for each in nodes_of(text) if "offers" in each]
    first, *_, last = [offers[0]["priceSpecification"][at] for at in (0, -1)]
    assert (first["price"], first["valueAddedTaxIncluded"]) == (price, False)
    assert offers[0]["price"] == last["price"]
    assert shown in VisibleText(text).text.replace("\u200f", "")
