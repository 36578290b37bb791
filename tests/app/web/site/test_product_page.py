"""The page of a product: its pictures, and what is told beside its price."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

HTML = {"Accept": "text/html"}
PRODUCTS = "/sa/en/products"
HEAD = "---\nid: {}\ntitle: {}\nprices: {{SAR: 10}}\n"
FILES = {
    "site/settings.md": (
        "---\nproductDelivery: {en: In 2 days, ar: خلال يومين}\n"
        "productWarranty: {en: 1 year, ar: سنة}\n---\n"
    ),
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
    "images/a.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>",
    "images/b.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>",
    "products/till.md": HEAD.format(1, "Till")
    + "name: {en: Short, ar: قصير}\nimage: /images/a.svg\nimageAlt: Front\n"
    + "gallery: [{image: /images/b.svg, imageAlt: {en: Side, ar: جانب}}]\n---\nText.\n",
    "products/kiosk.md": HEAD.format(2, "Kiosk")
    + "stock: 0\nleadTime: 14\nwarranty: 5 years\n---\nText.\n",
    "products/scale.md": HEAD.format(3, "Scale") + "stock: 0\nleadTime: 3\n---\nText.\n",
    "products/drawer.md": HEAD.format(4, "Drawer") + "stock: 0\n---\nText.\n",
    "products/stocked.md": HEAD.format(5, "Stocked") + "stock: 3\nleadTime: 14\n---\nText.\n",
    "products/old.md": HEAD.format(6, "Old") + "active: false\nreplacedBy: till\n---\nText.\n",
    "products/gone.md": HEAD.format(7, "Gone") + "active: false\n---\nText.\n",
}


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A shop."""
    return shared_visit(FILES)


def node_of(visitor: Visitor, slug: str) -> dict[str, Any]:
    """Return the node of a product in JSON-LD."""
    text = visitor.get(f"{PRODUCTS}/{slug}", HTML).text
    graph = json.loads(re.findall(r'ld\+json">(.*?)</script>', text, re.DOTALL)[0])["@graph"]
    found: dict[str, Any] = next(node for node in graph if node["@type"] == "Product")
    return found


def test_each_picture_opens_above_the_page(visitor: Visitor) -> None:
    """Without script, and with a button to close it; JSON and JSON-LD name all of them."""
    text = visitor.get(f"{PRODUCTS}/till", HTML).text
    shown = r'popovertarget="picture:\d"[^>]*><img [^>]*src="([^"]*)"[^>]*alt="([^"]*)"'
    found = re.findall(shown, text)
    assert text.count('popovertargetaction="hide"') == len(found)
    assert [(path.split(".")[0], alt) for path, alt in found] == [
        ("/images/a", "Front"),
        ("/images/b", "Side"),
    ]
    assert all(visitor.get(path).status == 200 for path, _ in found)
    product = visitor.get("/sa/ar/products/till.json").json["product"]
    assert [each["imageAlt"] for each in product["gallery"]] == ["جانب"]
    assert product["name"] == "قصير"
    assert len(node_of(visitor, "till")["image"]) == 2


@cases(
    ("path", "texts"),
    [
        ("/sa/en/products/till", ["In 2 days", "1 year", "In stock"]),
        ("/sa/ar/products/till", ["خلال يومين", "سنة", "متوفر"]),
        ("/sa/en/products/kiosk", ["In 2 days", "5 years", "Available in 2 weeks"]),
        ("/sa/ar/products/kiosk", ["متوفر خلال أسبوعين"]),
        ("/sa/en/products/scale", ["Available in 3 days"]),
        ("/sa/en/products/drawer", ["Out of stock", "The date comes with the quotation"]),
        ("/sa/ar/products/drawer", ["غير متوفر", "يُحدَّد الموعد في عرض السعر"]),
        ("/sa/en/products/stocked", ["In stock"]),
    ],
)
def test_delivery_warranty_and_stock_are_told(
    visitor: Visitor, path: str, texts: list[str]
) -> None:
    """By the product, else by the settings; in HTML and markdown."""
    for form in (path, f"{path}.md"):
        shown = visitor.get(form, HTML).text.replace("\u00a0", " ")
        assert all(text in shown for text in texts), form
        delivered = "In 2 days" in shown or "خلال يومين" in shown
        assert delivered != path.endswith("drawer"), form


def test_offers_say_when_a_product_can_be_had(visitor: Visitor) -> None:
    """In schema.org's words; the JSON API keeps its three and adds the days."""
    offer = node_of(visitor, "kiosk")["offers"]
    assert offer["availability"] == "https://schema.org/BackOrder"
    assert offer["deliveryLeadTime"] == {
        "@type": "QuantitativeValue",
        "value": 14,
        "unitCode": "DAY",
    }
    kiosk = visitor.get(f"{PRODUCTS}/kiosk.json").json["product"]
    assert (kiosk["availability"], kiosk["leadTime"]) == ("OutOfStock", 14)
    for slug, word in (("drawer", "OutOfStock"), ("stocked", "InStock")):
        offer = node_of(visitor, slug)["offers"]
        assert offer["availability"] == f"https://schema.org/{word}"
        assert "deliveryLeadTime" not in offer
        assert "leadTime" not in visitor.get(f"{PRODUCTS}/{slug}.json").json["product"]


@cases("slug", ["old", "gone"])
def test_what_is_no_longer_sold_has_no_price(visitor: Visitor, slug: str) -> None:
    """Nor a way to ask for it; it leads to what has replaced it, if anything has."""
    text = visitor.get(f"{PRODUCTS}/{slug}", HTML).text
    main = text[text.index("<article>") : text.index("</article>")]
    assert "No longer sold" in main
    assert not re.search(r"SAR 1|on request|<form|In 2 days", main.partition("Related")[0])
    other = '<dt>Replaced by</dt><dd><a href="/sa/en/products/till"'
    assert (other in main) == (slug == "old")
    markdown = visitor.get(f"{PRODUCTS}/{slug}.md").text
    assert "**Price**: No longer sold" in markdown
    product = visitor.get(f"{PRODUCTS}/{slug}.json").json["product"]
    assert product["availability"] == "Discontinued"
    assert not {"price", "delivery", "warranty"} & set(product)
    assert "offers" not in node_of(visitor, slug)


def test_one_fact_has_one_name_in_each_category(sample: Visitor) -> None:
    """Of the sample, so that a comparison has no row of dashes; neither language lacks any."""
    items = sample.get(f"{PRODUCTS}.json").json["items"]
    for language in ("en", "ar"):
        for category in ("pos-systems", "barcode-scanners", "biometric-devices"):
            slugs = [each["slug"] for each in items if each["category"] == category][:3]
            path = f"/sa/{language}/products/compare.json?items={','.join(slugs)}"
            rows = sample.get(path).json["rows"]
            assert len(rows) >= 9
            assert all(None not in row["values"] for row in rows), category


def test_facts_that_few_have_come_last(sample: Visitor) -> None:
    """In a comparison of unlike products."""
    path = f"{PRODUCTS}/compare.json?items=cash-drawer-410,counter-pos-15"
    lacking = [row["values"].count(None) for row in sample.get(path).json["rows"]]
    assert lacking[0] == 0
    assert lacking == sorted(lacking)
