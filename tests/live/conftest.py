"""Fixtures for the tests against real servers."""

from live.chromium import browser, desk, phone
from live.fixtures import server, shared_start, site, start

__all__ = ["browser", "desk", "phone", "server", "shared_start", "site", "start"]
