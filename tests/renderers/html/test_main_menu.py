"""The main menu: which of its entries is current."""

from __future__ import annotations

import re

import pytest
from conftest import NOW, Content, ViewOf, Visit

from knowledge.addresses.addresses import parse_address
from knowledge.checks.content_linter import check_content
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.snapshot.loading import load_content
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


MENUS = """---
announcement: {label: {en: New, ar: جديد}, href: /about}
headerLinks:
  - {label: Software, href: /erp, links: [{label: Stock, href: /modules/stock}]}
  - label: Company
    links: [{label: About, href: /about}, {label: Off, href: /terms, active: false}]
  - {label: Empty, links: []}
---
"""


@pytest.mark.parametrize(
    ("path", "current"),
    [("/about", ["Company", "About"]), ("/modules/stock", ["Software", "Stock"]), ("/terms", [])],
)
def test_an_entry_has_a_menu_below_it(path: str, current: list[str], view_of: ViewOf) -> None:
    """Its own link is the first one there; the entry of a current link is current, too."""
    address = parse_address(path)
    assert address is not None
    page = site_page(view_of({**FILES, "site/navigation.md": MENUS}), address, PageQuery())
    menu = menu_entries(page.chrome.header_links, page)
    shown = {entry.label: [each.label for each in entry.entries] for entry in menu}
    assert shown == {"Software": ["Software", "Stock"], "Company": ["About"]}
    entries = [each for entry in menu for each in (entry, *entry.entries)]
    assert [each.label for each in entries if each.current] == current


def test_a_menu_opens_by_a_button_and_stands_whole_in_that_of_phones(shared_visit: Visit) -> None:
    """The line above the header has the text of the language, and leads to its page."""
    site = shared_visit({**FILES, "site/navigation.md": MENUS})
    html = site.get("/ae/ar", {"Accept": "text/html"}).text
    assert '<p class="announcement"><a href="/ae/ar/about">جديد</a></p>' in html
    assert html.count('popovertarget="menu:1"') == html.count('id="menu:1" popover') == 1
    assert re.search(r'<li class="below"><b[^>]*>Software</b>', html)


def test_broken_links_of_menus_are_reported(content: Content) -> None:
    """Those below an entry and that of the announcement; a name alone is no link."""
    menus = MENUS.replace("/modules/stock", "/none").replace("href: /about}", "href: /gone}")
    loaded = load_content(content({**FILES, "site/navigation.md": menus}))
    found = [each for each in check_content(loaded, NOW) if each.kind == "broken-menu-link"]
    names = sorted(each.message.rpartition(" ")[2] for each in found)
    assert names == ["/gone.", "/none.", "Empty."]
