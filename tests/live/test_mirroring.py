"""What an Arabic page mirrors, by its pixels: arrows, the lines of cards, and fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from live.chromium import chromium
from live.ink import ink
from live.server import Server
from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.slow

ENGLISH, ARABIC = "/sa/en", "/sa/ar"
INNER = """(element, edge) => {
    const box = element.getBoundingClientRect();
    return {x: box.x + edge, y: box.y + edge, width: box.width - 2 * edge,
            height: box.height - 2 * edge};
}"""
BETWEEN_CRUMBS = """crumbs => {
    const [first, second] = [...crumbs.querySelectorAll("li > *")].map(
        entry => entry.getBoundingClientRect());
    const [left, right] = first.x < second.x ? [first, second] : [second, first];
    return {x: left.right + 1, y: left.y, width: right.x - left.right - 2, height: left.height};
}"""
FIELDS = {
    "/contact": ("#contact-name", "#contact-email", "#contact-phone", "#contact-message"),
    "/search": ("#site-search",),
    "/blog": ("#site-search",),
}


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A window with large pixels, so that arrows have many."""
    with chromium() as browser:
        yield browser.new_page(
            viewport={"width": 1280, "height": 900}, device_scale_factor=4, color_scheme="light"
        )


def box_of(place: Locator, edge: int = 0) -> Any:
    """Return the box of an element in the viewport, without its edge."""
    place.scroll_into_view_if_needed()
    return place.evaluate(INNER, edge)


@pytest.mark.parametrize(("locale", "tip"), [(ENGLISH, "right"), (ARABIC, "left")])
def test_arrows_point_on(locale: str, tip: str, page: Page, site: Server) -> None:
    """In breadcrumbs, in the headings of a search result, and between pages."""
    page.goto(f"{site.url}{locale}/blog/vat-across-the-gulf")
    page.evaluate("document.fonts.ready")
    assert ink(page, page.locator(".crumbs").evaluate(BETWEEN_CRUMBS)).chevron == tip
    assert ink(page, box_of(page.locator(".neighbours .on"))).arrow == tip
    assert ink(page, box_of(page.locator(".neighbours .back"))).arrow != tip
    page.goto(f"{site.url}{locale}/search?q={'VAT' if locale == ENGLISH else 'فاتورة'}")
    assert ink(page, box_of(page.locator(".paging .on"))).arrow == tip
    assert ink(page, box_of(page.locator(".headings span[aria-hidden]").first)).chevron == tip


@pytest.mark.parametrize("locale", [ENGLISH, ARABIC])
def test_the_stock_of_a_card_is_below_its_price(locale: str, page: Page, site: Server) -> None:
    """It begins at the same edge as the price, and its dot is before its text."""
    page.goto(f"{site.url}{locale}/products")
    for card in page.locator(".card.product").all()[:3]:
        price, stock = (card.locator(name).evaluate(INNER, 0) for name in (".price", ".stock"))
        assert stock["y"] >= price["y"] + price["height"]
        if locale == ARABIC:
            price["x"] += price["width"]
            stock["x"] += stock["width"]
        assert abs(price["x"] - stock["x"]) < 1
        whole = box_of(card.locator(".stock"))
        end = whole | {"x": whole["x"] + whole["width"] - 8, "width": 8}
        dot, other = (ink(page, part) for part in (whole | {"width": 8}, end))
        if locale == ARABIC:
            dot, other = other, dot
        assert len(dot.pixels) > len(other.pixels)


@pytest.mark.parametrize(("locale", "at_start"), [(ENGLISH, False), (ARABIC, True)])
@pytest.mark.parametrize("path", FIELDS)
def test_an_empty_field_begins_where_its_page_begins(
    path: str, locale: str, at_start: bool, page: Page, site: Server
) -> None:
    """Its placeholder, the first sign that is typed, and an address, which stays left to right."""
    page.goto(f"{site.url}{locale}{path}")
    page.evaluate("document.fonts.ready")
    for selector in FIELDS[path]:
        field = page.locator(f"main {selector}")
        if field.get_attribute("placeholder"):
            assert (ink(page, box_of(field, 8)).centre > 0.5) is at_start
        for typed in (".", "a@b"):
            field.fill(typed)
            field.blur()
            assert (ink(page, box_of(field, 8)).centre > 0.5) is at_start, (selector, typed)
        assert field.evaluate("field => getComputedStyle(field).direction") == "ltr"
