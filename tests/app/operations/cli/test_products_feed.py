"""`majlis products feed`: what portals of merchants read, in the form that they ask for."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from click.testing import CliRunner, Result
from contract.visitor import BASE_URL, Visitor, write_tree
from json_ld import nodes_of

from app.operations.cli import main

GOOGLE = {
    *("id", "title", "description", "link", "image_link", "availability", "price", "condition"),
    *("brand", "gtin", "product_type", "identifier_exists"),
}
"""Attributes of the product data specification of Google Merchant Center."""

OPENAI = {
    *("item_id", "title", "description", "url", "brand", "seller_name", "image_url", "price"),
    *("availability", "target_countries", "store_country"),
}
"""The properties that the product feed specification of OpenAI requires."""


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["products", "feed", *arguments])


def rows(*arguments: str) -> list[Mapping[str, str]]:
    """Return the rows of the feed for Google."""
    return list(csv.DictReader(StringIO(run(*arguments).stdout)))


def objects(*arguments: str) -> list[dict[str, Any]]:
    """Return the objects of the feed for OpenAI."""
    text = run(*arguments, "--format", "jsonl").stdout
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(autouse=True)
def service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the sample content at a public address."""
    monkeypatch.delenv("CONTENT_DIR", raising=False)
    monkeypatch.setenv("BASE_URL", BASE_URL)


def test_google_reads_its_attributes() -> None:
    """In a CSV file with one row for each product on sale."""
    found = rows("--country", "sa")
    assert set(found[0]) == GOOGLE
    assert len(found) == len({row["id"] for row in found}) == 15
    assert all(all(row.values()) for row in found)
    assert found[0] == {
        "id": "WH-POS-115",
        "title": "Wahat Counter 15 all-in-one POS terminal",
        "description": "A 15.6-inch touch terminal for shop counters, with Wahat Point of Sale"
        " installed and ready to sell.",
        "link": f"{BASE_URL}/sa/en/products/counter-pos-15",
        "image_link": f"{BASE_URL}/images/products/counter-pos-15.svg",
        "availability": "in_stock",
        "price": "4991.00 SAR",
        "condition": "new",
        "brand": "Wahat",
        "gtin": "6290000010015",
        "product_type": "POS systems",
        "identifier_exists": "yes",
    }
    assert {row["availability"] for row in found} <= {"in_stock", "out_of_stock"}


def test_openai_reads_its_properties() -> None:
    """In a file with an object on each line, in the language asked for."""
    found = objects("--country", "KW", "--lang", "ar")
    assert len(found) == len({each["item_id"] for each in found}) == 15
    for each in found:
        assert each.keys() >= OPENAI
        assert (each["is_eligible_search"], each["is_eligible_checkout"]) == (True, False)
        assert (each["target_countries"], each["store_country"]) == (["KW"], "KW")
        assert each["url"].startswith(f"{BASE_URL}/kw/ar/products/")
        assert each["price"].endswith(" KWD")
    assert found[0]["seller_name"] == "واحات"
    assert found[0]["product_category"] == "أنظمة نقاط البيع"


@cases("country", ["ae", "sa", "qa", "om", "kw", "bh"])
def test_the_price_is_the_one_that_a_consumer_sees_on_the_page(
    sample: Visitor, country: str
) -> None:
    """With VAT where there is some, in both feeds and in JSON-LD."""
    found = rows("--country", country)
    assert [row["price"] for row in found] == [
        each["price"] for each in objects("--country", country)
    ]
    for row in found[:4]:
        amount, currency = row["price"].split()
        product = sample.get(f"{row['link'].removeprefix(BASE_URL)}.json").json["product"]
        shown = product.get("priceWithVat", product["price"])
        assert shown == {"amount": amount, "currency": currency}
        markdown = sample.get(f"{row['link'].removeprefix(BASE_URL)}.md").text
        html = sample.get(row["link"].removeprefix(BASE_URL), {"Accept": "text/html"}).text
        offer = next(each["offers"] for each in nodes_of(html) if each["@type"] == "Product")
        assert f"{offer['price']} {offer['priceCurrency']}" == row["price"]
        note = "incl." if "priceWithVat" in product else "no VAT"
        assert f"{currency} {Decimal(amount):,} {note}" in markdown


@cases(
    ("arguments", "message"),
    [
        (("--country", "fr"), "It has ae, sa, qa, om, kw, bh."),
        (("--country", "Saudi"), "The site has no country 'Saudi'. It has ae, sa, qa, om, kw, bh."),
        (("--country", "sa", "--lang", "fr"), "'fr' is not one of 'en', 'ar'."),
        (("--country", "sa", "--format", "xml"), "'xml' is not one of 'csv', 'jsonl'."),
        ((), "Missing option '--country'."),
    ],
)
def test_what_the_site_has_not_is_refused_with_what_it_has(
    arguments: tuple[str, ...], message: str
) -> None:
    """As a mistake in the arguments."""
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_without_an_address_there_are_no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for the server.json of MCP."""
    monkeypatch.setenv("BASE_URL", "")
    done = run("--country", "sa")
    assert done.exit_code == 1
    assert "BASE_URL is not set" in done.stderr


PRODUCTS = {
    "products/a.md": "---\nid: 1\nsku: A-1\ntitle: Chair, red\nbarcode: '12'\n"
    "prices: {EUR: '10'}\nstock: 0\nimage: /images/a.png\nbrand: Oak\n---\n",
    "products/b.md": "---\nid: 2\nsku: B-2\ntitle: Table\nprices: {USD: '20'}\n---\n",
    "products/c.md": "---\nid: 3\nsku: C-3\ntitle: Old\nprices: {EUR: '1'}\nactive: false\n---\n",
    "site/settings.md": "---\ncurrency: EUR\nlocales: {languages: [en]}\n---\n",
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a site without countries."""
    write_tree(tmp_path, PRODUCTS)
    monkeypatch.setenv("CONTENT_DIR", str(tmp_path))
    return tmp_path


def test_a_site_without_countries_sells_to_any(shop: Path) -> None:
    """A barcode that is no GTIN is left out; a product without a price there has no row."""
    done = run("--country", "de")
    (row,) = csv.DictReader(StringIO(done.stdout))
    assert (row["id"], row["title"], row["price"]) == ("A-1", "Chair, red", "10.00 EUR")
    assert (row["gtin"], row["identifier_exists"]) == ("", "no")
    assert (row["availability"], row["description"]) == ("out_of_stock", "Chair, red")
    assert row["link"] == f"{BASE_URL}/en/products/a"
    assert done.stderr.splitlines() == [
        "no price in the currency of the country: left out: B-2",
    ]
    (told,) = objects("--country", "de")
    assert (told["target_countries"], "gtin" in told) == (["DE"], False)
    assert "no code of a country" in run("--country", "Europe").stderr


def test_what_portals_do_not_accept_is_told(shop: Path) -> None:
    """A picture in another format, or none, and no brand."""
    product = "---\nid: 1\nsku: A-1\ntitle: Chair\nprices: {EUR: '10'}\nimage: /images/a.svg\n---\n"
    write_tree(shop, {"products/a.md": product})
    assert run("--country", "de").stderr.splitlines() == [
        "no price in the currency of the country: left out: B-2",
        "no picture as JPEG, PNG, GIF, WebP, BMP or TIFF: A-1",
        "no brand: A-1",
    ]
    write_tree(shop, {"site/settings.md": "---\ncurrency: KWD\n---\n"})
    done = run("--country", "de")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "No product is on sale with a price in DE." in done.stderr
