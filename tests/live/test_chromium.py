"""What the tests hold against a page, and what they do not."""

from __future__ import annotations

import pytest
from live.chromium import PHONE, chromium, open_tab

ICON = "<link rel=icon href=/icon.svg>"


@pytest.mark.parametrize(
    ("ending", "complaints"),
    [
        ("connectionreset", ["failed, net::ERR_CONNECTION_RESET: http://site.test/icon.svg"]),
        ("aborted", []),  # as when the reader goes on to the next page
    ],
)
def test_what_the_browser_gave_up_itself_is_no_fault_of_the_page(
    ending: str, complaints: list[str]
) -> None:
    """But what the network or the server cut off is."""
    with chromium() as browser:
        tab = open_tab(browser.new_context(**PHONE), "http://site.test")
        tab.page.route("**/*", lambda route: route.fulfill(body=ICON, content_type="text/html"))
        tab.page.route("**/icon.svg", lambda route: route.abort(ending))
        with tab.page.expect_event("requestfailed"):
            tab.open("/")
        assert [each for each in tab.complaints if "icon.svg" in each] == complaints
