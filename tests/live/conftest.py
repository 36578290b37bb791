"""Fixtures for the tests against real servers."""

from live.fixtures import server, shared_start, site, start

__all__ = ["server", "shared_start", "site", "start"]
