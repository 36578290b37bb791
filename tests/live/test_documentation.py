"""A new documentation site in a browser: each control, in both languages and at two widths."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from live.checkers import accessibility_faults, html_faults
from live.chromium import DESKTOP, PHONE, Tab, open_tab
from live.server import Server
from playwright.sync_api import Browser, Page, expect

from app.operations.starters import write_starter
from knowledge.locales.locale import Language

pytestmark = pytest.mark.slow

PATHS = (
    "",
    "/docs",
    "/docs/v2",
    "/docs/v2/guide",
    "/docs/v2/guide/install",
    "/docs/v2/guide/configure",
    "/docs/v2/reference/settings",
    "/docs/v1/guide/install",
)
VISITS = [(language, size) for language in Language for size in (DESKTOP, PHONE)]
CODE = "example install"


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with what `majlis init --kind docs --lang both` writes."""
    work = tmp_path_factory.mktemp("manual")
    languages = [Language.EN, Language.AR]
    write_starter(work / "content", "docs", "Sanad", languages, (), date(2026, 1, 1))
    with Server(work / "content", work) as running:
        yield running


def opened(browser: Browser, manual: Server, size: dict[str, Any]) -> Tab:
    """Return a new tab that may read what it copies."""
    context = browser.new_context(**size)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=manual.url)
    return open_tab(context, manual.url)


def unfold(page: Page, selector: str) -> None:
    """Open a menu if it is folded at this width."""
    summary = page.locator(f"{selector} > summary")
    if summary.is_visible():
        summary.click()


@cases(("language", "size"), VISITS)
def test_each_control_leads_where_it_says(
    manual: Server, browser: Browser, language: Language, size: dict[str, Any]
) -> None:
    """Menu, versions, previous and next, contents, the copy button, and the search."""
    tab, root = opened(browser, manual, size), f"/{language}"
    page = tab.page
    assert tab.open(f"{root}/docs/v2/guide/install") == 200
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    menu = page.locator(".manual nav")
    unfold(page, ".manual")
    here = menu.locator('[aria-current="page"]')
    expect(here).to_have_attribute("href", f"{root}/docs/v2/guide/install")
    menu.locator(f'a[href="{root}/docs/v2/reference/settings"]').click()
    assert tab.path == f"{root}/docs/v2/reference/settings"

    tab.open(f"{root}/docs/v2/guide/install")
    page.locator('[rel="next"]').last.click()
    assert tab.path == f"{root}/docs/v2/guide/configure"
    page.locator('main [rel="prev"]').click()
    assert tab.path == f"{root}/docs/v2/guide/install"

    page.get_by_role("button", name={"en": "Copy", "ar": "نسخ"}[language], exact=True).click()
    expect(page.locator(".copy")).to_have_text({"en": "Copied", "ar": "نُسخ"}[language])
    assert page.evaluate("navigator.clipboard.readText()").strip() == CODE

    unfold(page, ".contents details")
    contents = page.locator(".contents a").locator("visible=true")
    target = contents.last.get_attribute("href") or ""
    contents.last.click()
    expect(page.locator(f'[id="{target[1:]}"]')).to_be_in_viewport()

    unfold(page, ".manual")
    page.locator(".versions a").last.click()
    assert tab.path == f"{root}/docs/v1/guide/install"
    page.locator(".documentation .notice a").click()
    assert tab.path == f"{root}/docs/v2/guide/install"
    unfold(page, ".manual")
    menu.locator("p a").click()
    assert tab.path == f"{root}/docs"

    page.locator(".finder input").fill({"en": "settings", "ar": "الإعدادات"}[language])
    page.locator(".finder button").click()
    found = page.locator(f'main a[href*="{root}/docs/v2/reference/settings"]')
    expect(found.first).to_be_visible()
    assert "/docs/v1/" not in page.locator("main").inner_html()
    assert tab.complaints == []
    page.context.close()


def test_contents_mark_the_section_that_is_read(manual: Server, browser: Browser) -> None:
    """The entry of the heading that was passed last is the current one."""
    tab = opened(browser, manual, {**DESKTOP, "viewport": {"width": 1280, "height": 260}})
    tab.open("/en/docs/v2/guide/configure")
    current = tab.page.locator('.contents [aria-current="location"]').locator("visible=true")
    expect(current).to_have_count(0)
    tab.page.locator("#in-the-environment").evaluate("each => each.scrollIntoView()")
    expect(current).to_have_attribute("href", "#in-the-environment")
    tab.page.context.close()


def test_the_menu_works_without_the_script(manual: Server, browser: Browser) -> None:
    """The copy button needs one, and is not there."""
    context = browser.new_context(**PHONE, java_script_enabled=False)
    tab = open_tab(context, manual.url)
    tab.open("/ar/docs/v2/guide/install")
    expect(tab.page.locator(".copy")).to_have_count(0)
    tab.page.locator(".manual > summary").click()
    expect(tab.page.locator('.manual [aria-current="page"]')).to_be_visible()
    context.close()


@cases(("language", "size"), VISITS)
def test_pages_are_accessible(
    manual: Server, browser: Browser, language: Language, size: dict[str, Any]
) -> None:
    """Axe finds nothing on any page, with the menu open, and the page fits the window."""
    context = browser.new_context(**size, bypass_csp=True)
    tab = open_tab(context, manual.url)
    for path in PATHS:
        assert tab.open(f"/{language}{path}") == 200
        if tab.page.locator(".manual").count():
            unfold(tab.page, ".manual")
        assert accessibility_faults(tab.page) == []
        assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_pages_are_valid_html(manual: Server, browser: Browser, tmp_path: Path) -> None:
    """The Nu Html Checker has no message."""
    request = browser.new_context().request
    for language in Language:
        for number, path in enumerate(PATHS):
            reply = request.get(f"{manual.url}/{language}{path}", headers={"Accept": "text/html"})
            (tmp_path / f"{language}-{number}.html").write_bytes(reply.body())
    assert html_faults(tmp_path) == []
