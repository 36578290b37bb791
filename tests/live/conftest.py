"""Fixtures for the tests against real servers."""

from live.fixtures import server, site, start

__all__ = ["server", "site", "start"]
