"""JSON-LD by the vocabulary of schema.org and by what search engines ask of each type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from html.parser import HTMLParser

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from json_ld import Node, node, nodes_of
from schema_org import as_list, vocabulary

PAGES = (
    *("/ae/en", "/sa/ar", "/ae/en/contact", "/sa/ar/about", "/kw/en/faqs"),
    *("/ae/en/blog", "/sa/ar/blog?page=2", "/ae/en/blog/category/tax-and-compliance"),
    *("/ae/en/blog/vat-across-the-gulf", "/ae/en/blog/author/khalid-al-balushi"),
    *("/sa/en/products", "/kw/ar/products/counter-pos-15", "/ae/en/testimonials"),
    *("/ae/en/modules", "/sa/ar/industries", "/ae/en/cities", "/sa/en/cities/riyadh"),
    *("/om/ar/cities/muscat", "/ae/en/cities/dubai/erp", "/ae/en/search?q=vat"),
    *("/sa/en/pricing", "/kw/ar/pricing"),
)
REQUIRED: Mapping[str, Sequence[str]] = {
    "Answer": ("text",),
    "BlogPosting": ("headline", "author", "datePublished", "dateModified", "image"),
    "BreadcrumbList": ("itemListElement",),
    "EntryPoint": ("urlTemplate",),
    "GeoCoordinates": ("latitude", "longitude"),
    "ItemList": ("itemListElement",),
    "ListItem": ("position",),
    "LocalBusiness": (
        *("name", "address", "telephone", "url", "geo", "openingHours"),
        "openingHoursSpecification",
    ),
    "Offer": ("price", "priceCurrency", "availability", "url"),
    "OpeningHoursSpecification": ("dayOfWeek", "opens", "closes"),
    "Organization": ("name", "url", "logo", "address", "telephone", "email"),
    "Person": ("name",),
    "PostalAddress": ("streetAddress",),
    "Product": ("name",),
    "ProfilePage": ("mainEntity",),
    "Question": ("name", "acceptedAnswer"),
    "SearchAction": ("target", "query-input"),
    "SoftwareApplication": ("name", "offers", "applicationCategory", "provider"),
    "UnitPriceSpecification": ("price", "priceCurrency"),
    "WebSite": ("name", "url", "potentialAction"),
}
"""What Google requires or recommends of a type, and the sample content knows."""


@pytest.fixture(scope="module")
def graphs(sample: Visitor) -> Mapping[str, list[Node]]:
    """The graph of each page."""
    return {path: nodes_of(sample.get(path, {"Accept": "text/html"}).text) for path in PAGES}


def every_node(value: object) -> Iterator[Node]:
    """Yield a node and those within it."""
    if isinstance(value, dict):
        yield from [value] if "@type" in value else []
        for each in value.values():
            yield from every_node(each)
    elif isinstance(value, list):
        for each in value:
            yield from every_node(each)


def test_schema_org_knows_every_type_and_property(graphs: Mapping[str, list[Node]]) -> None:
    """And each value is of a type that its property has."""
    known = vocabulary()
    problems = {
        path: found
        for path, nodes in graphs.items()
        if (found := [each for entry in nodes for each in known.problems(entry)])
    }
    assert problems == {}


def test_the_vocabulary_finds_what_is_wrong() -> None:
    """An unknown type, an unknown property, and a value of another type."""
    known = vocabulary()
    assert list(known.problems({"@type": "Shop"}))
    assert list(known.problems({"@type": "Person", "price": "1"}))
    assert list(known.problems({"@type": "LocalBusiness", "address": {"@type": "Offer"}}))
    assert list(known.problems({"@type": "Offer", "availability": "https://schema.org/Gone"}))


def test_each_type_has_what_search_engines_ask_of_it(graphs: Mapping[str, list[Node]]) -> None:
    """As their guides list it."""
    seen, lacking = set(), []
    for path, nodes in graphs.items():
        for each in every_node(nodes):
            types = as_list(each["@type"])
            seen.update(types)
            wanted = [name for kind in types for name in REQUIRED.get(kind, ())]
            lacking += [(path, types, name) for name in wanted if not each.get(name)]
    assert lacking == []
    assert set(REQUIRED) <= seen


@cases(
    ("path", "kind"),
    [
        ("/ae/en/contact", "ContactPage"),
        ("/sa/ar/about", "AboutPage"),
        ("/ae/en/modules", "CollectionPage"),
        ("/ae/en/search?q=vat", "SearchResultsPage"),
    ],
)
def test_a_page_has_the_type_of_its_purpose(
    graphs: Mapping[str, list[Node]], path: str, kind: str
) -> None:
    """A contact page, a page about the company, a list, and search results."""
    assert node(graphs[path], kind)


@cases(
    ("path", "first", "length", "position"),
    [
        ("/sa/ar/blog?page=2", "/sa/ar/blog/", 5, 10),
        ("/sa/en/products", "/sa/en/products/", 15, 1),
        ("/ae/en/modules", "/ae/en/modules/", 8, 1),
        ("/sa/ar/industries", "/sa/ar/industries/", 8, 1),
        ("/ae/en/cities", "/ae/en/cities/", 16, 1),
    ],
)
def test_a_list_names_its_pages_in_order(
    graphs: Mapping[str, list[Node]], path: str, first: str, length: int, position: int
) -> None:
    """Posts, products, modules, industries and cities; the second page goes on counting."""
    listed = node(graphs[path], "ItemList")
    assert listed
    items = listed["itemListElement"]
    positions = [each["position"] for each in items]
    assert positions == list(range(position, position + length))
    assert items[0]["url"].startswith(BASE_URL + first)


def test_an_empty_list_is_none(sample: Visitor) -> None:
    """A search that finds nothing lists nothing."""
    html = sample.get("/ae/en/blog?search=zzzz", {"Accept": "text/html"}).text
    assert node(nodes_of(html), "ItemList") is None


def test_the_search_of_the_site_answers(graphs: Mapping[str, list[Node]], sample: Visitor) -> None:
    """The address of the search action is that of the reader's locale."""
    website = node(graphs["/sa/ar"], "WebSite")
    assert website
    template = website["potentialAction"]["target"]["urlTemplate"]
    path = template.removeprefix(BASE_URL).replace("{search_term_string}", "vat")
    assert path.startswith("/sa/ar/")
    assert sample.get(path, {"Accept": "text/html"}).status == 200


