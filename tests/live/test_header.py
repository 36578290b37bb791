"""The header in a real browser: its menus, its switches, its search and its primary button."""

from __future__ import annotations

from typing import Any

import pytest
from live.server import Server
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PHONES = (320, 360, 390, 430)
MENUS = ("div.countries", "div.menu", "nav.languages")
PRIMARY_PIXELS = 44

OPENED = """menu => {
  const box = element => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return { left, top, right, bottom }
  }
  const root = document.querySelector(menu)
  root.querySelector("[popover]")?.showPopover()
  const entries = [...root.querySelectorAll("[popovertarget], a")].map(entry => {
    entry.scrollIntoView({ block: "nearest" })
    const { left, top, right, bottom } = box(entry)
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return {
      name: entry.innerText.trim(),
      inside: left >= 0 && right <= innerWidth && top + scrollY >= 0,
      hit: hit !== null && entry.contains(hit),
      height: bottom - top,
    }
  })
  root.querySelector("[popover]")?.hidePopover()
  return entries
}"""
"""Opens a menu and returns its entries: whether each is in the viewport, on top, and how large."""


@pytest.fixture(scope="module")
def window(browser: Browser) -> Page:
    """The window of this module, without JavaScript of pages."""
    return browser.new_page()


def opened(window: Page, site: Server, path: str, width: int) -> None:
    """Open a path in a window of this width."""
    window.set_viewport_size({"width": width, "height": 740})
    if window.url != site.url + path:
        window.goto(site.url + path)


@pytest.mark.parametrize("path", ["/ae/en/erp", "/ae/ar/erp", "/sa/ar"])
def test_every_entry_of_every_menu_is_reachable_on_phones(
    path: str, window: Page, site: Server
) -> None:
    """Inside the viewport, not covered, and large enough for a finger."""
    for width in PHONES:
        opened(window, site, path, width)
        for menu in MENUS:
            entries: list[dict[str, Any]] = window.evaluate(OPENED, menu)
            assert entries
            for entry in entries:
                assert entry["inside"], (width, menu, entry)
                assert entry["hit"], (width, menu, entry)
                assert entry["height"] >= PRIMARY_PIXELS, (width, menu, entry)
        countries: list[dict[str, Any]] = window.evaluate(OPENED, MENUS[0])
        assert len(countries) == 1 + 6


def test_the_keyboard_reaches_each_country(window: Page, site: Server) -> None:
    """In the order of the list, all of them in view."""
    opened(window, site, "/ae/en/erp", 320)
    window.locator(".countries > button").focus()
    window.keyboard.press("Enter")
    reached = []
    for _ in range(6):
        window.keyboard.press("Tab")
        box = window.locator(":focus").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 320
        reached.append(window.locator(":focus").inner_text())
    assert reached[1:] == ["Saudi Arabia", "Qatar", "Oman", "Kuwait", "Bahrain"]


@pytest.mark.parametrize(
    ("width", "has_field"), [(390, False), (899, False), (900, True), (1280, True)]
)
def test_the_header_searches_by_a_field_where_there_is_room(
    width: int, has_field: bool, window: Page, site: Server
) -> None:
    """From 900 px on; below, by a link. Both lead to the search page of the locale."""
    opened(window, site, "/sa/ar/erp", width)
    banner = window.get_by_role("banner")
    field = banner.get_by_role("searchbox")
    assert field.is_visible() is has_field
    assert banner.get_by_role("link", name="بحث", exact=True).is_visible() is not has_field
    if has_field:
        field.fill("فاتورة")
        field.press("Enter")
        assert window.url.startswith(f"{site.url}/sa/ar/search?q=")
        window.goto("about:blank")
    else:
        link = banner.get_by_role("link", name="بحث", exact=True)
        assert link.get_attribute("href") == "/sa/ar/search"


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1280])
def test_the_primary_button_leads_to_the_contact_page(
    width: int, window: Page, site: Server
) -> None:
    """On narrow phones it is in the menu."""
    opened(window, site, "/ae/en/pricing", width)
    menu = window.locator(".menu > button")
    button = window.get_by_role("banner").get_by_role("link", name="Ask for a demo")
    if not button.first.is_visible() and not button.last.is_visible():
        menu.click()
    shown = [each for each in button.all() if each.is_visible()]
    assert len(shown) == 1
    box = shown[0].bounding_box()
    assert box is not None
    assert box["height"] >= PRIMARY_PIXELS
    assert shown[0].get_attribute("href") == "/ae/en/contact"
    window.goto("about:blank")


def test_the_link_to_llms_txt_is_in_the_footer(window: Page, site: Server) -> None:
    """Visible there, and not in the header; the head has it as well."""
    opened(window, site, "/sa/ar/blog", 1280)
    name = "لوكلاء الذكاء الاصطناعي"
    link = window.get_by_role("contentinfo").get_by_role("link", name=name)
    assert link.is_visible()
    assert link.get_attribute("href") == "/sa/ar/llms.txt"
    assert window.get_by_role("banner").locator('[href$="/llms.txt"]').count() == 0
    assert window.locator("head link[rel=describedby]").get_attribute("href") == "/sa/ar/llms.txt"


