"""Every control of every page in a real browser: a click at its middle meets it, and leads on."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from live.geometry import set_width
from live.server import Server
from live.site_pages import LOCALES, paths
from playwright.sync_api import Page

pytestmark = pytest.mark.slow

WIDTHS = (390, 1280)
ALSO = ("/solutions", "/business-models", "/industries", "/contact?sent=1", "/blog/tag/vat")
"""Pages of the types in `site_pages` whose controls are others."""

DEAD = r"""async () => {
  await document.fonts.ready
  const name = element => {
    const text = element.innerText || element.getAttribute("href") || element.name || ""
    return `${element.localName}.${element.className} “${text.trim().slice(0, 40)}”`
  }
  // A link over several lines has a middle in the first of them.
  const middle = element => {
    const box = element.getClientRects()[0]
    return box && box.width > 1 && box.height > 1 &&
      [box.left + box.width / 2, box.top + box.height / 2]
  }
  const labels = element => [...(element.labels || [])]
  const isMet = (element, found) =>
    element.contains(found) || (found && labels(element).includes(found.closest("label")))
  const kinds = "a[href], button, input, select, textarea, summary"
  const controls = root => [...root.querySelectorAll(kinds)]
    .filter(each => each.checkVisibility({ visibilityProperty: true }))
    .filter(each => !each.closest(".skip, .hidden, .trap"))
  const dead = new Set()
  const judge = elements => {
    for (const element of elements) {
      element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" })
      const point = middle(element)
      if (!point) continue
      const found = document.elementFromPoint(...point)
      if (!isMet(element, found)) dead.add(`${name(element)} lies under ${found && name(found)}`)
    }
    return elements.length
  }
  let count = judge(controls(document))
  // An open menu covers what is behind it, so each is judged alone.
  for (const details of document.querySelectorAll("details:not([open])")) {
    if (!details.checkVisibility({ visibilityProperty: true })) continue
    details.open = true
    count += judge(controls(details))
    details.open = false
  }
  for (const menu of document.querySelectorAll("[popover]")) {
    if (!document.querySelector(`[popovertarget="${menu.id}"]`).checkVisibility()) continue
    menu.showPopover()
    count += judge(controls(menu))
    menu.hidePopover()
  }
  for (const element of document.querySelectorAll("main *")) {
    const moves = /auto|scroll/.test(getComputedStyle(element).overflowY)
    if (element.scrollTop && !moves) dead.add(`${name(element)} is scrolled out of its frame`)
  }
  return { count, dead: [...dead] }
}"""
"""Counts the visible controls of a page, and names those that a click at their middle misses."""


@pytest.mark.parametrize(
    "path", [*dict(paths()).values(), *(locale + path for locale in LOCALES for path in ALSO)]
)
def test_each_visible_control_takes_the_click_at_its_middle(
    path: str, desk: Page, site: Server
) -> None:
    """On a desk and on a phone, within closed menus too."""
    desk.goto(site.url + path)
    for width in WIDTHS:
        set_width(desk, width)
        found = desk.evaluate(DEAD)
        assert found["dead"] == []
        assert found["count"] > 10


CLICKS = {
    "plan": ("/pricing", ".plans .card .button", "/contact?page={locale}/pricing&plan="),
    "call to action": ("/erp", ".cta .button", "/contact?page={locale}/erp"),
    "offer": ("/products/pocket-pos", ".offer .button", "/contact?page={locale}/products/pocket-"),
    "main button": ("/erp", "header .ask .button, .menu .button", "/contact"),
    "hero": ("", ".hero .button.quiet", "/erp"),
    "card of a product": ("/products", ".product h2 a", "/products/"),
    "card of a post": ("/blog", ".post h3 a", "/blog/"),
    "card of a module": ("", ".linked h3 a", "/modules/"),
    "link in a card": ("/solutions", ".features .card p a", "/"),
    "tile": ("", ".tiles a", "/industries/"),
    "category": ("/blog", ".chips li + li a", "/blog/category/"),
    "filter": ("/products", ".filters button", "/products?"),
    "search": ("/blog", ".search button", "/blog?search="),
    "related product": ("/products/pocket-pos", ".related h3 a", "/products/"),
    "tag": ("/blog/vat-across-the-gulf", "footer .tag a", "/blog/tag/"),
    "breadcrumb": ("/products/pocket-pos", ".crumbs a", ""),
    "footer": ("", ".foot nav a", "/"),
}
"""Kinds of links and buttons: a page that has them, which they are, and where the first leads."""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", CLICKS)
def test_each_kind_of_button_leads_where_it_says(
    kind: str, locale: str, width: int, desk: Page, site: Server
) -> None:
    """A click of the mouse, at the middle, after the menu is open where it is in one."""
    path, selector, target = CLICKS[kind]
    set_width(desk, width)
    desk.goto(f"{site.url}{locale}{path}")
    if kind == "main button" and width == min(WIDTHS):
        desk.locator(".menu > button").click()
    if kind == "filter" and width == min(WIDTHS):
        desk.locator(".choices > summary").click()
    desk.locator(selector).locator("visible=true").first.click()
    desk.wait_for_url(lambda url: url != f"{site.url}{locale}{path}")
    arrived = unquote(desk.url.removeprefix(site.url))
    assert arrived.startswith(f"{locale}{target.format(locale=locale)}")
    assert "#" not in arrived


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("locale", LOCALES)
def test_products_are_chosen_and_compared(
    locale: str, width: int, desk: Page, site: Server
) -> None:
    """By the boxes on their cards, which a click at the middle sets."""
    set_width(desk, width)
    desk.goto(f"{site.url}{locale}/products")
    compare = desk.locator("#compare button:not([name])")
    ground = "each => getComputedStyle(each).backgroundColor"
    assert compare.evaluate(ground) == "rgba(0, 0, 0, 0)"  # nothing is chosen yet
    for number in (0, 1):
        box = desk.locator(".product .check input").nth(number)
        box.click()
        assert box.is_checked()
    assert compare.evaluate(ground) != "rgba(0, 0, 0, 0)"
    place = compare.bounding_box()
    assert place is not None
    assert place["y"] + place["height"] <= desk.evaluate("innerHeight"), "it stays in view"
    compare.click()
    desk.wait_for_url("**/products/compare?*")
    assert desk.url.startswith(f"{site.url}{locale}/products/compare?items=")
    assert desk.locator("table.comparison thead th").count() == 2


@pytest.mark.parametrize("locale", LOCALES)
def test_phones_show_two_products_in_a_row_at_once(locale: str, desk: Page, site: Server) -> None:
    """The first picture is in view, as filters are behind a button and categories in one line."""
    desk.set_viewport_size({"width": 390, "height": 844})
    desk.goto(f"{site.url}{locale}/products")
    first, second = (desk.locator(".product > img").nth(n).bounding_box() for n in (0, 1))
    assert first is not None
    assert second is not None
    assert first["y"] == second["y"]
    assert first["y"] + first["height"] < 700
    assert not desk.locator(".filters button").is_visible()
    chips = desk.locator(".chips li").all()
    assert len({box["y"] for box in (each.bounding_box() for each in chips) if box}) == 1
