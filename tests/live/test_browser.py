"""Pages in a real browser: no errors, accessible, and with working navigation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from live.checkers import accessibility_faults
from live.chromium import DESKTOP, PHONE, Tab, open_tab
from live.server import Server
from live.site_pages import EACH_PAGE
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.slow

VIEWPORT_RULES = ("color-contrast", "target-size", "scrollable-region-focusable")
"""Rules of axe whose result may differ on a narrow, dark screen."""

PICTURE = "<img src=/icon.svg>"


@pytest.fixture(scope="module")
def desktop_tab(browser: Browser, site: Server) -> Tab:
    """A tab for one page after another, which costs half as much as a tab for each."""
    return open_tab(browser.new_context(**DESKTOP), site.url)


@pytest.fixture(scope="module")
def phone_tab(browser: Browser, site: Server) -> Tab:
    """Such a tab of a phone with JavaScript disabled."""
    return open_tab(browser.new_context(**PHONE, java_script_enabled=False), site.url)


@pytest.fixture
def wide(desktop_tab: Tab) -> Iterator[Tab]:
    """A wide, light window; at the end it may have no complaints."""
    with without_complaints(desktop_tab):
        yield desktop_tab


@pytest.fixture
def scriptless(phone_tab: Tab) -> Iterator[Tab]:
    """A phone with JavaScript disabled; at the end it may have no complaints."""
    with without_complaints(phone_tab):
        yield phone_tab


@contextmanager
def without_complaints(tab: Tab) -> Iterator[None]:
    """Fail if a tab complains during the block of more than a missing page."""
    yield
    complaints, tab.complaints = tab.complaints, []
    assert [each for each in complaints if "status of 404" not in each] == []


@EACH_PAGE
def test_a_page_is_accessible(path: str, wide: Tab) -> None:
    """On a wide light screen and on a narrow dark one, without horizontal scrolling."""
    wide.open(path)
    assert accessibility_faults(wide.page) == []
    with narrow_and_dark(wide.page):
        wide.page.evaluate("scrollTo(0, document.body.scrollHeight)")  # the bar covers nothing
        assert accessibility_faults(wide.page, only=VIEWPORT_RULES) == []
        assert wide.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


@contextmanager
def narrow_and_dark(page: Page) -> Iterator[None]:
    """Draw a page on a phone in the dark during the block, and then again as on a desk."""
    page.set_viewport_size(PHONE["viewport"])
    page.emulate_media(color_scheme=PHONE["color_scheme"])
    try:
        yield
    finally:
        page.set_viewport_size(DESKTOP["viewport"])
        page.emulate_media(color_scheme=DESKTOP["color_scheme"])


@pytest.mark.parametrize("path", ["/ae/en/products", "/sa/ar/blog", "/ae/en/testimonials"])
def test_every_image_is_loaded(path: str, wide: Tab) -> None:
    """Also those below the fold."""
    wide.open(path)
    pictures = wide.page.locator("img")
    assert pictures.count() > 3
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        wide.page.wait_for_function("image => image.complete", arg=picture.element_handle())
        assert picture.evaluate("image => image.naturalWidth") > 0


@pytest.mark.parametrize(
    ("start", "languages", "arrives"),
    [
        ("/ae/en/products/counter-pos-15", "العربية", "/ae/ar/products/counter-pos-15"),
        ("/sa/ar/blog/vat-across-the-gulf", "English", "/sa/en/blog/vat-across-the-gulf"),
    ],
)
def test_the_language_switch_stays_on_the_page(
    start: str, languages: str, arrives: str, scriptless: Tab
) -> None:
    """And switches the text direction."""
    scriptless.open(start)
    scriptless.page.get_by_role("link", name=languages, exact=True).click()
    assert scriptless.path == arrives
    html = scriptless.page.locator("html")
    assert html.get_attribute("lang") == arrives[4:6]
    assert html.get_attribute("dir") == ("rtl" if arrives[4:6] == "ar" else "ltr")


def test_the_country_switch_stays_on_the_page(scriptless: Tab) -> None:
    """With the prices of the other country."""
    scriptless.open("/ae/en/products/counter-pos-15")
    assert "AED" in scriptless.page.locator(".offer .price").inner_text()
    scriptless.page.locator(".countries > button").click()
    scriptless.page.get_by_role("link", name="Oman", exact=True).click()
    assert scriptless.path == "/om/en/products/counter-pos-15"
    assert "OMR" in scriptless.page.locator(".offer .price").inner_text()


@pytest.mark.parametrize(
    ("start", "menu", "entry", "arrives"),
    [
        ("/ae/en", "Menu", "Products", "/ae/en/products"),
        ("/sa/ar", "القائمة", "الأسعار", "/sa/ar/pricing"),
    ],
)
def test_the_menu_of_a_phone_needs_no_script(
    start: str, menu: str, entry: str, arrives: str, scriptless: Tab
) -> None:
    """It opens on a tap, and its entries are links."""
    scriptless.open(start)
    link = scriptless.page.locator(".menu").get_by_role("link", name=entry, exact=True)
    assert not link.is_visible()
    scriptless.page.locator(".menu > button", has_text=menu).click()
    link.click()
    assert scriptless.path == arrives


def test_the_search_box_shows_results_or_a_message(scriptless: Tab) -> None:
    """The term stays in the box, and there is a link to all articles."""
    scriptless.open("/ae/en/blog")
    box = scriptless.page.get_by_role("searchbox")
    box.fill("vat")
    box.press("Enter")
    assert scriptless.path == "/ae/en/blog?search=vat"
    assert "found for" in scriptless.page.get_by_role("status").inner_text()
    expect(scriptless.page.get_by_role("article").first).to_be_visible()
    assert box.input_value() == "vat"
    box.fill("<b>zzzz")
    scriptless.page.get_by_role("button", name="Search").click()
    expect(scriptless.page.get_by_role("article")).to_have_count(0)
    assert "<b>zzzz" in scriptless.page.get_by_role("status").inner_text()
    scriptless.page.get_by_role("link", name="Show all articles").click()
    assert scriptless.path == "/ae/en/blog"


def test_a_missing_page_suggests_a_similar_one(scriptless: Tab) -> None:
    """It links the page with the most similar address, and has a search box."""
    assert scriptless.open("/ae/en/pricings") == 404
    search = scriptless.page.get_by_role("combobox")  # a search box that suggests
    assert search.is_visible()
    assert search.get_attribute("type") == "search"
    scriptless.page.get_by_role("main").get_by_role("link", name="Pricing").click()
    assert scriptless.path == "/ae/en/pricing"


def test_the_keyboard_reaches_the_content_at_once(wide: Tab) -> None:
    """The first focusable link skips the menus."""
    wide.open("/ae/en/erp")
    wide.page.keyboard.press("Tab")
    skip: Any = wide.page.locator(":focus")
    assert skip.inner_text() == "Skip to the content"
    assert skip.bounding_box()["y"] >= 0
    wide.page.keyboard.press("Enter")
    wide.page.wait_for_url("**/ae/en/erp#main")


@pytest.mark.parametrize(
    ("ending", "complaints"),
    [
        ("connectionreset", ["failed, net::ERR_CONNECTION_RESET: http://site.test/icon.svg"]),
        ("aborted", []),  # as when the reader goes on to the next page
    ],
)
def test_a_request_that_the_browser_aborts_is_not_a_complaint(
    ending: str, complaints: list[str], browser: Browser
) -> None:
    """A connection that the network or the server resets is."""
    tab = open_tab(browser.new_context(**PHONE), "http://site.test")
    tab.page.route("**/*", lambda route: route.fulfill(body=PICTURE, content_type="text/html"))
    tab.page.route("**/icon.svg", lambda route: route.abort(ending))
    with tab.page.expect_event("requestfailed"):
        tab.open("/")
    assert [complaint for complaint in tab.complaints if "icon.svg" in complaint] == complaints