def test_one_menu_is_open_at_a_time(window: Page, site: Server) -> None:
    """The second closes the first, without a script."""
    opened(window, site, "/ae/ar/erp", 390)
    window.locator(".menu > button").click()
    window.locator(".countries > button").click()
    assert window.locator("header :popover-open").count() == 1
    assert window.locator(".countries > :popover-open").count() == 1
    window.goto("about:blank")


@pytest.mark.parametrize("path", ["/ae/en/blog/vat-across-the-gulf", "/ae/ar/pricing"])
def test_escape_and_a_click_outside_close_a_menu(path: str, browser: Browser, site: Server) -> None:
    """Each menu of a phone, without a script; Escape puts the focus on its button again."""
    context = browser.new_context(viewport={"width": 390, "height": 740}, java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url + path)
    buttons = page.locator("[popovertarget]:visible").all()
    assert len(buttons) == (3 if "/blog/" in path else 2)
    for button in buttons:
        button.click()
        assert page.locator(":popover-open").count() == 1
        page.keyboard.press("Escape")
        assert page.locator(":popover-open").count() == 0
        button.press("Enter")
        assert page.locator(":popover-open").count() == 1
        page.mouse.click(4, 736)
        assert page.locator(":popover-open").count() == 0
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("locale", ["/ae/en", "/ae/ar"])
def test_the_language_stands_in_one_place_on_all_pages(
    locale: str, width: int, window: Page, site: Server
) -> None:
    """Also where the header has no search field, as the page has one."""
    places = set()
    for path in ("", "/search?q=pos", "/blog", "/erp"):
        opened(window, site, locale + path, width)
        box = window.locator(".languages a").bounding_box()
        assert box is not None
        places.add((round(box["x"]), round(box["y"])))
    assert len(places) == 1


WIDE = '<svg xmlns="http://www.w3.org/2000/svg" width="560" height="40"/>'
LINES = """() => {
  const tops = selector => new Set(
    [...document.querySelectorAll(selector)]
      .filter(each => each.checkVisibility())
      .map(each => Math.round(each.getBoundingClientRect().bottom))
  ).size
  const middle = element => {
    const { top, bottom } = element.getBoundingClientRect()
    return (top + bottom) / 2
  }
  const shown = [...document.querySelector(".bar").children].filter(each => each.checkVisibility())
  const middles = shown.map(middle)
  return [tops(".wide a"), Math.max(...middles) - Math.min(...middles),
          document.documentElement.scrollWidth - innerWidth]
}"""
"""Counts the lines of the menu, and measures how far the middles of the header are apart."""


@pytest.mark.parametrize("locale", ["/ae/en", "/ae/ar"])
def test_a_wide_logo_leaves_the_header_in_one_line(
    locale: str, browser: Browser, site: Server
) -> None:
    """It becomes smaller, on phones and beside the whole menu."""
    page = browser.new_page()
    page.route("**/logo*.svg", lambda route: route.fulfill(body=WIDE, content_type="image/svg+xml"))
    page.goto(f"{site.url}{locale}/erp")
    for width in (*PHONES, 768, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        lines, apart, over = page.evaluate(LINES)
        assert lines == (width >= 1024), width
        assert apart < 8, width
        assert over <= 0, width
    page.close()


HIDDEN = """() => {
  const bar = document.querySelector(".bottom-bar").getBoundingClientRect()
  const focusable = document.querySelectorAll("main a:not(.anchor), main summary, .foot a")
  return [...focusable].filter(each => {
    if (!each.checkVisibility() || each.closest(".hidden")) return false
    each.focus()
    const box = each.getClientRects()[0]
    return box.bottom > bar.top && box.top < bar.bottom && box.height < 200
  }).map(each => each.outerHTML)
}"""
"""Focuses each link below the header; returns those that the bar at the foot covers then."""


@pytest.mark.parametrize("locale", ["/ae/en", "/sa/ar"])
def test_phones_have_calls_and_the_main_button_at_the_foot(
    locale: str, window: Page, site: Server
) -> None:
    """It covers neither the footer nor what has the focus, and is on no page with a form."""
    window.emulate_media(reduced_motion="reduce")
    for width in PHONES:
        opened(window, site, f"{locale}/erp", width)
        bar = window.locator(".bottom-bar")
        links = [each.get_attribute("href") or "" for each in bar.locator("a").all()]
        assert [link.partition(":")[0] for link in links] == ["tel", "https", f"{locale}/contact"]
        for each in bar.locator("a").all():
            box = each.bounding_box()
            assert box is not None
            assert box["height"] >= PRIMARY_PIXELS
            assert 740 >= box["y"] + box["height"] > 740 - 100
        assert window.evaluate(HIDDEN) == []
        window.evaluate("scrollTo(0, document.body.scrollHeight)")
        foot, below = window.locator(".foot").bounding_box(), bar.bounding_box()
        assert foot is not None
        assert below is not None
        assert foot["y"] + foot["height"] <= below["y"] + 1
        window.evaluate("scrollTo(0, 0)")
    window.emulate_media(media="print")
    assert not bar.is_visible()
    window.emulate_media(media="screen")
    opened(window, site, f"{locale}/erp", 1280)
    assert not bar.is_visible()
    opened(window, site, f"{locale}/contact", 390)
    assert bar.count() == 0
    opened(window, site, f"{locale}/products", 390)
    window.locator(".product .check input").first.check()
    assert not bar.is_visible()
    assert window.locator(".chosen button").first.is_visible()
