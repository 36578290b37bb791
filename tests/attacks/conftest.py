"""Fixtures for the attacks: each is short, bounded, and against a service of this machine."""

from live.fixtures import server, site, start

__all__ = ["server", "site", "start"]
