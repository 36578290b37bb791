"""Chromium: starts the installed browser, opens pages and records their errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from live.tools import program
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

NAMES = (
    "chromium-headless-shell",  # half the processor time, as there is no browser around the pages
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"),
)
SWITCHES = (
    "--no-sandbox",  # continuous integration runs as root, and only our own pages are opened
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
STILL: Any = {"reduced_motion": "reduce"}
"""Without transitions, in which colours are between two schemes when a test looks at them."""

DESKTOP: Any = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light", **STILL}
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", **STILL}
"""Options of `Browser.new_context`; the phone uses dark mode, so that tests cover both modes."""
ABORTED = "net::ERR_ABORTED"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a headless Chromium; skips or fails the test if none is installed.

    Playwright runs an event loop in this thread, so a test must not start its own event loop
    inside the block.
    """
    executable = program(*NAMES)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(SWITCHES))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of a module of tests."""
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Page:
    """A wide, light window, which tests may draw at several widths."""
    return browser.new_page(**DESKTOP)


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Page:
    """A narrow, dark window."""
    return browser.new_page(**PHONE)


@dataclass
class Tab:
    """A browser page and the errors that the browser reports for it."""

    page: Page
    origin: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> int:
        """Open a path of the site, and return the status."""
        response = self.page.goto(self.origin + path)
        assert response is not None
        return response.status

    @property
    def path(self) -> str:
        """The current path with its query."""
        return self.page.url.removeprefix(self.origin)


def open_tab(context: BrowserContext, origin: str) -> Tab:
    """Open a tab that records console messages, failed requests and requests to other sites."""
    tab = Tab(context.new_page(), origin)
    tab.page.on("console", lambda message: tab.complaints.append(message.text))
    tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
    tab.page.on("requestfailed", lambda request: _note_failed(tab, request))
    tab.page.on("request", lambda request: _note_foreign(tab, request.url))
    return tab


def _note_failed(tab: Tab, request: Request) -> None:
    # The browser itself aborts pending requests, often the icon, when the next page is opened.
    # Failures of the server or the network have other names.
    if request.failure != ABORTED:
        tab.complaints.append(f"failed, {request.failure}: {request.url}")


def _note_foreign(tab: Tab, url: str) -> None:
    if not url.startswith((f"{tab.origin}/", "data:")):
        tab.complaints.append(f"foreign: {url}")
