"""Pages suggest another locale to readers of whom it is known, and to nobody else."""

from __future__ import annotations

import re

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Reply, Visitor

from app.services import Services

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
PROXY = "10.0.0.1"
FILES = {
    "pages/about.md": "---\ntitle: About\n---\nOn trade.\n",
    "pages/about.ar.md": "---\ntitle: من نحن\n---\nعن التجارة.\n",
    "pages/english.md": "---\ntitle: English only\n---\nText.\n",
    "pages/emirates.md": "---\ntitle: Emirates only\ncountries: [ae]\n---\nText.\n",
    "posts/hello.md": "---\ntitle: Hello\ndate: 2026-05-01\n---\nText.\n",
}


def suggested(reply: Reply) -> tuple[str, str] | None:
    """Return address and text of the suggestion on a page: above it, or at the switch."""
    assert reply.status == 200
    found = re.findall(
        r'<aside class="suggestion".*?<a href="([^"]+)"[^>]*>(.*?)</a>'
        r'|<nav class="languages"[^>]*>\s*<a href="([^"]+)"[^>]* class="suggested" title="([^"]+)"',
        reply.text,
        re.DOTALL,
    )
    assert len(found) <= 1
    return (found[0][0] or found[0][2], found[0][1] or found[0][3]) if found else None


@pytest.fixture
def site(shared_visit: Visit) -> Visitor:
    """A site in six countries and two languages, behind a proxy that knows countries."""
    return shared_visit(FILES, trusted_proxies="10.0.0.0/8")


def ask(site: Visitor, path: str, language: str = "", country: str = "", **more: str) -> Reply:
    """Ask for a page as a browser does."""
    headers = {"Accept": BROWSER, "Accept-Language": language, "CF-IPCountry": country, **more}
    return site.ask("GET", path, {name: value for name, value in headers.items() if value}, PROXY)


@cases(
    ("path", "language", "country", "expected"),
    [
        pytest.param("/ae/en/about", "ar", "", "/ae/ar/about", id="another language"),
        pytest.param("/sa/ar/about", "en-GB, ar;q=0.5", "", "/sa/en/about", id="to English"),
        pytest.param("/ae/en/about", "en", "SA", "/sa/en/about", id="another country"),
        pytest.param("/ae/en/about", "ar", "SA", "/sa/ar/about", id="both"),
        pytest.param("/ae/en", "ar", "", "/ae/ar", id="a home page"),
        pytest.param("/ae/en/english", "ar", "SA", "/sa/en/english", id="not in Arabic"),
        pytest.param("/ae/en/blog/hello", "fr", "SA", "/sa/en/blog/hello", id="language unknown"),
        pytest.param("/ae/en/about", "en-US,en;q=0.9,ar;q=0.8", "", None, id="the page's on top"),
        pytest.param("/ae/ar/about", "ar-EG, en", "AE", None, id="the page's own locale"),
        pytest.param("/ae/en/about", "fr, *;q=0.5", "", None, id="nothing known"),
        pytest.param("/ae/en/about", "ar;q=0, ;q=", "", None, id="refused and malformed"),
        pytest.param("/ae/en/about", "", "SA", None, id="a crawler, which names no language"),
        pytest.param("/ae/en/about", "en", "FR", None, id="a country that the site has not"),
        pytest.param("/ae/en/emirates", "en", "SA", None, id="not published there"),
        pytest.param("/ae/en/english", "ar", "", None, id="not translated"),
    ],
)
def test_a_page_suggests_the_locale_of_its_reader(
    site: Visitor, path: str, language: str, country: str, expected: str | None
) -> None:
    """If the page is published there; the first answer and the cached one are equal."""
    first, second = (ask(site, path, language, country) for _ in range(2))
    found = suggested(first)
    assert (found[0] if found else None) == expected
    assert first.body == second.body
    assert list(first.headers.items()) == list(second.headers.items())


def test_the_country_counts_from_a_trusted_proxy_only(site: Visitor) -> None:
    """Others may write what they like."""
    headers = {"Accept": BROWSER, "Accept-Language": "en", "CF-IPCountry": "SA"}
    assert suggested(site.ask("GET", "/ae/en/about", headers, "192.0.2.1")) is None


def test_a_suggestion_is_in_the_language_of_its_reader(site: Visitor) -> None:
    """It declares language and direction, which differ from those of the page."""
    arabic = ask(site, "/ae/en/about", "ar", "SA")
    assert suggested(arabic) == ("/sa/ar/about", "هذه الصفحة لبلدك: المملكة العربية السعودية")
    assert '<aside class="suggestion" lang="ar" dir="rtl"' in arabic.text
    english = ask(site, "/sa/ar/about", "en")
    assert suggested(english) == ("/sa/en/about", "Read this page in English")
    assert '<aside class="suggestion"' not in english.text


