"""The table of contents in a browser: beside the text on wide screens, folded on phones."""

from __future__ import annotations

import pytest
from live.server import Server
from playwright.sync_api import FloatRect, Locator, Page

pytestmark = pytest.mark.slow

WIDE = "nav.contents:not(.folded)"
PATHS = (
    *("/ae/en/blog/choosing-an-erp-in-the-gulf", "/sa/ar/blog/choosing-an-erp-in-the-gulf"),
    *("/ae/en/about", "/sa/ar/about"),
)


def box(page: Page, selector: str) -> FloatRect:
    """Return the rectangle of the first element."""
    return rectangle(page.locator(selector).first)


def rectangle(element: Locator) -> FloatRect:
    """Return the rectangle of an element."""
    found = element.bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("path", PATHS)
def test_the_table_is_beside_a_wide_text(desk: Page, site: Server, path: str) -> None:
    """At the beginning of the line, and it stays in view when the text is scrolled."""
    desk.goto(site.url + path)
    table, text = box(desk, WIDE), box(desk, ".contented .prose")
    assert desk.locator(".folded").is_hidden()
    if "/ar/" in path:
        assert table["x"] >= text["x"] + text["width"]
        assert table["x"] + table["width"] <= 1280
    else:
        assert table["x"] >= 0
        assert table["x"] + table["width"] <= text["x"]
    links = desk.locator(f"{WIDE} a")
    assert all(rectangle(link)["height"] >= 24 for link in links.all())
    target = desk.locator(str(links.nth(2).get_attribute("href")))
    links.nth(2).click()
    assert 0 <= rectangle(target)["y"] < 900
    assert 0 <= box(desk, WIDE)["y"] < 100


@pytest.mark.parametrize("path", ["/developers", "/developers/ar"])
def test_the_list_beside_the_manual_stays_in_view(desk: Page, site: Server, path: str) -> None:
    """Its last entry can be scrolled above the end, which is faded."""
    desk.goto(site.url + path)
    desk.locator(".examples h2").last.scroll_into_view_if_needed()
    menu = desk.locator(".manual nav")
    menu.evaluate("each => each.scrollTo(0, each.scrollHeight)")
    shown, last = rectangle(menu), rectangle(menu.locator("a").last)
    assert shown["y"] >= 0
    assert shown["y"] + shown["height"] <= 900
    assert last["y"] + last["height"] <= shown["y"] + shown["height"] - 40


@pytest.mark.parametrize("path", PATHS)
def test_the_table_is_folded_on_phones(phone: Page, site: Server, path: str) -> None:
    """It opens with a touch, above the text, within the viewport."""
    phone.goto(site.url + path)
    assert phone.locator(WIDE).is_hidden()
    assert phone.locator(".folded a").first.is_hidden()
    assert box(phone, ".folded summary")["height"] >= 44
    phone.locator(".folded summary").click()
    for link in phone.locator(".folded a").all():
        found = rectangle(link)
        assert found["height"] >= 44
        assert found["x"] >= 0
        assert found["x"] + found["width"] <= 390
    folded, text = box(phone, ".folded"), box(phone, ".contented .prose")
    assert folded["y"] + folded["height"] <= text["y"]
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
