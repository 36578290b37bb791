"""The stylesheets of pages in a real browser: no rule that could match is left out of one."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from examples import SITES
from live.server import Server
from live.site_pages import paths as sample_paths
from live.test_example_sites import paths
from playwright.sync_api import Page

from renderers.html import styles

pytestmark = pytest.mark.slow

MAX_STYLES = 25_000
LEFT_OUT = r"""([whole, own]) => {
  const parted = text => {
    const found = [""]; let depth = 0
    for (const sign of text) {
      depth += "([".includes(sign) - ")]".includes(sign)
      if (sign === "," && !depth) found.push(""); else found[found.length - 1] += sign
    }
    return found.map(each => each.trim())
  }
  const selectors = css => {
    const sheet = new CSSStyleSheet(), found = new Map(); sheet.replaceSync(css)
    const walk = (rules, around) => { for (const rule of rules) {
      if (rule.selectorText)
        for (const each of parted(rule.selectorText))
          found.set(around + each + rule.style.cssText, each)
      else if (rule.cssRules) walk(rule.cssRules, around + rule.cssText.split("{")[0])
    } }
    walk(sheet.cssRules, "")
    return found
  }
  // A state or a part of an element may come, if there is the element.
  const state = /:(hover|focus-visible|focus|checked|popover-open|placeholder-shown)(?![\w-])/g
  const element = selector => selector.replace(/::[\w-]+(\([^)]*\))?/g, "")
    .replace(state, ":is(*, *)").replace(/:(target-current|target)(?![\w-])/g, ":is(*, *)") || "*"
  const has = selectors(own)
  for (const each of document.querySelectorAll("[hreflang=ar]")) each.removeAttribute("lang")
  return [...selectors(whole)].filter(([key, each]) =>
    !has.has(key) && document.querySelector(element(each))).map(([, each]) => each)
}"""
"""The selectors of all styles that match an element, and are not in those of the page.

The links to pages in Arabic have rules of their own.
"""


def faults(url: str, page: Page, page_paths: list[str]) -> dict[str, object]:
    """Return what is wrong with the stylesheets of pages."""
    theme = httpx.get(f"{url}/static/0123456789abcdef/theme.css", follow_redirects=True)
    colours = styles.static_file(styles.NAME, theme.content) if theme.is_success else None
    whole = styles.site_styles(colours) + (theme.text if colours else "")
    found: dict[str, object] = {}
    for path in page_paths:
        page.goto(url + path, wait_until="domcontentloaded")
        (link,) = page.locator('link[rel="stylesheet"]').evaluate_all("all => all.map(a => a.href)")
        own = httpx.get(link).text
        left_out = page.evaluate(LEFT_OUT, [whole, own])
        if left_out or len(own) > MAX_STYLES:
            found[path] = (left_out, len(own))
    return found


def test_pages_of_the_sample_have_each_rule_that_can_match(desk: Page, site: Server) -> None:
    """Of each type, in both languages, with the states of links, fields and menus."""
    assert faults(site.url, desk, [path for _, path in sample_paths()]) == {}


@pytest.mark.parametrize("folder", [pytest.param(each, id=each.name) for each in SITES])
def test_pages_of_examples_have_each_rule_that_can_match(
    folder: Path, desk: Page, tmp_path: Path
) -> None:
    """Those of their looks and layouts, too."""
    with Server(folder, tmp_path) as server:
        assert faults(server.url, desk, paths(server.url)) == {}