class Properties(HTMLParser):
    """The properties of Open Graph in a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect `meta` elements with a property."""
        given = dict(attrs)
        if tag == "meta" and given.get("property"):
            self.found.append((str(given["property"]), str(given["content"])))


def test_an_article_tells_its_times_in_open_graph(
    graphs: Mapping[str, list[Node]], sample: Visitor
) -> None:
    """As its JSON-LD does; also its authors, category and tags. Other pages tell none."""
    path = "/ae/en/blog/vat-across-the-gulf"
    found = Properties(sample.get(path, {"Accept": "text/html"}).text).found
    told = dict(found)
    posting = node(graphs[path], "BlogPosting")
    assert posting
    assert posting["datePublished"] == told["article:published_time"].replace("Z", "+00:00")
    assert posting["dateModified"] == told["article:modified_time"].replace("Z", "+00:00")
    assert told["article:section"] == "Tax and compliance"
    assert told["article:author"].startswith(f"{BASE_URL}/ae/en/blog/author/")
    assert [value for name, value in found if name == "article:tag"] == posting["keywords"]
    assert not re.search("article:", sample.get("/ae/en", {"Accept": "text/html"}).text)


def plans(html: str) -> list[Node]:
    """Return the plans of a page."""
    return [each for each in nodes_of(html) if each["@type"] == "SoftwareApplication"]


@cases("country", ["ae", "sa", "qa", "om", "kw", "bh"])
def test_each_period_of_a_plan_is_an_offer_at_the_price_of_the_page(
    sample: Visitor, country: str
) -> None:
    """In the currency of the country, without and with its VAT, as readers see it there."""
    path = f"/{country}/en/pricing"
    text = sample.get(f"{path}.md").text
    found = plans(sample.get(path, {"Accept": "text/html"}).text)
    assert [each["name"] for each in found] == ["Starter", "Growth"]  # Enterprise is on request
    for plan in found:
        durations = []
        for offer in plan["offers"]:
            assert offer["url"] == f"{BASE_URL}{path}#{plan['name'].lower()}"
            assert offer["eligibleRegion"] == country.upper()
            net, *with_vat = offer["priceSpecification"]
            assert net["valueAddedTaxIncluded"] is False
            assert offer["price"] == (*with_vat, net)[0]["price"]
            assert [each["valueAddedTaxIncluded"] for each in with_vat] == [True] * len(with_vat)
            assert bool(with_vat) is (country not in ("qa", "kw"))
            for each in (net, *with_vat):
                amount = f"{Decimal(each['price']):,}".removesuffix(".000").removesuffix(".00")
                assert f"{each['priceCurrency']} {amount}" in text
            durations.append({each["billingDuration"] for each in (net, *with_vat)})
        assert durations == [{"P1M"}, {"P1Y"}]


PLANS = """---
title: Fees
---
:::{plans} Membership
### Gold {#gold}
:price: 40
:period: once

For one year.

- Pool
:::
"""


def test_a_plan_is_no_software_where_there_is_none(visit: Visit) -> None:
    """A single payment has no duration; a site without countries has no region."""
    files = {"pages/fees.md": PLANS, "site/settings.md": "---\ncurrency: EUR\n---\n"}
    html = visit(files, countries=False).get("/en/fees", {"Accept": "text/html"}).text
    plan = node(nodes_of(html), "Service")
    assert plan
    assert (plan["name"], plan["description"]) == ("Gold", "For one year.")
    (offer,) = plan["offers"]
    assert (offer["price"], offer["priceCurrency"]) == ("40.00", "EUR")
    assert not {"eligibleRegion", "featureList"} & {*offer, *plan}
    assert "billingDuration" not in offer["priceSpecification"][0]
