"""The list of products: filters and orders by GET parameters, without script."""

from __future__ import annotations

import re
from decimal import Decimal
from html import unescape

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Reply, Visitor

HTML = {"Accept": "text/html"}
LIST = "/sa/en/products"
_CHIP = re.compile(r'<li><a href="([^"]*)"[^>]*>([^<]*) <small>(\d+)</small></a></li>')


def product(number: int, title: str, price: str, **more: str) -> str:
    """Return the file of a product."""
    lines = "".join(f"{name}: {value}\n" for name, value in more.items())
    return f'---\nid: {number}\ntitle: {title}\nprices: {{SAR: "{price}"}}\n{lines}---\nText.\n'


FILES = {
    "countries/sa.md": "---\nvatRate: 15\n---\n",
    "site/settings.md": "---\nproductCategories:\n  tills: {en: Tills, ar: أجهزة البيع}\n---\n",
    "products/b.md": product(1, "Beta", "200.00", productCategory="tills", updatedAt="2026-02-01"),
    "products/a.md": product(2, "Alpha", "300.00", productCategory="tills", stock="0"),
    "products/c.md": product(3, "Gamma", "100.00", productCategory="bar-scanners"),
    "products/d.md": product(4, "Delta", "50.00", updatedAt="2026-03-01"),
    "products/old.md": product(5, "Old", "90.00", replacedBy="older"),
    "products/older.md": product(6, "Older", "95.00", replacedBy="c"),
    "products/gone.md": product(7, "Gone", "95.00", active="false"),
}


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A shop with a few products."""
    return shared_visit(FILES)


def listed(visitor: Visitor, query: str = "") -> list[str]:
    """Return the products of a filtered list, which are the same in all forms."""
    slugs = [item["slug"] for item in visitor.get(f"{LIST}.json{query}").json["items"]]
    html = visitor.get(LIST + query, HTML).text
    assert re.findall(r'<h2 [^>]*><a href="/sa/en/products/(\w+)">', html) == slugs
    markdown = visitor.get(f"{LIST}.md{query}").text
    assert re.findall(r"^- \[.*?/products/(\w+)\.md\)", markdown, re.MULTILINE) == slugs
    return slugs


def chips(reply: Reply) -> dict[str, tuple[str, int]]:
    """Return address and count of each link of a filter, by title."""
    found = _CHIP.findall(reply.text)
    return {title: (unescape(path), int(count)) for path, title, count in found}


@cases(
    ("query", "slugs"),
    [
        ("", "abcd"),
        ("?category=tills", "ab"),
        ("?minPrice=100&maxPrice=200", "bc"),
        ("?maxPrice=99.99", "d"),
        ("?minPrice=%D9%A2%D9%A0%D9%A0", "ab"),
        ("?stock=in", "bcd"),
        ("?category=tills&stock=in", "b"),
        ("?sort=price", "dcba"),
        ("?sort=price-desc", "abcd"),
        ("?sort=name", "abdc"),
        ("?sort=newest", "dbac"),
        ("?category=tills&minPrice=250&sort=name", "a"),
        ("?category=tills&maxPrice=100", ""),
        ("?category=&minPrice=&sort=", "abcd"),
    ],
)
def test_the_list_is_filtered_and_sorted(visitor: Visitor, query: str, slugs: str) -> None:
    """In HTML, markdown and JSON; without what is no longer sold or has been replaced."""
    assert listed(visitor, query) == list(slugs)


@cases(
    ("query", "names"),
    [
        ("?category=no-such", ["category"]),
        ("?minPrice=cheap&maxPrice=-5", ["minPrice", "maxPrice"]),
        ("?minPrice=1e9", ["minPrice"]),
        ("?stock=out&sort=random", ["stock", "sort"]),
        ("?category=%3Cb%3E", ["category"]),
    ],
)
def test_values_that_cannot_be_read_are_named_and_left_out(
    visitor: Visitor, query: str, names: list[str]
) -> None:
    """The list is as without them."""
    assert len(listed(visitor, query)) == 4
    assert visitor.get(f"{LIST}.json{query}").json["filter"]["ignored"] == names
    for reply in (visitor.get(LIST + query, HTML), visitor.get(f"{LIST}.md{query}")):
        assert reply.status == 200
        assert "Not understood and left out:" in reply.text
        assert "<b>" not in reply.text


def test_the_chips_keep_the_other_filters_and_have_counts(visitor: Visitor) -> None:
    """And the form keeps the category."""
    reply = visitor.get(f"{LIST}?category=tills&stock=in&sort=name", HTML)
    rest = "stock=in&sort=name"
    assert chips(reply) == {
        "All categories": (f"{LIST}?{rest}", 3),
        "Tills": (f"{LIST}?category=tills&{rest}", 1),
        "Bar scanners": (f"{LIST}?category=bar-scanners&{rest}", 1),
    }
    assert '<input type="hidden" name="category" value="tills">' in reply.text
    assert 'name="stock" value="in" checked' in reply.text
    assert '<option value="name" selected>' in reply.text
    assert "1 of 4 products" in reply.text
    arabic = visitor.get("/sa/ar/products?category=tills", HTML)
    assert chips(arabic)["أجهزة البيع"] == ("/sa/ar/products?category=tills", 2)
    assert "2 من 4" in arabic.text


def test_an_empty_list_says_what_to_leave_out(visitor: Visitor) -> None:
    """Only what leads to products, with their number."""
    reply = visitor.get(f"{LIST}?category=tills&maxPrice=100&stock=in", HTML)
    assert "No product matches these filters." in reply.text
    relaxed = {name: chips(reply)[name] for name in ("Any price",)}
    assert relaxed == {"Any price": (f"{LIST}?category=tills&stock=in", 1)}
    assert "Also out of stock" not in reply.text
    assert f'<a href="{LIST}">Show all products</a>' in reply.text


@cases("query", ["category=tills", "sort=price", "stock=in", "maxPrice=100"])
def test_search_engines_get_the_plain_list_only(visitor: Visitor, query: str) -> None:
    """A filtered one names it as canonical in its head and header, and says nothing against it.

    No sitemap lists it.
    """
    robots = re.compile(r'<meta name="robots" content="([^"]*)">')
    plain, filtered = (visitor.get(LIST + each, HTML) for each in ("", f"?{query}"))
    assert "noindex" not in "".join(robots.findall(plain.text))
    assert robots.findall(filtered.text) == robots.findall(plain.text)
    assert "X-Robots-Tag" not in filtered.headers
    assert "products?" not in visitor.get("/sitemap.xml").text
    for reply in (plain, filtered):
        assert re.search(rf'rel="canonical" href="[^"?]*{LIST}"', reply.text)
        assert re.search(rf'<[^>?]*{LIST}>; rel="canonical"', reply.links)
    assert f"{LIST}.md?{query}" in filtered.text


def test_a_replaced_product_leads_to_the_last_that_replaced_it(visitor: Visitor) -> None:
    """Its page, markdown, JSON and JSON-LD say so."""
    page = visitor.get(f"{LIST}/old", HTML).text
    fact = r'<dt[^>]*>Replaced by</dt>\s*<dd[^>]*><a href="/sa/en/products/c">Gamma<'
    assert re.search(fact, page)
    assert '"isRelatedTo":{"@type":"Product","name":"Gamma"' in re.sub(r"([:,]) ", r"\1", page)
    assert "**Replaced by**: [Gamma](" in visitor.get(f"{LIST}/old.md").text
    detail = visitor.get(f"{LIST}/old.json").json["product"]
    assert detail["replacedBy"] == {"slug": "c", "title": "Gamma"}


def test_products_in_a_circle_are_still_shown(shared_visit: Visit) -> None:
    """Their pages lead to each other and end."""
    files = {
        "products/a.md": product(1, "A", "1.00", replacedBy="b"),
        "products/b.md": product(2, "B", "1.00", replacedBy="a"),
        "products/c.md": product(3, "C", "1.00", replacedBy="c"),
    }
    visitor = shared_visit(files)
    for slug, other in (("a", "b"), ("b", "a")):
        assert visitor.get(f"{LIST}/{slug}.json").json["product"]["replacedBy"]["slug"] == other
    assert "replacedBy" not in visitor.get(f"{LIST}/c.json").json["product"]


def test_related_products_are_named_or_nearest_in_price(
    sample: Visitor, shared_visit: Visit
) -> None:
    """Of the same category, on sale, and not the product itself."""
    detail = sample.get("/sa/en/products/counter-pos-15.json").json["product"]
    related = detail["related"]
    assert {item["category"] for item in related} == {"pos-systems"}
    own = Decimal(detail["price"]["amount"])
    gaps = [abs(Decimal(item["price"]["amount"]) - own) for item in related]
    assert len(related) == 3
    assert gaps == sorted(gaps)
    page = sample.get("/sa/en/products/counter-pos-15", HTML).text
    page = re.sub(r'<span class="unbroken">(.*?)</span>', r"\1", page).replace("\xa0", " ")
    assert all(f'/products/{item["slug"]}">{item["title"]}</a></h3>' in page for item in related)
    named = shared_visit(
        {**FILES, "products/b.md": product(1, "Beta", "2.00", related="[d, old, b, x, c]")}
    )
    slugs = [item["slug"] for item in named.get(f"{LIST}/b.json").json["product"]["related"]]
    assert slugs == ["d", "c"]
