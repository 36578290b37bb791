"""Prices of products with and without VAT, the same in all forms of a page."""

from __future__ import annotations

import json
import re

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from json_ld import nodes_of

HTML = {"Accept": "text/html"}
TILL = "products/counter-pos-15"
PRODUCT = "---\nid: 1\ntitle: Till\nprices: {SAR: 9.99, EUR: 5}\n"


def plain(text: str) -> str:
    """Return the text of HTML or markdown in one line, with plain spaces."""
    return " ".join(re.sub(r"<[^>]*>", "", text).replace("\u2068", "").split())


def main_of(html: str) -> str:
    """Return the main part of a page."""
    return html[html.index("<main") : html.index("</main>")]


@cases(
    ("locale", "net", "gross"),
    [
        ("ae/en", "AED 4,250.00 excl. VAT", "AED 4,462.50 incl. 5% VAT"),
        ("sa/en", "SAR 4,340.00 excl. VAT", "SAR 4,991.00 incl. 15% VAT"),
        ("om/en", "OMR 445.000 excl. VAT", "OMR 467.250 incl. 5% VAT"),
        ("bh/en", "BHD 436.000 excl. VAT", "BHD 479.600 incl. 10% VAT"),
        ("qa/en", "QAR 4,210.00 no VAT", None),
        ("kw/en", "KWD 356.000 no VAT", None),
        ("kw/ar", "356.000 د.ك. لا تُطبَّق ضريبة القيمة المضافة", None),
        ("sa/ar", "4,340.00 ر.س. غير شامل الضريبة", "4,991.00 ر.س. شامل الضريبة 15%"),
    ],
)
def test_html_and_markdown_have_both_prices(
    sample: Visitor, locale: str, net: str, gross: str | None
) -> None:
    """On the page of the product and in the list, which has the rate once in HTML."""
    for path in (f"/{locale}/{TILL}", f"/{locale}/products"):
        for text in (sample.get(path, HTML).text, sample.get(f"{path}.md").text):
            assert net in plain(text), path
            assert gross is None or gross.split("l. ")[0].split("الضريبة")[0] in plain(text), path
            if gross is None:
                assert not re.search(r"incl\. |شامل الضريبة", plain(text)), path
        assert gross is None or gross in plain(sample.get(f"{path}.md").text)
    rates = re.findall(r"\d+%", plain(main_of(sample.get(f"/{locale}/products", HTML).text)))
    assert rates == ([] if gross is None else [re.findall(r"\d+%", gross)[0]])


def test_json_and_json_ld_have_both_prices(sample: Visitor) -> None:
    """As decimal strings."""
    product = sample.get(f"/bh/ar/{TILL}.json").json["product"]
    assert product["price"] == {"amount": "436.000", "currency": "BHD"}
    assert product["priceWithVat"] == {"amount": "479.600", "currency": "BHD"}
    assert product["vatRate"] == "10"
    assert "priceWithVat" not in sample.get(f"/kw/en/{TILL}.json").json["product"]
    text = sample.get(f"/bh/ar/{TILL}", HTML).text
    graph = json.loads(re.findall(r'ld\+json">(.*?)</script>', text, re.DOTALL)[0])["@graph"]
    offer = next(node["offers"] for node in graph if node["@type"] == "Product")
    specifications = offer["priceSpecification"]
    assert [(each["price"], each["valueAddedTaxIncluded"]) for each in specifications] == [
        ("436.000", False),
        ("479.600", True),
    ]
    assert offer["price"] == "479.600"


@pytest.mark.parametrize(
    ("category", "shown"),
    [
        pytest.param("S", "SAR 11.49 incl. 15% VAT", id="standard rate"),
        pytest.param("Z", "SAR 9.99 no VAT", id="zero rate"),
        pytest.param("E", "SAR 9.99 no VAT", id="exempt"),
        pytest.param("O", "SAR 9.99 no VAT", id="out of scope"),
        pytest.param("AE", "SAR 9.99 excl. VAT", id="reverse charge"),
    ],
)
def test_the_vat_is_that_of_the_products_category(visit: Visit, category: str, shown: str) -> None:
    """The rate of the country is the standard one."""
    country = "---\ncode: SA\nvatRate: 15\n---\n"
    product = f"{PRODUCT}taxCategory: {category}\n---\nText.\n"
    visitor = visit({"countries/sa.md": country, "products/till.md": product})
    text = plain(visitor.get("/sa/en/products/till.md").text)
    assert shown in text
    assert ("incl." in text) == (category == "S")


def test_without_a_country_the_vat_is_not_known(visit: Visit) -> None:
    """There is one price, and no word about VAT."""
    visitor = visit({"products/till.md": f"{PRODUCT}---\nText.\n"}, countries=False)
    text = plain(visitor.get("/en/products/till.md").text)
    assert "SAR 9.99, In stock" in text
    assert "VAT" not in text


def test_a_country_without_a_rate_says_nothing_of_vat(visit: Visit) -> None:
    """Only a rate of 0 says that there is none; nobody is told what may be untrue."""
    product = "---\nid: 1\ntitle: {en: Till, ar: جهاز}\nprices: {SAR: 9.99}\n---\nText.\n"
    countries = {"countries/sa.md": "---\ncode: SA\n---\n"}
    visitor = visit({**countries, "products/till.md": product})
    for path in ("sa/en/products/till", "sa/ar/products/till", "sa/en/products", "sa/ar/products"):
        for text in (visitor.get(f"/{path}", HTML).text, visitor.get(f"/{path}.md").text):
            assert "9.99" in text, path
            assert not re.search("VAT|ضريبة", text), path