PLANS = "---\ntitle: Prices\n---\n:::{plans} Plans\n### Basic\n:price: 10 AED\n- One till\n:::\n"
PRODUCT = "---\nid: 1\ntitle: Till\nprices: {AED: '1.00', SAR: '2.00'}\n---\nText.\n"


@cases(
    ("path", "language", "country", "expected"),
    [
        pytest.param("/products", "en", "SA", "Prices in SAR?", id="a list"),
        pytest.param(
            "/products/till", "ar", "SA", "أتريد الأسعار بعملتك (ريال سعودي)؟", id="Arabic"
        ),
        pytest.param("/products/compare?items=till", "en", "SA", "Prices in", id="a comparison"),
        pytest.param("/pricing", "en", "OM", "Prices in OMR?", id="plans"),
        pytest.param("/pricing", "ar", "AE", "اقرأ هذه الصفحة", id="the country of the page"),
        pytest.param("/about", "en", "SA", "This page for your country", id="no prices"),
    ],
)
def test_a_page_with_prices_offers_those_of_the_country(
    shared_visit: Visit, path: str, language: str, country: str, expected: str
) -> None:
    """The link has the query of the page."""
    files = {**FILES, "pages/pricing.md": PLANS, "products/till.md": PRODUCT}
    files |= {"pages/pricing.ar.md": PLANS, "products/till.ar.md": "---\ntitle: محطة\n---\nنص.\n"}
    site = shared_visit(files, trusted_proxies="10.0.0.0/8")
    found = suggested(ask(site, f"/ae/en{path}", language, country))
    assert found is not None
    assert found[1].startswith(expected)
    assert found[0] == f"/{country.lower()}/{language}{path}"


def test_a_suggestion_is_private_to_its_answer(site: Visitor) -> None:
    """Shared caches keep the page for everybody else, whoever asked before."""
    plain = ask(site, "/ae/en/about")
    with_it = ask(site, "/ae/en/about", "ar")
    same = ask(site, "/ae/en/about", "en")
    assert with_it.headers["Cache-Control"] == "private, max-age=0, must-revalidate"
    assert with_it.headers["Vary"] == "Accept, Accept-Encoding, Accept-Language, CF-IPCountry"
    assert plain.headers["Cache-Control"].startswith("public")
    assert "Language" not in plain.headers["Vary"]
    assert (same.body, same.headers["ETag"]) == (plain.body, plain.headers["ETag"])
    assert with_it.headers["ETag"] != plain.headers["ETag"]


def test_the_etag_of_one_answer_is_no_304_for_the_other(site: Visitor) -> None:
    """A reader who changes the language of the browser sees the change."""
    etags = {
        language: ask(site, "/ae/en/about", language).headers["ETag"] for language in ("en", "ar")
    }
    for language, etag in etags.items():
        for asked in etags:
            reply = ask(site, "/ae/en/about", asked, **{"If-None-Match": etag})
            assert reply.status == (304 if asked == language else 200)


@cases(
    ("path", "accept"),
    [
        pytest.param("/ae/en/about", "text/markdown", id="markdown"),
        pytest.param("/ae/en/about", "application/json", id="JSON"),
        pytest.param("/ae/en/about.md", BROWSER, id="markdown by suffix"),
        pytest.param("/ae/en/about.json", BROWSER, id="JSON by suffix"),
        pytest.param("/ae/en/llms.txt", BROWSER, id="a map"),
    ],
)
def test_only_html_suggests(site: Visitor, path: str, accept: str) -> None:
    """Every other answer is the same for all readers."""
    plain = ask(site, path, Accept=accept)
    arabic = ask(site, path, "ar", "SA", Accept=accept)
    assert arabic.body == plain.body
    assert arabic.headers["Cache-Control"] == plain.headers["Cache-Control"]
    assert arabic.headers["Vary"] == plain.headers["Vary"]


def test_the_cache_has_one_entry_for_each_locale_suggested(visit: Visit) -> None:
    """However readers write their languages, and apart from the pages of everybody else."""
    site = visit(FILES, trusted_proxies="10.0.0.0/8")
    services: Services = site.quart.extensions["majlis"]
    ask(site, "/ae/en/about", "ar")
    misses = services.cache.misses
    for number in range(30):
        assert suggested(ask(site, "/ae/en/about", f"ar-EG;q=0.{number + 10}, en;q=0.0{number}"))
    assert services.cache.misses == misses
    plain = services.cache.misses
    assert suggested(ask(site, "/ae/en/about")) is None
    assert services.cache.misses == plain + 1
