"""One page of each type in the sample content, by its path below a locale."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

PAGES = {
    "home": "",
    "registry page": "/erp",
    "registry page with a table": "/contact",
    "questions": "/faqs",
    "CMS page": "/pricing",
    "module": "/modules/point-of-sale",
    "industry": "/industries/retail",
    "city": "/cities/{city}",
    "page of a city": "/cities/{city}/erp",
    "blog": "/blog",
    "second page of the blog": "/blog?page=2",
    "search": "/blog?search={term}",
    "search without results": "/blog?search=zzzz",
    "search of the site": "/search?q={term}",
    "search of the site without results": "/search?q=zzzzzzzz",
    "category": "/blog/category/tax-and-compliance",
    "post": "/blog/vat-across-the-gulf",
    "author": "/blog/author/hessa-al-mutairi",
    "list of modules": "/modules",
    "testimonials": "/testimonials",
    "products": "/products",
    "products of a search": "/products?stock=in&sort=price",
    "product": "/products/counter-pos-15",
    "comparison": "/products/compare?items=counter-pos-15,pocket-pos,kiosk-24",
    "missing page": "/pricings",
}
LOCALES = {
    "/ae/en": {"city": "dubai", "term": "vat"},
    "/sa/ar": {"city": "riyadh", "term": "فاتورة"},
}


def paths() -> Iterator[tuple[str, str]]:
    """Yield a name and the complete path of each page, in English and Arabic."""
    yield "manual", "/developers"
    for locale, words in LOCALES.items():
        for name, path in PAGES.items():
            yield f"{name} {locale[1:].replace('/', '-')}", locale + path.format(**words)


EACH_PAGE = pytest.mark.parametrize("path", [pytest.param(path, id=name) for name, path in paths()])
