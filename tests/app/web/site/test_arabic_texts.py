"""The Arabic of pages: its signs, its terms of law, and whose words it has."""

from __future__ import annotations

import re
from pathlib import Path

from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from examples import SITES

HTML = {"Accept": "text/html"}
LATIN_SIGN = re.compile(r"[\u0621-\u064a\u064b-\u0652][,;?](?=\s+[«(]?[\u0621-\u064a])")
PRODUCT = "---\nid: 1\nsku: A\ntitle: تمر سكري\nprices: {SAR: '45.00'}\n---\nنص.\n"


def arabic_pages(visitor: Visitor, locale: str) -> list[str]:
    """Return the paths of the Arabic pages of a locale, as markdown."""
    sitemap = visitor.get("/sitemap.xml").text
    paths = re.findall(rf"<loc>https?://[^/<]+(/{locale}[^<]*)</loc>", sitemap)
    return [f"{path}.md" for path in dict.fromkeys(paths)]


@cases("locale", ["sa/ar", "ae/ar"])
def test_no_latin_sign_stands_between_arabic_words(sample: Visitor, locale: str) -> None:
    """Nor in a list that code joins: on all pages of the sample and in its llms.txt."""
    pages = [*arabic_pages(sample, locale), f"/{locale}/llms.txt"]
    assert len(pages) > 50
    for path in pages:
        assert LATIN_SIGN.findall(sample.get(path).text) == [], path


@cases("site", SITES)
def test_no_latin_sign_joins_the_facts_of_own_kinds(site: Path) -> None:
    """Whose lists have a line of facts for each document."""
    with Visitor(content_dir=site) as visitor:
        pages = arabic_pages(visitor, "[a-z]{2}/ar")
        assert pages
        for path in pages:
            assert LATIN_SIGN.findall(visitor.get(path).text) == [], path


def test_the_number_for_tax_has_the_name_that_the_law_of_the_country_has(visit: Visit) -> None:
    """In the footer and on the contact page, in HTML and markdown."""
    visitor = visit(
        {
            "site/settings.md": "---\nsiteSettings: {vatNumber: '310000000000003'}\n---\n",
            "registry/contact.md": "---\ntitle: {en: Contact, ar: تواصل معنا}\n---\n",
        }
    )
    labels = {"ae": "رقم التسجيل الضريبي", "sa": "الرقم الضريبي"}
    for country, label in labels.items():
        for text in (
            visitor.get(f"/{country}/ar", HTML).text,
            visitor.get(f"/{country}/ar/contact", HTML).text.partition("<footer")[0],
            visitor.get(f"/{country}/ar/contact.md").text,
        ):
            assert label in text
            assert {each for each in labels.values() if each in text} == {label}
    assert "Tax registration number (TRN)" in visitor.get("/ae/en/contact.md").text
    assert "VAT number" in visitor.get("/sa/en/contact.md").text


def test_a_shop_sells_products_until_it_says_otherwise(visit: Visit) -> None:
    """The sample, which sells devices, says so in a file of its own."""
    visitor = visit({"products/sukkari.md": PRODUCT, "site/settings.md": "---\nlang: ar\n---\n"})
    for text in (
        visitor.get("/sa/ar/products", HTML).text,
        visitor.get("/sa/ar/products.md").text,
        visitor.get("/sa/ar/products/sukkari", HTML).text,
        visitor.get("/sa/ar/products/compare?items=sukkari,none", HTML).text,
        visitor.get("/sa/ar/products?minPrice=900", HTML).text,
        visitor.get("/sa/ar/llms.txt").text,
    ):
        assert "منتج" in text
        assert not re.search("جهاز|أجهزة|وحدات النظام", text)


def test_the_sample_sells_devices(sample: Visitor) -> None:
    """By the words of its site."""
    assert "<h1" in (page := sample.get("/sa/ar/products", HTML).text)
    assert re.search(r"<h1[^>]*>الأجهزة", page)
