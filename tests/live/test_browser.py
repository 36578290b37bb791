"""Pages in a real browser: no errors, accessible, and with working navigation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from live.checkers import accessibility_faults
from live.chromium import DESKTOP, PHONE, Tab, chromium, open_tab
from live.server import Server
from live.site_pages import EACH_PAGE
from playwright.sync_api import Browser, BrowserContext

pytestmark = pytest.mark.slow

VIEWPORT_RULES = ("color-contrast", "target-size", "scrollable-region-focusable")
"""Rules of axe whose result may differ on a narrow, dark screen."""

ICON = "<link rel=icon href=/icon.svg>"

Open = Callable[..., Tab]
"""Opens a tab in a browser context; the tab must have no complaints at the end."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of this module."""
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="module")
def desktop(browser: Browser) -> BrowserContext:
    """A wide, light window; the tests share its cache."""
    return browser.new_context(**DESKTOP)


@pytest.fixture
def tab_in(site: Server) -> Iterator[Open]:
    """A function that opens tabs; at the end no tab may have complaints."""
    tabs: list[Tab] = []

    def opened(context: BrowserContext) -> Tab:
        tabs.append(open_tab(context, site.url))
        return tabs[-1]

    yield opened
    complaints = [complaint for tab in tabs for complaint in tab.complaints]
    for tab in tabs:
        tab.page.close()
    assert [complaint for complaint in complaints if "status of 404" not in complaint] == []


@pytest.fixture
def scriptless(browser: Browser) -> Iterator[BrowserContext]:
    """A phone with JavaScript disabled."""
    context = browser.new_context(**PHONE, java_script_enabled=False)
    yield context
    context.close()


@EACH_PAGE
def test_a_page_is_accessible(path: str, desktop: BrowserContext, tab_in: Open) -> None:
    """On a wide light screen and on a narrow dark one, without horizontal scrolling."""
    tab = tab_in(desktop)
    tab.open(path)
    assert accessibility_faults(tab.page) == []
    tab.page.set_viewport_size(PHONE["viewport"])
    tab.page.emulate_media(color_scheme="dark")
    assert accessibility_faults(tab.page, only=VIEWPORT_RULES) == []
    assert tab.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


@pytest.mark.parametrize("path", ["/ae/en/products", "/sa/ar/blog", "/ae/en/testimonials"])
def test_every_image_is_loaded(path: str, desktop: BrowserContext, tab_in: Open) -> None:
    """Also those below the fold."""
    tab = tab_in(desktop)
    tab.open(path)
    pictures = tab.page.locator("img")
    assert pictures.count() > 3
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        tab.page.wait_for_function("image => image.complete", arg=picture.element_handle())
        assert picture.evaluate("image => image.naturalWidth") > 0


@pytest.mark.parametrize(
    ("start", "languages", "arrives"),
    [
        ("/ae/en/products/counter-pos-15", "العربية", "/ae/ar/products/counter-pos-15"),
        ("/sa/ar/blog/vat-across-the-gulf", "English", "/sa/en/blog/vat-across-the-gulf"),
    ],
)
def test_the_language_switch_stays_on_the_page(
    start: str, languages: str, arrives: str, scriptless: BrowserContext, tab_in: Open
) -> None:
    """And switches the text direction."""
    tab = tab_in(scriptless)
    tab.open(start)
    tab.page.get_by_role("link", name=languages, exact=True).click()
    assert tab.path == arrives
    html = tab.page.locator("html")
    assert html.get_attribute("lang") == arrives[4:6]
    assert html.get_attribute("dir") == ("rtl" if arrives[4:6] == "ar" else "ltr")


def test_the_country_switch_stays_on_the_page(scriptless: BrowserContext, tab_in: Open) -> None:
    """With the prices of the other country."""
    tab = tab_in(scriptless)
    tab.open("/ae/en/products/counter-pos-15")
    assert "AED" in tab.page.locator(".offer .price").inner_text()
    tab.page.locator(".countries summary").click()
    tab.page.get_by_role("link", name="Oman", exact=True).click()
    assert tab.path == "/om/en/products/counter-pos-15"
    assert "OMR" in tab.page.locator(".offer .price").inner_text()


@pytest.mark.parametrize(
    ("start", "menu", "entry", "arrives"),
    [
        ("/ae/en", "Menu", "Products", "/ae/en/products"),
        ("/sa/ar", "القائمة", "الأسعار", "/sa/ar/pricing"),
    ],
)
def test_the_menu_of_a_phone_needs_no_script(
    start: str, menu: str, entry: str, arrives: str, scriptless: BrowserContext, tab_in: Open
) -> None:
    """It opens on a tap, and its entries are links."""
    tab = tab_in(scriptless)
    tab.open(start)
    link = tab.page.locator("details.menu").get_by_role("link", name=entry, exact=True)
    assert not link.is_visible()
    tab.page.locator("details.menu summary", has_text=menu).click()
    link.click()
    assert tab.path == arrives


def test_the_search_box_shows_results_or_a_message(
    scriptless: BrowserContext, tab_in: Open
) -> None:
    """The term stays in the box, and there is a link to all articles."""
    tab = tab_in(scriptless)
    tab.open("/ae/en/blog")
    box = tab.page.get_by_role("searchbox")
    box.fill("vat")
    box.press("Enter")
    assert tab.path == "/ae/en/blog?search=vat"
    assert "found for" in tab.page.get_by_role("status").inner_text()
    assert tab.page.get_by_role("article").count() > 0
    assert box.input_value() == "vat"
    box.fill("<b>zzzz")
    tab.page.get_by_role("button", name="Search").click()
    assert tab.page.get_by_role("article").count() == 0
    assert "<b>zzzz" in tab.page.get_by_role("status").inner_text()
    tab.page.get_by_role("link", name="Show all articles").click()
    assert tab.path == "/ae/en/blog"


def test_a_missing_page_suggests_a_similar_one(scriptless: BrowserContext, tab_in: Open) -> None:
    """It links the page with the most similar address, and has a search box."""
    tab = tab_in(scriptless)
    assert tab.open("/ae/en/pricings") == 404
    assert tab.page.get_by_role("searchbox").is_visible()
    tab.page.get_by_role("main").get_by_role("link", name="Pricing").click()
    assert tab.path == "/ae/en/pricing"


def test_the_keyboard_reaches_the_content_at_once(desktop: BrowserContext, tab_in: Open) -> None:
    """The first focusable link skips the menus."""
    tab = tab_in(desktop)
    tab.open("/ae/en/erp")
    tab.page.keyboard.press("Tab")
    skip: Any = tab.page.locator(":focus")
    assert skip.inner_text() == "Skip to the content"
    assert skip.bounding_box()["y"] >= 0
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**/ae/en/erp#main")


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
    tab.page.route("**/*", lambda route: route.fulfill(body=ICON, content_type="text/html"))
    tab.page.route("**/icon.svg", lambda route: route.abort(ending))
    with tab.page.expect_event("requestfailed"):
        tab.open("/")
    assert [complaint for complaint in tab.complaints if "icon.svg" in complaint] == complaints
