"""Forced colours and focus rings in a real browser: what readers see without the site's colours."""

from __future__ import annotations

from typing import Any

import pytest
from live.server import Server
from playwright.sync_api import Page

pytestmark = pytest.mark.slow

PAGES = ("/ae/en", "/sa/ar/contact", "/ae/en/products/counter-pos-15", "/ae/en/blog?search=zzzz")
FRAMED = ".button, .card, .cta, .tiles a, .chips a, main :is(input:not([type=hidden]), textarea)"

_BORDERLESS = """selector => [...document.querySelectorAll(selector)]
  .filter(each => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".trap"))
  .filter(each => {
    const style = getComputedStyle(each)
    const sides = ["Top", "Bottom", "Left", "Right"]
    return !sides.some(side => style[`border${side}Style`] !== "none"
      && parseFloat(style[`border${side}Width`]) >= 1
      && style[`border${side}Color`] !== style.backgroundColor)
  })
  .map(each => `${each.className} ${each.innerText}`)"""

_MARK = """link => {
  const style = getComputedStyle(link)
  return [style.borderBottomStyle, style.borderBottomWidth, style.textDecorationLine].join(" ")
}"""

_RINGS = r"""() => {
  const channels = text => text.match(/[\d.]+/g).map(Number)
  const luminance = text => {
    const [red, green, blue] = channels(text).map(each => {
      const part = each / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const isSolid = text => (channels(text)[3] ?? 1) === 1
  const behind = element => {
    for (let each = element.parentElement; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor
      if (isSolid(colour)) return colour
    }
    return "rgb(255, 255, 255)"
  }
  const faults = []
  for (const each of document.querySelectorAll("a[href], button, input, textarea, summary")) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.type === "hidden") continue
    if (each.closest(".trap")) continue
    each.focus({ focusVisible: true, preventScroll: true })
    if (document.activeElement !== each) continue
    const style = getComputedStyle(each)
    const [dark, light] = [style.outlineColor, behind(each)].map(luminance).sort((a, b) => a - b)
    const ratio = (light + 0.05) / (dark + 0.05)
    if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2 || ratio < 3) {
      faults.push(`${each.className} ${each.innerText}: ${style.outline}, ${ratio.toFixed(2)}`)
    }
  }
  return faults
}"""


@pytest.mark.parametrize("path", PAGES)
def test_forced_colours_leave_every_frame(path: str, desk: Page, site: Server) -> None:
    """Buttons, cards, fields and tiles have borders, as their backgrounds and shadows are gone."""
    desk.emulate_media(forced_colors="active")
    desk.goto(site.url + path)
    framed: list[str] = desk.evaluate(_BORDERLESS, FRAMED)
    desk.emulate_media(forced_colors="none")
    assert framed == []


def test_forced_colours_leave_the_current_entries(desk: Page, site: Server) -> None:
    """Of the menu, of the countries and of the categories, also below the page of an entry."""
    desk.emulate_media(forced_colors="active")
    desk.goto(f"{site.url}/ae/en/blog/category/tax-and-compliance")
    desk.locator(".countries > button").click()
    for menu in ("header nav.wide", "div.countries", "nav.chips"):
        links = desk.locator(f"{menu} a")
        current = desk.locator(f"{menu} a[aria-current]")
        assert current.count() == 1
        others: set[Any] = {
            link.evaluate(_MARK)
            for link in links.all()
            if link.get_attribute("aria-current") is None
        }
        assert current.evaluate(_MARK) not in others
    desk.emulate_media(forced_colors="none")


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_a_focus_ring_is_visible_on_every_background(
    path: str, colours: Any, desk: Page, site: Server
) -> None:
    """At least 2 px wide, with a contrast of 3 to what is behind it."""
    desk.emulate_media(color_scheme=colours)
    desk.goto(site.url + path)
    rings: list[str] = desk.evaluate(_RINGS)
    assert rings == []
