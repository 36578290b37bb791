"""The table of contents in a browser: beside the text on wide screens, folded on phones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live.chromium import DESKTOP, PHONE, chromium
from live.server import Server
from playwright.sync_api import Browser, FloatRect, Locator, Page

pytestmark = pytest.mark.slow

WIDE = "nav.contents:not(.folded)"
PATHS = (
    *("/ae/en/blog/choosing-an-erp-in-the-gulf", "/sa/ar/blog/choosing-an-erp-in-the-gulf"),
    *("/ae/en/about", "/sa/ar/about"),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of this module."""
    with chromium() as launched:
        yield launched


def box(page: Page, selector: str) -> FloatRect:
    """Return the rectangle of the first element."""
    return rectangle(page.locator(selector).first)


def rectangle(element: Locator) -> FloatRect:
    """Return the rectangle of an element."""
    found = element.bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("path", PATHS)
def test_the_table_is_beside_a_wide_text(browser: Browser, site: Server, path: str) -> None:
    """At the beginning of the line, and it stays in view when the text is scrolled."""
    page = browser.new_page(**DESKTOP)
    page.goto(site.url + path)
    table, text = box(page, WIDE), box(page, ".contented .prose")
    assert page.locator(".folded").is_hidden()
    if "/ar/" in path:
        assert table["x"] >= text["x"] + text["width"]
        assert table["x"] + table["width"] <= 1280
    else:
        assert table["x"] >= 0
        assert table["x"] + table["width"] <= text["x"]
    links = page.locator(f"{WIDE} a")
    assert all(rectangle(link)["height"] >= 24 for link in links.all())
    target = page.locator(str(links.nth(2).get_attribute("href")))
    links.nth(2).click()
    assert 0 <= rectangle(target)["y"] < 900
    assert 0 <= box(page, WIDE)["y"] < 100
    page.close()


@pytest.mark.parametrize("path", PATHS)
def test_the_table_is_folded_on_phones(browser: Browser, site: Server, path: str) -> None:
    """It opens with a touch, above the text, within the viewport."""
    page = browser.new_page(**PHONE)
    page.goto(site.url + path)
    assert page.locator(WIDE).is_hidden()
    assert page.locator(".folded a").first.is_hidden()
    assert box(page, ".folded summary")["height"] >= 44
    page.locator(".folded summary").click()
    for link in page.locator(".folded a").all():
        found = rectangle(link)
        assert found["height"] >= 44
        assert found["x"] >= 0
        assert found["x"] + found["width"] <= 390
    folded, text = box(page, ".folded"), box(page, ".contented .prose")
    assert folded["y"] + folded["height"] <= text["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.close()