PLANS = ":::{plans} Plans\n### Basic\n:price: 100 SAR, 100 AED, 10 KWD\n\n- One till\n:::\n"
CONSUMERS = {
    "site/settings.md": "---\nprices: inclusive\n---\n",
    "countries/sa.md": "---\ncode: SA\nvatRate: 15\ntitle: {en: x, ar: س}\n---\n",
    "countries/ae.md": "---\ncode: AE\nvatRate: 5\nprices: exclusive\ntitle: {en: x, ar: س}\n---\n",
    "countries/kw.md": "---\ncode: KW\nvatRate: 0\ntitle: {en: x, ar: س}\n---\n",
    "cities/riyadh.md": f"---\ncountryCode: SA\ntitle: {{en: Riyadh, ar: الرياض}}\n---\n{PLANS}",
    "pages/pricing.md": f"---\ntitle: Pricing\n---\n{PLANS}",
    "pages/pricing.ar.md": f"---\ntitle: الأسعار\n---\n{PLANS}",
    **{
        f"products/{slug}.md": f"---\nid: {number}\ntitle: {{en: Till {slug}, ar: جهاز {slug}}}\n"
        "prices: {SAR: 100, AED: 100, KWD: 10}\n---\nText.\n"
        for number, slug in enumerate(("one", "two"), start=1)
    },
}
PRICED = (
    *("products", "products/one", "products/compare?items=one,two", "pricing"),
    *("products.md", "products/one.md", "pricing.md", "llms-full.txt"),
)
SHOWN = {
    "sa/en": ("SAR 115 per month", "SAR 115.00 incl. ", "100"),
    "sa/ar": ("115 ر.س. شهريًا", "115.00 ر.س. شامل الضريبة", "100"),
    "ae/en": ("AED 100 per month", "AED 100.00 excl. VAT", "105"),
    "kw/en": ("KWD 10 per month", "KWD 10.000 no VAT", ""),
}
"""By locale: the first price of a plan and of a product, and the amount that comes second."""


@cases(("locale", "path"), [(locale, path) for locale in SHOWN for path in PRICED])
def test_a_site_for_consumers_shows_prices_with_vat_first(
    shared_visit: Visit, locale: str, path: str
) -> None:
    """On all pages, in a country that does not say otherwise and has VAT; net comes second."""
    visitor = shared_visit(CONSUMERS)
    text = plain(visitor.get(f"/{locale}/{path}", HTML).text.replace("**", ""))
    of_plan, of_product, second = SHOWN[locale]
    first = next((each for each in (of_plan, of_product) if each in text), None)
    assert first, text
    if second:
        assert re.search(rf"{re.escape(first)}.*\b{second}\b", text)
        assert not re.search(rf"\b{second}\b.*{re.escape(first)}", text.split(first)[0])
    else:
        assert not re.search(r"incl\. |excl\. ", text)


def test_data_of_a_site_for_consumers_have_the_price_that_is_paid(shared_visit: Visit) -> None:
    """Offers of products and plans in JSON-LD, and in cities; the JSON API is as it was."""
    visitor = shared_visit(CONSUMERS)
    for path in ("/sa/en/products/one", "/sa/en/pricing", "/sa/en/cities/riyadh"):
        text = visitor.get(path, HTML).text
        graph = json.loads(re.findall(r'ld\+json">(.*?)</script>', text, re.DOTALL)[0])["@graph"]
        offers = [each["offers"] for each in graph if "offers" in each]
        (offer,) = [
            each for found in offers for each in (found if isinstance(found, list) else [found])
        ]
        specifications = offer["priceSpecification"]
        assert [(each["price"], each["valueAddedTaxIncluded"]) for each in specifications] == [
            ("115.00", True),
            ("100.00", False),
        ], path
        assert offer["price"] == "115.00"
    product = visitor.get("/sa/en/products/one.json").json["product"]
    assert (product["price"]["amount"], product["priceWithVat"]["amount"]) == ("100.00", "115.00")
    assert "vatFirst" not in product
    found = visitor.get("/api/public/v1/search?q=Basic&country=sa&lang=en").json
    quoted = " ".join(json.dumps(found).replace("**", "").split())
    assert "SAR 115 per month incl. 15% VAT, SAR 100 excl. VAT" in quoted


@pytest.mark.parametrize("locale", ["ae/en", "sa/en", "kw/en"])
def test_offers_of_plans_have_the_price_that_merchants_tell(sample: Visitor, locale: str) -> None:
    """With VAT where there is some, although the page shows the price without it first."""
    offers = [
        offer
        for each in nodes_of(sample.get(f"/{locale}/pricing", HTML).text)
        for offer in each.get("offers", ())
    ]
    assert offers
    for offer in offers:
        amounts = {
            each["valueAddedTaxIncluded"]: each["price"] for each in offer["priceSpecification"]
        }
        assert offer["price"] == amounts.get(True, amounts[False])
        assert (True in amounts) == (locale != "kw/en")
