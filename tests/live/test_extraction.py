"""Programs that extract the article of a page: they keep the data of a product, and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape

import pytest
import trafilatura
from live.chromium import chromium
from live.fixtures import SAMPLE
from live.server import Server
from live.tools import checker
from playwright.sync_api import Page
from readability import Document

from knowledge.markdown.raw_html import text_of

pytestmark = pytest.mark.slow

PRODUCTS = sorted(path.stem for path in SAMPLE.glob("products/*.md") if "." not in path.stem)
_PRICE = re.compile(r'<p class="price"><bdi[^>]*>([^<]*)</bdi>')
_ISOLATES = re.compile("[\u200e\u200f\u2066-\u2069]")
_MOZILLA = """([source, html]) => {
  const Readability = new Function(source + "; return Readability")()
  return new Readability(new DOMParser().parseFromString(html, "text/html")).parse().textContent
}"""


@pytest.fixture(scope="module")
def window() -> Iterator[Page]:
    """A window in which Mozilla's reader runs, as it does in Firefox."""
    with chromium() as browser:
        yield browser.new_page()


def plain(text: str) -> str:
    """Return a text on one line, without marks of direction."""
    return " ".join(_ISOLATES.sub("", text).split())


def extracts(html: str, window: Page) -> Mapping[str, str]:
    """Return what each of three programs takes for the article of a page."""
    source = checker("@mozilla/readability/Readability.js").read_text(encoding="utf-8")
    texts = {
        "Readability of Mozilla": window.evaluate(_MOZILLA, [source, html]),
        "Readability of Python": text_of(Document(html).summary()),
        "trafilatura": trafilatura.extract(html) or "",
    }
    return {program: plain(text) for program, text in texts.items()}


def missing(facts: list[str], html: str, window: Page) -> Mapping[str, list[str]]:
    """Return the facts that each program loses."""
    found = extracts(html, window)
    lost = {name: [each for each in facts if plain(each) not in found[name]] for name in found}
    return {name: facts for name, facts in lost.items() if facts}


@pytest.mark.parametrize("locale", ["/ae/en", "/sa/ar"])
@pytest.mark.parametrize("slug", PRODUCTS)
def test_the_data_of_a_product_are_in_its_article(
    slug: str, locale: str, window: Page, site: Server
) -> None:
    """Price, item number, barcode and data sheet."""
    path = f"{locale}/products/{slug}"
    product = site.json(f"{path}.json")["product"]
    with site.client() as client:
        html = client.get(path, headers={"Accept": "text/html"}).text
    specs = [spec[part] for spec in product["specs"] for part in ("name", "value")]
    numbers = [product[name] for name in ("sku", "barcode") if name in product]
    own, _, _ = html.partition('<section class="wrap related">')
    prices = [unescape(price) for price in _PRICE.findall(own)[:1]]
    facts = [*prices, *numbers, *specs]
    assert len(facts) > 12
    assert missing(facts, html, window) == {}


def test_headings_and_tables_are_in_the_article(window: Page, site: Server) -> None:
    """Those of a text, with their links to themselves, and with what lets wide ones scroll."""
    with site.client() as client:
        html = client.get("/ae/en/pricing", headers={"Accept": "text/html"}).text
    facts = ["Plans", "VAT and payment", "Hosting in the Gulf", "as agreed", "AED 399"]
    assert missing(facts, html, window) == {}
