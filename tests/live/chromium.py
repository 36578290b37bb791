"""Chromium: the browser of this machine, its pages, and what went wrong on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from live.tools import program
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
SWITCHES = (
    "--no-sandbox",  # continuous integration runs as root, and only our own pages are opened
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP: Any = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
"""As `Browser.new_context` takes them; the phone is in dark mode, so that both are seen."""
GIVEN_UP = "net::ERR_ABORTED"


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium; skips or fails where there is none.

    Playwright keeps an event loop running in its thread, so that no test may start one of its own
    before this has ended.
    """
    found = program(*NAMES)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(SWITCHES))
        yield browser
        browser.close()


@dataclass
class Tab:
    """One page of a browser, and every complaint of the browser about what it shows."""

    page: Page
    origin: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> int:
        """Go to a site path; the status of the answer."""
        response = self.page.goto(self.origin + path)
        assert response is not None
        return response.status

    @property
    def path(self) -> str:
        """Where the reader is, with the query."""
        return self.page.url.removeprefix(self.origin)


def open_tab(context: BrowserContext, origin: str) -> Tab:
    """A new tab; what its console says, what fails to load and what is foreign is noted."""
    tab = Tab(context.new_page(), origin)
    tab.page.on("console", lambda message: tab.complaints.append(message.text))
    tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
    tab.page.on("requestfailed", lambda request: _note_failed(tab, request))
    tab.page.on("request", lambda request: _note_foreign(tab, request.url))
    return tab


def _note_failed(tab: Tab, request: Request) -> None:
    # A reader who goes on to the next page leaves behind what was under way, the icon most often:
    # the browser gives that up itself. What the server or the network fails at has other names.
    if request.failure != GIVEN_UP:
        tab.complaints.append(f"failed, {request.failure}: {request.url}")


def _note_foreign(tab: Tab, url: str) -> None:
    if not url.startswith((f"{tab.origin}/", "data:")):
        tab.complaints.append(f"foreign: {url}")
