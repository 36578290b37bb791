"""Fixtures for the tests against real servers."""

from contextlib import suppress

from live.fixtures import server, shared_start, site, start

with suppress(ModuleNotFoundError):  # only the slow tests, which use them, have a browser
    from live.chromium import browser, desk, phone

__all__ = ["browser", "desk", "phone", "server", "shared_start", "site", "start"]
