"""The main menu: which of its entries is current."""

from __future__ import annotations

import pytest
from conftest import ViewOf

from knowledge.addresses.addresses import parse_address
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from renderers.html.page_links import menu_entries

FILES = {
    "site/navigation.md": "---\nheaderLinks:\n"
    + "".join(
        f"  - {{label: {href}, href: {href}}}\n"
        for href in ("/", "/erp", "/industries", "/blog", "/blog/tag/tax", "/about")
    )
    + "---\n",
    "registry/erp.md": "---\ntitle: ERP\n---\nx",
    "registry/industries.md": "---\ntitle: Industries\n---\nx",
    "pages/modules.md": "---\ntitle: Modules\n---\nx",
    "modules/stock.md": "---\ntitle: Stock\n---\nx",
    "industries/retail.md": "---\ntitle: Retail\n---\nx",
    "pages/about.md": "---\ntitle: About\n---\nx",
    "pages/terms.md": "---\ntitle: Terms\n---\nx",
    "posts/vat.md": "---\ntitle: VAT\npublishedAt: 2026-01-01\ntags: [tax, other]\n---\nx",
}


@pytest.mark.parametrize(
    ("path", "current"),
    [
        pytest.param("", {"/": "page"}, id="home"),
        pytest.param("/about", {"/about": "page"}, id="its own entry"),
        pytest.param("/modules/stock", {"/erp": "true"}, id="a module is below the software"),
        pytest.param("/modules", {"/erp": "true"}, id="the list of modules is below it as well"),
        pytest.param("/industries/retail", {"/industries": "true"}, id="an industry"),
        pytest.param("/blog/vat", {"/blog": "true"}, id="a post is below the blog"),
        pytest.param("/blog/tag/other", {"/blog": "true"}, id="a tag"),
        pytest.param("/blog/tag/tax", {"/blog/tag/tax": "page"}, id="nothing above its own"),
        pytest.param("/terms", {}, id="no page of the menu"),
    ],
)
def test_the_entry_of_the_page_or_of_one_above_it_is_current(
    path: str, current: dict[str, str], view_of: ViewOf
) -> None:
    """As `page`, or as `true`; the home page is above nothing."""
    view = view_of(FILES)
    address = parse_address(path)
    assert address is not None
    page = site_page(view, address, PageQuery())
    marked = {entry.label: entry.current for entry in menu_entries(page.chrome.header_links, page)}
    assert {label: mark for label, mark in marked.items() if mark} == current
