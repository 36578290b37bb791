"""What readers see where there is nothing: empty lists, pages after the last one, missing pages."""

from __future__ import annotations

import re

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

HTML = {"Accept": "text/html"}
NAVIGATION = """---
headerLinks:
  - {label: Products, href: /products}
  - {label: Stories, href: /testimonials}
  - {label: Blog, href: /blog}
  - {label: About, href: /about}
footerColumns:
  - title: All
    links: [{label: Products, href: /products}, {label: Stories, href: /testimonials}]
---
"""
LISTS = ("/products", "/testimonials")
FILES = {
    "site/navigation.md": NAVIGATION,
    "pages/about.md": "---\ntitle: About\n---\nx",
    "products/till.md": "---\nid: 1\ntitle: Till\ncountries: [SA]\n---\nx",
    "products/old.md": "---\nid: 2\ntitle: Old\nactive: false\n---\nx",
    "testimonials/a.ar.md": "---\nquote: قول\ncustomerName: فلان\n---\n",
    "posts/later.md": "---\ntitle: Later\npublishedAt: 2030-01-01\n---\nx",
}


def everywhere(site: Visitor, locale: str) -> dict[str, str]:
    """Return the menus and the maps of a locale, by name."""
    country, language = locale.strip("/").split("/")
    api = f"/api/public/v1/navigation?country={country}&lang={language}"
    sitemap = site.get("/sitemap.xml").text
    return {
        "page": site.get(f"{locale}/about", HTML).text,
        "navigation": site.get(api).text,
        "llms.txt": site.get(f"{locale}/llms.txt").text,
        "sitemap": "".join(re.findall(rf"<loc>[^<]*{locale}[^<]*</loc>", sitemap)),
    }


def test_an_empty_list_is_in_no_menu_and_no_map(visit: Visit) -> None:
    """Nothing for sale in the country, no story in the language."""
    site = visit(FILES)
    for name, text in everywhere(site, "/ae/en").items():
        assert "/ae/en/about" in text, name
        for path in LISTS:
            assert not re.search(rf'/ae/en{path}(\.md)?["<)]', text), (name, path)


def test_a_list_with_an_entry_is_in_the_menus_and_maps(visit: Visit) -> None:
    """In the country and language of its entries."""
    site = visit(FILES)
    for name, text in everywhere(site, "/sa/en").items():
        assert "/sa/en/products" in text, name
    for name, text in everywhere(site, "/ae/ar").items():
        if name in ("page", "navigation", "sitemap"):
            assert "/ae/ar/testimonials" in text, name


def test_a_list_that_is_kept_from_search_engines_stays_in_the_menu(visit: Visit) -> None:
    """Only an empty one leaves it."""
    post = "---\ntitle: Now\npublishedAt: 2026-01-01\n---\nx"
    blog = "---\ntitle: Blog\nseo: {noIndex: true}\n---\n"
    site = visit({**FILES, "posts/now.md": post, "site/blog.md": blog})
    assert 'href="/ae/en/blog"' in site.get("/ae/en/about", HTML).text


@pytest.mark.parametrize("path", ["/ae/en/blog?page=99", "/ae/en/search?q=vat&page=99"])
def test_a_page_after_the_last_says_so(path: str, sample: Visitor) -> None:
    """It does not count itself, and leads back to the last one."""
    page = sample.get(path, HTML).text
    assert "There is nothing on this page of the list." in page
    assert "page 99 of" not in page.partition("<main")[2]
    assert re.search(r'<a rel="prev" href="[^"]*page=[2-9]"', page)


@cases(
    "path",
    [
        "/ae/en/blog?page=99",
        "/ae/en/blog.md?page=99",
        "/ae/en/blog/category/erp-guides?page=2",
        "/ae/en/blog?search=vat&page=99",
        "/ae/en/search?q=vat&page=99",
    ],
)
def test_a_page_after_the_last_is_missing(path: str, sample: Visitor) -> None:
    """In every form; the list of the API is empty there, as its contract says."""
    for media_type in ("text/html", "text/markdown", "application/json"):
        reply = sample.get(path, {"Accept": media_type})
        assert (reply.status, reply.headers["Cache-Control"]) == (404, "no-store")
        assert 'rel="canonical"' not in reply.links
    listed = sample.get("/api/public/v1/blog/posts?page=99")
    assert (listed.status, listed.json["items"]) == (200, [])


EMPTY = {
    "site/navigation.md": NAVIGATION,
    "site/settings.md": "---\nsiteSettings: {whatsapp: '+971 50 555 0142'}\n---\n",
    "pages/contact.md": "---\ntitle: Contact\n---\nWrite to us.",
    "pages/about.md": "---\ntitle: About\n---\nText.",
    "testimonials/a.ar.md": FILES["testimonials/a.ar.md"],
    "products/till.md": "---\nid: 1\ntitle: Till\nprices: {SAR: '2.00'}\n---\nx",
    "tags/vat.md": "---\nname: VAT\n---\n",
}


@cases(
    ("path", "text"),
    [
        pytest.param("/blog", "We have not written about this yet.", id="a blog without posts"),
        pytest.param("/blog?search=vat", "Nothing found", id="a search of it"),
        pytest.param("/blog/tag/vat", "We have not written about this yet.", id="a tag"),
        pytest.param("/products?stock=in&minPrice=9", "No product matches", id="a filter"),
        pytest.param("/products/compare", "Nothing to compare yet", id="a comparison"),
        pytest.param("/testimonials", "There are no stories here yet.", id="stories"),
        pytest.param("/search?q=qqq", "Nothing found for", id="a search"),
        pytest.param("/search", "What are you looking for?", id="no search yet"),
    ],
)
def test_a_page_with_nothing_to_show_says_what_to_do_next(
    shared_visit: Visit, path: str, text: str
) -> None:
    """It offers the company, and the pages that the site has in its menu."""
    page = shared_visit(EMPTY).get(f"/ae/en{path}", HTML).text
    empty = page[page.index('<div class="empty">') : page.index("</main>")]
    assert text in empty
    assert '<a class="button" href="/ae/en/contact">Talk to us</a>' in empty
    assert '<a class="button quiet" href="https://wa.me/971505550142"' in empty
    assert re.search(r'<h3 id="start">Start here</h3>\s*<ul>\s*<li><a href="/ae/en/', empty)


@cases(
    ("tried", "expected"),
    [
        pytest.param("/sa/en/erpp", "/sa/en/erp", id="of the country"),
        pytest.param(
            "/sa/en/cities/riyadh/erpp", "/sa/en/cities/riyadh/erp", id="of the city beside it"
        ),
        pytest.param("/ae/ar/erpp", "/ae/ar/erp", id="in Arabic"),
    ],
)
def test_a_missing_page_suggests_each_page_once(tried: str, expected: str, sample: Visitor) -> None:
    """Not also its copies for cities."""
    page = sample.get(tried, HTML).text.partition("<main")[2].partition('class="tiles"')[0]
    suggested = re.findall(r'<li><a href="([^"]*)"', page)
    assert [path for path in suggested if path.endswith("/erp") and "/tag/" not in path] == [
        expected
    ]
    names = re.findall(r"<li><a [^>]*>([^<]*)", page)
    assert len(names) == len(set(names))
